"""The raw bytes of record batches, asked of the leaders: what a consumer is sent, before it is unpacked."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from kafka import errors as kafka_errors

from kafkalab.errors import RefusedByKafka, Unreachable
from kafkalab.state.connections import Connections, NoAnswer, fetch_request
from kafkalab.state.log.batch import UnreadableBatch, whole_batches
from kafkalab.state.log.segments import Found, Neighbour

#: Bytes asked of a leader at once. It sends at least one whole batch, however long.
FETCHED = 64 * 1024
#: Seconds to wait for an answer.
PATIENCE = 3.0


class Fetched:
    """A partition's batches as its leader sends them in answer to a fetch: the same bytes as in its log.

    See :class:`kafkalab.state.log.segments.BatchSource`. The caller closes the connections.
    """

    def __init__(self, connections: Connections, topic: str, partition: int) -> None:
        self._connections = connections
        self._topic, self._partition = topic, partition

    def find(self, offset: int) -> Found | None:
        """Return the batch that holds the offset, else the first one after it; the batch before it stays unknown."""
        leader = leaders(self._connections, self._topic).get(self._partition)
        if leader is None:
            raise Unreachable(f"{self._topic}, partition {self._partition}, has no leader now, so it cannot be read.")
        data = fetch(self._connections, leader, self._topic, {self._partition: offset})
        found = None
        for batch in whole_batches(data[self._partition]):
            if found is not None:
                beside = Neighbour(batch.header.base_offset, batch.header.last_offset)
                return Found(found, leader, next=beside)
            if batch.header.last_offset >= offset:
                found = batch
        return None if found is None else Found(found, leader)


def leaders(connections: Connections, topic: str) -> dict[int, int | None]:
    """Return the leader of each partition of a topic, None where there is none; no partitions if there is no topic.

    :raises Unreachable: no broker answers.
    """
    try:
        metadata = connections.metadata(topic, PATIENCE)
    except NoAnswer as why:
        raise Unreachable("No broker answers.", seen=str(why)) from None
    return {p.partition_index: p.leader_id if p.leader_id >= 0 else None for t in metadata.topics for p in t.partitions}


def fetch(
    connections: Connections,
    leader: int,
    topic: str,
    offsets: Mapping[int, int],
    most: int = FETCHED,
) -> dict[int, bytes]:
    """Return the raw bytes of partitions that a broker leads, each from an offset on; b"" where nothing is there.

    :param most: maximum bytes for each partition; a longer first batch still comes whole.
    :raises Unreachable: the leader does not answer.
    :raises RefusedByKafka: it answers with an error.
    """
    request = fetch_request({topic: offsets}, most, wait_ms=100)
    answer = connections.ask([(leader, request)], PATIENCE)[0]
    if isinstance(answer, NoAnswer):
        raise Unreachable(f"Broker {leader}, which leads {topic}, {answer}.", do="Check that the broker is running.")
    found = {}
    for p in (p for part in answer.responses for p in part.partitions):
        error = kafka_errors.for_code(p.error_code)
        if error not in (kafka_errors.NoError, kafka_errors.OffsetOutOfRangeError):
            raise RefusedByKafka(f"Broker {leader} did not send any records of {topic}.", seen=error.__name__)
        found[p.partition_index] = bytes(p.records or b"")
    return {p: found.get(p, b"") for p in offsets}


# --- Keys in their partitions, from the newest records of each partition.


#: Maximum number of a partition's newest records that one call reads, at first and later.
NEWEST = 500
#: Bytes of a partition asked for at once, and maximum number of requests: a look ends, however large the records are.
_BYTES, _ROUNDS = 256 * 1024, 12


@dataclass(frozen=True, slots=True)
class Placed:
    """A record's key (None: it has none), with its partition and offset."""

    key: bytes | None
    partition: int
    offset: int


class KeyReader:
    """Reads the keys of new records, from where it left off. For one thread; the caller closes the connections."""

    def __init__(self, connections: Connections, topic: str) -> None:
        self._connections = connections
        self._topic = topic
        self._at: dict[int, int] = {}

    def read(self, offsets: Mapping[int, tuple[int, int]]) -> list[Placed]:
        """Return the keys of records not read before; of more than :data:`NEWEST` in a partition, only the newest.

        :param offsets: partition → its first offset and its end.
        :raises Unreachable: no broker answers, or a leader does not. :raises RefusedByKafka: a leader refuses.
        """
        for p, (start, end) in offsets.items():
            # A log that ends before what was read has lost its end, or is another topic of the same name.
            known = self._at.get(p, 0)
            self._at[p] = max(start, end - NEWEST, known if known <= end else 0)
        found: list[Placed] = []
        for _ in range(_ROUNDS):
            led: dict[int, dict[int, int]] = {}
            for p, leader in leaders(self._connections, self._topic).items():
                if leader is not None and p in offsets and self._at[p] < offsets[p][1]:
                    led.setdefault(leader, {})[p] = self._at[p]
            if not led:
                break
            for leader, wanted in led.items():
                for p, data in fetch(self._connections, leader, self._topic, wanted, _BYTES).items():
                    found += self._keys(p, data, offsets[p][1])
        return found

    def _keys(self, partition: int, data: bytes, end: int) -> list[Placed]:
        found: list[Placed] = []
        begun = self._at[partition]
        with suppress(UnreadableBatch):
            for batch in whole_batches(data):
                records = () if batch.header.control else batch.records
                found += [Placed(r.key.of(batch.section), partition, r.offset) for r in records if r.offset >= begun]
                self._at[partition] = batch.header.last_offset + 1
        if self._at[partition] == begun:
            self._at[partition] = end  # what cannot be read is not asked for again
        return found
