"""The checks of lab 02: the solution passes, and misconceptions, wrong kinds and blanks do not."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from kafka import KafkaConsumer, TopicPartition

from kafkalab import Cluster
from kafkalab.checks import lab_02
from kafkalab.checks.exercise import Exercise
from kafkalab.checks.topics import read_all, tidy
from tests.integration.lab_answers import accept, accept_solution, refuse_the_rest, reject

KAFKA = {"KafkaConsumer": KafkaConsumer, "TopicPartition": TopicPartition}


@pytest.fixture
def exercises(one_cluster: Cluster) -> Iterator[tuple[Exercise, ...]]:
    tidy(one_cluster, prefix="lab02-")
    yield lab_02.exercises(one_cluster)
    assert not [t.name for t in one_cluster.snapshot().topics if t.name.startswith("lab02-check")]
    tidy(one_cluster, prefix="lab02-")


def values(servers: str, topic: str) -> list[str]:
    return [record.value.decode() for record in read_all(servers, topic)]


def partitions_of(servers: str, topic: str, **settings: Any) -> tuple[KafkaConsumer, list[TopicPartition]]:
    consumer = KafkaConsumer(bootstrap_servers=servers, **settings)
    return consumer, [TopicPartition(topic, p) for p in sorted(consumer.partitions_for_topic(topic) or ())]


def test_02_1_a_record_by_its_place(exercises: tuple[Exercise, ...]) -> None:
    exercise = exercises[0]

    def seeks(servers: str, topic: str, partition: int, offset: int) -> str:
        consumer = KafkaConsumer(bootstrap_servers=servers, consumer_timeout_ms=10_000)
        consumer.assign([TopicPartition(topic, partition)])
        consumer.seek(TopicPartition(topic, partition), offset)
        value = next(consumer).value
        consumer.close()
        return value.decode()  # type: ignore[no-any-return]

    def one_off(servers: str, topic: str, partition: int, offset: int) -> str:
        return seeks(servers, topic, partition, offset - 1)

    def place_in_a_list(servers: str, topic: str, partition: int, offset: int) -> str:
        held = [record for record in read_all(servers, topic) if record.partition == partition]
        return held[offset].value.decode()  # type: ignore[no-any-return]

    refuse_the_rest(exercise)
    reject(
        exercise,
        {
            # One number for the whole topic: whichever partition it asks, it is the wrong one for the others.
            "means something only with its partition": lambda s, t, p, o: seeks(s, t, 0, o),
            "no position in a list": place_in_a_list,
            "the right partition, and another record": one_off,
            "nowhere in the topic": lambda s, t, p, o: f"offset {o}",
        },
    )
    reject(exercise, {"`yield` makes one": lambda s, t, p, o: (seeks(s, t, p, o) for _ in (1,))})
    accept_solution(exercise, "read_at", **KAFKA)


def test_02_2_the_newest_of_each_partition(exercises: tuple[Exercise, ...], one_cluster: Cluster) -> None:
    exercise = exercises[1]

    def each(servers: str, topic: str) -> dict[int, list[str]]:
        found: dict[int, list[str]] = {}
        for record in read_all(servers, topic):
            found.setdefault(record.partition, []).append(record.value.decode())
        return found

    def in_a_group(servers: str, topic: str, n: int) -> dict[int, list[str]]:
        consumer, places = partitions_of(servers, topic, group_id="lab02-nosy")
        consumer.assign(places)
        consumer.commit({place: end for place, end in offsets(consumer, places).items() if end.offset})
        consumer.close()
        return {partition: held[-n:] for partition, held in each(servers, topic).items()}

    def the_last_of_all(servers: str, topic: str, n: int) -> dict[int, list[str]]:
        found: dict[int, list[str]] = {}
        for record in read_all(servers, topic)[-n:]:
            found.setdefault(record.partition, []).append(record.value.decode())
        return found

    refuse_the_rest(exercise)
    reject(
        exercise,
        {
            "were to come: the last": the_last_of_all,
            "these are the oldest": lambda s, t, n: {p: held[:n] for p, held in each(s, t).items()},
            "one too many": lambda s, t, n: {p: held[-n - 1 :] for p, held in each(s, t).items()},
            "one of them is None": lambda s, t, n: {p: [None, *held[-n:]] for p, held in each(s, t).items()},
            "a dictionary of lists": lambda s, t, n: values(s, t)[-n:],
            "'lab02-nosy' was left behind": in_a_group,
        },
    )
    accept(
        exercise,
        lambda s, t, n: {p: deque(held, maxlen=n) for p, held in each(s, t).items()},
        lambda s, t, n: {np.int64(p): np.array(held[-n:]) for p, held in each(s, t).items()},
        lambda s, t, n: {p: (value for value in held[-n:]) for p, held in each(s, t).items()},
    )
    accept_solution(exercise, "newest", **KAFKA)


def offsets(consumer: KafkaConsumer, places: list[TopicPartition]) -> dict[TopicPartition, Any]:
    from kafka.structs import OffsetAndMetadata

    return {place: OffsetAndMetadata(end, "", -1) for place, end in consumer.end_offsets(places).items()}


def test_02_3_how_many_are_there(exercises: tuple[Exercise, ...]) -> None:
    exercise = exercises[2]

    def ends(servers: str, topic: str) -> list[int]:
        consumer, places = partitions_of(servers, topic)
        found = consumer.end_offsets(places)
        consumer.close()
        return list(found.values())

    remembered: dict[str, int] = {}
    refuse_the_rest(exercise)
    reject(
        exercise,
        {
            "a log need not begin at 0": lambda s, t: sum(ends(s, t)),
            "the longest partition": lambda s, t: max(ends(s, t)) - 1,
            "how many different keys": lambda s, t: len({record.key for record in read_all(s, t)}),
            "In the topic that the check made, it counted 31": lambda s, t: 31,
            "After more was written": lambda s, t: remembered.setdefault(t, len(values(s, t))),
        },
    )
    accept(exercise, lambda s, t: np.sum([1 for _ in values(s, t)]))
    accept_solution(exercise, "how_many", **KAFKA)


def test_02_4_an_hour_at_least_two_at_most(exercises: tuple[Exercise, ...], one_cluster: Cluster) -> None:
    exercise = exercises[3]
    hour = 3_600_000
    wrong: dict[str, dict[str, Any]] = {
        "at the very least": {},
        "A file takes new records for 7 days": {"retention.ms": hour},
        "3.6 seconds": {"retention.ms": 3600, "segment.ms": 3600},
        "3 hours old by then": {"retention.ms": 2 * hour, "segment.ms": hour},
        "retention.bytes is set": {"retention.ms": hour, "segment.ms": hour, "retention.bytes": 1_000_000},
        "every key": {"retention.ms": hour, "segment.ms": hour, "cleanup.policy": "compact"},
        "nothing in it is ever too old": {"retention.ms": -1, "segment.ms": hour},
    }
    refuse_the_rest(exercise)
    for number, settings in enumerate(wrong.values()):
        one_cluster.create_topic(f"lab02-kept-{number}", partitions=1, replication=1, settings=settings)
    reject(exercise, {words: f"lab02-kept-{number}" for number, words in enumerate(wrong)})
    reject(exercise, {"There is no topic": "lab02-never-made"})
    accept_solution(exercise, "name", cluster=one_cluster)
