"""Timeline: the history of a cluster as a scrubber; all other views of the recording follow it."""

from __future__ import annotations

import math
import threading
from typing import Any

from kafkalab.history.moment import Moment
from kafkalab.history.recording import Recording
from kafkalab.views.live import Drawn, Forms, LiveView
from kafkalab.views.timeline.picture import Told, drawn
from kafkalab.views.timeline.still import to_html, to_svg, to_text

#: Milliseconds by which one message can hardly overtake another.
SET_BACK = 10_000


class Timeline(LiveView):
    """What happened when, how the cluster was, and the moment that is shown: drag it, play it, jump, name it.

    ``recording.timeline()`` makes one. The page asks to seek, play, pause, pace, go live and name; each thing asked has
    a number that grows, for the threads on which they are done may overtake one another.

    :param recording: one that is still going, or from a file.
    :param presenter: everything larger, for a projector.
    """

    NAME = "timeline"
    FORMS = Forms(to_svg, to_html, to_text)

    def __init__(self, recording: Recording, *, presenter: bool = False) -> None:
        self._told = Told(recording.facts, recording.header.began)
        self._at = 0.0
        self._heard_last = 0.0
        self._newest = 0.0
        # Held while the playhead is moved: what is drawn takes the view's own lock, and never this one.
        self._moving = threading.RLock()
        self._numbering = threading.Lock()
        super().__init__(recording, presenter=presenter)

    @property
    def recording(self) -> Recording:
        """What it is the time line of."""
        assert self._recording is not None
        return self._recording

    # What the page asks for

    def do_seek(self, message: dict[str, Any]) -> None:
        """To a moment; while a finger drags, only the newest of those that wait counts."""
        when = self._asked_at(message)
        with self._moving:
            if when < self._newest:
                return
            self._heard_last = when
            self.recording.playhead.seek(_number(message.get("at")))
        self.redraw()

    def do_play(self, message: dict[str, Any]) -> None:
        """From a moment, so fast."""
        self._in_turn(message, lambda: self.recording.playhead.play(message.get("speed"), message.get("at")))

    def do_pause(self, message: dict[str, Any]) -> None:
        """Stand still."""
        self._in_turn(message, self.recording.playhead.pause)

    def do_pace(self, message: dict[str, Any]) -> None:
        """How fast it plays."""
        self._in_turn(message, lambda: self.recording.playhead.pace(_number(message.get("speed"))))

    def do_live(self, message: dict[str, Any]) -> None:
        """Follow the end."""
        self._in_turn(message, self.recording.playhead.to_live)

    def do_name(self, message: dict[str, Any]) -> None:
        """Give a moment a name; at None: now."""
        at = message.get("at")
        self.recording.name(str(message.get("name")), None if at is None else _number(at))
        self.fault("")

    def _in_turn(self, message: dict[str, Any], move: Any) -> None:
        when = self._asked_at(message)
        with self._moving:
            self._heard_last = max(self._heard_last, when)
            move()
        self.redraw()

    def _asked_at(self, message: dict[str, Any]) -> float:
        """The number of a message; seeks with a smaller one that still wait are not done any more."""
        when = _number(message.get("when"))
        with self._numbering:
            # Numbers are a page's clock; one that was set back begins anew.
            self._newest = when if when < self._newest - SET_BACK else max(self._newest, when)
        return when

    # What it is drawn from

    def _show(self, moment: Moment) -> None:
        self._told.look()
        self._at = moment.at

    def _drawn(self) -> Drawn:
        playhead = self.recording.playhead
        return drawn(self.recording, self._told, self._at, live=playhead.live, heard=self._heard_last)

    def _moved(self) -> None:
        # Unlike other views, it also draws that the recording became longer, and that the playhead started or stopped.
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
