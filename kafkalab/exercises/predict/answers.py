"""Answers for predictions: ready-made questions about a Snapshot; each answer comes with the facts behind it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from kafkalab.errors import BadInput, KafkalabError
from kafkalab.exercises.predict.kinds import Says
from kafkalab.state.model import Member, Partition, Snapshot


class HasState(Protocol):
    """The part of a cluster that a comparison needs: its snapshots."""

    def snapshot(self) -> Snapshot:
        """Return the cluster's state as it is now."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer from a snapshot, and for each part of it the facts that it follows from."""

    value: Any
    says: Says


@dataclass(frozen=True, slots=True)
class Asked:
    """A question about a snapshot; calling it with one gives the answer. ``words``: its subject."""

    words: str
    ask: Callable[[Snapshot], Answer]

    def __call__(self, snapshot: Snapshot) -> Any:
        """Return the answer's value alone.

        :raises KafkalabError: the snapshot does not hold the subject of the question.
        """
        return self.ask(snapshot).value


def answered(happened: object, of: Snapshot | HasState | None) -> tuple[Answer, float | None]:
    """Return what happened, and the Unix time of the snapshot it was read from; None if the value itself was given.

    :raises BadInput: a question was given without a cluster, or a cluster without a question.
    """
    if not callable(happened):
        if of is not None:
            raise BadInput(
                "With of=… the first argument must be a question.", do="compare(leader_of('hello', 0), of=cluster)"
            )
        return Answer(happened, {}), None
    if of is None:
        raise BadInput(
            "This question needs a cluster to ask.", do="compare(leader_of('hello', 0), of=cluster), or of=a snapshot"
        )
    state = of if isinstance(of, Snapshot) else of.snapshot()
    return happened.ask(state) if isinstance(happened, Asked) else Answer(happened(state), {}), state.at


def leader_of(topic: str, partition: int) -> Asked:
    """Ask for the leader of a partition: a broker's id, or None if it has no leader."""

    def ask(snapshot: Snapshot) -> Answer:
        found = _partition(snapshot, topic, partition)
        return Answer(found.leader, {"": _sentence(snapshot, found)})

    return Asked(f"the leader of {topic} P{partition}", ask)


def leaders_of(topic: str) -> Asked:
    """Ask for the leader of each partition: ``{"P0": 101, "P1": None}``."""
    return _each(f"the leaders of {topic}", topic, lambda p: p.leader)


def replicas_of(topic: str) -> Asked:
    """Ask for the replicas of each partition: ``{"P0": [101, 102, 103]}``, the preferred leader first."""
    return _each(f"the replicas of {topic}", topic, lambda p: list(p.replicas))


def isr_of(topic: str) -> Asked:
    """Ask for the in-sync replicas of each partition: ``{"P0": [101, 103]}``."""
    return _each(f"the in-sync replicas of {topic}", topic, lambda p: list(p.isr))


def records_in(topic: str) -> Asked:
    """Ask for the number of offsets in a topic: that of its records, unless it is compacted or has transactions."""

    def ask(snapshot: Snapshot) -> Answer:
        held = {p.partition: _held(p) for p in _partitions(snapshot, topic)}
        return Answer(sum(held.values()), {"": ", ".join(f"P{p}: {n}" for p, n in held.items()) + "."})

    return Asked(f"the records in {topic}", ask)


def holders_of(group: str, topic: str | None = None) -> Asked:
    """Ask for the member that holds each partition: ``{"P0": "C1"}``, or ``{"trucks_gps P0": "C1"}`` without a topic.

    A member is named by its client id, or by its member id if two have the same client id. A partition without a
    holder has None.
    """

    def ask(snapshot: Snapshot) -> Answer:
        found = snapshot.group(group)
        if found is None:
            raise KafkalabError(
                f"There is no group {group!r} in this snapshot.", do="Check that one of its consumers is running."
            )
        ids = [member.client_id for member in found.members]

        def called(member: Member) -> str:
            return member.client_id if ids.count(member.client_id) == 1 else member.member_id

        holder = {at: member for member in found.members for at in member.partitions}
        topics = [topic] if topic else sorted({t for t, _ in holder} | {o.topic for o in found.offsets})
        value, says = {}, {}
        for name in topics:
            for p in _partitions(snapshot, name):
                part = f"P{p.partition}" if topic else f"{name} P{p.partition}"
                member = holder.get((name, p.partition))
                value[part] = called(member) if member else None
                says[part] = f"member id {member.member_id}" if member else f"the group is {found.state}"
        assignor = f", assignor {found.assignor}" if found.assignor else ""
        says[""] = f"The group is {found.state}, with {len(found.members)} members{assignor}."
        return Answer(value, says)

    return Asked(f"who holds what in {group}", ask)


def controller(snapshot: Snapshot) -> int | None:
    """Return the id of the broker that is the controller, or None."""
    return snapshot.controller


def milliseconds(since: Snapshot | float, until: Snapshot | float) -> int:
    """Return the milliseconds between two moments, each given as a snapshot or as Unix time in seconds."""
    first, last = (one.at if isinstance(one, Snapshot) else one for one in (since, until))
    return round(1000 * (last - first))


def _each(words: str, topic: str, read: Callable[[Partition], object]) -> Asked:
    def ask(snapshot: Snapshot) -> Answer:
        found = _partitions(snapshot, topic)
        says: Mapping[str, str] = {f"P{p.partition}": _facts(p) for p in found}
        return Answer({f"P{p.partition}": read(p) for p in found}, says)

    return Asked(words, ask)


def _partitions(snapshot: Snapshot, topic: str) -> tuple[Partition, ...]:
    found = snapshot.topic(topic)
    if found is None:
        raise KafkalabError(f"There is no topic {topic!r} in this snapshot.", do="cluster.create_topic(…)")
    return found.partitions


def _partition(snapshot: Snapshot, topic: str, partition: int) -> Partition:
    for found in _partitions(snapshot, topic):
        if found.partition == partition:
            return found
    raise KafkalabError(f"{topic} has no partition {partition}.")


def _held(p: Partition) -> int:
    if p.start is None or p.end is None:
        raise KafkalabError(f"{p.topic} P{p.partition} has no leader, so its number of records is unknown.")
    return p.end - p.start


def _facts(p: Partition) -> str:
    """Return the facts about a partition in Kafka's words: leader, epoch, replicas, ISR."""
    leader = "no leader" if p.leader is None else f"leader {p.leader}"
    epoch = "" if p.leader_epoch is None else f" since epoch {p.leader_epoch}"
    return f"{leader}{epoch} · replicas {_ids(p.replicas)} · ISR {_ids(p.isr)}"


def _sentence(snapshot: Snapshot, p: Partition) -> str:
    down = [b.id for b in snapshot.brokers if not b.alive and b.id in p.replicas]
    gone = f" · down: {_ids(down)}" if down else ""
    return f"{p.topic} P{p.partition}: {_facts(p)}{gone}."


def _ids(brokers: object) -> str:
    return ", ".join(str(b) for b in brokers) if isinstance(brokers, (list, tuple)) and brokers else "none"
