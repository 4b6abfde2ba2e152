"""Entries: what happened to a cluster's metadata, for a list and a time line. Nothing here does I/O.

They come from three places: watches of ZooKeeper that fired (:mod:`~kafkalab.views.metadata.znodes`), records of
KRaft's metadata log (:mod:`~kafkalab.views.metadata.records`), and what the watcher saw change between two snapshots.
The first two are exact to the millisecond.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from kafkalab.state.changes import many
from kafkalab.state.model import Event
from kafkalab.views.metadata.picture import Action, Line, Mark
from kafkalab.views.words import shorten

#: Kind of an entry; it decides the mark, and the row of the time line.
Kind = Literal[
    "you",
    "gone",
    "came",
    "controller",
    "leader",
    "leaderless",
    "isr",
    "topic",
    "quorum",
    "connection",
    "children",
    "other",
]
#: Source of an entry: a watch fired, a record was read, two snapshots differ, or the learner did it here.
By = Literal["watch", "record", "snapshot", "here"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened.

    ``word`` is the name of the watch's event or of the record's type (NodeDeleted, PartitionChangeRecord), ``where``
    the node's path or the record's offset. Entries with one ``key`` at one moment share a line. ``short`` is
    the text at a mark of the time line. ``isr``: "shrank", "grew" or "changed", also when the leader moved then.
    """

    at: float
    kind: Kind
    text: str
    by: By
    word: str = ""
    where: str = ""
    key: str = ""
    short: str = ""
    isr: str = ""


def isr_change(old: Sequence[int], new: Sequence[int]) -> str:
    """Return "shrank", "grew" or "changed"; "" when the same brokers are in sync."""
    gone, come = set(old) - set(new), set(new) - set(old)
    return "changed" if gone and come else "shrank" if gone else "grew" if come else ""


def isr_text(old: Sequence[int], new: Sequence[int]) -> str:
    """Return a change of the ISR as text, "ISR 101, 102 → 101"."""
    return f"ISR {ids(old)} → {ids(new)}"


def ids(brokers: Sequence[int]) -> str:
    """Return the ids as text, "101, 103", or "nobody" when there are none."""
    return ", ".join(map(str, sorted(brokers))) or "nobody"


_FROM_WATCHER: dict[str, Kind] = {
    "you": "you",
    "broker_down": "gone",
    "broker_up": "came",
    "broker_added": "came",
    "controller_moved": "controller",
    "quorum_leader_moved": "quorum",
    "quorum_node_down": "quorum",
    "quorum_node_up": "quorum",
    "leader_lost": "leaderless",
    "leader_moved": "leader",
    "leader_elected": "leader",
    "isr_shrank": "isr",
    "isr_grew": "isr",
    "isr_changed": "isr",
    "topic_created": "topic",
    "topic_deleted": "topic",
    "capture_failed": "connection",
    "capture_recovered": "connection",
}
_SHORT: dict[Kind, str] = {"gone": "broker {} down", "came": "broker {} up"}


def from_watcher(event: Event) -> Entry | None:
    """Return the entry for a change the watcher saw between two snapshots; None when it is not metadata (groups)."""
    kind = _FROM_WATCHER.get(event.kind)
    if kind is None:
        return None
    text = shorten(event.text, 200)
    if kind == "you":
        return Entry(event.at, kind, text, "here")
    short = _SHORT[kind].format(event.broker) if kind in _SHORT else text
    isr = event.kind.removeprefix("isr_") if kind == "isr" else ""
    key = isr or (kind if kind in ("leader", "leaderless") else "")
    return Entry(event.at, kind, text, "snapshot", key=key, short=short, isr=isr)


# --- The list of what happened, and the time line of what followed an action, both made of entries.


#: Maximum number of lines kept, of actions kept, and of entries that are kept after each of them.
LINES_KEPT, ACTIONS_KEPT, AFTER_KEPT = 200, 6, 1000
#: Seconds within which entries of one key share a line, and number of last lines that are searched for it.
ONE_MOMENT, NEAR = 0.4, 60
#: Maximum number of entries that are listed inside a line.
PARTS_KEPT = 60
#: Seconds by which the watcher may lag: what it saw is left out of a time line when the same was reported exactly.
SNAPSHOT_LAG = 1.6

#: Rows of a time line, in the order in which a failure runs through them. The first row is there only when it has
#: marks, because the quorum seldom changes.
KEEPERS, ROWS = "quorum", ("noticed", "controller", "leaders", "isr")
#: Kind of an entry → its row; an entry whose leader moved may be in the row of the ISR, too.
_ROW = {
    "quorum": KEEPERS,
    "gone": "noticed",
    "came": "noticed",
    "controller": "controller",
    "leader": "leaders",
    "leaderless": "leaders",
}
_WORDS = {
    "leader": "{n} partitions have another leader",
    "leaderless": "{n} partitions have no leader",
    "shrank": "the ISR of {n} partitions shrank",
    "grew": "the ISR of {n} partitions grew",
    "changed": "the ISR of {n} partitions changed",
    "again": "the state of {n} partitions was written again",
    "new": "the state of {n} partitions is new",
}


