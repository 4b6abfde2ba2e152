"""The data that StreamView draws: the state of a query and its batches, as plain JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NotRequired, TypedDict

from kafkalab.state.stream import Standing, Trigger, plain, seconds
from kafkalab.views.static import Block, Para, Table
from kafkalab.views.words import shorten

# --- One micro-batch of a stream as a view draws it: Spark's report, as plain JSON with short names and one unit each.


#: Phases of a micro-batch, in the order in which Spark goes through them; the rest of the trigger's time is "other".
PHASES = ("latestOffset", "getBatch", "queryPlanning", "walCommit", "addBatch", "commitOffsets")


#: Spark's watermark before any event time was seen: it begins in 1970.
_NO_WATERMARK = 0.0


def drawn_batch(report: Mapping[str, Any]) -> dict[str, Any]:
    """Return the batch as plain JSON.

    - ``at``: Unix seconds when it began; ``ms``: how long it took; ``phases``: milliseconds of each phase it had.
    - ``rows`` read, ``out`` rows written (None if the sink does not report it); ``arriving``, ``processed``: rows/s.
    - ``event``: event times of its rows in Unix seconds, ``min``, ``avg``, ``max``, and the ``watermark`` it ran with;
      empty if none is set, and None for what is not known (the watermark of the first batch, times without rows).
    - ``state``: of each state operator its name, rows total, updated and removed, bytes, and rows that came too late.
    - ``late``: rows that came too late, over all operators; None when there is no operator that could drop any.
    - ``lanes``: ``{"topic-partition": [start, end, latest]}``; None for what the source does not tell. A second source
      that reads the same topic has "2:" before its lanes.
    - ``idle``: there was nothing to read, so Spark only reports that it looked.
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
    """Return the state stores' own counters by operator, but not those that only say "nothing yet" of a partition."""
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
    """Return source, topic and partition of a lane from its key, ``"2:trucks-gps-3"``."""
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
        # A source other than Kafka has offsets of another shape, or none; it gets no lanes.
        for name in sorted(end, key=lambda found: (found[0], found[1])):
            key = f"{name[0]}-{name[1]}"
            key = f"{number}:{key}" if key in lanes else key
            lanes[key] = [start.get(name), end[name], latest.get(name)]
    return lanes


def _offsets(value: Any) -> dict[tuple[str, int], int]:
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


# --- History: a stream's last micro-batches.


#: Maximum number of batches kept; at one a second these are two minutes.
MOST_BATCHES = 120

#: Maximum number of lanes kept, over all topics; further lanes are counted, not drawn.
MOST_LANES = 64


