"""Recording: the history of a cluster, and its playhead, which says which moment of it all views show."""

from __future__ import annotations

import logging
import math
import threading
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple, Protocol, Self

from kafkalab.errors import BadInput, KafkalabError, NotSupported
from kafkalab.history.facts import Facts, Header, Json, Sort
from kafkalab.history.file import RecordingFile, read, with_suffix
from kafkalab.history.moment import Moment
from kafkalab.state.model import Event, Verb
from kafkalab.state.patch import diff
from kafkalab.state.watch import Poller, Source

log = logging.getLogger(__name__)

#: Resolution of recorded times, ticks per second: a tenth of a millisecond each.
TICKS = 10_000
#: Maximum length of a moment's name, characters.
LONGEST_NAME = 80

#: Seconds between two steps while the playhead plays.
STEP = 0.1
#: Minimum and maximum speed, in recorded seconds per second.
SLOWEST, FASTEST = 0.05, 1000.0
#: Maximum seconds that a move waits while another thread tells the listeners of other moves.
PATIENCE = 5.0


class Mark(NamedTuple):
    """A moment to jump to: ``at``, seconds since the beginning, and ``of``, the event or named moment there."""

    at: float
    of: object


class Playhead(Poller[[]]):
    """A moment in seconds since the recording began, or *live*: the end, wherever that is.

    Its listeners are called after each move, by one thread at a time, usually the one that moved it. When a move
    returns, all of them have been told of it or of a later one, unless that took longer than :data:`PATIENCE`. It has a
    thread of its own only while it plays and has a listener; without listeners it stands still.

    :param end: returns the recording's length, seconds.
    :param marks: returns the moments to jump to, in the order of time.
    """

    def __init__(self, end: Callable[[], float], marks: Callable[[], Sequence[Mark]]) -> None:
        super().__init__("kafkalab-playhead")
        self._end = end
        self._marks = marks
        self._at = 0.0
        self._live = True
        self._playing = False
        self._speed = 1.0
        #: While it plays: (position, monotonic time) from which steps are calculated, so that they do not drift.
        self._from = (0.0, 0.0)
        #: Number of moves, and of those that the listeners were told of; held while they are told, by which thread.
        self._moves = self._told = 0
        self._telling = threading.Lock()
        self._teller: int | None = None

    def __repr__(self) -> str:
        with self._changed:
            where = "live" if self._live else f"{self.at:.1f} s of {self._end():.1f} s"
            return f"<Playhead at {where}{f', playing × {self._speed:g}' if self._playing else ''}>"

    @property
    def at(self) -> float:
        """The moment it shows, seconds since the beginning."""
        with self._changed:
            return self._end() if self._live else min(self._at, self._end())

    @property
    def live(self) -> bool:
        """Whether it follows the recording's end."""
        return self._live

    @property
    def playing(self) -> bool:
        """Whether it plays."""
        return self._playing

    @property
    def speed(self) -> float:
        """Recorded seconds that pass in one second while it plays."""
        return self._speed

    def seek(self, at: float) -> None:
        """Go to a moment; if it was playing, it plays on from there.

        :raises BadInput: ``at`` is not a number.
        """
        where = _number(at, "A moment is a number of seconds since the recording began.")
        with self._changed:
            self._to(where)
        self._moved()

    def step(self, way: int = 1) -> bool:
        """Go to the next event or named moment, or with -1 to the one before; return whether there was one."""
        marks = [mark.at for mark in self._marks()]
        with self._changed:
            here = self.at
            place = bisect_right(marks, here) if way > 0 else bisect_left(marks, here) - 1
            if not 0 <= place < len(marks):
                return False
            self._to(marks[place])
        self._moved()
        return True

    def jump(self, to: object) -> float:
        """Go to an event or a named moment, and return its time in seconds.

        :param to: an event of the recording or its number (-1: the last), a named moment or its name, or a kind of
            event ("leader_elected"), which means the next of that kind after here, or else the first.
        :raises BadInput: the recording has no such moment.
        """
        found = self._meant(to)
        self.seek(found)
        return found

    def to_live(self) -> None:
        """Follow the recording's end again."""
        with self._changed:
            self._live, self._playing = True, False
            self._changed.notify_all()
        self._moved()

    def play(self, speed: float | None = None, at: float | None = None) -> None:
        """Play from here, or from the beginning if this is the end; ``speed`` is kept for the next time.

        When it reaches the end, it stops playing and is live.

        :param at: the moment to play from instead, in seconds.
        :raises BadInput: the speed or the moment is not a number, or the speed is out of range.
        """
        fast = None if speed is None else _speed(speed)
        begin = None if at is None else _number(at, "A moment is a number of seconds since the recording began.")
        with self._changed:
            self._speed = fast or self._speed
            if begin is None:
                begin = 0.0 if self._live else self._at
            self._playing = True
            self._to(0.0 if begin >= self._end() else begin)
            self._begin()
        self._moved()

    def pace(self, speed: float) -> None:
        """Set the speed for now and for the next time it plays.

        :raises BadInput: the speed is not a number, or out of range.
        """
        fast = _speed(speed)
        with self._changed:
            self._reckon()
            self._speed = fast
            self._from = (self._at, time.monotonic())
        self._moved()

    def pause(self) -> None:
        """Stop at this moment."""
        with self._changed:
            self._reckon()
            self._at, self._live, self._playing = self.at, False, False
            self._changed.notify_all()
        self._moved()

    @property
    def over(self) -> bool:
        """Whether it needs no thread now."""
        return not self._playing

    def subscribe(self, listener: Callable[[], object]) -> Callable[[], None]:
        """Call ``listener`` after each move and whenever the recording has grown; return a function that ends this."""
        with self._changed:
            if self._thread is None:
                # It stood still without listeners: it plays on from where it was left.
                self._from = (self._at, time.monotonic())
            return super().subscribe(listener)

    def grown(self) -> None:
        """Tell the listeners that the recording has grown: its length is new, and so is the moment of a live playhead.

        It does not wait while another thread is telling the listeners; that thread then tells them once more.
        """
        self._moved(wait=0.0)

    # How it works. The methods below need the lock held, except for _moved, _meant and _look.

    def _to(self, at: float) -> None:
        self._at = min(max(0.0, at), self._end())
        self._live = False
        self._from = (self._at, time.monotonic())
        self._changed.notify_all()

    def _reckon(self) -> None:
        """Calculate the position of this instant, if it is playing."""
        if not self._playing or self._thread is None:
            return
        begin, since = self._from
        self._at = begin + (time.monotonic() - since) * self._speed
        if self._at >= self._end():
            self._at, self._live, self._playing = self._end(), True, False

    def _look(self) -> float:
        begun = time.monotonic()
        with self._changed:
            self._reckon()
        self._moved()
        # Steps keep their rhythm however long the listeners take, but always leave them a short rest.
        return max(begun + STEP - time.monotonic(), STEP / 4)

    def _moved(self, wait: float = PATIENCE) -> None:
        """Tell all listeners that it moved, one thread at a time."""
        with self._changed:
            self._moves += 1
        if self._teller == threading.get_ident():
            return  # a listener moved it: they are told of that when it has returned
        # Of moves by a listener too, and by a thread that did not wait.
        while self._told < self._moves and self._telling.acquire(timeout=wait):
            try:
                self._teller, now = threading.get_ident(), self._moves
                self._notify()
                self._told = now
            finally:
                self._teller = None
                self._telling.release()

    def _meant(self, to: object) -> float:
        marks, here = self._marks(), self.at
        of_kind = [mark.at for mark in marks if getattr(mark.of, "kind", mark) == to]
        found = [mark.at for mark in marks if to in (mark.of, getattr(mark.of, "name", mark))]
        found += [*(at for at in of_kind if at > here), *of_kind]
        events = [mark.at for mark in marks if hasattr(mark.of, "kind")]
        if isinstance(to, int) and not isinstance(to, bool) and -len(events) <= to < len(events):
            found = [events[to]]
        if found:
            return found[0]
        names = [repr(name) for mark in marks if (name := getattr(mark.of, "name", None))]
        kinds = sorted({kind for mark in marks if (kind := getattr(mark.of, "kind", None))})
        raise BadInput(
            "The recording has no such moment. Use the name of a moment, a kind of event, or the number of an event.",
            seen=repr(to)[:100],
            do=", ".join([*names, *kinds][:20]) or "Nothing has happened in this recording.",
        )


