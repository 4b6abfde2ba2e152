"""Snapshots as hypothesis draws them: small clusters in any state that Kafka's own rules allow, and some beyond."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from kafkalab.state.model import Broker, Group, GroupOffset, Member, Partition, Quorum, QuorumNode, Snapshot, Topic

IDS = [101, 102, 103, 104]
TOPICS = ["trucks_gps", "alerts", "a.b-c_d", "__consumer_offsets"]
GROUPS = ["dash", "alarm", "replay"]
STATES = ["Stable", "Empty", "PreparingRebalance", "CompletingRebalance", "Unknown", "Reconciling"]
#: (leader, replicas, isr): every leader and every ISR of a few assignments; one draw a partition keeps drawing cheap.
SHAPES = [
    (leader, replicas, isr)
    for replicas in ((101,), (102, 101), (103, 101, 102))
    for size in range(len(replicas) + 1)
    for isr in itertools.permutations(replicas, size)
    for leader in (None, *replicas)
]

offsets = st.none() | st.integers(0, 1000)
partitions = st.tuples(st.sampled_from(TOPICS), st.integers(0, 3))
members = st.lists(
    st.tuples(st.sampled_from("ab"), st.lists(partitions, max_size=3, unique=True).map(tuple)), max_size=3
).map(lambda told: tuple(Member(f"{c}-uuid-{i:04}", c, "/127.0.0.1", held) for i, (c, held) in enumerate(told)))
committed = st.dictionaries(partitions, st.tuples(offsets, offsets), max_size=4).map(
    lambda told: tuple(GroupOffset(*at, *told[at]) for at in sorted(told))
)
brokers = st.builds(Broker, st.sampled_from(IDS), st.just("127.0.0.1"), st.just(9092), st.booleans())
roles = st.sampled_from([None, "leader", "follower"])
quorum_nodes = st.builds(QuorumNode, st.sampled_from([1, 2, 101]), roles, st.booleans(), st.just(2181), offsets)


def unique(items: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """A few of them, each id once."""
    return st.lists(items, max_size=4, unique_by=lambda item: item.id).map(tuple)


def named(make: Callable[[str], st.SearchStrategy[Any]], names: list[str]) -> st.SearchStrategy[Any]:
    """Some of those that have these names, in any order."""
    return st.lists(st.sampled_from(names), unique=True).flatmap(lambda chosen: st.tuples(*map(make, chosen)))


def partition(topic: str, number: int, shape: tuple[int | None, tuple[int, ...], tuple[int, ...]]) -> Partition:
    leader, replicas, isr = shape
    end = None if leader is None else 100 + number
    behind = tuple((id, 10 * number) for id in replicas if id not in isr)
    return Partition(topic, number, leader, replicas, isr, None if end is None else 7, end, 3 if end else None, behind)


def topics(name: str) -> st.SearchStrategy[Topic]:
    most = 14 if name in ("alerts", "__consumer_offsets") else 3
    shapes = st.lists(st.sampled_from(SHAPES), min_size=1, max_size=most) | st.just([SHAPES[-1]] * most)
    return shapes.map(
        lambda told: Topic(name, tuple(partition(name, i, s) for i, s in enumerate(told)), name.startswith("__"))
    )


def groups(name: str) -> st.SearchStrategy[Group]:
    coordinator, assignor = st.sampled_from([None, *IDS]), st.sampled_from(["", "range"])
    return st.builds(Group, st.just(name), st.sampled_from(STATES), coordinator, members, committed, assignor)


kinds = st.sampled_from(["zookeeper", "kraft"])
quorums = st.builds(Quorum, kinds, st.sampled_from([None, 1, 2]), offsets, unique(quorum_nodes))
snapshots = st.builds(
    Snapshot,
    cluster_id=st.sampled_from([None, "c1"]),
    mode=st.sampled_from([None, "zookeeper", "kraft"]),
    controller=st.sampled_from([None, *IDS]),
    at=st.floats(0, 2e9),
    brokers=unique(brokers),
    topics=named(topics, TOPICS),
    groups=named(groups, GROUPS),
    quorum=st.none() | quorums,
    problems=st.lists(st.text(max_size=5), max_size=2).map(tuple),
)
