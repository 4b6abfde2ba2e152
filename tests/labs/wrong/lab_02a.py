"""Lab 02a: what people answer, and the word that the check has for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from kafka import KafkaAdminClient, KafkaConsumer, TopicPartition

from kafkalab import Cluster, read_all
from tests.support.answers import Answers


def names(servers: str) -> list[str]:
    admin = KafkaAdminClient(bootstrap_servers=servers)
    found: list[str] = admin.list_topics()
    admin.close()
    return found


def seeks(servers: str, topic: str, partition: int, offset: int) -> str:
    consumer = KafkaConsumer(bootstrap_servers=servers, consumer_timeout_ms=10_000)
    consumer.assign([TopicPartition(topic, partition)])
    consumer.seek(TopicPartition(topic, partition), offset)
    value: bytes = next(consumer).value
    consumer.close()
    return value.decode()


def place_in_a_list(servers: str, topic: str, partition: int, offset: int) -> str:
    held: list[bytes] = [record.value for record in read_all(servers, topic) if record.partition == partition]
    return held[offset].decode()


def by_reading(servers: str, topic: str, partition: int, offset: int) -> str:
    found: bytes = next(r.value for r in read_all(servers, topic) if (r.partition, r.offset) == (partition, offset))
    return found.decode()


def held(servers: str, topic: str, of: Callable[[list[Any]], list[Any]] = list) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for record in of(read_all(servers, topic)):
        found.setdefault(record.partition, []).append(record.value.decode())
    return found


def last(servers: str, topic: str, n: int) -> dict[int, list[str]]:
    return {partition: values[-n:] for partition, values in held(servers, topic).items()}


def ends(servers: str, topic: str) -> dict[int, int]:
    consumer = KafkaConsumer(bootstrap_servers=servers)
    places = [TopicPartition(topic, p) for p in sorted(consumer.partitions_for_topic(topic) or ())]
    found = consumer.end_offsets(places)
    consumer.close()
    return {place.partition: found[place] for place in places}


def from_time(servers: str, topic: str, moment: int, otherwise: int | None = None, times: bool = False) -> Any:
    consumer = KafkaConsumer(bootstrap_servers=servers)
    places = [TopicPartition(topic, p) for p in sorted(consumer.partitions_for_topic(topic) or ())]
    found, end = consumer.offsets_for_times(dict.fromkeys(places, moment)), consumer.end_offsets(places)
    consumer.close()
    late = dict(end) if otherwise is None else dict.fromkeys(places, otherwise)
    return {p.partition: (found[p].timestamp if times else found[p].offset) if found[p] else late[p] for p in places}


def on(servers: str, topic: str, shown: dict[int, int], after: Callable[[dict[int, int], int], int]) -> list[str]:
    return [r.value.decode() for r in read_all(servers, topic) if r.offset >= after(shown, r.partition)]


def next_ones(servers: str, topic: str, shown: dict[int, int]) -> list[str]:
    return on(servers, topic, shown, lambda shown, p: shown[p] + 1)


def first_topic(cluster: Cluster) -> Answers:
    return Answers(
        {
            "There is a topic": lambda s, name: True,
            "the name is taken": lambda s, name: False,
            "with its small and capital letters": lambda s, name: name.lower() not in names(s),
            "only the whole name counts": lambda s, name: not any(one.startswith(name) for one in names(s)),
            "True or False": lambda s, name: [one for one in names(s) if one == name],
        },
        right=[
            lambda s, name: np.bool_(name not in names(s)),
            lambda s, name: cluster.snapshot().topic(name) is None,
        ],
        tries=4,
    )


#: More of what is told apart is in tests/unit/course/test_lab_02a.py.
ON_CLUSTER = {
    "02a.1": first_topic,
    "02a.2": Answers(
        {
            "the end of the longest partition": lambda s, t: max(ends(s, t).values()),
            "so it's a count already": lambda s, t: sum(end - 1 for end in ends(s, t).values() if end),
            "how many partitions": lambda s, t: len(ends(s, t)),
            "is a whole number": lambda s, t: list(ends(s, t).values()),
        },
        [lambda s, t: np.int64(sum(ends(s, t).values())), lambda s, t: len(read_all(s, t))],
    ),
    "02a.3": Answers(
        {
            # One number for the whole topic: whichever partition it asks, it is the wrong one for the others.
            "means something only with its partition": lambda s, t, p, o: seeks(s, t, 0, o),
            "no position in a list": place_in_a_list,
            "the right partition, and another record": lambda s, t, p, o: seeks(s, t, p, o - 1),
            "nowhere in the topic": lambda s, t, p, o: f"offset {o}",
        },
        [by_reading, lambda s, t, p, o: np.str_(seeks(s, t, p, o))],
    ),
    "02a.4": Answers(
        {
            "It should return": lambda s, t, n: held(s, t, lambda records: records[-n:]),
            "the newest first": lambda s, t, n: {p: values[::-1] for p, values in last(s, t, n).items()},
            "is a dict": lambda s, t, n: list(last(s, t, n).values()),
        },
        [
            last,
            lambda s, t, n: {np.int64(p): tuple(values) for p, values in last(s, t, n).items()},
        ],
    ),
    "02a.5": Answers(
        {
            "should be the log end offset": lambda s, t, moment: from_time(s, t, moment, otherwise=0),
            "The answer should be an offset": lambda s, t, moment: from_time(s, t, moment, times=True),
            "counts, too": lambda s, t, moment: from_time(s, t, moment + 1),
            "is a whole number": lambda s, t, moment: {0: None, 1: None},
        },
        [
            from_time,
            lambda s, t, moment: {
                p: np.int64(sum(r.timestamp < moment for r in read_all(s, t) if r.partition == p)) for p in range(3)
            },
        ],
    ),
    "02a.6": Answers(
        {
            "the last offset that was shown": lambda s, t, shown: on(s, t, shown, lambda shown, p: shown[p]),
            "Each partition should go on": lambda s, t, shown: on(s, t, shown, lambda shown, p: max(shown.values())),
            "you returned them again": lambda s, t, shown: on(s, t, shown, lambda shown, p: 0),
            "more than once": lambda s, t, shown: next_ones(s, t, shown) * 2,
            "not in the topic": lambda s, t, shown: [*next_ones(s, t, shown), "S99"],
        },
        [lambda s, t, shown: tuple(next_ones(s, t, shown)), lambda s, t, shown: set(next_ones(s, t, shown))],
    ),
}
