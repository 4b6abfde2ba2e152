"""Lab 07: what people answer, and the word that the check has for it."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
from kafka import KafkaAdminClient, KafkaProducer
from kafka.admin import ConfigResource

from kafkalab import Cluster, read_all
from kafkalab.course.lab_07.exercises import ALARMS
from tests.support.answers import Answers, refused


def sent(read: Callable[[list[Any]], Any]) -> Callable[[str, str, list[bytes]], Any]:
    """An answer that sends all values, and makes its return value of the futures."""

    def answer(servers: str, topic: str, values: list[bytes]) -> Any:
        producer = KafkaProducer(bootstrap_servers=servers)
        futures = [producer.send(topic, value=value) for value in values]
        producer.flush()
        found = read(futures)
        producer.close()
        return found

    return answer


def receipts(futures: list[Any]) -> list[int]:
    return [future.get(timeout=60).offset for future in futures]


WHERE = Answers(
    {
        "only a receipt knows": sent(lambda futures: [*range(len(futures))]),
        "30 of 30 records are there, not at": sent(lambda futures: receipts(futures)[:1]),
        "0 of 30 records are there": lambda servers, topic, values: [len(values)],
        "is a list of whole numbers": sent(lambda futures: futures),
    },
    [sent(lambda futures: tuple(receipts(futures))), sent(lambda futures: np.array(receipts(futures)))],
)

REQUESTS = Answers(
    {
        "only about 0 records meet": {"batch_size": 200_000},
        "as soon as it's full": {"linger_ms": 400},
        "longer than 500 ms": {"linger_ms": 1000, "batch_size": 200_000},
        "does not take": {"linger": 300, "batch_size": 200_000},
        "The answer is a dict": [300, 200_000],
    },
    [{"linger_ms": 500, "batch_size": 150_000}, {"linger_ms": 250, "batch_size": 500_000, "acks": 1}],
)


def fate(acks: Any, in_sync: int, least: int) -> str:
    if acks != "all":
        return "lost"
    return "refused" if in_sync < least else "lost" if in_sync == 1 else "kept"


FATE = Answers(
    {
        "The leader acknowledges on its own": lambda acks, *rest: "kept" if acks == 1 else fate(acks, *rest),
        "No broker has confirmed anything": lambda acks, *rest: "kept" if acks == 0 else fate(acks, *rest),
        "`all` means those in sync": lambda *case: "refused" if case[0] == "all" and case[1] < 3 else fate(*case),
        "neither followers nor the floor": lambda *case: "refused" if case[1] < case[2] else fate(*case),
        "that's the leader alone": lambda *case: "kept" if case == ("all", 1, 1) else fate(*case),
        "Fewer are in sync": lambda *case: "kept" if case == ("all", 2, 3) else fate(*case),
        "'Lost' is wrong": lambda *case: fate(*case).title(),
    },
    [lambda *case: np.str_(fate(*case)), fate],
    tries=20,
)


def seen(read: Callable[[list[Any]], Any]) -> Callable[[str, str], Any]:
    return lambda servers, topic: read(read_all(servers, topic))


def several(values: list[Any]) -> list[Any]:
    return [value for value, count in Counter(values).items() if count > 1]


COPIES = Answers(
    {
        "is in your list, and is not": seen(lambda records: [record.value for record in records]),
        "b'T00": seen(lambda records: several([record.key for record in records])),
        "Your list has 10 items, 8 of them different": seen(
            lambda records: [v for v, n in Counter(r.value for r in records).items() for _ in range(n - 1)]
        ),
        "need not be neighbours": seen(
            lambda records: [a.value for a, b in itertools.pairwise(records) if a.value == b.value]
        ),
        "is a list of bytes": seen(lambda records: [v.decode() for v in several([r.value for r in records])]),
    },
    [
        seen(lambda records: set(several([record.value for record in records]))),
        seen(lambda records: tuple(several([record.value for record in records]))),
    ],
)


def repaired(cluster: Cluster) -> Answers:
    """Asked when the topic's floor is 3, and it is 3 again afterwards."""

    def floor(least: int) -> None:
        admin = KafkaAdminClient(bootstrap_servers=cluster.bootstrap_servers)
        admin.alter_configs([ConfigResource("TOPIC", ALARMS, {"min.insync.replicas": str(least)})])
        admin.close()

    refused(cluster, "07.5", {"acks": "all"}, "one broker down")
    floor(1)
    refused(cluster, "07.5", {"acks": "all"}, "acknowledge alone")
    floor(2)
    return Answers(
        {
            "acknowledged alarms are gone": {"acks": 1},
            "stored twice": {"acks": "all", "enable_idempotence": False},
            "Did your producer give up": {"retries": 0},
            "does not take": {"acks": 1, "enable_idempotence": True},
            "The answer is a dict": "all",
        },
        right=[{}, {"acks": -1, "linger_ms": 5, "max_in_flight_requests_per_connection": 1}],
        undo=lambda: floor(3),
    )


ALONE = {"07.3": FATE}
ON_CLUSTER = {"07.1": WHERE, "07.2": REQUESTS, "07.4": COPIES, "07.5": repaired}
