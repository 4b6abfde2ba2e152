"""Threads that a test begins, told from those of others by their names and by when they came."""

from __future__ import annotations

import threading

from kafkalab.waiting import wait_until


class Begun:
    """Threads whose names begin so, and which began after this."""

    def __init__(self, *names: str) -> None:
        self._names = names
        self._others = set(threading.enumerate())

    def now(self) -> list[str]:
        """Those that run."""
        return [t.name for t in threading.enumerate() if t not in self._others and t.name.startswith(self._names)]

    def end(self) -> None:
        """Wait until they have ended."""
        wait_until(lambda: not self.now(), 20, "the threads to end", seen=lambda: repr(self.now()))