class History:
    """The last :data:`MOST_BATCHES` batches, by number. It is not thread-safe: its owner holds a lock."""

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
        """Take a report in; return False when it is not newer than what is known.

        Spark reports a batch that found nothing again and again, under the number of the batch that will find
        something; that one then takes its place. A report that cannot be drawn raises, and changes nothing.
        """
        number, at = int(report["batchId"]), str(report["timestamp"])
        if self.last is not None and (number, at) <= self.last:
            return False
        batch, custom = drawn_batch(report), custom_metrics(report)
        sources = [str(source.get("description", "")) for source in report.get("sources") or []]
        kept, self.last = self._kept(batch), (number, at)
        # New objects, not changed ones, because the state that was drawn is compared with the new one.
        batches = {**{k: v for k, v in self.batches.items() if k != str(number)}, str(number): kept}
        gone = sorted(batches, key=int)[: max(0, len(batches) - MOST_BATCHES)]
        self.batches = {k: v for k, v in batches.items() if k not in gone}
        self.custom, self.sources = custom or self.custom, sources
        self.name = str(report.get("name") or self.name)
        self.sink = str((report.get("sink") or {}).get("description", ""))
        return True

    def _kept(self, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Return a batch with only the lanes that are drawn."""
        keys = sorted(batch["lanes"], key=lambda key: tuple(lane_of(key).values()))
        self.more_lanes = max(0, len(keys) - MOST_LANES)
        lanes = {key: batch["lanes"][key] for key in keys[:MOST_LANES]}
        if list(lanes) != list(self.lanes):
            self.lanes = {key: lane_of(key) for key in lanes} or self.lanes
        return {**batch, "behind": behind(batch["lanes"]), "lanes": lanes}


def behind(lanes: Mapping[str, list[int | None]]) -> int | None:
    """Return how many records were there when the batch was planned but not read; None when the source does not say.

    In real-time mode a batch reads on after it was planned, so its end may lie beyond the newest offset it knew.
    """
    gaps = [latest - end for _, end, latest in lanes.values() if latest is not None and end is not None]
    return sum(max(0, gap) for gap in gaps) if gaps else None


Drawn = dict[str, Any]

#: Number of batches in a row after which a partition with records that none of them read counts as unread.
_UNREAD_BATCHES = 3

#: Maximum number of queries to choose from.
QUERIES = 50

_STANDING = {
    "starting": "starting",
    "running": "running",
    "stopped": "stopped",
    "failed": "stopped on an error",
    "recorded": "a recording",
}


class Times(TypedDict):
    """The event times of a batch's rows, and the watermark it ran with; empty if none is set."""

    min: NotRequired[float | None]
    avg: NotRequired[float | None]
    max: NotRequired[float | None]
    watermark: NotRequired[float | None]


class Operator(TypedDict):
    """The state that an operator held after a batch, in rows and bytes."""

    operator: str
    total: int
    updated: int
    removed: int
    bytes: int
    late: int


class Batch(TypedDict):
    """A micro-batch; :func:`drawn_batch` says what each part is. A lane is [start, end, latest]."""

    at: float
    ms: int
    phases: dict[str, int]
    rows: int
    out: int | None
    arriving: float
    processed: float
    event: Times
    state: list[Operator]
    late: int | None
    lanes: dict[str, tuple[int | None, int, int | None]]
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
    every_ms: float | None
    words: str


class Mark(TypedDict):
    """A moment to be marked, a Unix time."""

    at: float
    words: str


class Picture(TypedDict):
    """The picture of StreamView; :func:`drawn` says what each part is."""

    name: str
    sources: list[str]
    sink: str
    standing: str
    words: str
    message: str
    reason: str
    advice: str
    trigger: Pace
    batches: dict[str, Batch]
    lanes: dict[str, Lane]
    more_lanes: int
    unread: list[str]
    custom: dict[str, dict[str, int]]
    notes: dict[str, str]
    marks: list[Mark]
    queries: list[str]
    query: str


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
) -> Drawn:
    """Return the state that the front end draws.

    - ``name`` of the query, ``sources`` and ``sink`` in Spark's words.
    - ``standing``, ``words`` for it, ``message`` (what Spark does now), ``reason`` and ``advice`` after a failure.
    - ``trigger``: ``kind``, ``every_ms``, ``words``.
    - ``batches``: by number, each as :func:`~kafkalab.views.stream.picture.drawn_batch` gives it, and ``behind``: the
      number of records that were there and that it did not read.
    - ``lanes``: by the key that batches use, ``source``, ``topic`` and ``partition``; ``more_lanes``: how many are not
      drawn; ``unread``: lanes with records that no batch reads.
    - ``custom``: the state stores' own counters after the newest batch.
    - ``notes``: for each part that has nothing to draw, why; "" for the others.
    - ``marks``: moments to be marked, each with ``at`` (Unix seconds) and ``words``.
    - ``queries``: names of a recording's queries to choose from; ``query``: the one that is chosen.

    :param choice: ``queries`` and ``query``.
    """
    trigger = trigger or Trigger()
    return {
        "name": history.name,
        "sources": history.sources,
        "sink": history.sink,
        "standing": standing,
        "words": _STANDING[standing],
        "message": message,
        "reason": reason,
        "advice": advice,
        "trigger": {"kind": trigger.kind, "every_ms": trigger.every_ms, "words": trigger.words},
        "batches": history.batches,
        "lanes": history.lanes,
        "more_lanes": history.more_lanes,
        "unread": unread(history),
        "custom": history.custom,
        "notes": notes(history, trigger),
        "marks": [{"at": at, "words": shorten(words, 60)} for at, words in marks],
        "queries": [shorten(name, 200) for name in choice[0]][:QUERIES],
        "query": shorten(choice[1], 200),
    }


def recorded(reports: Iterable[Any], trigger: Trigger | None = None) -> Drawn:
    """Return the state for a list of reports, with no query behind it."""
    history = History()
    for report in sorted((plain(report) for report in reports), key=lambda one: (one["batchId"], one["timestamp"])):
        history.add(report)
    return drawn(history, "recorded", trigger)


def unread(history: History) -> list[str]:
    """Return the lanes with records that none of the last batches read, although they read others."""
    last = [history.batches[key] for key in sorted(history.batches, key=int)][-_UNREAD_BATCHES:]
    if len(last) < _UNREAD_BATCHES or not all(batch["rows"] for batch in last):
        return []
    found = []
    for key in history.lanes:
        offsets = [batch["lanes"].get(key) for batch in last]
        if any(o is None or o[0] is None or o[2] is None for o in offsets):
            continue
        if all(o[0] == o[1] and o[2] > o[1] for o in offsets):
            found.append(key)
    return found


