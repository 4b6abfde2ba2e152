"""Judges exercise 01.3 of lab 01: a service reads rides from one topic and writes their prices to another."""

from __future__ import annotations

import json
import random
import uuid
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from kafkalab.checks.judging import Wrong, call, function_needed, kind_of
from kafkalab.checks.topics import passing_topic, publish, read_all

if TYPE_CHECKING:
    from kafkalab.cluster.cluster import Cluster

_RIDES: Final = 30
Ride = dict[str, Any]


def price_of(ride: Ride) -> int:
    """What a ride costs."""
    return int((3 + 2 * ride["km"]) * (2 if ride["waiting"] > ride["free"] else 1))


def service(cluster: Cluster, answer: Any) -> str:
    """Judge 01.3 by what is in the second topic afterwards, for rides that nobody could know beforehand."""
    function_needed(answer)
    servers = cluster.bootstrap_servers
    rides = _rides()
    with passing_topic(cluster, "lab01-asked", 2) as source, passing_topic(cluster, "lab01-told", 1) as target:
        publish(servers, source, [(None, json.dumps(ride).encode(), n % 2) for n, ride in enumerate(rides)])
        call(answer, servers, source, target, within=90, returns=False)
        there, told = len(read_all(servers, source)), read_all(servers, target)
    if there != len(rides):
        raise Wrong(f"{there - len(rides)} records were written to the topic it reads from; prices go to the other.")
    if not told:
        raise Wrong(
            "There is nothing in the second topic. Does it begin with the oldest ride, and does it wait until what it "
            "has handed to the producer was sent?"
        )
    _compare([_read(record.value) for record in told], {ride["ride"]: ride for ride in rides})
    return f"{len(rides)} rides in, {len(told)} prices out; it was a consumer and a producer."


def _rides() -> list[Ride]:
    """Rides of every sort: calm, crowded, and with as many waiting as are free."""
    made = []
    for n in range(_RIDES):
        free = random.randrange(0, 9)
        waiting = free + (0, random.randrange(1, 5), -random.randrange(0, free + 1))[n % 3]
        made.append(
            {"ride": f"r-{uuid.uuid4().hex[:8]}", "zone": random.choice(("harbour", "airport")),
             "km": random.randrange(1, 60), "waiting": waiting, "free": free}
        )  # fmt: skip
    return made


def _read(value: bytes | None) -> Ride:
    try:
        told = json.loads(value or b"")
    except ValueError:
        shown = repr((value or b"")[:60])[1:]
        raise Wrong(
            f"What is in the second topic is not JSON: {shown}. `json.dumps(…)` makes JSON of a dict."
        ) from None
    if not isinstance(told, dict) or not {"ride", "price"} <= told.keys():
        raise Wrong(f"A record of the second topic should have `ride` and `price`, and one is {json.dumps(told)[:80]}.")
    return told


def _compare(told: list[Ride], rides: dict[str, Ride]) -> None:
    ids = Counter(str(one["ride"]) for one in told)
    strange = [ride for ride in ids if ride not in rides]
    if strange:
        raise Wrong(f"There is a price for the ride {strange[0][:30]!r}, which nobody asked for.")
    missing = [ride for ride in rides if ride not in ids]
    if missing:
        raise Wrong(
            f"{len(missing)} of {len(rides)} rides have no price. Both partitions read, from the oldest record on? "
            "And is everything sent before it returns?"
        )
    twice = [ride for ride, count in ids.items() if count > 1]
    if twice:
        raise Wrong(f"{len(twice)} rides have more than one price; one record for each ride is asked for.")
    for one in told:
        ride = rides[str(one["ride"])]
        wanted = price_of(ride)
        if isinstance(one["price"], bool) or not isinstance(one["price"], int | float):
            raise Wrong(f"A price is a number, and one of them is {kind_of(one['price'])}.")
        if one["price"] != wanted:
            raise Wrong(_why(ride, one["price"], wanted))


def _why(ride: Ride, price: float, wanted: int) -> str:
    asked = f"{ride['km']} km, {ride['waiting']} waiting, {ride['free']} drivers free: it says {price}. "
    if ride["waiting"] == ride["free"]:
        return f"{asked}As many as are free is not more than are free."
    if price == 3 + 2 * ride["km"]:
        return f"{asked}More people are waiting than drivers are free, so it costs twice as much."
    if price == 2 * (3 + 2 * ride["km"]):
        return f"{asked}There are drivers enough, so nothing is doubled."
    return f"{asked}3 to begin with, 2 for each km, and the sum twice where it is crowded."
