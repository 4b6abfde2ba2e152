"""The truck fleet: a simulation that is a pure function of its seed, the same on every machine."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import numpy as np
import numpy.typing as npt

from kafkalab.errors import BadInput
from kafkalab.sources.report import Report
from kafkalab.sources.roads import EARTH_KM, Floats, angle_between, roads
from kafkalab.sources.tours import Leg, tour

#: Event time of the fleet's first moment: Monday 5 January 2026, 06:00 UTC, in milliseconds since 1970.
START = 1_767_592_800_000

#: Reports are computed this many at a time: enough for numpy to be quick, few enough to stay small.
_BATCH = 4096


@dataclass(frozen=True, slots=True)
class Position:
    """Where a truck is: degrees, km/h, and heading in degrees (0 = north, clockwise; a truck at rest keeps its own)."""

    latitude: float
    longitude: float
    speed_kmh: float
    heading_deg: float


@dataclass(frozen=True, slots=True, eq=False)
class Positions:
    """Where trucks are: arrays of one shape, units as in :class:`Position`."""

    latitude: Floats
    longitude: Floats
    speed_kmh: Floats
    heading_deg: Floats


class Fleet:
    """Trucks that go from city to city along great circles, rest, and report once every ``period``.

    :param trucks: how many. A truck is the same in a fleet of any size.
    :param seed: another seed is another fleet.
    :param period: seconds of event time between two reports of a truck.
    :param start: event time of second 0, in milliseconds since 1970.
    :raises BadInput: no trucks, or a period that is not at least a millisecond.
    """

    def __init__(self, trucks: int = 1000, seed: int = 7, period: float = 20.0, start: int = START) -> None:
        if not 1 <= trucks <= 100_000:
            raise BadInput("A fleet has 1 to 100 000 trucks.", seen=f"trucks={trucks!r}", do="Ask for 1000, say.")
        if not (math.isfinite(period) and period >= 0.001):
            raise BadInput("A period is 0.001 seconds or more.", seen=f"period={period!r}", do="Leave it at 20.")
        self.trucks = trucks
        self.seed = seed
        self.period = period
        self.start = start
        self.truck_ids = tuple(f"T{i:04}" for i in range(trucks))
        self._roads = roads("europe")
        self._period_ms = round(period * 1000)
        randoms = [Random(f"fleet {seed} truck {i}") for i in range(trucks)]
        # Each truck has its own moment within the period, so that reports flow evenly and not in bursts.
        self._phase_ms = np.array([int(r.random() * self._period_ms) for r in randoms], dtype=np.int64)
        self._order = np.lexsort((np.arange(trucks), self._phase_ms))
        self._head_start = np.array([r.random() for r in randoms])
        self._lay_out([tour(self._roads, r) for r in randoms])

    def _lay_out(self, tours: list[list[Leg]]) -> None:
        """All legs of all trucks, one after another, as flat arrays that ``_at`` can index."""
        legs = [leg for legs in tours for leg in legs]
        counts = np.array([len(legs) for legs in tours])
        drive = np.array([leg.seconds for leg in legs])
        whole = drive + np.array([leg.rest for leg in legs])
        truck = np.repeat(np.arange(self.trucks), counts)
        ends = np.cumsum(whole)
        first = np.concatenate([[0], np.cumsum(counts)[:-1]])
        self._cycle = np.add.reduceat(whole, first)
        self._first, self._last = first, first + counts - 1
        self._drive, self._begins = drive, ends - whole - (ends - whole)[first][truck]
        # truck + share of its round done: one ascending array, so that one search finds the leg of any truck.
        self._marks = truck + self._begins / self._cycle[truck]
        a = self._roads.vectors[[leg.start for leg in legs]]
        b = self._roads.vectors[[leg.end for leg in legs]]
        across = b - a * np.sum(a * b, axis=1, keepdims=True)
        self._from, self._towards = a, across / np.linalg.norm(across, axis=1, keepdims=True)
        self._angle = angle_between(a, b)
        self._sway = np.array([leg.sway for leg in legs])

    @property
    def rate(self) -> float:
        """Reports a second of event time, by all trucks together."""
        return self.trucks / self.period

    def position(self, truck: int, t: float) -> Position:
        """Where truck number ``truck`` (from 0) is, ``t`` seconds after the start."""
        if not 0 <= truck < self.trucks:
            raise BadInput(f"There is no truck {truck}.", do=f"Trucks are 0 to {self.trucks - 1}.")
        p = self._at(np.array([truck]), np.array([float(t)]))
        return Position(*(float(v[0]) for v in (p.latitude, p.longitude, p.speed_kmh, p.heading_deg)))

    def at(self, t: float) -> Positions:
        """Where all trucks are, ``t`` seconds after the start; arrays in the order of ``truck_ids``."""
        return self._at(np.arange(self.trucks), np.full(self.trucks, float(t)))

    def reports(self, since: float, until: float) -> Iterator[Report]:
        """The reports with since ≤ t < until (seconds after the start), in the order of time, then of truck.

        :raises BadInput: ``since`` is before the start.
        """
        if not since >= 0:  # so that "not a number" is refused as well
            raise BadInput("The fleet has no reports from before its start.", seen=f"since={since}", do="Begin at 0.")
        return self._reports(math.ceil(since * 1000 - 1e-6), math.ceil(until * 1000 - 1e-6))

    def _reports(self, since_ms: int, until_ms: int) -> Iterator[Report]:
        sequence, last = since_ms // self._period_ms, (until_ms - 1) // self._period_ms
        step = max(1, _BATCH // self.trucks)
        while sequence <= last:
            rounds = np.arange(sequence, min(sequence + step, last + 1), dtype=np.int64)
            sequence += step
            numbers = np.repeat(rounds, self.trucks)
            trucks = np.tile(self._order, len(rounds))
            times = self._phase_ms[trucks] + numbers * self._period_ms
            due = (times >= since_ms) & (times < until_ms)
            yield from self._made(trucks[due], numbers[due], times[due])

    def _made(
        self, trucks: npt.NDArray[np.intp], numbers: npt.NDArray[np.int64], ms: npt.NDArray[np.int64]
    ) -> Iterator[Report]:
        where = self._at(trucks, ms / 1000.0)
        columns = (
            trucks.tolist(),
            numbers.tolist(),
            (ms + self.start).tolist(),
            np.round(where.latitude, 5).tolist(),  # about a metre, as good as GPS
            np.round(where.longitude, 5).tolist(),
            np.round(where.speed_kmh, 1).tolist(),
            (np.round(where.heading_deg, 1) % 360.0).tolist(),
        )
        ids = self.truck_ids
        for truck, number, time, latitude, longitude, speed, heading in zip(*columns, strict=True):
            yield Report(f"{ids[truck]}-{number:06}", ids[truck], time, latitude, longitude, speed, heading)

    def _at(self, truck: npt.NDArray[np.intp], t: Floats) -> Positions:
        """Positions of pairs (truck, t), two arrays of one shape."""
        done = (self._head_start[truck] + t / self._cycle[truck]) % 1.0
        leg = np.clip(
            np.searchsorted(self._marks, truck + done, side="right") - 1, self._first[truck], self._last[truck]
        )
        share = (done * self._cycle[truck] - self._begins[leg]) / self._drive[leg]
        moving = share < 1.0
        share = np.clip(share, 0.0, 1.0)
        waves = 2 * np.pi * self._sway[leg, :, 1]
        amplitude = self._sway[leg, :, 0]
        # Speed varies as 1 + Σ a·cos(2πkx); this is its integral, so that speed and distance agree exactly.
        travelled = share + np.sum(amplitude * np.sin(waves * share[:, None]) / waves, axis=1)
        pace = 1.0 + np.sum(amplitude * np.cos(waves * share[:, None]), axis=1)
        angle = self._angle[leg]
        speed = np.where(moving, EARTH_KM * angle / self._drive[leg] * 3600.0 * pace, 0.0)
        turn = (angle * travelled)[:, None]
        at = self._from[leg] * np.cos(turn) + self._towards[leg] * np.sin(turn)
        along = self._towards[leg] * np.cos(turn) - self._from[leg] * np.sin(turn)
        longitude = np.arctan2(at[:, 1], at[:, 0])
        east = np.cos(longitude) * along[:, 1] - np.sin(longitude) * along[:, 0]
        north = along[:, 2] / np.hypot(at[:, 0], at[:, 1])
        latitude = np.arctan2(at[:, 2], np.hypot(at[:, 0], at[:, 1]))
        heading = np.degrees(np.arctan2(east, north)) % 360.0
        return Positions(np.degrees(latitude), np.degrees(longitude), speed, heading)

    def __repr__(self) -> str:
        return f"Fleet(trucks={self.trucks}, seed={self.seed}, period={self.period:g}, start={self.start})"
