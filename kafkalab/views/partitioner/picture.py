"""The data that PartitionerView draws: keys and the partitions they lie in, as plain JSON of limited size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from typing import Any, TypedDict

from kafkalab.state.log.fetched import Placed
from kafkalab.state.log.murmur2 import POSITIVE, murmur2
from kafkalab.state.log.tree import text_of
from kafkalab.views.static import Block, Para, Table
from kafkalab.views.words import shorten

Drawn = dict[str, Any]

#: Maximum number of keys that are drawn; the records of further keys are only counted.
MOST_KEYS = 1000
#: Maximum number of a key's bytes that are sent to the page; a longer key is cut, and cannot be sent from the page.
LONGEST_KEY = 256
#: Maximum number of records sent from the view that are drawn, the newest.
MOST_SENT = 12


@dataclass(slots=True)
class Places:
    """Keys, and how many records of each were seen in which partition."""

    #: By "k" and the key in hexadecimal, because a JavaScript object would move a bare number to another place.
    keys: dict[str, Drawn] = field(default_factory=dict)
    #: Partition → records without a key.
    nulls: dict[str, int] = field(default_factory=dict)
    records: int = 0
    #: Number of records whose keys are not drawn, because there are too many keys.
    beyond: int = 0

    def add(self, placed: Iterable[Placed]) -> None:
        """Count what a look found; an entry that is drawn already is replaced, never changed."""
        for one in placed:
            self.records += 1
            p = str(one.partition)
            if one.key is None:
                self.nulls = {**self.nulls, p: self.nulls.get(p, 0) + 1}
                continue
            name = _name(one.key)
            known = self.keys.get(name)
            if known is None:
                if len(self.keys) >= MOST_KEYS:
                    self.beyond += 1
                    continue
                known = {**_of(one.key), "at": {}}
            count, last = known["at"].get(p, (0, -1))
            self.keys[name] = {**known, "at": {**known["at"], p: [count + 1, max(last, one.offset)]}}


@lru_cache(maxsize=4 * MOST_KEYS)
def _of(key: bytes) -> Drawn:
    """Return what is drawn of a key in any partition; do not change it, because it is cached."""
    return {"text": text_of(key, 120), "hash": murmur2(key) & POSITIVE, "size": len(key)}


@lru_cache(maxsize=4 * MOST_KEYS)
def _name(key: bytes) -> str:
    """Return the name under which a key is kept; for a long key, its beginning and a digest."""
    if len(key) <= LONGEST_KEY:
        return f"k{key.hex()}"
    return f"k{key[:LONGEST_KEY].hex()}…{sha256(key).hexdigest()[:16]}"


@dataclass(frozen=True, slots=True)
class Sent:
    """A record that was sent from the view, and where the broker put it."""

    number: int
    key: bytes | None
    partition: int
    offset: int
    partitions: int
    partitioner: str

    def to_dict(self) -> Drawn:
        """Return the record as it is drawn; ``calculated`` is None without a key."""
        calculated = None if self.key is None else (murmur2(self.key) & POSITIVE) % self.partitions
        return {
            "n": self.number, "key": None if self.key is None else text_of(self.key, 80), "partition": self.partition,
            "offset": self.offset, "calculated": calculated, "partitioner": self.partitioner,
        }  # fmt: skip


class Key(TypedDict):
    """A key; ``at``: partition → how many records of it lie there, and the last one's offset."""

    text: str
    hash: int
    size: int
    at: dict[str, tuple[int, int]]


class SentRecord(TypedDict):
    """A record that was sent from the view."""

    n: int
    key: str | None
    partition: int
    offset: int
    calculated: int | None
    partitioner: str


#: The numbers of partitions before and after some were added.
Grown = TypedDict("Grown", {"from": int, "to": int})


class Picture(TypedDict):
    """The picture of PartitionerView."""

    name: str
    topic: str
    partitions: int | None
    live: bool
    recorded: bool
    looked: bool
    busy: str
    trouble: str
    keys: dict[str, Key]
    nulls: dict[str, int]
    records: int
    beyond: int
    sent: dict[str, SentRecord]
    grown: Grown | None


