"""The data that StreamView draws: the state of a query and its batches, as plain JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Any, TypedDict

from kafkalab.state.stream import Standing, Trigger, plain, seconds
from kafkalab.views.static import Block, Para, Table
from kafkalab.views.words import shorten

# --- One micro-batch of a stream as a view draws it: Spark's report, as plain JSON with short names and one unit each.


#: Phases of a micro-batch, in the order in which Spark goes through them; the rest of the trigger's time is "other".
PHASES = ("latestOffset", "getBatch", "queryPlanning", "walCommit", "addBatch", "commitOffsets")


class Times(TypedDict):
    """The event times of a batch's rows, and the watermark it ran with; None for what is not known."""

    min: float | None
    avg: float | None
    max: float | None
    watermark: float | None


class Operator(TypedDict):
    """The state that an operator held after a batch, in rows and bytes; ``late``: rows that came too late for it."""

    operator: str
    total: int
    updated: int
    removed: int
    bytes: int
    late: int


class Offsets(TypedDict):
    """The part of a lane that a batch read, and the newest offset there; None for what the source does not tell."""

    start: int | None
    end: int
    latest: int | None


class Batch(TypedDict):
    """A micro-batch.

    ``at``: when it began, in Unix seconds; ``ms``: how long it took; ``phases``: milliseconds of each phase it had.
    ``out``: rows written, None if the sink does not report it. ``arriving``, ``processed``: rows a second.
    ``event``: None if no watermark is set. ``late``: rows that came too late, None when no operator could drop any.
    ``lanes``: by "topic-partition"; a second source that reads the same topic has "2:" before its lanes.
    ``idle``: there was nothing to read, so Spark only reports that it looked.
    ``behind``: records that were there when it was planned, and that it did not read; None when no source says so.
    """

    at: float
    ms: int
    phases: dict[str, int]
    rows: int
    out: int | None
    arriving: float
    processed: float
    event: Times | None
    state: list[Operator]
    late: int | None
    lanes: dict[str, Offsets]
    idle: bool
    behind: int | None


class Lane(TypedDict):
    """A partition that the query reads, from its first, second… source."""

    source: int
    topic: str
    partition: int


class Pace(TypedDict):
    """The query's trigger."""

    kind: str
    every_ms: int | None
    words: str


class Mark(TypedDict):
    """A moment to be marked, a Unix time."""

    at: float
    words: str


class Picture(TypedDict):
    """The picture of StreamView.

    ``name`` of the query, ``sources`` and ``sink`` in Spark's words; ``words`` for its ``standing``, ``message``: what
    Spark does now; ``reason`` and ``advice`` after a failure. ``more_lanes``: how many are not drawn; ``unread``: lanes
    with records that no batch reads. ``notes``: for each part that has nothing to draw, why; "" for the others.
    ``queries``: names of a recording's queries to choose from; ``query``: the one that is chosen.
    """

    name: str
    sources: list[str]
    sink: str
    standing: Standing
    words: str
    message: str
    reason: str
    advice: str
    trigger: Pace
    batches: dict[str, Batch]
    lanes: dict[str, Lane]
    more_lanes: int
    unread: list[str]
    notes: dict[str, str]
    marks: list[Mark]
    queries: list[str]
    query: str


def drawn_batch(report: Mapping[str, Any]) -> Batch:
    """Return the batch that Spark reports."""
    durations = {name: int(ms) for name, ms in (report.get("durationMs") or {}).items()}
    ms = int(durations.get("triggerExecution", report.get("batchDuration") or 0))
    phases = {name: durations[name] for name in PHASES if name in durations}
    phases["other"] = max(0, ms - sum(phases.values()))
    state = [_operator(operator) for operator in report.get("stateOperators") or []]
    out = (report.get("sink") or {}).get("numOutputRows")
    lanes = _lanes(report.get("sources") or [])
    gaps = [waiting for lane in lanes.values() if (waiting := _waiting(lane)) is not None]
    return {
        "at": seconds(report["timestamp"]),
        "ms": ms,
        "phases": phases,
        "rows": int(report.get("numInputRows") or 0),
        "out": None if out is None or out < 0 else int(out),
        "arriving": round(report.get("inputRowsPerSecond") or 0.0, 1),
        "processed": round(report.get("processedRowsPerSecond") or 0.0, 1),
        "event": _event(report.get("eventTime") or {}),
        "state": state,
        "late": sum(operator["late"] for operator in state) if state else None,
        "lanes": lanes,
        "idle": not report.get("numInputRows") and "addBatch" not in durations,
        "behind": sum(gaps) if gaps else None,
    }


