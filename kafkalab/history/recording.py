"""Recording: the history of a cluster. All views can show any moment of it, without a broker."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, Self

from kafkalab.errors import BadInput, KafkalabError, NotSupported
from kafkalab.history.facts import Facts, Header, Json, Sort, Writes
from kafkalab.history.file.reading import read
from kafkalab.history.file.writing import RecordingFile, with_suffix
from kafkalab.history.moment import Moment
from kafkalab.history.playhead import Mark, Playhead
from kafkalab.state.model import Event, Verb
from kafkalab.state.patch import applied

log = logging.getLogger(__name__)

#: Resolution of recorded times, ticks per second: a tenth of a millisecond each.
TICKS = 10_000
#: Maximum length of a moment's name, characters.
LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class NamedMoment:
    """A moment that was given a name: ``at``, seconds since the recording began, and the name."""

    at: float
    name: str


class Acts(Protocol):
    """The part of a recorded cluster that a view needs."""

    def act(self, node: str, verb: Verb) -> None:
        """Carry out a verb on a node."""


class Recording:
    """A cluster's history in memory, and its playhead. Learners use the subclass :class:`kafkalab.Recording`.

    :param header: name, beginning and other data of the recording.
    :param facts: facts that are known already.
    :param problem: sentences that say what could not be read of the file; "" when it was read completely.
    """

    def __init__(self, header: Header, facts: Facts | None = None, *, problem: str = "") -> None:
        self.header = header
        self.facts = facts or Facts()
        self._problem = problem
        self.playhead = Playhead(lambda: self.seconds, self._marks)
        #: The cluster that is being recorded; None when the recording has ended.
        self.cluster: Acts | None = None
        self._file: Writes | None = None
        self._end: Callable[[], None] | None = None
        self._followed: list[Any] = []
        # Held while a fact is put, so that a track's facts have the same order in the file as in memory.
        self._putting = threading.Lock()

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """Read a recording from its file, as far as possible: :attr:`problem` says what could not be read.

        The file may still be growing; facts that are written after this call are not in the result.

        :raises BadInput: there is no such file, or nothing of it could be read.
        """

        path = Path(path).expanduser()
        path = path if path.exists() else with_suffix(path)
        told = read(path)
        recording = cls(told.header, told.facts, problem=" ".join(told.problems))
        recording._file = RecordingFile.of(path)
        return recording

    def save(self, path: str | Path) -> Path:
        """Write a copy of all facts so far into a new file, and return its path.

        :raises BadInput: the file exists already, or cannot be created.
        :raises KafkalabError: the file could not be written completely.
        """

        file = RecordingFile(with_suffix(path), self.header.to_dict())
        states: dict[str, Json] = {}
        try:
            for at, track, sort, told in sorted(self.facts, key=lambda fact: fact[0]):
                if sort == "set":
                    states[track] = applied(states.get(track), told)
                file.write(at, track, sort, told, states.get(track))
        finally:
            file.close()
        if file.problem:
            raise KafkalabError("The recording could not be saved.", seen=file.problem)
        return file.path

    def __repr__(self) -> str:
        going = ", recording" if self.going else ""
        where = f", {self.path.name}" if self.path else ""
        return f"<Recording of {self.header.name}: {self.seconds:.0f} s, {len(self.events)} events{going}{where}>"

    @property
    def problem(self) -> str:
        """Sentences on what could not be read or written, and what is there nevertheless; "" when all is well."""
        return " ".join(filter(None, (self._problem, self._file.problem if self._file is not None else "")))

    @problem.setter
    def problem(self, said: str) -> None:
        self._problem = said

    @property
    def path(self) -> Path | None:
        """The recording's file; None when it is kept in memory only."""
        return self._file.path if self._file is not None else None

    @property
    def going(self) -> bool:
        """Whether it is still recording."""
        return self._end is not None

    @property
    def seconds(self) -> float:
        """Length of the recording in seconds."""
        return self.facts.seconds

    @property
    def events(self) -> tuple[Event, ...]:
        """All events, oldest first."""
        return self.at(self.seconds).events

    @property
    def named(self) -> tuple[NamedMoment, ...]:
        """The moments that have a name, in the order of time."""
        return tuple(
            NamedMoment(at, str(name))
            for at, name in zip(self.facts.times("named"), self.facts.items("named"), strict=True)
        )

    def _marks(self) -> list[Mark]:
        """Return everything the playhead can jump to: events and named moments, in the order of time."""
        times, events = self.facts.times("events"), self.events
        found = [Mark(at, event) for at, event in zip(times, events, strict=False)]
        return sorted([*found, *(Mark(named.at, named) for named in self.named)], key=lambda mark: mark.at)

    def at(self, seconds: float) -> Moment:
        """Return the cluster at a moment, in seconds since the beginning; never before the first snapshot."""
        first = self.facts.first("snapshot") or 0.0
        return Moment(self.facts, max(first, min(float(seconds), self.seconds)), self.header.began)

    def moment(self) -> Moment:
        """Return the cluster at the moment of the playhead."""
        return self.at(self.playhead.at)

    def name(self, name: str, at: float | None = None) -> NamedMoment:
        """Give a moment a name; by default the moment of the playhead.

        :raises BadInput: the name is empty or too long.
        """
        name = str(name).strip()
        if not 1 <= len(name) <= LONGEST_NAME:
            raise BadInput(f"The name of a moment must have 1 to {LONGEST_NAME} characters.", seen=f"{len(name)}")
        if at is None:
            # A live playhead stands at the last fact; the learner means now, which is a little later.
            at = time.time() - self.header.began if self.going and self.playhead.live else self.playhead.at
        self.put(at, "named", "add", name)
        self.grown()
        return NamedMoment(at, name)

    def stop(self) -> Self:
        """Stop recording; the facts so far are kept. A second call does nothing."""
        end, self._end = self._end, None
        followed, self._followed = self._followed, []
        for part in followed:
            try:
                part.stop()
            except Exception:
                log.exception("what a recording followed did not end: %r", part)
        if end is not None:
            end()
        self.cluster = None
        if self._file is not None:
            self._file.close()
        self.grown()
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def act(self, node: str, verb: Verb) -> None:
        """Carry out a verb on a node of the cluster, while it is being recorded and the playhead is live.

        :raises NotSupported: the recording has ended, or the playhead shows the past.
        """
        if self.cluster is None:
            raise NotSupported("This is a recording: nothing in it can be changed.")
        if not self.playhead.live:
            raise NotSupported("This is the past: nothing in it can be changed.", do="Go back to live first.")
        self.cluster.act(node, verb)

    # For the recorders.

    def put(self, at: float, track: str, sort: Sort, told: Json) -> None:
        """Add a fact in memory and in the file; views are told of it by the next :meth:`grown`."""
        # A fact from before the recording counts as one of its beginning. Memory and the file round the time alike.
        at = math.floor(max(0.0, at) * TICKS) / TICKS
        with self._putting:
            whole = None
            if sort == "set":
                whole = self.facts.patch(track, at, told)
            else:
                self.facts.add(track, at, told)
            if self._file is not None:
                self._file.write(at, track, sort, told, whole)

    def grown(self) -> None:
        """Tell the playhead's listeners that there are new facts."""
        self.playhead.grown()

    def begin(self, cluster: Acts, end: Callable[[], None], file: Writes | None = None) -> None:
        """Mark it as recording from now on; :meth:`stop` calls ``end``."""
        self.cluster, self._end, self._file = cluster, end, file
