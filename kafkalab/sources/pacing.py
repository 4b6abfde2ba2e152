"""When records are due, and how fast they went: arithmetic on a clock that the caller reads."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass

from kafkalab.errors import BadInput

#: Rates are taken over this many seconds: short enough to show a broker's death, long enough not to flicker.
WINDOW = 5.0


@dataclass(frozen=True, slots=True)
class Pace:
    """Event time running ``lapse`` times as fast as the clock.

    :param started: the clock's seconds at which event time was ``since``.
    :raises BadInput: a lapse that is not a positive number.
    """

    started: float
    since: float = 0.0
    lapse: float = 1.0

    def __post_init__(self) -> None:
        if not (math.isfinite(self.lapse) and self.lapse > 0):
            raise BadInput(
                "A time lapse is a number above 0.",
                seen=f"lapse={self.lapse}",
                do="1 is real time; with 60 an hour of driving passes in a minute.",
            )

    def due(self, now: float) -> float:
        """The event time (seconds) reached at ``now``: what comes before it is due."""
        return self.since + (now - self.started) * self.lapse

    def behind(self, event_time: float, now: float) -> float:
        """How many seconds of the clock ago ``event_time`` was due; 0 when it is yet to come."""
        return max(0.0, (self.due(now) - event_time) / self.lapse)

    def until(self, event_time: float, now: float) -> float:
        """How many seconds of the clock until ``event_time`` is due; 0 when it is."""
        return max(0.0, (event_time - self.due(now)) / self.lapse)


class Rate:
    """How many a second over the last :data:`WINDOW` seconds, from a running total. Its caller holds the lock."""

    def __init__(self) -> None:
        self._marks: deque[tuple[float, int]] = deque()

    def mark(self, now: float, total: int) -> None:
        """The total at ``now``; keeps what the window needs, a mark every tenth of a second at most."""
        if not self._marks or now - self._marks[-1][0] >= 0.1:
            self._marks.append((now, total))
        while len(self._marks) > 2 and now - self._marks[1][0] >= WINDOW:
            self._marks.popleft()

    def per_second(self, now: float, total: int) -> float:
        """The rate at ``now``; 0.0 before a tenth of a second has been seen."""
        if not self._marks:
            return 0.0
        since, before = self._marks[0]
        return (total - before) / (now - since) if now - since >= 0.1 else 0.0
