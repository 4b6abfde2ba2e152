"""What each truck does, for ever and again: a round of deliveries along the roads, with its rests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from kafkalab.sources.roads import Roads

#: Lorries in the EU are limited to 90 km/h: mean speed 66 to 80 on a road, and up to 12 % more or less along it.
MEAN_KMH = (66.0, 80.0)
SWAY = (0.08, 0.04)
#: Hours at the wheel after which the EU wants a break of 45 minutes (the night's rest is left out: a colleague drives).
DRIVE_HOURS, BREAK_SECONDS = 4.5, 45 * 60.0
#: Loading and unloading at a customer's, in seconds, and how far the next customer is, in km.
DELIVERY_SECONDS = (20 * 60.0, 75 * 60.0)
NEXT_KM = (180.0, 900.0)
DELIVERIES = 4


@dataclass(frozen=True, slots=True)
class Leg:
    """A road from city to city at ``kmh`` on average, then ``rest`` seconds of standing still.

    ``sway``: two (amplitude, whole waves on this road) pairs by which the speed varies along it.
    """

    start: int
    end: int
    seconds: float
    rest: float
    sway: tuple[tuple[float, int], tuple[float, int]]


def tour(roads: Roads, random: Random) -> list[Leg]:
    """The closed round of one truck, of at least two legs; the same for the same state of ``random``.

    Only ``random.random()`` is drawn from: Python promises that it gives the same numbers in every version.
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
