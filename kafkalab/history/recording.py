"""Recording: what happened to a cluster, to be looked at again: any moment of it, in all views, with no broker."""

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
from kafkalab.state.event import Event
from kafkalab.state.model import Verb
from kafkalab.state.patch import applied

log = logging.getLogger(__name__)

#: Times are recorded to the tenth of a millisecond: so many of them a second.
TICKS = 10_000
#: The longest name of a moment, characters.
LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class NamedMoment:
    """A moment somebody gave a name: seconds since the beginning, and the name."""

    at: float
    name: str


class Acts(Protocol):
    """The cluster that is recorded, as far as a view needs it."""

    def act(self, node: str, verb: Verb) -> None:
        """Carry out a verb on a node."""


class Recording:
    """A cluster's history in memory, and where its playhead stands. Learners hold :class:`kafkalab.Recording`.

    :param header: what it says of itself.
    :param facts: what is known already.
    :param problem: a sentence on what could not be read of the file; "" when it is whole.
    """

    def __init__(self, header: Header, facts: Facts | None = None, *, problem: str = "") -> None:
        self.header = header
        self.facts = facts or Facts()
        self._problem = problem
        self.playhead = Playhead(lambda: self.seconds, self._marks)
        #: The cluster that is being recorded; None when it is over.
        self.cluster: Acts | None = None
        self._file: Writes | None = None
        self._end: Callable[[], None] | None = None
        self._followed: list[Any] = []
        # So that the file has the facts of a track in the order in which memory has them.
        self._putting = threading.Lock()

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """A recording from its file, as far as that can be read: :attr:`problem` says what could not be.

        It may be one that is still being recorded; what is told of the cluster after this is not in it.

        :raises BadInput: there is no such file, or nothing in it that could be read.
        """

        path = Path(path).expanduser()
        path = path if path.exists() else with_suffix(path)
        told = read(path)
        recording = cls(told.header, told.facts, problem=" ".join(told.problems))
        recording._file = RecordingFile.of(path)
        return recording

    def save(self, path: str | Path) -> Path:
        """Write a copy of all that is known so far into a new file, and return its path.

        :raises BadInput: the file exists, or cannot be made.
        :raises KafkalabError: it could not be written to its end.
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
        """What could not be read or written of it, and what is there nevertheless; "" when all is well."""
        return " ".join(filter(None, (self._problem, self._file.problem if self._file is not None else "")))

    @problem.setter
    def problem(self, said: str) -> None:
        self._problem = said

    @property
    def path(self) -> Path | None:
        """Its file; None for one that is kept in memory only."""
        return self._file.path if self._file is not None else None

    @property
    def going(self) -> bool:
        """Whether it is still being recorded."""
        return self._end is not None

    @property
    def seconds(self) -> float:
        """How long it is."""
        return self.facts.seconds

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that happened, oldest first."""
        return self.at(self.seconds).events

    @property
    def named(self) -> tuple[NamedMoment, ...]:
        """The moments that have a name, in their order."""
        return tuple(
            NamedMoment(at, str(name))
            for at, name in zip(self.facts.times("named"), self.facts.items("named"), strict=True)
        )

    def _marks(self) -> list[Mark]:
        """What the playhead can jump to."""
        times, events = self.facts.times("events"), self.events
        found = [Mark(at, event) for at, event in zip(times, events, strict=False)]
        return sorted([*found, *(Mark(named.at, named) for named in self.named)], key=lambda mark: mark.at)

    def at(self, seconds: float) -> Moment:
        """The cluster at a moment, seconds since the beginning; before the first snapshot, as that tells it."""
        first = self.facts.first("snapshot") or 0.0
        return Moment(self.facts, max(first, min(float(seconds), self.seconds)), self.header.began)

    def moment(self) -> Moment:
        """The cluster at the moment at which the playhead stands."""
        return self.at(self.playhead.at)

    def name(self, name: str, at: float | None = None) -> NamedMoment:
        """Give a moment a name; by default the one at which the playhead stands.

        :raises BadInput: no name, or one that is too long.
        """
        name = str(name).strip()
        if not 1 <= len(name) <= LONGEST_NAME:
            raise BadInput(f"The name of a moment has 1 to {LONGEST_NAME} characters.", seen=f"{len(name)}")
        if at is None:
            # Live, the moment is now, which is a little later than the last thing that was recorded.
            at = time.time() - self.header.began if self.going and self.playhead.live else self.playhead.at
        self.put(at, "named", "add", name)
        self.grown()
        return NamedMoment(at, name)

    def stop(self) -> Self:
        """End recording; what was recorded stays. A second time does nothing."""
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
        """Carry out a verb on a node of the cluster, while that is recorded and shown live.

        :raises NotSupported: what is shown is the past.
        """
        if self.cluster is None:
            raise NotSupported("This is a recording: nothing in it can be changed.")
        if not self.playhead.live:
            raise NotSupported("This is the past: nothing in it can be changed.", do="Go back to live first.")
        self.cluster.act(node, verb)

    # for who records

    def put(self, at: float, track: str, sort: Sort, told: Json) -> None:
        """One fact more, in memory and in the file; views hear of it at the next :meth:`grown`."""
        # What was known before counts as known at the beginning; and the file shall say what memory says.
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
        """Tell whoever follows the playhead that there is more."""
        self.playhead.grown()

    def begin(self, cluster: Acts, end: Callable[[], None], file: Writes | None = None) -> None:
        """It is being recorded from now on; ``end`` is called when it stops."""
        self.cluster, self._end, self._file = cluster, end, file
