"""The checks of the labs: the solution passes, and misconceptions, wrong kinds and blanks do not."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as sf

import kafkalab
from kafkalab import Cluster
from kafkalab.checks import lab_21
from kafkalab.checks.topics import publish, read_all, tidy
from kafkalab.errors import KafkalabError
from kafkalab.sources.fleet import Fleet
from kafkalab.streams import jobs
from tests.integration.lab_answers import accept, accept_solution, refuse_the_rest, reject

Name = Callable[[str], str]


# lab 21


@pytest.fixture(scope="module")
def spark() -> SparkSession:
    return kafkalab.spark(master="local[2]")


@pytest.fixture
def trucks(one_cluster: Cluster) -> Iterator[Cluster]:
    tidy(one_cluster, prefix="lab21-")
    one_cluster.create_topic(lab_21.TOPIC, partitions=4, replication=3)
    good = [(r.key, r.value, None) for r in Fleet(trucks=20).reports(0, 40)]
    nowhere = json.dumps(json.loads(good[0][1]) | {"record_id": "X", "latitude": 948.2}).encode()
    broken = [(b"T1", value, None) for value in (b"GPS FIX LOST", b"{}", None, nowhere)]
    publish(one_cluster.bootstrap_servers, lab_21.TOPIC, [*good, *broken, *good[:5]])
    yield one_cluster
    tidy(one_cluster, prefix="lab21-")


def test_21_1_how_many_are_bad(trucks: Cluster, spark: SparkSession) -> None:
    exercise = lab_21.exercises(trucks)[0]
    refuse_the_rest(exercise)
    reject(
        exercise,
        {
            "came twice": 4 + 5,
            "counts the records": 49,
            "or the good ones": 45,
            "still say what cannot be": 3,
            "it is more": 0,
            "it is fewer": 30,
        },
    )
    accept(exercise, np.int64(4))
    accept_solution(exercise, "bad", cluster=trucks, spark=spark, jobs=jobs)


def test_21_1_without_the_topic_is_nobodys_fault(one_cluster: Cluster) -> None:
    tidy(one_cluster, prefix="lab21-")
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
            "km/h was reported": lambda good, limit: good.where(good.speed_kmh >= limit).select(*wanted),
            "The columns should be": lambda good, limit: good.where(good.speed_kmh > limit),
            "this is a list": lambda good, limit: good.where(good.speed_kmh > limit).select(*wanted).collect(),
            "this is a whole number": lambda good, limit: good.where(good.speed_kmh > limit).count(),
            "are too fast; yours found 0": lambda good, limit: good.where(good.speed_kmh > limit + 500).select(*wanted),
            "what they say is not": lambda good, limit: good.where(good.speed_kmh > limit).select(
                "truck_id", "record_id", (good.speed_kmh / 3.6).alias("speed_kmh")
            ),
            "one for each truck": lambda good, limit: (
                good.where(good.speed_kmh > limit)
                .groupBy("truck_id")
                .agg(sf.max("record_id").alias("record_id"), sf.max("speed_kmh").alias("speed_kmh"))
            ),
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
            "and its newest report is": by_name,
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
