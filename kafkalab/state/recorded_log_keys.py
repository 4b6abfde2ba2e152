"""Which keys lay in which partitions at a moment of a recording: the newest records of each partition, as live."""

from __future__ import annotations

from functools import lru_cache

from kafkalab.state.key_places import NEWEST
from kafkalab.state.record_varint import UnreadableBatch
from kafkalab.state.recorded_log import LogsAt
from kafkalab.state.recorded_log_batches import batch_of
from kafkalab.state.recorded_log_chain import Stretch

#: What of a batch is looked at: its records' keys and offsets.
Keys = tuple[tuple[bytes | None, int], ...]
#: Key (None: none) → partition → how many records of it lie there, and the offset of the last of them.
Lying = dict[bytes | None, dict[int, list[int]]]


def keys_of(logs: LogsAt, newest: int = NEWEST) -> Lying:
    """The keys of the newest committed records of each partition, in the order of partitions and offsets."""
    found: Lying = {}
    for p, end in sorted(logs.ends.items()):
        begin = max(logs.partitions[p].start or 0, end.high - newest)
        for stretch, first, last in logs.standing(p, begin, end.high):
            for key, offset in _keys(stretch):
                if first <= offset < last:
                    own = found.setdefault(key, {}).setdefault(p, [0, -1])
                    own[0] += 1
                    own[1] = offset
    return found


def looked_at(logs: LogsAt) -> tuple[object, ...]:
    """What differs whenever :func:`keys_of` does: how far each log went, and where it began."""
    return tuple(
        (p, logs.partitions[p].start, end.high, logs.newest(p, end.high))
        for p, end in sorted(logs.ends.items())
    )  # fmt: skip


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