def lane_of(key: str) -> Lane:
    """Return source, topic and partition of a lane from its key, ``"2:trucks-gps-3"``."""
    source, mark, rest = key.partition(":")
    if not mark:
        source, rest = "1", key
    topic, _, partition = rest.rpartition("-")
    return {"source": int(source), "topic": topic, "partition": int(partition)}


def _event(times: Mapping[str, str]) -> Times | None:
    if "watermark" not in times:
        return None
    low, mean, high, watermark = (
        seconds(times[name]) if name in times else None for name in ("min", "avg", "max", "watermark")
    )
    # Before any event time was seen, Spark's watermark is 1970.
    return {"min": low, "avg": mean, "max": high, "watermark": watermark or None}


def _operator(report: Mapping[str, Any]) -> Operator:
    return {
        "operator": str(report.get("operatorName") or "state"),
        "total": int(report.get("numRowsTotal") or 0),
        "updated": int(report.get("numRowsUpdated") or 0),
        "removed": int(report.get("numRowsRemoved") or 0),
        "bytes": int(report.get("memoryUsedBytes") or 0),
        "late": int(report.get("numRowsDroppedByWatermark") or 0),
    }


def _lanes(sources: list[Mapping[str, Any]]) -> dict[str, Offsets]:
    lanes: dict[str, Offsets] = {}
    for number, source in enumerate(sources, start=1):
        start, end, latest = (_offsets(source.get(name)) for name in ("startOffset", "endOffset", "latestOffset"))
        for name in sorted(end):
            key = f"{name[0]}-{name[1]}"
            key = f"{number}:{key}" if key in lanes else key
            lanes[key] = {"start": start.get(name), "end": end[name], "latest": latest.get(name)}
    return lanes


def _offsets(value: Any) -> dict[tuple[str, int], int]:
    """Return Kafka's offsets by topic and partition; none of a source that has others, or does not tell them."""
    try:
        return {(str(topic), int(p)): int(at) for topic, offsets in value.items() for p, at in offsets.items()}
    except (AttributeError, TypeError, ValueError):
        return {}


def _waiting(lane: Offsets) -> int | None:
    # In real-time mode a batch reads on after it was planned, so its end may lie beyond the newest offset it knew.
    return None if lane["latest"] is None else max(0, lane["latest"] - lane["end"])


#: Maximum number of batches kept; at one a second these are two minutes.
MOST_BATCHES = 120

#: Maximum number of lanes kept, over all topics; further lanes are counted, not drawn.
MOST_LANES = 64


class History:
    """The last :data:`MOST_BATCHES` batches, by number. It is not thread-safe: its owner holds a lock."""

    def __init__(self) -> None:
        self.batches: dict[str, Batch] = {}
        self.lanes: dict[str, Lane] = {}
        self.more_lanes = 0
        self.name = ""
        self.sources: list[str] = []
        self.sink = ""

    @classmethod
    def of(cls, reports: Iterable[Mapping[str, Any]]) -> History:
        """Return the history that these reports make, the oldest first."""
        history = cls()
        for report in reports:
            history.add(report)
        return history

    def add(self, report: Mapping[str, Any]) -> None:
        """Take in a report that is newer than the others.

        Spark reports a batch that found nothing again and again, under the number of the batch that will find
        something; that one then takes its place.
        """
        batch = drawn_batch(report)
        self.more_lanes = max(0, len(batch["lanes"]) - MOST_LANES)
        batch["lanes"] = dict(islice(batch["lanes"].items(), MOST_LANES))
        self.lanes = {key: lane_of(key) for key in batch["lanes"]} or self.lanes
        # A new object, not a changed one, because the state that was drawn is compared with the new one.
        batches = {**self.batches, str(report["batchId"]): batch}
        self.batches = dict(islice(batches.items(), max(0, len(batches) - MOST_BATCHES), None))
        self.sources = [str(source.get("description", "")) for source in report.get("sources") or []]
        self.name = str(report.get("name") or self.name)
        self.sink = str((report.get("sink") or {}).get("description", ""))


