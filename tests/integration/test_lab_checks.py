"""The checks of the labs: the solution passes, and misconceptions, wrong kinds and blanks do not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from kafka import KafkaConsumer, TopicPartition
from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as sf

import kafkalab
from kafkalab import Cluster
from kafkalab.checks import lab_00, lab_21
from kafkalab.checks.topics import publish, read_all, tidy
from kafkalab.errors import KafkalabError, Unreachable
from kafkalab.sources.fleet import Fleet
from kafkalab.streams import jobs
from tests.integration.lab_answers import accept_solution, raises, refuse_the_rest, reject

Name = Callable[[str], str]


# lab 00


@pytest.fixture
def hello(one_cluster: Cluster) -> Iterator[Cluster]:
    tidy(one_cluster, "hello", "parcels")
    one_cluster.create_topic("hello", partitions=3, replication=3)
    yield one_cluster
    tidy(one_cluster, "hello", "parcels")


def test_00_1_who_leads_now(hello: Cluster) -> None:
    exercise = lab_00.exercises(hello)[0]
    refuse_the_rest(exercise)
    hello.broker(102).stop()
    topic = hello.wait_for(
        lambda s: not s.broker(102).alive and all(p.leader for p in s.topic("hello").partitions)
    ).topic("hello")
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


def test_00_1_without_the_topic_is_nobodys_fault(one_cluster: Cluster) -> None:
    tidy(one_cluster, "hello")
    assert lab_00.exercises(one_cluster)[0].check(101).outcome == "could not be judged"


def test_00_2_read_all(one_cluster: Cluster) -> None:
    exercise = lab_00.exercises(one_cluster)[1]
    refuse_the_rest(exercise)

    def read(servers: str, topic: str, *, decode: bool = True, **settings: Any) -> list[Any]:
        settings = {"auto_offset_reset": "earliest", "consumer_timeout_ms": 3000} | settings
        consumer = KafkaConsumer(topic, bootstrap_servers=servers, **settings)
        values = [record.value.decode() if decode else record.value for record in consumer]
        consumer.close()
        return values

    def one_partition(servers: str, topic: str) -> list[str]:
        consumer = KafkaConsumer(bootstrap_servers=servers, auto_offset_reset="earliest", consumer_timeout_ms=2000)
        consumer.assign([TopicPartition(topic, 0)])
        values = [record.value.decode() for record in consumer]
        consumer.close()
        return values

    reject(
        exercise,
        {
            "returned nothing": lambda s, t: read(s, t, auto_offset_reset="latest", consumer_timeout_ms=1000),
            "20 of 30 messages are missing": one_partition,
            "one of them is bytes": lambda s, t: read(s, t, decode=False),
            "Called again": lambda s, t: read(s, t, group_id=f"mine-{t}", consumer_timeout_ms=5000),
            "messages too many": lambda s, t: read(s, t) * 2,
            "this is None": lambda s, t: print() if read(s, t) is None else None,
        },
    )
    assert not [t.name for t in one_cluster.snapshot().topics if t.name.startswith("exercise-")]
    accept_solution(exercise, "read_all", KafkaConsumer=KafkaConsumer)


def test_00_3_copies_enough(one_cluster: Cluster, new_topic: Name) -> None:
    tidy(one_cluster, "parcels")
    exercise = lab_00.exercises(one_cluster)[2]
    refuse_the_rest(exercise)
    single, swapped, two = new_topic("single"), new_topic("swapped"), new_topic("two")
    one_cluster.create_topic(single, partitions=4, replication=1)
    one_cluster.create_topic(swapped, partitions=3, replication=3)
    one_cluster.create_topic(two, partitions=4, replication=2)
    reject(exercise, {"keeps 1": single, "has 3 partitions": swapped, "keeps 2": two, "no topic": "parcels"})
    accept_solution(exercise, "name", cluster=one_cluster)
    tidy(one_cluster, "parcels", single, swapped, two)


def test_with_nobody_there_no_answer_is_wrong() -> None:
    class Gone:
        bootstrap_servers = "127.0.0.1:1"

        def snapshot(self) -> Any:
            raise Unreachable("No broker answers at 127.0.0.1:1.")

        def create_topic(self, *args: Any, **kwargs: Any) -> None:
            self.snapshot()

    gone: Any = Gone()
    who, read, copies = lab_00.exercises(gone)
    assert {who.check(101).outcome, read.check(raises).outcome, copies.check("parcels").outcome} == {
        "could not be judged"
    }


# lab 21


@pytest.fixture(scope="module")
def spark() -> SparkSession:
    return kafkalab.spark(master="local[2]")


@pytest.fixture
def trucks(one_cluster: Cluster) -> Iterator[Cluster]:
    tidy(one_cluster, "trucks_gps")
    one_cluster.create_topic("trucks_gps", partitions=4, replication=3)
    good = [(r.key, r.value, None) for r in Fleet(trucks=20).reports(0, 40)]
    broken = [(b"T1", b"GPS FIX LOST", None), (b"T1", b"{}", None), (b"T1", None, None)]
    publish(one_cluster.bootstrap_servers, "trucks_gps", [*good, *broken, *good[:5]])
    yield one_cluster
    tidy(one_cluster, "trucks_gps")


def test_21_1_how_many_are_bad(trucks: Cluster, spark: SparkSession) -> None:
    exercise = lab_21.exercises(trucks)[0]
    refuse_the_rest(exercise)
    reject(
        exercise,
        {"came twice": 3 + 5, "counts the records": 48, "or the good ones": 45, "it is more": 0, "it is fewer": 30},
    )
    accept_solution(exercise, "bad", cluster=trucks, spark=spark, jobs=jobs)


def test_21_1_without_the_topic_is_nobodys_fault(one_cluster: Cluster) -> None:
    tidy(one_cluster, "trucks_gps")
    assert lab_21.exercises(one_cluster)[0].check(3).outcome == "could not be judged"


def test_21_2_too_fast(one_cluster: Cluster, spark: SparkSession) -> None:
    exercise = lab_21.exercises(one_cluster)[1]
    refuse_the_rest(exercise)
    wanted = ("truck_id", "record_id", "speed_kmh")

    def no_such_column(good: DataFrame, limit: float) -> DataFrame:
        return good.where("velocity > 3")

    reject(
        exercise,
        {
            "at exactly 80": lambda good, limit: good.where(good.speed_kmh >= limit).select(*wanted),
            "The columns should be": lambda good, limit: good.where(good.speed_kmh > limit),
            "this is a list": lambda good, limit: good.where(good.speed_kmh > limit).select(*wanted).collect(),
            "this is a whole number": lambda good, limit: good.where(good.speed_kmh > limit).count(),
            "With a limit of 200": lambda good, limit: good.where(good.speed_kmh > min(limit, 80)).select(*wanted),
            "no_such_column raised": no_such_column,
        },
    )
    accept_solution(exercise, "speeding")


def test_21_3_the_newest_of_each(one_cluster: Cluster, spark: SparkSession) -> None:
    exercise = lab_21.exercises(one_cluster)[2]
    refuse_the_rest(exercise)

    def by_arrival(good: DataFrame) -> DataFrame:
        return good.groupBy("truck_id").agg(sf.max_by("record_id", "offset").alias("record_id"))

    def by_name(good: DataFrame) -> DataFrame:
        return good.groupBy("truck_id").agg(sf.max("record_id").alias("record_id"))

    def only_on_a_table(good: DataFrame) -> DataFrame:
        order = Window.partitionBy("truck_id").orderBy(sf.desc("time"))
        ranked = good.withColumn("place", sf.row_number().over(order)).where("place = 1")
        return ranked.select("truck_id", "record_id")

    def everything(good: DataFrame) -> DataFrame:
        return good.select("truck_id", "record_id")

    reject(
        exercise,
        {
            "arrived last, but it is older": by_arrival,
            "For truck B it gave b99": by_name,
            "on a stream": only_on_a_table,
            "6 rows came back": everything,
        },
    )
    accept_solution(exercise, "newest_of_each", sf=sf)


# what checks stand on


def test_a_topic_is_read_to_its_end_and_a_missing_one_is_named(one_cluster: Cluster, new_topic: Name) -> None:
    name = new_topic("read")
    one_cluster.create_topic(name, partitions=3)
    assert read_all(one_cluster.bootstrap_servers, name) == []
    publish(one_cluster.bootstrap_servers, name, [(b"k", str(n).encode(), n % 2) for n in range(50)])
    records = read_all(one_cluster.bootstrap_servers, name)
    assert sorted(int(r.value) for r in records) == list(range(50))
    assert {r.partition for r in records} == {0, 1}
    with pytest.raises(KafkalabError, match="no topic"):
        read_all(one_cluster.bootstrap_servers, "not-there")


def test_tidy_heals_and_removes_and_may_be_run_twice(one_cluster: Cluster, new_topic: Name) -> None:
    name = new_topic("untidy")
    one_cluster.create_topic(name, partitions=3, replication=3)
    one_cluster.broker(103).kill()
    one_cluster.broker(101).pause()
    for _ in range(2):
        tidy(one_cluster, name)
        snapshot = one_cluster.snapshot()
        assert snapshot.topic(name) is None
        assert {node.state for node in one_cluster.nodes()} == {"running"}
        assert not any(p.under_replicated for p in snapshot.partitions())