def drawn(
    topic: str,
    partitions: int | None,
    places: Places,
    sent: Sequence[Sent] = (),
    *,
    name: str = "",
    live: bool = False,
    recorded: bool = False,
    looked: bool = False,
    busy: str = "",
    trouble: str = "",
    grown: tuple[int, int] | None = None,
) -> Drawn:
    """Return what the page draws. ``partitions``: None before it is known; ``grown``: the numbers before and after."""
    return {
        "name": name, "topic": topic, "partitions": partitions, "live": live, "recorded": recorded,
        "looked": looked, "busy": busy,
        "trouble": trouble, "keys": dict(places.keys), "nulls": places.nulls, "records": places.records,
        "beyond": places.beyond, "sent": {f"s{s.number}": s.to_dict() for s in sent[-MOST_SENT:]},
        "grown": None if grown is None else {"from": grown[0], "to": grown[1]},
    }  # fmt: skip


def elsewhere(picture: Drawn) -> dict[str, Drawn]:
    """Return the keys with records that lie elsewhere than the calculation puts them today."""
    n = picture["partitions"]
    return {k: v for k, v in picture["keys"].items() if n and any(int(p) != v["hash"] % n for p in v["at"])}


def earlier(picture: Drawn) -> int | None:
    """Return a number of partitions under which each record lies where it was calculated to be, or where it is today.

    It means that partitions were added meanwhile. None when there is no such number: another partitioner was used.
    """
    n, keys = picture["partitions"], elsewhere(picture).values()
    if not n or not keys:
        return None
    return next(
        (
            m
            for m in range(n - 1, 0, -1)
            if all(int(p) in (k["hash"] % m, k["hash"] % n) for k in keys for p in k["at"])
        ),
        None,
    )


# --- Keys as paragraphs and tables: where each is calculated to lie and where it lies; what was sent.


#: Maximum number of keys in the table.
_MOST = 40


def blocks(picture: Drawn) -> list[Block]:
    """Return a summary, a row per key (calculated, really, verdict), and the records that were sent."""
    found: list[Block] = [Para(f"{shorten(picture['topic'], 120)}: {_summary(picture)}", "strong")]
    away, n = elsewhere(picture), picture["partitions"] or 1
    order = [*away, *(k for k in sorted(picture["keys"]) if k not in away)]
    rows = []
    for name in order:
        key = picture["keys"][name]
        where = ", ".join(f"P{p}" for p in sorted(map(int, key["at"])))
        rows.append((shorten(key["text"], 40), f"P{key['hash'] % n}", where, "✗" if name in away else "✓"))
    if rows:
        found.append(Table(("Key", "Calculated", "Really in", ""), rows, most=_MOST))
    sent = []
    for one in picture["sent"].values():
        key = "no key" if one["key"] is None else shorten(one["key"])
        calculated = "" if one["calculated"] is None else f"P{one['calculated']}"
        sent.append((key, calculated, f"P{one['partition']}", one["offset"]))
    return [*found, Table(("Sent with key", "Calculated", "Acknowledged in", "Offset"), sent)] if sent else found


def _summary(picture: Drawn) -> str:
    """Return in a sentence or two how many keys were seen, and how many lie elsewhere."""
    n, keys = picture["partitions"], picture["keys"]
    if n is None:
        return picture["trouble"] or "not read yet"
    said = f"{len(keys)} keys seen in {picture['records']} records of {n} partition{'s' if n != 1 else ''}"
    if nulls := sum(picture["nulls"].values()):
        said += f", {nulls} records without a key"
    away = elsewhere(picture)
    if not keys:
        return f"{said}."
    if not away:
        return f"{said}. Every one lies where murmur2 puts it."
    before = earlier(picture)
    why = (
        f"they were sent when there were {before} partitions"
        if before
        else "another partitioner was used, or partitions were added"
    )
    return f"{said}. {len(away)} have records elsewhere than murmur2 puts them now: {why}."
