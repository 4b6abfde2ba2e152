"""The two questions a log reader asks of leaders: where their logs end, and what is in them.

A consumer is told of a log only up to the high watermark. Kafka knows two more who may ask, both without being counted
as a replica: the debugging replica (id -2), to whom ListOffsets tells the log's true end, and a log that is being moved
to another disk (id -3), to whom Fetch hands over the records up to there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kafka.protocol.consumer import FetchRequest, ListOffsetsRequest, OffsetSpec

from kafkalab.state.connections import Connections, NoAnswer
from kafkalab.state.log_window import Window, read

CONSUMER, DEBUGGER, MOVING = -1, -2, -3

#: What one fetch brings of a partition, bytes; a batch larger than that comes whole if it is the first.
PARTITION_BYTES = 64 * 1024
#: What one fetch brings altogether, bytes.
FETCH_BYTES = 2 * 1024 * 1024
#: How often a window is asked for again while each time more of it comes.
ROUNDS = 12

#: The name under which a broker is asked (see Connections.introduce).
Name = str


def ask_ends(
    connections: Connections, topic: str, led: Mapping[Name, list[int]], stable: bool, seconds: float
) -> dict[int, tuple[int | None, int | None, int | None]]:
    """Partition → (high watermark, log end, last stable offset), None where its leader did not say.

    :param led: the partitions that each broker leads.
    :param stable: whether to ask for the last stable offset: the beginning of the oldest open transaction.
    """
    kinds = [(CONSUMER, 0), (DEBUGGER, 0)] + [(CONSUMER, 1)] * stable
    questions = [
        (name, _offsets(topic, partitions, replica, isolation))
        for replica, isolation in kinds
        for name, partitions in led.items()
    ]
    answers = connections.ask(questions, seconds)
    found: dict[int, list[int | None]] = {p: [None, None, None] for partitions in led.values() for p in partitions}
    for i, answer in enumerate(answers):
        if isinstance(answer, NoAnswer):
            continue
        for t in answer.topics:
            for p in t.partitions:
                if not p.error_code and p.offset >= 0 and p.partition_index in found:
                    found[p.partition_index][i // len(led)] = p.offset
    return {p: (high, end, last) for p, (high, end, last) in found.items()}


def _offsets(topic: str, partitions: list[int], replica: int, isolation: int) -> Any:
    named = ListOffsetsRequest.ListOffsetsTopic
    one = named.ListOffsetsPartition
    latest = int(OffsetSpec.LATEST)
    return ListOffsetsRequest(
        replica_id=replica,
        isolation_level=isolation,
        topics=[named(name=topic, partitions=[one(partition_index=p, timestamp=latest) for p in partitions])],
    )


def read_windows(
    connections: Connections,
    topic: str,
    leaders: Mapping[int, Name],
    wanted: Mapping[int, tuple[int, int]],
    seconds: Callable[[], float],
    *,
    beyond: bool = False,
) -> dict[int, Window]:
    """Partition → the window (from, to) of it that is wanted, as far as it could be read; none for silent leaders.

    :param beyond: read past the high watermark too, what is written but not yet committed.
    """
    windows: dict[int, Window] = {}
    open_ = {p: window for p, window in wanted.items() if p in leaders and window[0] < window[1]}
    for _ in range(ROUNDS):
        if not open_ or seconds() <= 0:
            break
        by_leader: dict[Name, dict[int, int]] = {}
        for p, (start, _end) in open_.items():
            by_leader.setdefault(leaders[p], {})[p] = windows[p].end if p in windows else start
        questions = [(name, _fetch(topic, at, MOVING if beyond else CONSUMER)) for name, at in by_leader.items()]
        moved = False
        for (_name, at), answer in zip(by_leader.items(), connections.ask(questions, seconds()), strict=True):
            if isinstance(answer, NoAnswer) or answer.error_code:
                continue
            for p in (p for t in answer.responses for p in t.partitions):
                if p.error_code or p.partition_index not in at:
                    continue
                start, end = at[p.partition_index], open_[p.partition_index][1]
                more = read(p.records, start, end)
                moved = moved or len(more) > 0
                before = windows.get(p.partition_index)
                windows[p.partition_index] = before.then(more, end) if before else more
                if more.end >= end:
                    del open_[p.partition_index]
        if not moved:
            break
    return windows


def _fetch(topic: str, at: Mapping[int, int], replica: int) -> Any:
    named = FetchRequest.FetchTopic
    partitions = [
        named.FetchPartition(
            partition=p,
            current_leader_epoch=-1,
            fetch_offset=offset,
            last_fetched_epoch=-1,
            log_start_offset=-1,
            partition_max_bytes=PARTITION_BYTES,
        )
        for p, offset in at.items()
    ]
    return FetchRequest(
        replica_id=replica,
        max_wait_ms=0,
        min_bytes=0,
        max_bytes=FETCH_BYTES,
        isolation_level=0,
        session_id=0,
        session_epoch=-1,
        topics=[named(topic=topic, partitions=partitions)],
        forgotten_topics_data=[],
        rack_id="",
        # From version 13 on topics are named by id only.
        min_version=4,
        max_version=11,
    )
