"""The file of a recording: one line of JSON per fact, written a few seconds late, in pieces that can be read alone."""

from __future__ import annotations

import atexit
import json
import logging
import os
import re
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kafkalab.errors import BadInput, KafkalabError
from kafkalab.history.facts import Json, Sort
from kafkalab.history.file.reading import FORMAT, packed
from kafkalab.home import home_dir, make_dir

log = logging.getLogger(__name__)

SUFFIX = ".kafkalab"
#: Seconds of facts that are gathered into a piece: the most that is lost when the process is killed.
GATHERED = 2.0
#: Size at which a piece is written, bytes before compression.
PIECE = 64 * 1024
#: A state is written whole again when its patches together are OUTWEIGHED times as long as the state, and WHOLE_EVERY
#: seconds have passed. After damage in the file, a reader knows the state again from there.
OUTWEIGHED, WHOLE_EVERY = 4, 20.0
#: Maximum seconds that closing a file waits for its thread.
_PATIENCE = 5.0

_Fact = tuple[float, str, Sort, Json, Json]


@dataclass(slots=True)
class _State:
    """A state in the file: bytes of the line that told it whole, when that was, and bytes of the patches since."""

    whole: int
    at: float
    patches: int = 0


class RecordingFile:
    """Takes facts from any thread without delay, and writes them on a thread of its own, until :meth:`close`.

    When it cannot write, because the disk is full or the folder is gone, :attr:`problem` says so; nothing is raised.

    :param path: a file that does not exist yet.
    :param header: the fields of the recording's header.
    :raises BadInput: the file exists already, or cannot be created.
    """

    def __init__(self, path: Path, header: dict[str, Any]) -> None:
        self.path = path
        self.problem = ""
        self._states: dict[str, _State] = {}
        self._waiting: list[_Fact] = []
        self._written_at = 0.0
        self._closed = False
        self._owner = os.getpid()
        self._changed = threading.Condition()
        # Held while a piece is written: after close(), each thread that brings a fact writes it itself.
        self._writing = threading.Lock()
        self._file = _made(path)
        self._header = _line({"kafkalab": "recording", "format": FORMAT, **header})
        self._put(self._header)
        self._thread: threading.Thread | None = threading.Thread(
            target=self._run, name="kafkalab-recording-file", daemon=True
        )
        self._thread.start()
        atexit.register(self.close)

    @classmethod
    def of(cls, path: Path) -> RecordingFile:
        """Return a file that exists already and is closed: facts, such as names of moments, are added at its end."""
        it = cls.__new__(cls)
        it.path, it.problem, it._states, it._waiting, it._written_at = path, "", {}, [], 0.0
        it._closed, it._owner, it._file, it._header, it._thread = True, os.getpid(), -1, b"", None
        it._changed, it._writing = threading.Condition(), threading.Lock()
        return it

    def write(self, at: float, track: str, sort: Sort, told: Json, whole: Json = None) -> None:
        """Take a fact, to be written soon; after :meth:`close` it is written at once.

        :param whole: the value of a state after its patch.
        """
        with self._changed:
            self._waiting.append((at, track, sort, told, whole))
            if not self._closed:
                return
        if self._owner == os.getpid():
            self._append()

    def close(self) -> None:
        """Write the facts that are waiting, and a line that marks the end."""
        if self._owner != os.getpid():
            return  # a forked process: the file belongs to its parent
        with self._changed:
            first, self._closed = not self._closed, True
            thread, self._thread = self._thread, None
            self._changed.notify_all()
        if not first:
            return
        atexit.unregister(self.close)
        if thread is not None:
            thread.join(_PATIENCE)
        with self._writing:
            if self._file >= 0:
                os.close(self._file)
                self._file = -1

    # The thread

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed, GATHERED)
                last = self._closed
            with self._writing:
                self._flush(last)
            if last:
                return

    def _append(self) -> None:
        """Write the facts that came after the end."""
        with self._writing:
            try:
                self._file = os.open(self.path, os.O_WRONLY | os.O_APPEND)
            except OSError as error:
                self._failed(error)
                self._taken()
                return
            try:
                self._flush(last=False)
            finally:
                if self._file >= 0:
                    os.close(self._file)
                self._file = -1

    def _taken(self) -> list[_Fact]:
        with self._changed:
            waiting, self._waiting = self._waiting, []
        return waiting

    def _flush(self, last: bool) -> None:
        facts = self._taken()
        if self._file < 0 or not (facts or last):
            return
        piece = bytearray()
        for fact in facts:
            piece += self._told(*fact)
            if len(piece) >= PIECE:
                self._put(bytes(piece))
                piece.clear()
        if last:
            piece += _line({"end": facts[-1][0] if facts else self._written_at})
        self._put(bytes(piece))

    def _told(self, at: float, track: str, sort: Sort, told: Json, whole: Json) -> bytes:
        """Return a fact as a line; now and then, for a state, its whole value instead of the patch."""
        self._written_at = max(self._written_at, at)
        try:
            line = _line([at, track, sort, told])
            if sort == "add":
                return line
            state = self._states.get(track)
            if state is not None:
                state.patches += len(line)
                due = state.patches > OUTWEIGHED * state.whole and at - state.at >= WHOLE_EVERY
                if not due:
                    return line
                line = _line([at, track, sort, [["set", [], whole]]])
            self._states[track] = _State(len(line), at)
            # The header is repeated now and then, because the beginning of the file may get damaged.
            return self._header + line if track == "snapshot" and state is not None else line
        except (TypeError, ValueError, RecursionError):
            log.exception("a fact of %s cannot be written", track)
            self._states.pop(track, None)  # its sizes are counted afresh from its next fact
            return b""

    def _put(self, lines: bytes) -> None:
        if not lines or self._file < 0:
            return
        before = os.fstat(self._file).st_size
        try:
            piece = memoryview(packed(lines))
            while piece:
                piece = piece[os.write(self._file, piece) :]
            if os.fstat(self._file).st_nlink == 0:
                raise FileNotFoundError(2, "it was removed")
        except OSError as error:
            self._failed(error, before)

    def _failed(self, error: OSError, before: int | None = None) -> None:
        since = "" if before is None else f" Everything after {self._written_at:.0f} s is kept in memory only."
        self.problem = (
            f"The recording cannot be written to {self.path.name}: {error.strerror or error}.{since}"
            " Save it in another place: recording.save(path)."
        )
        if self._file >= 0 and before is not None:
            try:
                os.ftruncate(self._file, before)  # half a piece would be useless
            except OSError:
                log.debug("a piece was not taken back", exc_info=True)
            os.close(self._file)
            self._file = -1


def _line(value: Json) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def _made(path: Path) -> int:
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_APPEND
    try:
        return os.open(path, flags, 0o644)
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


__all__ = ["SUFFIX", "RecordingFile", "own_path", "with_suffix"]
