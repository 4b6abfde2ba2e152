"""Reads a recording's file as far as possible, whatever is in it, and says in sentences what could not be read."""

from __future__ import annotations

import gc
import json
import re
import struct
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, NoReturn

from kafkalab.errors import BadInput
from kafkalab.history.facts import Facts, Header, Json, UnfitFact
from kafkalab.history.file.shapes import known_part, schema_for
from kafkalab.state.patch import diff

# --- The pieces of a recording's file: gzip members, each of which can be read alone.
#
# Each begins with the same bytes (a gzip header with a comment), so that a reader finds the next one after damage. And
# `zcat` can read the file, as any gzip file.


#: Start of each piece, a gzip header: deflate, a comment follows, no time, no extra flags, no system; then the comment.
MARK = b"\x1f\x8b\x08\x10\0\0\0\0\0\xff" + b"kafkalab recording\0"
#: Compression level: a higher one takes twice the time and saves a few per cent.
_LEVEL = 6
#: Maximum bytes of a piece when unpacked. Most are about 64 kB, but one fact may be longer; more is a zip bomb.
LARGEST_PIECE = 16 * 2**20


@dataclass(frozen=True, slots=True)
class Piece:
    """The contents of one gzip member, which lies in the file from byte ``at`` to ``end`` (exclusive).

    ``data`` is None for bytes that cannot be read. ``cut``: the file ends within the piece; ``data`` is its beginning.
    """

    at: int
    end: int
    data: bytes | None
    cut: bool = False


def packed(data: bytes) -> bytes:
    """Return the data as a piece."""
    squeeze = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return (
        MARK + squeeze.compress(data) + squeeze.flush() + struct.pack("<II", zlib.crc32(data), len(data) & 0xFFFFFFFF)
    )


def pieces(file: bytes) -> Iterator[Piece]:
    """Yield every piece of a file; bytes between two pieces are yielded as a piece that cannot be read."""
    at = 0
    while at < len(file):
        begin = file.find(MARK, at)
        if begin != at:
            # The first few bytes of a mark, at the very end of the file: the file was cut off there.
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
        # The checksum is wrong, or it is not gzip data at all: nothing that came out of it can be trusted.
        return Piece(begin, end, None)
    if unpack.eof:
        return Piece(begin, end - len(unpack.unused_data), data)
    if unpack.unconsumed_tail or not last:
        return Piece(begin, end, None)
    return Piece(begin, end, data, cut=True)


#: Number of the file format that this version writes.
FORMAT = 1
#: Limits of a file: bytes of the file, bytes unpacked, bytes of a line; values in a line and in all; tracks, characters
#: of a track's name; seconds of recorded time, seconds to read it. An hour of a busy cluster takes a tenth of these.
LARGEST_FILE, LARGEST, LONGEST_LINE = 256 * 2**20, 512 * 2**20, 12 * 2**20
MOST_VALUES_A_LINE, MOST_VALUES = 500_000, 20_000_000
MOST_TRACKS, LONGEST_TRACK = 20_000, 600
LONGEST, PATIENCE = 31 * 86_400.0, 60.0

_LONE = re.compile(rb"\\u[dD][89a-fA-F]")


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number of JSON")


_json = json.JSONDecoder(parse_constant=_no_number).decode


class _Enough(Exception):
    """A limit was exceeded; the text says which."""


@dataclass
class Reading:
    """The contents of a file, as far as they could be read."""

    header: Header
    facts: Facts
    #: Sentences that say what may be missing, and why.
    problems: list[str]


def read(path: Path) -> Reading:
    """Read a recording's file.

    :raises BadInput: there is no such file, or nothing of it could be read.
    """
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        raise BadInput(
            f"There is no recording {str(path)!r}." if missing else f"The file {str(path)!r} cannot be read.",
            seen=f"{type(error).__name__}: {error.strerror or error}",
            do="A recording that was started without a path is in the folder recordings of KAFKALAB_HOME." * missing,
        ) from None
    reader = _Reader(data[:LARGEST_FILE], too_large=len(data) > LARGEST_FILE)
    with _no_collecting():
        reader.read()
    if reader.header is None and not reader.count:
        raise BadInput(
            f"{path.name!r} is not a recording of kafkalab, or it is too damaged to read.",
            seen=f"{len(data)} bytes, beginning with {data[:12]!r}" if data else "an empty file",
            do="Give the path of a file that cluster.record(path) has written.",
        )
    return Reading(reader.header or _header({}, reader.facts), reader.facts, reader.said())


