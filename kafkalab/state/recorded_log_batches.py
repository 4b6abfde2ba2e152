"""The batches of a partition as a recording holds them: what RecordView looks at where there is no broker."""

from __future__ import annotations

from functools import lru_cache

from kafkalab.errors import NotSupported
from kafkalab.state.log_segments import Found, Neighbour
from kafkalab.state.record_batch import Batch
from kafkalab.state.record_varint import UnreadableBatch
from kafkalab.state.recorded_log import LogsAt, Piece, batch_bytes
from kafkalab.state.recorded_log_chain import Stretch


class RecordedBatches:
    """A partition's batches at one moment. See :class:`kafkalab.state.log_segments.BatchSource`."""

    def __init__(self, logs: LogsAt, partition: int) -> None:
        self._logs, self._partition = logs, partition

    def find(self, offset: int) -> Found | None:
        """The batch with the offset, as the leader handed it out.

        :raises NotSupported: nothing was recorded of that offset.
        :raises UnreadableBatch: what was recorded is no batch.
        """
        piece = self._piece(offset)
        if piece is None or piece[0].data is None:
            left_out = "more came than a recording takes" if piece is not None else "it was not recorded"
            raise NotSupported(f"The recording does not hold offset {offset}: {left_out}.")
        stretch = piece[0]
        beside = self._beside(stretch.base - 1), self._beside(stretch.next)
        return Found(batch_of(stretch), stretch.leader, previous=beside[0], next=beside[1])

    def _piece(self, offset: int) -> Piece | None:
        found = self._logs.standing(self._partition, offset, offset + 1) if offset >= 0 else []
        return found[0] if found else None

    def _beside(self, offset: int) -> Neighbour | None:
        piece = self._piece(offset)
        if piece is None or piece[0].data is None:
            return None
        return Neighbour(piece[0].base, piece[0].next - 1)


@lru_cache(maxsize=256)
def batch_of(stretch: Stretch) -> Batch:
    """The batch of a stretch.

    :raises UnreadableBatch: it is none, or one of other offsets.
    """
    batch = Batch.read(batch_bytes(stretch))
    if batch.header.base_offset != stretch.base:
        raise UnreadableBatch(
            "What was recorded is another batch than it is said to be.",
            seen=f"base offset {batch.header.base_offset} where {stretch.base} is expected",
        )
    return batch
