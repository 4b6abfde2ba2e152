"""Changes: what happened between two snapshots, as named events, causes before effects."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from kafkalab.state.model import KINDS, Event, Group, Member, Partition, Quorum, Snapshot, Topic

#: Minimum number of partitions of a topic whose changes of one kind are summed up, to avoid 50 lines at once.
SUMMED_FROM = 13
_ORDER = {kind: i for i, kind in enumerate(KINDS)}


def changes(before: Snapshot, after: Snapshot) -> tuple[Event, ...]:
    """Return the events from ``before`` to ``after``, in the order of :data:`KINDS`, then by topic, partition, group.

    Every difference in leader and ISR is told once. Several partitions of an internal topic, or more than a dozen of
    any topic, that changed in the same way share one event. What either snapshot could not learn counts as no change.
    """
    parts = (_quorum, _brokers, _controller, _topics, _partitions, _groups)
    events = (event for part in parts for event in part(before, after))
    return tuple(sorted(events, key=lambda event: _ORDER[event.kind]))


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
        size = f"{many(len(topic.partitions), 'partition')}, replication factor {topic.replication}"
        yield Event(after.at, "topic_created", f"topic {name} created: {size}", topic=name)
    for name in sorted(was.keys() & now.keys()):
        old, new = len(was[name].partitions), len(now[name].partitions)
        if new > old:
            yield Event(after.at, "partitions_added", f"{name}: {old} → {new} partitions", topic=name)


def _partitions(before: Snapshot, after: Snapshot) -> Iterator[Event]:
    """Yield events of the partitions that are in both snapshots, by topic; internal topics last, summed up."""
    was = {t.name: t for t in before.topics}
    for topic in sorted(after.topics, key=lambda t: (t.internal, t.name)):
        earlier = was.get(topic.name)
        if earlier is None or len(topic.partitions) < len(earlier.partitions):
            continue
        olds = {p.partition: p for p in earlier.partitions}
        found: dict[str, list[tuple[Event, Partition, Partition]]] = defaultdict(list)
        for new in sorted(topic.partitions, key=lambda p: p.partition):
            if (old := olds.get(new.partition)) is not None and old != new:
                for event in _partition(after.at, old, new):
                    found[event.kind].append((event, old, new))
        for kind, same in found.items():
            if len(same) < (2 if topic.internal else SUMMED_FROM):
                yield from (event for event, _, _ in same)
                continue
            brokers = {event.broker for event, _, _ in same}
            text = _summed(kind, topic, [(old, new) for _, old, new in same])
            yield Event(after.at, kind, text, topic.name, None, brokers.pop() if len(brokers) == 1 else None)


def _partition(at: float, old: Partition, new: Partition) -> Iterator[Event]:
    topic, p, name = new.topic, new.partition, f"{new.topic} P{new.partition}"
    if old.replicas != new.replicas:
        text = f"replicas of {name}: {_ids(old.replicas)} → {_ids(new.replicas)}"
        yield Event(at, "replicas_moved", text, topic, p)
    if old.leader != new.leader:
        if new.leader is None:
            yield Event(at, "leader_lost", f"{name} has no leader (was {old.leader})", topic, p, old.leader)
        elif old.leader is None:
            yield Event(at, "leader_elected", f"{name}: leader {new.leader} elected", topic, p, new.leader)
        else:
            yield Event(at, "leader_moved", f"{name}: leader {old.leader} → {new.leader}", topic, p, new.leader)
    out, back = set(old.isr) - set(new.isr), set(new.isr) - set(old.isr)
    if out or back:
        kind = "isr_grew" if not out else "isr_shrank" if not back else "isr_changed"
        about = min(out | back) if len(out | back) == 1 else None
        yield Event(at, kind, f"ISR of {name}: {_ids(old.isr)} → {_ids(new.isr)}", topic, p, about)


def _summed(kind: str, topic: Topic, pairs: list[tuple[Partition, Partition]]) -> str:
    """Return one text for the same kind of change of several partitions of a topic."""
    what = f"{many(len(pairs), 'partition')} of {topic.name}"
    if kind == "replicas_moved":
        return f"replicas of {what} reassigned"
    if kind.startswith("leader"):
        ways = Counter(f"{_or_none(old.leader)} → {_or_none(new.leader)}" for old, new in pairs)
        return f"leaders of {what}: {', '.join(f'{way} ({n})' for way, n in sorted(ways.items()))}"
    out = sorted({b for old, new in pairs for b in set(old.isr) - set(new.isr)})
    back = sorted({b for old, new in pairs for b in set(new.isr) - set(old.isr)})
    how = [f"without {_ids(out)}"] * bool(out) + [f"{_ids(back)} back"] * bool(back)
    return f"ISR of {what}: {', '.join(how)}"


# --- Changes of consumer groups.


#: States in which a group's assignments cannot be compared: its members are still joining, gone, or not known.
_UNSETTLED = frozenset({"PreparingRebalance", "CompletingRebalance", "Empty", "Dead", "Unknown"})
#: Maximum number of members that a sentence names; 40 of them would fill the page.
_NAMED = 6


def _groups(before: Snapshot, after: Snapshot) -> Iterator[Event]:
    """Yield events on groups, members, assignments and committed offsets, by group."""
    was = {g.group_id: g for g in before.groups}
    now = {g.group_id: g for g in after.groups}
    both = [(was[id], now[id]) for id in sorted(was.keys() & now.keys())]
    at = after.at
    for id in sorted(was.keys() - now.keys()):
        yield Event(at, "group_gone", f"group {id} is gone", group=id)
    for id in sorted(now.keys() - was.keys()):
        yield Event(at, "group_created", f"group {id} appeared ({now[id].state}{_holding(now[id])})", group=id)
    yield from _unknown(at, both)
    for old, new in both:
        id = new.group_id
        if old.state != "Unknown" and new.state != "Unknown":
            if old.state != new.state:
                text = f"group {id}: {old.state} → {new.state}"
                yield Event(at, "group_state", text, broker=new.coordinator, group=id)
            left = f"{many(len(new.members), 'member')} now"
            names = member_names({m.member_id: m.client_id for m in (*old.members, *new.members)})
            were, are = ({m.member_id for m in group.members} for group in (old, new))
            for kind, verb, ids in (("member_left", "left", were - are), ("member_joined", "joined", are - were)):
                for name in sorted(names[member] for member in ids):
                    yield Event(at, kind, f"group {id}: {name} {verb} ({left})", group=id)
            if new.state not in _UNSETTLED and _shares(old) != _shares(new):
                yield Event(at, "rebalanced", f"group {id} rebalanced{_holding(new)}", group=id)
        yield from _commits(at, old, new)


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


def _commits(at: float, old: Group, new: Group) -> Iterator[Event]:
    was = {(o.topic, o.partition): o.committed for o in old.offsets}
    steps: Counter[tuple[str, str, str]] = Counter()
    for o in new.offsets:
        before = was.get((o.topic, o.partition))
        if before is not None and o.committed is not None and before != o.committed:
            kind, way = ("committed", "forward") if o.committed > before else ("rewound", "back")
            steps[o.topic, kind, way] += abs(o.committed - before)
    for (topic, kind, way), n in sorted(steps.items()):
        text = f"group {new.group_id} moved its commits {way} by {many(n, 'offset')} in {topic}"
        yield Event(at, kind, text, topic=topic, group=new.group_id)


def _shares(group: Group) -> dict[str, frozenset[tuple[str, int]]]:
    """Return member id → the partitions it holds, for the members that hold any."""
    return {m.member_id: frozenset(m.partitions) for m in group.members if m.partitions}


def _holding(group: Group) -> str:
    """Return ": A holds trucks_gps P0–P4; B stands by", or "" when no member is assigned anything."""
    if not any(m.partitions for m in group.members):
        return ""
    names = member_names({m.member_id: m.client_id for m in group.members})
    members = sorted(group.members, key=lambda m: (names[m.member_id], m.member_id))
    said = [f"{names[m.member_id]} {_held(m)}" for m in members[:_NAMED]]
    more = len(members) - _NAMED
    return ": " + "; ".join([*said, f"{more} more"] if more > 0 else said)


def _held(member: Member) -> str:
    return f"holds {by_topic(sorted(member.partitions))}" if member.partitions else "stands by"


def member_names(clients: Mapping[str, str], *together: Iterable[str]) -> dict[str, str]:
    """Return member id → client id, with the end of the member id where members shared a client id at one time.

    :param together: the ids of the members that were there at one time, or at several; by default all.
    """
    seen = (Counter(map(clients.get, ids)) for ids in together or [clients])
    shared = {client for counted in seen for client, n in counted.items() if n > 1}
    return {id: f"{client}…{id[-4:]}" if client in shared else client for id, client in clients.items()}


def spans(partitions: Iterable[int]) -> str:
    """Return partition numbers as text: [0, 1, 2, 5] → "P0–P2 P5"."""
    runs: list[list[int]] = []
    for p in sorted(set(partitions)):
        if runs and p == runs[-1][1] + 1:
            runs[-1][1] = p
        else:
            runs.append([p, p])
    return " ".join(f"P{a}" if a == b else f"P{a}–P{b}" for a, b in runs)


def by_topic(partitions: Iterable[tuple[str, int]]) -> str:
    """Return partitions as text, "Topic-B P0 P3, trucks_gps P1–P4", in the order of their topics."""
    topics: dict[str, list[int]] = {}
    for topic, partition in partitions:
        topics.setdefault(topic, []).append(partition)
    return ", ".join(f"{topic} {spans(numbers)}" for topic, numbers in topics.items())


def _ids(ids: Iterable[int]) -> str:
    return ",".join(str(id) for id in ids) or "none"


def _or_none(id: int | None) -> str:
    return "none" if id is None else str(id)


def many(n: int, noun: str) -> str:
    """Return a number with its noun: "1 event", "2 events"."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
