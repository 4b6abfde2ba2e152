"""Playhead: which moment of a recording is shown, and its going on from there; all views of the recording follow it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from kafkalab.errors import BadInput
from kafkalab.state.listened import Listened

#: Seconds between two steps while it plays.
STEP = 0.1
#: How fast it may play, in recorded seconds a second.
SLOWEST, FASTEST = 0.05, 1000.0


class Playhead(Listened):
    """A moment in seconds since the recording began, or *live*: the end, wherever that is.

    Whoever subscribes is called after each move, on the thread that moved it. Its own thread runs while it plays and
    somebody listens.

    :param end: gives the recording's length, seconds.
    """

    def __init__(self, end: Callable[[], float]) -> None:
        super().__init__("kafkalab-playhead")
        self._end = end
        self._at = 0.0
        self._live = True
        self._playing = False
        self._speed = 1.0
        self._stepped_at = 0.0

    def __repr__(self) -> str:
        where = "live" if self._live else f"{self.at:.1f} s"
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
        """Go to a moment, and play on from there if it was playing."""
        with self._changed:
            self._at = min(max(0.0, float(at)), self._end())
            self._live = False
            self._stepped_at = time.monotonic()
        self._tell()

    def to_live(self) -> None:
        """Follow the end again."""
        with self._changed:
            self._live, self._playing = True, False
        self._tell()

    def play(self, speed: float | None = None) -> None:
        """Go on from here, or from the beginning if this is the end; ``speed`` stays for the next time.

        :raises BadInput: a speed that is none.
        """
        if speed is not None and not SLOWEST <= float(speed) <= FASTEST:
            raise BadInput(f"It plays {SLOWEST:g} to {FASTEST:g} times as fast as it was.", seen=f"speed={speed!r}")
        with self._changed:
            self._speed = float(speed or self._speed)
            if self._live or self._at >= self._end():
                self._at = 0.0
            self._live, self._playing = False, True
            self._stepped_at = time.monotonic()
            self._start()
            self._changed.notify_all()
        self._tell()

    def pause(self) -> None:
        """Stand still at this moment."""
        with self._changed:
            self._at, self._live, self._playing = self.at, False, False
            self._changed.notify_all()
        self._tell()

    def subscribe(self, heard: Callable[[], None]) -> Callable[[], None]:
        """Call ``heard`` after each move, and, while it is live, after each fact; returns what ends this."""
        token = object()
        with self._changed:
            self._listeners[token] = heard
            if self._playing:
                self._start()

        def unsubscribe() -> None:
            with self._changed:
                self._listeners.pop(token, None)
                self._changed.notify_all()

        return unsubscribe

    def grown(self) -> None:
        """The recording became longer: who follows the end hears of it, and the length is new to all."""
        self._tell()

    def _start(self) -> None:
        if self._thread is None and self._listeners:
            self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
            self._thread.start()

    def _run(self) -> None:
        while True:
            with self._changed:
                if not self._playing or not self._listeners:
                    self._thread = None
                    return
                now = time.monotonic()
                self._at += (now - self._stepped_at) * self._speed
                self._stepped_at = now
                if self._at >= self._end():
                    self._at, self._playing = self._end(), False
            self._tell()
            with self._changed:
                self._changed.wait_for(lambda: not self._playing or not self._listeners, STEP)
