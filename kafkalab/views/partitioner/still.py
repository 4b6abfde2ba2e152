"""The still forms of keys in their partitions: an SVG with a column per partition and a dot per key, text, tables."""

from __future__ import annotations

from html import escape

from kafkalab.views.cluster.picture import shown
from kafkalab.views.partitioner.picture import Drawn, earlier, elsewhere, home, really
from kafkalab.views.svg import Svg, on_partition, partition

# --- Keys and their partitions as lines of text.


def summary(picture: Drawn) -> str:
    """Return in a sentence or two how many keys were seen, and how many lie elsewhere."""
    n, keys = picture["partitions"], picture["keys"]
    if n is None:
        return picture["trouble"] or "not read yet"
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
    """Return "✓" when all records of a key lie where murmur2 puts them now, else "✗"."""
    n = picture["partitions"]
    return "✓" if n and all(int(p) == key["hash"] % n for p in key["at"]) else "✗"


def rows(picture: Drawn, most: int) -> list[tuple[str, str, str, str]]:
    """Return (key, calculated, really, verdict) per key, those that lie elsewhere first."""
    away, n = elsewhere(picture), picture["partitions"] or 1
    order = [*away, *(k for k in sorted(picture["keys"]) if k not in away)]
    found = []
    for name in order[:most]:
        key = picture["keys"][name]
        where = ", ".join(f"P{p}" for p in really(key))
        found.append((shown(key["text"], 40), f"P{key['hash'] % n}", where, verdict(picture, key)))
    return found


def to_text(picture: Drawn, most: int = 12) -> str:
    """Return the topic, a summary, and a line per key."""
    lines = [f"{picture['topic']}: {summary(picture)}"]
    for key, calculated, where, sign in rows(picture, most):
        lines.append(f"  {sign} {key:<24} calculated {calculated:<4} really {where}")
    if len(picture["keys"]) > most:
        lines.append(f"  … {len(picture['keys']) - most} more keys")
    for one in picture["sent"].values():
        key = "no key" if one["key"] is None else f"key {shown(one['key'])}"
        lines.append(f"  sent: {key} → P{one['partition']}, offset {one['offset']}")
    return "\n".join(lines)


WIDTH = 900.0
_PAD, _DOT, _MOST = 14.0, 11.0, 24


def to_svg(picture: Drawn) -> str:
    """Return the columns as SVG; keys that lie elsewhere than murmur2 puts them are crossed."""
    n = min(picture["partitions"] or 0, _MOST)
    columns: dict[int, list[str]] = {p: [] for p in range(n)}
    for name, key in sorted(picture["keys"].items()):
        if (p := home(key, picture["partitions"])) in columns:
            columns[p].append(name)
    width = (WIDTH - 2 * _PAD) / max(1, n)
    across = max(1, int((width - 10) // _DOT))
    deepest = max((-(-len(found) // across) for found in columns.values()), default=0)
    words = summary(picture).split(". ", 1)
    height = 114 + deepest * _DOT + 66
    svg = Svg(WIDTH, height, f"Keys of {picture['topic']} in their partitions", summary(picture))
    svg.text(_PAD, 26, picture["topic"], size=15, bold=True)
    for i, line in enumerate(words):
        svg.text(_PAD, 46 + 18 * i, line.rstrip(".") + ".", fill="soft", limit=140)
    away = elsewhere(picture)
    for p, found in columns.items():
        x = _PAD + p * width
        svg.rect(x + 2, 80, width - 4, height - 120, fill="panel", stroke="line", rx=8)
        svg.rect(x + 6, 85, width - 12, 20, fill=partition(p), rx=6)
        svg.text(x + width / 2, 99, f"P{p}", fill=on_partition(p), bold=True, anchor="middle")
        for i, name in enumerate(found):
            cx = x + 8 + (i % across + 0.5) * _DOT
            cy = 114 + (i // across + 0.5) * _DOT
            if name in away:
                dot = svg.text(cx, cy + 4, "✗", size=11, bold=True, anchor="middle", fill="bad")
            else:
                dot = svg.circle(cx, cy, _DOT / 2 - 1.2, fill=partition(p))
            svg.hint(dot, picture["keys"][name]["text"])
        svg.text(x + width / 2, height - 46, f"{len(found)} keys", fill="soft", size=10.5, anchor="middle")
    signs = "● a key, in the partition its records lie in   ✗ a key with records elsewhere than murmur2 puts them now"
    svg.text(_PAD, height - 14, signs, fill="soft", size=11, limit=150)
    return svg.to_string()


# --- Keys and their partitions as tables, for places without scripts. Everything from the topic is escaped.


_LEFT = 'style="text-align:left"'
_TABLE_MOST = 40


def to_html(picture: Drawn) -> str:
    """Return a row per key: calculated, really, verdict; then the records that were sent."""
    blocks = [f"<p><strong>{escape(shown(picture['topic'], 120))}</strong>: {escape(shown(summary(picture), 400))}</p>"]
    if found := rows(picture, _TABLE_MOST):
        body = [(f"<bdi>{escape(key)}</bdi>", *rest) for key, *rest in found]
        blocks.append(_table(("Key", "Calculated", "Really in", ""), body))
        if len(picture["keys"]) > _TABLE_MOST:
            blocks.append(f"<p><small>{len(picture['keys']) - _TABLE_MOST} more keys not shown</small></p>")
    if picture["sent"]:
        body = [
            (
                "no key" if s["key"] is None else f"<bdi>{escape(shown(s['key']))}</bdi>",
                "" if s["calculated"] is None else f"P{s['calculated']}",
                f"P{s['partition']}",
                str(s["offset"]),
            )
            for s in picture["sent"].values()
        ]
        blocks.append(_table(("Sent with key", "Calculated", "Acknowledged in", "Offset"), body))
    return f"<div>{''.join(blocks)}</div>"


def _table(heads: tuple[str, ...], body: list[tuple[str, ...]]) -> str:
    head = "".join(f'<th scope="col" {_LEFT}>{word}</th>' for word in heads)
    lines = "".join("<tr>" + "".join(f"<td {_LEFT}>{cell}</td>" for cell in row) + "</tr>" for row in body)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"