#: Number of batches in a row after which a partition with records that none of them read counts as unread.
_UNREAD_BATCHES = 3


def drawn(
    history: History,
    standing: Standing = "recorded",
    trigger: Trigger | None = None,
    *,
    message: str = "",
    reason: str = "",
    advice: str = "",
    choice: tuple[Sequence[str], str] = ((), ""),
    marks: Sequence[tuple[float, str]] = (),
) -> Picture:
    """Return what the page draws.

    :param choice: ``queries`` and ``query``.
    """
    trigger = trigger or Trigger()
    return {
        "name": history.name,
        "sources": history.sources,
        "sink": history.sink,
        "standing": standing,
        "words": {"failed": "stopped on an error", "recorded": "a recording"}.get(standing, standing),
        "message": message,
        "reason": reason,
        "advice": advice,
        "trigger": {"kind": trigger.kind, "every_ms": trigger.every_ms, "words": trigger.words},
        "batches": history.batches,
        "lanes": history.lanes,
        "more_lanes": history.more_lanes,
        "unread": unread(history),
        "notes": notes(history, trigger),
        "marks": [{"at": at, "words": shorten(words, 60)} for at, words in marks],
        "queries": [shorten(name, 200) for name in choice[0]],
        "query": shorten(choice[1], 200),
    }


def recorded(reports: Iterable[Any], trigger: Trigger | None = None) -> Picture:
    """Return the state for a list of reports, with no query behind it."""
    found = sorted(map(plain, reports), key=lambda one: (one["batchId"], one["timestamp"]))
    return drawn(History.of(found), "recorded", trigger)


def unread(history: History) -> list[str]:
    """Return the lanes with records that none of the last batches read, although they read others."""
    last = list(history.batches.values())[-_UNREAD_BATCHES:]
    if len(last) < _UNREAD_BATCHES or not all(batch["rows"] for batch in last):
        return []
    return [key for key in history.lanes if all(_passed_by(batch["lanes"].get(key)) for batch in last)]


def _passed_by(lane: Offsets | None) -> bool:
    """Return whether a batch read nothing of a lane, although records waited there."""
    return lane is not None and lane["start"] == lane["end"] and bool(_waiting(lane))


def notes(history: History, trigger: Trigger) -> dict[str, str]:
    """Return for each part of the picture why it is empty, in a sentence; "" for a part that is not."""
    found = dict.fromkeys(("rates", "phases", "watermark", "state", "lanes"), "")
    batches = history.batches.values()
    if not batches:
        return dict.fromkeys(found, "No batch has ended yet.")
    if trigger.kind == "real time" and trigger.every_ms:
        found["phases"] = (
            "In real-time mode rows are passed on as they come, not at the end of a batch: a batch of "
            f"{trigger.every_ms / 1000:g} s is only how often offsets are written to the checkpoint."
        )
    if not any(batch["event"] for batch in batches):
        found["watermark"] = (
            "This query sets no watermark (withWatermark): it keeps no track of event time and drops no late row."
        )
    if not any(batch["state"] for batch in batches):
        found["state"] = (
            "This query is stateless: each row goes through by itself, and nothing is remembered between batches."
        )
    if not history.lanes:
        found["lanes"] = "None of its sources has Kafka's offsets."
    return found


# --- A StreamView as paragraphs and tables: the newest batch's figures, the last batches, and their offsets.


#: Number of batches in the table.
_BATCHES = 10


