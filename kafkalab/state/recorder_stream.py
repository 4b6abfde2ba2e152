"""Records a Spark query that is followed: each report of a micro-batch, and how the query stands."""

from __future__ import annotations

import json
import threading
import time
from typing import Any

from kafkalab.state.patch import diff
from kafkalab.state.recorded_stream import QUERY, REPORTS, query_told
from kafkalab.state.recording import Recording
from kafkalab.state.stream_follow import follow
from kafkalab.state.stream_report import Report, seconds


class StreamRecorder:
    """Listens to the follower that all views of a query share.

    :param query: PySpark's ``StreamingQuery``, or what holds one, such as a run of :mod:`kafkalab.streams`.
    :param name: of its tracks; None: the query's own name.
    :raises BadInput: it is no query.
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
        """The last batch, and no more facts."""
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
    """When a batch had ended, Unix seconds: then its report came to be."""
    took = (report.get("durationMs") or {}).get("triggerExecution", report.get("batchDuration"))
    return seconds(report["timestamp"]) + (took or 0) / 1000


def tame(report: Report) -> Report:
    """A report in the JSON that everybody can read: without NaN and the like."""
    found: Report = json.loads(json.dumps(report), parse_constant=lambda _: None)
    return found


def free_name(recording: Recording, track: str, name: str) -> str:
    """The name, or one like it if the recording has a track of that name already."""
    name, n = name.strip()[:80] or "unnamed", 1
    taken = set(recording.facts.tracks(track))
    while track + (found := name if n == 1 else f"{name} ({n})") in taken:
        n += 1
    return found
