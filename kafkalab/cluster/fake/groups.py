"""Pure functions for the fake's groups: members join and leave, partitions are shared out, offsets are committed.

A rebalance takes no time, so a group is Stable or Empty, and never seen in between.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import cycle
from typing import Literal, get_args

# --- Assignors: Kafka's range, roundrobin and cooperative-sticky. Pure functions.
#
# Each takes the members' subscriptions and the topics' sizes, and gives every member its (topic, partition) pairs.
# Members are in the order of their ids, as in Kafka. The sticky one keeps Kafka's promises (as even as possible, with
# as few moves as possible), but the odd partition may go to another member than in Kafka.


Assignor = Literal["range", "roundrobin", "cooperative-sticky"]
ASSIGNORS: tuple[Assignor, ...] = get_args(Assignor)
Pair = tuple[str, int]
#: member id → the topics it subscribes to.
Subscriptions = Mapping[str, Sequence[str]]
#: topic → number of its partitions; only topics that exist are in it.
Sizes = Mapping[str, int]
#: member id → the partitions it holds.
Shares = dict[str, tuple[Pair, ...]]


def shared_out(assignor: Assignor, members: Subscriptions, sizes: Sizes, held: Mapping[str, Sequence[Pair]]) -> Shares:
    """Return each member's partitions; ``held``: those it had before, which only the sticky assignor considers."""
    if assignor == "range":
        return _range(members, sizes)
    if assignor == "roundrobin":
        return _round_robin(members, sizes)
    return _sticky(members, sizes, held)


def _pairs(members: Subscriptions, sizes: Sizes) -> list[Pair]:
    wanted = {topic for topics in members.values() for topic in topics}
    return [(topic, p) for topic in sorted(wanted & sizes.keys()) for p in range(sizes[topic])]


def _range(members: Subscriptions, sizes: Sizes) -> Shares:
    """Cut each topic into one stretch of partitions per member; the first ones get one more if it is not even."""
    shares: dict[str, list[Pair]] = {id: [] for id in members}
    for topic in sorted(sizes):
        able = sorted(id for id, topics in members.items() if topic in topics)
        first = 0
        for i, id in enumerate(able):
            count = sizes[topic] // len(able) + (i < sizes[topic] % len(able))
            shares[id] += [(topic, p) for p in range(first, first + count)]
            first += count
    return {id: tuple(pairs) for id, pairs in shares.items()}


def _round_robin(members: Subscriptions, sizes: Sizes) -> Shares:
    """Deal out all partitions of all topics in turn, each to the next member that subscribes to its topic."""
    shares: dict[str, list[Pair]] = {id: [] for id in members}
    turn = cycle(sorted(members))
    for pair in _pairs(members, sizes):
        shares[next(id for id in turn if pair[0] in members[id])].append(pair)
    return {id: tuple(pairs) for id, pairs in shares.items()}


def _sticky(members: Subscriptions, sizes: Sizes, held: Mapping[str, Sequence[Pair]]) -> Shares:
    """Let members keep what they hold as long as no share exceeds another by two, and deal out the rest in turn."""
    everything = _pairs(members, sizes)
    if not members:
        return {}
    if len({frozenset(topics) for topics in members.values()}) > 1:
        return _sticky_unequal(members, everything, held)
    least, more = divmod(len(everything), len(members))
    shares: dict[str, list[Pair]] = {}
    for id in sorted(members):
        kept = sorted(pair for pair in held.get(id, ()) if pair in set(everything))
        # Some members may have one more than ``least``: the first ones that already hold that many.
        full = len(kept) > least and more > 0
        more -= full
        shares[id] = kept[: least + full]
    taken = {pair for pairs in shares.values() for pair in pairs}
    turns = _turns(shares, least)
    for pair in everything:
        if pair not in taken:
            shares[next(turns)].append(pair)
    return {id: tuple(sorted(pairs)) for id, pairs in shares.items()}


def _turns(shares: Mapping[str, Sequence[Pair]], least: int) -> Iterator[str]:
    """Yield members in turn: those with fewer than ``least`` partitions, then once each that has just ``least``."""
    while short := [id for id in sorted(shares) if len(shares[id]) < least]:
        yield from short
    yield from [id for id in sorted(shares) if len(shares[id]) == least]


