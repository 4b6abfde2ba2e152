"""Timeline: the history of a cluster as a scrubber; all other views of the recording follow it."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from typing import Any

from kafkalab.history.moment import Moment
from kafkalab.history.recording import Recording
from kafkalab.views.live import LiveView
from kafkalab.views.timeline.picture import Picture, Told, blocks, drawn

#: Milliseconds by which a message is hardly ever overtaken; a longer step back means that a clock was set back.
SET_BACK = 10_000


class Timeline(LiveView):
    """A recording's events, the cluster's health, and the moment that is shown: drag it, play it, jump, name it.

    ``recording.timeline()`` makes one. The page asks to seek, play, pause, pace, go live and name; each request has a
    number that grows, because the threads on which requests are carried out may overtake one another.

    :param recording: a recording that is still going, or one from a file.
    :param presenter: everything larger, for a projector.
    """

    NAME = "timeline"
    BLOCKS = staticmethod(blocks)

    def __init__(self, recording: Recording, *, presenter: bool = False) -> None:
        self._told = Told(recording.facts, recording.header.began)
        self._at = 0.0
        self._heard_last = 0.0
        self._newest = 0.0
        # Held while the playhead is moved. Drawing takes the view's own lock, and never this one.
        self._moving = threading.RLock()
        self._numbering = threading.Lock()
        super().__init__(recording, presenter=presenter)

    @property
    def recording(self) -> Recording:
        """The recording whose time line this is."""
        assert self._recording is not None
        return self._recording

    # What the page asks for

    def do_seek(self, message: dict[str, Any]) -> None:
        """Seek to a moment; while the learner drags, only the newest of the waiting seeks counts."""
        when = self._asked_at(message)
        with self._moving:
            if when < self._newest:
                return
            self._heard_last = when
            self.recording.playhead.seek(_number(message.get("at")))
        self.redraw()

    def do_play(self, message: dict[str, Any]) -> None:
        """Play from a moment, at a speed."""
        self._in_turn(message, lambda: self.recording.playhead.play(message.get("speed"), message.get("at")))

    def do_pause(self, message: dict[str, Any]) -> None:
        """Pause."""
        self._in_turn(message, self.recording.playhead.pause)

    def do_pace(self, message: dict[str, Any]) -> None:
        """Set the speed."""
        self._in_turn(message, lambda: self.recording.playhead.pace(_number(message.get("speed"))))

    def do_live(self, message: dict[str, Any]) -> None:
        """Follow the end of the recording."""
        self._in_turn(message, self.recording.playhead.to_live)

    def do_name(self, message: dict[str, Any]) -> None:
        """Give a moment a name; if ``at`` is None, the moment is now."""
        at = message.get("at")
        self.recording.name(str(message.get("name")), None if at is None else _number(at))
        self.fault("")

    def _in_turn(self, message: dict[str, Any], move: Callable[[], object]) -> None:
        when = self._asked_at(message)
        with self._moving:
            self._heard_last = max(self._heard_last, when)
            move()
        self.redraw()

    def _asked_at(self, message: dict[str, Any]) -> float:
        """Return the number of a message; seeks with a smaller number that still wait are dropped."""
        when = _number(message.get("when"))
        with self._numbering:
            # The numbers are times of the page's clock. When that was set back, they begin again.
            self._newest = when if when < self._newest - SET_BACK else max(self._newest, when)
        return when

    # What it is drawn from

    def _show(self, moment: Moment) -> None:
        self._told.look()
        self._at = moment.at

    def _drawn(self) -> Picture:
        playhead = self.recording.playhead
        return drawn(self.recording, self._told, self._at, live=playhead.live, heard=self._heard_last)

    def _moved(self) -> None:
        # Unlike other views, it also shows that the recording became longer, and that the playhead started or stopped.
        with self._lock:
            if not self._ended:
                self._go(self.recording)
                self.redraw()


def _number(value: object) -> float:
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return 0.0
    return number if math.isfinite(number) else 0.0