def blocks(picture: Picture) -> list[Block]:
    """Return the query and its state, the newest batch's figures, the last batches, and what the newest one read."""
    name = f"Stream {shorten(picture['name'], 60)}" if picture["name"] else "Stream"
    found: list[Block] = [
        Para(", ".join(filter(None, (name, picture["words"], picture["trigger"]["words"]))), "strong")
    ]
    if picture["reason"]:
        found.append(Para(f"✕ {shorten(picture['reason'], 300)}\n{shorten(picture['advice'], 300)}".strip()))
    batches = list(picture["batches"].items())[-_BATCHES:]
    if not batches:
        return [*found, Para("No batch has ended yet.")]
    number, newest = batches[-1]
    found.append(Para(_newest(number, newest)))
    found += [Para(f"✕ {mark['words']}: {of_day(mark['at'])} UTC") for mark in picture["marks"]]
    heads = ("Batch", "began (UTC)", "took", "rows", "arriving/s", "can process/s", "behind", "watermark", "too late")
    rows = [
        (
            int(n), of_day(b["at"]), duration(b["ms"]), b["rows"], f"{b['arriving']:,.0f}", f"{b['processed']:,.0f}",
            _or_dash(b["behind"]), _watermark(b["event"]), _or_dash(b["late"]),
        )
        for n, b in batches
    ]  # fmt: skip
    found.append(Table(heads, rows, "The last batches"))
    if lanes := _lane_rows(picture, newest):
        found.append(Table(("Partition", "from", "up to", "newest", "behind"), lanes, f"Offsets of batch {number}"))
    if picture["unread"]:
        found.append(Para(f"✕ nobody reads {', '.join(_lane_name(picture, key) for key in picture['unread'])}"))
    return found + [Para(note) for note in picture["notes"].values() if note]


def _newest(number: str, batch: Batch) -> str:
    """Return what the table does not say of the newest batch: where its time went, and the state after it."""
    phases = sorted(((ms, name) for name, ms in batch["phases"].items() if ms), reverse=True)[:3]
    said = f"Batch {number}: its time went to " + ", ".join(f"{name} {duration(ms)}" for ms, name in phases)
    if not batch["state"]:
        return said
    total, size = (sum(operator[name] for operator in batch["state"]) for name in ("total", "bytes"))
    return f"{said}; the state has {total:,} rows, {bytes_(size)}"


def _lane_rows(picture: Picture, batch: Batch) -> list[tuple[str, ...]]:
    return [
        (
            _lane_name(picture, key), _or_dash(lane["start"]), f"{lane['end']:,}", _or_dash(lane["latest"]),
            _or_dash(_waiting(lane)),
        )
        for key, lane in batch["lanes"].items()
    ]  # fmt: skip


def _lane_name(picture: Picture, key: str) -> str:
    """Return a lane's name: ``P3``, with the topic when there are several."""
    topics = {(lane["source"], lane["topic"]) for lane in picture["lanes"].values()}
    lane = picture["lanes"][key]
    return f"P{lane['partition']}" if len(topics) == 1 else f"{shorten(lane['topic'], 30)} P{lane['partition']}"


def _watermark(event: Times | None) -> str:
    """Return where the watermark stands, and how far it is behind the newest event time of the batch."""
    if event is None or event["watermark"] is None:
        return "–" if event is None else "not known yet"
    words = f"{of_day(event['watermark'])} UTC"
    if event["max"] is not None:
        words += f", {lasting(event['max'] - event['watermark'])} behind the newest event"
    return words


def _or_dash(number: int | None) -> str:
    return "–" if number is None else f"{number:,}"


def of_day(at: float) -> str:
    """Return Unix seconds as a time of day, UTC."""
    return datetime.fromtimestamp(at, UTC).strftime("%H:%M:%S")


def duration(ms: float) -> str:
    """Return milliseconds as text: ``462 ms``, ``6.99 s``."""
    return f"{ms:.0f} ms" if ms < 1000 else f"{ms / 1000:.2f} s" if ms < 10_000 else lasting(ms / 1000)


def lasting(seconds: float) -> str:
    """Return seconds as text: ``48 s``, ``1:10 min``, ``2:05 h``."""
    size, sign = abs(seconds), "−" if seconds < 0 else ""
    if size < 60:
        return f"{sign}{size:.3g} s"
    whole = round(size)
    if whole < 3600:
        return f"{sign}{whole // 60}:{whole % 60:02} min"
    return f"{sign}{whole // 3600}:{whole % 3600 // 60:02} h"


def bytes_(n: int) -> str:
    """Return a number of bytes as text: ``3.6 kB``."""
    for size, unit in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if n >= size:
            return f"{n / size:.1f} {unit}"
    return f"{n} B"
