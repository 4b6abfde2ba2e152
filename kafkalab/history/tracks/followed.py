"""The readers of a recording for all that it follows besides the cluster: consumer groups, Spark queries and ledgers.

Tracks ``group/GROUP``, ``stream/NAME``, ``query/NAME`` and ``ledger/NAME``.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from kafkalab.history.facts import Facts, Json
from kafkalab.history.moment import Moment
from kafkalab.history.recording import Recording
from kafkalab.state.groups.coordinator import trace_of
from kafkalab.state.groups.history import History, with_deeds
from kafkalab.state.groups.trace import GroupTrace
from kafkalab.state.model import Snapshot
from kafkalab.state.stream import Report, Standing, Trigger, follow, seconds
from kafkalab.state.watch import Poller, Source, Update

log = logging.getLogger(__name__)

GROUPS, REPORTS, QUERY, LEDGERS = "group/", "stream/", "query/", "ledger/"

# --- Consumer groups: the history of each, as its GroupTrace tells it.


class RecordedGroups:
    """The groups of a recording."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts

    @property
    def names(self) -> tuple[str, ...]:
        """The groups that have a history, sorted."""
        return tuple(track.removeprefix(GROUPS) for track in self._facts.tracks(GROUPS))

    def likely(self) -> str:
        """Return the group a learner most likely means: the one that had the most members; "" if there is none."""
        return min(self.names, key=lambda name: (-len(self._facts.value(GROUPS + name)["members"]), name), default="")

    def at(self, moment: Moment, group: str) -> tuple[object, History | None]:
        """Return (version, history) of a group at a moment, with what the learner did.

        The version changes whenever the history does, except for ``to``. The history is None if nothing was recorded.
        """
        found = self._facts.value(GROUPS + group, moment.at)
        version = [group, self._facts.count(GROUPS + group, moment.at)]
        if found is None:
            return version, None
        since = min((step["at"] for step in found["steps"]), default=moment.unix)
        history = with_deeds({**found, "from": since, "to": moment.unix}, moment.events)
        return [*version, len(history["notes"])], history


#: Maximum number of groups that are followed; the others are known from the snapshots alone.
MOST_GROUPS = 8
#: Seconds between two looks at each of them.
GROUP_PERIOD = 0.5


class GroupsRecorder:
    """Follows the groups with the most members, with few requests; a view of a group makes its history finer.

    :param groups: ids of the groups to choose from; None: all groups.
    """

    def __init__(self, cluster: Source, recording: Recording, groups: Collection[str] | None = None) -> None:
        self._cluster, self._recording = cluster, recording
        self._wanted = None if groups is None else frozenset(groups)
        self._followed: dict[str, tuple[GroupTrace, Callable[[], None]]] = {}
        self._lock = threading.Lock()
        self._ended = False
        self._unsubscribe = cluster.watcher().subscribe(self._heard)

    def stop(self) -> None:
        """Stop recording."""
        self._unsubscribe()
        with self._lock:
            self._ended = True
            followed, self._followed = self._followed, {}
        for _, leave in followed.values():
            leave()

    def _heard(self, update: Update) -> None:
        if update.snapshot is None:
            return
        wanted = self._chosen(update.snapshot)
        with self._lock:
            if self._ended or wanted == self._followed.keys():
                return
            left = [self._followed.pop(group)[1] for group in self._followed.keys() - wanted]
            for group in wanted - self._followed.keys():
                trace = trace_of(self._cluster, group)
                self._followed[group] = (trace, trace.subscribe(partial(self._told, group), period=GROUP_PERIOD))
        for leave in left:
            leave()

    def _chosen(self, snapshot: Snapshot) -> set[str]:
        """Return the groups to follow from now on; a followed group that has members stays, whatever its size."""
        found = [g for g in snapshot.groups if self._wanted is None or g.group_id in self._wanted]
        rank = sorted(found, key=lambda g: (not g.members, g.group_id not in self._followed, -len(g.members)))
        return {g.group_id for g in rank[:MOST_GROUPS]}

    def _told(self, group: str) -> None:
        """Record what changed in a group; called by its trace, on the trace's thread."""
        with self._lock:
            found = self._followed.get(group)
            if found is None:
                return
            # Without its end: if only time has passed, there is nothing to record.
            history = {name: value for name, value in found[0].history().items() if name != "to"}
            changed = self._recording.state(GROUPS + group, history)
        if changed:
            self._recording.grown()


# --- Spark queries: each report of a micro-batch, and the query's standing.


#: Number of newest reports that are read; a query that finds nothing to do sends several for one batch.
LOOKED_AT = 360


@dataclass(frozen=True, slots=True)
class RecordedQuery:
    """A query at a moment: its newest reports, oldest first, one per batch; the other fields are a follower's."""

    reports: tuple[Report, ...] = ()
    standing: Standing = "recorded"
    trigger: Trigger = field(default_factory=Trigger)
    reason: str = ""
    advice: str = ""


