"""The end of the one partition of ``__consumer_offsets`` that a group lives in: its newest record, and what follows."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

from kafka.protocol.consumer import FetchRequest, ListOffsetsRequest, OffsetSpec
from kafka.record import MemoryRecords

from kafkalab.state.connections import NoAnswer
from kafkalab.state.offsets_topic import OFFSETS_TOPIC, GroupRecord, UnreadableRecord, decode

log = logging.getLogger(__name__)

#: One fetch brings at most so many bytes.
_FETCH_BYTES = 256 * 1024
#: How far back from the end the newest record of the group is looked for at first, and at most, in records.
_FIRST_STEP, _FURTHEST = 1000, 2_000_000
_OUT_OF_RANGE = 1


class GroupTail:
    """Reads one group's records from its partition, a request at a time: see :meth:`request` and :meth:`answered`.

    It begins with the newest record of the group, which is looked for from the end backwards, and then follows the end.
    """

    def __init__(self, group: str, partition: int) -> None:
        self._group = group.encode("utf-8")
        self._partition = partition
        self._start: int | None = None  # of the log
        self._next: int | None = None  # where the end is followed from
        self._window: tuple[int, int] | None = None  # what is searched now: from, and up to which offset
        self._low = 0
        self._found: tuple[float, GroupRecord] | None = None

    def request(self) -> Any:
        """The next question for the leader of the partition, which is the group's coordinator."""
        if self._next is None:
            one = ListOffsetsRequest.ListOffsetsTopic
            asked = OffsetSpec.EARLIEST if self._start is None else OffsetSpec.LATEST
            part = one.ListOffsetsPartition(partition_index=self._partition, timestamp=int(asked))
            return ListOffsetsRequest(
                replica_id=-1, isolation_level=0, topics=[one(name=OFFSETS_TOPIC, partitions=[part])]
            )
        topic = FetchRequest.FetchTopic
        part = topic.FetchPartition(
            partition=self._partition,
            fetch_offset=self._next if self._window is None else self._window[0],
            partition_max_bytes=_FETCH_BYTES,
        )
        # From version 13 on topics are named by id only.
        return FetchRequest(
            max_wait_ms=0, min_bytes=0, max_bytes=_FETCH_BYTES, isolation_level=0,
            topics=[topic(topic=OFFSETS_TOPIC, partitions=[part])], max_version=12,
        )  # fmt: skip

    def answered(self, answer: Any) -> list[tuple[float, GroupRecord]]:
        """Take in an answer; returns the group's records in it, oldest first, as (Unix time in seconds, record).

        :raises NoAnswer: the broker does not lead the partition any more.
        """
        if self._next is None:
            self._offsets(answer)
            return []
        (part,) = answer.responses[0].partitions
        if part.error_code == _OUT_OF_RANGE:
            self._start = self._next = self._window = None
            return []
        if part.error_code:
            raise NoAnswer("does not lead the group's partition any more")
        found, last = [], None
        for offset, at, key, value in _records(part.records):
            last = offset
            if self._window is not None and offset >= self._window[1]:
                break
            record = self._own(key, value)
            if record is not None and (self._window is not None or offset >= self._next):
                found.append((at, record))
        if self._window is None:
            self._next = self._next if last is None else max(self._next, last + 1)
            return found
        return self._searched(found, last)

    def _offsets(self, answer: Any) -> None:
        (part,) = answer.topics[0].partitions
        if part.error_code or part.offset < 0:
            raise NoAnswer("does not lead the group's partition any more")
        if self._start is None:
            self._start = part.offset
        else:
            self._next = part.offset
            self._look_back(part.offset, _FIRST_STEP)

    def _look_back(self, end: int, step: int) -> None:
        assert self._start is not None and self._next is not None
        self._low = max(self._start, end - step, self._next - _FURTHEST)
        self._window = (self._low, end) if self._low < end else None

    def _searched(self, found: list[tuple[float, GroupRecord]], last: int | None) -> list[tuple[float, GroupRecord]]:
        """A part of the window was read: the rest of it is next, then the one before, until a record is found."""
        assert self._window is not None and self._next is not None
        tells = [one for one in found if one[1].kind in ("GroupMetadata", "ConsumerGroupMetadata")]
        self._found = tells[-1] if tells else self._found
        end = self._window[1]
        if last is not None and last + 1 < end:
            self._window = (last + 1, end)
            return []
        if self._found is not None:
            self._window = None
            return [self._found]
        self._look_back(self._low, 4 * (self._next - self._low))
        return []

    def _own(self, key: bytes | None, value: bytes | None) -> GroupRecord | None:
        # Most records are other groups': told apart before they are decoded.
        if key is None or key[4 : 4 + len(self._group)] != self._group:
            return None
        try:
            record = decode(key, value)
        except UnreadableRecord as error:
            log.debug("a record of the group was passed over: %s", error)
            return None
        return record if record.group.encode("utf-8") == self._group else None


def _records(data: Any) -> Iterator[tuple[int, float, bytes | None, bytes | None]]:
    """(offset, Unix time in seconds, key, value) of what a fetch brought; a batch cut off at its end is left out."""
    if not data:
        return
    batches = MemoryRecords(bytes(data))
    while batches.has_next():
        batch = batches.next_batch()
        if batch is None:
            return
        if getattr(batch, "is_control_batch", False):
            continue
        for record in batch:
            yield record.offset, record.timestamp / 1000, record.key, record.value