def _number(value: object, said: str, least: float = -math.inf, most: float = math.inf) -> float:
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        number = math.nan
    if not least <= number <= most:  # NaN is in no range
        raise BadInput(said, seen=repr(value)[:100])
    return number


def _speed(speed: object) -> float:
    said = f"The speed must be from {SLOWEST:g} to {FASTEST:g}; 1 is as fast as it happened."
    return _number(speed, said, SLOWEST, FASTEST)


@dataclass(frozen=True, slots=True)
class NamedMoment:
    """A moment that was given a name: ``at``, seconds since the recording began, and the name."""

    at: float
    name: str


class Part(Protocol):
    """A recorder of some tracks. It adds facts from its own threads or the watcher's, and never raises there."""

    def stop(self) -> None:
        """Stop recording."""


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
        self.cluster: Source | None = None
        self._file: RecordingFile | None = None
        #: Whether it is still recording.
        self.going = False
        #: What records into it, and is stopped with it.
        self.parts: list[Part] = []
        # Held while a fact is put, so that a track's facts have the same order in the file as in memory.
        self._putting = threading.Lock()

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """Read a recording from its file, up to where it is whole: :attr:`problem` says so when it was never ended.

        The file may still be growing; facts that are written after this call are not in the result.

        :raises BadInput: there is no such file, it is no recording, it is damaged, or another version wrote it.
        """
        path = Path(path).expanduser()
        path = path if path.exists() else with_suffix(path)
        header, facts, ended, cut = read(path)
        shown = f"Everything up to {facts.seconds:.1f} s after the beginning is shown."
        problem = ""
        if not (ended or cut):
            why = "it is still going on, or the program that recorded it was killed"
            problem = f"The recording was never ended: {why}. {shown}"
        recording = cls(header, facts, problem=problem)
        # Nothing can be added to a file that ends in the middle of a piece.
        recording._file = RecordingFile(path, problem=f"The file was cut off. {shown}" if cut else "")
        return recording

    def save(self, path: str | Path) -> Path:
        """Write a copy of all facts so far into a new file, and return its path.

        :raises BadInput: the file exists already, or cannot be created.
        :raises KafkalabError: the file could not be written completely.
        """
        file = RecordingFile(with_suffix(path), asdict(self.header))
        try:
            for fact in sorted(self.facts, key=lambda fact: fact[0]):
                file.write(*fact)
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

    @property
    def path(self) -> Path | None:
        """The recording's file; None when it is kept in memory only."""
        return self._file.path if self._file is not None else None

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
            at = self.now if self.going and self.playhead.live else self.playhead.at
        self.put(at, "named", "add", name)
        self.grown()
        return NamedMoment(at, name)

    def stop(self) -> Self:
        """Stop recording; the facts so far are kept. A second call does nothing."""
        parts, self.parts, self.going = self.parts, [], False
        for part in parts:
            try:
                part.stop()
            except Exception:
                log.exception("a part of a recording did not end: %r", part)
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

    @property
    def now(self) -> float:
        """This instant, in seconds since the recording began."""
        return time.time() - self.header.began

    def state(self, track: str, value: Json, at: float | None = None) -> bool:
        """Put a state's value, from ``at`` on, or from now on; return whether it has changed."""
        ops = diff(self.facts.value(track), value)
        if ops:
            self.put(self.now if at is None else at, track, "set", ops)
        return bool(ops)

    def put(self, at: float, track: str, sort: Sort, told: Json) -> None:
        """Add a fact in the file and in memory; views are told of it by the next :meth:`grown`.

        :raises TypeError, ValueError: it is not plain JSON.
        """
        # A fact from before the recording counts as one of its beginning. Memory and the file round the time alike.
        at = math.floor(max(0.0, at) * TICKS) / TICKS
        with self._putting:
            if self._file is not None:
                self._file.write(at, track, sort, told)
            if sort == "set":
                self.facts.patch(track, at, told)
            else:
                self.facts.add(track, at, told)

    def grown(self) -> None:
        """Tell the playhead's listeners that there are new facts, and write these now and then."""
        if self._file is not None:
            self._file.flush()
        self.playhead.grown()

    def begin(self, cluster: Source, file: RecordingFile | None = None) -> None:
        """Mark it as recording from now on, until :meth:`stop`."""
        self.cluster, self.going, self._file = cluster, True, file
