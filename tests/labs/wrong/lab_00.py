"""Lab 00: what people answer, and the word that the check has for it."""

from __future__ import annotations

from typing import Any

import numpy as np
from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer

from kafkalab import Cluster
from kafkalab.course.lab_00.exercises import ALARMS
from kafkalab.waiting import wait_until
from tests.support.answers import Answers, refused


def read(servers: str, *topics: str, group: str | None = None, begin: str = "earliest") -> list[str]:
    settings = {"group_id": group, "auto_offset_reset": begin, "consumer_timeout_ms": 3000 if group else 1000}
    consumer = KafkaConsumer(*topics, bootstrap_servers=servers, **settings)
    values = [record.value.decode() for record in consumer]
    consumer.close()
    return values


def own_topic(cluster: Cluster) -> Answers:
    cluster.create_topic("lab00-other", partitions=2, replication=2)
    for partitions, replication in ((3, 2), (2, 1), (2, 3)):
        cluster.create_topic("lab00-doors", partitions=partitions, replication=replication)
        words = {(3, 2): "has 3 partitions", (2, 1): "keeps 1", (2, 3): "keeps 3 copies"}[partitions, replication]
        refused(cluster, "00.1", "lab00-doors", words)
        cluster.delete_topic("lab00-doors")
    return Answers({"no topic 'lab00-doors'": "lab00-doors", "should be called": "lab00-other", "is text": None})


def send_one(cluster: Cluster) -> Answers:
    def sent(servers: str, topic: str, key: bytes | None, value: bytes, **more: Any) -> Any:
        producer = KafkaProducer(bootstrap_servers=servers, **more)
        receipt = producer.send(topic, key=key, value=value).get(timeout=60)
        producer.close()
        return receipt

    def place(receipt: Any) -> tuple[int, int]:
        return receipt.partition, receipt.offset

    def twice(servers: str, topic: str, key: bytes, value: bytes) -> tuple[int, int]:
        sent(servers, topic, key, value)
        return place(sent(servers, topic, key, value))

    def by_numpy(servers: str, topic: str, key: bytes, value: bytes) -> Any:
        return np.array(place(sent(servers, topic, key, value)))

    def elsewhere(*args: Any) -> list[int]:
        return list(place(sent(*args, acks="all")))

    return Answers(
        {
            "should have the key": lambda s, t, k, v: place(sent(s, t, None, v)),
            "is there 2 times": twice,
            "is a partition and an offset": lambda *args: place(sent(*args))[1],
            "says": lambda *args: (place(sent(*args))[0], place(sent(*args[:3], b"another"))[1] + 7),
            "is not in the topic": lambda *args: (0, 0),
            "returned nothing": lambda *args: print(place(sent(*args))),
        },
        right=[by_numpy, elsewhere],
    )


def read_all(cluster: Cluster) -> Answers:
    return Answers(
        {
            "returned nothing": lambda s, t: read(s, t, begin="latest"),
            "20 of 30 records are missing": lambda s, t: read(s, t)[:10],
            "Called again": lambda s, t: read(s, t, group=f"lab00-{t}"),
            "records too many": lambda s, t: read(s, t) * 2,
        },
        right=[lambda s, t: tuple(read(s, t)), lambda s, t: (value for value in read(s, t))],
    )


def leaders(cluster: Cluster) -> Answers:
    def asked(servers: str, topic: str) -> list[dict[str, Any]]:
        admin = KafkaAdminClient(bootstrap_servers=servers)
        (found,) = admin.describe_topics([topic])
        admin.close()
        partitions: list[dict[str, Any]] = found["partitions"]
        return partitions

    return Answers(
        {
            "is a dict": lambda s, t: [p["leader_id"] for p in asked(s, t)],
            "Its keys are the brokers' ids": lambda s, t: {p["leader_id"]: p["partition_index"] for p in asked(s, t)},
            "a list of replicas": lambda s, t: {p["partition_index"]: p["replica_nodes"] for p in asked(s, t)},
            "your dict has": lambda s, t: {p["partition_index"] + 1: p["leader_id"] for p in asked(s, t)},
            "is led by": lambda s, t: (
                {p["partition_index"]: 101 + p["partition_index"] % 3 for p in asked(s, t)[::-1]} | {0: -1}
            ),
        },
        right=[
            lambda s, t: {np.int64(p["partition_index"]): np.int64(p["leader_id"]) for p in asked(s, t)},
            lambda s, t: {p.partition: p.leader for p in cluster.snapshot().topic(t).partitions},  # type: ignore[union-attr]
        ],
    )


def copies_enough(cluster: Cluster) -> Answers:
    for name, partitions, replication in (("one", 4, 1), ("three", 3, 3), ("two", 4, 2)):
        cluster.create_topic(f"lab00-{name}", partitions=partitions, replication=replication)
    cluster.create_topic("00-elsewhere", partitions=4, replication=3)
    return Answers(
        {
            "keeps 1": "lab00-one",
            "has 3 partitions": "lab00-three",
            "keeps 2": "lab00-two",
            "no topic": "lab00-parcels",
            "leave 00-elsewhere behind": "00-elsewhere",
        },
        undo=lambda: cluster.delete_topic("00-elsewhere"),
    )


def repaired(cluster: Cluster) -> Answers:
    """Asked when the broker with the only copy is dead; it dies again afterwards."""
    topic = cluster.snapshot().topic(ALARMS)
    assert topic is not None
    (dead,) = topic.partitions[0].replicas
    refused(cluster, "00.6", ["alarm 1"], "has no leader yet")
    cluster.broker(dead).start()
    cluster.wait_for(lambda s: bool(s.topic(ALARMS).partitions[0].leader), 60, "the alarms to have a leader")  # type: ignore[union-attr]
    alarms = read(cluster.bootstrap_servers, ALARMS)

    def undo() -> None:
        cluster.broker(dead).kill()
        wait_until(lambda: not cluster.snapshot().broker(dead).alive, 60, "the broker to be dead again")  # type: ignore[union-attr]

    return Answers(
        {
            "Your list is empty": [],
            "20 of the 20 alarms are missing": ["alarm 1"],
            "1 of the 20 alarms": alarms[1:],
            "items that are not in": [*alarms, "alarm 20"],
            "is a list": "\n".join(alarms),
            "one of them is bytes": [alarm.encode() for alarm in alarms],
        },
        right=[tuple(alarms), np.array(alarms[::-1])],
        undo=undo,
    )


ON_CLUSTER = {
    "00.1": own_topic,
    "00.2": send_one,
    "00.3": read_all,
    "00.4": leaders,
    "00.5": copies_enough,
    "00.6": repaired,
}
