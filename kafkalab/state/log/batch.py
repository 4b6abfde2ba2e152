"""A record batch of Kafka's format v2, from bytes: its header, and where each record and each part of it lies.

Source of the layout: Kafka's DefaultRecordBatch and DefaultRecord. Everything is checked before it is used, because
the bytes may be cut short (a broker died while it wrote) or made up.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from functools import cached_property
from typing import cast

from kafkalab.errors import KafkalabError

# --- Zigzag varints, the encoding of small numbers in Kafka's records: read, and explained bit by bit.


class UnreadableBatch(KafkalabError):
    """Raised for bytes that are no record batch of today's format (v2), or only the beginning of one."""


def read_varint(data: bytes, at: int, most: int = 10) -> tuple[int, int]:
    """Return (number, position after it).

    :param most: maximum bytes of the number: 5 for 32-bit numbers, 10 for 64-bit ones.
    :raises UnreadableBatch: the bytes end within the number, or it is longer than that.
    """
    raw = shift = 0
    for i in range(most):
        if at + i >= len(data):
            raise UnreadableBatch(
                "The bytes end in the middle of a number.", seen=f"{len(data)} bytes, a varint at byte {at}"
            )
        byte = data[at + i]
        raw |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            return (raw >> 1) ^ -(raw & 1), at + i + 1
    raise UnreadableBatch(
        "A number takes more bytes than Kafka's format allows.", seen=f"more than {most} bytes of a varint at byte {at}"
    )


def explain_varint(data: bytes) -> str:
    """Return step by step how the bytes of one varint give its number."""
    number, _ = read_varint(data, 0)
    bits = " ".join(f"{byte >> 7}·{byte & 0x7F:07b}" for byte in data)
    raw = sum((byte & 0x7F) << 7 * i for i, byte in enumerate(data))
    if len(data) == 1:
        joined = "the first bit is 0, so the number ends here"
    else:
        joined = "a first bit of 1 means that another byte follows; the lowest seven bits come first"
    half = f"{raw} is even: {raw} / 2" if raw % 2 == 0 else f"{raw} is odd: −({raw} + 1) / 2"
    return f"{bits}: {joined}. The groups of seven bits give {raw}. Zigzag: {half} = {number}".replace("= -", "= −")


# --- Kafka's compression codecs and its checksum. Unpacking has a limit: a small batch may unpack to gigabytes.


#: Names of the codecs, by the number in a batch's attributes.
CODECS = {0: "none", 1: "gzip", 2: "snappy", 3: "lz4", 4: "zstd"}
#: Maximum bytes that a batch may unpack to here.
LONGEST = 64 * 2**20

_XERIAL = b"\x82SNAPPY\x00"


def crc32c(data: bytes) -> int:
    """Return the CRC-32C (Castagnoli), as Kafka computes it over everything after the checksum."""
    from kafka.record.util import calc_crc32c

    return cast(int, calc_crc32c(data))


def decompress(codec: int, data: bytes, limit: int = LONGEST) -> bytes:
    """Return the records section of a batch, unpacked.

    :raises UnreadableBatch: an unknown codec, damaged bytes, or more than ``limit`` bytes of content.
    """
    if codec == 0:
        return data
    name = CODECS.get(codec)
    if name is None:
        raise UnreadableBatch(
            f"Kafka has no compression codec {codec}.", seen=", ".join(f"{n} {w}" for n, w in CODECS.items())
        )
    try:
        found = _UNPACK[name](data, limit)
    except UnreadableBatch:
        raise
    except Exception as e:  # each codec raises errors of its own
        raise UnreadableBatch(f"The records cannot be unpacked as {name}.", seen=f"{type(e).__name__}: {e}") from e
    if len(found) > limit:
        raise UnreadableBatch("The unpacked records are too large to be read here.", seen=f"more than {limit} bytes")
    return found


def _gzip(data: bytes, limit: int) -> bytes:
    unpacking = zlib.decompressobj(31)
    found = unpacking.decompress(data, limit + 1)
    if not unpacking.eof and len(found) <= limit:
        raise UnreadableBatch("The compressed bytes end too early.", seen=f"{len(data)} bytes of gzip")
    return found


def _snappy(data: bytes, limit: int) -> bytes:
    """Unpack snappy: Java's comes in blocks with a header of its own, other clients send one bare block."""
    if not data.startswith(_XERIAL):
        return _snappy_block(data, limit)
    found, at = bytearray(), 16
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        if not 0 < size <= len(data) - at - 4:
            raise UnreadableBatch("The compressed bytes end too early.", seen=f"a snappy block of {size} bytes")
        found += _snappy_block(data[at + 4 : at + 4 + size], limit - len(found))
        at += 4 + size
    return bytes(found)


def _snappy_block(data: bytes, limit: int) -> bytes:
    import snappy

    size = shift = 0
    for byte in data[:5]:  # a block begins with the size of its content
        size |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            break
    if size > limit:
        raise UnreadableBatch("The unpacked records are too large to be read here.", seen=f"{size} bytes")
    return cast(bytes, snappy.decompress(data))


