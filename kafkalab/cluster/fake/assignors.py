"""How a group's partitions are shared out: Kafka's range, roundrobin and cooperative-sticky assignors. Pure.

Each takes the members' subscriptions and what there is, and gives every member its (topic, partition) pairs. Members
count in the order of their ids, as in Kafka. The sticky one keeps Kafka's promises (as even as can be, and as little
moved as can be); which of several members gets the odd partition may differ from Kafka's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle
from typing import Literal, get_args

Assignor = Literal["range", "roundrobin", "cooperative-sticky"]
ASSIGNORS: tuple[Assignor, ...] = get_args(Assignor)
Pair = tuple[str, int]
#: member id → the topics it subscribes to.
Subscriptions = Mapping[str, Sequence[str]]
#: topic → number of its partitions; a topic that does not exist is not in it.
Sizes = Mapping[str, int]
#: member id → what it holds.
Shares = dict[str, tuple[Pair, ...]]


def shared_out(assignor: Assignor, members: Subscriptions, sizes: Sizes, held: Mapping[str, Sequence[Pair]]) -> Shares:
    """Who gets what; ``held``: what each member had before, which only the sticky assignor minds."""
    if assignor == "range":
        return _range(members, sizes)
    if assignor == "roundrobin":
        return _round_robin(members, sizes)
    return _sticky(members, sizes, held)


def _pairs(members: Subscriptions, sizes: Sizes) -> list[Pair]:
    wanted = {topic for topics in members.values() for topic in topics}
    return [(topic, p) for topic in sorted(wanted & sizes.keys()) for p in range(sizes[topic])]


def _range(members: Subscriptions, sizes: Sizes) -> Shares:
    """Topic by topic, each member the next stretch; the first ones get one more if it does not come out even."""
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
    """All partitions of all topics in a row, given out in turn to whoever subscribes."""
    shares: dict[str, list[Pair]] = {id: [] for id in members}
    turn = cycle(sorted(members))
    for pair in _pairs(members, sizes):
        shares[next(id for id in turn if pair[0] in members[id])].append(pair)
    return {id: tuple(pairs) for id, pairs in shares.items()}


def _sticky(members: Subscriptions, sizes: Sizes, held: Mapping[str, Sequence[Pair]]) -> Shares:
    """Everybody keeps what they can while nobody has two more than another; the rest goes round."""
    everything = _pairs(members, sizes)
    if not members:
        return {}
    if len({frozenset(topics) for topics in members.values()}) > 1:
        return _sticky_unequal(members, everything, held)
    least, more = divmod(len(everything), len(members))
    shares: dict[str, list[Pair]] = {}
    for id in sorted(members):
        kept = sorted(pair for pair in held.get(id, ()) if pair in set(everything))
        # Some may have one more than the least; the first that hold as many keep it.
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
    """Who gets the next partition: in turn those who have less than the least, then one more for each who has it."""
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
