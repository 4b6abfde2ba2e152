"""What a stream did: its last micro-batches, and how the query stands. Views of one query share it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kafkalab.views.stream_batch import custom_metrics, drawn_batch, lane_of

#: Batches kept; at one a second these are two minutes.
MOST_BATCHES = 120

#: Lanes kept, over all topics; what is beyond them is counted, not drawn.
MOST_LANES = 64


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

    def add(self, report: Mapping[str, Any], batch: Mapping[str, Any] | None = None) -> bool:
        """Take a report in; False when it is not newer than what is known.

        A batch that found nothing is reported again and again under the number of the one that will find something,
        which then takes its place.

        :param batch: what the report is drawn as, where that is known already.
        """
        number, at = int(report["batchId"]), str(report["timestamp"])
        if self.last is not None and (number, at) <= self.last:
            return False
        self.last = (number, at)
        kept = self._kept(drawn_batch(report) if batch is None else batch)
        # New objects, not changed ones: what was drawn before is compared with what is drawn now.
        batches = {**{k: v for k, v in self.batches.items() if k != str(number)}, str(number): kept}
        gone = sorted(batches, key=int)[: max(0, len(batches) - MOST_BATCHES)]
        self.batches = {k: v for k, v in batches.items() if k not in gone}
        self.custom = custom_metrics(report) or self.custom
        self.name = str(report.get("name") or self.name)
        self.sources = [str(source.get("description", "")) for source in report.get("sources") or []]
        self.sink = str((report.get("sink") or {}).get("description", ""))
        return True

    def _kept(self, batch: Mapping[str, Any]) -> dict[str, Any]:
        """A batch with so many lanes as are drawn."""
        keys = sorted(batch["lanes"], key=lambda key: tuple(lane_of(key).values()))
        self.more_lanes = max(0, len(keys) - MOST_LANES)
        lanes = {key: batch["lanes"][key] for key in keys[:MOST_LANES]}
        if list(lanes) != list(self.lanes):
            self.lanes = {key: lane_of(key) for key in lanes} or self.lanes
        return {**batch, "behind": behind(batch["lanes"]), "lanes": lanes}


def behind(lanes: Mapping[str, list[int | None]]) -> int | None:
    """Records that were there when the batch was planned and that it did not read; None when the source does not tell.

    In real-time mode a batch reads on after it was planned, so its end may lie beyond the newest offset it knew.
    """
    gaps = [latest - end for _, end, latest in lanes.values() if latest is not None and end is not None]
    return sum(max(0, gap) for gap in gaps) if gaps else None
