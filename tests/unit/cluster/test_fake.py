"""The cluster in memory: a few stories of what only Kafka's own rules decide.

What it shares with real ones stands in tests/contract, what always holds in test_fake_invariants.
"""

from __future__ import annotations

import pytest

from kafkalab.cluster.fake import FakeBackend
from kafkalab.cluster.spec import MODES, ClusterSpec, Mode
from kafkalab.errors import RefusedByKafka
from kafkalab.state.model import Partition


def fake(mode: Mode = "zookeeper", **more: object) -> FakeBackend:
    """A running one, with isolated controllers in KRaft so that brokers may die without them."""
    shape = {"zookeepers": 0, "controllers": 3} if mode == "kraft" else {}
    found = FakeBackend(ClusterSpec("f", mode=mode, **{**shape, **more}))  # type: ignore[arg-type]
    found.start()
    return found


def one(backend: FakeBackend, topic: str = "t", partition: int = 0) -> Partition:
    found = backend.snapshot().topic(topic)
    assert found is not None
    return found.partitions[partition]


both = pytest.mark.parametrize("mode", MODES)


@both
def test_the_last_in_sync_is_waited_for(mode: Mode) -> None:
    backend = fake(mode)
    backend.assign("t", [[101, 102]])
    backend.act("broker-102", "kill")
    backend.act("broker-101", "kill")
    # With ZooKeeper the last one stays in the ISR; in KRaft it leaves it, and may still lead.
    assert (one(backend).leader, one(backend).isr) == (None, (101,) if mode == "zookeeper" else ())
    assert (one(backend).start, one(backend).end) == (None, None)
    backend.act("broker-102", "start")
    assert one(backend).leader is None, "102 missed what 101 may have taken"
    backend.act("broker-101", "start")
    assert (one(backend).leader, set(one(backend).isr)) == (101, {101, 102})


@both
def test_another_leads_and_the_one_that_comes_back_follows(mode: Mode) -> None:
    backend = fake(mode)
    backend.assign("t", [[101, 102, 103]])
    backend.act("broker-101", "kill")
    assert (one(backend).leader, one(backend).leader_epoch, set(one(backend).isr)) == (102, 1, {102, 103})
    backend.act("broker-101", "start")
    assert (one(backend).leader, one(backend).preferred_leader, set(one(backend).isr)) == (102, 101, {101, 102, 103})


def test_without_zookeeper_brokers_serve_and_nothing_changes() -> None:
    backend = fake(zookeepers=3)
    backend.assign("t", [[101, 102, 103]])
    backend.act("zookeeper-3", "kill")
    assert [n.role for n in backend.snapshot().quorum.nodes] == ["follower", "leader", None]  # type: ignore[union-attr]
    backend.act("zookeeper-2", "pause")
    backend.act("broker-103", "kill")
    snapshot = backend.snapshot()
    quorum = snapshot.quorum
    assert quorum is not None and quorum.leader is None
    assert [(n.alive, n.role) for n in quorum.nodes] == [(True, None), (False, None), (False, None)]
    assert "broker 103 is registered but does not answer" in snapshot.problems
    assert (one(backend).leader, one(backend).end) == (101, 0)
    with pytest.raises(RefusedByKafka, match="did not create") as refused:
        backend.create_topic("u")
    assert "majority of the ZooKeepers" in refused.value.do
    backend.act("zookeeper-2", "resume")
    assert set(one(backend).isr) == {101, 102} and not backend.snapshot().broker(103).alive  # type: ignore[union-attr]
