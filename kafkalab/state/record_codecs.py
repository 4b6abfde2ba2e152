"""Kafka's compression codecs and its checksum. What comes out is bounded: a small batch may unpack to gigabytes."""

from __future__ import annotations

import zlib
from typing import cast

from kafkalab.state.record_varint import UnreadableBatch

#: By the number in a batch's attributes.
CODECS = {0: "none", 1: "gzip", 2: "snappy", 3: "lz4", 4: "zstd"}
#: Bytes that a batch may unpack to here.
LONGEST = 64 * 2**20

_XERIAL = b"\x82SNAPPY\x00"


def crc32c(data: bytes) -> int:
    """CRC-32C (Castagnoli), as Kafka computes it over everything behind the checksum."""
    from kafka.record.util import calc_crc32c

    return cast(int, calc_crc32c(data))


def decompress(codec: int, data: bytes, limit: int = LONGEST) -> bytes:
    """The records section of a batch, unpacked.

    :raises UnreadableBatch: an unknown codec, damaged bytes, or more than ``limit`` bytes of content.
    """
    if codec == 0:
        return data
    name = CODECS.get(codec)
    if name is None:
        raise UnreadableBatch(f"Kafka has no codec {codec}.", seen=", ".join(f"{n} {w}" for n, w in CODECS.items()))
    try:
        found = _UNPACK[name](data, limit)
    except UnreadableBatch:
        raise
    except Exception as e:  # each codec raises errors of its own
        raise UnreadableBatch(f"The records cannot be unpacked as {name}.", seen=f"{type(e).__name__}: {e}") from e
    if len(found) > limit:
        raise UnreadableBatch("The records unpack to more than is looked at here.", seen=f"more than {limit} bytes")
    return found


def _gzip(data: bytes, limit: int) -> bytes:
    unpacking = zlib.decompressobj(31)
    found = unpacking.decompress(data, limit + 1)
    if not unpacking.eof and len(found) <= limit:
        raise UnreadableBatch("The compressed bytes end too early.", seen=f"{len(data)} bytes of gzip")
    return found


def _snappy(data: bytes, limit: int) -> bytes:
    """Java's snappy comes in blocks with a header of its own; other clients send one bare block."""
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
        raise UnreadableBatch("The records unpack to more than is looked at here.", seen=f"{size} bytes")
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

    # The window is what a frame may make us hold at once: Kafka's own is at most 8 MB.
    with zstandard.ZstdDecompressor(max_window_size=2**27).stream_reader(data, read_across_frames=True) as reader:
        return reader.read(limit + 1)


_UNPACK = {"gzip": _gzip, "snappy": _snappy, "lz4": _lz4, "zstd": _zstd}