def notes(history: History, trigger: Trigger) -> dict[str, str]:
    """Return for each part of the picture why it is empty, in a sentence; "" for a part that is not."""
    batches = list(history.batches.values())
    if not batches:
        waiting = "No batch has ended yet."
        return {"rates": waiting, "phases": waiting, "watermark": waiting, "state": waiting, "lanes": waiting}
    live = trigger.kind == "real time"
    return {
        "rates": "",
        "phases": (
            f"In real-time mode rows are passed on as they come, not at the end of a batch: a batch of "
            f"{trigger.every_ms / 1000:g} s is only how often offsets are written to the checkpoint."
            if live and trigger.every_ms
            else ""
        ),
        "watermark": (
            ""
            if any(batch["event"] for batch in batches)
            else "This query sets no watermark (withWatermark): it keeps no track of event time and drops no late row."
        ),
        "state": (
            ""
            if any(batch["state"] for batch in batches)
            else "This query is stateless: each row goes through by itself, and nothing is remembered between batches."
        ),
        "lanes": "" if history.lanes else "None of its sources has Kafka's offsets.",
    }


# --- A StreamView as paragraphs and tables: the newest batch's figures, the last batches, and their offsets.


#: Number of batches in the table.
_BATCHES = 10


def blocks(picture: Drawn) -> list[Block]:
    """Return the query and its state, the newest batch's figures, the last batches, and what the newest one read."""
    name = f"Stream {shorten(picture['name'], 60)}" if picture["name"] else "Stream"
    found: list[Block] = [
        Para(", ".join(filter(None, (name, picture["words"], picture["trigger"]["words"]))), "strong")
    ]
    if picture["reason"]:
        found.append(Para(f"✕ {shorten(picture['reason'], 300)}\n{shorten(picture['advice'], 300)}".strip()))
    numbers = sorted(map(int, picture["batches"]))[-_BATCHES:]
    if not numbers:
        return [*found, Para("No batch has ended yet.")]
    some = [picture["batches"][str(n)] for n in numbers]
    found.append(Table((), _figures(numbers[-1], some[-1])))
    found += [Para(f"✕ {mark['words']}: {of_day(mark['at'])} UTC") for mark in picture["marks"]]
    heads = ("Batch", "began (UTC)", "took", "rows", "arriving/s", "can process/s", "behind", "watermark", "too late")
    rows = [
        (
            n, of_day(b["at"]), duration(b["ms"]), b["rows"], f"{b['arriving']:,.0f}", f"{b['processed']:,.0f}",
            _or_dash(b["behind"]), _watermark(b), _or_dash(b["late"]),
        )
        for n, b in zip(numbers, some, strict=True)
    ]  # fmt: skip
    found.append(Table(heads, rows, "The last batches"))
    if lanes := _lane_rows(picture, some[-1]):
        found.append(
            Table(("Partition", "from", "up to", "newest", "behind"), lanes, f"Offsets of batch {numbers[-1]}")
        )
    if picture["unread"]:
        found.append(Para(f"✕ nobody reads {', '.join(_lane_name(picture, key) for key in picture['unread'])}"))
    return found + [Para(note) for note in picture["notes"].values() if note]


def _figures(number: int, batch: dict[str, Any]) -> list[tuple[str, str]]:
    """Return name and value of each figure of a batch."""
    phases = sorted(((ms, name) for name, ms in batch["phases"].items() if ms), reverse=True)[:3]
    rows = [
        ("batch", f"{number}, {of_day(batch['at'])} UTC, {duration(batch['ms'])}"),
        ("arriving", f"{batch['arriving']:,.0f} rows/s, {batch['rows']:,} in this batch"),
        ("can process", f"{batch['processed']:,.0f} rows/s"),
        ("time went to", ", ".join(f"{name} {duration(ms)}" for ms, name in phases)),
        ("behind", "not told" if batch["behind"] is None else f"{batch['behind']:,} records"),
    ]
    if batch["event"]:
        rows.append(("watermark", _watermark(batch)))
    if batch["late"] is not None:
        rows.append(("too late", f"{batch['late']:,} row{'' if batch['late'] == 1 else 's'} dropped"))
    if batch["state"]:
        total, size = (sum(operator[name] for operator in batch["state"]) for name in ("total", "bytes"))
        rows.append(("state", f"{total:,} rows, {bytes_(size)}"))
    return rows


def _lane_rows(picture: Drawn, batch: dict[str, Any]) -> list[tuple[str, ...]]:
    return [
        (
            _lane_name(picture, key), _or_dash(start), f"{end:,}", _or_dash(latest),
            _or_dash(None if latest is None else max(0, latest - end)),
        )
        for key, (start, end, latest) in batch["lanes"].items()
    ]  # fmt: skip


def _lane_name(picture: Drawn, key: str) -> str:
    """Return a lane's name: ``P3``, with the topic when there are several."""
    topics = {(lane["source"], lane["topic"]) for lane in picture["lanes"].values()}
    lane = picture["lanes"][key]
    return f"P{lane['partition']}" if len(topics) == 1 else f"{shorten(lane['topic'], 30)} P{lane['partition']}"


def _watermark(batch: dict[str, Any]) -> str:
    """Return where the watermark stands, and how far it is behind the newest event time of the batch."""
    event = batch["event"]
    if not event or event["watermark"] is None:
        return "not known yet" if event else "–"
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
