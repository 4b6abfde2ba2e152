"""One micro-batch of a stream as a view draws it: Spark's report, in plain JSON with few words and one unit each."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from kafkalab.state.stream_report import seconds

#: The phases of a micro-batch in the order in which Spark goes through them; what is left of the trigger is "other".
PHASES = ("latestOffset", "getBatch", "queryPlanning", "walCommit", "addBatch", "commitOffsets")

#: What each phase does, in a few words.
PHASE_WORDS = {
    "latestOffset": "asks Kafka for the newest offsets",
    "getBatch": "says which offsets the batch reads",
    "queryPlanning": "plans the query",
    "walCommit": "writes the offsets to the checkpoint, before the work",
    "addBatch": "reads, computes and writes",
    "commitOffsets": "notes in the checkpoint that the batch is done",
    "other": "everything else of the trigger",
}

#: An event time before any was seen: Spark's watermark begins in 1970.
_NO_WATERMARK = 0.0


def drawn_batch(report: Mapping[str, Any]) -> dict[str, Any]:
    """The batch as plain JSON.

    - ``at``: Unix seconds when it began; ``ms``: how long it took; ``phases``: milliseconds of each gone through.
    - ``rows`` read, ``out`` rows written (None when the sink does not tell); ``arriving`` and ``processed`` a second.
    - ``event``: event times of its rows in Unix seconds, ``min``, ``avg``, ``max``, and the ``watermark`` it ran with;
      empty without a watermark, and None for what is not known (the watermark of the first batch, times without rows).
    - ``state``: of each state operator its name, rows total, updated and removed, bytes, and rows that came too late.
    - ``late``: these over all operators; None when there is none that could drop any.
    - ``lanes``: ``{"topic-partition": [start, end, latest]}``; None for what the source does not tell. A second source
      that reads the same topic has "2:" before its lanes.
    - ``idle``: nothing was there to read, so Spark only reports that it looked.
    """
    durations = {name: int(ms) for name, ms in (report.get("durationMs") or {}).items()}
    ms = int(durations.get("triggerExecution", report.get("batchDuration") or 0))
    phases = {name: durations[name] for name in PHASES if name in durations}
    phases["other"] = max(0, ms - sum(phases.values()))
    state = [_operator(operator) for operator in report.get("stateOperators") or []]
    out = (report.get("sink") or {}).get("numOutputRows")
    return {
        "at": seconds(report["timestamp"]),
        "ms": ms,
        "phases": phases,
        "rows": int(report.get("numInputRows") or 0),
        "out": None if out is None or out < 0 else int(out),
        "arriving": _number(report.get("inputRowsPerSecond")),
        "processed": _number(report.get("processedRowsPerSecond")),
        "event": _event(report.get("eventTime") or {}),
        "state": state,
        "late": sum(operator["late"] for operator in state) if state else None,
        "lanes": _lanes(report.get("sources") or []),
        "idle": not report.get("numInputRows") and "addBatch" not in durations,
    }


def custom_metrics(report: Mapping[str, Any]) -> dict[str, dict[str, int]]:
    """The state stores' own counters by operator; without those that only say "nothing yet" of single partitions."""
    found = {}
    for operator in report.get("stateOperators") or []:
        metrics = {
            str(name): int(value)
            for name, value in (operator.get("customMetrics") or {}).items()
            if isinstance(value, int | float) and not str(name).startswith("SnapshotLastUploaded.")
        }
        if metrics:
            found[str(operator.get("operatorName", "state"))] = metrics
    return found


def lane_of(key: str) -> dict[str, Any]:
    """``"2:trucks-gps-3"`` → source, topic and partition."""
    source, mark, rest = key.partition(":")
    if not mark:
        source, rest = "1", key
    topic, _, partition = rest.rpartition("-")
    return {"source": int(source), "topic": topic, "partition": int(partition)}


def _event(times: Mapping[str, str]) -> dict[str, float | None]:
    if "watermark" not in times:
        return {}
    found: dict[str, float | None] = {
        name: seconds(times[name]) if name in times else None for name in ("min", "avg", "max", "watermark")
    }
    if found["watermark"] == _NO_WATERMARK:
        found["watermark"] = None
    return found


def _operator(report: Mapping[str, Any]) -> dict[str, Any]:
    def number(name: str) -> int:
        return int(report.get(name) or 0)

    return {
        "operator": str(report.get("operatorName") or "state"),
        "total": number("numRowsTotal"),
        "updated": number("numRowsUpdated"),
        "removed": number("numRowsRemoved"),
        "bytes": number("memoryUsedBytes"),
        "late": number("numRowsDroppedByWatermark"),
    }


def _lanes(sources: list[Mapping[str, Any]]) -> dict[str, list[int | None]]:
    lanes: dict[str, list[int | None]] = {}
    for number, source in enumerate(sources, start=1):
        start, end, latest = (_offsets(source.get(name)) for name in ("startOffset", "endOffset", "latestOffset"))
        # A source that is no Kafka has offsets of another shape, or none; it has no lanes.
        for name in sorted(end, key=lambda found: (found[0], found[1])):
            key = f"{name[0]}-{name[1]}"
            key = f"{number}:{key}" if key in lanes else key
            lanes[key] = [start.get(name), end[name], latest.get(name)]
    return lanes


def _offsets(value: Any) -> dict[tuple[str, int], int]:
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return {}
    if not isinstance(value, Mapping):
        return {}
    found = {}
    for topic, partitions in value.items():
        if not isinstance(partitions, Mapping):
            return {}
        for partition, offset in partitions.items():
            if not str(partition).isdecimal() or not isinstance(offset, int):
                return {}
            found[str(topic), int(partition)] = offset
    return found


def _number(value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return 0.0
    return round(number, 1) if number == number and abs(number) != float("inf") else 0.0
