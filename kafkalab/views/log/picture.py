"""The data that a picture of a topic's logs is drawn from, as plain JSON: made of a snapshot and what was read.

The widget draws this, and the tables for where none runs are made of it.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, product
from itertools import count as numbers
from string import ascii_lowercase
from typing import Literal, NotRequired, TypedDict

from kafkalab.state.changes import member_names
from kafkalab.state.log.reader import LogEnd, LogRecord, Window
from kafkalab.state.model import Group, Partition, Snapshot
from kafkalab.views.static import Block, Fault, Para, Table, clock, fault, trouble
from kafkalab.views.words import count, shorten

# --- A sign and a colour for each key of a topic, the same wherever the key is drawn.


#: Number of colours of keys, as many as in views/shared.css; keys of the same colour differ in their sign.
COLOURS = 12
#: Maximum length of a sign that fits into a cell, in characters.
LONGEST = 3

_SHORT = re.compile(rf"[!-~]{{1,{LONGEST}}}")
_WORDS = re.compile(r"[A-Za-z]+")
_NUMBER = re.compile(r"0*(\d{1,3})$")


class KeySigns:
    """Gives each key a short sign and a colour.

    A key that is short enough is its own sign, and "truck-0042" gets its number, "42". Any other key gets its initials
    or first letters: "order-placed" gets "op", or "o", or "or", whichever is free. A key gets other letters, in turn,
    only when none of these is free, or when it is no text.
    """

    def __init__(self) -> None:
        self._signs: dict[bytes, tuple[str, int]] = {}
        self._taken = {""}
        #: a to z, aa to zz, aaa, …
        self._letters = ("".join(letters) for n in numbers(1) for letters in product(ascii_lowercase, repeat=n))
        self._lock = threading.Lock()

    def of(self, key: bytes) -> tuple[str, int]:
        """Return the sign of a key, and the number of its colour, 0 to 11."""
        with self._lock:
            if key not in self._signs:
                sign = next(sign for sign in chain(_wishes(key), self._letters) if sign not in self._taken)
                self._taken.add(sign)
                self._signs[key] = (sign, len(self._signs) % COLOURS)
            return self._signs[key]


def _wishes(key: bytes) -> Iterator[str]:
    """Yield the signs that suit a key, the best first; "" for one that it does not have."""
    text = key.decode("ascii", "ignore")
    if _SHORT.fullmatch(text):
        yield text
    if number := _NUMBER.search(text):
        yield number[1]
    words = _WORDS.findall(text)
    if len(words) > 1:
        yield "".join(word[0] for word in words)[:LONGEST]
    letters = "".join(words)
    yield from (letters[:n] for n in range(1, LONGEST + 1))


# --- The types of a picture.


class More(TypedDict):
    """The extras of few records: the producer of their transaction, a codec, their batch's first offset."""

    tx: NotRequired[int]
    codec: NotRequired[str]
    batch: NotRequired[int]
    #: Whether the time is the broker's, not the producer's.
    appended: NotRequired[bool]


Headers = list[tuple[str, str | None]]
Kind = Literal["r", "t", "c", "a", "x", "u"]
#: A record as a list, which is short: offset, kind (``r`` a record, ``t`` a tombstone, ``c`` commit and ``a`` abort
#: markers, ``x`` another control record, ``u`` unreadable), sign, colour (-1: no key), key, value, timestamp, size, …
Cell = tuple[int, Kind, str, int, str | None, str | None, int | None, int, Headers | None, More | None]
Beginning = TypedDict("Beginning", {"from": int})


class Tail(Beginning):
    """Records of a partition. An offset without a cell holds none; ``blank``: stretches that were not recorded."""

    to: int
    cells: list[Cell]
    blank: NotRequired[list[tuple[int, int]]]


class Lane(TypedDict):
    """The log of a partition; None where an offset is not known. ``stable``: an open transaction begins there."""

    leader: int | None
    epoch: int | None
    alive: bool
    start: int | None
    high: int | None
    end: int | None
    stable: int | None
    isr: list[int]
    replicas: list[int]


class GroupLane(TypedDict):
    """A group's committed offset in a partition, and which of its members holds it."""

    committed: int | None
    member: str | None


