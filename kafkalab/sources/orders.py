"""Orders: what the dispatcher asks of the trucks, the same on every machine, and partly impossible."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from random import Random
from typing import Final

from kafkalab.errors import BadInput
from kafkalab.sources.fleet import Fleet

#: Share of the orders that a truck reaches, and seconds after the order at which it is there, from and to.
REACHED: Final = 0.75
AHEAD: Final = (60.0, 540.0)
#: How near the truck must come, in kilometres, and how far off its way, in degrees of latitude, the other places are.
NEAR_KM: Final = 2.0
ASIDE: Final = (0.5, 1.0)


@dataclass(frozen=True, slots=True)
class Order:
    """One order: from ``time`` on, the truck has ten minutes to come within ``km`` kilometres of a place.

    ``order_id`` is its unique name ("T0042-o003": truck, number from 0). ``time`` is in milliseconds since 1970, UTC.
    """

    order_id: str
    truck_id: str
    time: int
    latitude: float
    longitude: float
    km: float

    @property
    def key(self) -> bytes:
        """The record's key: the truck id, so that the orders of a truck stay in order."""
        return self.truck_id.encode()

    @property
    def value(self) -> bytes:
        """The record's value: a JSON object of the fields."""
        return json.dumps(asdict(self)).encode()


class Orders:
    """Orders for all trucks of a fleet: a truck gets one in every ``period``.

    Three of four lead to a place on the truck's own way, where it is one to nine minutes later. The others lead to a
    place more than 50 km off, which it cannot reach in time.

    :param period: seconds of event time between two orders of a truck.
    :param seed: another seed gives other orders.
    :raises BadInput: a period below ten minutes, in which the orders of a truck would overlap.
    """

    def __init__(self, fleet: Fleet, period: float = 600.0, seed: int = 37) -> None:
        if not (math.isfinite(period) and period >= 600.0):
            raise BadInput("The period must be 600 seconds or more.", seen=f"period={period!r}", do="Leave it at 600.")
        self.fleet = fleet
        self.period = period
        self.seed = seed
        # Whole seconds, which are easier to read.
        self._phase = [int(Random(f"orders {seed} truck {i}").random() * period) for i in range(fleet.trucks)]

    def between(self, since: float, until: float) -> Iterator[Order]:
        """Return the orders with since ≤ t < until (seconds after the fleet's start), in the order of time.

        :raises BadInput: ``since`` is before the start.
        """
        if not since >= 0:
            raise BadInput(
                "There are no orders from before the fleet's start.", seen=f"since={since}", do="Begin at 0."
            )
        rounds = range(int(since // self.period), math.ceil(until / self.period))
        due = [(phase + n * self.period, truck, n) for truck, phase in enumerate(self._phase) for n in rounds]
        return (self._order(*one) for one in sorted(due) if since <= one[0] < until)

    def _order(self, t: float, truck: int, number: int) -> Order:
        random = Random(f"orders {self.seed} truck {truck} order {number}")
        lost = random.random() >= REACHED
        place = self.fleet.position(truck, t + AHEAD[0] + (AHEAD[1] - AHEAD[0]) * random.random())
        aside = ASIDE[0] + (ASIDE[1] - ASIDE[0]) * random.random() if lost else 0.0
        id = self.fleet.truck_ids[truck]
        # Towards the middle of Europe's latitudes, so that no place is beyond a pole.
        latitude = place.latitude + (aside if place.latitude < 50 else -aside)
        ms = self.fleet.start + int(t * 1000)
        return Order(f"{id}-o{number:03}", id, ms, round(latitude, 5), round(place.longitude, 5), NEAR_KM)

    def __repr__(self) -> str:
        return f"Orders({self.fleet!r}, period={self.period:g}, seed={self.seed})"