def _sticky_unequal(members: Subscriptions, everything: Sequence[Pair], held: Mapping[str, Sequence[Pair]]) -> Shares:
    able = {pair: [id for id in sorted(members) if pair[0] in members[id]] for pair in everything}
    owner = {pair: id for id in members for pair in held.get(id, ()) if id in able.get(pair, ())}
    count = dict.fromkeys(sorted(members), 0)
    for id in owner.values():
        count[id] += 1
    for pair in everything:
        if pair not in owner:
            owner[pair] = min(able[pair], key=lambda id: (count[id], id))
            count[owner[pair]] += 1
    moved = True
    while moved:
        moved = False
        for pair in everything:
            least = min(able[pair], key=lambda id: (count[id], id))
            if count[owner[pair]] > count[least] + 1:
                count[owner[pair]] -= 1
                count[least] += 1
                owner[pair], moved = least, True
    return {id: tuple(pair for pair in everything if owner[pair] == id) for id in members}


@dataclass(frozen=True, slots=True)
class FakeMember:
    """A member: the topics it subscribes to, the partitions it holds, and the offset it reads next in each."""

    id: str
    client_id: str
    topics: tuple[str, ...]
    holds: tuple[Pair, ...] = ()
    positions: Mapping[Pair, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FakeGroup:
    """A group: ``generation`` counts its rebalances, ``joined`` all members that ever joined it."""

    id: str
    assignor: Assignor
    generation: int = 0
    members: tuple[FakeMember, ...] = ()
    committed: Mapping[Pair, int] = field(default_factory=dict)
    joined: int = 0

    @property
    def state(self) -> str:
        """Kafka's name of the group's state."""
        return "Stable" if self.members else "Empty"

    def member(self, id: str) -> FakeMember | None:
        """Return the member of that id, or None."""
        return next((m for m in self.members if m.id == id), None)


def java_hash(text: str) -> int:
    """Return the absolute value of Java's String.hashCode, from which Kafka takes a group's offsets partition."""
    value = 0
    encoded = text.encode("utf-16-be", "surrogatepass")
    for i in range(0, len(encoded), 2):
        value = (31 * value + int.from_bytes(encoded[i : i + 2], "big")) & 0xFFFFFFFF
    # The smallest of Java's integers has no absolute value; Kafka takes 0 for it.
    return 0 if value == 0x80000000 else min(value, 0x1_0000_0000 - value)


def joined(group: FakeGroup, client_id: str, topics: Sequence[str], sizes: Sizes) -> tuple[FakeGroup, str]:
    """Return the group with one more member, and that member's id: the client's id and a UUID, as in Kafka."""
    # The UUID is the same after the same history, so that a lesson shows the same each time.
    id = f"{client_id}-{uuid.uuid5(uuid.NAMESPACE_OID, f'{group.id}/{group.joined}')}"
    member = FakeMember(id, client_id, tuple(dict.fromkeys(topics)))
    more = replace(group, members=(*group.members, member), joined=group.joined + 1)
    return rebalanced(more, sizes), id


def left(group: FakeGroup, member: str, sizes: Sizes) -> FakeGroup:
    """Return the group without a member, rebalanced."""
    return rebalanced(replace(group, members=tuple(m for m in group.members if m.id != member)), sizes)


def rebalanced(group: FakeGroup, sizes: Sizes) -> FakeGroup:
    """Return the group after a rebalance; the cooperative protocol needs a second one to hand partitions over."""
    held = {m.id: m.holds for m in group.members}
    shares = shared_out(group.assignor, {m.id: m.topics for m in group.members}, sizes, held)
    was = {pair: m.id for m in group.members for pair in m.holds}
    handed = any(was.get(pair, id) != id for id, pairs in shares.items() for pair in pairs)
    rounds = 2 if group.assignor == "cooperative-sticky" and handed else 1
    members = tuple(_holding(m, shares[m.id], group.assignor) for m in group.members)
    return replace(group, generation=group.generation + rounds, members=members)


def _holding(member: FakeMember, pairs: Sequence[Pair], assignor: Assignor) -> FakeMember:
    # With the eager protocol members give up everything first, so each begins again at the committed offset.
    kept = set(member.holds) & set(pairs) if assignor == "cooperative-sticky" else set()
    positions = {pair: at for pair, at in member.positions.items() if pair in kept}
    return replace(member, holds=tuple(sorted(pairs)), positions=positions)


def moved_to(group: FakeGroup, member: str, positions: Mapping[Pair, int]) -> FakeGroup:
    """Return the group after a member has read up to these offsets."""
    members = tuple(replace(m, positions={**m.positions, **positions}) if m.id == member else m for m in group.members)
    return replace(group, members=members)


def committed(group: FakeGroup, offsets: Mapping[Pair, int]) -> FakeGroup:
    """Return the group with these offsets committed."""
    return replace(group, committed={**group.committed, **offsets})


def without_topic(group: FakeGroup, topic: str) -> FakeGroup:
    """Return the group after a topic was deleted, without the offsets that were committed for it."""
    return replace(group, committed={pair: at for pair, at in group.committed.items() if pair[0] != topic})