def _lz4(data: bytes, limit: int) -> bytes:
    import lz4.frame

    unpacking = lz4.frame.LZ4FrameDecompressor()
    found = cast(bytes, unpacking.decompress(data, max_length=limit + 1))
    if not unpacking.eof and len(found) <= limit:
        raise UnreadableBatch("The compressed bytes end too early.", seen=f"{len(data)} bytes of lz4")
    return found


def _zstd(data: bytes, limit: int) -> bytes:
    import zstandard

    # The window limits the memory that a frame may claim; Kafka's own windows are at most 8 MB.
    with zstandard.ZstdDecompressor(max_window_size=2**27).stream_reader(data, read_across_frames=True) as reader:
        return reader.read(limit + 1)


_UNPACK = {"gzip": _gzip, "snappy": _snappy, "lz4": _lz4, "zstd": _zstd}


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

        :raises UnreadableBatch: too few bytes, an older message format, or impossible lengths.
        """
        if len(data) - at < HEADER_SIZE:
            if len(data) - at > 16 and data[at + 16] != 2:
                raise _old(data[at + 16])
            raise UnreadableBatch(
                "The bytes end in the middle of the header of a batch.",
                seen=f"{max(0, len(data) - at)} of {HEADER_SIZE} bytes",
                do="Look again in a moment: the broker may still be writing the batch, unless it died while writing.",
            )
        found = cls(*_HEADER.unpack_from(data, at))
        if found.magic != 2:
            raise _old(found.magic)
        if found.batch_length < HEADER_SIZE - BEFORE_LENGTH or found.record_count < 0 or found.base_offset < 0:
            raise UnreadableBatch(
                "These bytes are not a record batch.",
                seen=f"base offset {found.base_offset}, batch length {found.batch_length}, "
                f"{found.record_count} records",
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
            raise UnreadableBatch(
                "The bytes end in the middle of a batch.",
                seen=f"{len(data) - at} of {header.size} bytes of the batch at offset {header.base_offset}",
                do="Look again in a moment: the broker may still be writing the batch, unless it died while writing.",
            )
        return cls(header, data[at : at + header.size])

    @cached_property
    def computed_crc(self) -> int:
        """The checksum over everything from the attributes on, computed from the bytes."""
        return crc32c(self.data[_BEHIND_CRC:])

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
        if self.header.record_count > len(section) // 7:  # the smallest record has seven bytes
            raise UnreadableBatch(
                "The header of the batch announces more records than the batch has room for.",
                seen=f"{self.header.record_count} records in {len(section)} bytes",
            )
        for _ in range(self.header.record_count):
            record = _record(section, at, self.header)
            found.append(record)
            at += record.size
        if at != len(section):
            raise UnreadableBatch(
                "The batch has bytes left over after its last record.",
                seen=f"{len(section) - at} bytes after {len(found)} records",
            )
        return tuple(found)

    def record(self, offset: int) -> Record | None:
        """Return the record with that offset; None when compaction has removed it."""
        return next((r for r in self.records if r.offset == offset), None)


def _old(magic: int) -> UnreadableBatch:
    if magic in (0, 1):
        return UnreadableBatch(
            f"The bytes are a message set of the old format v{magic}.",
            seen="Kafka has written format v2 since 0.11, and brokers from 4.0 on cannot read older formats",
            do="Look at records that a current client wrote: they have the new format.",
        )
    return UnreadableBatch(
        "These bytes are not a record batch.", seen=f"magic {magic} where Kafka's formats have 0, 1 or 2"
    )


def _record(data: bytes, start: int, header: Header) -> Record:
    length, body = read_varint(data, start, 5)
    end = body + length
    if length < 6 or end > len(data):
        raise UnreadableBatch(
            "A record has an impossible length.",
            seen=f"{length} bytes at byte {start} of {len(data)} in the records section",
        )
    own = data[start:end]  # what follows cannot reach beyond the record
    attributes = own[body - start]
    timestamp, at = read_varint(own, body - start + 1)
    offset, at = read_varint(own, at, 5)
    key, at = _sized(own, at, start, null=True)
    value, at = _sized(own, at, start, null=True)
    count, at = read_varint(own, at, 5)
    if not 0 <= count <= (len(own) - at) // 2:
        raise UnreadableBatch(
            "A record has an impossible number of headers.", seen=f"{count} headers in {len(own) - at} bytes"
        )
    headers = []
    for _ in range(count):
        name, at = _sized(own, at, start, null=False)
        content, at = _sized(own, at, start, null=True)
        headers.append((name, content))
    if at != len(own):
        raise UnreadableBatch("A record has bytes left over at its end.", seen=f"{len(own) - at} bytes")
    return Record(
        start, len(own), body, attributes, header.base_timestamp + timestamp, header.base_offset + offset,
        key, value, tuple(headers),
    )  # fmt: skip


def _sized(data: bytes, at: int, start: int, null: bool) -> tuple[Span, int]:
    """Return the span in the section of the bytes that follow a length, and the position after them in ``data``."""
    size, at = read_varint(data, at, 5)
    if size < 0 and not (null and size == -1):
        raise UnreadableBatch("A length in a record is negative.", seen=f"{size} before byte {start + at}")
    if size > len(data) - at:
        raise UnreadableBatch(
            "A length reaches beyond the end of its record.", seen=f"{size} bytes, but only {len(data) - at} are left"
        )
    return Span(start + at, size), at + max(0, size)
