"""Lab 04: what people answer, and the word that the check has for it."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

import numpy as np

from kafkalab.state.log.murmur2 import murmur2, partition_of
from tests.support.answers import Answers

TURNS = itertools.count()


def only_first(function: Callable[..., Any]) -> Callable[..., Any]:
    """Right about what it was asked first only: it goes on as if these numbers were always meant."""
    meant: list[Any] = []

    def answer(given: Any, *numbers: int) -> Any:
        meant.append(numbers)
        return function(given, *meant[0])

    return answer


def moved(keys: list[bytes], before: int, after: int) -> set[bytes]:
    return {key for key in keys if partition_of(key, before) != partition_of(key, after)}


def dice(record: dict[str, Any]) -> bytes:
    return f"{record['vehicle']}/{random.randrange(10)}".encode()


#: More of what is told apart is in tests/unit/course/test_lab_04.py.
ON_CLUSTER = {
    "04.1": Answers(
        {
            "do not take turns": lambda key, partitions: next(TURNS) % partitions,
            "its sign": lambda key, partitions: murmur2(key) % partitions,
            "numbered from 0": lambda key, partitions: -1 - partition_of(key, partitions),
            "is there a `/` where `%`": lambda key, partitions: (murmur2(key) & 0x7FFFFFFF) / partitions,
            "partition": only_first(partition_of),
        },
        [lambda key, partitions: np.int64(partition_of(key, partitions))],
    ),
    "04.2": Answers(
        {
            "none moved": lambda keys, before, after: [],
            "`\\xff` is none of the keys": lambda keys, before, after: [b"\xff"],
            "`T": only_first(moved),
        },
        [moved],
    ),
    "04.3": Answers(
        {
            "nobody promises which": lambda record: record["parcel"].encode(),
            "have nothing to do": lambda record: b"all",
            "Text has": lambda record: record["customer"],
        },
        [lambda record: bytearray(record["customer"].encode())],
    ),
    "04.4": Answers({"has one key": lambda record: record["vehicle"].encode(), "nobody promises": dice}),
}
