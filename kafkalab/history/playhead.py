"""Playhead: which moment of a recording is shown, and its going on from there; all views of the recording follow it."""

from __future__ import annotations

import logging
import math
import threading
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

from kafkalab.errors import BadInput
from kafkalab.state.poller import Poller

log = logging.getLogger(__name__)

#: Seconds between two steps while it plays.
STEP = 0.1
#: How fast it may play, in recorded seconds a second.
SLOWEST, FASTEST = 0.05, 1000.0
#: So long a move waits at most for views that are being told of others, seconds.
PATIENCE = 5.0


class Mark(NamedTuple):
    """A moment to jump to: seconds since the beginning, and what is there: an event, or a moment with a name."""

    at: float
    of: object


def _none() -> Sequence[Mark]:
    return ()


class Playhead(Poller[[]]):
    """A moment in seconds since the recording began, or *live*: the end, wherever that is.

    Whoever subscribes is called after each move, on the thread that moved it, one thread at a time: when a move
    returns, all were told of it, or of a later one that came while others were being told. Its own thread runs while it
    plays and somebody listens; with nobody to see it, it stands still.

    :param end: gives the recording's length, seconds.
    :param marks: gives what can be jumped to, in the order of time.
    """

    def __init__(self, end: Callable[[], float], marks: Callable[[], Sequence[Mark]] = _none) -> None:
        super().__init__("kafkalab-playhead")
        self._end = end
        self._marks = marks
        self._at = 0.0
        self._live = True
        self._playing = False
        self._speed = 1.0
        #: While it plays: where it was when, by the clock that never jumps. Steps are reckoned from there: no drift.
        self._from = (0.0, 0.0)
        self._moves = self._told = self._waiting = 0
        self._teller: int | None = None

    def __repr__(self) -> str:
        with self._changed:
            where = "live" if self._live else f"{self.at:.1f} s of {self._end():.1f} s"
            return f"<Playhead at {where}{f', playing × {self._speed:g}' if self._playing else ''}>"

    @property
    def at(self) -> float:
        """Where it stands, seconds since the beginning."""
        with self._changed:
            return self._end() if self._live else min(self._at, self._end())

    @property
    def live(self) -> bool:
        """Whether it follows the end."""
        return self._live

    @property
    def playing(self) -> bool:
        """Whether it goes on by itself."""
        return self._playing

    @property
    def speed(self) -> float:
        """Recorded seconds that pass in one second while it plays."""
        return self._speed

    def seek(self, at: float) -> None:
        """Go to a moment, and play on from there if it was playing.

        :raises BadInput: no number.
        """
        where = _seconds(at)
        with self._changed:
            self._to(where)
        self._moved()

    def step(self, way: int = 1) -> bool:
        """Go to the next event or named moment, or with -1 to the one before; whether there was one."""
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
        """Go to what is meant, and return where that is, in seconds.

        :param to: an event of the recording or its number (-1: the last), a named moment or its name, or the kind of an
            event ("leader_elected"): then the next of that kind after here, or the first.
        :raises BadInput: the recording has nothing of the sort.
        """
        found = self._meant(to)
        self.seek(found)
        return found

    def to_live(self) -> None:
        """Follow the end again."""
        with self._changed:
            self._live, self._playing = True, False
            self._changed.notify_all()
        self._moved()

    def play(self, speed: float | None = None, at: float | None = None) -> None:
        """Go on from here, or from the beginning if this is the end; ``speed`` stays for the next time.

        Who catches up with the end stays there, live.

        :param at: from there instead.
        :raises BadInput: a speed that is none.
        """
        fast = None if speed is None else _speed(speed)
        begin = None if at is None else _seconds(at)
        with self._changed:
            self._speed = fast or self._speed
            if begin is None:
                begin = 0.0 if self._live else self._at
            self._playing = True
            self._to(0.0 if begin >= self._end() else begin)
            self._start()
        self._moved()

    def pace(self, speed: float) -> None:
        """How fast it plays from now on, or the next time.

        :raises BadInput: a speed that is none.
        """
        fast = _speed(speed)
        with self._changed:
            self._reckon()
            self._speed = fast
            self._from = (self._at, time.monotonic())
        self._moved()

    def pause(self) -> None:
        """Stand still at this moment."""
        with self._changed:
            self._reckon()
            self._at, self._live, self._playing = self.at, False, False
            self._changed.notify_all()
        self._moved()

    def subscribe(self, listener: Callable[[], object]) -> Callable[[], None]:
        """Call ``listener`` after each move, and, while it is live, after each fact; returns what ends this."""
        token = object()
        with self._changed:
            self._listeners[token] = listener
            if self._playing and self._thread is None:
                # Nobody saw the time in between: it goes on from where it was left.
                self._from = (self._at, time.monotonic())
                self._start()

        def unsubscribe() -> None:
            with self._changed:
                self._listeners.pop(token, None)
                self._changed.notify_all()

        return unsubscribe

    def grown(self) -> None:
        """The recording became longer: who follows the end hears of it, and the length is new to all.

        Never waits for anybody who is slow: when others are being told, they are told again after that.
        """
        self._moved(wait=False)

    # How it works; what begins with an underscore wants the lock held, but for _moved, _meant and _run.

    def _to(self, at: float) -> None:
        self._at = min(max(0.0, at), self._end())
        self._live = False
        self._from = (self._at, time.monotonic())
        self._changed.notify_all()

    def _reckon(self) -> None:
        """Where it has come to by now, if it is playing."""
        if not self._playing or self._thread is None:
            return
        begin, since = self._from
        self._at = begin + (time.monotonic() - since) * self._speed
        if self._at >= self._end():
            self._at, self._live, self._playing = self._end(), True, False

    def _start(self) -> None:
        if self._thread is None and self._listeners:
            self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
            self._thread.start()

    def _run(self) -> None:
        due = time.monotonic()
        while True:
            with self._changed:
                # Steps keep their rhythm, whatever telling takes; but those who are told get a rest.
                due = max(due + STEP, time.monotonic() + STEP / 4)
                self._changed.wait_for(
                    lambda: not self._playing or not self._listeners, max(0.0, due - time.monotonic())
                )
                if not self._playing or not self._listeners:
                    self._thread = None
                    return
                self._reckon()
            self._moved()

    def _moved(self, wait: bool = True) -> None:
        """Tell all listeners that it moved, one thread at a time."""
        me = threading.get_ident()
        with self._changed:
            self._moves += 1
            mine = self._moves
            # A listener that moves it itself is told when it is back.
            if self._teller == me or (self._teller is not None and not wait):
                return
            self._waiting += 1
            self._changed.wait_for(lambda: self._teller is None or self._told >= mine, PATIENCE)
            self._waiting -= 1
            if self._teller is not None or self._told >= mine:
                return
            self._teller = me
        while True:
            with self._changed:
                now = self._moves
            try:
                self._notify()
            finally:
                with self._changed:
                    self._told = now
                    # Whoever waits with a later move tells of it; of what nobody waits for, this thread does.
                    again = self._moves > now and not self._waiting
                    if not again:
                        self._teller = None
                    self._changed.notify_all()
            if not again:
                return

    def _meant(self, to: object) -> float:
        marks = self._marks()
        if isinstance(to, int) and not isinstance(to, bool):
            events = [mark for mark in marks if hasattr(mark.of, "kind")]
            if -len(events) <= to < len(events):
                return events[to].at
            raise BadInput("There is no event of that number.", seen=str(to), do=f"it has {len(events)}")
        if isinstance(to, str):
            for mark in marks:
                if getattr(mark.of, "name", None) == to:
                    return mark.at
            of_kind = [mark.at for mark in marks if getattr(mark.of, "kind", None) == to]
            here = self.at
            for at in (*(at for at in of_kind if at > here), *of_kind):
                return at
        for mark in marks:
            if mark.of == to:
                return mark.at
        names = [repr(name) for mark in marks if (name := getattr(mark.of, "name", None))]
        kinds = sorted({kind for mark in marks if (kind := getattr(mark.of, "kind", None))})
        raise BadInput(
            "There is no such moment in the recording.",
            seen=repr(to)[:100],
            do=", ".join([*names, *kinds][:20]) or "nothing has happened in it",
        )


def _seconds(at: object) -> float:
    try:
        seconds = float(at)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        seconds = math.nan
    if math.isnan(seconds):
        raise BadInput("A moment is a number of seconds since the recording began.", seen=repr(at)[:100])
    return seconds


def _speed(speed: object) -> float:
    try:
        fast = float(speed)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        fast = math.nan
    if not SLOWEST <= fast <= FASTEST:
        raise BadInput(f"It plays {SLOWEST:g} to {FASTEST:g} times as fast as it was.", seen=f"speed={str(speed)[:40]}")
    return fast
