"""The truck fleet: a simulation that is a pure function of its seed, the same on every machine."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from random import Random
from typing import Generic, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from kafkalab.errors import BadInput
from kafkalab.home import dataset
from kafkalab.sources.report import Report
from kafkalab.views.map.geography import EARTH_KM, Floats

# --- The road network the fleet drives on: real cities, and great circles between neighbouring ones.


@dataclass(frozen=True, slots=True)
class City:
    """A city: latitude and longitude in degrees, population in people."""

    name: str
    country: str
    latitude: float
    longitude: float
    population: int


@dataclass(frozen=True, slots=True, eq=False)
class Roads:
    """Cities and the roads between neighbours.

    ``vectors``: shape (cities, 3), unit vectors from the Earth's centre. ``km``: shape (cities, cities), length of the
    shortest way along roads. ``onward``: shape (cities, cities), the next city on that way.
    """

    cities: tuple[City, ...]
    links: tuple[tuple[int, int], ...]
    vectors: Floats
    km: Floats
    onward: npt.NDArray[np.intp]

    def way(self, start: int, end: int) -> list[int]:
        """Return the cities on the shortest way, both ends included."""
        cities = [start]
        while cities[-1] != end:
            cities.append(int(self.onward[cities[-1], end]))
        return cities


@cache
def roads() -> Roads:
    """Return Europe's road network, from ``datasets/europe_places.json``; the file is read once."""
    places = json.loads(dataset("europe_places.json").read_text(encoding="utf-8"))
    cities = tuple(City(**city) for city in places["cities"])
    links = tuple((a, b) for a, b in places["roads"])
    vectors = unit_vectors(np.array([c.latitude for c in cities]), np.array([c.longitude for c in cities]))
    km, onward = _shortest(vectors, links)
    return Roads(cities, links, vectors, km, onward)


def unit_vectors(latitude: Floats, longitude: Floats) -> Floats:
    """Return latitudes and longitudes in degrees, shape (n,), as unit vectors, shape (n, 3)."""
    lat, lon = np.radians(latitude), np.radians(longitude)
    return np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], axis=-1)


def angle_between(a: Floats, b: Floats) -> Floats:
    """Return the angles in radians between unit vectors, shape (…, 3); exact for small ones too, unlike arccos."""
    cross = np.linalg.norm(np.cross(a, b), axis=-1)
    angle: Floats = np.arctan2(cross, np.sum(a * b, axis=-1))
    return angle


def _shortest(vectors: Floats, links: tuple[tuple[int, int], ...]) -> tuple[Floats, npt.NDArray[np.intp]]:
    """Return ``km`` and ``onward`` of :class:`Roads`, by Floyd and Warshall's algorithm, one pivot city at a time."""
    n = len(vectors)
    km = np.full((n, n), np.inf)
    onward = np.tile(np.arange(n), (n, 1))
    np.fill_diagonal(km, 0.0)
    a, b = np.array(links).T
    km[a, b] = km[b, a] = EARTH_KM * angle_between(vectors[a], vectors[b])
    for pivot in range(n):
        through = km[:, pivot, None] + km[pivot]
        shorter = through < km
        km = np.where(shorter, through, km)
        onward = np.where(shorter, onward[:, pivot, None], onward)
    return km, onward


# --- Tours: each truck repeats a round of deliveries along the roads, with its rests.


#: Mean speed on a road, km/h, from and to; along it the speed sways by up to 12 %. Lorries in the EU may drive 90 km/h.
MEAN_KMH = (66.0, 80.0)
SWAY = (0.08, 0.04)
#: Hours of driving after which the EU demands a break, and seconds of the break (no rest at night: a colleague drives).
DRIVE_HOURS, BREAK_SECONDS = 4.5, 45 * 60.0
#: Seconds for loading and unloading at a customer, from and to; distance of the next customer in km, from and to.
DELIVERY_SECONDS = (20 * 60.0, 75 * 60.0)
NEXT_KM = (180.0, 900.0)
#: Number of deliveries in a round.
DELIVERIES = 4


@dataclass(frozen=True, slots=True)
class Leg:
    """A road from city to city in ``seconds`` of driving, then ``rest`` seconds of standing still.

    ``sway``: two pairs (amplitude, number of waves on this road) by which the speed varies along it.
    """

    start: int
    end: int
    seconds: float
    rest: float
    sway: tuple[tuple[float, int], tuple[float, int]]


def tour(roads: Roads, random: Random) -> list[Leg]:
    """Return the closed round of one truck, of at least two legs; the same for the same state of ``random``.

    It calls only ``random.random()``, because Python promises that this gives the same numbers in every version.
    """
    home = _choose(random, range(len(roads.cities)), [c.population for c in roads.cities])
    legs: list[Leg] = []
    driven = 0.0
    for start, customer in pairwise([home, *_customers(roads, random, home), home]):
        for a, b in pairwise(way := roads.way(start, customer)):
            hours = float(roads.km[a, b]) / _between(random, MEAN_KMH)
            if legs and legs[-1].rest == 0.0 and driven + hours > DRIVE_HOURS:
                legs[-1] = Leg(legs[-1].start, legs[-1].end, legs[-1].seconds, BREAK_SECONDS, legs[-1].sway)
                driven = 0.0
            driven += hours
            rest = _between(random, DELIVERY_SECONDS) if b == way[-1] else 0.0
            if rest:
                driven = 0.0
            sway = ((SWAY[0] * random.random(), 1 + int(3 * random.random())), (SWAY[1], 5 + int(8 * random.random())))
            legs.append(Leg(a, b, hours * 3600.0, rest, sway))
    return legs


