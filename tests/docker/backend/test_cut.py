"""What only containers can: a node cut off the network, and joined again."""

from __future__ import annotations

import socket
from collections import Counter
from collections.abc import Callable

import pytest
from kafka import KafkaConsumer, KafkaProducer

from kafkalab import Cluster
from kafkalab.cluster import probe
from kafkalab.cluster.ports import LOOPBACK
from kafkalab.errors import NodeFailed
from kafkalab.waiting import wait_until


@pytest.fixture
def topic(cluster: Cluster, new_topic: Callable[[str], str]) -> str:
    """Replicated over all three brokers; two of them must have a record before it is acknowledged."""
    name = new_topic("cut")
    cluster.create_topic(name, partitions=6, replication=3, settings={"min.insync.replicas": "2"})
    return name


def isr_without(cluster: Cluster, topic: str, broker: int) -> None:
    cluster.wait_for(
        lambda s: all(broker not in p.isr and len(p.isr) == 2 for p in s.topic(topic).partitions),
        30,
        f"the others to go on without {broker}",
    )


def isr_whole(cluster: Cluster, topic: str) -> None:
    cluster.wait_for(lambda s: all(len(p.isr) == 3 for p in s.topic(topic).partitions), 60, "every ISR to be whole")


def test_a_broker_off_the_network_leaves_the_isr_and_comes_back_and_nothing_is_lost(cluster, topic):
    # The hardest one to do without: the controller itself.
    victim = cluster.controller()
    producer = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, acks="all")
    sent = iter(range(10_000))

    def produce(count: int) -> None:
        for future in [producer.send(topic, b"%d" % next(sent)) for _ in range(count)]:
            future.get(60)

    produce(200)
    cluster.act(victim.name, "cut")
    assert victim.state == "cut"
    assert not isinstance(probe.ask(LOOPBACK, victim.port, 2.0), probe.Answer)
    produce(200)
    isr_without(cluster, topic, victim.id)
    assert victim.id not in {b.id for b in cluster.snapshot().brokers if b.alive}
    produce(200)
    cluster.act(victim.name, "join")
    assert victim.state == "running"
    assert victim.id in {b.id for b in cluster.snapshot().brokers if b.alive}
    produce(200)
    isr_whole(cluster, topic)
    producer.close()
    assert read(cluster, topic, 800) == Counter(range(800))


def read(cluster: Cluster, topic: str, count: int) -> Counter[int]:
    """How often each record is in the topic; waits for as many as there should be, and looks whether there are more."""
    consumer = KafkaConsumer(
        topic, bootstrap_servers=cluster.bootstrap_servers, auto_offset_reset="earliest", enable_auto_commit=False
    )
    seen: Counter[int] = Counter()

    def more() -> bool:
        got = [r for records in consumer.poll(500).values() for r in records]
        seen.update(int(r.value) for r in got)
        return not got and seen.total() >= count

    wait_until(more, 30, f"{count} records", period=0, seen=lambda: f"{seen.total()}")
    consumer.close()
    return seen


def test_a_cut_shorter_than_the_session_is_healed_too(cluster, topic):
    cluster.act("broker-102", "cut")
    cluster.act("broker-102", "join")
    isr_whole(cluster, topic)
    assert all(b.alive for b in cluster.snapshot().brokers)


def test_whatever_is_done_to_a_broker_off_the_network_it_can_be_brought_back(cluster, topic):
    node = cluster.broker(103)
    port = node.port
    cluster.act(node.name, "cut")
    cluster.act(node.name, "cut")
    cluster.act(node.name, "pause")
    assert node.state == "paused"
    cluster.act(node.name, "resume")
    assert node.state == "cut"
    cluster.act(node.name, "kill")
    assert node.state == "stopped"
    with pytest.raises(NodeFailed, match="Start it first"):
        cluster.act(node.name, "cut")
    with pytest.raises(NodeFailed, match="Start it first"):
        cluster.act(node.name, "join")
    cluster.act(node.name, "start")
    assert node.state == "running" and node.port == port
    assert isinstance(probe.ask(LOOPBACK, port, 5.0), probe.Answer)
    cluster.act(node.name, "join")
    assert node.state == "running"
    isr_whole(cluster, topic)


def test_start_brings_a_cut_broker_back_as_join_does(cluster, topic):
    cluster.act("broker-101", "cut")
    isr_without(cluster, topic, 101)
    cluster.act("broker-101", "start")
    assert cluster.broker(101).state == "running"
    isr_whole(cluster, topic)


@pytest.mark.parametrize("verb", ["stop", "kill"])
def test_a_paused_broker_can_be_ended(cluster, verb):
    node = cluster.broker(102).pause()
    cluster.act(node.name, "pause")
    assert node.state == "paused"
    cluster.act(node.name, verb)
    assert node.state == "stopped"
    cluster.act(node.name, verb)
    node.start()
    assert node.state == "running"


def test_an_ensemble_goes_on_without_its_leader_and_takes_it_back(up, new_topic):
    with up(1, "zookeeper", zookeepers=3) as cluster:
        before = leader(cluster)
        cluster.act(f"zookeeper-{before}", "cut")
        after = wait_until(lambda: (found := leader(cluster)) != before and found, 30, "another leader")
        cluster.create_topic(new_topic("without"))
        cluster.act(f"zookeeper-{before}", "join")
        # It answers again; the others take it in at their own pace.
        wait_until(lambda: mode(cluster, before) == "follower", 60, "the one that was cut off to follow")
        assert leader(cluster) == after


def leader(cluster: Cluster) -> int | None:
    ids = [n.id for n in cluster.nodes() if n.role == "zookeeper"]
    return next((id for id in ids if mode(cluster, id) == "leader"), None)


def mode(cluster: Cluster, id: int) -> str | None:
    """What a ZooKeeper says it is; None when it does not answer."""
    try:
        with socket.create_connection((LOOPBACK, cluster.zookeeper(id).port), 2.0) as connection:
            connection.sendall(b"srvr")
            with connection.makefile() as answer:
                return next((line[6:].strip() for line in answer if line.startswith("Mode: ")), None)
    except OSError:
        return None


def test_isolated_controllers_go_on_without_one_of_them(up, new_topic):
    with up(1, "kraft", controllers=3) as cluster:
        assert cluster.node("controller-1").port is None
        cluster.act("controller-1", "cut")
        cluster.act("controller-2", "cut")
        cluster.act("controller-2", "join")
        cluster.wait_for(lambda s: s.controller is not None, 60, "two of three to elect a controller")
        cluster.create_topic(new_topic("without"))
        cluster.act("controller-1", "join")
        assert {n.state for n in cluster.nodes()} == {"running"}
