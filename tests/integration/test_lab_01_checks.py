"""Lab 01's checks on a cluster: a team more, and a service in the middle."""

from __future__ import annotations

import json
from typing import Any

from kafka import KafkaConsumer, KafkaProducer

from kafkalab import Cluster
from kafkalab.checks import lab_01
from kafkalab.checks.judging import kind_of
from kafkalab.checks.lab_01_target import TEAMS, group_of
from kafkalab.checks.topics import publish, read_all, tidy
from kafkalab.errors import Unreachable
from tests.integration.lab_answers import accept_solution, raises, refuse_the_rest, reject


def _read(servers: str, topics: list[str], group: str | None, **settings: Any) -> list[str]:
    settings = {"auto_offset_reset": "earliest", "consumer_timeout_ms": 3000} | settings
    consumer = KafkaConsumer(*topics, bootstrap_servers=servers, group_id=group, **settings)
    values = [record.value.decode() for record in consumer]
    consumer.close()
    return values


def test_01_2_the_next_team(one_cluster: Cluster) -> None:
    tidy(one_cluster, prefix="lab01-")
    exercise = lab_01.exercises(one_cluster)[1]
    refuse_the_rest(exercise)
    theirs = group_of(TEAMS[0])
    reject(
        exercise,
        {
            # A group is a name like any other; reading empties a topic; a consumer reads one topic. What else there is
            # is told apart in tests/unit/checks/test_lab_01.py, without waiting for readers.
            "who joins one of their groups": lambda s, t: _read(s, t, theirs),
            "takes a group, and a commit": lambda s, t: _read(s, t, None, consumer_timeout_ms=1000),
            "and nothing from": lambda s, t: _read(s, t[:1], "lab01-half"),
            f"one of them is {kind_of(b'')}": lambda s, t: [b"event"],
        },
    )
    accept_solution(exercise, "news", KafkaConsumer=KafkaConsumer)
    left = [topic.name for topic in one_cluster.snapshot().topics if topic.name.startswith("lab01-")]
    assert left == []
    tidy(one_cluster, prefix="lab01-")


def _service(wrong: Any = None, *, into: int = 2, send: bool = True) -> Any:
    """A service with a mistake: ``wrong`` makes the value to be sent out of a ride and its price."""

    def price(servers: str, source: str, target: str) -> None:
        told = []
        for record in read_all(servers, source):
            ride = json.loads(record.value)
            cost = (3 + 2 * ride["km"]) * (2 if ride["waiting"] > ride["free"] else 1)
            made = (wrong or (lambda ride, cost: {"ride": ride["ride"], "price": cost}))(ride, cost)
            told.append(made if isinstance(made, bytes) else json.dumps(made).encode())
        if send:
            publish(servers, (servers, source, target)[into], [(None, value, None) for value in told])

    return price


def test_01_3_surge_pricing(one_cluster: Cluster) -> None:
    exercise = lab_01.exercises(one_cluster)[2]
    refuse_the_rest(exercise)
    reject(
        exercise,
        {
            "written to the topic it reads from": _service(into=1),
            "nothing in the second topic": _service(send=False),
            "is not JSON": _service(lambda ride, cost: str({"ride": ride["ride"]}).encode()),
            "should have `ride` and `price`": _service(lambda ride, cost: cost),
            "costs twice as much": _service(lambda r, c: {"ride": r["ride"], "price": 3 + 2 * r["km"]}),
            "not more than are free": _service(
                lambda r, c: {"ride": r["ride"], "price": c * (2 if r["waiting"] == r["free"] else 1)}
            ),
            "A price is a number": _service(lambda ride, cost: {"ride": ride["ride"], "price": str(cost)}),
            "which nobody asked for": _service(lambda ride, cost: {"ride": "r001", "price": cost}),
        },
    )
    accept_solution(exercise, "price", KafkaConsumer=KafkaConsumer, KafkaProducer=KafkaProducer, json=json)


def test_with_nobody_there_no_answer_is_wrong() -> None:
    class Gone:
        bootstrap_servers = "127.0.0.1:1"

        def create_topic(self, *args: Any, **kwargs: Any) -> None:
            raise Unreachable("No broker answers at 127.0.0.1:1.")

    gone: Any = Gone()
    _, news, price = lab_01.exercises(gone)
    assert {news.check(raises).outcome, price.check(raises).outcome} == {"could not be judged"}
