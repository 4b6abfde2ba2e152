"""Entries: what happened to a cluster's metadata, for a list and a time line. Nothing here does I/O.

They come from three places: watches of ZooKeeper that fired (:mod:`~kafkalab.views.metadata.znodes`), records of
KRaft's metadata log (:mod:`~kafkalab.views.metadata.records`), and what the watcher saw change between two snapshots.
The first two are exact to the millisecond.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Literal

from kafkalab.state.model import Event
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
    broker: int | None = None
    short: str = ""
    isr: str = ""
    node: str | None = None
    verb: str | None = None


#: Seconds after the learner's action in which a change of the process is taken for its effect.
BECAUSE = 30.0
#: Verbs that bring a node into each state.
_LEADS_TO = {
    "stopped": ("stop", "kill"), "paused": ("pause",), "cut": ("cut",), "running": ("start", "resume", "join"),
}  # fmt: skip


def explained(deeds: Iterable[Entry], node: str, state: str, at: float) -> bool:
    """Return whether the learner's last action on a node ("broker-102") explains its state at a Unix time."""
    last = [deed for deed in deeds if deed.node == node][-1:]
    return any(at - deed.at < BECAUSE and deed.verb in _LEADS_TO.get(state, ()) for deed in last)


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
        return Entry(event.at, kind, text, "here", node=event.node, verb=event.verb)
    short = _SHORT[kind].format(event.broker) if kind in _SHORT else text
    isr = event.kind.removeprefix("isr_") if kind == "isr" else ""
    key = isr or (kind if kind in ("leader", "leaderless") else "")
    return Entry(event.at, kind, text, "snapshot", key=key, broker=event.broker, short=short, isr=isr)


# --- The list of what happened, and the time line of what followed an action, both made of entries.


#: Maximum number of lines kept, of actions kept, and of entries that are kept after each of them.
LINES_KEPT, ACTIONS_KEPT, AFTER_KEPT = 200, 6, 4000
#: Seconds within which entries of one key share a line, and number of last lines that are searched for it.
ONE_MOMENT, NEAR = 0.4, 60
#: Maximum number of entries that are listed inside a line.
PARTS_KEPT = 60
#: Seconds by which the watcher may lag: what it saw is left out of a time line when the same was reported exactly.
SNAPSHOT_LAG = 1.6

Drawn = dict[str, Any]

#: Rows of a time line, in the order in which a failure runs through them. The first row is there only when it has
#: marks, because the quorum seldom changes.
KEEPERS, ROWS = "quorum", ("noticed", "controller", "leaders", "isr")
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
class Line:
    """One line of the list; several entries with the same key share it."""

    n: int
    since: float | None
    entries: list[Entry] = field(default_factory=list)
    _drawn: tuple[int, Drawn] = (0, {})

    def drawn(self) -> Drawn:
        """Return the line as plain JSON; the same object as before if no entry was added."""
        if self._drawn[0] != len(self.entries):
            self._drawn = (len(self.entries), self._draw())
        return self._drawn[1]

    def _draw(self) -> Drawn:
        first, several = self.entries[0], len(self.entries) > 1
        text = first.text
        if several:
            text = (
                _WORDS[first.key].format(n=len(self.entries))
                if first.key in _WORDS
                else f"{len(self.entries)} × {text}"
            )
        return {
            "n": self.n,
            "at": round(first.at, 3),
            "since": None if self.since is None else round(first.at - self.since, 3),
            "kind": first.kind,
            "word": first.word,
            "where": shorten(first.where, 120) if not several else _common([e.where for e in self.entries]),
            "text": shorten(text, 300),
            "parts": [shorten(e.text, 200) for e in self.entries[:PARTS_KEPT]] if several else [],
            "by": first.by,
        }


