"""Which keys lay in which partitions at a moment of a recording: the newest records of each partition, as live."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from kafkalab.state.key_places import NEWEST, Placed
from kafkalab.state.record_varint import UnreadableBatch
from kafkalab.state.recorded_log import LogsAt
from kafkalab.state.recorded_log_batches import batch_of
from kafkalab.state.recorded_log_chain import Stretch

#: What of a batch is looked at: its records' keys and offsets.
Keys = tuple[tuple[bytes | None, int], ...]


def keys_of(logs: LogsAt, newest: int = NEWEST) -> list[Placed]:
    """The keys of the newest committed records of each partition, in the order of partitions and offsets."""
    found: list[Placed] = []
    for p in sorted(logs.ends):
        own = list(_newest_keys(logs, p, newest))
        found += reversed(own)
    return found


def looked_at(logs: LogsAt) -> tuple[object, ...]:
    """What differs whenever :func:`keys_of` does: how far each log went, and where it began."""
    return tuple(
        (p, logs.partitions[p].start, end.high, logs.newest(p, end.high))
        for p, end in sorted(logs.ends.items())
    )  # fmt: skip


def _newest_keys(logs: LogsAt, partition: int, most: int) -> Iterator[Placed]:
    start, end = logs.partitions[partition].start or 0, logs.ends[partition].high
    begin = max(start, end - most)
    for stretch, first, last in reversed(logs.standing(partition, begin, end)):
        for key, offset in reversed(_keys(stretch)):
            if first <= offset < last:
                yield Placed(key, partition, offset)


@lru_cache(maxsize=20_000)
def _keys(stretch: Stretch) -> Keys:
    if stretch.data is None:
        return ()
    try:
        batch = batch_of.__wrapped__(stretch)
        if batch.header.control:
            return ()
        return tuple((r.key.of(batch.section), r.offset) for r in batch.records)
    except UnreadableBatch:
        return ()
