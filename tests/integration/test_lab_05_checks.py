"""The checks of lab 05, and what the lab does with brokers, on a real cluster."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from kafkalab import Cluster
from kafkalab.checks.lab_05 import exercises
from kafkalab.checks.lab_05_brokers import address, as_before, guests, join, place
from kafkalab.checks.lab_05_door import Door
from kafkalab.checks.lab_05_wire import ask
from kafkalab.errors import Unreachable
from tests.integration.lab_answers import accept, accept_solution, raises, refuse_the_rest, reject


def test_05_1_who_has_nothing_of_it(one_cluster: Cluster) -> None:
    exercise = exercises(one_cluster)[0]
    refuse_the_rest(exercise)

    def seen(read: Callable[[Any, Any], Any]) -> Callable[[str], Any]:
        def answer(topic: str) -> Any:
            snapshot = one_cluster.snapshot()
            return read({b.id for b in snapshot.brokers}, [p for p in snapshot.partitions() if p.topic == topic])

        return answer

    reject(
        exercise,
        {
            "follows the leader": seen(lambda ids, partitions: ids - {p.leader for p in partitions}),
            "is a partition's number": seen(lambda ids, partitions: [p.partition for p in partitions]),
            "no broker has everything": lambda topic: [],
            "leads a partition of it": seen(lambda ids, partitions: [p.leader for p in partitions]),
            "there is no broker 7": lambda topic: [7],
            "one of them is text": lambda topic: ["103"],
            "Does it end with `return`?": lambda topic: None,
        },
    )
    accept(exercise, seen(lambda ids, partitions: np.array([*ids - {b for p in partitions for b in p.replicas}])))
    accept_solution(exercise, "without", cluster=one_cluster)
    assert not [t.name for t in one_cluster.snapshot().topics if t.name.startswith("lab05-")]


def test_05_2_where_it_will_write(one_cluster: Cluster) -> None:
    exercise = exercises(one_cluster)[1]
    refuse_the_rest(exercise)

    def first_replica(servers: str, topic: str, partition: int) -> str:
        replicas = one_cluster.snapshot().topic(topic).partitions[partition].replicas  # type: ignore[union-attr]
        return address(one_cluster, replicas[0])

    def first_in_sync(servers: str, topic: str, partition: int) -> str:
        return address(one_cluster, one_cluster.snapshot().topic(topic).partitions[partition].isr[0])  # type: ignore[union-attr]

    reject(
        exercise,
        {
            "P2 is led by": first_in_sync,
            "is the address that your function was given": lambda servers, topic, partition: servers,
            "follows at this moment": first_replica,
            "is not the address of a broker": lambda servers, topic, partition: "127.0.0.1:1",
            "this is a whole number": lambda servers, topic, partition: ask(servers, topic).leaders[topic][partition],
        },
    )
    accept_solution(exercise, "leader_address", ask=ask)


def test_05_3_an_address_to_rely_on(one_cluster: Cluster) -> None:
    exercise = exercises(one_cluster)[2]
    refuse_the_rest(exercise)
    one, two, *_ = servers = one_cluster.bootstrap_servers.split(",")
    reject(
        exercise,
        {
            "has nobody to ask": one,
            "With 101 and 102 down": f"{one},{two}",
            "they go down together": f"{one},{two},{one.replace('127.0.0.1', 'localhost')}",
            "several lead to broker 101": f"{one},{one},{one}",
            "No broker answers": f"{one},{two},127.0.0.1:1",
            "is not an address": f"PLAINTEXT://{one}",
            "'127.0.0.1:99999' is not an address": f"{one},{two},127.0.0.1:99999",
            "'127.0.0.1:²' is not an address": "127.0.0.1:²",
            "No broker answers at aaaa": f"{'a' * 99}:9092",
            "nothing after the last comma": f"{','.join(servers)},",
            "have commas between them": ";".join(servers),
            "commas between them, and nothing else": " ".join(servers),
            "more than anybody needs": ",".join(servers * 20),
        },
    )
    accept_solution(exercise, "bootstrap", cluster=one_cluster)


def test_with_nobody_there_no_answer_is_wrong() -> None:
    class Gone:
        bootstrap_servers = "127.0.0.1:1"

        def snapshot(self) -> Any:
            raise Unreachable("No broker answers at 127.0.0.1:1.")

    gone: Any = Gone()
    who, where, whom, _ = exercises(gone)
    asked = [who.check(raises), where.check(raises), whom.check("127.0.0.1:1")]
    assert {result.outcome for result in asked} == {"could not be judged"}


def test_brokers_join_lie_and_leave_as_if_they_had_never_been_there(one_cluster: Cluster) -> None:
    before = [node.name for node in one_cluster.nodes()]
    three = ask(address(one_cluster, 101))
    assert join(one_cluster, 4) == [104]
    assert len(ask(address(one_cluster, 101)).response) == len(three.response) + three.bytes_each
    assert (join(one_cluster, 4), guests(one_cluster)) == ([], [104])
    place(one_cluster, "lab05-notices", {0: [104]})
    whom = exercises(one_cluster)[2]
    reject(whom, {"longer than it must be": one_cluster.bootstrap_servers})

    door = Door(one_cluster)
    door.advertise(door.nobody)
    told = ask(door.address, "lab05-notices")
    # By the door a client hears only of brokers that have one.
    assert (told.brokers, told.leaders) == ({104: door.nobody}, {"lab05-notices": {0: 104}})
    assert f"CLIENTS://{door.nobody}" in door.settings
    assert ask(address(one_cluster, 101)).brokers[104] == address(one_cluster, 104)
    door.advertise(None)
    assert ask(door.address).brokers == {104: door.address}
    door.close()

    # A kernel that died knows nothing any more; who joined stands beside the cluster, where another one finds it.
    assert guests(Cluster.attach(one_cluster.name)) == [104]
    for _ in range(2):
        as_before(one_cluster)
        assert [node.name for node in one_cluster.nodes()] == before
        assert guests(one_cluster) == []
    assert one_cluster.snapshot().topic("lab05-notices") is None
