"""What a stream did: its last micro-batches, and how the query stands. Views of one query share it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from kafkalab.views.stream_batch import custom_metrics, drawn_batch, lane_of

#: Batches kept; at one a second these are two minutes.
MOST_BATCHES = 120

#: Lanes kept, over all topics; what is beyond them is counted, not drawn.
MOST_LANES = 64

Standing = Literal["starting", "running", "stopped", "failed", "recorded"]


@dataclass(frozen=True, slots=True)
class Trigger:
    """When a batch begins. ``kind`` is Spark's: processing time, available now, once, continuous, real time, or
    "unknown"; ``every_ms`` milliseconds between two of them (real time: how long each is), None where there is no such
    time."""

    kind: str = "unknown"
    every_ms: int | None = None

    @property
    def words(self) -> str:
        """The trigger in a few words; "" when it is not known."""
        every = "" if self.every_ms is None else f"{self.every_ms / 1000:g} s"
        if self.kind == "processing time":
            return f"a batch every {every}" if self.every_ms else "a batch as soon as the last one ends"
        if self.kind == "real time":
            return f"real-time mode, batches of {every}"
        if self.kind == "continuous":
            return f"continuous, a checkpoint every {every}"
        return {"available now": "reads what is there, then ends", "once": "one batch, then it ends"}.get(self.kind, "")

    @classmethod
    def of(cls, text: str) -> Trigger:
        """From the way Spark writes it: ``ProcessingTimeTrigger(1000)``, ``AvailableNowTrigger``."""
        name, _, inside = text.partition("(")
        every = inside.rstrip(")").split(",")[0].strip()
        kinds = {
            "ProcessingTimeTrigger": "processing time",
            "RealTimeTrigger": "real time",
            "ContinuousTrigger": "continuous",
            "AvailableNowTrigger": "available now",
            "OneTimeTrigger": "once",
        }
        kind = kinds.get(name.rpartition(".")[2].rstrip("$"), "unknown")
        return cls(kind, int(every) if every.isdecimal() else None)


class History:
    """The last :data:`MOST_BATCHES` batches, by number. Not for several threads at once: its owner holds a lock."""

    def __init__(self) -> None:
        self.batches: dict[str, dict[str, Any]] = {}
        self.lanes: dict[str, dict[str, Any]] = {}
        self.custom: dict[str, dict[str, int]] = {}
        self.more_lanes = 0
        self.name = ""
        self.sources: list[str] = []
        self.sink = ""
        self.last: tuple[int, str] | None = None

    def add(self, report: Mapping[str, Any]) -> bool:
        """Take a report in; False when it is not newer than what is known.

        A batch that found nothing is reported again and again under the number of the one that will find something,
        which then takes its place.
        """
        number, at = int(report["batchId"]), str(report["timestamp"])
        if self.last is not None and (number, at) <= self.last:
            return False
        self.last = (number, at)
        batch = drawn_batch(report)
        self._keep_lanes(batch)
        # New objects, not changed ones: what was drawn before is compared with what is drawn now.
        batches = {**{k: v for k, v in self.batches.items() if k != str(number)}, str(number): batch}
        gone = sorted(batches, key=int)[: max(0, len(batches) - MOST_BATCHES)]
        self.batches = {k: v for k, v in batches.items() if k not in gone}
        self.custom = custom_metrics(report) or self.custom
        self.name = str(report.get("name") or self.name)
        self.sources = [str(source.get("description", "")) for source in report.get("sources") or []]
        self.sink = str((report.get("sink") or {}).get("description", ""))
        return True

    def _keep_lanes(self, batch: dict[str, Any]) -> None:
        keys = sorted(batch["lanes"], key=lambda key: tuple(lane_of(key).values()))
        self.more_lanes = max(0, len(keys) - MOST_LANES)
        batch["behind"] = behind(batch["lanes"])
        batch["lanes"] = {key: batch["lanes"][key] for key in keys[:MOST_LANES]}
        if list(batch["lanes"]) != list(self.lanes):
            self.lanes = {key: lane_of(key) for key in batch["lanes"]} or self.lanes


def behind(lanes: Mapping[str, list[int | None]]) -> int | None:
    """Records that were there when the batch was planned and that it did not read; None when the source does not tell.

    In real-time mode a batch reads on after it was planned, so its end may lie beyond the newest offset it knew.
    """
    gaps = [latest - end for _, end, latest in lanes.values() if latest is not None and end is not None]
    return sum(max(0, gap) for gap in gaps) if gaps else None
