"""The file of a recording: gzip of one line of JSON per fact, written every two seconds, and read back with one check.

The first line is the header, the last one marks the end. Each piece is a gzip member of its own, so that a file whose
writer was killed can be read up to there, and a name can be added at its end. ``zcat`` shows what is in it.
"""

from __future__ import annotations

import atexit
import gzip
import json
import os
import re
import threading
import time
import zlib
from base64 import b64decode
from dataclasses import fields
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, Never

from kafkalab.errors import BadInput, KafkalabError
from kafkalab.history.facts import Facts, Header, Json, Sort
from kafkalab.home import home_dir, make_dir
from kafkalab.state.model import Event, Snapshot

SUFFIX = ".kafkalab"
#: Number of the file format.
FORMAT = 2
#: Seconds of facts that are gathered into a piece: the most that is lost when the process is killed.
GATHERED = 2.0
#: Compression level: a higher one takes twice the time and saves a few per cent.
_LEVEL = 6
#: Maximum bytes of a file when unpacked, ten hours of a busy cluster; more is a bomb.
LARGEST = 2**30


class RecordingFile:
    """Takes facts from any thread, and writes them with :meth:`flush`, until :meth:`close`; after that at once.

    When it cannot write, because the disk is full or the folder is gone, :attr:`problem` says so; nothing is raised,
    and nothing more is written.

    :param path: a file that does not exist yet; without a header, one that exists: names are added at its end.
    :param header: the fields of the recording's header.
    :raises BadInput: the file exists already, or cannot be created.
    """

    def __init__(self, path: Path, header: dict[str, Any] | None = None, *, problem: str = "") -> None:
        self.path = path
        self.problem = problem
        self._lines: list[bytes] = []
        self._until = 0.0
        self._flushed_at = time.monotonic()
        self._owner = os.getpid()
        self._lock = threading.Lock()
        self._closed = header is None
        if header is not None:
            _make(path)
            self._lines.append(_line({"kafkalab": "recording", "format": FORMAT, **header}))
            self._put()
            atexit.register(self.close)

    def write(self, at: float, track: str, sort: Sort, told: Json) -> None:
        """Take a fact.

        :raises TypeError, ValueError: it is not plain JSON.
        """
        line = _line([at, track, sort, told])
        with self._lock:
            self._lines.append(line)
            self._until = max(self._until, at)
            if self._closed:
                self._put()

    def flush(self) -> None:
        """Write the facts that are waiting, if the last ones were written :data:`GATHERED` seconds ago."""
        with self._lock:
            if time.monotonic() - self._flushed_at >= GATHERED:
                self._put()

    def close(self) -> None:
        """Write the facts that are waiting, and one that marks the end; a forked process leaves that to its parent."""
        with self._lock:
            if self._closed or self._owner != os.getpid():
                return
            self._closed = True
            self._lines.append(_line({"end": self._until}))
            self._put()
        atexit.unregister(self.close)

    def _put(self) -> None:
        lines, self._lines = self._lines, []
        self._flushed_at = time.monotonic()
        if not lines or self.problem:
            return
        try:
            # Opened each time, so that a file that was removed is noticed; and one write, so that others may add to it.
            with open(self.path, "ab", opener=_existing) as file:
                file.write(gzip.compress(b"".join(lines), _LEVEL, mtime=0))
        except OSError as error:
            self.problem = (
                f"The recording cannot be written to {self.path.name}: {error.strerror or error}. The newest facts are "
                "kept in memory only. Save it in another place: recording.save(path)."
            )


def _existing(path: str, flags: int) -> int:
    return os.open(path, flags & ~os.O_CREAT)


def _line(value: Json) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def _make(path: Path) -> None:
    try:
        path.touch(0o644, exist_ok=False)
    except FileExistsError:
        raise BadInput(
            f"The file {str(path)!r} exists already, and a recording does not overwrite a file.",
            do="Give another name, or remove the file first.",
        ) from None
    except OSError as error:
        raise BadInput(
            f"The file {str(path)!r} cannot be written.",
            seen=f"{type(error).__name__}: {error.strerror or error}",
            do="Give the path of a file in a folder that exists and that you can write to.",
        ) from None


class Reading(NamedTuple):
    """The contents of a file. ``ended``: the recording was ended properly. ``cut``: the file was cut off in a piece."""

    header: Header
    facts: Facts
    ended: bool
    cut: bool


