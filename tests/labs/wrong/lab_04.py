"""Lab 04: what people answer, and the word that the check has for it."""

from __future__ import annotations

import hashlib
import itertools
import random
from collections.abc import Callable
from typing import Any

import numpy as np

from kafkalab import Cluster, read_all
from kafkalab.course.lab_04.exercises import DOCK
from kafkalab.exercises.topics import publish
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


def dock(cluster: Cluster) -> Answers:
    """Topics that were made of the dock's, each in a wrong way; the topic of a right one is made under two names."""
    torn = read_all(cluster.bootstrap_servers, DOCK)
    sent = sorted(torn, key=lambda record: record.timestamp)
    by_hand = [(r.key, r.value, partition_of(r.key, 6)) for r in sent]
    ways: dict[str, list[tuple[bytes | None, bytes, int | None]]] = {
        "comes after": [(r.key, r.value, None) for r in sorted(torn, key=lambda r: r.value, reverse=True)],
        "is in the partitions": [(r.key, r.value, n % 6) for n, r in enumerate(sent)],
        "has the key None": [(None, r.value, partition_of(r.key, 6)) for r in sent],
        "events are missing": [(r.key, r.value, None) for r in sent if b"closed" in r.value],
        "are there twice": [(r.key, r.value, None) for r in (*sent, *sent)],
        "right": [(r.key, r.value, None) for r in sent],
        "right, by hand": by_hand,
    }
    names = {}
    for number, (words, records) in enumerate(ways.items()):
        names[words] = f"lab04-mine-{number}"
        cluster.create_topic(names[words], partitions=6)
        publish(cluster.bootstrap_servers, names[words], records)
    right = [names.pop("right"), np.str_(names.pop("right, by hand"))]
    return Answers(
        {**names, "Fill a new topic": DOCK, "There is no topic": "lab04-nowhere", "not 6": "lab04-keyed"}, right=right
    )


#: More of what is told apart is in tests/unit/course/test_lab_04.py.
ALONE = {
    "04.1": Answers(
        {
            "the whole value": lambda value: value,
            "the truck is": lambda value: value[:5],
            "returned text": lambda value: value.decode().split("-")[0],
            "should return bytes": lambda value: value.split(b"-"),
        },
        [lambda value: bytearray(value.split(b"-")[0]), lambda value: value[: value.index(b"-")]],
    ),
}
ON_CLUSTER = {
    "04.6": dock,
    "04.2": Answers(
        {
            "do not take turns": lambda key, partitions: next(TURNS) % partitions,
            "its sign": lambda key, partitions: murmur2(key) % partitions,
            "numbered from 0": lambda key, partitions: -1 - partition_of(key, partitions),
            "is there a `/` where `%`": lambda key, partitions: (murmur2(key) & 0x7FFFFFFF) / partitions,
            "partition": only_first(partition_of),
        },
        [lambda key, partitions: np.int64(partition_of(key, partitions)), partition_of],
    ),
    "04.3": Answers(
        {
            "none moved": lambda keys, before, after: [],
            "`\\xff` is none of the keys": lambda keys, before, after: [b"\xff"],
            "`T": only_first(moved),
        },
        [moved, lambda keys, before, after: tuple(moved(keys, before, after))],
    ),
    "04.4": Answers(
        {
            "either of the two first": lambda record: record["parcel"].encode(),
            "have nothing to do": lambda record: b"all",
            "Text has": lambda record: record["customer"],
        },
        [lambda record: bytearray(record["customer"].encode()), lambda record: b"c:" + record["customer"].encode()],
    ),
    "04.5": Answers(
        {"has one key": lambda record: record["vehicle"].encode(), "either of the two first": dice},
        [
            lambda record: hashlib.md5(f"{record['vehicle']} {record['door']}".encode()).digest(),
            lambda record: bytearray(f"{record['door']}|{record['vehicle']}".encode()),
        ],
    ),
}
