"""What looks at something on a thread of its own for as long as anybody listens."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

log = logging.getLogger(__name__)

#: Told that something changed.
Heard = Callable[[], None]


class Listened:
    """Its daemon thread, which runs :meth:`_run`, starts with the first listener and ends with the last.

    ``_run`` decides under ``_changed``, which guards the fields, that nobody listens any more, and then sets
    ``_thread`` to None: who comes a moment later finds no thread, and another one starts.

    :param name: of the thread.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._listeners: dict[object, Heard] = {}
        self._thread: threading.Thread | None = None
        # Held for moments only, never while a listener runs or somebody is asked.
        self._changed = threading.Condition()

    @property
    def running(self) -> bool:
        """Whether its thread runs: somebody listens."""
        return self._thread is not None

    def subscribe(self, heard: Heard) -> Callable[[], None]:
        """Call ``heard`` whenever something changed, from the thread; returns what ends this (twice is harmless)."""
        token = object()
        with self._changed:
            self._listeners[token] = heard
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()

        def unsubscribe() -> None:
            with self._changed:
                self._listeners.pop(token, None)
                self._changed.notify_all()

        return unsubscribe

    def _run(self) -> None:
        raise NotImplementedError

    def _tell(self) -> None:
        """Call every listener; one that raises is logged and kept."""
        with self._changed:
            listeners = tuple(self._listeners.values())
        for heard in listeners:
            try:
                heard()
            except Exception:
                log.exception("a listener of %r raised; it is kept", self)