def read(path: Path) -> Reading:
    """Read a recording's file, up to where it is whole.

    :raises BadInput: there is no such file, it is no recording, it is damaged, or another version wrote it.
    """
    try:
        with path.open("rb") as file:
            text, cut = _unpacked(file)
        first, *lines, _ = text.split(b"\n")  # what follows the last line end was cut off
        header = json.loads(first)
        if header["kafkalab"] != "recording":
            raise ValueError("its first line is no header")
        if header["format"] != FORMAT:
            raise BadInput(
                f"{path.name!r} was recorded by another version of kafkalab, which this version cannot read.",
                seen=f"format {header['format']} instead of {FORMAT}",
                do="Record it again, or open it with the version that recorded it.",
            )
        facts, ended = Facts(), False
        for line in lines:
            fact = json.loads(line, parse_constant=_no_json)
            if isinstance(fact, dict):
                ended = ended or "end" in fact
                continue
            at, track, sort, told = fact
            if sort == "set":
                facts.patch(track, at, told)
            else:
                facts.add(track, at, told)
        _check(facts)
        known = {field.name: header[field.name] for field in fields(Header) if field.name in header}
        return Reading(Header(**{**known, "began": float(header["began"])}), facts, ended, cut)
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        raise BadInput(
            f"There is no recording {str(path)!r}." if missing else f"The file {str(path)!r} cannot be read.",
            seen=f"{type(error).__name__}: {error.strerror or error}",
            do="A recording that was started without a path is in the folder recordings of KAFKALAB_HOME." * missing,
        ) from None
    except BadInput:
        raise
    except (zlib.error, ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise BadInput(
            f"{path.name!r} is not a recording of kafkalab, or it is damaged.",
            seen=f"{type(error).__name__}: {error}"[:200],
            do="Give the path of a file that cluster.record(path) has written.",
        ) from None


def _no_json(name: str) -> Never:
    raise ValueError(f"{name} is no number of JSON")


def _check(facts: Facts) -> None:
    """Raise a TypeError or ValueError for facts at which every view fails: events, the first snapshot, batches."""
    for event in (Event(**event) for event in facts.items("events")):
        texts = isinstance(event.kind, str) and isinstance(event.text, str)
        if not (texts and isinstance(event.at, int | float) and abs(event.at) < 1e11):
            raise TypeError("an event has no time, no kind or no text")
    if snapshot := facts.value("snapshot", facts.first("snapshot") or 0.0):
        Snapshot.from_dict(snapshot)
    for track in facts.tracks("batches/"):
        int(track.rpartition("/")[2])
        for leader, _epoch, base, following, data in facts.items(track):
            if not all(isinstance(number, int) for number in (leader, base, following)):
                raise TypeError(f"a batch of {track[:60]!r} has no offsets")
            b64decode(data or "", validate=True)


def _unpacked(file: BinaryIO) -> tuple[bytes, bool]:
    """Return what the pieces hold, and whether the last of them was cut off."""
    text = bytearray()
    piece: Any = None
    while chunk := file.read(2**16):
        while chunk:
            piece = piece or zlib.decompressobj(zlib.MAX_WBITS | 16)
            text += piece.decompress(chunk)
            chunk, piece = (piece.unused_data, None) if piece.eof else (b"", piece)
        if len(text) > LARGEST:
            raise ValueError(f"it holds more than {LARGEST >> 20} MB")
    return bytes(text), piece is not None


def with_suffix(path: str | Path) -> Path:
    """Return the path, with the suffix of recordings at its end."""
    path = Path(path).expanduser()
    return path if path.name.endswith(SUFFIX) else path.with_name(path.name + SUFFIX)


def own_path(name: str) -> Path:
    """Return a new path in the folder of recordings, named after the cluster and the time.

    :raises KafkalabError: the folder cannot be written.
    """
    folder = home_dir() / "recordings"
    make_dir(folder, "KAFKALAB_HOME", KafkalabError)
    stem = re.sub(r"[^A-Za-z0-9_-]+", "-", name)[:60] or "cluster"
    stem = f"{stem}-{time.strftime('%Y%m%d-%H%M%S')}"
    tries = (folder / f"{stem}{more}{SUFFIX}" for more in ("", *(f"-{n}" for n in range(2, 1000))))
    return next(path for path in tries if not path.exists())
