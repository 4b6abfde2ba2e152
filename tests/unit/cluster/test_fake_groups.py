"""The groups of the cluster in memory share out partitions as Kafka's assignors do."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import hypothesis.strategies as st
from hypothesis import given
from kafka.coordinator.assignors.range import RangePartitionAssignor
from kafka.coordinator.assignors.roundrobin import RoundRobinPartitionAssignor

from kafkalab.cluster.fake.groups import FakeGroup, Pair, java_hash, joined, left, shared_out

Members = dict[str, set[str]]

TOPICS = ("a", "b", "c")
SUBSCRIPTIONS = st.dictionaries(
    st.sampled_from(["m1", "m2", "m3", "m4", "m5"]), st.sets(st.sampled_from(TOPICS), min_size=1), min_size=1
)
SIZES = st.fixed_dictionaries({topic: st.integers(1, 7) for topic in TOPICS})


def theirs(assignor: Any, members: dict[str, set[str]], sizes: dict[str, int]) -> dict[str, set[Pair]]:
    """What kafka-python's own assignor gives."""
    cluster = SimpleNamespace(partitions_for_topic=lambda topic: set(range(sizes[topic])))
    asked = [
        SimpleNamespace(member_id=id, group_instance_id=None, metadata=SimpleNamespace(topics=sorted(topics)))
        for id, topics in members.items()
    ]
    shares = assignor.assign(cluster, asked)
    return {id: {(tp.topic, tp.partition) for tp in share.partitions()} for id, share in shares.items()}


@given(SUBSCRIPTIONS, SIZES)
def test_range_and_round_robin_agree_with_another_implementation(members: Members, sizes: dict[str, int]) -> None:
    shares = shared_out("range", members, sizes, {})
    assert {id: set(pairs) for id, pairs in shares.items()} == theirs(RangePartitionAssignor, members, sizes)
    # kafka-python's falls over members that subscribe to different topics.
    members = {id: {"a", "c"} for id in members}
    shares = shared_out("roundrobin", members, sizes, {})
    assert {id: set(pairs) for id, pairs in shares.items()} == theirs(RoundRobinPartitionAssignor, members, sizes)


def test_round_robin_passes_over_members_as_in_kafkas_documentation() -> None:
    members = {"C0": {"t0"}, "C1": {"t0", "t1"}, "C2": {"t0", "t1", "t2"}}
    assert shared_out("roundrobin", members, {"t0": 1, "t1": 2, "t2": 3}, {}) == {
        "C0": (("t0", 0),), "C1": (("t1", 0),), "C2": (("t1", 1), ("t2", 0), ("t2", 1), ("t2", 2)),
    }  # fmt: skip


@given(SUBSCRIPTIONS, SUBSCRIPTIONS, SIZES)
def test_sticky_shares_are_even_and_stay(before: Members, now: Members, sizes: dict[str, int]) -> None:
    held = shared_out("cooperative-sticky", before, sizes, {})
    shares = shared_out("cooperative-sticky", now, sizes, held)
    given_out = [pair for pairs in shares.values() for pair in pairs]
    wanted = {(topic, p) for topics in now.values() for topic in topics for p in range(sizes[topic])}
    assert sorted(given_out) == sorted(wanted)
    assert all(pair[0] in now[id] for id, pairs in shares.items() for pair in pairs)
    # Nobody holds two more than another who could take one over.
    for id, pairs in shares.items():
        for other, fewer in shares.items():
            if any(pair[0] in now[other] for pair in pairs):
                assert len(pairs) <= len(fewer) + 1, (id, other)
    if before == now:
        assert shares == held
    # A newcomer takes only its share.
    members = {id: {"a"} for id in before}
    alike = shared_out("cooperative-sticky", members, sizes, {})
    more = shared_out("cooperative-sticky", {**members, "new": {"a"}}, sizes, alike)
    assert all(set(more[id]) <= set(pairs) for id, pairs in alike.items())
    assert len(more["new"]) == sizes["a"] // (len(members) + 1)


def test_java_hash() -> None:
    # The third is Integer.MIN_VALUE in Java, of which Kafka makes 0; the fourth is negative; the last two code units.
    known = {"": 0, "group": 98629247, "polygenelubricants": 0, "dashboard": 1047860588, "\U0001f69a": 1773053}
    assert {text: java_hash(text) for text in known} == known


def test_a_cooperative_rebalance_that_hands_over_takes_two_generations() -> None:
    for assignor, generation in (("cooperative-sticky", 3), ("range", 2)):
        alone, first = joined(FakeGroup("g", assignor), "one", ["t"], {"t": 4})
        both, second = joined(alone, "two", ["t"], {"t": 4})
        assert (alone.generation, both.generation) == (1, generation)
        assert [len(m.holds) for m in both.members] == [2, 2]
        gone = left(both, second, {"t": 4})
        assert gone.generation == generation + 1
        assert gone.member(first).holds == tuple(("t", p) for p in range(4))  # type: ignore[union-attr]
