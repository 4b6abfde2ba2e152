"""Whatever happens to the cluster in memory, it keeps Kafka's promises."""

from __future__ import annotations

from collections.abc import Sequence

import hypothesis.strategies as st
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from kafkalab.cluster.fake.backend import FakeBackend
from kafkalab.cluster.fake.brokers import OFFSETS_TOPIC, Sent
from kafkalab.cluster.fake.kafka import FakePartition
from kafkalab.cluster.spec import ClusterSpec
from kafkalab.errors import NodeFailed, RefusedByKafka, Unreachable
from kafkalab.state.model import Snapshot

SPECS = [
    ClusterSpec("z1", brokers=4),
    ClusterSpec("z3", zookeepers=3),
    ClusterSpec("combined", mode="kraft", zookeepers=0),
    ClusterSpec("isolated", mode="kraft", zookeepers=0, controllers=3, brokers=4),
]
VERBS = ("stop", "kill", "pause", "resume", "start", "cut", "join")
MEMBERS = ("a", "b", "c")


class AnyStory(RuleBasedStateMachine):
    """Faults, records and groups in any order."""

    @initialize(spec=st.sampled_from(SPECS))
    def begin(self, spec: ClusterSpec) -> None:
        self.fake = FakeBackend(spec)
        self.fake.start()
        self.safe: list[Sent] = []
        self.members: dict[str, str] = {}
        self.before: dict[str, FakePartition] = {}
        for min_isr in (1, 2, 3):
            self.fake.create_topic(f"min{min_isr}", 2, 3, {"min.insync.replicas": str(min_isr)})
        self.fake.create_topic("lone", 2, 1)

    @rule(which=st.integers(0, 9), verb=st.sampled_from(VERBS))
    def act(self, which: int, verb: str) -> None:
        nodes = self.fake.nodes()
        try:
            self.fake.act(nodes[which % len(nodes)].name, verb)  # type: ignore[arg-type]
        except NodeFailed:
            assert nodes[which % len(nodes)].state != "running", "whatever runs can be stopped, paused and cut off"

    @rule(topic=st.sampled_from(["min1", "min2", "min3", "lone"]), count=st.integers(1, 5), everybody=st.booleans())
    def produce(self, topic: str, count: int, everybody: bool) -> None:
        try:
            sent = self.fake.produce(topic, 0, count, acks="all" if everybody else 1)
        except (RefusedByKafka, Unreachable):
            return
        assert self.fake.kept(sent)
        if everybody:
            self.safe.append(sent)

    @rule(topic=st.sampled_from(["min1", "min2", "min3", "lone", None]))
    def elect_preferred(self, topic: str | None) -> None:
        try:
            self.fake.elect_preferred(topic)
        except (RefusedByKafka, Unreachable):
            return
        for p in self.fake.partitions:
            if topic in (None, p.topic) and p.leader is not None and p.replicas[0] in p.isr:
                assert p.leader == p.replicas[0]

    @rule(client=st.sampled_from(MEMBERS), topics=st.sets(st.sampled_from(["min1", "min2", "lone"]), min_size=1))
    def join(self, client: str, topics: set[str]) -> None:
        try:
            if client in self.members:
                self.fake.leave("g", self.members.pop(client))
            else:
                self.members[client] = self.fake.join("g", client, sorted(topics), "cooperative-sticky")
        except (RefusedByKafka, Unreachable):
            self.members = {m.client_id: m.id for g in self.fake.groups for m in g.members}

    @rule(client=st.sampled_from(MEMBERS))
    def read(self, client: str) -> None:
        if client not in self.members:
            return
        try:
            read = self.fake.poll("g", self.members[client], 3)
            self.fake.commit("g", self.members[client])
        except (RefusedByKafka, Unreachable):
            return
        ends = {(p.topic, p.partition): p.high for p in self.fake.partitions}
        assert all(offsets.stop <= ends[at] for at, offsets in read.items())

    @invariant()
    def metadata_are_sound(self) -> None:
        for p in self.fake.partitions:
            assert len(set(p.isr)) == len(p.isr)
            assert set(p.isr) <= set(p.replicas)
            assert p.leader is None or p.leader in p.isr
            if self.fake.mode == "zookeeper":
                assert p.isr, "with ZooKeeper the last one in sync stays in the ISR"
            elif not p.isr:
                assert p.leader is None and (p.eligible or p.last_leader is not None), "somebody may lead again"

    @invariant()
    def nothing_goes_back(self) -> None:
        for p in self.fake.partitions:
            was = self.before.get(p.name, p)
            assert p.high >= was.high
            assert p.epoch >= was.epoch
            if p.leader is not None:
                assert p.high <= p.log(p.leader).end
            if p.leader != was.leader:
                assert p.epoch > was.epoch
                if p.leader is not None and not p.eligible_rule:
                    assert p.leader in was.isr, "nobody leads who was not in sync"
        self.before = {p.name: p for p in self.fake.partitions}

    @invariant()
    def what_was_acknowledged_by_all_is_kept(self) -> None:
        assert all(self.fake.kept(sent) for sent in self.safe)

    @invariant()
    def who_leads_the_voters_has_a_majority(self) -> None:
        voters = self.fake.voters
        if voters.leader is not None:
            assert 2 * len(self.fake.able_voters) > len(voters.ids)
            assert self.fake.controller is not None or not self.fake.answering

    @invariant()
    def a_healthy_cluster_is_in_sync(self) -> None:
        if any(n.state != "running" for n in self.fake.nodes()):
            return
        assert all(set(p.isr) == set(p.replicas) and p.leader is not None for p in self.fake.partitions)
        assert self.fake.snapshot().problems == ()

    @invariant()
    def the_snapshot_says_what_is(self) -> None:
        try:
            snapshot = self.fake.snapshot()
        except Unreachable:
            assert not self.fake.answering
            return
        assert Snapshot.from_dict(snapshot.to_dict()) == snapshot
        told = {(p.topic, p.partition): (p.leader, p.replicas, p.isr) for p in snapshot.partitions()}
        assert told == {(p.topic, p.partition): (p.leader, p.replicas, p.isr) for p in self.fake.partitions}
        for group in snapshot.groups:
            if group.state == "Unknown":
                assert snapshot.problems
                continue
            held: Sequence[tuple[str, int]] = [pair for m in group.members for pair in m.partitions]
            assert len(set(held)) == len(held), "nobody shares a partition"
            assert group.coordinator in {p.leader for p in snapshot.topic(OFFSETS_TOPIC).partitions}  # type: ignore[union-attr]
            assert all(o.lag is None or o.lag >= 0 for o in group.offsets)


AnyStory.TestCase.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
TestAnyStory = AnyStory.TestCase
