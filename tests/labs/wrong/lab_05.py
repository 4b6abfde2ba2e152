"""Lab 05: what people answer, and the word that the check has for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from kafkalab import Cluster
from kafkalab.course.lab_05.brokers import address
from kafkalab.state.model import Partition
from tests.support.answers import Answers


def who_has_nothing_of_it(cluster: Cluster) -> Answers:
    def seen(read: Callable[[set[int], list[Partition]], Any]) -> Callable[[str], Any]:
        def answer(topic: str) -> Any:
            snapshot = cluster.snapshot()
            return read({b.id for b in snapshot.brokers}, [p for p in snapshot.partitions() if p.topic == topic])

        return answer

    return Answers(
        {
            "follows the leader": seen(lambda ids, partitions: ids - {p.leader for p in partitions}),
            "is a partition's number": seen(lambda ids, partitions: [p.partition for p in partitions]),
            "no broker has everything": lambda topic: [],
            "leads a partition of it": seen(lambda ids, partitions: [p.leader for p in partitions]),
        },
        [seen(lambda ids, partitions: np.array([*ids - {b for p in partitions for b in p.replicas}], dtype=int))],
    )


def where_it_will_write(cluster: Cluster) -> Answers:
    def seen(read: Callable[[Partition], int]) -> Callable[[str, str, int], str]:
        def answer(servers: str, topic: str, partition: int) -> str:
            (found,) = [p for p in cluster.snapshot().partitions() if (p.topic, p.partition) == (topic, partition)]
            return address(cluster, read(found))

        return answer

    return Answers(
        {
            "P2 is led by": seen(lambda partition: partition.isr[0]),
            "follows at this moment": seen(lambda partition: partition.replicas[0]),
            "is the address that your function was given": lambda servers, topic, partition: servers,
            "is not the address of a broker": lambda servers, topic, partition: "127.0.0.1:1",
        }
    )


def an_address_to_rely_on(cluster: Cluster) -> Answers:
    every = cluster.bootstrap_servers
    one, two, *_ = servers = every.split(",")
    # The lab has five by now.
    too_many = {"longer than it must be": every} if len(servers) > 3 else {}
    return Answers(
        {
            **too_many,
            "has nobody to ask": one,
            "With 101 and 102 down": f"{one},{two}",
            "they go down together": f"{one},{two},{one.replace('127.0.0.1', 'localhost')}",
            "No broker answers": f"{one},{two},127.0.0.1:1",
            "is not an address": f"PLAINTEXT://{one}",
            "'127.0.0.1:²' is not an address": "127.0.0.1:²",
            "have commas between them": ";".join(servers),
        }
    )


def hops(read: Callable[[str, dict[int, str], list[str]], Any]) -> Callable[..., Any]:
    """An answer that knows when not even the bootstrap server is there."""
    return lambda boot, told, up: read(boot, told, up) if boot in up else "bootstrap"


ALONE = {
    "05.4": Answers(
        {
            "is missing": hops(lambda boot, told, up: []),
            "hears no metadata": lambda boot, told, up: [id for id, at in told.items() if at not in up],
            "can be reached where it says": hops(lambda boot, told, up: [id for id, at in told.items() if at != boot]),
            "The way goes on": lambda boot, told, up: [] if {*told.values()} <= {*up} else "bootstrap",
            "is not the id of one of those brokers": hops(lambda boot, told, up: {*told.values()} - {*up}),
            "The only text": lambda *_: "connection",
            "True is not the id": hops(lambda *_: [True]),
        },
        [hops(lambda boot, told, up: np.array([id for id, at in told.items() if at not in up], dtype=int))],
        tries=20,
    )
}
ON_CLUSTER = {"05.1": who_has_nothing_of_it, "05.2": where_it_will_write, "05.3": an_address_to_rely_on}
