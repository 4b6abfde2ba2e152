"""The data that a picture of a topic's logs is drawn from, as plain JSON: made of a snapshot and what was read.

The widget draws this, and the table for where none runs is made of it::

    {"topic", "found", "looked", "at", "error", "recorded",
     "lanes":  {"0": {"leader", "epoch", "alive", "start", "high", "end", "stable", "isr", "replicas"}},
     "tails":  {"0": {"from", "to", "cells": [cell, …]}},
     "groups": {"dashboard": {"state", "lanes": {"0": {"committed", "member"}}, "idle": ["C3"]}},
     "positions": {"C1": {"0": 1213}}}

A cell is a list, which is short: ``[offset, kind, sign, colour, key, value, timestamp, size, headers, more]``. Its
kind is ``r`` a record, ``t`` a tombstone (no value), ``c`` commit and ``a`` abort markers, ``x`` another control
record, ``u`` unreadable. ``colour`` is -1 for no key. In ``more``, None or an object: ``tx`` (a transaction's producer
id), ``codec``, ``batch`` (the base offset of its batch), ``appended`` (the broker's time, not the producer's).
An offset between ``from`` and ``to`` without a cell holds nothing: compaction took it, or an aborted batch was dropped.
In a recording, a tail may also have ``blank``: the stretches that were not recorded, ``[[from, to], …]``.
"""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict

from kafkalab.state.log.reader import LogEnd, LogRecord, Window
from kafkalab.state.model import Group, Partition, Snapshot
from kafkalab.views.static import Block, Para, Table, clock, trouble
from kafkalab.views.words import count, shorten

# --- A sign and a colour for each key of a topic, the same wherever the key is drawn.


#: Number of colours of keys, as many as in views/shared.css; keys of the same colour differ in their sign.
COLOURS = 12
#: Maximum number of keys with a sign of their own; further keys share signs with others.
MOST_KEYS = 20_000
#: Maximum length of a sign that fits into a cell, in characters.
LONGEST = 3

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
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
        self._taken: set[str] = set()
        self._next = 0
        self._lock = threading.Lock()

    def of(self, key: bytes) -> tuple[str, int]:
        """Return the sign of a key, and the number of its colour, 0 to 11."""
        with self._lock:
            known = self._signs.get(key)
            if known is None:
                if len(self._signs) >= MOST_KEYS:
                    n = sum(key) + len(key)
                    return _letters(n % 702), n % COLOURS
                sign = self._free(key)
                self._taken.add(sign)
                known = self._signs[key] = (sign, len(self._signs) % COLOURS)
            return known

    def _free(self, key: bytes) -> str:
        try:
            text = key.decode("ascii")
        except UnicodeDecodeError:
            text = ""
        number = _NUMBER.search(text)
        words = _WORDS.findall(text)
        initials = "".join(word[0] for word in words) if len(words) > 1 else ""
        start = "".join(words)[:LONGEST]
        wishes = [text if _SHORT.fullmatch(text) else "", number[1] if number else "", initials[:LONGEST]]
        for wish in (*wishes, *(start[:n] for n in range(1, len(start) + 1))):
            if wish and wish not in self._taken:
                return wish
        while True:
            sign = _letters(self._next)
            self._next += 1
            if sign not in self._taken:
                return sign


def _letters(n: int) -> str:
    """Return the letters for a number: 0 → a, 25 → z, 26 → aa, 701 → zz, 702 → aaa."""
    text = ""
    n += 1
    while n:
        n, rest = divmod(n - 1, 26)
        text = _LETTERS[rest] + text
    return text


Cell = list[Any]
Drawn = dict[str, Any]

_KINDS = {"commit": "c", "abort": "a", "control": "x", "unreadable": "u"}
#: Signs of what is not a producer's record; :data:`NO_KEY` is the sign of a record without a key.
SIGNS = {"c": "✓", "a": "⊘", "x": "§", "u": "?"}
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
    more: dict[str, Any] = {}
    if record.producer is not None:
        more["tx"] = record.producer
    if record.codec != "none":
        more["codec"] = record.codec
    if record.batch is not None:
        more["batch"] = record.batch
    if record.appended:
        more["appended"] = True
    headers = [[name, value] for name, value in record.headers] or None
    return [
        *(record.offset, kind, sign, colour, record.key, record.value),
        *(record.timestamp, record.size, headers, more or None),
    ]


class TailCells:
    """Turns windows into cells, and reuses those of records it has seen, so that two states are quick to compare."""

    def __init__(self, keys: KeySigns) -> None:
        self._keys = keys
        self._drawn: dict[int, tuple[Window, Drawn, dict[int, tuple[LogRecord, Cell]]]] = {}

    def of(self, partition: int, window: Window) -> Drawn:
        """Return ``{"from", "to", "cells"}`` for a partition's window."""
        before = self._drawn.get(partition)
        if before is not None and before[0] is window:
            return before[1]
        known = before[2] if before else {}
        now: dict[int, tuple[LogRecord, Cell]] = {}
        for record in window.records:
            was = known.get(record.offset)
            now[record.offset] = was if was is not None and was[0] is record else (record, cell(record, self._keys))
        drawn = {"from": window.start, "to": window.end, "cells": [made for _, made in now.values()]}
        self._drawn[partition] = (window, drawn, now)
        return drawn


class More(TypedDict):
    """The extras of few records: the producer of their transaction, a codec, their batch's first offset."""

    tx: NotRequired[int]
    codec: NotRequired[str]
    batch: NotRequired[int]
    appended: NotRequired[bool]


