"""Lab 00's checks: the solutions pass; misconceptions, wrong kinds and blanks do not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from kafka import KafkaConsumer, TopicPartition

from kafkalab import Cluster
from kafkalab.checks import lab_00
from kafkalab.checks.topics import tidy
from kafkalab.errors import Unreachable
from tests.integration.lab_answers import accept_solution, raises, refuse_the_rest, reject


@pytest.fixture
def hello(one_cluster: Cluster) -> Iterator[Cluster]:
    tidy(one_cluster, prefix="lab00-")
    one_cluster.create_topic("lab00-hello", partitions=3, replication=3)
    yield one_cluster
    tidy(one_cluster, prefix="lab00-")


def test_00_1_read_all(one_cluster: Cluster) -> None:
    exercise = lab_00.exercises(one_cluster)[0]
    refuse_the_rest(exercise)

    def read(servers: str, topic: str, *, decode: bool = True, **settings: Any) -> list[Any]:
        settings = {"auto_offset_reset": "earliest", "consumer_timeout_ms": 1000} | settings
        consumer = KafkaConsumer(topic, bootstrap_servers=servers, **settings)
        values = [record.value.decode() if decode else record.value for record in consumer]
        consumer.close()
        return values

    def one_partition(servers: str, topic: str) -> list[str]:
        consumer = KafkaConsumer(bootstrap_servers=servers, auto_offset_reset="earliest", consumer_timeout_ms=1000)
        consumer.assign([TopicPartition(topic, 0)])
        values = [record.value.decode() for record in consumer]
        consumer.close()
        return values

    reject(
        exercise,
        {
            "returned nothing": lambda s, t: read(s, t, auto_offset_reset="latest", consumer_timeout_ms=1000),
            "20 of 30 messages are missing": one_partition,
            "a list of text, and one of them is bytes": lambda s, t: read(s, t, decode=False),
            "Called again": lambda s, t: read(s, t, group_id=f"mine-{t}", consumer_timeout_ms=3000),
            "messages too many": lambda s, t: read(s, t) * 2,
            "Does it end with `return`?": lambda s, t: print() if read(s, t) is None else None,
        },
    )
    assert not [t.name for t in one_cluster.snapshot().topics if t.name.startswith("lab00-exercise")]
    accept_solution(exercise, "read_all", KafkaConsumer=KafkaConsumer)


def test_00_2_who_leads_now(hello: Cluster) -> None:
    exercise = lab_00.exercises(hello)[1]
    refuse_the_rest(exercise)
    hello.broker(102).stop()
    topic = hello.wait_for(
        lambda s: not s.broker(102).alive and all(p.leader for p in s.topic("lab00-hello").partitions)
    ).topic("lab00-hello")
    partition = next(p for p in topic.partitions if p.replicas[0] == 102)
    follower = next(b for b in partition.replicas if b not in (102, partition.leader))
    reject(
        exercise,
        {
            "it is down": 102,
            "follows another": follower,
            f"no broker {partition.partition}": partition.partition,
            "no broker 104": 104,
            "whole number": str(partition.leader),
        },
    )
    accept_solution(exercise, "leader", cluster=hello)


def test_00_2_without_the_topic_is_nobodys_fault(one_cluster: Cluster) -> None:
    tidy(one_cluster, prefix="lab00-")
    assert lab_00.exercises(one_cluster)[1].check(101).outcome == "could not be judged"


def test_00_3_copies_enough(one_cluster: Cluster) -> None:
    tidy(one_cluster, prefix="lab00-")
    exercise = lab_00.exercises(one_cluster)[2]
    refuse_the_rest(exercise)
    for name, partitions, replication in (("one", 4, 1), ("three", 3, 3), ("two", 4, 2)):
        one_cluster.create_topic(f"lab00-{name}", partitions=partitions, replication=replication)
    one_cluster.create_topic("00-elsewhere", partitions=4, replication=3)
    reject(
        exercise,
        {
            "keeps 1": "lab00-one",
            "has 3 partitions": "lab00-three",
            "keeps 2": "lab00-two",
            "no topic": "lab00-parcels",
            "leave 00-elsewhere behind": "00-elsewhere",
        },
    )
    one_cluster.delete_topic("00-elsewhere")
    accept_solution(exercise, "name", cluster=one_cluster)
    tidy(one_cluster, prefix="lab00-")


def test_with_nobody_there_no_answer_is_wrong() -> None:
    class Gone:
        bootstrap_servers = "127.0.0.1:1"

        def snapshot(self) -> Any:
            raise Unreachable("No broker answers at 127.0.0.1:1.")

        def create_topic(self, *args: Any, **kwargs: Any) -> None:
            self.snapshot()

    gone: Any = Gone()
    read, who, copies = lab_00.exercises(gone)
    assert {who.check(101).outcome, read.check(raises).outcome, copies.check("lab00-parcels").outcome} == {
        "could not be judged"
    }
