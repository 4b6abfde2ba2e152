"""Which keys lie in which partitions: the newest records of each partition are looked through."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kafkalab.state.connections import Connections
from kafkalab.state.log.batch import Batch, UnreadableBatch
from kafkalab.state.log.fetched import fetch, leaders, whole_batches

#: Records of a partition that are looked at when nothing is known yet, and of what came since, at most.
NEWEST = 500
#: Bytes of a partition asked for at once, and how often at most: a look ends, however large the records are.
_BYTES, _ROUNDS = 256 * 1024, 12


@dataclass(frozen=True, slots=True)
class Placed:
    """A record's key (None: it has none), and where it lies."""

    key: bytes | None
    partition: int
    offset: int


class KeyReader:
    """Reads on where it left off. One thread at a time; the connections are the caller's to close."""

    def __init__(self, connections: Connections, topic: str, newest: int = NEWEST) -> None:
        self._connections = connections
        self._topic = topic
        self._newest = newest
        self._at: dict[int, int] = {}

    def read(self, offsets: Mapping[int, tuple[int, int]]) -> list[Placed]:
        """The keys of records not looked at before; of more than so many only the newest.

        :param offsets: partition → its first offset and its end.
        :raises Unreachable: no broker answers, or a leader does not. :raises RefusedByKafka: a leader says no.
        """
        for p, (start, end) in offsets.items():
            # A log that ends before what was read has lost its end, or is another topic of the same name.
            known = self._at.get(p, 0)
            self._at[p] = max(start, end - self._newest, known if known <= end else 0)
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
        try:
            for batch in whole_batches(data):
                found += [p for p in _keys_of(batch, partition) if p.offset >= begun]
                self._at[partition] = batch.header.last_offset + 1
        except UnreadableBatch:
            self._at[partition] = end  # what cannot be read is not asked for again
        if self._at[partition] == begun:
            self._at[partition] = end
        return found


def _keys_of(batch: Batch, partition: int) -> list[Placed]:
    if batch.header.control:
        return []
    return [Placed(r.key.of(batch.section), partition, r.offset) for r in batch.records]
