"""The checks of lab 04: the solutions pass, and misconceptions about keys and order do not."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pytest

from kafkalab import Cluster
from kafkalab.checks import lab_04
from kafkalab.errors import Unreachable
from kafkalab.state.murmur2 import murmur2, partition_of
from tests.integration.lab_answers import accept, accept_solution, raises, refuse_the_rest, reject


@pytest.fixture(autouse=True)
def nothing_left(one_cluster: Cluster) -> Any:
    yield
    assert [topic.name for topic in one_cluster.snapshot().topics if topic.name.startswith("lab04-")] == []


def test_04_1_from_key_to_partition(one_cluster: Cluster) -> None:
    exercise = lab_04.exercises(one_cluster)[0]
    refuse_the_rest(exercise)
    turns = itertools.count()
    reject(
        exercise,
        {
            "do not take turns": lambda key, partitions: next(turns) % partitions,
            "its sign": lambda key, partitions: murmur2(key) % partitions,
            "Python's own hash()": lambda key, partitions: hash(key) % partitions,
            "numbered from 0": lambda key, partitions: -1 - partition_of(key, partitions),
            "is there a `/` where `%`": lambda key, partitions: (murmur2(key) & 0x7FFFFFFF) / partitions,
        },
    )
    for hard in lab_04._PARTITIONS:
        # One of the two topics of the check has another number of partitions.
        assert exercise.check(lambda key, partitions, of=hard: partition_of(key, of)).outcome == "wrong"
    accept(exercise, lambda key, partitions: np.int64(partition_of(key, partitions)))
    accept_solution(exercise, "partition_of", murmur2=murmur2)


def test_04_2_who_has_to_move(one_cluster: Cluster) -> None:
    exercise = lab_04.exercises(one_cluster)[1]
    refuse_the_rest(exercise)
    reject(
        exercise,
        {
            "none moved": lambda keys, before, after: [],
            "both were there before": lambda keys, before, after: [
                key for key in keys if partition_of(key, after) >= before
            ],
            "one of them is text": lambda keys, before, after: [key.decode() for key in keys],
            "one of them is None": lambda keys, before, after: [k if k[-1] % 2 else None for k in keys],
            "`\\xff` is none of the keys": lambda keys, before, after: [b"\xff"],
        },
    )

    def moved(keys: list[bytes], before: int, after: int) -> set[bytes]:
        return {key for key in keys if partition_of(key, before) != partition_of(key, after)}

    for before, after in lab_04._GROWTHS:
        # Right for one growth only: the check asks for another one as well.
        assert exercise.check(lambda keys, *_, b=before, a=after: moved(keys, b, a)).outcome == "wrong"
    accept(exercise, moved)
    accept_solution(exercise, "moved", place=partition_of)


def test_04_3_choose_the_key(one_cluster: Cluster) -> None:
    exercise = lab_04.exercises(one_cluster)[2]
    refuse_the_rest(exercise)
    reject(
        exercise,
        {
            "without a key": lambda record: None,
            "a customer's list is made of several": lambda record: record["parcel"].encode(),
            "have nothing to do": lambda record: b"all",
            "Text has": lambda record: record["customer"],
        },
    )
    accept(exercise, lambda record: bytearray(record["customer"].encode()))
    accept_solution(exercise, "key_of")


def test_04_4_cool_a_hot_key(one_cluster: Cluster) -> None:
    exercise = lab_04.exercises(one_cluster)[3]
    refuse_the_rest(exercise)
    reject(
        exercise,
        {
            "has one key": lambda record: record["vehicle"].encode(),
            "nobody promises": lambda record: f"{record['vehicle']}/{random.randrange(10)}".encode(),
        },
    )
    accept_solution(exercise, "key_for")


def test_with_nobody_there_no_answer_is_wrong(one_cluster: Cluster) -> None:
    class Gone:
        bootstrap_servers = "127.0.0.1:1"

        def create_topic(self, *args: Any, **kwargs: Any) -> None:
            raise Unreachable("No broker answers at 127.0.0.1:1.")

    gone: Any = Gone()
    place, move, order, hot = lab_04.exercises(gone)
    results = [
        place.check(partition_of),
        move.check(lambda keys, before, after: keys),
        order.check(lambda record: b"all"),
        hot.check(lambda record: None),
    ]
    assert {result.outcome for result in results} == {"could not be judged"}
    assert place.check(raises).outcome == "wrong"
