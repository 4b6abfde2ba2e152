"""How far a replica that is out of the ISR is behind, while it copies what it missed: asked of real brokers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from kafka import KafkaProducer

from kafkalab import Cluster
from kafkalab.state.capture import Capture
from kafkalab.state.model import Partition, Snapshot
from kafkalab.waiting import wait_until

RECORDS = 20_000
SIZE = 500


@contextmanager
def slowed(cluster: Cluster, topic: str, follower: int, bytes_a_second: int) -> Iterator[None]:
    """Kafka's own brake on replication: what a follower copies of a topic is limited, so that it can be watched."""
    configs = ("kafka-configs", "--alter")
    rate = "follower.replication.throttled.rate"
    throttled = "follower.replication.throttled.replicas"
    broker = ("--entity-type", "brokers", "--entity-name", str(follower))
    of_topic = ("--entity-type", "topics", "--entity-name", topic)
    cluster.tool(*configs, *of_topic, "--add-config", f"{throttled}=*")
    cluster.tool(*configs, *broker, "--add-config", f"{rate}={bytes_a_second}")
    try:
        yield
    finally:
        cluster.tool(*configs, *broker, "--delete-config", rate)
        cluster.tool(*configs, *of_topic, "--delete-config", throttled)


def produce(cluster: Cluster, topic: str, count: int) -> None:
    producer = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, acks=1, enable_idempotence=False)
    try:
        for i in range(count):
            producer.send(topic, i.to_bytes(8) * (SIZE // 8), partition=0)
        producer.flush(60)
    finally:
        producer.close()


def partition(snapshot: Snapshot, topic: str) -> Partition:
    found = snapshot.topic(topic)
    assert found is not None
    return found.partitions[0]


@pytest.mark.timeout(240)
def test_a_broker_that_was_away_is_seen_to_catch_up(cluster: Cluster, new_topic: Callable[[str], str]) -> None:
    topic = new_topic("behind")
    cluster.create_topic(topic, partitions=1, replication=3)
    leader = partition(cluster.snapshot(), topic).leader
    away = next(id for id in (103, 102, 101) if id != leader)
    with Capture(cluster.bootstrap_servers) as capture, slowed(cluster, topic, away, 2_000_000):
        cluster.broker(away).kill()
        wait_until(lambda: away not in partition(capture(), topic).isr, 60, "the broker to leave the ISR")
        produce(cluster, topic, RECORDS)
        gone = partition(capture(), topic)
        assert (gone.end, gone.behind) == (RECORDS, ()), "nothing is known of a broker that does not answer"
        cluster.broker(away).start()
        seen: list[int] = []

        def caught_up() -> bool:
            p = partition(capture(), topic)
            seen.extend(records for id, records in p.behind if id == away)
            assert all(id == away for id, _ in p.behind)
            return away in p.isr

        wait_until(caught_up, 90, "the broker to be back in the ISR", seen=lambda: f"behind by {seen[-10:]}")
    # 10 MB at 2 MB a second: it is seen on its way, and only ever nearer.
    assert seen == sorted(seen, reverse=True)
    assert len({n for n in seen if 0 < n < RECORDS}) >= 3, seen
    assert partition(cluster.snapshot(), topic).behind == ()