class Picture(TypedDict):
    """The picture of LogView, by partition; ``positions``: a consumer's name → where it reads next."""

    topic: str
    looked: bool
    found: bool
    at: float | None
    error: Fault | None
    recorded: bool
    lanes: dict[str, Lane]
    tails: dict[str, Tail]
    groups: dict[str, dict[str, GroupLane]]
    positions: dict[str, dict[str, int]]


# --- Records as cells, and the picture.


_KINDS: dict[str, Kind] = {"commit": "c", "abort": "a", "control": "x", "unreadable": "u"}
#: Signs of what is not a producer's record; :data:`NO_KEY` is the sign of a record without a key.
SIGNS: dict[Kind, str] = {"c": "✓", "a": "⊘", "x": "§", "u": "?"}
NO_KEY = "∅"


def cell(record: LogRecord, keys: KeySigns) -> Cell:
    """Return a record as a cell, the form in which it is sent to the page."""
    kind = _KINDS.get(record.kind) or ("t" if record.value is None else "r")
    if record.kind != "record":
        sign, colour = SIGNS[kind], -1
    elif record.key_id is None:
        sign, colour = NO_KEY, -1
    else:
        sign, colour = keys.of(record.key_id)
    more: More = {}
    if record.producer is not None:
        more["tx"] = record.producer
    if record.codec != "none":
        more["codec"] = record.codec
    if record.batch is not None:
        more["batch"] = record.batch
    if record.appended:
        more["appended"] = True
    return (
        *(record.offset, kind, sign, colour, record.key, record.value),
        *(record.timestamp, record.size, list(record.headers) or None, more or None),
    )


def tail(window: Window, cells: Iterable[Cell], blank: Sequence[tuple[int, int]] = ()) -> Tail:
    """Return a window as a tail; ``blank``: the stretches of it that a recording lacks."""
    found: Tail = {"from": window.start, "to": window.end, "cells": list(cells)}
    return {**found, "blank": list(blank)} if blank else found


class TailCells:
    """Turns windows into tails; a record keeps its cell, so that two states are quick to compare."""

    def __init__(self, keys: KeySigns) -> None:
        self._keys = keys
        self._drawn: dict[int, tuple[Window, Tail, dict[LogRecord, Cell]]] = {}

    def of(self, partition: int, window: Window, blank: Sequence[tuple[int, int]] = ()) -> Tail:
        """Return the tail of a partition's window."""
        before = self._drawn.get(partition)
        if before is not None and before[0] is window and list(blank) == before[1].get("blank", []):
            return before[1]
        known = before[2] if before else {}
        now = {record: known.get(record) or cell(record, self._keys) for record in window.records}
        drawn = tail(window, now.values(), blank)
        self._drawn[partition] = (window, drawn, now)
        return drawn


def drawn(
    snapshot: Snapshot | None,
    topic: str,
    *,
    ends: Mapping[int, LogEnd] | None = None,
    tails: Mapping[int, Tail] | None = None,
    positions: Mapping[str, Mapping[int, int]] | None = None,
    error: str | None = None,
    frozen: bool = False,
    recorded: bool = False,
) -> Picture:
    """Return everything that a picture of a topic's logs shows.

    :param ends: the ends of the logs, as the leaders reported them; without it, the snapshot's offsets are used.
    :param tails: partition → cells, as :class:`TailCells` gives them.
    :param positions: a consumer's name → partition → the offset it will read next.
    :param error: why the last look at the cluster failed; the snapshot is then an older one.
    :param frozen: True when nothing feeds the picture. :param recorded: True when it shows a recording.
    """
    found = snapshot.topic(topic) if snapshot else None
    alive = {b.id for b in snapshot.brokers if b.alive} if snapshot else set()
    lanes = (
        {str(p.partition): _lane(p, (ends or {}).get(p.partition), alive) for p in found.partitions} if found else {}
    )
    return {
        "topic": topic,
        "looked": snapshot is not None,
        "found": found is not None,
        # Only for a frozen picture: the time in a live one would change with every snapshot.
        "at": snapshot.at if snapshot and frozen else None,
        "error": fault(error, snapshot),
        "recorded": recorded,
        "lanes": lanes,
        "tails": {str(p): tail for p, tail in sorted((tails or {}).items()) if str(p) in lanes},
        "groups": {g.group_id: made for g in (snapshot.groups if snapshot else ()) if (made := _group(g, topic))},
        "positions": {
            name: {str(p): offset for p, offset in sorted(at.items())} for name, at in (positions or {}).items()
        },
    }


