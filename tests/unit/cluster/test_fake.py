"""The cluster in memory: a few stories of what only Kafka's own rules decide.

What it shares with real ones stands in tests/contract, what always holds in test_fake_invariants.
"""

from __future__ import annotations

from collections import Counter

import hypothesis.strategies as st
import pytest
from hypothesis import given

from kafkalab.cluster.backend import Verb
from kafkalab.cluster.fake.backend import FakeBackend
from kafkalab.cluster.fake.brokers import OFFSETS_TOPIC
from kafkalab.cluster.fake.placement import place
from kafkalab.cluster.spec import ClusterSpec, Mode
from kafkalab.errors import NodeFailed, NotSupported, RefusedByKafka, Unreachable
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


@pytest.fixture(params=["zookeeper", "kraft"])
def mode(request: pytest.FixtureRequest) -> Mode:
    found: Mode = request.param
    return found


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


@pytest.mark.parametrize("ended, leads", [("stop", 102), ("kill", None)])
def test_kraft_trusts_who_left_the_isr_unless_killed(ended: Verb, leads: int | None) -> None:
    backend = fake("kraft")
    backend.assign("t", [[101, 102]], {"min.insync.replicas": "2"})
    backend.act("broker-102", ended)
    backend.act("broker-101", "stop")
    backend.act("broker-102", "start")
    assert one(backend).leader == leads


def test_min_insync_replicas(mode: Mode) -> None:
    backend = fake(mode)
    backend.create_topic("t", 1, 3, {"min.insync.replicas": "2"})
    backend.produce("t", 0, 3)
    backend.act("broker-103", "stop")
    assert backend.produce("t", 0).offset == 3
    backend.act("broker-102", "stop")
    with pytest.raises(RefusedByKafka, match="did not take") as e:
        backend.produce("t", 0)
    assert "NotEnoughReplicas" in e.value.seen
    # The leader takes it alone, but it is not committed: consumers do not see it before another has it too.
    backend.produce("t", 0, acks=1)
    assert one(backend).end == 4
    backend.act("broker-102", "start")
    assert one(backend).end == 5


def test_what_only_the_leader_acknowledged_dies_with_it(mode: Mode) -> None:
    backend = fake(mode)
    backend.assign("t", [[101, 102, 103]])
    safe = backend.produce("t", 0, 10)
    risky = backend.produce("t", 0, 5, acks=1)
    assert backend.kept(risky) and one(backend).end == 10
    backend.act("broker-101", "kill")
    assert (one(backend).leader, one(backend).leader_epoch, set(one(backend).isr)) == (102, 1, {102, 103})
    assert backend.kept(safe) and not backend.kept(risky)
    again = backend.produce("t", 0, 5)
    backend.act("broker-101", "start")
    assert (one(backend).leader, again.offset, one(backend).end) == (102, 10, 15)
    assert backend.kept(again) and not backend.kept(risky), "what 101 had alone was cut off when it came back"
    backend.elect_preferred()
    assert (one(backend).leader, one(backend).leader_epoch) == (101, 2)
    assert "the leader of t-0 is now 101, epoch 2" in backend.log_tail("broker-103")


def test_acks_1_is_safe_when_followers_had_the_time(mode: Mode) -> None:
    for verb in ("kill", "stop"):
        backend = fake(mode)
        backend.assign("t", [[101, 102, 103]])
        risky = backend.produce("t", 0, 5, acks=1)
        if verb == "kill":
            backend.replicate()
        backend.act("broker-101", verb)  # type: ignore[arg-type]
        assert backend.kept(risky) and one(backend).end == 5


def test_kraft_without_a_majority_is_frozen() -> None:
    backend = fake("kraft", controllers=0)
    backend.assign("t", [[102, 101, 103], [101, 102, 103]])
    backend.act("broker-103", "kill")
    backend.act("broker-102", "kill")
    snapshot = backend.snapshot()
    assert (snapshot.controller, snapshot.quorum.leader, snapshot.quorum.epoch) == (None, None, None)  # type: ignore[union-attr]
    assert [b.id for b in snapshot.brokers if b.alive] == [101, 102], "nobody is left to notice that 102 is gone"
    assert (one(backend).leader, one(backend).end) == (102, None)
    with pytest.raises(RefusedByKafka, match="acknowledge"):
        backend.produce("t", 1)
    assert backend.produce("t", 1, acks=1).offset == 1, "the leader that is there still serves"
    with pytest.raises(RefusedByKafka, match="did not create"):
        backend.create_topic("later", 1, 1)
    backend.act("broker-103", "start")
    assert backend.snapshot().controller is not None and one(backend).leader == 101


def test_without_zookeeper_brokers_serve_and_nothing_changes() -> None:
    backend = fake(zookeepers=3)
    backend.assign("t", [[101, 102, 103]])
    backend.act("zookeeper-3", "kill")
    assert backend.snapshot().quorum.leader == 2  # type: ignore[union-attr]
    backend.act("zookeeper-2", "pause")
    backend.act("broker-103", "kill")
    snapshot = backend.snapshot()
    quorum = snapshot.quorum
    assert quorum is not None and (quorum.leader, [n.alive for n in quorum.nodes]) == (None, [True, False, False])
    assert all(b.alive for b in snapshot.brokers) and snapshot.controller == 101
    assert set(one(backend).isr) == {101, 102, 103}
    assert "broker 103 is registered but does not answer" in snapshot.problems
    assert backend.produce("t", 0, acks=1).offset == 0
    backend.act("zookeeper-2", "resume")
    assert set(one(backend).isr) == {101, 102} and not backend.snapshot().broker(103).alive  # type: ignore[union-attr]


