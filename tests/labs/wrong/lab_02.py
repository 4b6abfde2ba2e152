"""Lab 02: what people answer, and the word that the check has for it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from kafka import KafkaConsumer, TopicPartition
from kafka.structs import OffsetAndMetadata

from kafkalab import Cluster
from kafkalab.exercises.topics import read_all
from tests.support.answers import Answers

HOUR = 3_600_000


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


def held(servers: str, topic: str, of: Callable[[list[Any]], list[Any]] = list) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for record in of(read_all(servers, topic)):
        found.setdefault(record.partition, []).append(record.value.decode())
    return found


def last(servers: str, topic: str, n: int) -> dict[int, list[str]]:
    return {partition: values[-n:] for partition, values in held(servers, topic).items()}


def ends(servers: str, topic: str, *, commit_as: str | None = None) -> list[int]:
    consumer = KafkaConsumer(bootstrap_servers=servers, group_id=commit_as)
    places = [TopicPartition(topic, p) for p in sorted(consumer.partitions_for_topic(topic) or ())]
    found: dict[TopicPartition, int] = consumer.end_offsets(places)
    if commit_as:
        consumer.assign(places)
        consumer.commit({place: OffsetAndMetadata(end, "", -1) for place, end in found.items() if end})
    consumer.close()
    return list(found.values())


def an_hour(cluster: Cluster) -> Answers:
    kept: dict[str, dict[str, Any]] = {
        "at the very least": {},
        "A file takes new records for 7 days": {"retention.ms": HOUR},
        "3.6 seconds": {"retention.ms": 3600, "segment.ms": 3600},
        "3 hours old by then": {"retention.ms": 2 * HOUR, "segment.ms": HOUR},
        "retention.bytes is set": {"retention.ms": HOUR, "segment.ms": HOUR, "retention.bytes": 1_000_000},
        "every key": {"retention.ms": HOUR, "segment.ms": HOUR, "cleanup.policy": "compact"},
        "nothing in it is ever too old": {"retention.ms": -1, "segment.ms": HOUR},
    }
    for number, settings in enumerate(kept.values()):
        cluster.create_topic(f"lab02-kept-{number}", partitions=1, replication=1, settings=settings)
    return Answers(
        {"There is no topic": "lab02-never-made"} | {words: f"lab02-kept-{number}" for number, words in enumerate(kept)}
    )


#: More of what is told apart is in tests/unit/course/test_lab_02.py.
ON_CLUSTER = {
    "02.1": Answers(
        {
            # One number for the whole topic: whichever partition it asks, it is the wrong one for the others.
            "means something only with its partition": lambda s, t, p, o: seeks(s, t, 0, o),
            "no position in a list": place_in_a_list,
            "the right partition, and another record": lambda s, t, p, o: seeks(s, t, p, o - 1),
            "nowhere in the topic": lambda s, t, p, o: f"offset {o}",
        }
    ),
    "02.2": Answers(
        {
            "It should return": lambda s, t, n: held(s, t, lambda records: records[-n:]),
            "'lab02-nosy' was left behind": lambda s, t, n: ends(s, t, commit_as="lab02-nosy") and last(s, t, n),
        },
        [last],
    ),
    "02.3": Answers(
        {
            "a log need not begin at 0": lambda s, t: sum(ends(s, t)),
            "In the topic that the check made, it counted 31": lambda s, t: 31,
            "After more was written": cache(lambda s, t: len(read_all(s, t))),
        },
        [lambda s, t: len(read_all(s, t))],
    ),
    "02.4": an_hour,
}
