"""Lab 01: what people answer, and the word that the check has for it."""

from __future__ import annotations

import json
import struct
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
from kafka import KafkaAdminClient, KafkaProducer

from kafkalab.course.lab_01.exercises import TEAMS, group_of
from kafkalab.exercises.topics import publish, read_all
from tests.labs.wrong.lab_00 import read
from tests.support.answers import Answers


def service(made: Callable[[dict[str, Any], int], Any], *, into: int = 2) -> Any:
    """A service; what is ``made`` of an order and its price goes to its source (1), its target (2) or nowhere (0)."""

    def price(*given: str) -> None:
        told = []
        for record in read_all(*given[:2]):
            order = json.loads(record.value)
            value = made(order, (3 + 2 * order["km"]) * (2 if order["waiting"] > order["free"] else 1))
            told.append(value if isinstance(value, bytes) else json.dumps(value).encode())
        if into:
            publish(given[0], given[into], [(None, value, None) for value in told])

    return price


def frames(raw: bytes) -> list[tuple[Any, ...]]:
    return list(struct.iter_unpack(">HBB", raw))


def sent(servers: str, topic: str, events: list[Any], *, as_bytes: Callable[[Any], bytes]) -> None:
    producer = KafkaProducer(bootstrap_servers=servers)
    for event in events:
        producer.send(topic, as_bytes(event))
    producer.close()


def to_json(event: Any) -> bytes:
    return json.dumps(event).encode()


def partitions(servers: str, topic: str) -> list[dict[str, Any]]:
    admin = KafkaAdminClient(bootstrap_servers=servers)
    (found,) = admin.describe_topics([topic])
    admin.close()
    held: list[dict[str, Any]] = found["partitions"]
    return held


ALONE = {
    "01.1": Answers(
        {
            "battery's charge is not asked for": frames,
            "The truck comes first": lambda raw: [(speed, truck) for truck, speed, _ in frames(raw)],
            "should be a tuple": lambda raw: [truck for truck, _, _ in frames(raw)],
            "and it returned": lambda raw: [(truck, battery) for truck, _, battery in frames(raw)],
            "items": lambda raw: [(0, 0)],
        },
        [
            lambda raw: np.array([one[:2] for one in frames(raw)], dtype=int).reshape(-1, 2),
            lambda raw: ([truck, speed] for truck, speed, _ in frames(raw)),
        ],
    )
}
#: More of what is told apart is in tests/unit/course/test_lab_01.py.
ON_CLUSTER = {
    "01.2": Answers(
        {
            "is not JSON": lambda s, t, events: sent(s, t, events, as_bytes=lambda event: str(event).encode()),
            "30 of 40 events had arrived": lambda s, t, events: sent(s, t, events[:30], as_bytes=to_json),
            "events were given, and 80 are": lambda s, t, events: sent(s, t, events * 2, as_bytes=to_json),
            "as it was given": lambda s, t, events: sent(s, t, events, as_bytes=lambda event: b'{"page": "/"}'),
        },
        [
            lambda s, t, events: sent(s, t, events, as_bytes=to_json),
            lambda s, t, events: publish(s, t, [(b"key", json.dumps(e, indent=1).encode(), None) for e in events]),
        ],
    ),
    "01.4": Answers(
        {
            "for each partition": lambda s, t: {p["partition_index"]: p["leader_id"] for p in partitions(s, t)},
            "followers don't count": lambda s, t: Counter(b for p in partitions(s, t) for b in p["replica_nodes"]),
            "not lists of them": lambda s, t: {p["leader_id"]: [p["partition_index"]] for p in partitions(s, t)},
            "is a dict": lambda s, t: [p["leader_id"] for p in partitions(s, t)],
            "and your function says": lambda s, t: {p["leader_id"]: 1 for p in partitions(s, t)},
        },
        [
            lambda s, t: Counter(p["leader_id"] for p in partitions(s, t)),
            lambda s, t: dict(
                zip(*np.unique([p["leader_id"] for p in partitions(s, t)], return_counts=True), strict=True)
            ),
        ],
        tries=3,
    ),
    "01.5": Answers(
        {
            "a reader in one of their groups": lambda s, t: read(s, *t, group=group_of(TEAMS[0])),
            "takes a group, and a commit": lambda s, t: read(s, *t),
            "and nothing from": lambda s, t: read(s, t[0], group="lab01-half"),
        },
        [
            lambda s, t: read(s, *t, group="lab01-auditors-a"),
            lambda s, t: tuple(read(s, *t, group="lab01-auditors-b")),
        ],
    ),
    "01.3": Answers(
        {
            "written to the topic it reads from": service(lambda order, cost: order, into=1),
            "nothing in the second topic": service(lambda order, cost: order, into=0),
            "is not JSON": service(lambda order, cost: str({"order": order["order"]}).encode()),
            "should have `order` and `price`": service(lambda order, cost: cost),
            "costs twice as much": service(lambda order, cost: {"order": order["order"], "price": 3 + 2 * order["km"]}),
        },
        [
            service(lambda order, cost: {"order": order["order"], "price": cost}),
            service(lambda order, cost: {"price": float(cost), "order": order["order"], "zone": order["zone"]}),
        ],
    ),
}
