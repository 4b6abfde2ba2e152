"""What Spark reported of four real queries, recorded once on a cluster of three brokers.

- ``windows``: counts in windows with a watermark of 30 seconds, a batch a second, some rows far too late.
- ``copy``: no state, at most 2000 records a batch every half second, so that it is behind at first.
- ``fails``: ended on an error in its second batch, which is therefore not reported.
- ``realtime``: real-time mode with two task slots for four partitions: two of them are never read.
"""

from __future__ import annotations

import copy
import json
import uuid
from pathlib import Path
from typing import Any

from kafkalab.history.tracks.followed import query_told
from kafkalab.state.stream import Trigger, seconds
from tests.unit.views.recorded_samples import Tape

_RECORDED = json.loads((Path(__file__).parent / "stream_recording.json").read_text(encoding="utf-8"))


def reports(query: str) -> list[dict[str, Any]]:
    """The reports of one of the queries, oldest first; a copy to do anything with."""
    found: list[dict[str, Any]] = copy.deepcopy(_RECORDED[query])
    return found


WINDOWS, COPY = reports("windows"), reports("copy")
BEGAN = seconds(WINDOWS[0]["timestamp"]) - 1


def recorded() -> Tape:
    """Two queries that Spark ran, one after the other; a report comes when its batch has ended."""
    made, trigger = Tape(BEGAN), Trigger("processing time", 1000)
    made.state(0.5, "query/windows", query_told("starting", trigger, "", ""))
    for name, all_of_it in (("windows", WINDOWS), ("copy", COPY)):
        for report in all_of_it:
            at = max(0.0, seconds(report["timestamp"]) - BEGAN + report["durationMs"]["triggerExecution"] / 1000)
            made.item(at, f"stream/{name}", report)
    first = made.recording.facts.times("stream/windows")[0]
    made.state(first, "query/windows", query_told("running", trigger, "", ""))
    made.state(100.0, "query/windows", query_told("failed", trigger, "KeyError: 3", "Mend it."))
    return made


class Played:
    """A query that gives the reports of a real one, as far as ``played``."""

    def __init__(self, recording: str = "windows") -> None:
        self.runId = uuid.uuid4()
        self.name = recording
        self.isActive = True
        self.status = {"message": "Waiting for next trigger"}
        self.problem: Exception | None = None
        self.gone = False
        self.played = 0
        self._reports = reports(recording)

    @property
    def recentProgress(self) -> list[dict[str, Any]]:  # noqa: N802
        return self._reports[: self.played]

    @property
    def lastProgress(self) -> dict[str, Any] | None:  # noqa: N802
        if self.gone:
            raise ConnectionRefusedError("the JVM has ended")
        return self._reports[self.played - 1] if self.played else None

    def exception(self) -> Exception | None:
        return self.problem
