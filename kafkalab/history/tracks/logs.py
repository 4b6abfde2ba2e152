"""A topic's logs in a recording, and the trucks in them: at any moment, what was recorded by then.

The snapshot of the moment says where a log starts and how far it is committed; the batches say what is in it, also
beyond the high watermark. Offsets without a recorded batch are *blank*: the log may well have records there.
"""

from __future__ import annotations

import base64
import json
import threading
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from kafkalab.errors import NotSupported
from kafkalab.history.facts import Facts, Json
from kafkalab.history.moment import Moment
from kafkalab.state.log.batch import Batch, UnreadableBatch
from kafkalab.state.log.fetched import NEWEST, Placed
from kafkalab.state.log.reader import TAIL, TAILS, LogEnd, LogRecord, Window, read
from kafkalab.state.log.segments import Found, Neighbour
from kafkalab.state.model import Partition

TRACK = "batches/"

# --- One partition's log as it was recorded: the stretches that were valid at any moment.
#
# A log grows at its end, but an election may replace what was beyond the high watermark: then other records come for
# the same offsets. So a stretch is valid up to where a later one begins.


@dataclass(frozen=True, slots=True)
class Stretch:
    """The offsets from ``base`` up to, not including, ``next``, as broker ``leader`` sent them in its ``epoch``.

    ``data`` is the batch in base64; None if it was left out. ``at``: when it was recorded, seconds since the recording
    began.
    """

    leader: int
    epoch: int | None
    base: int
    next: int
    data: str | None
    at: float = 0.0


#: The valid part of a stretch: (stretch, from, to).
Piece = tuple[Stretch, int, int]


def standing(stretches: Sequence[Stretch], start: int, end: int) -> list[Piece]:
    """Return what is valid of the offsets from ``start`` to ``end``, in their order, after all these stretches.

    If the first of these offsets are in none, the stretch below them comes first, and nothing of it.
    """
    found: list[Piece] = []
    above = end
    for stretch in reversed(stretches):
        if above <= start:
            break
        if stretch.base < above:
            found.append((stretch, max(stretch.base, start), max(start, min(above, stretch.next))))
            above = stretch.base
    return found[::-1]


# --- The logs of a topic


@dataclass(frozen=True, slots=True)
class RecordedWindow:
    """A window, and the ranges of offsets in it, (from, to), for which the recording holds nothing."""

    window: Window
    blank: tuple[tuple[int, int], ...] = ()


class RecordedLogs:
    """A topic's logs in a recording, for all moments, with their caches."""

    def __init__(self, facts: Facts, topic: str) -> None:
        self.topic = topic
        self._facts = facts
        self._lock = threading.RLock()
        self._stretches: dict[int, list[Stretch]] = {}
        self._gone: list[float] = []
        self._events = 0
        #: Returns what is valid of a window after ``count`` facts without the first ``since`` ones.
        self.window = lru_cache(2000)(self._window)

    def partitions(self) -> list[int]:
        """Return the partitions of which something was recorded."""
        return [int(track.rpartition("/")[2]) for track in self._facts.tracks(f"{TRACK}{self.topic}/")]

    def track(self, partition: int) -> str:
        """Return the name of a partition's track."""
        return f"{TRACK}{self.topic}/{partition}"

    def stretches(self, partition: int) -> list[Stretch]:
        """Return the stretches of a partition's log, with all facts so far."""
        track = self.track(partition)
        with self._lock:
            found = self._stretches.setdefault(partition, [])
            if (known := len(found)) < self._facts.count(track):
                # In this order, so that there is a time for each item when a fact comes between the two calls.
                items = self._facts.items(track)[known:]
                found += map(_stretch, items, self._facts.times(track)[known:])
            return found

    def begun(self, moment: Moment) -> float:
        """Return when an earlier topic of this name was deleted, or -inf: older facts are not of this topic."""
        with self._lock:
            count = self._facts.count("events")
            if count != self._events:
                pairs = zip(self._facts.times("events"), self._facts.items("events"), strict=False)
                deleted = ("topic_deleted", self.topic)
                self._gone = [at for at, event in pairs if (event["kind"], event.get("topic")) == deleted]
                self._events = count
            before = bisect_right(self._gone, moment.at)
            return self._gone[before - 1] if before else float("-inf")

    def _window(self, partition: int, count: int, since: int, start: int, end: int) -> RecordedWindow:
        records: list[LogRecord] = []
        blank: list[tuple[int, int]] = []
        reached = start
        below: float | None = None
        for stretch, first, last in standing(self.stretches(partition)[since:count], start, end):
            if stretch.data is None:
                below = None
                continue
            # What a broker sent at once has no batches between: compaction removed them.
            if first > reached and stretch.at != below:
                blank.append((reached, first))
            below, reached = stretch.at, last
            records += (r for r in _records(stretch) if first <= r.offset < last)
        if reached < end:
            blank.append((reached, end))
        return RecordedWindow(Window(start, max(start, end), tuple(records)), tuple(blank))


