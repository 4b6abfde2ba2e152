"""The data that PartitionerView draws: keys and the partitions they lie in, as plain JSON of limited size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from typing import TypedDict

from kafkalab.state.changes import many
from kafkalab.state.log.fetched import Placed
from kafkalab.state.log.murmur2 import POSITIVE, murmur2
from kafkalab.state.log.tree import text_of
from kafkalab.views.static import Block, Para, Table
from kafkalab.views.words import shorten

#: Maximum number of keys that are drawn; the records of further keys are only counted.
MOST_KEYS = 1000
#: Maximum number of a key's bytes that are sent to the page; a longer key is cut, and cannot be sent from the page.
LONGEST_KEY = 256
#: Maximum number of records sent from the view that are drawn, the newest.
MOST_SENT = 12


class Key(TypedDict):
    """A key; ``at``: partition → how many records of it lie there."""

    text: str
    hash: int
    at: dict[str, int]


class Sent(TypedDict):
    """A record that was sent from the view, and where the broker put it; ``calculated`` is None without a key."""

    n: int
    key: str | None
    partition: int
    offset: int
    calculated: int | None
    partitioner: str


#: The numbers of partitions before and after some were added.
Grown = TypedDict("Grown", {"from": int, "to": int})


class Picture(TypedDict):
    """The picture of PartitionerView.

    ``keys``: by "k" and the key in hexadecimal, because a JavaScript object would move a bare number to another place.
    ``away``: why keys have records elsewhere than the calculation puts them today; "" when none have. ``nulls``:
    partition → records without a key. ``beyond``: records of keys that are not drawn, because there are too many keys.
    """

    topic: str
    partitions: int | None
    live: bool
    recorded: bool
    looked: bool
    busy: str
    trouble: str
    keys: dict[str, Key]
    away: str
    nulls: dict[str, int]
    records: int
    beyond: int
    sent: dict[str, Sent]
    grown: Grown | None


@dataclass(slots=True)
class Places:
    """Keys, and how many records of each were seen in which partition; see :class:`Picture`."""

    keys: dict[str, Key] = field(default_factory=dict)
    nulls: dict[str, int] = field(default_factory=dict)
    records: int = 0
    beyond: int = 0

    def add(self, placed: Iterable[Placed]) -> None:
        """Count what a look found; an entry that is drawn already is replaced, never changed."""
        for (key, partition), n in Counter((one.key, one.partition) for one in placed).items():
            self.records += n
            p = str(partition)
            if key is None:
                self.nulls = {**self.nulls, p: self.nulls.get(p, 0) + n}
                continue
            name = _name(key)
            known = self.keys.get(name)
            if known is None and len(self.keys) >= MOST_KEYS:
                self.beyond += n
                continue
            at = known["at"] if known else {}
            self.keys[name] = {"text": text_of(key, 120), "hash": _hash(key), "at": {**at, p: at.get(p, 0) + n}}


@lru_cache(maxsize=4 * MOST_KEYS)
def _hash(key: bytes) -> int:
    return murmur2(key) & POSITIVE


@lru_cache(maxsize=4 * MOST_KEYS)
def _name(key: bytes) -> str:
    """Return the name under which a key is kept; for a long key, its beginning and a digest."""
    if len(key) <= LONGEST_KEY:
        return f"k{key.hex()}"
    return f"k{key[:LONGEST_KEY].hex()}…{sha256(key).hexdigest()[:16]}"


def sent_record(n: int, key: bytes | None, partition: int, offset: int, partitions: int, partitioner: str) -> Sent:
    """Return the ``n``-th record that was sent from the view, as it is drawn."""
    return {
        "n": n, "key": None if key is None else text_of(key, 80), "partition": partition, "offset": offset,
        "calculated": None if key is None else _hash(key) % partitions, "partitioner": partitioner,
    }  # fmt: skip


def drawn(
    topic: str,
    partitions: int | None,
    places: Places,
    sent: Iterable[Sent] = (),
    *,
    live: bool = False,
    recorded: bool = False,
    looked: bool = False,
    busy: str = "",
    trouble: str = "",
    grown: tuple[int, int] | None = None,
) -> Picture:
    """Return what the page draws. ``partitions``: None before it is known; ``grown``: the numbers before and after."""
    return {
        "topic": topic, "partitions": partitions, "live": live, "recorded": recorded, "looked": looked, "busy": busy,
        "trouble": trouble, "keys": dict(places.keys), "away": _away(places.keys.values(), partitions),
        "nulls": places.nulls, "records": places.records, "beyond": places.beyond,
        "sent": {f"s{one['n']}": one for one in sent},
        "grown": None if grown is None else {"from": grown[0], "to": grown[1]},
    }  # fmt: skip


def is_astray(key: Key, partitions: int | None) -> bool:
    """Return whether a key has records elsewhere than the calculation puts them today."""
    return partitions is not None and any(int(p) != key["hash"] % partitions for p in key["at"])


def _away(keys: Iterable[Key], n: int | None) -> str:
    """Return why keys are astray: partitions were added, if that explains the records of several, or something else."""
    away = [key for key in keys if is_astray(key, n)]
    if not n or not away:
        return ""
    for m in range(n - 1, 0, -1):
        if len(away) > 1 and all(int(p) in (key["hash"] % m, key["hash"] % n) for key in away for p in key["at"]):
            return f"they were sent when the topic had {many(m, 'partition')}, and records never move"
    return "a partition was named, another partitioner was used, or partitions were added"


# --- Keys as paragraphs and tables: where each is calculated to lie and where it lies; what was sent.


#: Maximum number of keys in the table.
_MOST = 40


def blocks(picture: Picture) -> list[Block]:
    """Return a summary, a row per key (calculated, really, verdict), and the records that were sent."""
    found: list[Block] = [Para(f"{shorten(picture['topic'], 120)}: {_summary(picture)}", "strong")]
    n = picture["partitions"]
    rows = []
    for _, key in sorted(picture["keys"].items(), key=lambda named: (not is_astray(named[1], n), named[0])):
        where = ", ".join(f"P{p}" for p in sorted(map(int, key["at"])))
        rows.append((shorten(key["text"]), f"P{key['hash'] % (n or 1)}", where, "✗" if is_astray(key, n) else "✓"))
    if rows:
        found.append(Table(("Key", "Calculated", "Really in", ""), rows, most=_MOST))
    sent = []
    for one in picture["sent"].values():
        sent_key = "no key" if one["key"] is None else shorten(one["key"])
        calculated = "" if one["calculated"] is None else f"P{one['calculated']}"
        sent.append((sent_key, calculated, f"P{one['partition']}", one["offset"]))
    return [*found, Table(("Sent with key", "Calculated", "Acknowledged in", "Offset"), sent)] if sent else found


def _summary(picture: Picture) -> str:
    """Return in a sentence or two how many keys were seen, and how many lie elsewhere."""
    n, keys = picture["partitions"], picture["keys"]
    if n is None:
        return picture["trouble"] or "not read yet"
    said = f"{len(keys)} keys seen in {picture['records']} records of {n} partition{'s' if n != 1 else ''}"
    if nulls := sum(picture["nulls"].values()):
        said += f", {nulls} records without a key"
    if not keys:
        return f"{said}."
    if not picture["away"]:
        return f"{said}. Every one lies where murmur2 puts it."
    away = sum(is_astray(key, n) for key in keys.values())
    return f"{said}. Records of {many(away, 'key')} lie elsewhere than murmur2 puts them now: {picture['away']}."
