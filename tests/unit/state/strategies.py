"""Snapshots as hypothesis draws them: small clusters in any state that Kafka's own rules allow, and some beyond."""

from __future__ import annotations

import itertools
from typing import Any

from hypothesis import strategies as st

from kafkalab.state.model import Broker, Group, GroupOffset, Member, Partition, Quorum, QuorumNode, Snapshot, Topic

IDS = [101, 102, 103, 104]
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
partitions = st.tuples(st.sampled_from(["trucks_gps", "alerts"]), st.integers(0, 3))
members = st.lists(
    st.tuples(st.sampled_from("ab"), st.lists(partitions, max_size=3, unique=True).map(tuple)), max_size=3
).map(lambda told: tuple(Member(f"{c}-uuid-{i:04}", c, "/127.0.0.1", held) for i, (c, held) in enumerate(told)))
committed = st.dictionaries(partitions, st.tuples(offsets, offsets), max_size=4).map(
    lambda told: tuple(GroupOffset(*at, *told[at]) for at in sorted(told))
)
brokers = st.builds(Broker, st.sampled_from(IDS), st.just("127.0.0.1"), st.just(9092), st.booleans())
roles = st.sampled_from([None, "leader", "follower"])
quorum_nodes = st.builds(QuorumNode, st.sampled_from([1, 2, 101]), roles, st.booleans(), st.just(2181), offsets)


def topic(name: str, shapes: list[tuple[int | None, tuple[int, ...], tuple[int, ...]]]) -> Topic:
    found = []
    for number, (leader, replicas, isr) in enumerate(shapes):
        end = None if leader is None else 100 + number
        behind = tuple((id, 10 * number) for id in replicas if id not in isr)
        found.append(Partition(name, number, leader, replicas, isr, end and 7, end, end and 3, behind))
    return Topic(name, tuple(found), name.startswith("__"))


def unique(items: st.SearchStrategy[Any], key: str = "id") -> st.SearchStrategy[Any]:
    """A few of them, each id once."""
    return st.lists(items, max_size=4, unique_by=lambda item: getattr(item, key)).map(tuple)


names = st.sampled_from(["trucks_gps", "alerts", "a.b-c_d", "__consumer_offsets"])
topics = st.builds(topic, names, st.lists(st.sampled_from(SHAPES), min_size=1, max_size=14))
groups = st.builds(
    Group, st.sampled_from(["dash", "alarm", "replay"]), st.sampled_from(STATES), st.sampled_from([None, *IDS]),
    members, committed, st.sampled_from(["", "range"]),
)  # fmt: skip
kinds = st.sampled_from(["zookeeper", "kraft"])
quorums = st.builds(Quorum, kinds, st.sampled_from([None, 1, 2]), offsets, unique(quorum_nodes))
snapshots = st.builds(
    Snapshot,
    cluster_id=st.sampled_from([None, "c1"]),
    mode=st.none() | kinds,
    controller=st.sampled_from([None, *IDS]),
    at=st.floats(0, 2e9),
    brokers=unique(brokers),
    topics=unique(topics, "name"),
    groups=unique(groups, "group_id"),
    quorum=st.none() | quorums,
    problems=st.lists(st.text(max_size=5), max_size=2).map(tuple),
)