class LogsAt:
    """A topic's logs at one moment of a recording.

    ``partitions`` are those of the snapshot. ``ends``: partition → how far its log went, if that was known then.
    """

    def __init__(self, logs: RecordedLogs, moment: Moment) -> None:
        self._logs = logs
        topic = moment.snapshot.topic(logs.topic) if moment.snapshot else None
        self.partitions: dict[int, Partition] = {p.partition: p for p in topic.partitions} if topic else {}
        begun = logs.begun(moment)
        #: Partition → number of its facts by then, and of those that belong to an earlier topic of this name.
        self._facts = {
            p: (moment.facts.count(logs.track(p), moment.at), moment.facts.count(logs.track(p), begun))
            for p in self.partitions
        }
        self.ends = {p: end for p, known in self.partitions.items() if (end := self._end(known)) is not None}

    def tails(self) -> dict[int, RecordedWindow]:
        """Return partition → the last 72 offsets of its log, for the first 24 partitions: the same as are kept live."""
        ends = sorted(self.ends.items())[:TAILS]
        return {p: self.window(p, max(0, end.end - TAIL), end.end) for p, end in ends}

    def window(self, partition: int, start: int, end: int) -> RecordedWindow:
        """Return the window from ``start`` to ``end``, cut to the offsets that the log had (it may be empty)."""
        known = self.ends.get(partition)
        if known is None:
            return RecordedWindow(Window(start, start))
        end = min(end, known.end)
        start = min(max(start, self.partitions[partition].start or 0), end)
        return self._logs.window(partition, *self._facts[partition], start, end)

    def standing(self, partition: int, start: int, end: int) -> list[Piece]:
        """Return what is recorded of these offsets, in their order: (stretch, from, to)."""
        count, since = self._facts.get(partition, (0, 0))
        return standing(self._logs.stretches(partition)[since:count], start, end)

    def version(self) -> tuple[object, ...]:
        """Return a value that changes whenever the logs do."""
        return tuple((p, self.partitions[p].start, end.high, *self._facts[p]) for p, end in sorted(self.ends.items()))

    def _end(self, p: Partition) -> LogEnd | None:
        if p.end is None or p.leader is None:
            return None
        end = p.end
        count, since = self._facts[p.partition]
        head = self._logs.stretches(p.partition)[count - 1] if count > since else None
        # Batches that an earlier leader had beyond the high watermark may be gone: only the present leader's count.
        if head is not None and head.next > end and _epoch(head.epoch) >= _epoch(p.leader_epoch):
            end = head.next
        return LogEnd(p.end, end, None, p.leader, p.leader_epoch)


def _stretch(item: Json, at: float) -> Stretch:
    leader, epoch, base, following, data = item
    return Stretch(leader, epoch, base, following, data, at)


def _epoch(epoch: int | None) -> int:
    return -1 if epoch is None else epoch


def logs_at(moment: Moment, topic: str) -> LogsAt:
    """Return a topic's logs at a moment, as far as they were recorded. Tracks ``batches/TOPIC/PARTITION``."""
    return LogsAt(recorded_logs(moment.facts, topic), moment)


def recorded_logs(facts: Facts, topic: str) -> RecordedLogs:
    """Return a topic's logs for all moments; there is one object of them."""
    return facts.kept(("logs", topic), lambda: RecordedLogs(facts, topic))


@lru_cache(maxsize=1000)
def _records(stretch: Stretch) -> tuple[LogRecord, ...]:
    return read(base64.b64decode(stretch.data or ""), stretch.base, stretch.next).records


class RecordedBatches:
    """A partition's batches at one moment, for RecordView. See :class:`kafkalab.state.log.segments.BatchSource`."""

    def __init__(self, logs: LogsAt, partition: int) -> None:
        self._logs, self._partition = logs, partition

    def find(self, offset: int) -> Found | None:
        """Return the batch with the offset, as the leader sent it.

        :raises NotSupported: the recording does not hold that offset.
        :raises UnreadableBatch: the recorded bytes are no batch.
        """
        stretch = self._stretch(offset)
        if stretch is None or stretch.data is None:
            left_out = "more records came than a recording can hold" if stretch is not None else "it was not recorded"
            raise NotSupported(f"The recording does not hold offset {offset}: {left_out}.")
        beside = self._beside(stretch.base - 1), self._beside(stretch.next)
        return Found(batch_of(stretch), stretch.leader, previous=beside[0], next=beside[1])

    def _stretch(self, offset: int) -> Stretch | None:
        found = self._logs.standing(self._partition, offset, offset + 1) if offset >= 0 else []
        return next((stretch for stretch, first, last in found if first < last), None)

    def _beside(self, offset: int) -> Neighbour | None:
        stretch = self._stretch(offset)
        return None if stretch is None or stretch.data is None else Neighbour(stretch.base, stretch.next - 1)


@lru_cache(maxsize=256)
def batch_of(stretch: Stretch) -> Batch:
    """Return the batch of a stretch.

    :raises UnreadableBatch: the recorded bytes are no batch.
    """
    return Batch.read(base64.b64decode(stretch.data or ""))


# --- Keys in their partitions at a moment of a recording, from the newest records of each partition, as in a live view.


