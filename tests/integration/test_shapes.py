"""Controllers of their own, and racks. (Ensembles: test_robust_start.)"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kafkalab import Cluster
from kafkalab.state.model import Snapshot
from tests.support.records import fill, numbers

pytestmark = pytest.mark.deep


@pytest.fixture(scope="module")
def isolated(home: object) -> Iterator[Cluster]:
    """Three controllers of their own, and three brokers on three racks."""
    with Cluster(3, "kraft", controllers=3, racks=("red", "green", "blue"), quiet=True) as cluster:
        yield cluster


def test_controllers_of_their_own_lead_the_metadata_and_one_follows_another(isolated):
    assert [n.id for n in isolated.nodes() if n.role == "controller"] == [1, 2, 3]

    def followed(s: Snapshot) -> bool:
        return s.quorum is not None and s.quorum.leader is not None and all(n.alive for n in s.quorum.nodes)

    snapshot = isolated.wait_for(lambda s: followed(s) and len(s.quorum.nodes) == 6, 60, "all to follow the leader")
    assert snapshot.controller in (1, 2, 3)
    roles = {n.id: n.role for n in snapshot.quorum.nodes}
    assert sorted(id for id, role in roles.items() if role in ("leader", "follower")) == [1, 2, 3]
    assert {roles[id] for id in (101, 102, 103)} == {"observer"}
    assert isolated.controller().name == f"controller-{snapshot.controller}"
    old = isolated.controller()
    old.kill()
    after = isolated.wait_for(lambda s: s.controller not in (None, old.id), 60, "another controller")
    assert after.quorum.epoch > snapshot.quorum.epoch
    assert [b.id for b in after.brokers if b.alive] == [101, 102, 103]
    assert old.start().state == "running"


def test_without_a_majority_of_them_topics_wait_and_records_flow(isolated, new_topic):
    topic = new_topic()
    isolated.create_topic(topic, partitions=1, replication=3)
    for name in ("controller-1", "controller-2"):
        isolated.node(name).kill()
    isolated.wait_for(lambda s: s.quorum is None or s.quorum.leader is None, 60, "the quorum to lose its leader")
    # An idempotent one would wait for its producer id, which the controller gives out.
    fill(isolated, topic, 2, enable_idempotence=False)
    assert numbers(isolated, topic, 2) == [0, 1]
    for name in ("controller-1", "controller-2"):
        assert isolated.node(name).start().state == "running"
    isolated.wait_for(lambda s: s.controller is not None, 60, "a controller")
    isolated.create_topic(new_topic())


def test_replicas_spread_over_racks_and_a_broker_joins_one(isolated, new_topic):
    topic = new_topic()
    broker = isolated.add_broker(rack="red")
    isolated.create_topic(topic, partitions=6, replication=3)
    found = isolated.snapshot()
    racks = {b.id: b.rack for b in found.brokers}
    assert racks == {101: "red", 102: "green", 103: "blue", 104: "red"}
    assert any(104 in p.replicas for p in found.topic(topic).partitions)
    isolated.remove_broker(broker.id)
    for partitions in (found.topic(topic).partitions, isolated.snapshot().topic(topic).partitions):
        for p in partitions:
            assert sorted(racks[id] for id in p.replicas) == ["blue", "green", "red"]


def test_any_broker_may_leave_where_none_of_them_votes(isolated):
    for topic in isolated.snapshot().topics:
        if not topic.internal:
            isolated.delete_topic(topic.name)
    isolated.add_broker()
    isolated.remove_broker(103)
    assert [n.name for n in isolated.nodes() if n.role == "broker"] == ["broker-101", "broker-102", "broker-104"]
    # The id of one that left is not given again.
    assert isolated.add_broker().id == 105
