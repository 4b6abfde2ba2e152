"""The props of lab 23b: an hour of 40 trucks, the dispatcher's orders for them, and the table of their depots."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from random import Random
from typing import TYPE_CHECKING, Any, Final

from kafkalab.exercises.topics import publish
from kafkalab.sources.fleet import START, Fleet
from kafkalab.sources.publish import Publisher

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster
    from kafkalab.sources.report import Report

# --- Orders: what the dispatcher asks of the trucks, the same on every machine, and partly impossible.


#: Seconds of event time between two orders of a truck: none of them overlap, as each leaves it ten minutes.
PERIOD: Final = 600.0
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
    """Orders for all trucks of a fleet: a truck gets one in every ``PERIOD`` seconds of event time.

    Three of four lead to a place on the truck's own way, where it is one to nine minutes later. The others lead to a
    place more than 50 km off, which it cannot reach in time. Another seed gives other orders.
    """

    def __init__(self, fleet: Fleet, seed: int = 37) -> None:
        self.fleet = fleet
        self.seed = seed
        # Whole seconds, which are easier to read.
        self._phase = [int(Random(f"orders {seed} truck {i}").random() * PERIOD) for i in range(fleet.trucks)]

    def between(self, since: float, until: float) -> Iterator[Order]:
        """Return the orders with since ≤ t < until (seconds after the fleet's start), in the order of time."""
        rounds = range(int(since // PERIOD), math.ceil(until / PERIOD))
        due = [(phase + n * PERIOD, truck, n) for truck, phase in enumerate(self._phase) for n in rounds]
        return (self._order(*one) for one in sorted(due) if since <= one[0] < until)

    def _order(self, t: float, truck: int, number: int) -> Order:
        random = Random(f"orders {self.seed} truck {truck} order {number}")
        lost = random.random() >= REACHED
        place = self.fleet.position(truck, t + AHEAD[0] + (AHEAD[1] - AHEAD[0]) * random.random())
        aside = ASIDE[0] + (ASIDE[1] - ASIDE[0]) * random.random() if lost else 0.0
        id = self.fleet.truck_ids[truck]
        # Towards the middle of Europe's latitudes, so that no place is beyond a pole.
        latitude = place.latitude + (aside if place.latitude < 50 else -aside)
        ms = START + int(t * 1000)
        return Order(f"{id}-o{number:03}", id, ms, round(latitude, 5), round(place.longitude, 5), NEAR_KM)


# --- The stage of the lab.


TRUCKS: Final = "lab23b-trucks_gps"
#: 40 trucks, of which Mara's T0005 is one; she doesn't reach the place of her order of 06:20:39.
fleet: Final = Fleet(trucks=40)
_orders: Final = Orders(fleet)
_CITIES: Final = ("Lille", "Köln", "Hamburg", "Berlin")
#: The table of depots, as records (key, value): T0012 and T0027 are new and have none yet.
HOMES: Final = [(id, _CITIES[n % 4]) for n, id in enumerate(fleet.truck_ids) if n not in (12, 27)]


def _second(at: str) -> int:
    """Return the seconds since 06:00 of a time of day, "06:32"."""
    hour, minute = at.split(":")
    return (int(hour) - 6) * 3600 + int(minute) * 60


def reports(since: str, until: str) -> list[Report]:
    """Return the reports of all trucks from a time of day ("06:00") to before another."""
    return list(fleet.reports(_second(since), _second(until)))


def orders(since: str, until: str) -> list[Order]:
    """Return the orders that were given from a time of day to before another."""
    return list(_orders.between(_second(since), _second(until)))


def send(cluster: Cluster, topic: str, things: Iterable[Any]) -> int:
    """Send reports, orders, or pairs of key and value as text; wait for all, and return how many they are."""
    records = [
        (one[0].encode(), one[1].encode(), None) if isinstance(one, tuple) else (one.key, one.value, None)
        for one in things
    ]
    publish(cluster.bootstrap_servers, topic, records)
    return len(records)


def drive(cluster: Cluster, since: str) -> Publisher:
    """Let the trucks drive on, 20 times as fast as the clock: 40 reports a second."""
    return Publisher(cluster.bootstrap_servers, fleet, TRUCKS, lapse=20, since=_second(since)).start()
