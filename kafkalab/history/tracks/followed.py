"""Spark queries (tracks ``stream/NAME``, ``query/NAME``) and ledgers (``ledger/NAME``) that a recording follows."""

from __future__ import annotations

import json
import logging
import threading
import time
from dataclasses import dataclass, field
from typing import Any, cast, get_args

from kafkalab.history.facts import Facts, Json
from kafkalab.history.moment import Moment, Shape, fits
from kafkalab.history.recording import Recording
from kafkalab.state.patch import diff
from kafkalab.state.stream import Report, Standing, Trigger, follow, seconds

REPORTS, QUERY = "stream/", "query/"
#: Number of newest reports that are read; a query that finds nothing to do sends several for one batch.
LOOKED_AT = 360
_REPORT: Shape = {"batchId": int, "timestamp": str}
_QUERY: Shape = {"standing": str, "reason": str, "advice": str, "trigger": {"kind": str, "every_ms": (int, None)}}


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
    """The queries of a recording.

    :param facts: the facts of the recording.
    """

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
        batches: dict[int, Report] = {}
        for report in self._facts.items(REPORTS + name, moment.at)[-LOOKED_AT:]:
            if fits(report, _REPORT):
                batches[report["batchId"]] = report
        reports = tuple(batches[number] for number in sorted(batches))
        told = self._facts.value(QUERY + name, moment.at)
        if not fits(told, _QUERY) or told["standing"] not in get_args(Standing):
            return RecordedQuery(reports)
        trigger = Trigger(told["trigger"]["kind"], told["trigger"]["every_ms"])
        return RecordedQuery(reports, cast(Standing, told["standing"]), trigger, told["reason"], told["advice"])


# --- Records a Spark query that is followed: each report of a micro-batch, and the query's standing.


class StreamRecorder:
    """Records a query; it listens to the follower that all views of the query share.

    :param query: PySpark's ``StreamingQuery``, or an object that holds one, such as a run of :mod:`kafkalab.streams`.
    :param name: the name of its tracks; None: the query's own name.
    :raises BadInput: ``query`` is no query.
    """

    def __init__(self, recording: Recording, query: Any, name: str | None) -> None:
        self._follower = follow(query)
        self.name = free_name(recording, REPORTS, name or self._follower.name or self._follower.run[:8])
        self._recording, self._began = recording, recording.header.began
        self._came = 0
        self._told: Any = None
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
            now = time.time() - self._began
            for report in reports:
                self._recording.put(min(now, ended(report) - self._began), REPORTS + self.name, "add", tame(report))
            ops = diff(self._told, standing)
            if ops:
                self._recording.put(now, QUERY + self.name, "set", ops)
                self._told = standing
        if reports or ops:
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


# --- Records a ledger that is followed: its result, whenever that has changed.


log = logging.getLogger(__name__)

TRACK = "ledger/"
#: Minimum pause after a look: in seconds, and as a multiple of the time that the look took, so that it costs little.
PERIOD, SHARE = 1.0, 25
#: Maximum number of ids that are recorded of each list.
IDS = 20


class LedgerRecorder:
    """Records a ledger: asks it for its result now and then, on a thread of its own.

    :param ledger: a :class:`kafkalab.experiments.ledger.Ledger`, or another object with ``result().to_dict()``. Its
        ``changes`` (a number that grows) and ``counts(first)`` (a quicker result) are used if it has them.
    :param name: the name of its track; None: "ledger".
    """

    def __init__(self, recording: Recording, ledger: Any, name: str | None) -> None:
        self.name = free_name(recording, TRACK, name or "ledger")
        self._recording, self._began, self._ledger = recording, recording.header.began, ledger
        self._told: Any = None
        self._changes: int | None = None
        self._ended = threading.Event()
        self._look()
        self._thread = threading.Thread(target=self._run, name="kafkalab-record-ledger", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Record the last result, and stop recording."""
        self._ended.set()
        self._thread.join(PERIOD)
        self._look()

    def _run(self) -> None:
        rest = PERIOD
        while not self._ended.wait(rest):
            begun = time.monotonic()
            try:
                self._look()
            except Exception:
                # The facts so far are kept, and one line in the log is enough.
                log.exception("the ledger %s is not recorded any more", self.name)
                return
            rest = max(PERIOD, SHARE * (time.monotonic() - begun))

    def _look(self) -> None:
        changes = getattr(self._ledger, "changes", None)
        if changes is not None and changes == self._changes:
            return
        self._changes = changes
        counts = getattr(self._ledger, "counts", None)
        account = cut(counts(IDS) if counts is not None else self._ledger.result().to_dict())
        ops = diff(self._told, account)
        if ops:
            self._recording.put(time.time() - self._began, TRACK + self.name, "set", ops)
            self._told = account
            self._recording.grown()


def cut(account: Any) -> Any:
    """Return the result with only the first :data:`IDS` elements of each list."""
    if isinstance(account, dict):
        return {name: cut(value) for name, value in account.items()}
    return [cut(one) for one in account[:IDS]] if isinstance(account, list | tuple) else account
