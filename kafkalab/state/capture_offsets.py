"""The first and the next offset of every partition, asked of the leaders."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kafka.protocol.consumer import ListOffsetsRequest, OffsetSpec

from kafkalab.state.connections import Connections, NoAnswer, Node
from kafkalab.state.model import Topic

#: (topic, partition) → (log start offset, high watermark); None where the leader did not say.
Offsets = dict[tuple[str, int], tuple[int | None, int | None]]


def ask_offsets(
    connections: Connections, topics: Sequence[Topic], seconds: Callable[[], float], silent: dict[int, str]
) -> Offsets:
    """Two requests a leader, all at once; leaders in ``silent`` are left out, and newly silent ones are added to it."""
    led: dict[int, dict[str, list[int]]] = {}
    for topic in topics:
        for p in topic.partitions:
            if p.leader is not None and p.leader not in silent:
                led.setdefault(p.leader, {}).setdefault(p.topic, []).append(p.partition)
    leaders = sorted(led)
    questions: list[tuple[Node, Any]] = []
    for spec in (OffsetSpec.EARLIEST, OffsetSpec.LATEST):
        questions += [(leader, _request(led[leader], spec)) for leader in leaders]
    answers = connections.ask(questions, seconds()) if questions else []
    starts: dict[tuple[str, int], int] = {}
    ends: dict[tuple[str, int], int] = {}
    for i, answer in enumerate(answers):
        if isinstance(answer, NoAnswer):
            silent[leaders[i % len(leaders)]] = str(answer)
            continue
        found = starts if i < len(leaders) else ends
        for topic in answer.topics:
            for p in topic.partitions:
                if not p.error_code and p.offset >= 0:
                    found[topic.name, p.partition_index] = p.offset
    return {key: (starts.get(key), ends.get(key)) for key in starts.keys() | ends.keys()}


def _request(partitions: dict[str, list[int]], spec: OffsetSpec) -> Any:
    topic = ListOffsetsRequest.ListOffsetsTopic
    one = topic.ListOffsetsPartition
    return ListOffsetsRequest(
        replica_id=-1,
        isolation_level=0,
        topics=[
            topic(name=name, partitions=[one(partition_index=i, timestamp=int(spec)) for i in indexes])
            for name, indexes in partitions.items()
        ],
    )
