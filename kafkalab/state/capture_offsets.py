"""Every partition's first and next offset, asked of the leaders, and how far replicas out of the ISR are behind."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, NamedTuple

from kafka.protocol.consumer import ListOffsetsRequest, OffsetSpec

from kafkalab.state.connections import Connections, NoAnswer, Node
from kafkalab.state.model import Partition, Topic

Key = tuple[str, int]
#: (topic, partition) → (log start offset, high watermark); None where the leader did not say.
Offsets = dict[Key, tuple[int | None, int | None]]
#: (topic, partition) → of each replica that is out of the ISR and answers: (broker, records behind the leader's log).
Behind = dict[Key, tuple[tuple[int, int], ...]]
#: broker → topic → its partitions that the broker is asked about.
_PerBroker = dict[int, dict[str, list[int]]]

#: Who asks. Kafka tells a consumer of the high watermark, and only the leader does. Whoever calls itself -2, which
#: Kafka keeps for debugging, is told the end of its own log by any replica.
_CONSUMER, _DEBUGGING = -1, -2


class _Question(NamedTuple):
    """What one broker is asked, as whom, and where its answer goes."""

    broker: int
    replica_id: int
    spec: OffsetSpec
    partitions: dict[str, list[int]]
    found: dict[Key, int]


def ask_offsets(
    connections: Connections,
    topics: Sequence[Topic],
    alive: Collection[int],
    seconds: Callable[[], float],
    silent: dict[int, str],
) -> tuple[Offsets, Behind]:
    """Two requests a leader, and where replicas are out of the ISR one more to them and their leaders; all at once.

    A healthy cluster is asked nothing besides the two. Brokers in ``silent`` are left out, and newly silent ones are
    added to it; of replicas on brokers that are not ``alive`` nothing is learned.
    """
    starts: dict[Key, int] = {}
    ends: dict[Key, int] = {}
    log_ends: dict[int, dict[Key, int]] = {}
    led = _by_broker((p.leader, p) for t in topics for p in t.partitions)
    short = [p for t in topics for p in t.partitions if p.under_replicated and p.leader is not None]
    late = [(id, p) for p in short for id in p.replicas if id not in p.isr and id in alive and id not in silent]
    questions = [_Question(b, _CONSUMER, OffsetSpec.EARLIEST, led[b], starts) for b in sorted(led) if b not in silent]
    questions += [_Question(b, _CONSUMER, OffsetSpec.LATEST, led[b], ends) for b in sorted(led) if b not in silent]
    asked = _by_broker([*late, *dict.fromkeys((p.leader, p) for _, p in late if p.leader not in silent)])
    for broker in sorted(asked):
        found = log_ends.setdefault(broker, {})
        questions.append(_Question(broker, _DEBUGGING, OffsetSpec.LATEST, asked[broker], found))
    _ask(connections, questions, seconds, silent)
    behind: dict[Key, list[tuple[int, int]]] = {}
    for id, p in late:
        key = (p.topic, p.partition)
        mine, leaders = log_ends.get(id, {}).get(key), log_ends.get(p.leader or -1, {}).get(key)
        if mine is not None and leaders is not None:
            # Not below zero: the leader answered first, or the replica has yet to cut off what the leader never had.
            behind.setdefault(key, []).append((id, max(0, leaders - mine)))
    offsets: Offsets = {key: (starts.get(key), ends.get(key)) for key in starts.keys() | ends.keys()}
    return offsets, {key: tuple(sorted(found)) for key, found in behind.items()}


def _by_broker(pairs: Iterable[tuple[int | None, Partition]]) -> _PerBroker:
    found: _PerBroker = {}
    for broker, p in pairs:
        if broker is not None:
            found.setdefault(broker, {}).setdefault(p.topic, []).append(p.partition)
    return found


def _ask(
    connections: Connections, questions: Sequence[_Question], seconds: Callable[[], float], silent: dict[int, str]
) -> None:
    asked: list[tuple[Node, Any]] = [(q.broker, _request(q)) for q in questions]
    answers = connections.ask(asked, seconds()) if asked else []
    for question, answer in zip(questions, answers, strict=True):
        if isinstance(answer, NoAnswer):
            silent[question.broker] = str(answer)
            continue
        for topic in answer.topics:
            for p in topic.partitions:
                if not p.error_code and p.offset >= 0:
                    question.found[topic.name, p.partition_index] = p.offset


def _request(question: _Question) -> Any:
    topic = ListOffsetsRequest.ListOffsetsTopic
    one = topic.ListOffsetsPartition
    return ListOffsetsRequest(
        replica_id=question.replica_id,
        isolation_level=0,
        topics=[
            topic(name=name, partitions=[one(partition_index=i, timestamp=int(question.spec)) for i in indexes])
            for name, indexes in question.partitions.items()
        ],
    )
