"""What happened to consumer groups between two snapshots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from kafkalab.state.event import Event
from kafkalab.state.model import Group, Member, Snapshot

#: States in which a group's members hold nothing that could be compared: members are still joining, gone, or not known.
_UNSETTLED = frozenset({"PreparingRebalance", "CompletingRebalance", "Empty", "Dead", "Unknown"})
#: How many members a sentence names; 40 of them would fill the page.
_NAMED = 6


def group_changes(before: Snapshot, after: Snapshot) -> Iterator[Event]:
    """Events on groups, members, assignments and committed offsets, by kind and then by group."""
    was = {g.group_id: g for g in before.groups}
    now = {g.group_id: g for g in after.groups}
    both = [(was[id], now[id]) for id in sorted(was.keys() & now.keys())]
    known = [(old, new) for old, new in both if old.state != "Unknown" and new.state != "Unknown"]
    at = after.at
    for id in sorted(was.keys() - now.keys()):
        yield Event(at, "group_gone", f"group {id} is gone", group=id)
    for id in sorted(now.keys() - was.keys()):
        yield Event(at, "group_created", f"group {id} appeared ({now[id].state}{_holding(now[id])})", group=id)
    yield from _unknown(at, both)
    for old, new in known:
        if old.state != new.state:
            text = f"group {new.group_id}: {old.state} → {new.state}"
            yield Event(at, "group_state", text, broker=new.coordinator, group=new.group_id)
    for old, new in known:
        yield from _members(at, "member_left", "left", old, new, old, new)
    for old, new in known:
        yield from _members(at, "member_joined", "joined", new, old, old, new)
    for old, new in known:
        if new.state not in _UNSETTLED and _shares(old) != _shares(new):
            text = f"group {new.group_id} rebalanced{_holding(new)}"
            yield Event(at, "rebalanced", text, group=new.group_id)
    for old, new in both:
        yield from _commits(at, "rewound", old, new)
    for old, new in both:
        yield from _commits(at, "committed", old, new)


def _unknown(at: float, both: list[tuple[Group, Group]]) -> Iterator[Event]:
    """Groups that cannot be asked any more, in one event: they share a coordinator; and those that can be again."""
    lost = [new for old, new in both if old.state != "Unknown" and new.state == "Unknown"]
    back = [new for old, new in both if old.state == "Unknown" and new.state != "Unknown"]
    for groups, what in ((lost, "cannot be asked: no coordinator answers"), (back, "can be asked again")):
        if len(groups) == 1:
            # Who holds what could not be compared across the gap, so at least it is said.
            now = f" ({groups[0].state}{_holding(groups[0])})" if groups is back else ""
            text = f"group {groups[0].group_id} {what}{now}"
            yield Event(at, "group_state", text, broker=groups[0].coordinator, group=groups[0].group_id)
        elif groups:
            names = [g.group_id for g in groups[:_NAMED]] + [f"{len(groups) - _NAMED} more"] * (len(groups) > _NAMED)
            yield Event(at, "group_state", f"groups {', '.join(names)} {what}")


def _members(at: float, kind: str, verb: str, here: Group, there: Group, old: Group, new: Group) -> Iterator[Event]:
    names = _names((*old.members, *new.members))
    gone = {m.member_id for m in here.members} - {m.member_id for m in there.members}
    left = f"{len(new.members)} {'member' if len(new.members) == 1 else 'members'} now"
    for name in sorted(names[id] for id in gone):
        yield Event(at, kind, f"group {new.group_id}: {name} {verb} ({left})", group=new.group_id)


def _commits(at: float, kind: str, old: Group, new: Group) -> Iterator[Event]:
    was = {(o.topic, o.partition): o.committed for o in old.offsets}
    steps: Counter[str] = Counter()
    for o in new.offsets:
        before = was.get((o.topic, o.partition))
        if before is None or o.committed is None:
            continue
        step = o.committed - before
        if (step > 0) == (kind == "committed") and step:
            steps[o.topic] += abs(step)
    for topic in sorted(steps):
        n = f"{steps[topic]} {'offset' if steps[topic] == 1 else 'offsets'}"
        text = f"committed {n} further in {topic}" if kind == "committed" else f"went back {n} in {topic}"
        yield Event(at, kind, f"group {new.group_id} {text}", topic=topic, group=new.group_id)


def _shares(group: Group) -> dict[str, frozenset[tuple[str, int]]]:
    """Member id → what it holds, for the members that hold something."""
    return {m.member_id: frozenset(m.partitions) for m in group.members if m.partitions}


def _holding(group: Group) -> str:
    """ ": A holds trucks_gps P0–P4; B stands by", or nothing where nobody is assigned anything."""
    if not any(m.partitions for m in group.members):
        return ""
    names = _names(group.members)
    members = sorted(group.members, key=lambda m: (names[m.member_id], m.member_id))
    said = [f"{names[m.member_id]} {_held(m)}" for m in members[:_NAMED]]
    more = len(members) - _NAMED
    return ": " + "; ".join([*said, f"{more} more"] if more > 0 else said)


def _held(member: Member) -> str:
    if not member.partitions:
        return "stands by"
    topics: dict[str, list[int]] = {}
    for topic, partition in sorted(member.partitions):
        topics.setdefault(topic, []).append(partition)
    return "holds " + ", ".join(f"{topic} {spans(partitions)}" for topic, partitions in topics.items())


def _names(members: Iterable[Member]) -> dict[str, str]:
    """Member id → client id, with the end of the member id where several members share a client id."""
    clients = {m.member_id: m.client_id for m in members}
    shared = Counter(clients.values())
    return {id: client if shared[client] == 1 else f"{client}…{id[-4:]}" for id, client in clients.items()}


def spans(partitions: Iterable[int]) -> str:
    """[0, 1, 2, 5] → "P0–P2 P5"."""
    runs: list[list[int]] = []
    for p in sorted(set(partitions)):
        if runs and p == runs[-1][1] + 1:
            runs[-1][1] = p
        else:
            runs.append([p, p])
    return " ".join(f"P{a}" if a == b else f"P{a}–P{b}" for a, b in runs)
