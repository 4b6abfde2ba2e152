"""What only containers can: a node cut off the network, and joined again."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import pytest
from kafka import KafkaProducer

from kafkalab import Cluster
from kafkalab.cluster import probe
from kafkalab.cluster.net import LOOPBACK
from kafkalab.errors import NodeFailed, Unreachable
from kafkalab.waiting import wait_until
from tests.support.records import numbers
from tests.support.traces import in_sync

pytestmark = pytest.mark.deep


@pytest.fixture
def topic(cluster: Cluster, new_topic: Callable[[str], str]) -> str:
    """Replicated over all three brokers; two of them must have a record before it is acknowledged."""
    name = new_topic("cut")
    cluster.create_topic(name, partitions=6, replication=3, settings={"min.insync.replicas": "2"})
    return name


def goes_on_without(cluster: Cluster, topic: str, broker: int) -> None:
    cluster.wait_for(
        lambda s: (
            not s.broker(broker).alive
            and all(broker not in p.isr and len(p.isr) == 2 for p in s.topic(topic).partitions)
        ),
        30,
        f"the others to go on without {broker}",
    )


@pytest.mark.parametrize("mode", [pytest.param("zookeeper", marks=pytest.mark.nightly), "kraft"])
def test_nothing_is_lost_though_the_controller_is_off_the_network(cluster, topic):
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
    goes_on_without(cluster, topic, victim.id)
    produce(200)
    cluster.act(victim.name, "join")
    assert victim.state == "running"
    produce(200)
    in_sync(cluster)
    producer.close()
    assert numbers(cluster, topic, 800) == list(range(800))


def test_whatever_is_done_to_a_broker_off_the_network_it_can_be_brought_back(cluster, topic):
    node = cluster.broker(103)
    port = node.port
    # Shorter than its session, and longer; by join, and by start.
    cluster.act(node.name, "cut")
    cluster.act(node.name, "join")
    in_sync(cluster)
    cluster.act(node.name, "cut")
    goes_on_without(cluster, topic, 103)
    cluster.act(node.name, "start")
    assert node.state == "running"
    in_sync(cluster)

    cluster.act(node.name, "cut")
    cluster.act(node.name, "cut")
    cluster.act(node.name, "pause")
    assert node.state == "paused"
    cluster.act(node.name, "resume")
    assert node.state == "cut"
    cluster.act(node.name, "kill")
    assert node.state == "stopped"
    for verb in ("cut", "join"):
        with pytest.raises(NodeFailed, match="Start it first"):
            cluster.act(node.name, verb)
    cluster.act(node.name, "start")
    assert node.state == "running" and node.port == port
    assert isinstance(probe.ask(LOOPBACK, port, 5.0), probe.Answer)
    cluster.act(node.name, "join")
    assert node.state == "running"
    # A paused one can be stopped, too.
    node.pause().stop()
    assert node.state == "stopped"
    node.start()
    in_sync(cluster)


def test_isolated_controllers_go_on_without_one_of_them(up, new_topic):
    with up(1, "kraft", controllers=3) as cluster:
        assert cluster.node("controller-1").port is None
        cluster.act("controller-1", "cut")
        cluster.act("controller-2", "cut")
        cluster.act("controller-2", "join")
        # Nobody took its only broker's heartbeats meanwhile: until they are, no broker counts as there.
        wait_until(lambda: controller(cluster), 60, "two of three to elect a controller")
        cluster.create_topic(new_topic("without"))
        cluster.act("controller-1", "join")
        assert {n.state for n in cluster.nodes()} == {"running"}


def controller(cluster: Cluster) -> int | None:
    with contextlib.suppress(Unreachable):
        return cluster.snapshot().controller
    return None