def test_roles_in_the_quorum() -> None:
    def roles(backend: FakeBackend) -> list[str | None]:
        quorum = backend.snapshot().quorum
        assert quorum is not None
        return [node.role for node in quorum.nodes]

    assert roles(fake()) == ["standalone"]
    ensemble, kraft = fake(zookeepers=3), fake("kraft")
    assert sorted(map(str, roles(ensemble))) == ["follower", "follower", "leader"]
    assert sorted(map(str, roles(kraft))) == ["follower"] * 2 + ["leader"] + ["observer"] * 3
    ensemble.act("zookeeper-1", "kill")
    ensemble.act("zookeeper-2", "kill")
    kraft.act("broker-102", "kill")
    assert roles(ensemble) == [None, None, None]
    assert roles(kraft)[3:] == ["observer", None, "observer"]


def test_nobody_answers() -> None:
    backend = fake(brokers=1)
    backend.act("broker-101", "cut")
    with pytest.raises(Unreachable) as e:
        backend.snapshot()
    assert "broker-101 is cut" in e.value.seen
    backend.stop()
    with pytest.raises(Unreachable):
        backend.snapshot()
    with pytest.raises(NodeFailed, match="not running"):
        backend.act("broker-101", "start")


def test_what_kafka_refuses_of_a_topic(mode: Mode) -> None:
    backend = fake(mode)
    backend.create_topic("a.b", 2)
    for name, settings, error, why in (
        ("a_b", {}, RefusedByKafka, "collides"),
        ("c", {"min.insync.replicas": "0"}, RefusedByKafka, "Invalid value 0"),
        ("c", {"unclean.leader.election.enable": "true"}, NotSupported, "unclean"),
    ):
        with pytest.raises(error) as e:
            backend.create_topic(name, 1, 1, settings)
        assert why in str(e.value)


def test_a_group_reads_commits_and_survives_its_coordinator(mode: Mode) -> None:
    backend = fake(mode)
    backend.create_topic("t", 4, 3)
    for p in range(4):
        backend.produce("t", p, 10)
    first = backend.join("g", "one", ["t"])
    second = backend.join("g", "two", ["t"])
    group = backend.snapshot().group("g")
    assert group is not None and (group.state, group.assignor, len(group.members)) == ("Stable", "range", 2)
    assert backend.snapshot().topic(OFFSETS_TOPIC).internal  # type: ignore[union-attr]
    read = backend.poll("g", first, limit=15)
    assert sum(map(len, read.values())) == 15
    assert sum(map(len, backend.poll("g", first).values())) == 5
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
    with pytest.raises(RefusedByKafka, match="no member"):
        backend.poll("g", second)


def test_a_group_needs_a_coordinator_and_one_assignor() -> None:
    backend = fake(settings={"offsets.topic.replication.factor": "1"})
    backend.create_topic("t", 1, 3)
    member = backend.join("g", "one", ["t"])
    with pytest.raises(RefusedByKafka, match="did not take") as e:
        backend.join("g", "two", ["t"], "roundrobin")
    assert "range" in e.value.do
    backend.act(f"broker-{backend.coordinator('g')}", "kill")
    snapshot = backend.snapshot()
    assert [(g.state, g.coordinator, g.members) for g in snapshot.groups] == [("Unknown", None, ())]
    assert "group g: no coordinator at the moment" in snapshot.problems
    with pytest.raises(RefusedByKafka, match="Nobody coordinates"):
        backend.commit("g", member)


def test_deleted_records_are_the_first_and_nobody_reads_them() -> None:
    backend = fake()
    backend.create_topic("t", 1, 3)
    backend.produce("t", 0, 10)
    member = backend.join("g", "one", ["t"])
    backend.delete_records("t", 0, 4)
    assert (one(backend).start, one(backend).end) == (4, 10)
    assert backend.poll("g", member) == {("t", 0): range(4, 10)}
    with pytest.raises(RefusedByKafka, match="delete"):
        backend.delete_records("t", 0, 11)


def test_thrown_away_or_reset_topics_are_forgotten() -> None:
    for throw_away in (False, True):
        backend = FakeBackend(ClusterSpec("f"), throw_away=throw_away)
        backend.start()
        was = backend.cluster_id
        backend.create_topic("t", 1, 3)
        backend.stop()
        backend.start()
        assert (backend.snapshot().topic("t") is None) == (backend.cluster_id != was) == throw_away
        was = backend.cluster_id
        backend.reset()
        assert backend.snapshot().topics == () and backend.cluster_id != was


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


@given(st.integers(1, 7), st.integers(1, 30), st.data())
def test_replicas_are_even_and_over_racks(brokers: int, partitions: int, data: st.DataObject) -> None:
    replication = data.draw(st.integers(1, brokers))
    names = st.sampled_from(["a", "b", "c"])
    racks = {b: data.draw(names) for b in range(brokers)} if data.draw(st.booleans()) else {}
    held = place(range(brokers), partitions, replication, racks)
    assert len(held) == partitions
    leads = Counter(replicas[0] for replicas in held)
    assert max(leads.values()) - min(leads.get(b, 0) for b in range(brokers)) <= 1
    for replicas in held:
        assert len(set(replicas)) == replication
        assert not racks or len({racks[b] for b in replicas}) == min(replication, len(set(racks.values())))
