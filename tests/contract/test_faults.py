"""What can be done to the nodes, and what a snapshot says after each: the same in every backend."""

from __future__ import annotations

import pytest

from kafkalab import Cluster
from kafkalab.errors import NodeFailed, NoSuchNode, NotSupported

#: A fault, what the backend calls the node then, and how it is undone.
FAULTS = [
    ("stop", "stopped", "start"),
    ("kill", "stopped", "start"),
    ("pause", "paused", "resume"),
    ("cut", "cut", "join"),
]


def in_sync(cluster: Cluster, topic: str) -> None:
    cluster.wait_for(lambda s: not any(p.under_replicated for p in s.topic(topic).partitions), 60, "a full ISR")


def test_nodes_are_what_was_asked_for(cluster):
    brokers = [n for n in cluster.nodes() if n.role == "broker"]
    assert [n.name for n in brokers] == ["broker-101", "broker-102", "broker-103"]
    assert {n.state for n in cluster.nodes()} == {"running"}
    snapshot = cluster.snapshot()
    assert snapshot.mode == cluster.mode
    assert snapshot.cluster_id == cluster.cluster_id
    assert [b.id for b in snapshot.brokers if b.alive] == [101, 102, 103]
    assert snapshot.controller in (101, 102, 103)
    assert cluster.controller().id == snapshot.controller
    assert {"cluster_id", "mode", "controller", "at", "brokers", "topics", "groups"} <= snapshot.to_dict().keys()
    quorum = snapshot.quorum
    assert quorum is not None and quorum.kind == cluster.mode and quorum.leader is not None
    assert ("zookeeper-1" in {n.name for n in cluster.nodes()}) == (cluster.mode == "zookeeper")


@pytest.mark.parametrize("verb, state, undo", FAULTS)
def test_a_broker_that_is_gone_leads_nothing_leaves_the_isr_and_comes_back(cluster, new_topic, verb, state, undo):
    node = cluster.broker(102)
    if verb not in next(n.verbs for n in cluster.nodes() if n.name == node.name):
        with pytest.raises(NotSupported):
            getattr(node, verb)()
        return
    topic = new_topic()
    cluster.create_topic(topic, partitions=6, replication=3)
    epochs = {p.partition: p.leader_epoch for p in cluster.snapshot().topic(topic).partitions}
    led = {p.partition for p in cluster.snapshot().topic(topic).partitions if p.leader == 102}
    assert led
    getattr(node, verb)()
    assert node.state == state
    after = cluster.wait_for(
        lambda s: (
            not s.broker(102).alive
            and all(p.leader in (101, 103) and 102 not in p.isr for p in s.topic(topic).partitions)
        ),
        60,
        "102 to be out of every ISR",
    )
    for p in after.topic(topic).partitions:
        assert 102 in p.replicas and set(p.isr) <= set(p.replicas) and p.leader in p.isr
        if p.partition in led:
            assert p.leader_epoch > epochs[p.partition]
    getattr(node, undo)()
    assert node.state == "running"
    in_sync(cluster, topic)
    assert cluster.snapshot().broker(102).alive


def test_a_partition_whose_only_replica_is_gone_has_no_leader_until_it_comes_back(cluster, new_topic):
    topic = new_topic()
    cluster.create_topic(topic, partitions=3, replication=1)
    mine = next(p for p in cluster.snapshot().topic(topic).partitions if p.replicas == (103,)).partition
    cluster.broker(103).kill()
    cluster.wait_for(lambda s: s.topic(topic).partitions[mine].leader is None, 60, "the partition to lose its leader")
    cluster.broker(103).start()
    cluster.wait_for(lambda s: s.topic(topic).partitions[mine].leader == 103, 60, "its leader to be back")


def test_when_the_controller_is_killed_another_broker_takes_over(cluster):
    old = cluster.controller()
    old.kill()
    cluster.wait_for(
        lambda s: s.controller not in (None, old.id) and not s.broker(old.id).alive, 60, "a new controller"
    )
    assert cluster.controller().id != old.id


def test_without_a_majority_of_whoever_keeps_the_metadata_nobody_is_elected(cluster, new_topic):
    topic = new_topic()
    cluster.create_topic(topic, partitions=3, replication=3)
    before = {p.partition: p.leader for p in cluster.snapshot().topic(topic).partitions}
    if cluster.mode == "zookeeper":
        cluster.zookeeper(1).kill()
        # Brokers go on serving what they lead; that one of them dies now is something nobody could act on.
        assert {p.partition: p.leader for p in cluster.snapshot().topic(topic).partitions} == before
        cluster.zookeeper(1).start()
    else:
        cluster.broker(101).kill()
        cluster.broker(102).kill()
        cluster.wait_for(lambda s: s.quorum is None or s.quorum.leader is None, 60, "the quorum to lose its leader")
        cluster.broker(101).start()
        cluster.broker(102).start()
    cluster.wait_for(lambda s: s.controller is not None, 60, "a controller")
    in_sync(cluster, topic)


def test_verbs_that_change_nothing_are_no_error_and_impossible_ones_say_what_to_do(cluster):
    broker = cluster.broker(101)
    assert broker.start().state == "running"
    assert broker.resume().state == "running"
    broker.stop()
    assert broker.stop().kill().state == "stopped"
    for verb in (broker.pause, broker.resume):
        with pytest.raises(NodeFailed, match="is stopped") as e:
            verb()
        assert "Start it" in e.value.do
    assert broker.start().state == "running"
    broker.pause()
    assert broker.pause().state == "paused"
    assert broker.kill().state == "stopped"
    assert broker.start().state == "running"


def test_a_node_that_does_not_exist_names_those_that_do(cluster):
    with pytest.raises(NoSuchNode) as e:
        cluster.broker(999)
    assert "broker-101" in e.value.do


def test_a_log_tells_of_its_node(cluster):
    assert cluster.broker(101).log(5).strip()
    assert len(cluster.broker(101).log(3).splitlines()) <= 3
