"""Topics, and brokers that come and go for good: the same in every backend."""

from __future__ import annotations

import pytest

from kafkalab.errors import BadInput, NotSupported, RefusedByKafka
from tests.contract.conftest import Kind
from tests.support.records import fill, numbers


def test_topics_are_made_and_gone(cluster, new_topic):
    topic = new_topic()
    cluster.create_topic(topic, partitions=4, replication=2)
    # A partition has a leader before that has made its log.
    empty = cluster.wait_for(
        lambda s: {(p.start, p.end) for p in s.topic(topic).partitions} == {(0, 0)}, 30, "its logs"
    )
    found = empty.topic(topic)
    assert len(found.partitions) == 4
    assert found.replication == 2 and not found.internal
    for p in found.partitions:
        assert p.leader == p.preferred_leader and set(p.isr) == set(p.replicas)
    cluster.delete_topic(topic)
    assert cluster.snapshot().topic(topic) is None
    # At once, when ZooKeeper may still know the old one.
    cluster.create_topic(topic, partitions=1)
    assert len(cluster.snapshot().topic(topic).partitions) == 1
    cluster.delete_topic(topic)


def test_refused_topics(kind, cluster, new_topic):
    topic = new_topic()
    for wrong in (
        {"name": "no spaces"},
        {"name": topic, "partitions": 0},
        {"name": topic, "replication": 4},
        {"name": topic, "replication": 0},
    ):
        with pytest.raises(BadInput) as e:
            cluster.create_topic(**wrong)
        assert e.value.do
    if kind.backend != "fake":
        with pytest.raises(RefusedByKafka, match="did not create") as refused:
            cluster.create_topic(topic, settings={"no.such.setting": "1"})
        assert "no.such.setting" in refused.value.seen
    assert cluster.snapshot().topic(topic) is None
    cluster.create_topic(topic)
    with pytest.raises(RefusedByKafka, match="exists already"):
        cluster.create_topic(topic)
    cluster.delete_topic(topic)
    with pytest.raises(BadInput, match="no topic"):
        cluster.delete_topic(topic)
    with pytest.raises(BadInput, match="how far each group has read"):
        cluster.delete_topic("__consumer_offsets")


def test_a_broker_is_added_and_removed(kind, cluster, new_topic):
    topic, narrow = new_topic(), new_topic("narrow")
    before = {n.name for n in cluster.nodes()}
    broker = cluster.add_broker()
    assert (broker.name, broker.state) == ("broker-104", "running")
    cluster.wait_for(lambda s: s.broker(104) is not None and s.broker(104).alive, 30, "104 to be registered")
    cluster.create_topic(topic, partitions=8, replication=3)
    assert any(104 in p.replicas for p in cluster.snapshot().topic(topic).partitions)
    if kind.backend != "fake":
        fill(cluster, topic, 400)
    cluster.create_topic(narrow, partitions=1, replication=4)
    with pytest.raises(BadInput, match="cannot leave") as e:
        cluster.remove_broker(104)
    assert narrow in e.value.seen and "add_broker" in e.value.do
    cluster.delete_topic(narrow)
    cluster.remove_broker(104)
    assert {n.name for n in cluster.nodes()} == before
    after = cluster.snapshot()
    assert after.broker(104) is None
    assert all(
        104 not in p.replicas and len(p.replicas) == 3 and p.leader is not None for p in after.topic(topic).partitions
    )
    if kind.backend != "fake":
        assert numbers(cluster, topic) == list(range(400))


@pytest.mark.parametrize("kind", [Kind("fake", "kraft"), Kind("local", "kraft")], ids=str, indirect=True)
def test_a_voter_cannot_leave(cluster):
    with pytest.raises(NotSupported, match="votes in the metadata quorum"):
        cluster.remove_broker(103)
    assert cluster.broker(103).state == "running"
