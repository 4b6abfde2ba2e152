"""The cluster in memory: a few stories of what only Kafka's own rules decide.

What it shares with real ones stands in tests/contract, what always holds in test_fake_invariants.
"""

from __future__ import annotations

import pytest

from kafkalab.cluster.fake.backend import FakeBackend
from kafkalab.cluster.fake.kafka import place
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
    # With ZooKeeper the last one stays in the ISR; in KRaft it leaves it, and is eligible (KIP-966).
    assert (one(backend).leader, one(backend).isr) == (None, (101,) if mode == "zookeeper" else ())
    assert (one(backend).start, one(backend).end) == (None, None)
    backend.act("broker-102", "start")
    assert one(backend).leader is None, "102 missed what 101 may have taken"
    with pytest.raises(RefusedByKafka) as e:
        backend.produce("t", 0)
    assert "Start broker 101" in e.value.do
    backend.act("broker-101", "start")
    assert (one(backend).leader, set(one(backend).isr)) == (101, {101, 102})


@both
def test_what_only_the_leader_acknowledged_dies_with_it(mode: Mode) -> None:
    backend = fake(mode)
    backend.assign("t", [[101, 102, 103]])
    copied = backend.produce("t", 0, 3, acks=1)
    safe = backend.produce("t", 0, 7)  # the followers fetch both
    risky = backend.produce("t", 0, 5, acks=1)
    assert backend.kept(risky) and one(backend).end == 10
    backend.act("broker-101", "kill")
    assert (one(backend).leader, one(backend).leader_epoch, set(one(backend).isr)) == (102, 1, {102, 103})
    assert backend.kept(safe) and backend.kept(copied) and not backend.kept(risky)
    again = backend.produce("t", 0, 5)
    backend.act("broker-101", "start")
    assert (one(backend).leader, again.offset, one(backend).end) == (102, 10, 15)
    assert backend.kept(again) and not backend.kept(risky), "what 101 had alone was cut off when it came back"
    backend.elect_preferred()
    assert (one(backend).leader, one(backend).leader_epoch) == (101, 2)
    assert "the leader of t-0 is now 101, epoch 2" in backend.log_tail("broker-103")


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
    assert backend.produce("t", 0, acks=1).offset == 0
    backend.act("zookeeper-2", "resume")
    assert set(one(backend).isr) == {101, 102} and not backend.snapshot().broker(103).alive  # type: ignore[union-attr]


@both
def test_a_group_reads_commits_and_survives_its_coordinator(mode: Mode) -> None:
    backend = fake(mode)
    backend.create_topic("t", 4, 3)
    for p in range(4):
        backend.produce("t", p, 10)
    first, second = backend.join("g", "one", ["t"]), backend.join("g", "two", ["t"])
    group = backend.snapshot().group("g")
    assert group is not None and (group.state, group.assignor, len(group.members)) == ("Stable", "range", 2)
    assert [sum(map(len, backend.poll("g", first, limit=15).values())) for _ in range(2)] == [15, 5]
    backend.commit("g", first)
    was = backend.coordinator("g")
    backend.act(f"broker-{was}", "kill")
    group = backend.snapshot().group("g")
    assert group is not None and group.coordinator not in (None, was)
    assert sorted(o.lag for o in group.offsets if o.lag is not None) == [0, 0]
    backend.leave("g", first)
    # What was committed is not read again, what was not is.
    assert sum(map(len, backend.poll("g", second).values())) == 20
    backend.leave("g", second)
    assert backend.snapshot().group("g").state == "Empty"  # type: ignore[union-attr]


def test_a_group_needs_a_coordinator_and_one_assignor() -> None:
    backend = fake(settings={"offsets.topic.replication.factor": "1"})
    backend.create_topic("t", 1, 3)
    member = backend.join("g", "one", ["t"])
    with pytest.raises(RefusedByKafka, match="did not accept"):
        backend.join("g", "two", ["t"], "roundrobin")
    backend.act(f"broker-{backend.coordinator('g')}", "kill")
    assert [(g.state, g.coordinator, g.members) for g in backend.snapshot().groups] == [("Unknown", None, ())]
    with pytest.raises(RefusedByKafka, match="No broker coordinates"):
        backend.commit("g", member)


def test_replicas_are_placed_as_in_kafkas_documentation() -> None:
    # AdminUtils: 5 brokers, 10 partitions, 3 replicas, from the first broker on with a shift of 0.
    assert place(range(5), 10, 3, {}) == (
        (0, 1, 2), (1, 2, 3), (2, 3, 4), (3, 4, 0), (4, 0, 1),
        (0, 2, 3), (1, 3, 4), (2, 4, 0), (3, 0, 1), (4, 1, 2),
    )  # fmt: skip
    # The brokers in turn by rack are 0, 3, 1, 5, 4, 2, and the replicas are then:
    racks = {0: "rack1", 1: "rack3", 2: "rack3", 3: "rack2", 4: "rack2", 5: "rack1"}
    assert place(range(6), 7, 3, racks) == (
        (0, 3, 1), (3, 1, 5), (1, 5, 4), (5, 4, 2), (4, 2, 0), (2, 0, 3), (0, 4, 2),
    )  # fmt: skip
