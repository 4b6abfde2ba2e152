"""Playhead: the moment of a recording that is shown, and playing from there. All views of the recording follow it."""

from __future__ import annotations

import math
import threading
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

from kafkalab.errors import BadInput
from kafkalab.state.watch import Poller

#: Seconds between two steps while it plays.
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
        self._moves = self._told = self._waiting = 0
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
        where = _seconds(at)
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

    def subscribe(self, listener: Callable[[], object]) -> Callable[[], None]:
        """Call ``listener`` after each move and whenever the recording has grown; return a function that ends this."""
        token = object()
        with self._changed:
            self._listeners[token] = listener
            if self._playing and self._thread is None:
                # It stood still without listeners: it plays on from where it was left.
                self._from = (self._at, time.monotonic())
                self._start()

        def unsubscribe() -> None:
            with self._changed:
                self._listeners.pop(token, None)
                self._changed.notify_all()

        return unsubscribe

    def grown(self) -> None:
        """Tell the listeners that the recording has grown: its length is new, and so is the moment of a live playhead.

        It does not wait while another thread is telling the listeners; that thread then tells them once more.
        """
        self._moved(wait=False)

    # How it works. The methods below need the lock held, except for _moved, _meant and _run.

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

    def _start(self) -> None:
        if self._thread is None and self._listeners:
            self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
            self._thread.start()

    def _run(self) -> None:
        due = time.monotonic()
        while True:
            with self._changed:
                # Steps keep their rhythm however long the listeners take, but always leave them a short rest.
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
            # A listener that moves the playhead itself is told of that after it has returned.
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
                    # A thread that waits with a later move will tell of it; if none waits, this thread does.
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
            raise BadInput(
                "The recording has no event with that number.",
                seen=str(to),
                do=f"Count from 0: it has {len(events)} events.",
            )
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
            "The recording has no such moment. Use the name of a moment, or a kind of event.",
            seen=repr(to)[:100],
            do=", ".join([*names, *kinds][:20]) or "Nothing has happened in this recording.",
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
        raise BadInput(
            f"The speed must be from {SLOWEST:g} to {FASTEST:g}; 1 is as fast as it happened.",
            seen=f"speed={str(speed)[:40]}",
        )
    return fast