@contextmanager
def _no_collecting() -> Iterator[None]:
    """Switch the garbage collector off: reading frees no objects, so it would take a third of the time for nothing."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


class _Reader:
    def __init__(self, data: bytes, too_large: bool) -> None:
        self._data = data
        self.header: Header | None = None
        self.facts = Facts()
        self.count = 0
        self._format: int | None = FORMAT
        self._ended = False
        self._cut = False
        self._enough = (
            f"It is too large: only the first {LARGEST_FILE >> 20} MB of the file are read." if too_large else ""
        )
        #: Number of stretches that cannot be read; the first one's bytes (from, to) and the recorded seconds before it.
        self._damaged = 0
        self._first_damaged = (0, 0, 0.0)
        #: Number of lines that were refused; a text on when the first one was, and why it was refused.
        self._unfit = 0
        self._first_unfit = ""
        #: States of which a patch is missing: their patches are ignored until a line has the whole value again.
        self._doubted: set[str] = set()
        self._tracks: set[str] = set()
        self._until = 0.0
        self._values = 0

    def read(self) -> None:
        self._until = time.monotonic() + PATIENCE
        unpacked = 0
        try:
            for piece in pieces(self._data):
                self._hurry()
                self._cut = piece.cut
                if piece.data is None:
                    self._gap(piece)
                    continue
                unpacked += len(piece.data)
                if unpacked > LARGEST:
                    raise _Enough(f"It holds more than {LARGEST >> 20} MB")
                for line in self._lines(piece):
                    self._line(line)
                    self._hurry()
        except _Enough as enough:
            self._enough = f"{enough}, so the rest is left out."

    def _hurry(self) -> None:
        if time.monotonic() > self._until:
            raise _Enough(f"Reading it took more than {PATIENCE:.0f} s")

    def _lines(self, piece: Piece) -> Iterator[bytes]:
        assert piece.data is not None
        *lines, rest = piece.data.split(b"\n")
        yield from lines
        if rest and not piece.cut:
            yield rest

    def _gap(self, piece: Piece) -> None:
        if not self._damaged:
            self._first_damaged = (piece.at, piece.end, self.facts.seconds)
        self._damaged += 1
        self._doubted |= self._tracks

    def _line(self, line: bytes) -> None:
        if not line:
            return
        try:
            told = self._parsed(line)
            if type(told) is dict:
                self._about(told)
            else:
                self._fact(told)
        except UnfitFact as error:
            self._unfit += 1
            why = f"{error.what} {error.seen}".strip()
            self._first_unfit = self._first_unfit or f"{self.facts.seconds:.1f} s after the beginning: {why}"

    def _parsed(self, line: bytes) -> Json:
        if len(line) > LONGEST_LINE:
            self._doubt_all(f"A line is too long: {len(line)} bytes.")
        values = line.count(b",") + line.count(b"[") + line.count(b"{")
        self._values += values
        if values > MOST_VALUES_A_LINE:
            self._doubt_all(f"A line holds too many values: {values}.")
        if self._values > MOST_VALUES:
            raise _Enough(f"It holds more than {MOST_VALUES} values")
        try:
            told = _json(line.decode())
            if _LONE.search(line):
                json.dumps(told, ensure_ascii=False).encode()  # refuses half a character (a lone surrogate)
        except (ValueError, RecursionError) as error:
            self._doubt_all(f"A line is not JSON: {type(error).__name__}.")
        return told

    def _doubt_all(self, why: str) -> NoReturn:
        """Refuse a line that cannot be read, and doubt all states: it may have been a patch of any of them."""
        self._doubted |= self._tracks
        raise UnfitFact(why)

    def _about(self, told: dict[str, Json]) -> None:
        if told.get("kafkalab") == "recording":
            number = told.get("format")
            self._format = number if type(number) is int else None
            self.header = self.header or _header(told, self.facts)
        elif "end" in told:
            self._ended = True
        elif self._format == FORMAT:
            raise UnfitFact("A line is neither a fact nor a header.")

    def _fact(self, fact: Json) -> None:
        if type(fact) is not list or len(fact) != 4:
            raise UnfitFact("A line is not a fact, which is a list of four values.")
        at, track, sort, told = fact
        if type(track) is not str or not 0 < len(track) <= LONGEST_TRACK:
            raise UnfitFact("The track of a fact has no name, or a name that is too long.")
        if type(at) not in (int, float) or not 0 <= at <= LONGEST:
            self._doubted.add(track)
            raise UnfitFact(f"A fact of the track {track[:60]!r} has an impossible time.", seen=f"{at!r}"[:40])
        wanted, good = schema_for(track)
        if sort not in ("set", "add") or (wanted is not None and sort != wanted):
            raise UnfitFact(f"A fact of the track {track[:60]!r} is of the wrong sort: {str(sort)[:20]!r}.")
        if track not in self._tracks:
            if len(self._tracks) >= MOST_TRACKS:
                raise _Enough(f"It has more than {MOST_TRACKS} tracks")
            self._tracks.add(track)
        if sort == "set":
            self._state(float(at), track, told)
        elif good(told, None):
            self.facts.add(track, float(at), known_part(track, told))
        else:
            raise UnfitFact(f"An item of the track {track[:60]!r} is not valid.")
        self.count += 1

    def _state(self, at: float, track: str, ops: Json) -> None:
        good = schema_for(track)[1]
        if type(ops) is not list:
            raise UnfitFact(f"A fact of the track {track[:60]!r} is not a patch.")
        if len(ops) == 1 and type(ops[0]) is list and len(ops[0]) == 3 and ops[0][:2] == ["set", []]:
            value = ops[0][2]
            if not good(value, None):
                self._doubted.add(track)
                raise UnfitFact(f"A value of the track {track[:60]!r} is not valid.")
            # Turned into a patch, the new value shares all equal parts with the one before.
            ops = diff(self.facts.value(track), value)
            self._doubted.discard(track)
            if not ops:
                return
        elif track in self._doubted or (self._damaged and not self.facts.count(track)):
            return
        try:
            self.facts.patch(track, at, ops, good)
        except UnfitFact:
            self._doubted.add(track)
            raise

    # The report

    def said(self) -> list[str]:
        """Return sentences on what could not be read."""
        shown = f"everything up to {self.facts.seconds:.1f} s after the beginning is shown"
        said = []
        if self._format != FORMAT:
            of = "a format without a number" if self._format is None else f"format {self._format}"[:40]
            said.append(
                f"Another version of kafkalab wrote this recording, in {of}. This version knows only format {FORMAT}, "
                "and it shows as much as it understands."
            )
        if self._damaged:
            begin, end, at = self._first_damaged
            more = f" and {self._damaged - 1} more stretches" if self._damaged > 1 else ""
            said.append(
                f"The bytes {begin} to {end} of the file{more} cannot be read, so some seconds after {at:.1f} s are "
                "missing. Each state is shown as it was before, until the recording has its whole value again."
            )
        if self._unfit:
            lines = "One line" if self._unfit == 1 else f"{self._unfit} lines"
            said.append(f"{lines} of it could not be used, and the rest is shown. The first, {self._first_unfit}")
        if self._enough:
            said.append(f"{self._enough} {shown[0].upper()}{shown[1:]}.")
        elif self._cut:
            said.append(f"The file ends in the middle of a piece, as if it had been cut off: {shown}.")
        elif not self._ended:
            said.append(
                "The recording was never ended: it is still going on, or the program that recorded it was killed. "
                f"{shown[0].upper()}{shown[1:]}."
            )
        return said


def _header(told: dict[str, Any], facts: Facts) -> Header:
    """Return the header, without the fields that are malformed."""
    found: dict[str, Any] = {}
    for name in (f.name for f in fields(Header)):
        value = told.get(name)
        if type(value) is str and len(value) <= 300:
            found[name] = value
    if found.get("mode") not in ("zookeeper", "kraft", None):
        del found["mode"]
    began: Any = told.get("began")
    if type(began) not in (int, float) or not 0 <= began < 1e11:
        # Estimated from the last snapshot, which has a Unix time of its own.
        began = (facts.value("snapshot", float("inf")) or {}).get("at", 0) - facts.seconds
    found["began"] = max(0.0, float(began))
    return Header(**found)
