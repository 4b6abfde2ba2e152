"""Poller: a thread that runs while it has subscribers."""

from __future__ import annotations

import logging
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Generic, ParamSpec

log = logging.getLogger(__name__)

P = ParamSpec("P")


class Poller(ABC, Generic[P]):
    """Looks at something and tells its listeners what changed; ``P`` are the parameters of a listener.

    Its daemon thread, which runs :meth:`_run`, starts with the first listener and ends with the last. When ``_run``
    finds no listener left, it sets ``_thread`` to None while it still holds ``_changed``, which guards the fields. So a
    listener that comes a moment later finds no thread and starts another one.

    :param name: name of the thread.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._listeners: dict[object, Callable[P, object]] = {}
        self._grumbled: dict[object, str] = {}
        self._thread: threading.Thread | None = None
        # Held only for moments, never while a listener runs or an answer is awaited.
        self._changed = threading.Condition()

    @property
    def running(self) -> bool:
        """Whether its thread runs, which it does while there are listeners."""
        return self._thread is not None

    @property
    def over(self) -> bool:
        """Whether what it looks at has ended for good; no thread starts after that."""
        return False

    def subscribe(self, listener: Callable[P, object]) -> Callable[[], None]:
        """Call ``listener`` whenever something changed; returns a function that ends this (twice is harmless)."""
        token = object()
        with self._changed:
            self._listeners[token] = listener
            if self._thread is None and not self.over:
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()

        def unsubscribe() -> None:
            with self._changed:
                self._listeners.pop(token, None)
                self._grumbled.pop(token, None)
                self._changed.notify_all()

        return unsubscribe

    @abstractmethod
    def _run(self) -> None:
        """Do the thread's work until the last listener has gone."""

    def _notify(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Call every listener; one that raises is logged and kept."""
        with self._changed:
            listeners = tuple(self._listeners.items())
        for token, listener in listeners:
            if token not in self._listeners:  # it left while the others were told
                continue
            try:
                listener(*args, **kwargs)
            except Exception as error:
                # Its name, not its repr: that of a view's method draws the picture, and that may be what failed.
                name = getattr(listener, "__qualname__", type(listener).__name__)
                self._grumble(token, f"a listener of {self!r} raised; it stays subscribed: {name}", error)

    def _grumble(self, token: object, what: str, error: Exception) -> None:
        """Log an error unless it repeats the last one: repeats every half second would bury the rest of the log."""
        text = repr(error)
        if self._grumbled.get(token) != text:
            self._grumbled[token] = text
            log.error("%s", what, exc_info=error)
