"""How far a replica that is out of the ISR is behind, while it copies what it missed: asked of real brokers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import pytest

from kafkalab import Cluster
from kafkalab.state.capture import Capture
from kafkalab.state.model import Partition, Snapshot
from kafkalab.waiting import wait_until
from tests.support.modes import modes
from tests.support.records import produce

RECORDS, SIZE = 20_000, 500


@contextmanager
def slowed(cluster: Cluster, topic: str, follower: int, bytes_a_second: int) -> Iterator[None]:
    """Kafka's own brake on replication: what a follower copies of a topic is limited, so that it can be watched."""

    def configure(kind: str, name: str, *change: str) -> None:
        cluster.tool("kafka-configs", "--alter", "--entity-type", kind, "--entity-name", name, *change)

    rate, throttled = "follower.replication.throttled.rate", "follower.replication.throttled.replicas"
    configure("topics", topic, "--add-config", f"{throttled}=*")
    configure("brokers", str(follower), "--add-config", f"{rate}={bytes_a_second}")
    try:
        yield
    finally:
        configure("brokers", str(follower), "--delete-config", rate)
        configure("topics", topic, "--delete-config", throttled)


def partition(snapshot: Snapshot, topic: str) -> Partition:
    found = snapshot.topic(topic)
    assert found is not None
    return found.partitions[0]


@pytest.mark.timeout(240)
@modes(zookeeper="deep", kraft="nightly")
def test_catching_up(cluster: Cluster, new_topic: Callable[[str], str]) -> None:
    topic = new_topic("behind")
    cluster.create_topic(topic, partitions=1, replication=3)
    leader = partition(cluster.snapshot(), topic).leader
    away = next(id for id in (103, 102, 101) if id != leader)
    with closing(Capture(cluster.bootstrap_servers)) as capture, slowed(cluster, topic, away, 2_000_000):
        cluster.broker(away).kill()
        wait_until(lambda: away not in partition(capture(), topic).isr, 60, "the broker to leave the ISR")
        values = ({"value": i.to_bytes(8) * (SIZE // 8), "partition": 0} for i in range(RECORDS))
        produce(cluster, topic, values)
        gone = wait_until(lambda: p if (p := partition(capture(), topic)).end == RECORDS else None, 20, "its end")
        assert gone.behind == (), "nothing is known of a broker that does not answer"
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
