"""The props of lab 23b: an hour of 40 trucks, the dispatcher's orders for them, and the table of their depots."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from kafkalab.exercises.topics import publish
from kafkalab.sources.fleet import Fleet
from kafkalab.sources.orders import Order, Orders
from kafkalab.sources.publish import Publisher

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster
    from kafkalab.sources.report import Report

TRUCKS: Final = "lab23b-trucks_gps"
ORDERS: Final = "lab23b-orders"
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
