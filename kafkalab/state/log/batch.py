"""A record batch of Kafka's format v2, from bytes: its header, and where each record and each part of it lies.

Source of the layout: Kafka's DefaultRecordBatch and DefaultRecord. kafka-python's own classes give the records, but not
where they lie.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from kafkalab.errors import KafkalabError


class UnreadableBatch(KafkalabError):
    """Raised for bytes that are no record batch of today's format (v2), or only the beginning of one."""


def read_varint(data: bytes, at: int) -> tuple[int, int]:
    """Return the number of a zigzag varint, the encoding of small numbers in records, and the position after it.

    :raises UnreadableBatch: the bytes end within the number, or it takes more than the ten bytes of 64 bits.
    """
    raw = 0
    for i, byte in enumerate(data[at : at + 10]):
        raw |= (byte & 0x7F) << 7 * i
        if not byte & 0x80:
            return (raw >> 1) ^ -(raw & 1), at + i + 1
    raise _damaged(f"no end of the varint at byte {at} of {len(data)}")


#: Names of the codecs, by the number in a batch's attributes.
CODECS = {0: "none", 1: "gzip", 2: "snappy", 3: "lz4", 4: "zstd"}
#: Maximum bytes that a batch may unpack to here: a small one may unpack to gigabytes.
LONGEST = 64 * 2**20


def decompress(codec: int, data: bytes, limit: int = LONGEST) -> bytes:
    """Return the records section of a batch, unpacked.

    :raises UnreadableBatch: an unknown codec, damaged bytes, or more than ``limit`` bytes of content.
    """
    if codec == 0:
        return data
    try:
        found: bytes = _unpacked(codec, data, limit + 1)
    except Exception as e:  # each codec raises errors of its own
        name = CODECS.get(codec, f"codec {codec}")
        raise UnreadableBatch(f"The records cannot be unpacked as {name}.", seen=f"{type(e).__name__}: {e}") from e
    if len(found) > limit:
        raise UnreadableBatch("The unpacked records are too large to be read here.", seen=f"more than {limit} bytes")
    return found


def _unpacked(codec: int, data: bytes, most: int) -> Any:
    """Return at most so many bytes of the content; snappy packs 21 : 1 at most, so it needs no limit of its own."""
    match CODECS[codec]:
        case "gzip":
            return zlib.decompressobj(31).decompress(data, most)
        case "lz4":
            import lz4.frame

            return lz4.frame.LZ4FrameDecompressor().decompress(data, max_length=most)
        case "zstd":
            import zstandard

            return zstandard.ZstdDecompressor().stream_reader(data, read_across_frames=True).read(most)
        case _:
            from kafka.codec import snappy_decode

            return snappy_decode(data)


_HEADER = struct.Struct(">qiibIhiqqqhii")
#: Bytes from the beginning of a batch to its first record.
HEADER_SIZE = _HEADER.size
#: Bytes that "batch length" does not count: base offset and the length itself.
BEFORE_LENGTH = 12
_BEHIND_CRC = 21

#: Bit masks of the attributes.
TIMESTAMP_TYPE, TRANSACTIONAL, CONTROL, DELETE_HORIZON = 0x08, 0x10, 0x20, 0x40


@dataclass(frozen=True, slots=True)
class Header:
    """The 61 bytes at the beginning of a batch, by Kafka's names; -1 stands for "none" in the producer's fields."""

    base_offset: int
    batch_length: int
    partition_leader_epoch: int
    magic: int
    crc: int
    attributes: int
    last_offset_delta: int
    base_timestamp: int
    max_timestamp: int
    producer_id: int
    producer_epoch: int
    base_sequence: int
    record_count: int

    @classmethod
    def read(cls, data: bytes, at: int = 0) -> Header:
        """Read the header at position ``at``; the records after it need not be there.

        :raises UnreadableBatch: too few bytes, another message format, or impossible lengths.
        """
        if len(data) - at < HEADER_SIZE:
            raise _cut_off(f"{max(0, len(data) - at)} of {HEADER_SIZE} bytes of a header")
        found = cls(*_HEADER.unpack_from(data, at))
        least = HEADER_SIZE - BEFORE_LENGTH
        if found.magic != 2 or found.batch_length < least or found.record_count < 0 or found.base_offset < 0:
            raise UnreadableBatch(
                "These bytes are not a record batch of format v2, which Kafka has written since 0.11.", seen=str(found)
            )
        return found

    @property
    def size(self) -> int:
        """Size of the whole batch, in bytes."""
        return BEFORE_LENGTH + self.batch_length

    @property
    def last_offset(self) -> int:
        """The offset of its last record, even if compaction has removed that record."""
        return self.base_offset + self.last_offset_delta

    @property
    def codec(self) -> int:
        """The number of the codec that the records are packed with; 0 for none."""
        return self.attributes & 0x07

    @property
    def codec_name(self) -> str:
        """The codec's name: none, gzip, snappy, lz4, zstd."""
        return CODECS.get(self.codec, f"unknown codec {self.codec}")

    @property
    def control(self) -> bool:
        """Whether it is a transaction's marker, which consumers never see."""
        return bool(self.attributes & CONTROL)


