"""Snapshots as hypothesis draws them: small clusters in any state that Kafka's own rules allow, and some beyond."""

from __future__ import annotations

import itertools

from hypothesis import settings
from hypothesis import strategies as st

from kafkalab.state.model import (
    Broker,
    Group,
    GroupOffset,
    Member,
    Partition,
    Quorum,
    QuorumNode,
    Snapshot,
    Topic,
)

#: The verdict depends on the code alone: the same examples each time, and no clock.
steady = settings(max_examples=50, deadline=None, derandomize=True)

IDS = [101, 102, 103, 104]
TOPICS = ["trucks_gps", "alerts", "a.b-c_d", "__consumer_offsets"]
GROUPS = ["dash", "alarm", "replay"]
STATES = ["Stable", "Empty", "PreparingRebalance", "CompletingRebalance", "Unknown", "Reconciling"]

offsets = st.none() | st.integers(0, 1000)


#: (leader, replicas, isr): every leader and every ISR of a few assignments; one draw a partition keeps drawing cheap.
SHAPES = [
    (leader, replicas, isr)
    for replicas in ((101,), (102, 101), (103, 101, 102))
    for size in range(len(replicas) + 1)
    for isr in itertools.permutations(replicas, size)
    for leader in (None, *replicas)
]


def partition(topic: str, number: int, shape: tuple[int | None, tuple[int, ...], tuple[int, ...]]) -> Partition:
    leader, replicas, isr = shape
    end = None if leader is None else 100 + number
    behind = tuple((id, 10 * number) for id in replicas if id not in isr)
    return Partition(topic, number, leader, replicas, isr, None if end is None else 7, end, 3 if end else None, behind)


@st.composite
def topics(draw: st.DrawFn, name: str) -> Topic:
    most = 14 if name in ("alerts", "__consumer_offsets") else 3
    shapes = draw(st.lists(st.sampled_from(SHAPES), min_size=1, max_size=most) | st.just([SHAPES[-1]] * most))
    return Topic(name, tuple(partition(name, i, s) for i, s in enumerate(shapes)), name.startswith("__"))


@st.composite
def groups(draw: st.DrawFn, name: str) -> Group:
    tps = st.lists(st.tuples(st.sampled_from(TOPICS), st.integers(0, 3)), max_size=3, unique=True).map(tuple)
    members = tuple(
        Member(f"{client}-uuid-{i:04}", client, "/127.0.0.1", draw(tps))
        for i, client in enumerate(draw(st.lists(st.sampled_from(["a", "b"]), max_size=3)))
    )
    keys = draw(st.lists(st.tuples(st.sampled_from(TOPICS), st.integers(0, 3)), max_size=4, unique=True))
    committed = tuple(GroupOffset(topic, p, draw(offsets), draw(offsets)) for topic, p in sorted(keys))
    coordinator = draw(st.none() | st.sampled_from(IDS))
    return Group(
        name, draw(st.sampled_from(STATES)), coordinator, members, committed, draw(st.sampled_from(["", "range"]))
    )


@st.composite
def quorums(draw: st.DrawFn) -> Quorum:
    kind = draw(st.sampled_from(["zookeeper", "kraft"]))
    nodes = tuple(
        QuorumNode(
            id,
            draw(st.none() | st.sampled_from(["leader", "follower"])),
            draw(st.booleans()),
            2181,
            draw(offsets),
            draw(offsets),
            draw(st.none() | st.floats(0, 100)),
            voter=draw(st.booleans()),
        )
        for id in draw(st.lists(st.sampled_from([1, 2, 101]), unique=True))
    )
    return Quorum(kind, draw(st.none() | st.sampled_from([1, 2])), draw(offsets), nodes, draw(offsets))


@st.composite
def snapshots(draw: st.DrawFn) -> Snapshot:
    brokers = tuple(
        Broker(id, draw(st.none() | st.just("127.0.0.1")), draw(st.none() | st.just(9092)), draw(st.booleans()))
        for id in draw(st.lists(st.sampled_from(IDS), unique=True))
    )
    return Snapshot(
        cluster_id=draw(st.none() | st.just("c1")),
        mode=draw(st.none() | st.sampled_from(["zookeeper", "kraft"])),
        controller=draw(st.none() | st.sampled_from(IDS)),
        at=draw(st.floats(0, 2e9)),
        brokers=brokers,
        topics=tuple(draw(topics(name)) for name in draw(st.lists(st.sampled_from(TOPICS), unique=True))),
        groups=tuple(draw(groups(name)) for name in draw(st.lists(st.sampled_from(GROUPS), unique=True))),
        quorum=draw(st.none() | quorums()),
        problems=tuple(draw(st.lists(st.text(max_size=5), max_size=2))),
    )