def keys_of(logs: LogsAt, newest: int = NEWEST) -> Iterator[Placed]:
    """Yield the keys of the newest committed records of each partition, in the order of partitions and offsets."""
    for p, end in sorted(logs.ends.items()):
        begin = max(logs.partitions[p].start or 0, end.high - newest)
        for stretch, first, last in logs.standing(p, begin, end.high):
            yield from (key for key in _keys(p, stretch) if first <= key.offset < last)


@lru_cache(maxsize=20_000)
def _keys(partition: int, stretch: Stretch) -> tuple[Placed, ...]:
    """Return the keys of a batch; none of one that cannot be read."""
    return tuple(Placed(record.key.of(section), partition, record.offset) for record, section in _readable(stretch))


def _readable(stretch: Stretch) -> Iterator[tuple[Any, bytes]]:
    """Yield the records of a batch, each with the bytes in which its key and its value lie."""
    try:
        batch = Batch.read(base64.b64decode(stretch.data or ""))
        records = () if batch.header.control else batch.records
    except UnreadableBatch:
        return
    for record in records:
        yield record, batch.section


# --- The fleet: the latest report of each truck, from the records of its topic.
#
# The rules are those of the course's stream: a truck is where its newest report, by event time, says. A late report
# does not move it, and a record that is no valid report is skipped.


#: Allowed range of each number; a report with a number outside it is invalid (as in the course's stream).
RANGES: dict[str, tuple[float, float]] = {
    "time": (0, 253_402_300_799_999),
    "latitude": (-90, 90),
    "longitude": (-180, 180),
    "speed_kmh": (0, 1000),
    "heading_deg": (0, 360),
}


@dataclass(frozen=True, slots=True)
class Reported:
    """A truck's report: degrees, km/h, degrees clockwise from north; and the partition of its record.

    ``at``: when it was recorded, seconds since the recording began.
    """

    latitude: float
    longitude: float
    speed: float
    heading: float
    partition: int
    at: float = 0.0


@dataclass(slots=True)
class _Truck:
    #: Its reports, each newer than the one before, in the order in which they were recorded.
    told: list[Reported] = field(default_factory=list)
    #: Event time and offset of the newest report.
    newest: tuple[float, int] = (-1.0, -1)


class RecordedTrucks:
    """The trucks of a topic, for all moments. Batches are decoded when a moment at or after them is first asked for."""

    def __init__(self, facts: Facts, topic: str) -> None:
        self._facts = facts
        self._logs = recorded_logs(facts, topic)
        self._lock = threading.Lock()
        #: In the order in which they first reported.
        self._trucks: dict[str, _Truck] = {}
        #: Partition → number of its stretches that were read; and the time of the latest of them.
        self._read: dict[int, int] = {}
        self._until = float("-inf")

    def at(self, at: float) -> dict[str, Reported]:
        """Return the latest report of each truck that had reported by then, in the order of their first reports."""
        with self._lock:
            self._learn(at)
            return {
                id: truck.told[bisect_right(truck.told, at, key=lambda report: report.at) - 1]
                for id, truck in self._trucks.items()
                if truck.told[0].at <= at
            }

    def _learn(self, until: float) -> None:
        """Read the batches up to a moment, in the order in which they were recorded."""
        new: list[tuple[int, Stretch]] = []
        for partition in self._logs.partitions():
            known, count = self._read.get(partition, 0), self._facts.count(self._logs.track(partition), until)
            new += [(partition, stretch) for stretch in self._logs.stretches(partition)[known:count]]
            self._read[partition] = max(known, count)
        for partition, stretch in sorted(new, key=lambda one: one[1].at):
            self._until = max(self._until, stretch.at)
            self._take(self._until, partition, stretch)

    def _take(self, at: float, partition: int, stretch: Stretch) -> None:
        for record, section in _readable(stretch):
            report = _report(record.value.of(section))
            if report is None:
                continue
            truck = self._trucks.get(report["truck_id"]) or _Truck()
            newest = (report["time"], record.offset)
            if newest >= truck.newest:
                self._trucks[report["truck_id"]] = truck
                truck.newest = newest
                where, moves = (report["latitude"], report["longitude"]), (report["speed_kmh"], report["heading_deg"])
                truck.told.append(Reported(*where, *moves, partition, at))


def trucks_at(moment: Moment, topic: str) -> Mapping[str, Reported]:
    """Return truck id → its latest report at a moment. Tracks ``batches/TOPIC/PARTITION``."""
    facts = moment.facts
    return facts.kept(("trucks", topic), lambda: RecordedTrucks(facts, topic)).at(moment.at)


def _report(value: bytes | None) -> dict[str, Json] | None:
    try:
        report = json.loads(value or b"")
    except (ValueError, RecursionError):
        return None
    if not isinstance(report, dict) or not isinstance(id := report.get("truck_id"), str) or not id.strip():
        return None
    return report if all(_fits(report.get(name), low, high) for name, (low, high) in RANGES.items()) else None


def _fits(number: Json, low: float, high: float) -> bool:
    # NaN is in no range either.
    return type(number) in (int, float) and low <= number <= high
