"""Whatever happens to the cluster in memory, it keeps Kafka's promises."""

from __future__ import annotations

import hypothesis.strategies as st
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from kafkalab.cluster.fake import FakeBackend
from kafkalab.cluster.spec import ClusterSpec
from kafkalab.errors import NodeFailed, Unreachable
from kafkalab.state.model import Partition, Snapshot

SPECS = [
    ClusterSpec("z1", brokers=4),
    ClusterSpec("z3", zookeepers=3),
    ClusterSpec("combined", mode="kraft", zookeepers=0),
    ClusterSpec("isolated", mode="kraft", zookeepers=0, controllers=3, brokers=4),
]
VERBS = ("stop", "kill", "pause", "resume", "start", "cut", "join")


class AnyStory(RuleBasedStateMachine):
    """Faults in any order."""

    @initialize(spec=st.sampled_from(SPECS))
    def begin(self, spec: ClusterSpec) -> None:
        self.fake = FakeBackend(spec)
        self.fake.start()
        self.before: dict[tuple[str, int], Partition] = {}
        for topic, replication in (("three", 3), ("two", 2), ("lone", 1)):
            self.fake.create_topic(topic, 2, replication)

    def snapshot(self) -> Snapshot | None:
        try:
            return self.fake.snapshot()
        except Unreachable:
            assert not self.fake.answering
            return None

    @rule(which=st.integers(0, 9), verb=st.sampled_from(VERBS))
    def act(self, which: int, verb: str) -> None:
        nodes = self.fake.nodes()
        try:
            self.fake.act(nodes[which % len(nodes)].name, verb)  # type: ignore[arg-type]
        except NodeFailed:
            assert nodes[which % len(nodes)].state != "running", "whatever runs can be stopped, paused and cut off"

    @invariant()
    def metadata_are_sound_and_do_not_go_back(self) -> None:
        if (snapshot := self.snapshot()) is None:
            return
        for p in snapshot.partitions():
            was = self.before.get((p.topic, p.partition), p)
            assert len(set(p.isr)) == len(p.isr)
            assert set(p.isr) <= set(p.replicas)
            assert p.leader is None or p.leader in p.isr
            assert p.leader_epoch is not None and was.leader_epoch is not None
            assert p.leader_epoch >= was.leader_epoch
            if p.leader != was.leader:
                assert p.leader_epoch > was.leader_epoch
            if snapshot.mode == "zookeeper":
                assert p.isr, "with ZooKeeper the last one in sync stays in the ISR"
        self.before = {(p.topic, p.partition): p for p in snapshot.partitions()}

    @invariant()
    def who_leads_the_voters_has_a_majority(self) -> None:
        snapshot = self.snapshot()
        if snapshot is None or snapshot.quorum is None or snapshot.quorum.leader is None:
            return
        voters = [n for n in snapshot.quorum.nodes if n.id in self.fake.voters]
        assert 2 * sum(n.alive for n in voters) > len(voters)
        assert snapshot.controller is not None

    @invariant()
    def a_healthy_cluster_is_in_sync(self) -> None:
        if any(n.state != "running" for n in self.fake.nodes()):
            return
        snapshot = self.fake.snapshot()
        assert all(set(p.isr) == set(p.replicas) and p.leader is not None for p in snapshot.partitions())
        assert snapshot.problems == ()

    @invariant()
    def the_snapshot_is_plain(self) -> None:
        if (snapshot := self.snapshot()) is None:
            return
        assert Snapshot.from_dict(snapshot.to_dict()) == snapshot


AnyStory.TestCase.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
TestAnyStory = AnyStory.TestCase
