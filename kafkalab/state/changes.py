"""Two snapshots → what happened between them, as named events, causes before effects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from kafkalab.state.event import CHATTY, KINDS, Event
from kafkalab.state.group_changes import group_changes
from kafkalab.state.model import Partition, Quorum, Snapshot, Topic

__all__ = ["CHATTY", "KINDS", "Event", "changes"]

#: From so many partitions of one topic on, changes of one kind are summed up: nobody reads 50 lines at once.
SUMMED_FROM = 13


def changes(before: Snapshot, after: Snapshot) -> tuple[Event, ...]:
    """What happened from ``before`` to ``after``, in the order of :data:`KINDS`, then by topic, partition, group.

    Every difference in leader and ISR is told once. Several partitions of an internal topic, or more than a dozen of
    any topic, that changed in the same way share one event. What either snapshot could not learn is no change.
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
    """Its leader; none if a server says so, unknown if those that could say are silent."""
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
    # Kafka cannot take partitions away: fewer of them is another topic of the same name.
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
    """Events of the partitions that are in both snapshots, by kind and topic; internal topics last, summed up."""
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