def _lane(p: Partition, told: LogEnd | None, alive: set[int]) -> Lane:
    high, end = (told.high, told.end) if told else (p.end, p.end)
    start = p.start
    if start is not None and high is not None:
        start = min(start, high)
    return {
        "leader": p.leader,
        "epoch": p.leader_epoch,
        "alive": p.leader in alive,
        "start": start,
        "high": high,
        "end": end,
        "stable": told.stable if told and told.stable is not None and told.stable < told.high else None,
        "isr": list(p.isr),
        "replicas": list(p.replicas),
    }


def _group(group: Group, topic: str) -> dict[str, GroupLane]:
    """Return the lanes of the topic that a group committed in or holds."""
    called = member_names({m.member_id: m.client_id for m in group.members})
    holders = {p: called[m.member_id] for m in group.members for t, p in m.partitions if t == topic}
    committed = {o.partition: o.committed for o in group.offsets if o.topic == topic}
    return {
        str(p): {"committed": committed.get(p), "member": holders.get(p)}
        for p in sorted(committed.keys() | holders.keys())
    }


def lag(lane: Lane, committed: int | None) -> int | None:
    """Return the number of records from ``committed`` to the high watermark, at least 0: both are read separately."""
    return None if committed is None or lane["high"] is None else max(0, lane["high"] - committed)


# --- The picture as paragraphs and tables, for where no widget runs.


_GROUPS, _RECORDS = 8, 6
_NOTES = "From log start to high watermark records can be read; from there to the log end they are not committed yet"


def blocks(drawn: Picture) -> list[Block]:
    """Return a row per partition: leader, log start and end, committed offsets, consumers' positions, last records."""
    title = f"{shorten(drawn['topic'], 120)}, the log of each partition"
    found: list[Block] = [Para(title, "strong"), *trouble(drawn["error"])]
    if not drawn["looked"]:
        return [*found, Para("The cluster has not been read yet.")]
    if not drawn["lanes"]:
        there = "The topic has no partitions."
        return [*found, Para(there if drawn["found"] else f"There is no topic {shorten(drawn['topic'])} here.")]
    groups, readers = list(drawn["groups"])[:_GROUPS], list(drawn["positions"])[:_GROUPS]
    heads = [
        *("Partition", "Leader", "Log start", "High watermark", "Log end"),
        *(f"▲ {shorten(name)} committed" for name in groups),
        *(f"△ {shorten(name)} reads next" for name in readers),
        "Last records, newest last",
    ]
    rows = [
        (
            f"P{key}",
            "nobody" if lane["leader"] is None else f"{lane['leader']}{'' if lane['alive'] else ' (down)'}",
            *(count(lane[name]) for name in ("start", "high", "end")),
            *(_committed(lane, drawn["groups"][name].get(key)) for name in groups),
            *(drawn["positions"][name].get(key, "–") for name in readers),
            _newest(lane, drawn["tails"][key]["cells"][-_RECORDS:] if key in drawn["tails"] else ()),
        )
        for key, lane in drawn["lanes"].items()
    ]
    moment = "A picture of one moment" + (f", {clock(drawn['at'])}" if drawn["at"] is not None else "")
    return [*found, Table(heads, rows), Para(f"{_NOTES}. {moment}.", "small")]


def _committed(lane: Lane, at: GroupLane | None) -> str:
    """Return a group's committed offset in a lane, its lag, and the member that reads the lane: "22 · lag 9 · c2"."""
    if at is None:
        return "–"
    who = f" · {shorten(at['member'], 30)}" if at["member"] else ""
    if at["committed"] is None:
        return f"nothing committed{who}"
    return f"{count(at['committed'])} · lag {count(lag(lane, at['committed']))}{who}"


def _newest(lane: Lane, cells: Sequence[Cell]) -> str:
    """Return the newest records, "… 31 earlier  35:a=v1  36:b=null"."""
    earlier = cells[0][0] - (lane["start"] or 0) if cells else 0
    return "  ".join([*([f"… {count(earlier)} earlier"] if earlier > 0 else []), *map(_record, cells)])


def _record(cell: Cell) -> str:
    offset, kind, sign, _, key, value = cell[:6]
    if kind in "cax":
        return f"{offset}:{ {'c': 'commit', 'a': 'abort'}.get(kind, 'control') }"
    return f"{offset}:{sign if key is None else shorten(key, 12)}={'null' if value is None else shorten(value, 24)}"