def _customers(roads: Roads, random: Random, home: int) -> Iterator[int]:
    here = home
    for _ in range(DELIVERIES):
        reach = [i for i, km in enumerate(roads.km[here].tolist()) if NEXT_KM[0] <= km <= NEXT_KM[1] and i != home]
        # The square root keeps London and Istanbul from drawing every lorry.
        here = _choose(random, reach, [roads.cities[i].population ** 0.5 for i in reach])
        yield here


def _between(random: Random, bounds: tuple[float, float]) -> float:
    return bounds[0] + (bounds[1] - bounds[0]) * random.random()


def _choose(random: Random, options: list[int] | range, weights: list[float] | list[int]) -> int:
    left = random.random() * sum(weights)
    for option, weight in zip(options, weights, strict=True):
        left -= weight
        if left < 0:
            return option
    return options[-1]


#: Event time of the fleet's start: Monday 5 January 2026, 06:00 UTC, in milliseconds since 1970.
START = 1_767_592_800_000

#: Approximate number of reports computed at a time: enough for numpy to be quick, few enough to need little memory.
_BATCH = 4096


Number = TypeVar("Number", float, Floats)


class Position(NamedTuple, Generic[Number]):
    """A truck's position: degrees, km/h, and heading in degrees (0 = north, clockwise; kept while the truck rests).

    Of several trucks: arrays of one shape.
    """

    latitude: Number
    longitude: Number
    speed_kmh: Number
    heading_deg: Number


class Fleet:
    """Trucks that go from city to city along great circles, rest, and report once every ``period``.

    :param trucks: number of trucks. A truck is the same in a fleet of any size.
    :param seed: another seed gives another fleet.
    :param period: seconds of event time between two reports of a truck.
    :raises BadInput: not 1 to 100 000 trucks, or a period below a millisecond.
    """

    def __init__(self, trucks: int = 1000, seed: int = 7, period: float = 20.0) -> None:
        if not 1 <= trucks <= 100_000:
            raise BadInput("A fleet has 1 to 100 000 trucks.", seen=f"trucks={trucks!r}", do="Ask for 1000, say.")
        if not (math.isfinite(period) and period >= 0.001):
            raise BadInput("The period must be 0.001 seconds or more.", seen=f"period={period!r}", do="Leave it at 20.")
        self.trucks = trucks
        self.seed = seed
        self.period = period
        self.truck_ids = tuple(f"T{i:04}" for i in range(trucks))
        self._roads = roads()
        self._period_ms = round(period * 1000)
        randoms = [Random(f"fleet {seed} truck {i}") for i in range(trucks)]
        # Each truck has its own moment within the period, so that reports flow evenly and not in bursts.
        self._phase_ms = np.array([int(r.random() * self._period_ms) for r in randoms], dtype=np.int64)
        self._order = np.lexsort((np.arange(trucks), self._phase_ms))
        self._head_start = np.array([r.random() for r in randoms])
        self._lay_out([tour(self._roads, r) for r in randoms])

    def _lay_out(self, tours: list[list[Leg]]) -> None:
        """Make flat arrays of all legs of all trucks, one after another, which ``_at`` can index."""
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
        # Truck number + share of its round done: one ascending array, so that one search finds the leg of any truck.
        self._marks = truck + self._begins / self._cycle[truck]
        a = self._roads.vectors[[leg.start for leg in legs]]
        b = self._roads.vectors[[leg.end for leg in legs]]
        across = b - a * np.sum(a * b, axis=1, keepdims=True)
        self._from, self._towards = a, across / np.linalg.norm(across, axis=1, keepdims=True)
        self._angle = angle_between(a, b)
        self._sway = np.array([leg.sway for leg in legs])

    @property
    def rate(self) -> float:
        """Reports per second of event time, by all trucks together."""
        return self.trucks / self.period

    def position(self, truck: int, t: float) -> Position[float]:
        """Return the position of truck number ``truck`` (from 0), ``t`` seconds after the start."""
        if not 0 <= truck < self.trucks:
            raise BadInput(f"There is no truck {truck}.", do=f"Give a number from 0 to {self.trucks - 1}.")
        return Position(*(float(column[0]) for column in self._at(np.array([truck]), np.array([float(t)]))))

    def at(self, t: float) -> Position[Floats]:
        """Return the positions of all trucks, ``t`` seconds after the start; arrays in the order of ``truck_ids``."""
        return self._at(np.arange(self.trucks), np.full(self.trucks, float(t)))

    def reports(self, since: float, until: float) -> Iterator[Report]:
        """Return the reports with since ≤ t < until (seconds after the start), in the order of time, then of truck.

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
            (ms + START).tolist(),
            np.round(where.latitude, 5).tolist(),  # to about a metre, as exact as GPS
            np.round(where.longitude, 5).tolist(),
            np.round(where.speed_kmh, 1).tolist(),
            (np.round(where.heading_deg, 1) % 360.0).tolist(),
        )
        ids = self.truck_ids
        for truck, number, time, latitude, longitude, speed, heading in zip(*columns, strict=True):
            yield Report(f"{ids[truck]}-{number:06}", ids[truck], time, latitude, longitude, speed, heading)

    def _at(self, truck: npt.NDArray[np.intp], t: Floats) -> Position[Floats]:
        """Return the positions of pairs (truck, t), which are two arrays of one shape."""
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
        return Position(np.degrees(latitude), np.degrees(longitude), speed, heading)

    def __repr__(self) -> str:
        return f"Fleet(trucks={self.trucks}, seed={self.seed}, period={self.period:g})"
