"""What a fetch from a log brings, as records that can be drawn: bytes → previews, and which offsets are covered.

A log has offsets without records: compaction takes records out, and a transaction's end is a marker that no consumer
is handed. So what was read is a range of offsets, and the records in it; an offset of the range without a record is a
hole.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from kafka.record.memory_records import MemoryRecords

log = logging.getLogger(__name__)

#: How much of a key, a value or a header is kept, characters; values may be a megabyte long.
PREVIEW = 160
#: How many headers of a record are kept.
HEADERS = 8
#: How many offsets of a batch that cannot be decoded are told, each as a record that cannot be read.
_UNREADABLE = 200

#: "record": a producer's; "commit" and "abort": the marker that ends a transaction; "control": another of Kafka's own;
#: "unreadable": it is there, but its batch cannot be decoded here.
Kind = Literal["record", "commit", "abort", "control", "unreadable"]

_CODECS = ("none", "gzip", "snappy", "lz4", "zstd")


@dataclass(frozen=True, slots=True)
class LogRecord:
    """One record as it is shown.

    ``key`` and ``value`` are previews (None: null); ``key_id`` is the key's own bytes, or of a long key their hash: by
    it equal keys are known. ``timestamp`` is in milliseconds since 1970, set by the producer or, with ``appended``, by
    the broker. ``size`` is in bytes, of key and value. ``producer`` is the producer id of a transactional record.
    """

    offset: int
    kind: Kind
    key: str | None = None
    key_id: bytes | None = None
    value: str | None = None
    timestamp: int | None = None
    appended: bool = False
    size: int = 0
    headers: tuple[tuple[str, str | None], ...] = ()
    producer: int | None = None
    codec: str = "none"
    batch: int | None = None


@dataclass(frozen=True, slots=True)
class Window:
    """The offsets from ``start`` up to, not including, ``end`` of a partition, and all records that are in them."""

    start: int
    end: int
    records: tuple[LogRecord, ...] = ()

    def __len__(self) -> int:
        return self.end - self.start

    def then(self, later: Window, keep: int) -> Window:
        """This window and the one that follows it, cut to the last ``keep`` offsets; with a gap between, only that."""
        if later.start > self.end or later.start < self.start:
            return later.last(keep)
        kept = tuple(r for r in self.records if r.offset < later.start)
        return Window(self.start, later.end, kept + later.records).last(keep)

    def last(self, keep: int) -> Window:
        """The last ``keep`` offsets of it."""
        return self.since(self.end - keep)

    def since(self, offset: int) -> Window:
        """What of it is left when the log begins at ``offset``."""
        if offset <= self.start:
            return self
        start = min(offset, self.end)
        return Window(start, self.end, tuple(r for r in self.records if r.offset >= start))

    def until(self, offset: int) -> Window:
        """What of it is left when the log ends at ``offset``: after an election records may be gone again."""
        if offset >= self.end:
            return self
        end = max(offset, self.start)
        return Window(self.start, end, tuple(r for r in self.records if r.offset < end))


def shown_bytes(data: bytes | None, limit: int = PREVIEW) -> str | None:
    r"""Bytes from a topic as text: UTF-8 as it is, other bytes as ``\xNN``, at most ``limit`` characters, or None."""
    if data is None:
        return None
    text = bytes(data[: 4 * limit]).decode("utf-8", "backslashreplace")
    return text if len(text) <= limit and len(data) <= 4 * limit else text[: limit - 1] + "…"


def _identity(key: bytes | None) -> bytes | None:
    return key if key is None or len(key) <= PREVIEW else hashlib.sha256(key).digest()


def read(data: bytes | None, start: int, end: int) -> Window:
    """The window from ``start`` to at most ``end`` in the bytes of a fetch answer; ``end`` = ``start``: nothing came.

    Batches are whole: the first may begin before ``start``, and what is beyond ``end`` is left out.
    """
    reached = start
    found: list[LogRecord] = []
    for batch in MemoryRecords(data or b""):
        if batch.base_offset >= end:
            # Between what came before and this batch there is nothing: compaction took whole batches out.
            reached = end
            break
        found += (r for r in _records(batch) if start <= r.offset < end)
        reached = max(reached, _next(batch))
    return Window(start, min(reached, end), tuple(found))


def _next(batch: Any) -> int:
    return int(batch.next_offset) if batch.magic >= 2 else int(batch.base_offset) + 1


def _records(batch: Any) -> Iterable[LogRecord]:
    control = batch.magic >= 2 and batch.is_control_batch
    producer = batch.producer_id if batch.magic >= 2 and (batch.is_transactional or control) else None
    codec = _CODECS[batch.compression_type] if batch.compression_type < len(_CODECS) else "unknown"
    try:
        return [_record(r, control, producer, codec, batch.base_offset) for r in batch]
    except Exception as error:
        # A codec whose library is missing, or bytes that are none of its: each library raises errors of its own.
        log.debug("a batch at %d cannot be decoded: %s", batch.base_offset, error)
        last = min(_next(batch), batch.base_offset + _UNREADABLE)
        why = f"{type(error).__name__}: {error}"[:PREVIEW]
        return [
            LogRecord(offset, "unreadable", value=why, codec=codec, batch=batch.base_offset)
            for offset in range(batch.base_offset, last)
        ]


def _record(record: Any, control: bool, producer: int | None, codec: str, batch: int) -> LogRecord:
    if control:
        # The marker's key: version, then its type, both 16 bits.
        kind: Kind = {0: "abort", 1: "commit"}.get(int.from_bytes((record.key or b"")[2:4], "big"), "control")  # type: ignore[assignment]
        return LogRecord(record.offset, kind, timestamp=record.timestamp, producer=producer, batch=batch)
    key, value = record.key, record.value
    headers: Sequence[tuple[str, bytes | None]] = record.headers or ()
    return LogRecord(
        record.offset,
        "record",
        shown_bytes(key),
        _identity(key),
        shown_bytes(value),
        record.timestamp,
        bool(record.timestamp_type),
        len(key or b"") + len(value or b""),
        tuple((name[:PREVIEW], shown_bytes(content, 80)) for name, content in headers[:HEADERS]),
        producer,
        codec,
        batch,
    )
