"""What can be done to the nodes, and what a snapshot says after each: the same in every backend."""

from __future__ import annotations

import pytest

from kafkalab.errors import NodeFailed, NoSuchNode, NotSupported
from tests.contract.conftest import MODELS, REAL, Kind, over
from tests.support.traces import in_sync

#: A fault, what the backend calls the node then, and how it is undone.
FAULTS = {
    "stop": ("stopped", "start"),
    "kill": ("stopped", "start"),
    "pause": ("paused", "resume"),
    "cut": ("cut", "join"),
}


def test_nodes_are_what_was_asked_for(kind, cluster):
    brokers = [n for n in cluster.nodes() if n.role == "broker"]
    assert [n.name for n in brokers] == ["broker-101", "broker-102", "broker-103"]
    assert {n.state for n in cluster.nodes()} == {"running"}
    snapshot = cluster.wait_for(lambda s: s.controller and s.quorum and s.quorum.leader, 20, "who leads")
    assert snapshot.mode == cluster.mode
    assert snapshot.cluster_id == cluster.cluster_id
    assert [b.id for b in snapshot.brokers if b.alive] == [101, 102, 103]
    assert snapshot.controller in (101, 102, 103)
    assert cluster.controller().id == snapshot.controller
    quorum = snapshot.quorum
    assert quorum is not None and quorum.kind == cluster.mode and quorum.leader is not None
    assert ("zookeeper-1" in {n.name for n in cluster.nodes()}) == (cluster.mode == "zookeeper")
    # A log tells of its node, and a node that is not there names those that are.
    assert cluster.broker(101).log(5).strip()
    assert len(cluster.broker(101).log(3).splitlines()) <= 3
    with pytest.raises(NoSuchNode) as e:
        cluster.broker(999)
    assert "broker-101" in e.value.do
    node = cluster.nodes()[0]
    severable = kind.backend != "local"
    assert set(node.verbs) == {"stop", "kill", "pause"} | ({"cut"} if severable else set())
    if not severable:
        for verb in ("cut", "join"):
            with pytest.raises(NotSupported, match="share one network"):
                cluster.act(node.name, verb)


def faults(*, deep: bool, **verbs: str) -> list[object]:
    """Parameters: each of these kinds ("local_zookeeper") with each of its verbs."""
    return [
        pytest.param(Kind(*name.split("_")), verb, id=f"{name}-{verb}", marks=[pytest.mark.deep] if deep else [])
        for name, words in verbs.items()
        for verb in words.split()
    ]


@pytest.mark.parametrize("kind, verb", [
    *faults(deep=False, fake_zookeeper=" ".join(FAULTS), fake_kraft=" ".join(FAULTS)),
    *faults(deep=False, local_zookeeper="kill", local_kraft="kill"),
    *faults(deep=True, local_zookeeper="stop pause", docker_zookeeper=" ".join(FAULTS), docker_kraft="kill cut"),
], indirect=["kind"])  # fmt: skip
def test_a_broker_goes_and_comes_back(cluster, new_topic, verb):
    """Whom it hits hardest when it is killed: the controller."""
    state, undo = FAULTS[verb]
    node = cluster.controller() if verb == "kill" else cluster.broker(102)
    topic, alone = new_topic(), new_topic("alone")
    cluster.create_topic(topic, partitions=6, replication=3)
    cluster.create_topic(alone, partitions=3, replication=1)
    before = cluster.snapshot()
    epochs = {p.partition: p.leader_epoch for p in before.topic(topic).partitions}
    led = {p.partition for p in before.topic(topic).partitions if p.leader == node.id}
    assert led
    mine = next(p for p in before.topic(alone).partitions if p.replicas == (node.id,)).partition
    getattr(node, verb)()
    assert node.state == state
    after = cluster.wait_for(
        lambda s: (
            not s.broker(node.id).alive
            and s.controller not in (None, node.id)
            and all(p.leader not in (None, node.id) and node.id not in p.isr for p in s.topic(topic).partitions)
            and s.topic(alone).partitions[mine].leader is None
        ),
        60,
        f"{node.name} to be out of every ISR, and its only copies without a leader",
    )
    assert cluster.controller().id != node.id
    for p in after.topic(topic).partitions:
        assert node.id in p.replicas and set(p.isr) <= set(p.replicas) and p.leader in p.isr
        if p.partition in led:
            assert p.leader_epoch > epochs[p.partition]
    getattr(node, undo)()
    assert node.state == "running"
    in_sync(cluster)
    cluster.wait_for(lambda s: s.topic(alone).partitions[mine].leader == node.id, 60, "its leader to be back")


@over([*MODELS, *REAL])
def test_without_a_majority_nobody_is_elected(cluster, new_topic):
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
        cluster.broker(103).kill()
        for id in (101, 102, 103):  # the first of them can do no more than listen
            assert cluster.broker(id).start().state == "running"
    in_sync(cluster)


def test_verbs_that_change_nothing_and_impossible_ones(cluster):
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
