"""What clients get from the backends that have brokers: records that stay, groups of both protocols, Kafka's tools."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from kafka import KafkaConsumer, KafkaProducer, TopicPartition

from kafkalab import Cluster
from kafkalab.errors import NotSupported
from tests.contract.conftest import REAL

pytestmark = pytest.mark.parametrize("kind", REAL, ids=str, indirect=True, scope="session")


def produce(cluster: Cluster, topic: str, count: int, halfway: threading.Event | None = None) -> list[int]:
    """Ids 0…count-1, acks=all, by key; returns those that were acknowledged."""
    producer = KafkaProducer(
        bootstrap_servers=cluster.bootstrap_servers.split(","), acks="all", enable_idempotence=True,
        max_in_flight_requests_per_connection=5, delivery_timeout_ms=60_000, request_timeout_ms=5_000,
    )  # fmt: skip
    sent = []
    for i in range(count):
        sent.append(producer.send(topic, key=b"%d" % (i % 50), value=b"%d" % i))
        if halfway is not None and i == count // 2:
            producer.flush(60)
            halfway.set()
    producer.flush(60)
    producer.close()
    return [i for i, future in enumerate(sent) if future.succeeded()]


def read(cluster: Cluster, topic: str) -> list[int]:
    """Every id in a topic."""
    consumer = KafkaConsumer(
        bootstrap_servers=cluster.bootstrap_servers.split(","), auto_offset_reset="earliest", enable_auto_commit=False
    )
    partitions = [TopicPartition(topic, p) for p in sorted(consumer.partitions_for_topic(topic) or ())]
    consumer.assign(partitions)
    ends = consumer.end_offsets(partitions)
    consumer.seek_to_beginning()
    found: list[int] = []
    while any(consumer.position(p) < ends[p] for p in partitions):
        for batch in consumer.poll(timeout_ms=1000).values():
            found += [int(record.value) for record in batch]
    consumer.close()
    return found


def test_acknowledged_records_outlive_a_killed_broker_once_each(cluster, new_topic):
    topic = new_topic()
    cluster.create_topic(topic, partitions=4, replication=3, settings={"min.insync.replicas": "2"})
    halfway = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        work = pool.submit(produce, cluster, topic, 2000, halfway)
        assert halfway.wait(60)
        cluster.broker(102).kill()
        acknowledged = work.result(120)
    cluster.broker(102).start()
    assert len(acknowledged) == 2000
    assert sorted(read(cluster, topic)) == acknowledged


def test_records_are_there_after_their_broker_has_left_for_good(cluster, new_topic):
    topic = new_topic()
    cluster.add_broker()
    cluster.create_topic(topic, partitions=4, replication=2)
    acknowledged = produce(cluster, topic, 400)
    assert any(104 in p.replicas for p in cluster.snapshot().topic(topic).partitions)
    cluster.remove_broker(104)
    assert sorted(read(cluster, topic)) == acknowledged == list(range(400))


def test_kafkas_own_tools_know_every_broker(cluster):
    said = cluster.tool("kafka-broker-api-versions")
    for node in (n for n in cluster.nodes() if n.role == "broker"):
        assert f"127.0.0.1:{node.port} (id: {node.id} " in said


def test_a_group_of_either_protocol_is_seen_with_its_type(cluster, new_topic):
    topic = new_topic()
    cluster.create_topic(topic, partitions=3, replication=3)
    produce(cluster, topic, 30)
    protocols = ["classic", "consumer"] if cluster.mode == "kraft" else ["classic"]
    for protocol in protocols:
        group = new_topic(f"group-{protocol}")
        option = "--command-property" if cluster.mode == "kraft" else "--consumer-property"
        chosen = [option, f"group.protocol={protocol}"] if cluster.mode == "kraft" else []
        said = cluster.tool(
            *("kafka-console-consumer", "--topic", topic, "--group", group, "--from-beginning"),
            *("--max-messages", "30", *chosen),
        )
        assert sorted(map(int, said.split())) == list(range(30))
        found = cluster.wait_for(lambda s, group=group: s.group(group), 30, f"{group} in the snapshot").group(group)
        assert found.type == protocol
        assert found.coordinator in (101, 102, 103)
        assert sum(o.committed or 0 for o in found.offsets) == 30 and found.lag == 0


def test_somebody_elses_cluster_gives_everything_but_the_faults(cluster, new_topic):
    mine = Cluster.connect(cluster.bootstrap_servers.split(",")[0])
    topic = new_topic()
    mine.create_topic(topic, partitions=3)
    assert mine.cluster_id == cluster.cluster_id
    theirs, own = mine.snapshot(), cluster.snapshot()
    assert theirs.topic(topic) == own.topic(topic)
    assert theirs.controller == own.controller
    assert {b.id: (b.port, b.alive) for b in theirs.brokers} == {b.id: (b.port, b.alive) for b in own.brokers}
    assert topic in mine.tool("kafka-topics", "--list")
    assert mine.nodes() == ()
    for refused in (lambda: mine.broker(101), lambda: mine.act("broker-101", "kill"), mine.reset, mine.add_broker):
        with pytest.raises(NotSupported, match="omebody else's"):
            refused()
    mine.stop()
    assert {n.state for n in cluster.nodes()} == {"running"}
