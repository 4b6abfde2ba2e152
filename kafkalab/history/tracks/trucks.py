"""The fleet in a recording: the latest report of each truck at any moment, from the records of its topic.

The rules are those of the course's stream: a truck is where its newest report, by event time, says. A late report does
not move it, and a record that is no valid report is skipped.
"""

from __future__ import annotations

import json
import threading
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from kafkalab.history.facts import Facts, Json
from kafkalab.history.moment import Moment
from kafkalab.history.tracks.logs import TRACK, Stretch, batch_bytes, stretch_of
from kafkalab.state.log.batch import Batch, UnreadableBatch

#: Maximum number of trucks that are followed, and maximum characters of a truck's id.
MOST_TRUCKS, LONGEST_ID = 20_000, 200
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
    #: Times at which a newer report of it was recorded, seconds since the recording began; and these reports.
    at: list[float] = field(default_factory=list)
    told: list[Reported] = field(default_factory=list)
    #: Event time and offset of the newest report.
    newest: tuple[float, int] = (-1.0, -1)


class RecordedTrucks:
    """The trucks of a topic, for all moments. Batches are decoded when a moment at or after them is first asked for."""

    def __init__(self, facts: Facts, topic: str) -> None:
        self._facts = facts
        self._begin = f"{TRACK}{topic}/"
        self._lock = threading.Lock()
        self._trucks: dict[str, _Truck] = {}
        self._first: list[float] = []
        #: Track → number of its facts that were read; and the time of the latest of them.
        self._read: dict[str, int] = {}
        self._until = float("-inf")

    def at(self, at: float) -> dict[str, Reported]:
        """Return the latest report of each truck that had reported by then, in the order of their first reports."""
        with self._lock:
            self._learn(at)
            there = bisect_right(self._first, at)
            found = {}
            for (id, truck), _ in zip(self._trucks.items(), range(there), strict=False):
                found[id] = truck.told[bisect_right(truck.at, at) - 1]
            return found

    def _learn(self, until: float) -> None:
        """Read the batches up to a moment, in the order in which they were recorded."""
        new: list[tuple[float, int, Json]] = []
        for track in self._facts.tracks(self._begin):
            name = track.removeprefix(self._begin)
            known, count = self._read.get(track, 0), self._facts.count(track, until)
            if not name.isdigit() or count <= known:
                continue
            items, times = self._facts.items(track)[known:count], self._facts.times(track)[known:count]
            new += [(at, int(name), item) for at, item in zip(times, items, strict=True)]
            self._read[track] = count
        for at, partition, item in sorted(new, key=lambda one: one[0]):
            self._until = max(self._until, at)
            stretch = stretch_of(item)
            if stretch is not None and stretch.data is not None:
                self._take(self._until, partition, stretch)

    def _take(self, at: float, partition: int, stretch: Stretch) -> None:
        for offset, report in _reports(stretch):
            id = report["truck_id"]
            truck = self._trucks.get(id)
            if truck is None:
                if len(self._trucks) >= MOST_TRUCKS:
                    continue
                truck = self._trucks[id] = _Truck()
                self._first.append(at)
            newest = (report["time"], offset)
            if newest < truck.newest:
                continue
            truck.newest = newest
            truck.at.append(at)
            latitude, longitude = report["latitude"], report["longitude"]
            speed, heading = report["speed_kmh"], report["heading_deg"]
            truck.told.append(Reported(latitude, longitude, speed, heading, partition, at))


_known: WeakKeyDictionary[Facts, dict[str, RecordedTrucks]] = WeakKeyDictionary()
_guard = threading.Lock()


def recorded_trucks(facts: Facts, topic: str) -> RecordedTrucks:
    """Return a topic's trucks in a recording: one object, shared by all callers."""
    with _guard:
        return _known.setdefault(facts, {}).setdefault(topic, RecordedTrucks(facts, topic))


def trucks_at(moment: Moment, topic: str) -> Mapping[str, Reported]:
    """Return truck id → its latest report at a moment. Tracks ``batches/TOPIC/PARTITION``."""
    return recorded_trucks(moment.facts, topic).at(moment.at)


def _reports(stretch: Stretch) -> list[tuple[int, dict[str, Json]]]:
    """Return the valid reports of a batch, with their offsets."""
    try:
        batch = Batch.read(batch_bytes(stretch))
        if batch.header.control:
            return []
        values = [(r.offset, r.value.of(batch.section)) for r in batch.records]
    except UnreadableBatch:
        return []
    return [(offset, report) for offset, value in values if (report := _report(value)) is not None]


def _report(value: bytes | None) -> dict[str, Json] | None:
    try:
        report = json.loads(str(value or b"", "utf-8"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(report, dict):
        return None
    id = report.get("truck_id")
    if not isinstance(id, str) or not 0 < len(id.strip()) <= LONGEST_ID:
        return None
    return report if all(_fits(report.get(name), low, high) for name, (low, high) in RANGES.items()) else None


def _fits(number: Json, low: float, high: float) -> bool:
    # NaN is in no range either.
    return type(number) in (int, float) and low <= number <= high
