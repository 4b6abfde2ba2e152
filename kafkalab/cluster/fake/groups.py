"""Consumer groups of the fake: members join and leave, partitions are shared out, offsets are committed. Pure.

A rebalance takes no time, so a group is Stable or Empty, and never seen in between.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from kafkalab.cluster.fake.assignors import Assignor, Pair, Sizes, shared_out


@dataclass(frozen=True, slots=True)
class FakeMember:
    """A member: what it subscribes to, what it holds, and the offset it reads next of each."""

    id: str
    client_id: str
    topics: tuple[str, ...]
    holds: tuple[Pair, ...] = ()
    positions: Mapping[Pair, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FakeGroup:
    """A group: ``generation`` counts its rebalances, ``joined`` the members there have ever been."""

    id: str
    assignor: Assignor
    generation: int = 0
    members: tuple[FakeMember, ...] = ()
    committed: Mapping[Pair, int] = field(default_factory=dict)
    joined: int = 0

    @property
    def state(self) -> str:
        """Kafka's word."""
        return "Stable" if self.members else "Empty"

    def member(self, id: str) -> FakeMember | None:
        """The member of that id, or None."""
        return next((m for m in self.members if m.id == id), None)


def java_hash(text: str) -> int:
    """The absolute value of Java's String.hashCode: Kafka takes a group's partition of __consumer_offsets from it."""
    value = 0
    encoded = text.encode("utf-16-be", "surrogatepass")
    for i in range(0, len(encoded), 2):
        value = (31 * value + int.from_bytes(encoded[i : i + 2], "big")) & 0xFFFFFFFF
    # The smallest of Java's integers has no absolute value; Kafka takes 0 for it.
    return 0 if value == 0x80000000 else min(value, 0x1_0000_0000 - value)


def joined(group: FakeGroup, client_id: str, topics: Sequence[str], sizes: Sizes) -> tuple[FakeGroup, str]:
    """The group with one member more, and that member's id: the client's and a number nobody can guess, as in Kafka."""
    # The same for the same history, so that a lesson shows the same each time.
    id = f"{client_id}-{uuid.uuid5(uuid.NAMESPACE_OID, f'{group.id}/{group.joined}')}"
    member = FakeMember(id, client_id, tuple(dict.fromkeys(topics)))
    more = replace(group, members=(*group.members, member), joined=group.joined + 1)
    return rebalanced(more, sizes), id


def left(group: FakeGroup, member: str, sizes: Sizes) -> FakeGroup:
    """The group without a member."""
    return rebalanced(replace(group, members=tuple(m for m in group.members if m.id != member)), sizes)


def rebalanced(group: FakeGroup, sizes: Sizes) -> FakeGroup:
    """The group after a rebalance; the cooperative protocol takes a second one to hand over what somebody gave up."""
    held = {m.id: m.holds for m in group.members}
    shares = shared_out(group.assignor, {m.id: m.topics for m in group.members}, sizes, held)
    was = {pair: m.id for m in group.members for pair in m.holds}
    handed = any(was.get(pair, id) != id for id, pairs in shares.items() for pair in pairs)
    rounds = 2 if group.assignor == "cooperative-sticky" and handed else 1
    members = tuple(_holding(m, shares[m.id], group.assignor) for m in group.members)
    return replace(group, generation=group.generation + rounds, members=members)


def _holding(member: FakeMember, pairs: Sequence[Pair], assignor: Assignor) -> FakeMember:
    # The eager protocol gives everything up first; so each member begins again at what was committed.
    kept = set(member.holds) & set(pairs) if assignor == "cooperative-sticky" else set()
    positions = {pair: at for pair, at in member.positions.items() if pair in kept}
    return replace(member, holds=tuple(sorted(pairs)), positions=positions)


def moved_to(group: FakeGroup, member: str, positions: Mapping[Pair, int]) -> FakeGroup:
    """The group once a member has read on to these offsets."""
    members = tuple(replace(m, positions={**m.positions, **positions}) if m.id == member else m for m in group.members)
    return replace(group, members=members)


def committed(group: FakeGroup, offsets: Mapping[Pair, int]) -> FakeGroup:
    """The group with these offsets committed."""
    return replace(group, committed={**group.committed, **offsets})


def without_topic(group: FakeGroup, topic: str) -> FakeGroup:
    """The group after a topic was deleted: what was committed for it is forgotten."""
    return replace(group, committed={pair: at for pair, at in group.committed.items() if pair[0] != topic})