Headers = list[tuple[str, str | None]]
Beginning = TypedDict("Beginning", {"from": int})


class Tail(Beginning):
    """The newest records of a partition, or others that the page asked for: see :func:`cell`."""

    to: int
    cells: list[tuple[int, str, str, int, str | None, str | None, int | None, int, Headers | None, More | None]]
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


class GroupMarks(TypedDict):
    """A group, as far as it has to do with the topic."""

    state: str
    lanes: dict[str, GroupLane]
    idle: list[str]


class Fault(TypedDict):
    """The reason why the cluster could not be looked at, and of when the picture is."""

    text: str
    at: float | None


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
    groups: dict[str, GroupMarks]
    positions: dict[str, dict[str, int]]


def drawn(
    snapshot: Snapshot | None,
    topic: str,
    *,
    ends: Mapping[int, LogEnd] | None = None,
    tails: Mapping[int, Drawn] | None = None,
    positions: Mapping[str, Mapping[int, int]] | None = None,
    error: str | None = None,
    frozen: bool = False,
    recorded: bool = False,
) -> Drawn:
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
        "error": None if error is None else {"text": error, "at": snapshot.at if snapshot else None},
        "recorded": recorded,
        "lanes": lanes,
        "tails": {str(p): tail for p, tail in sorted((tails or {}).items()) if str(p) in lanes},
        "groups": {
            g.group_id: made for g in (snapshot.groups if snapshot else ()) if (made := _group(g, topic)) is not None
        },
        "positions": {
            name: {str(p): offset for p, offset in sorted(at.items())} for name, at in (positions or {}).items()
        },
    }


def _lane(p: Partition, told: LogEnd | None, alive: set[int]) -> Drawn:
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


def _group(group: Group, topic: str) -> Drawn | None:
    """Return what a group holds and has committed of the topic, or None when that is nothing."""
    names = Counter(m.client_id for m in group.members)
    called = {
        m.member_id: m.client_id if names[m.client_id] == 1 else f"{m.client_id} {m.member_id[-4:]}"
        for m in group.members
    }
    holders = {p: called[m.member_id] for m in group.members for t, p in m.partitions if t == topic}
    committed = {o.partition: o.committed for o in group.offsets if o.topic == topic}
    lanes = {
        str(p): {"committed": committed.get(p), "member": holders.get(p)}
        for p in sorted(committed.keys() | holders.keys())
    }
    if not lanes:
        return None
    idle = sorted(called[m.member_id] for m in group.members if not m.partitions)
    return {"state": group.state, "lanes": lanes, "idle": idle}


def lag(lane: Drawn, committed: int | None) -> int | None:
    """Return the number of records from ``committed`` to the high watermark, at least 0: both are read separately."""
    return None if committed is None or lane["high"] is None else max(0, lane["high"] - committed)


# --- The picture as paragraphs and tables, for where no widget runs.


_GROUPS, _RECORDS = 8, 6
_NOTES = "From log start to high watermark records can be read; from there to the log end they are not committed yet"


def blocks(drawn: Drawn) -> list[Block]:
    """Return a row per partition: leader, log start and end, committed offsets, consumers' positions, last records."""
    title = f"{shorten(drawn['topic'], 120)}, the log of each partition"
    found: list[Block] = [Para(title, "strong"), *trouble(drawn["error"])]
    if not drawn["lanes"]:
        return [*found, Para(_missing(drawn))]
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
            *(_committed(lane, drawn["groups"][name]["lanes"].get(key)) for name in groups),
            *(drawn["positions"][name].get(key, "–") for name in readers),
            _newest(lane, (drawn["tails"].get(key) or {"cells": []})["cells"][-_RECORDS:]),
        )
        for key, lane in drawn["lanes"].items()
    ]
    moment = "A picture of one moment" + (f", {clock(drawn['at'])}" if drawn["at"] is not None else "")
    return [*found, Table(heads, rows), Para(f"{_NOTES}. {moment}.", "small")]


def _missing(drawn: Drawn) -> str:
    """Return the sentence that says why there is no lane."""
    if not drawn["looked"]:
        return "The cluster has not been read yet."
    there = "The topic has no partitions."
    return there if drawn["found"] else f"There is no topic {shorten(drawn['topic'])} here."


def _committed(lane: Drawn, at: Drawn | None) -> str:
    """Return a group's committed offset in a lane, its lag, and the member that reads the lane: "22 · lag 9 · c2"."""
    if at is None:
        return "–"
    who = f" · {shorten(at['member'], 30)}" if at["member"] else ""
    if at["committed"] is None:
        return f"nothing committed{who}"
    return f"{count(at['committed'])} · lag {count(lag(lane, at['committed']))}{who}"


def _newest(lane: Drawn, cells: list[Any]) -> str:
    """Return the newest records, "… 31 earlier  35:a=v1  36:b=null"."""
    earlier = cells[0][0] - (lane["start"] or 0) if cells else 0
    return "  ".join([*([f"… {count(earlier)} earlier"] if earlier > 0 else []), *map(_record, cells)])


def _record(cell: list[Any]) -> str:
    offset, kind, sign, _, key, value = cell[:6]
    if kind in "cax":
        return f"{offset}:{ {'c': 'commit', 'a': 'abort'}.get(kind, 'control') }"
    return f"{offset}:{sign if key is None else shorten(key, 12)}={'null' if value is None else shorten(value, 24)}"