@dataclass
class _Line:
    """One line of the list; several entries with the same key share it."""

    n: int
    since: float | None
    entries: list[Entry]

    def drawn(self) -> Line:
        first, n = self.entries[0], len(self.entries)
        summed = _WORDS.get(first.key, "{n} × {text}").format(n=n, text=first.text)
        return {
            "n": self.n,
            "at": round(first.at, 3),
            "since": None if self.since is None else round(first.at - self.since, 3),
            "kind": first.kind,
            "word": first.word,
            "where": _common([e.where for e in self.entries]),
            "text": shorten(summed if n > 1 else first.text, 300),
            "parts": [shorten(e.text, 200) for e in self.entries[:PARTS_KEPT]] if n > 1 else [],
            "by": first.by,
        }


class Happened:
    """The history of one cluster's metadata: as lines, and as a time line from each of the learner's actions on."""

    def __init__(self) -> None:
        self._lines: deque[_Line] = deque(maxlen=LINES_KEPT)
        #: All entries of the metadata log.
        self._exact: Sequence[Entry] = ()
        #: The learner's actions, each with what came after it until the next one.
        self._actions: deque[tuple[Entry, list[Entry]]] = deque(maxlen=ACTIONS_KEPT)
        self._n = 0

    def add(self, entries: Iterable[Entry]) -> None:
        """Append entries, in their order."""
        for entry in entries:
            if entry.kind == "you":
                self._actions.append((entry, []))
            elif self._actions:
                action, after = self._actions[-1]
                if entry.at >= action.at and len(after) < AFTER_KEPT:
                    after.append(entry)
            near = (line for line in islice(reversed(self._lines), NEAR) if entry.at - line.entries[0].at < ONE_MOMENT)
            same = (line for line in near if (line.entries[0].word, line.entries[0].key) == (entry.word, entry.key))
            line = next(same, None) if entry.key else None
            if line is not None:
                line.entries.append(entry)
                continue
            self._n += 1
            self._lines.append(_Line(self._n, self._actions[-1][0].at if self._actions else None, [entry]))

    def learn_exactly(self, entries: Sequence[Entry]) -> None:
        """Take in the metadata log's entries; the time line trusts them more than what the watcher saw."""
        self._exact = entries

    def lines(self) -> list[Line]:
        """Return the list, oldest first."""
        return [line.drawn() for line in self._lines]

    def time_lines(self) -> list[Action]:
        """Return the learner's actions with what followed, oldest first."""
        ends = [*(action.at for action, _ in self._actions), float("inf")][1:]
        return [
            {"at": action.at, "text": action.text, "rows": self._rows(after, action.at, end)}
            for (action, after), end in zip(self._actions, ends, strict=False)
        ]

    def _rows(self, after: Sequence[Entry], since: float, until: float) -> dict[str, list[Mark]]:
        exact = [(row, e) for e in self._exact if since <= e.at < until for row in _rows_of(e)]
        times: dict[str, list[float]] = {}
        for row, entry in exact:
            times.setdefault(row, []).append(entry.at)
        seen = [
            (row, e)
            for e in after
            for row in _rows_of(e)
            if not (e.by == "snapshot" and any(0 <= e.at - at + 0.1 < SNAPSHOT_LAG for at in times.get(row, ())))
        ]
        groups: dict[str, list[list[Entry]]] = {row: [] for row in ROWS}
        for row, entry in sorted([*exact, *seen], key=lambda one: one[1].at):
            mine = groups.setdefault(row, [])
            if mine and entry.at - mine[-1][0].at < ONE_MOMENT and _alike(row, mine[-1][0]) == _alike(row, entry):
                mine[-1].append(entry)
            else:
                mine.append([entry])
        return {row: [_mark(row, group, since) for group in mine] for row, mine in groups.items()}


def _rows_of(entry: Entry) -> list[str]:
    return [*([_ROW[entry.kind]] if entry.kind in _ROW else []), *(["isr"] if entry.isr else [])]


def _alike(row: str, entry: Entry) -> str:
    return entry.isr if row == "isr" else entry.short if row in ("noticed", KEEPERS) else entry.kind


def _mark(row: str, group: Sequence[Entry], since: float) -> Mark:
    return {
        "t": round(group[-1].at - since, 3),
        "kind": group[0].isr if row == "isr" else group[0].kind,
        "text": _short(row, group),
        "exact": group[0].by != "snapshot",
    }


def _short(row: str, group: Sequence[Entry]) -> str:
    n = len({e.where for e in group}) if group[0].by == "watch" else len(group)
    partitions = many(n, "partition")
    match row:
        case "leaders" if group[0].kind == "leaderless":
            return f"{partitions} without a leader"
        case "leaders":
            return f"{partitions} led by another"
        case "isr":
            return f"ISR of {partitions} {group[0].isr}"
        case "controller" if len(group) > 1:  # the old one's node went, and the new one's came
            return f"{group[0].short.partition(' → ')[0]} → {group[-1].short.rpartition(' → ')[2]}"
    return shorten(group[-1].short, 40)


def _common(paths: Sequence[str]) -> str:
    """Return paths as one: "/brokers/topics/trucks_gps/partitions/…/state", with "…" for the parts that differ."""
    parts = [path.split("/") for path in paths]
    if len({len(p) for p in parts}) != 1:
        return f"{shorten(paths[0], 100)} …"
    return shorten("/".join(names[0] if len(set(names)) == 1 else "…" for names in zip(*parts, strict=True)), 120)