def query_told(standing: Standing, trigger: Trigger, reason: str, advice: str) -> Json:
    """Return a query's standing in the form in which it is recorded."""
    how = {"kind": trigger.kind, "every_ms": trigger.every_ms}
    return {"standing": standing, "trigger": how, "reason": reason[:400], "advice": advice[:400]}


class RecordedStreams:
    """The queries of a recording."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts

    @property
    def names(self) -> tuple[str, ...]:
        """The queries that were recorded, sorted."""
        found = {track.removeprefix(begin) for begin in (REPORTS, QUERY) for track in self._facts.tracks(begin)}
        return tuple(sorted(found))

    def likely(self) -> str:
        """Return the query a learner most likely means: the one with the most reports; "" if there is none."""
        return min(self.names, key=lambda name: (-self._facts.count(REPORTS + name), name), default="")

    def at(self, moment: Moment, name: str) -> RecordedQuery:
        """Return a query as known at a moment."""
        newest = self._facts.items(REPORTS + name, moment.at)[-LOOKED_AT:]
        batches: dict[int, Report] = {report["batchId"]: report for report in newest}
        reports = tuple(batches[number] for number in sorted(batches))
        told = self._facts.value(QUERY + name, moment.at)
        if told is None:
            return RecordedQuery(reports)
        return RecordedQuery(reports, **{**told, "trigger": Trigger(**told["trigger"])})


class StreamRecorder:
    """Records a query; it listens to the follower that all views of the query share.

    :param query: PySpark's ``StreamingQuery``, or an object that holds one, such as a run of :mod:`kafkalab.streams`.
    :param name: the name of its tracks; None: the query's own name.
    :raises BadInput: ``query`` is no query.
    """

    def __init__(self, recording: Recording, query: Any, name: str | None) -> None:
        self._follower = follow(query)
        self.name = free_name(recording, REPORTS, name or self._follower.name or self._follower.run[:8])
        self._recording = recording
        self._came = 0
        self._lock = threading.Lock()
        self._follower.poll()
        self._heard()
        self._leave = self._follower.subscribe(self._heard)

    def stop(self) -> None:
        """Record the last batch, and stop recording."""
        self._leave()
        self._follower.poll()
        self._heard()

    def _heard(self) -> None:
        with self._lock:
            follower = self._follower
            with follower.lock:
                self._came, reports = follower.since(self._came)
                standing = query_told(follower.standing, follower.trigger, follower.reason, follower.advice)
            for report in reports:
                at = min(self._recording.now, ended(report) - self._recording.header.began)
                self._recording.put(at, REPORTS + self.name, "add", tame(report))
            changed = self._recording.state(QUERY + self.name, standing)
        if reports or changed:
            self._recording.grown()


def ended(report: Report) -> float:
    """Return when a batch ended, Unix seconds: its report was made then."""
    took = (report.get("durationMs") or {}).get("triggerExecution", report.get("batchDuration"))
    return seconds(report["timestamp"]) + (took or 0) / 1000


def tame(report: Report) -> Report:
    """Return a report as standard JSON: NaN and infinity become None."""
    found: Report = json.loads(json.dumps(report), parse_constant=lambda _: None)
    return found


def free_name(recording: Recording, track: str, name: str) -> str:
    """Return the name, with a number added if the recording has a track of that name already."""
    name, n = name.strip()[:80] or "unnamed", 1
    taken = set(recording.facts.tracks(track))
    while track + (found := name if n == 1 else f"{name} ({n})") in taken:
        n += 1
    return found


# --- Ledgers: the result of each, whenever it has changed.


#: Seconds between two looks, which are quick, however much the ledger holds.
PERIOD = 1.0
#: Maximum number of ids that are recorded of each list.
IDS = 20


class LedgerRecorder(Poller[[]]):
    """Records a ledger: asks it for its counts every second, on a thread of its own.

    :param ledger: a :class:`kafkalab.experiments.ledger.Ledger`.
    :param name: the name of its track; None: "ledger".
    """

    def __init__(self, recording: Recording, ledger: Any, name: str | None) -> None:
        super().__init__("kafkalab-record-ledger")
        self.name = free_name(recording, LEDGERS, name or "ledger")
        self._recording, self._ledger = recording, ledger
        self._changes: int | None = None
        self._look()
        self._leave = self.subscribe(lambda: None)

    def stop(self) -> None:
        """Record the last result, and stop recording."""
        thread = self._thread
        self._leave()
        if thread is not None:
            thread.join(PERIOD)
        self._look()

    def _look(self) -> float:
        changes = self._ledger.changes
        if changes != self._changes:
            self._changes = changes
            counts = {name: list(n) if isinstance(n, tuple) else n for name, n in self._ledger.counts(IDS).items()}
            try:
                if self._recording.state(LEDGERS + self.name, counts):
                    self._recording.grown()
            except (TypeError, ValueError):
                log.exception("the ledger %s has an id that is no JSON, so its counts are not recorded", self.name)
        return PERIOD
