"""Changes: what happened between two snapshots, as named events, causes before effects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from kafkalab.state.model import CHATTY, KINDS, Event, Group, Member, Partition, Quorum, Snapshot, Topic

# --- Changes of consumer groups between two snapshots.


#: States in which a group's assignments cannot be compared: its members are still joining, gone, or not known.
_UNSETTLED = frozenset({"PreparingRebalance", "CompletingRebalance", "Empty", "Dead", "Unknown"})
#: Maximum number of members that a sentence names; 40 of them would fill the page.
_NAMED = 6


def group_changes(before: Snapshot, after: Snapshot) -> Iterator[Event]:
    """Yield events on groups, members, assignments and committed offsets, by kind and then by group."""
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
    """Yield one event for all groups that cannot be asked any more, and one for those that can be asked again."""
    lost = [new for old, new in both if old.state != "Unknown" and new.state == "Unknown"]
    back = [new for old, new in both if old.state == "Unknown" and new.state != "Unknown"]
    for groups, what in ((lost, "cannot be asked, because no coordinator answers"), (back, "can be asked again")):
        if len(groups) == 1:
            # Assignments cannot be compared across the gap, so the event says who holds what now.
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
        text = (
            f"moved its commits forward by {n} in {topic}"
            if kind == "committed"
            else f"moved its commits back by {n} in {topic}"
        )
        yield Event(at, kind, f"group {new.group_id} {text}", topic=topic, group=new.group_id)


def _shares(group: Group) -> dict[str, frozenset[tuple[str, int]]]:
    """Return member id → the partitions it holds, for the members that hold any."""
    return {m.member_id: frozenset(m.partitions) for m in group.members if m.partitions}


def _holding(group: Group) -> str:
    """Return ": A holds trucks_gps P0–P4; B stands by", or "" when no member is assigned anything."""
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
    """Return member id → client id, with the end of the member id where several members share a client id."""
    clients = {m.member_id: m.client_id for m in members}
    shared = Counter(clients.values())
    return {id: client if shared[client] == 1 else f"{client}…{id[-4:]}" for id, client in clients.items()}


def spans(partitions: Iterable[int]) -> str:
    """Return partition numbers as text: [0, 1, 2, 5] → "P0–P2 P5"."""
    runs: list[list[int]] = []
    for p in sorted(set(partitions)):
        if runs and p == runs[-1][1] + 1:
            runs[-1][1] = p
        else:
            runs.append([p, p])
    return " ".join(f"P{a}" if a == b else f"P{a}–P{b}" for a, b in runs)


__all__ = ["CHATTY", "KINDS", "Event", "changes"]

#: Minimum number of partitions of a topic whose changes of one kind are summed up, to avoid 50 lines at once.
SUMMED_FROM = 13


def changes(before: Snapshot, after: Snapshot) -> tuple[Event, ...]:
    """Return the events from ``before`` to ``after``, in the order of :data:`KINDS`, then by topic, partition, group.

    Every difference in leader and ISR is told once. Several partitions of an internal topic, or more than a dozen of
    any topic, that changed in the same way share one event. What either snapshot could not learn counts as no change.
    """
    parts = (_quorum, _brokers, _controller, _topics, _replicas, _leaders, _isrs, group_changes)
    return tuple(event for part in parts for event in part(before, after))


def _quorum(before: Snapshot, after: Snapshot) -> Iterator[Event]:
    if before.quorum is None or after.quorum is None:
        return
    kind = after.quorum.kind
    # A KRaft node that is a broker too goes down and up with the broker, and KRaft's leader is the controller.
    told = {b.id for s in (before, after) for b in s.brokers} if kind == "kraft" else set()
    name = "ZooKeeper" if kind == "zookeeper" else "controller"
    was = {n.id: n.alive for n in before.quorum.nodes}
    now = {n.id: n.alive for n in after.quorum.nodes}
    for id in sorted(was.keys() - told):
        if was[id] and not now.get(id, False):
            yield Event(after.at, "quorum_node_down", f"{name} {id} does not answer")
    for id in sorted(now.keys() - told):
        if now[id] and not was.get(id, False):
            yield Event(after.at, "quorum_node_up", f"{name} {id} answers{' again' if id in was else ''}")
    if kind == "zookeeper" and before.quorum.leader != after.quorum.leader:
        text = f"ZooKeeper's leader {_leader_of(before.quorum)} → {_leader_of(after.quorum)}"
        yield Event(after.at, "quorum_leader_moved", text)


def _leader_of(quorum: Quorum) -> str:
    """Return its leader; "none" if a server says so, "unknown" if the servers that could say are silent."""
    if quorum.leader is not None:
        return str(quorum.leader)
    return "none" if any(node.alive and node.role is None for node in quorum.nodes) else "unknown"


def _brokers(before: Snapshot, after: Snapshot) -> Iterator[Event]:
    was = {b.id: b.alive for b in before.brokers}
    now = {b.id: b.alive for b in after.brokers}
    for id in sorted(was):
        if was[id] and not now.get(id, False):
            yield Event(after.at, "broker_down", f"broker {id} is down", broker=id)
    back = [id for id in sorted(now) if now[id] and was.get(id) is False]
    for id in back:
        yield Event(after.at, "broker_up", f"broker {id} is up", broker=id)
    for id in sorted(now.keys() - was.keys()):
        if now[id]:
            yield Event(after.at, "broker_added", f"broker {id} joined the cluster", broker=id)


def _controller(before: Snapshot, after: Snapshot) -> Iterator[Event]:
    if before.controller != after.controller:
        text = f"controller {_controller_of(before)} → {_controller_of(after)}"
        yield Event(after.at, "controller_moved", text, broker=after.controller)


def _controller_of(s: Snapshot) -> str:
    if s.controller is not None:
        return str(s.controller)
    # A KRaft quorum that could not be asked may have a leader all the same.
    return "unknown" if s.mode == "kraft" and s.quorum is None else "none"


def _topics(before: Snapshot, after: Snapshot) -> Iterator[Event]:
    was = {t.name: t for t in before.topics}
    now = {t.name: t for t in after.topics}
    # Kafka cannot take partitions away, so a topic with fewer of them is a new one of the same name.
    again = {n for n in was.keys() & now.keys() if len(now[n].partitions) < len(was[n].partitions)}
    for name in sorted((was.keys() - now.keys()) | again):
        yield Event(after.at, "topic_deleted", f"topic {name} deleted", topic=name)
    for name in sorted((now.keys() - was.keys()) | again):
        topic = now[name]
        size = f"{_count(len(topic.partitions), 'partition')}, replication factor {topic.replication}"
        yield Event(after.at, "topic_created", f"topic {name} created: {size}", topic=name)
    for name in sorted(was.keys() & now.keys()):
        old, new = len(was[name].partitions), len(now[name].partitions)
        if new > old:
            yield Event(after.at, "partitions_added", f"{name}: {old} → {new} partitions", topic=name)


def _replicas(before: Snapshot, after: Snapshot) -> Iterator[Event]:
    def one(old: Partition, new: Partition) -> Event | None:
        if old.replicas == new.replicas:
            return None
        text = f"replicas of {_name(new)}: {_ids(old.replicas)} → {_ids(new.replicas)}"
        return Event(after.at, "replicas_moved", text, new.topic, new.partition)

    def many(pairs: list[tuple[Partition, Partition]]) -> str:
        return f"replicas of {_count(len(pairs), 'partition')} of {pairs[0][1].topic} reassigned"

    yield from _per_partition(before, after, ("replicas_moved",), one, many)


def _leaders(before: Snapshot, after: Snapshot) -> Iterator[Event]:
    def one(old: Partition, new: Partition) -> Event | None:
        if old.leader == new.leader:
            return None
        if new.leader is None:
            text = f"{_name(new)} has no leader (was {old.leader})"
            return Event(after.at, "leader_lost", text, new.topic, new.partition, old.leader)
        if old.leader is None:
            text = f"{_name(new)}: leader {new.leader} elected"
            return Event(after.at, "leader_elected", text, new.topic, new.partition, new.leader)
        text = f"{_name(new)}: leader {old.leader} → {new.leader}"
        return Event(after.at, "leader_moved", text, new.topic, new.partition, new.leader)

    def many(pairs: list[tuple[Partition, Partition]]) -> str:
        ways = Counter(_arrow(old.leader, new.leader) for old, new in pairs)
        each = ", ".join(f"{way} ({n})" for way, n in sorted(ways.items()))
        return f"leaders of {_count(len(pairs), 'partition')} of {pairs[0][1].topic}: {each}"

    yield from _per_partition(before, after, ("leader_lost", "leader_moved", "leader_elected"), one, many)


def _isrs(before: Snapshot, after: Snapshot) -> Iterator[Event]:
    def one(old: Partition, new: Partition) -> Event | None:
        out, back = set(old.isr) - set(new.isr), set(new.isr) - set(old.isr)
        if not out and not back:
            return None
        kind = "isr_grew" if not out else "isr_shrank" if not back else "isr_changed"
        about = min(out) if len(out) == 1 and not back else min(back) if len(back) == 1 and not out else None
        text = f"ISR of {_name(new)}: {_ids(old.isr)} → {_ids(new.isr)}"
        return Event(after.at, kind, text, new.topic, new.partition, about)

    def many(pairs: list[tuple[Partition, Partition]]) -> str:
        out = sorted({b for old, new in pairs for b in set(old.isr) - set(new.isr)})
        back = sorted({b for old, new in pairs for b in set(new.isr) - set(old.isr)})
        what = [f"without {_ids(out)}"] * bool(out) + [f"{_ids(back)} back"] * bool(back)
        return f"ISR of {_count(len(pairs), 'partition')} of {pairs[0][1].topic}: {', '.join(what)}"

    yield from _per_partition(before, after, ("isr_shrank", "isr_changed", "isr_grew"), one, many)


def _per_partition(
    before: Snapshot,
    after: Snapshot,
    kinds: Sequence[str],
    one: Callable[[Partition, Partition], Event | None],
    many: Callable[[list[tuple[Partition, Partition]]], str],
) -> Iterator[Event]:
    """Yield events of the partitions that are in both snapshots, by kind and topic; internal topics last, summed up."""
    found: dict[tuple[int, bool, str], list[tuple[Event, Partition, Partition]]] = {}
    for topic, old, new in _both(before, after):
        event = one(old, new)
        if event is not None:
            found.setdefault((kinds.index(event.kind), topic.internal, topic.name), []).append((event, old, new))
    for (kind, internal, name), same in sorted(found.items(), key=lambda item: item[0]):
        if len(same) < (2 if internal else SUMMED_FROM):
            yield from (event for event, _, _ in same)
            continue
        brokers = {event.broker for event, _, _ in same}
        broker = brokers.pop() if len(brokers) == 1 else None
        yield Event(after.at, kinds[kind], many([(old, new) for _, old, new in same]), name, None, broker)


def _both(before: Snapshot, after: Snapshot) -> Iterator[tuple[Topic, Partition, Partition]]:
    was = {t.name: t for t in before.topics}
    for topic in sorted(after.topics, key=lambda t: t.name):
        old_topic = was.get(topic.name)
        if old_topic is None or len(topic.partitions) < len(old_topic.partitions):
            continue
        old = {p.partition: p for p in old_topic.partitions}
        for new in sorted(topic.partitions, key=lambda p: p.partition):
            if new.partition in old:
                yield topic, old[new.partition], new


def _name(p: Partition) -> str:
    return f"{p.topic} P{p.partition}"


def _ids(ids: Iterable[int]) -> str:
    return ",".join(str(id) for id in ids) or "none"


def _arrow(old: int | None, new: int | None) -> str:
    return f"{'none' if old is None else old} → {'none' if new is None else new}"


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
