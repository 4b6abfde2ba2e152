"""Pulse: the thread that lets every page that shows a view know, each second, that the kernel is there."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

log = logging.getLogger(__name__)

#: Seconds between two beats. A page that hears nothing for five seconds says so (``static/hearing.js``).
PERIOD = 1.0


class Pulse:
    """Calls each of its beats every second, on a thread that runs while there are any."""

    def __init__(self) -> None:
        self._beats: dict[object, Callable[[], None]] = {}
        self._thread: threading.Thread | None = None
        self._changed = threading.Condition()

    def begin(self, who: object, beat: Callable[[], None]) -> None:
        """Call ``beat`` every second from now on, once for each ``who``."""
        with self._changed:
            self._beats[who] = beat
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="kafkalab-pulse", daemon=True)
                self._thread.start()

    def end(self, who: object) -> None:
        """Call it no more. Who was never begun waits for nobody: views end when they are thrown away, on any thread."""
        if who not in self._beats:
            return
        with self._changed:
            self._beats.pop(who, None)
            self._changed.notify_all()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: not self._beats, PERIOD)
                if not self._beats:
                    self._thread = None
                    return
                beats = tuple(self._beats.values())
            for beat in beats:
                try:
                    beat()
                except Exception:
                    log.exception("a beat failed")


#: The one that all views share.
PULSE = Pulse()
