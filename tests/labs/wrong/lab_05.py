"""Lab 05: what people answer, and the word that the check has for it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
from kafka import KafkaAdminClient

from kafkalab import Cluster
from kafkalab.course.lab_05.brokers import address
from kafkalab.state.model import Partition
from tests.support.answers import Answers, refused


def who_has_nothing_of_it(cluster: Cluster) -> Answers:
    def seen(read: Callable[[set[int], list[Partition]], Any]) -> Callable[[str, str], Any]:
        def answer(servers: str, topic: str) -> Any:
            snapshot = cluster.snapshot()
            return read({b.id for b in snapshot.brokers}, [p for p in snapshot.partitions() if p.topic == topic])

        return answer

    return Answers(
        {
            "follows the leader": seen(lambda ids, partitions: ids - {p.leader for p in partitions}),
            "is a partition's number": seen(lambda ids, partitions: [p.partition for p in partitions]),
            "a broker doesn't have everything": lambda servers, topic: [],
            "leads a partition of it": seen(lambda ids, partitions: [p.leader for p in partitions]),
        },
        [
            seen(lambda ids, partitions: np.array([*ids - {b for p in partitions for b in p.replicas}], dtype=int)),
            seen(lambda ids, partitions: tuple(ids - {b for p in partitions for b in p.replicas})),
        ],
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
        },
        [
            seen(lambda partition: partition.leader or 0),
            lambda *asked: np.str_(by_tool(cluster, *asked).replace("127.0.0.1", "localhost")),
        ],
    )


def by_tool(cluster: Cluster, servers: str, topic: str, partition: int) -> str:
    told = cluster.tool("kafka-topics", "--describe", "--topic", topic)
    found = re.search(rf"Partition: {partition}\s+Leader: (\d+)", told)
    assert found is not None
    return address(cluster, int(found[1]))


def from_one_to_all(cluster: Cluster) -> Answers:
    def asked(server: str) -> list[dict[str, Any]]:
        admin = KafkaAdminClient(bootstrap_servers=server)
        found: list[dict[str, Any]] = admin.describe_cluster()["brokers"]
        admin.close()
        return found

    def at(server: str) -> list[str]:
        return [f"{one['host']}:{one['port']}" for one in asked(server)]

    return Answers(
        {
            "only the address that it was given": lambda server: [server],
            "lacks the port": lambda server: [one["host"] for one in asked(server)],
            "is missing": lambda server: [one for one in at(server) if one != server],
            "is not the address of a broker": lambda server: [*at(server), "127.0.0.1:1"],
            "is a list": lambda server: ",".join(at(server)),
        },
        [lambda server: tuple(at(server)), lambda server: set(cluster.bootstrap_servers.split(","))],
    )


def repaired(cluster: Cluster) -> Answers:
    """Asked when CLIENTS of the last broker advertises a port without a program; it lies again afterwards."""
    broker = max(node.id for node in cluster.nodes() if node.role == "broker")
    folder: Any = cluster.backend
    file = folder.folder.settings(next(n for n in cluster.backend.layout if n.role == "broker" and n.id == broker))
    before = file.read_text()
    listens, lies = (
        re.findall(rf"^{key}=.*CLIENTS://(127\.0\.0\.1:\d+)", before.replace("\\", ""), re.M)[0]
        for key in ("listeners", "advertised.listeners")
    )
    refused(cluster, "05.6", listens, f"still sends its clients to {lies}")

    def restart(text: str) -> None:
        file.write_text(text)
        cluster.broker(broker).stop()
        cluster.broker(broker).start()
        cluster.wait_for(lambda s: all(p.leader for p in s.partitions()), 60, "every partition to have a leader")

    restart(before.replace(lies, listens))
    return Answers(
        {
            "brokers' own listener": address(cluster, broker),
            "No broker answers": lies,
            "is not an address": "CLIENTS",
            "is text": int(listens.rpartition(":")[2]),
        },
        right=[np.str_(listens), listens.replace("127.0.0.1", "localhost")],
        undo=lambda: restart(before),
    )


def an_address_to_rely_on(cluster: Cluster) -> Answers:
    every = cluster.bootstrap_servers
    one, two, *_ = servers = every.split(",")
    # The lab has five by now.
    too_many = {"longer than it must be": every} if len(servers) > 3 else {}
    return Answers(
        {
            **too_many,
            "has no broker to ask": one,
            "With 101 and 102 down": f"{one},{two}",
            "they go down together": f"{one},{two},{one.replace('127.0.0.1', 'localhost')}",
            "No broker answers": f"{one},{two},127.0.0.1:1",
            "is not an address": f"PLAINTEXT://{one}",
            "'127.0.0.1:²' is not an address": "127.0.0.1:²",
            "have commas between them": ";".join(servers),
        },
        [np.str_(",".join(servers[:3])), ", ".join(servers[-3:])],
    )


def hops(read: Callable[[str, dict[int, str], list[str]], Any]) -> Callable[..., Any]:
    """An answer that knows when not even the bootstrap server is there."""
    return lambda boot, told, up: read(boot, told, up) if boot in up else "bootstrap"


ALONE = {
    "05.5": Answers(
        {
            "is missing": hops(lambda boot, told, up: []),
            "hears no metadata": lambda boot, told, up: [id for id, at in told.items() if at not in up],
            "can be reached where it says": hops(lambda boot, told, up: [id for id, at in told.items() if at != boot]),
            "The way goes on": lambda boot, told, up: [] if {*told.values()} <= {*up} else "bootstrap",
            "is not the id of one of those brokers": hops(lambda boot, told, up: {*told.values()} - {*up}),
            "The only text": lambda *_: "connection",
            "True is not the id": hops(lambda *_: [True]),
        },
        [
            hops(lambda boot, told, up: np.array([id for id, at in told.items() if at not in up], dtype=int)),
            hops(lambda boot, told, up: {id for id, at in told.items() if at not in up}),
        ],
        tries=20,
    )
}
ON_CLUSTER = {
    "05.1": from_one_to_all,
    "05.2": who_has_nothing_of_it,
    "05.3": where_it_will_write,
    "05.4": an_address_to_rely_on,
    "05.6": repaired,
}
