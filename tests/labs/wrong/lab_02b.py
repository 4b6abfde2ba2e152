"""Lab 02b: what people answer, and the word that the check has for it."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import Any

import numpy as np
from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer, TopicPartition
from kafka.admin import ConfigResource

from kafkalab import Cluster, read_all
from kafkalab.course.lab_02b.exercises import GROUP, NIGHTS, SCANS
from kafkalab.errors import RefusedByKafka
from tests.support.answers import Answers, committed, refused

HOUR = 3_600_000
#: What is in the topic of scans when 02b.5 is asked.
SENT = [("violin", "picked up"), ("kettle", "picked up"), ("anvil", "picked up"), ("kettle", "NOT picked up")]


def spans(servers: str, topic: str) -> list[tuple[int, int]]:
    consumer = KafkaConsumer(bootstrap_servers=servers)
    places = [TopicPartition(topic, p) for p in sorted(consumer.partitions_for_topic(topic) or ())]
    begin, end = consumer.beginning_offsets(places), consumer.end_offsets(places)
    consumer.close()
    return [(begin[place], end[place]) for place in places]


def set_to(cluster: Cluster, **settings: str) -> None:
    admin = KafkaAdminClient(bootstrap_servers=cluster.bootstrap_servers)
    admin.alter_configs([ConfigResource("TOPIC", SCANS, {k.replace("_", "."): v for k, v in settings.items()})])
    admin.close()


def six_hours(cluster: Cluster) -> Answers:
    """The topic is at a week when this is asked, and is left at six hours."""
    refused(cluster, "02b.3", SCANS, "still the default, a week")
    for milliseconds, words in ((6 * 3600, "after 21.6 seconds"), (-1, "never"), (8 * HOUR, "after 8 hours")):
        set_to(cluster, retention_ms=str(milliseconds))
        refused(cluster, "02b.3", SCANS, words)
    cluster.tool(
        *("kafka-configs", "--alter", "--entity-type", "topics", "--entity-name", SCANS),
        *("--add-config", f"retention.ms={6 * HOUR}"),
    )
    return Answers({"The topic is": "lab02b-shelf", "is text": 6}, right=[SCANS, np.str_(SCANS)])


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
        cluster.create_topic(f"lab02b-kept-{number}", partitions=1, replication=1, settings=settings)
    return Answers(
        {"There is no topic": "lab02b-never-made"}
        | {words: f"lab02b-kept-{number}" for number, words in enumerate(kept)}
    )


def grown(cluster: Cluster) -> Answers:
    refused(cluster, "02b.5", SCANS, "has 1 partition, not 4")
    cluster.delete_topic(SCANS)
    cluster.create_topic(SCANS, partitions=4, replication=3)
    refused(cluster, "02b.5", SCANS, "Was it deleted?")
    made_again(cluster, SCANS, *SENT)
    cluster.tool("kafka-topics", "--alter", "--topic", SCANS, "--partitions", "4")

    def undo() -> None:
        made_again(cluster, SCANS, *SENT)

    return Answers({"The topic is": "lab02b-stops", "is text": 4}, right=[SCANS, np.str_(SCANS)], undo=undo)


def made_again(cluster: Cluster, topic: str, *records: tuple[str, str]) -> None:
    """Delete the topic, and make it as it was: with one partition, which holds these records."""
    cluster.delete_topic(topic)
    with suppress(
        RefusedByKafka
    ):  # brokers make a topic that is asked for, and the lab's own producer may just have asked
        cluster.create_topic(topic, partitions=1, replication=3)
    producer = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers)
    for key, value in records:
        producer.send(topic, key=key.encode(), value=value.encode()).get(timeout=60)
    producer.close()


def woken(cluster: Cluster) -> Answers:
    """The group is at offset 2 when this is asked, the log begins at 6 and ends at 10."""
    rest = [f"N{number:02}" for number in range(7, 11)]
    refused(cluster, "02b.6", rest, "lacks N03, N04, N05, N06. They are not in the log any more")
    every = [f"N{number:02}" for number in range(3, 11)]
    refused(cluster, "02b.6", every, "has committed offset 2")
    producer = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers)
    for scan in every[:4]:
        producer.send(NIGHTS, scan.encode()).get(timeout=60)
    producer.close()
    committed(cluster, GROUP, NIGHTS, 14)

    def undo() -> None:
        made_again(cluster, NIGHTS, *(("night", f"N{number:02}") for number in range(1, 11)))
        admin = KafkaAdminClient(bootstrap_servers=cluster.bootstrap_servers)
        admin.delete_records({TopicPartition(NIGHTS, 0): 6})
        admin.close()
        committed(cluster, GROUP, NIGHTS, 2)

    return Answers(
        {
            "lacks N07": every[:4],
            "customers pay twice": ["N01", "N02", *every],
            "more than once": [*every, "N10"],
            "is no scan": [*every, "N11"],
            "is a list": " ".join(every),
        },
        right=[tuple(every[::-1]), np.array(every)],
        undo=undo,
    )


ALONE = {
    "02b.1": Answers(
        {
            "The record furthest down counts": lambda records: dict(records[::-1]),
            "different keys": lambda records: {v: k for k, v in records},
            "not a list of them": lambda records: {k: [v for one, v in records if one == k] for k, _ in records},
            "is a dict": lambda records: [v for _, v in records],
        },
        [
            lambda records: {k: [v for one, v in records if one == k][-1] for k, _ in records},
            lambda records: {np.str_(k): np.str_(v) for k, v in records},
        ],
    ),
}

#: More of what is told apart is in tests/unit/course/test_lab_02b.py.
ON_CLUSTER = {
    "02b.2": Answers(
        {
            "doesn't have to begin at 0": lambda s, t: sum(end for _, end in spans(s, t)),
            "In the topic that the check made, it counted 31": lambda s, t: 31,
            "After more was written": cache(lambda s, t: len(read_all(s, t))),
        },
        [lambda s, t: len(read_all(s, t)), lambda s, t: np.int64(sum(end - begin for begin, end in spans(s, t)))],
    ),
    "02b.3": six_hours,
    "02b.4": an_hour,
    "02b.5": grown,
    "02b.6": woken,
}