@dataclass(frozen=True, slots=True)
class Span:
    """A range of bytes: position in their block, and number. A ``size`` of -1 means null."""

    at: int
    size: int

    def of(self, data: bytes) -> bytes | None:
        """Return the bytes themselves; None for null."""
        return None if self.size < 0 else data[self.at : self.at + self.size]


@dataclass(frozen=True, slots=True)
class Record:
    """A record within the (unpacked) records section; positions count from the section's beginning.

    ``size`` is that of the whole record with its length field; ``body`` is where that field ends. ``headers`` are pairs
    of spans: key and value.
    """

    at: int
    size: int
    body: int
    attributes: int
    timestamp: int
    offset: int
    key: Span
    value: Span
    headers: tuple[tuple[Span, Span], ...]


@dataclass(frozen=True)
class Batch:
    """A whole batch: its header and its bytes; costly parts are computed when they are first used."""

    header: Header
    data: bytes

    @classmethod
    def read(cls, data: bytes, at: int = 0) -> Batch:
        """Read the batch that begins at ``at``.

        :raises UnreadableBatch: as :meth:`Header.read`, or the end of the batch is missing.
        """
        header = Header.read(data, at)
        if len(data) - at < header.size:
            raise _cut_off(f"{len(data) - at} of {header.size} bytes of the batch at offset {header.base_offset}")
        return cls(header, data[at : at + header.size])

    @cached_property
    def computed_crc(self) -> int:
        """The checksum (CRC-32C) over everything from the attributes on, computed from the bytes."""
        from kafka.record.util import calc_crc32c

        return cast(int, calc_crc32c(self.data[_BEHIND_CRC:]))

    @cached_property
    def section(self) -> bytes:
        """The records, unpacked. Without compression they begin at byte 61 of the batch."""
        return decompress(self.header.codec, self.data[HEADER_SIZE:])

    @cached_property
    def records(self) -> tuple[Record, ...]:
        """Every record, in order.

        :raises UnreadableBatch: the section ends too early, goes on too long, or holds impossible lengths.
        """
        section, at, found = self.section, 0, []
        for _ in range(self.header.record_count):
            record = _record(section, at, self.header)
            found.append(record)
            at += record.size
        if at != len(section):
            raise _damaged(f"{len(section) - at} bytes after {len(found)} records")
        return tuple(found)

    def timestamp(self, record: Record) -> int:
        """Return the timestamp that consumers get with a record, milliseconds: the producer's or the broker's."""
        return self.header.max_timestamp if self.header.attributes & TIMESTAMP_TYPE else record.timestamp

    def record(self, offset: int) -> Record | None:
        """Return the record with that offset; None when compaction has removed it."""
        return next((r for r in self.records if r.offset == offset), None)


def whole_batches(data: bytes) -> Iterator[Batch]:
    """Yield the batches in the bytes of a fetch or of a file; the last one may be cut off and is left out then.

    :raises UnreadableBatch: something else lies between them.
    """
    at = 0
    while at + HEADER_SIZE <= len(data):
        header = Header.read(data, at)
        end = at + header.size
        if end > len(data):
            return
        yield Batch(header, data[at:end])
        at = end


def _cut_off(seen: str) -> UnreadableBatch:
    return UnreadableBatch(
        "The bytes end in the middle of a batch.",
        seen=seen,
        do="Look again in a moment: the broker may still be writing the batch, unless it died while writing.",
    )


def _damaged(seen: str) -> UnreadableBatch:
    return UnreadableBatch("The bytes are not the records that the header of the batch announces.", seen=seen)


def _record(data: bytes, start: int, header: Header) -> Record:
    length, body = read_varint(data, start)
    end = body + length
    if not 6 <= length <= len(data) - body:
        raise _damaged(f"a record of {length} bytes at byte {start} of {len(data)}")
    timestamp, at = read_varint(data, body + 1)
    offset, at = read_varint(data, at)
    key, at = _sized(data, at, end)
    value, at = _sized(data, at, end)
    count, at = read_varint(data, at)
    headers = []
    for _ in range(count):
        name, at = _sized(data, at, end)
        content, at = _sized(data, at, end)
        headers.append((name, content))
    if at != end:
        raise _damaged(f"the record at byte {start} ends at byte {at}, and not at {end}")
    return Record(
        start, end - start, body, data[body], header.base_timestamp + timestamp, header.base_offset + offset,
        key, value, tuple(headers),
    )  # fmt: skip


def _sized(data: bytes, at: int, end: int) -> tuple[Span, int]:
    """Return the span of the bytes that follow a length (−1: null), and the position after them."""
    size, at = read_varint(data, at)
    if not -1 <= size <= end - at:
        raise _damaged(f"a length of {size} before byte {at}, in a record up to byte {end}")
    return Span(at, size), at + max(0, size)