@dataclass
class _Action:
    """Something that the learner did, and what came after it until the next action."""

    entry: Entry
    after: list[Entry] = field(default_factory=list)
    _drawn: tuple[tuple[int, int, float], Drawn] | None = None

    def drawn(self, exact: Sequence[Entry], end: float) -> Drawn:
        """Return ``{"at", "text", "rows": {row: [mark]}}``; ``exact``: all entries of the metadata log."""
        known = (len(self.after), len(exact), end)
        if self._drawn is None or self._drawn[0] != known:
            at = self.entry.at
            mine = [e for e in exact if at <= e.at < end]
            rows = {row: _marks(row, self.after, () if row == KEEPERS else mine, at) for row in (KEEPERS, *ROWS)}
            if not rows[KEEPERS]:
                del rows[KEEPERS]
            self._drawn = (known, {"at": at, "text": self.entry.text, "rows": rows})
        return self._drawn[1]


class Happened:
    """The history of one cluster's metadata: as lines, and as a time line from each of the learner's actions on."""

    def __init__(self) -> None:
        self._lines: deque[Line] = deque(maxlen=LINES_KEPT)
        self._exact: Sequence[Entry] = ()
        self._actions: deque[_Action] = deque(maxlen=ACTIONS_KEPT)
        self._n = 0

    def add(self, entries: Iterable[Entry]) -> None:
        """Append entries, in their order."""
        for entry in entries:
            if entry.kind == "you":
                self._actions.append(_Action(entry))
            elif self._actions and entry.at >= (last := self._actions[-1]).entry.at and len(last.after) < AFTER_KEPT:
                last.after.append(entry)
            near = (line for line in islice(reversed(self._lines), NEAR) if entry.at - line.entries[0].at < ONE_MOMENT)
            same = (line for line in near if (line.entries[0].word, line.entries[0].key) == (entry.word, entry.key))
            line = next(same, None) if entry.key else None
            if line is None:
                self._n += 1
                line = Line(self._n, self._actions[-1].entry.at if self._actions else None)
                self._lines.append(line)
            line.entries.append(entry)

    def learn_exactly(self, entries: Sequence[Entry]) -> None:
        """Take in the metadata log's entries; the time line trusts them more than what the watcher saw."""
        self._exact = entries

    @property
    def actions(self) -> tuple[Entry, ...]:
        """The learner's actions, oldest first."""
        return tuple(action.entry for action in self._actions)

    def lines(self) -> list[Drawn]:
        """Return the list as plain JSON, oldest first."""
        return [line.drawn() for line in self._lines]

    def time_lines(self) -> Drawn:
        """Return an action's key → what followed until the next action, as :meth:`_Action.drawn` draws it."""
        ends = [*(action.at for action in self.actions[1:]), float("inf")]
        return {
            str(int(action.entry.at * 1000)): action.drawn(self._exact, end)
            for action, end in zip(self._actions, ends, strict=False)
        }


def _marks(row: str, entries: Sequence[Entry], exact: Sequence[Entry], since: float) -> list[Drawn]:
    told = [e for e in exact if _in_row(row, e)]
    told += [
        e
        for e in entries
        if _in_row(row, e) and not (e.by == "snapshot" and any(0 <= e.at - x.at + 0.1 < SNAPSHOT_LAG for x in told))
    ]
    groups: list[list[Entry]] = []
    for entry in sorted(told, key=lambda e: e.at):
        if groups and entry.at - groups[-1][0].at < ONE_MOMENT and _alike(row, groups[-1][0]) == _alike(row, entry):
            groups[-1].append(entry)
        else:
            groups.append([entry])
    return [
        {
            "t": round(group[-1].at - since, 3),
            "kind": group[0].isr if row == "isr" else group[0].kind,
            "text": _short(row, group),
            "exact": group[0].by != "snapshot",
        }
        for group in groups
    ]


def _in_row(row: str, entry: Entry) -> bool:
    return {
        KEEPERS: entry.kind == "quorum",
        "noticed": entry.kind in ("gone", "came"),
        "controller": entry.kind == "controller",
        "leaders": entry.kind in ("leader", "leaderless"),
        "isr": bool(entry.isr),
    }[row]


def _alike(row: str, entry: Entry) -> str:
    return entry.isr if row == "isr" else entry.short if row in ("noticed", KEEPERS) else entry.kind


def _short(row: str, group: Sequence[Entry]) -> str:
    n = len({e.where for e in group}) if group[0].by == "watch" else len(group)
    partitions = f"{n} partition{'' if n == 1 else 's'}"
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
