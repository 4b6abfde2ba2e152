"""Lab 01: what people answer, and the word that the check has for it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from kafka import KafkaConsumer

from kafkalab.checks.judging import kind_of
from kafkalab.checks.lab_01_target import TEAMS, group_of
from kafkalab.checks.topics import publish, read_all
from tests.support.answers import Answers


def read(servers: str, topics: list[str], group: str | None, timeout: int = 3000) -> list[str]:
    settings = {"auto_offset_reset": "earliest", "consumer_timeout_ms": timeout}
    consumer = KafkaConsumer(*topics, bootstrap_servers=servers, group_id=group, **settings)
    values = [record.value.decode() for record in consumer]
    consumer.close()
    return values


def service(made: Callable[[dict[str, Any], int], Any], *, into: int = 2) -> Any:
    """A service; what is ``made`` of a ride and its price goes to its source (1), its target (2) or nowhere (0)."""

    def price(*given: str) -> None:
        told = []
        for record in read_all(*given[:2]):
            ride = json.loads(record.value)
            value = made(ride, (3 + 2 * ride["km"]) * (2 if ride["waiting"] > ride["free"] else 1))
            told.append(value if isinstance(value, bytes) else json.dumps(value).encode())
        if into:
            publish(given[0], given[into], [(None, value, None) for value in told])

    return price


ALONE = {
    "01.1": Answers(
        {
            "what does that save": lambda n, m: (n * m, n * m),
            "draw the 6 lines": lambda n, m: (n + m, n + m),
            "better or worse": lambda n, m: (n + m, n * m),
            "is there already": lambda n, m: (n * m, n + m + 1),
            "has both a source and a target": lambda n, m: (n * m, 2 * n * m),
            "programs of the sources": lambda n, m: (n * m, n),
            "programs of the targets": lambda n, m: (n * m, m),
            "sources and": lambda n, m: (24, 10),
            "one program for each source": lambda n, m: (n * m, max(n, m) + 3),
            "is a list, and this is a whole number": lambda n, m: n * m + n + m,
            "Two numbers": lambda n, m: (n * m,),
            "is a whole number": lambda n, m: (f"{n * m}", n + m),
            "is a list, and this is a dict": lambda n, m: {n * m: n + m},
        },
        [lambda n, m: [n * m, n + m], lambda n, m: (x for x in (n * m, n + m))],
    )
}
#: More of what is told apart is in tests/unit/checks/test_lab_01.py.
ON_CLUSTER = {
    "01.2": Answers(
        {
            "who joins one of their groups": lambda s, t: read(s, t, group_of(TEAMS[0])),
            "takes a group, and a commit": lambda s, t: read(s, t, None, 1000),
            "and nothing from": lambda s, t: read(s, t[:1], "lab01-half"),
            f"one of them is {kind_of(b'')}": lambda s, t: [b"event"],
        }
    ),
    "01.3": Answers(
        {
            "written to the topic it reads from": service(lambda ride, cost: ride, into=1),
            "nothing in the second topic": service(lambda ride, cost: ride, into=0),
            "is not JSON": service(lambda ride, cost: str({"ride": ride["ride"]}).encode()),
            "should have `ride` and `price`": service(lambda ride, cost: cost),
            "costs twice as much": service(lambda ride, cost: {"ride": ride["ride"], "price": 3 + 2 * ride["km"]}),
        }
    ),
}
