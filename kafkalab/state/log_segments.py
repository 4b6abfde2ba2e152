"""Finds a record's batch: in the segment files of a broker's own log, or in what a leader answers to a fetch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from kafkalab.cluster.log_dirs import LogDir
from kafkalab.errors import BadInput, RefusedByKafka, Unreachable
from kafkalab.state.record_batch import HEADER_SIZE, Batch, Header
from kafkalab.state.record_varint import UnreadableBatch

#: Bytes read at once while batches are walked; a batch that is longer is read whole when it is the one.
WINDOW = 256 * 1024
#: Bytes asked of a leader at once. It sends at least one whole batch, however long.
FETCHED = 64 * 1024


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A batch beside the one that was looked for: its first and last offset."""

    base: int
    last: int


@dataclass(frozen=True, slots=True)
class Found:
    """A batch and where it came from.

    ``segment`` and ``at``: the file and the position in it; "" and 0 for a fetch. ``broker``: whose copy it is.
    ``previous`` and ``next``: the batches beside it, where they are known.
    """

    batch: Batch
    broker: int
    segment: str = ""
    at: int = 0
    previous: Neighbour | None = None
    next: Neighbour | None = None


class BatchSource(Protocol):
    """Where batches of one partition can be had from."""

    def find(self, offset: int) -> Found | None:
        """The batch with the offset, or where the log has none the first behind it; None when nothing is behind it."""


class SegmentFiles:
    """A broker's own copy of a partition, read from its segment files. See :class:`BatchSource`.

    Nothing is asked of the broker: what it has written is read also while it is paused or down, and what is not yet
    replicated is there too.
    """

    def __init__(self, folder: LogDir, broker: int, topic: str, partition: int) -> None:
        self._folder = folder
        self.broker = broker
        self._topic, self._partition = topic, partition

    def find(self, offset: int) -> Found | None:
        """The batch with the offset or the first behind it.

        :raises UnreadableBatch: the file holds something else before it, or only the beginning of it.
        """
        segments = self._folder.segments(self._topic, self._partition)
        if not segments:
            raise BadInput(
                f"Broker {self.broker} has no log of {self._topic}, partition {self._partition}.",
                do="Choose one of its replicas.",
            )
        # A segment is named by the offset it begins at.
        first = max((i for i, (name, _) in enumerate(segments) if int(name[:20]) <= offset), default=0)
        previous = self._last_of(segments[first - 1]) if first else None
        for i, (name, size) in enumerate(segments[first:], first):
            for at, header in self._walk(name, size):
                if header.last_offset < offset:
                    previous = Neighbour(header.base_offset, header.last_offset)
                    continue
                batch = Batch.read(self._read(name, at, header.size))
                return Found(batch, self.broker, name, at, previous, self._after(segments[i:], at + header.size))
        return None

    def _after(self, segments: tuple[tuple[str, int], ...], at: int) -> Neighbour | None:
        for name, size in segments:
            try:
                for _, header in self._walk(name, size, at):
                    return Neighbour(header.base_offset, header.last_offset)
            except UnreadableBatch:
                return None  # it is being written just now
            at = 0
        return None

    def _last_of(self, segment: tuple[str, int]) -> Neighbour | None:
        last = None
        for _, header in self._walk(*segment):
            last = Neighbour(header.base_offset, header.last_offset)
        return last

    def _walk(self, name: str, size: int, at: int = 0) -> Iterator[tuple[int, Header]]:
        """Every batch's place and header, from ``at`` on."""
        window, begin = b"", at
        while at < size:
            if at < begin or at + HEADER_SIZE > begin + len(window):
                window, begin = self._read(name, at, min(WINDOW, size - at)), at
                if not window:
                    return  # retention took the file away
            header = Header.read(window, at - begin)
            yield at, header
            at += header.size

    def _read(self, name: str, at: int, size: int) -> bytes:
        return self._folder.read(self._topic, self._partition, name, at, size)


class Fetched:
    """What the leader of a partition answers to a fetch: the same bytes as in its log. See :class:`BatchSource`.

    :param leader: says who leads now, None for nobody.
    """

    def __init__(self, connections: Any, leader: Any, topic: str, partition: int, seconds: float = 5.0) -> None:
        self._connections = connections
        self._leader = leader
        self._topic, self._partition = topic, partition
        self._seconds = seconds

    def find(self, offset: int) -> Found | None:
        """The batch with the offset or the first behind it. Of the batches before it nothing is learned."""
        leader = self._leader()
        if leader is None:
            raise Unreachable(f"{self._topic}, partition {self._partition}, has no leader that could be asked.")
        data = fetch(self._connections, leader, self._topic, {self._partition: offset}, FETCHED, self._seconds)
        found = None
        for batch in whole_batches(data[self._partition]):
            if found is not None:
                beside = Neighbour(batch.header.base_offset, batch.header.last_offset)
                return Found(found, leader, next=beside)
            if batch.header.last_offset >= offset:
                found = batch
        return None if found is None else Found(found, leader)


def whole_batches(data: bytes) -> Iterator[Batch]:
    """The batches of a fetch, which may end within one."""
    at = 0
    while at + HEADER_SIZE <= len(data):
        header = Header.read(data, at)
        if at + header.size > len(data):
            return
        yield Batch.read(data, at)
        at += header.size


def fetch(
    connections: Any, leader: int, topic: str, offsets: dict[int, int], most: int, seconds: float
) -> dict[int, bytes]:
    """The raw record bytes of partitions that a broker leads, from an offset each; b"" where nothing is behind it.

    :param connections: :class:`kafkalab.state.connections.Connections`.
    :param most: bytes for each partition; a first batch that is longer comes all the same.
    :raises Unreachable: the leader does not answer. :raises RefusedByKafka: it answers with an error.
    """
    from kafka import errors as kafka_errors
    from kafka.protocol.consumer import FetchRequest

    topics = FetchRequest.FetchTopic
    partitions = [
        topics.FetchPartition(partition=p, fetch_offset=o, partition_max_bytes=most, log_start_offset=-1)
        for p, o in offsets.items()
    ]
    request = FetchRequest(
        replica_id=-1, max_wait_ms=100, min_bytes=0, max_bytes=max(most * len(offsets), most), isolation_level=0,
        session_id=0, session_epoch=-1, topics=[topics(topic=topic, partitions=partitions)], forgotten_topics_data=[],
        rack_id="", min_version=4,
        max_version=12,  # later ones name a topic by its id
    )  # fmt: skip
    answer = connections.ask([(leader, request)], seconds)[0]
    if isinstance(answer, Exception):
        raise Unreachable(f"Broker {leader}, which leads {topic}, {answer}.", do="Is it running?")
    found = {}
    for part in answer.responses:
        for p in part.partitions:
            error = kafka_errors.for_code(p.error_code)
            if error is kafka_errors.OffsetOutOfRangeError:
                found[p.partition_index] = b""
            elif error is not kafka_errors.NoError:
                raise RefusedByKafka(f"Broker {leader} did not give records of {topic}.", seen=error.__name__)
            else:
                found[p.partition_index] = bytes(p.records or b"")
    return {p: found.get(p, b"") for p in offsets}
