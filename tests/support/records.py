"""Records into a topic and out of it again, by plain clients."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kafka import KafkaConsumer, KafkaProducer, TopicPartition

from kafkalab import Cluster
from kafkalab.waiting import wait_until


def produce(cluster: Cluster, topic: str, records: Iterable[dict[str, Any]], **settings: Any) -> list[Any]:
    """Send records (``value=``, ``key=``, ``partition=``, as ``KafkaProducer.send`` takes them); returns what each
    acknowledgement said, in order. Fails when one is not acknowledged."""
    with KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, **{"acks": "all", **settings}) as producer:
        sent = [producer.send(topic, **record) for record in records]
        producer.flush(60)
        return [future.get(60) for future in sent]


def fill(cluster: Cluster, topic: str, count: int, **settings: Any) -> None:
    """``count`` records, the numbers from 0, over the topic's partitions in turn."""
    found = cluster.snapshot().topic(topic)
    assert found is not None
    parts = len(found.partitions)
    produce(cluster, topic, ({"value": b"%d" % i, "partition": i % parts} for i in range(count)), **settings)


def read(cluster: Cluster, topic: str, count: int = 0) -> list[Any]:
    """Every record there is now, as kafka-python gives them: partition after partition, each in order. Waits for at
    least ``count``."""
    consumer = KafkaConsumer(bootstrap_servers=cluster.bootstrap_servers, enable_auto_commit=False)
    try:
        numbers = wait_until(lambda: consumer.partitions_for_topic(topic), 30, f"the topic {topic}")
        partitions = [TopicPartition(topic, p) for p in sorted(numbers)]
        consumer.assign(partitions)
        ends = consumer.end_offsets(partitions)
        consumer.seek_to_beginning()
        found: list[Any] = []

        def whole() -> bool:
            found.extend(r for records in consumer.poll(500).values() for r in records)
            return len(found) >= count and all(consumer.position(p) >= ends[p] for p in partitions)

        wait_until(whole, 60, "every record", period=0, seen=lambda: f"{len(found)}")
        return sorted(found, key=lambda r: (r.partition, r.offset))
    finally:
        consumer.close()


def numbers(cluster: Cluster, topic: str, count: int = 0) -> list[int]:
    """The numbers that are a topic's values (see :func:`fill`), in order; each as often as it is there."""
    return sorted(int(record.value) for record in read(cluster, topic, count))
