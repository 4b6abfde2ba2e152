"""The pieces of a recording's file: gzip members, each of which can be read alone.

Each begins with the same bytes (a gzip header with a comment), so that behind damage the next one is found again; and
`zcat` reads the file as it reads any other.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

#: deflate, a comment, no time, no flags, no system; then the comment.
MARK = b"\x1f\x8b\x08\x10\0\0\0\0\0\xff" + b"kafkalab recording\0"
#: How hard it is squeezed: more costs twice the time and saves a few per cent.
_LEVEL = 6
#: A piece is about 64 kB before it is compressed; one fact may be longer, and a piece may not be a bomb.
LARGEST_PIECE = 16 * 2**20


@dataclass(frozen=True, slots=True)
class Piece:
    """What one member holds: it begins at byte ``at`` of the file and goes to ``end``.

    ``data`` is None for bytes that cannot be read. ``cut``: the file ends within it, and ``data`` is its beginning.
    """

    at: int
    end: int
    data: bytes | None
    cut: bool = False


def packed(data: bytes) -> bytes:
    """One piece."""
    squeeze = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return (
        MARK + squeeze.compress(data) + squeeze.flush() + struct.pack("<II", zlib.crc32(data), len(data) & 0xFFFFFFFF)
    )


def pieces(file: bytes) -> Iterator[Piece]:
    """Every piece of a file; what lies between two and is none, as one that cannot be read."""
    at = 0
    while at < len(file):
        begin = file.find(MARK, at)
        if begin != at:
            # Less than a mark at the very end is the beginning of one.
            rest = file[at:] if begin < 0 else b""
            cut = bool(rest) and MARK.startswith(rest)
            yield Piece(at, len(file) if begin < 0 else begin, b"" if cut else None, cut)
            if begin < 0:
                return
        following = file.find(MARK, begin + len(MARK))
        end = len(file) if following < 0 else following
        piece = _unpacked(file, begin, end, following < 0)
        yield piece
        at = piece.end


def _unpacked(file: bytes, begin: int, end: int, last: bool) -> Piece:
    unpack = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        data = unpack.decompress(memoryview(file)[begin:end], LARGEST_PIECE)
    except zlib.error:
        # Its checksum is wrong, or it is no such data: whatever came out of it cannot be believed.
        return Piece(begin, end, None)
    if unpack.eof:
        return Piece(begin, end - len(unpack.unused_data), data)
    if unpack.unconsumed_tail or not last:
        return Piece(begin, end, None)
    return Piece(begin, end, data, cut=True)


__all__ = ["LARGEST_PIECE", "MARK", "Piece", "packed", "pieces"]
