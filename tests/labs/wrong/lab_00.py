"""Lab 00: what people answer, and the word that the check has for it."""

from __future__ import annotations

from kafka import KafkaConsumer

from kafkalab import Cluster
from tests.support.answers import Answers


def read(servers: str, *topics: str, group: str | None = None, begin: str = "earliest") -> list[str]:
    settings = {"group_id": group, "auto_offset_reset": begin, "consumer_timeout_ms": 3000 if group else 1000}
    consumer = KafkaConsumer(*topics, bootstrap_servers=servers, **settings)
    values = [record.value.decode() for record in consumer]
    consumer.close()
    return values


def read_all(cluster: Cluster) -> Answers:
    return Answers(
        {
            "returned nothing": lambda s, t: read(s, t, begin="latest"),
            "20 of 30 messages are missing": lambda s, t: read(s, t)[:10],
            "Called again": lambda s, t: read(s, t, group=f"lab00-{t}"),
            "messages too many": lambda s, t: read(s, t) * 2,
        }
    )


def who_leads(cluster: Cluster) -> Answers:
    """Asked when 102 is down."""
    topic = cluster.snapshot().topic("lab00-hello")
    assert topic is not None
    partition = next(p for p in topic.partitions if p.replicas[0] == 102)
    follower = next(b for b in partition.replicas if b not in (102, partition.leader))
    return Answers(
        {
            "it is down": 102,
            "follows another": follower,
            f"no broker {partition.partition}": partition.partition,
        }
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


ON_CLUSTER = {"00.1": read_all, "00.2": who_leads, "00.3": copies_enough}
