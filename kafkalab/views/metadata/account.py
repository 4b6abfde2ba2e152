"""Account: everything that happened to a recorded cluster's metadata, in order, up to any moment."""

from __future__ import annotations

from bisect import bisect_right
from itertools import islice
from typing import Any

from kafkalab.history.facts import Facts
from kafkalab.history.tracks.metadata import METADATA, WATCHES, RecordedMetadata, record_of, watch_of
from kafkalab.state.event import Event
from kafkalab.state.metadata.znodes import ZnodeEvent
from kafkalab.state.model import called
from kafkalab.views.metadata.events import (
    ACTIONS_KEPT,
    LINES_KEPT,
    Ending,
    Entry,
    Happened,
    Line,
    action_key,
    explained,
    followed,
    from_watcher,
)
from kafkalab.views.metadata.records import Scene, record_drawn
from kafkalab.views.metadata.znodes import from_watch

Drawn = dict[str, Any]

_BROKEN = (LookupError, TypeError, ValueError, AttributeError)


class Account:
    """The entries of a whole recording. :meth:`learn` takes in what is new; the other methods answer for any moment.

    :param facts: the recording's facts.
    :param began: start of the recording, Unix seconds.
    """

    def __init__(self, facts: Facts, began: float, metadata: RecordedMetadata) -> None:
        self._facts, self._began, self._metadata = facts, began, metadata
        self._known: tuple[int, ...] = ()
        self._log_known = -1
        self._happened = Happened(all=True)
        self._times: list[float] = []
        self._lines: list[Line] = []
        self._drawn: dict[int, tuple[int, Drawn]] = {}
        self._followed: dict[tuple[str, int, int], Drawn] = {}
        #: Watches read already, by the identity of the recorded object; and the entry that was made of each.
        self._watches: dict[int, tuple[Any, ZnodeEvent]] = {}
        self._as_told: dict[tuple[int, str], Entry | None] = {}
        self._exact: list[Entry] = []
        self._entries: list[Entry] = []
        self._entries_at: list[float] = []
        #: Records of KRaft's log as (offset, drawn record), and the time by which each was written.
        self.records: list[tuple[int, Drawn]] = []
        self.recorded_at: list[float] = []

    def learn(self) -> None:
        """Take in what was recorded since the last call."""
        log = self._facts.count(METADATA)
        if log != self._log_known:
            self._log_known = log
            self._learn_log()
        known = (self._facts.count("events"), self._facts.count(WATCHES), len(self._node_times()))
        if known == self._known:
            return
        self._known = known
        entries = sorted(self._all(), key=lambda entry: entry.at)
        # Lines that exist already are kept, because a recording that is being made mostly grows at its end.
        told = len(self._entries)
        if entries[:told] != self._entries:
            self._happened, told = Happened(all=True), 0
            self._drawn.clear()
            self._followed.clear()
        self._happened.add(islice(entries, told, None))
        self._entries, self._entries_at = entries, [entry.at for entry in entries]
        self._lines = self._happened.all_lines()
        self._times = [line.entries[0].at for line in self._lines]

    def lines(self, until: float) -> list[Drawn]:
        """Return the newest lines at a moment, oldest first."""
        last = bisect_right(self._times, until)
        return [self._line(line, until) for line in self._lines[max(0, last - LINES_KEPT) : last]]

    def time_lines(self, until: float) -> Drawn:
        """Return the learner's last actions up to a moment, each with what had followed it by then."""
        actions = [action for action in self._happened.actions if action.at <= until][-ACTIONS_KEPT:]
        found = {}
        for i, action in enumerate(actions):
            end = actions[i + 1].at if i + 1 < len(actions) else float("inf")
            entries = self._between(action.at, min(end, until), end <= until)
            exact = [e for e in self._exact if action.at <= e.at <= until and e.at < end]
            key = (action_key(action), len(entries), len(exact))
            if key not in self._followed:
                self._followed[key] = followed(action, entries, exact)
            found[key[0]] = self._followed[key]
        return found

    def _between(self, since: float, until: float, without_last: bool) -> list[Entry]:
        first = bisect_right(self._entries_at, since - 1e-6)
        last = bisect_right(self._entries_at, until)
        return [e for e in self._entries[first:last] if since <= e.at and not (without_last and e.at >= until)]

    def _line(self, line: Line, until: float) -> Drawn:
        n = sum(entry.at <= until for entry in line.entries) if line.entries[-1].at > until else len(line.entries)
        known = self._drawn.get(line.n)
        if known is None or known[0] != n:
            known = self._drawn[line.n] = (n, Line(line.n, line.since, line.entries[:n]).drawn())
        return known[1]

    # where entries come from

    def _all(self) -> list[Entry]:
        watched = self._metadata.watched_from
        events = [Event(**told) for told in self._facts.items("events")]
        ending, found = Ending(), []
        watches = [self._watch(told) for told in self._facts.items(WATCHES)]
        things: list[Event | ZnodeEvent] = [*events, *watches]
        for thing in sorted(things, key=lambda thing: thing.at):
            if isinstance(thing, Event):
                ending.learn(thing)
                entry = from_watcher(thing)
                # ZooKeeper's watches report some of these changes too, and sooner, so those are left to them.
                seen = watched is not None and thing.at - self._began >= watched
                if entry is not None and (entry.by == "here" or entry.kind in ("quorum", "connection") or not seen):
                    found.append(entry)
                continue
            entry = self._told(thing, ending)
            if entry is not None:
                found.append(entry)
        return [*found, *self._processes([event for event in events if event.kind == "you"])]

    def _watch(self, told: Any) -> ZnodeEvent:
        known = self._watches.get(id(told))
        if known is None or known[0] is not told:
            known = self._watches[id(told)] = (told, watch_of(told))
        return known[1]

    def _told(self, watch: ZnodeEvent, ending: Ending) -> Entry | None:
        key = (id(watch), repr(ending.verbs))
        if key not in self._as_told:
            try:
                self._as_told[key] = from_watch(watch, ending)
            except _BROKEN:
                self._as_told[key] = None
        return self._as_told[key]

    def _processes(self, acted: list[Event]) -> list[Entry]:
        """Return entries for nodes that started or ended without a note, but not for the end of the whole cluster."""
        found: list[Entry] = []
        was: dict[str, str] = {}
        for at in self._node_times():
            now, unix = _states(self._facts.value("nodes", at)), self._began + at
            for node, state in now.items():
                before = was.get(node, state)
                known = explained(acted, node, state, unix)
                if before != state and not known and state != "unknown":
                    found.append(Entry(unix, "you", f"{called(node)}: {before} → {state}", "here"))
            was = now
        return found

    def _node_times(self) -> tuple[float, ...]:
        """Return the times at which nodes changed while the cluster was running."""
        times, looked = self._facts.times("nodes"), self._facts.times("snapshot")
        return times[: bisect_right(times, looked[-1])] if looked else times

    def _learn_log(self) -> None:
        told = {raw["offset"]: record_of(raw) for raw in self._facts.items(METADATA)}
        scene = Scene()
        # Sorted by offset, because the records of a batch share one time.
        records = sorted(told.values(), key=lambda record: record.offset)
        pairs = [(record, scene.told(record)) for record in records]
        self.records = [(record.offset, record_drawn(record, entry)) for record, entry in pairs]
        self._exact = [entry for _, entry in pairs]
        self.recorded_at, latest = [], float("-inf")
        for record in records:
            latest = max(latest, record.at)
            self.recorded_at.append(latest)
        self._followed.clear()


def _states(nodes: Any) -> dict[str, str]:
    return {name: node["state"] for name, node in (nodes or {}).items()}
