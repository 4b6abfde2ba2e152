"""Answers for predictions: ready-made questions about a Snapshot; each answer comes with the facts behind it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from kafkalab.errors import BadInput, KafkalabError
from kafkalab.exercises.predict.kinds import Says
from kafkalab.state.model import Partition, Snapshot


class HasState(Protocol):
    """The part of a cluster that a comparison needs: its snapshots."""

    def snapshot(self) -> Snapshot:
        """Return the cluster's state as it is now."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer from a snapshot, and for each part of it the facts that it follows from."""

    value: Any
    says: Says


#: A question about a snapshot.
Asked = Callable[[Snapshot], Answer]


def answered(happened: object, of: Snapshot | HasState | None) -> tuple[Answer, float | None]:
    """Return what happened, and the Unix time of the snapshot it was read from; None if the value itself was given.

    :raises BadInput: a question was given without a cluster, or a cluster without a question.
    """
    if callable(happened) != (of is not None):
        raise BadInput(
            "A question needs a cluster to ask, and a cluster needs a question.",
            do="compare(leader_of('hello', 0), of=cluster), or compare(101)",
        )
    if of is None or not callable(happened):
        return Answer(happened, {}), None
    state = of if isinstance(of, Snapshot) else of.snapshot()
    answer = happened(state)
    return answer if isinstance(answer, Answer) else Answer(answer, {}), state.at


def leader_of(topic: str, partition: int) -> Asked:
    """Ask for the leader of a partition: a broker's id, or None if it has no leader."""

    def ask(snapshot: Snapshot) -> Answer:
        found = [p for p in _partitions(snapshot, topic) if p.partition == partition]
        if not found:
            raise KafkalabError(f"{topic} has no partition {partition}.")
        return Answer(found[0].leader, {"": f"{topic} P{partition}: {_facts(found[0])}."})

    return ask


def leaders_of(topic: str) -> Asked:
    """Ask for the leader of each partition: ``{"P0": 101, "P1": None}``."""
    return _each(topic, lambda p: p.leader)


def replicas_of(topic: str) -> Asked:
    """Ask for the replicas of each partition: ``{"P0": [101, 102, 103]}``, the preferred leader first."""
    return _each(topic, lambda p: list(p.replicas))


def isr_of(topic: str) -> Asked:
    """Ask for the in-sync replicas of each partition: ``{"P0": [101, 103]}``."""
    return _each(topic, lambda p: list(p.isr))


def _each(topic: str, read: Callable[[Partition], object]) -> Asked:
    def ask(snapshot: Snapshot) -> Answer:
        found = {f"P{p.partition}": p for p in _partitions(snapshot, topic)}
        return Answer({name: read(p) for name, p in found.items()}, {name: _facts(p) for name, p in found.items()})

    return ask


def _partitions(snapshot: Snapshot, topic: str) -> tuple[Partition, ...]:
    found = snapshot.topic(topic)
    if found is None:
        raise KafkalabError(f"There is no topic {topic!r} in this snapshot.", do="cluster.create_topic(…)")
    return found.partitions


def _facts(p: Partition) -> str:
    """Return the facts about a partition in Kafka's words: leader, epoch, replicas, ISR."""
    leader = "no leader" if p.leader is None else f"leader {p.leader}"
    epoch = "" if p.leader_epoch is None else f" since epoch {p.leader_epoch}"
    return f"{leader}{epoch} · replicas {_ids(p.replicas)} · ISR {_ids(p.isr)}"


def _ids(brokers: Sequence[int]) -> str:
    return ", ".join(map(str, brokers)) or "none"
