"""Progress: the results of the checks so far, stored on this machine and shown at the end of each lab.

No part of an answer is stored, and nothing leaves the machine. With ``KAFKALAB_PROGRESS=off`` nothing is stored.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final
from weakref import WeakSet

from kafkalab.errors import KafkalabError
from kafkalab.exercises.result import OUTCOMES, Outcome, Result
from kafkalab.home import home_dir, make_dir, write_whole
from kafkalab.waiting import wait_until

log = logging.getLogger(__name__)

# --- Store: the file in which a learner's progress is kept, ``progress.json`` under KAFKALAB_HOME.
#
# For each exercise it holds the best result so far, and no part of any answer. The file is written as a whole, by one
# process at a time, so that two notebooks do not lose each other's results.


#: Seconds that a check waits for another notebook that is writing the file.
PATIENCE: Final = 2.0

_VERSION: Final = 1
_ID: Final = re.compile(r"\d\d[a-z]?\.\d{1,3}")
#: Rank of each outcome, from worst to best.
_RANK: Final[dict[Outcome, int]] = {"not attempted": 0, "could not be judged": 1, "wrong": 2, "right": 3}


@dataclass(frozen=True, slots=True)
class Kept:
    """The stored progress in one exercise.

    :param outcome: the best outcome so far.
    :param points: the most points earned so far, of ``out_of``.
    :param tries: number of answers judged, up to and including the first right one.
    :param first_right: Unix time of the first right answer, in seconds; None before it.
    """

    outcome: Outcome
    points: int
    out_of: int
    tries: int = 0
    first_right: float | None = None

    @property
    def earned(self) -> int:
        """The points, which only a right answer gives."""
        return self.points if self.outcome == "right" else 0

    def better(self, other: Kept | Result) -> Outcome:
        """Return the better of the two outcomes."""
        return max(self.outcome, other.outcome, key=_RANK.__getitem__)

    def and_then(self, result: Result, now: float) -> Kept:
        """Return the progress after one more check; ``now``: the Unix time in seconds."""
        tried = self.first_right is None and result.outcome in ("right", "wrong")
        right = self.first_right is None and result.outcome == "right"
        return replace(
            self,
            outcome=self.better(result),
            points=max(self.points, result.points),
            out_of=result.out_of,
            tries=self.tries + tried,
            first_right=now if right else self.first_right,
        )


Progress = dict[str, Kept]


class Store:
    """Reads and writes the progress file. Several stores, also in several processes, may use one file.

    :param path: path of the file; None: ``progress.json`` under KAFKALAB_HOME.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or home_dir() / "progress.json"
        #: A sentence on what is wrong with the file; "" if nothing was found.
        self.note = ""
        #: True when this process cannot read the file, or cannot rename a broken one.
        self.locked_out = False

    def read(self) -> Progress:
        """Return the stored progress by exercise id; empty if there is no file, or none that can be read.

        A broken file is renamed, and :attr:`note` says so.
        """
        try:
            try:
                return _parsed(self.path.read_bytes())
            except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
                aside = self.path.with_name(f"{self.path.stem}-broken-{time.strftime('%Y%m%d-%H%M%S')}.json")
                os.replace(self.path, aside)
                why = f"Your progress could not be read ({str(error)[:100]})."
                self.note = f"{why} It starts again from zero; the old file is {aside}."
        except FileNotFoundError:
            pass
        except OSError as error:
            self.note = f"Your progress ({self.path}) cannot be read: {error.strerror or error}."
            self.locked_out = True
        return {}

    def add(self, result: Result) -> None:
        """Store the result of a check.

        :raises KafkalabError: the file cannot be written, or another process holds its lock for too long.
        """
        if not _ID.fullmatch(result.exercise):
            return
        new = Kept("not attempted", 0, result.out_of)
        before = self.read().get(result.exercise, new)
        if before == before.and_then(result, 0.0):
            return  # nothing new, so nothing to write: the usual case when a notebook is run again
        with self._alone():
            kept = self.read()
            self._write({**kept, result.exercise: kept.get(result.exercise, new).and_then(result, time.time())})

    def forget(self, lab: str | None = None) -> int:
        """Delete the progress of a lab, or of all labs (None); return the number of exercises deleted.

        :raises KafkalabError: the file cannot be written.
        """
        if not self.path.exists():
            return 0
        with self._alone():
            kept = self.read()
            left = {id: one for id, one in kept.items() if lab is not None and not id.startswith(f"{lab}.")}
            if len(left) < len(kept):
                self._write(left)
            return len(kept) - len(left)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        make_dir(self.path.parent, "KAFKALAB_HOME")
        try:
            with self.path.with_suffix(".lock").open("a") as lock:
                wait_until(lambda: _locked(lock.fileno()), PATIENCE, "another notebook to write its progress")
                yield
        except OSError as error:
            if isinstance(error, KafkalabError):
                raise
            raise KafkalabError(
                "Your progress cannot be saved.",
                seen=f"{self.path}: {error.strerror or error}",
                do="Free space or fix its permissions, or set KAFKALAB_HOME to a folder you can write.",
            ) from error

    def _write(self, kept: Progress) -> None:
        content = {"version": _VERSION, "exercises": {id: asdict(kept[id]) for id in sorted(kept)}}
        write_whole(self.path, json.dumps(content, indent=1))


def _locked(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _parsed(text: bytes) -> Progress:
    """Return the progress in the file's text; raise an error of some kind if it is no progress file of this version."""
    content = json.loads(text)
    if content["version"] != _VERSION:
        raise ValueError(f"it has version {content['version']}, and this kafkalab knows only version {_VERSION}")
    found = {id: Kept(**one) for id, one in content["exercises"].items()}
    for id, one in found.items():
        if one.outcome not in OUTCOMES or min(one.points, one.out_of, one.tries) < 0:
            raise ValueError(f"its entry {id[:20]!r} makes no sense")
    return found


#: The widgets on display; each check redraws them.
views: WeakSet[Any] = WeakSet()
#: The last problem found with the file, for the widgets to show; at most one sentence.
notes: list[str] = []


def on() -> bool:
    """Return whether progress is stored: it is, unless ``KAFKALAB_PROGRESS`` is off, no, false or 0."""
    return os.environ.get("KAFKALAB_PROGRESS", "").strip().lower() not in ("off", "no", "false", "0")


def remember(result: Result) -> None:
    """Store the result of a check and redraw the progress widgets; never raises, and never blocks for long."""
    try:
        if on():
            store = Store()
            try:
                store.add(result)
            finally:
                note(store.note)
    except Exception as error:
        # A full or read-only disk must not stop a lab; the widget says that progress is not kept.
        note(f"Your progress is not saved. {error}".splitlines()[0])
        log.debug("the progress of %s was not kept: %s", result.exercise, error)
    for view in list(views):
        try:
            view.redraw()
        except Exception:
            log.debug("progress could not be drawn", exc_info=True)


def read() -> Progress:
    """Return the stored progress, empty if none is stored; a broken file is noted for the widgets."""
    if not on():
        return {}
    store = Store()
    kept = store.read()
    note(store.note)
    return kept


def note(text: str) -> None:
    """Keep a sentence for the widgets to show, unless it is empty."""
    if text:
        notes[:] = [text]
