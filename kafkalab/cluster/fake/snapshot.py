"""The fake's brokers → a Snapshot, as :mod:`kafkalab.state.capture` makes one of real brokers."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING

from kafkalab.cluster.fake.brokers import OFFSETS_TOPIC
from kafkalab.cluster.fake.consumers import FakeConsumers
from kafkalab.cluster.fake.groups import FakeGroup
from kafkalab.cluster.fake.kafka import FakePartition

if TYPE_CHECKING:
    from kafkalab.state.model import Group, Partition, Quorum, Snapshot

#: Where brokers, and members of groups, say they are: nowhere.
HOST = "fake"


def take(fake: FakeConsumers) -> Snapshot:
    """What is known of the cluster now; what cannot be learned is None and stands in ``problems``."""
    from kafkalab.state.model import Broker, Snapshot, Topic

    problems = [f"broker {id} is registered but does not answer" for id in sorted(fake.registered - fake.answering)]
    quorum = _quorum(fake)
    if quorum is None:
        problems.append("the KRaft quorum does not say who leads it: the controller is unknown")
    elif quorum.problem:
        problems.append(quorum.problem)
    brokers = tuple(
        Broker(n.id, HOST, n.id, n.id in fake.registered, n.rack) for n in fake.layout if n.role == "broker"
    )
    topics: dict[str, list[Partition]] = {name: [] for name in sorted(fake.topics)}
    for p in fake.partitions:
        topics[p.topic].append(_partition(fake, p))
    groups = tuple(_group(fake, group, problems) for group in fake.groups)
    problems += _unknown_offsets(fake)
    return Snapshot(
        fake.cluster_id,
        fake.spec.mode,
        fake.controller,
        time.time(),
        brokers,
        tuple(Topic(name, tuple(partitions), name == OFFSETS_TOPIC) for name, partitions in topics.items()),
        groups,
        quorum,
        tuple(problems),
    )


def _partition(fake: FakeConsumers, p: FakePartition) -> Partition:
    from kafkalab.state.model import Partition

    known = p.leader in fake.answering
    start, end = (p.start, p.high) if known else (None, None)
    return Partition(p.topic, p.partition, p.leader, p.replicas, p.isr, start, end, p.epoch)


def _unknown_offsets(fake: FakeConsumers) -> list[str]:
    reasons = Counter(
        "no leader" if p.leader is None else f"their leader, broker {p.leader}, does not answer"
        for p in fake.partitions
        if p.leader not in fake.answering
    )
    return [
        f"{n} {'partition has' if n == 1 else 'partitions have'} unknown offsets: {why}" for why, n in reasons.items()
    ]


def _group(fake: FakeConsumers, group: FakeGroup, problems: list[str]) -> Group:
    from kafkalab.state.model import Group, GroupOffset, Member

    coordinator = fake.coordinator(group.id)
    if coordinator not in fake.answering:
        who = "no coordinator at the moment"
        if coordinator is not None:
            who = f"the coordinator, broker {coordinator}, does not answer"
        problems.append(f"group {group.id}: {who}")
        return Group(group.id, "Unknown", coordinator)
    ends = {(p.topic, p.partition): p.high for p in fake.partitions if p.leader in fake.answering}
    pairs = sorted({pair for m in group.members for pair in m.holds} | group.committed.keys())
    offsets = []
    for pair in pairs:
        at, end = group.committed.get(pair), ends.get(pair)
        offsets.append(GroupOffset(*pair, at, None if at is None or end is None else end - at))
    members = tuple(
        Member(m.id, m.client_id, HOST, m.holds) for m in sorted(group.members, key=lambda member: member.id)
    )
    # Without members nobody has proposed an assignor.
    assignor = group.assignor if members else ""
    return Group(group.id, group.state, coordinator, members, tuple(offsets), assignor)


def _quorum(fake: FakeConsumers) -> Quorum | None:
    """Who keeps the metadata; None where no KRaft voter is left to ask."""
    from kafkalab.state.model import Quorum, QuorumNode

    voters, able = fake.voters, fake.able_voters
    if voters.kind == "kraft" and not able:
        return None
    nodes = []
    for id in voters.ids:
        role = None
        if voters.leader is not None and id in able:
            role = "leader" if id == voters.leader else "follower"
            if voters.kind == "zookeeper" and len(voters.ids) == 1:
                role = "standalone"
        lag = 0 if voters.kind == "kraft" and role else None
        nodes.append(QuorumNode(id, role, id in able, lag=lag))
    if voters.kind == "kraft" and voters.leader is not None:
        watching = sorted(n.id for n in fake.layout if n.role == "broker" and not n.is_voter)
        for id in watching:
            here = id in fake.answering
            nodes.append(QuorumNode(id, "observer" if here else None, here, lag=0 if here else None))
    epoch = voters.epoch if voters.leader is not None else None
    return Quorum(voters.kind, voters.leader, epoch, tuple(nodes))
