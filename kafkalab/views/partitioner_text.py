"""Keys and their partitions as lines of text."""

from __future__ import annotations

from kafkalab.views.cluster_drawn import shown
from kafkalab.views.partitioner_drawn import Drawn, earlier, elsewhere, really


def summary(picture: Drawn) -> str:
    """How many keys were seen, and how many lie elsewhere, in a sentence or two."""
    n, keys = picture["partitions"], picture["keys"]
    if n is None:
        return picture["trouble"] or "not looked at yet"
    said = f"{len(keys)} keys seen in {picture['records']} records of {n} partition{'s' if n != 1 else ''}"
    nulls = sum(picture["nulls"].values())
    if nulls:
        said += f", {nulls} records without a key"
    away = elsewhere(picture)
    if not keys:
        return said + "."
    if not away:
        return said + ". Every one lies where murmur2 puts it."
    before = earlier(picture)
    why = (
        f"they were sent when there were {before} partitions"
        if before
        else "another partitioner was used, or partitions were added"
    )
    return f"{said}. {len(away)} have records elsewhere than murmur2 puts them now: {why}."


def verdict(picture: Drawn, key: Drawn) -> str:
    """ "✓" or "✗"."""
    n = picture["partitions"]
    return "✓" if n and all(int(p) == key["hash"] % n for p in key["at"]) else "✗"


def rows(picture: Drawn, most: int) -> list[tuple[str, str, str, str]]:
    """(key, calculated, really, verdict), those that lie elsewhere first."""
    away, n = elsewhere(picture), picture["partitions"] or 1
    order = [*away, *(k for k in sorted(picture["keys"]) if k not in away)]
    found = []
    for name in order[:most]:
        key = picture["keys"][name]
        where = ", ".join(f"P{p}" for p in really(key))
        found.append((shown(key["text"], 40), f"P{key['hash'] % n}", where, verdict(picture, key)))
    return found


def to_text(picture: Drawn, most: int = 12) -> str:
    """The topic, a summary, and a line a key."""
    lines = [f"{picture['topic']}: {summary(picture)}"]
    for key, calculated, where, sign in rows(picture, most):
        lines.append(f"  {sign} {key:<24} calculated {calculated:<4} really {where}")
    if len(picture["keys"]) > most:
        lines.append(f"  … {len(picture['keys']) - most} more keys")
    for one in picture["sent"].values():
        key = "no key" if one["key"] is None else f"key {shown(one['key'])}"
        lines.append(f"  sent: {key} → P{one['partition']}, offset {one['offset']}")
    return "\n".join(lines)
