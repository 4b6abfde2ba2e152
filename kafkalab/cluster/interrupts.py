"""Puts off Ctrl-C, and its like, while something must not be left half done; and sees to it that none is lost."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

#: Ctrl-C; being asked to end; the terminal was closed.
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Within the block Ctrl-C waits, and so does each ending signal that Python handles; it takes effect at the end.

    Python interrupts its main thread only.
    """
    before = {number: found for number in ENDING if _in_main_thread() and callable(found := signal.getsignal(number))}
    came: list[Any] = []
    for number in before:
        signal.signal(number, lambda number, frame: came.append((number, frame)))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if came:
            before[came[0][0]](*came[0])


#: The signals that raised KeyboardInterrupt within :func:`heeded`. One that got as far as its end is not lost.
_raised: list[int] = []


@contextmanager
def heeded() -> Iterator[None]:
    """A Ctrl-C within the block takes effect at the next :func:`heed`, or at the end of the block, at the latest.

    Python raises it wherever it happens to be. In the callback of a weak reference (the import system has some) or in a
    finalizer it is printed and forgotten, and what was to be interrupted goes on.
    """
    before = {number: found for number in ENDING if _in_main_thread() and callable(found := signal.getsignal(number))}

    def noted(number: int, frame: Any) -> None:
        try:
            before[signal.Signals(number)](number, frame)
        except KeyboardInterrupt:
            _raised.append(number)
            raise

    for number in before:
        signal.signal(number, noted)
    try:
        yield
        heed()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if _in_main_thread():
            _raised.clear()


def heed() -> None:
    """Raise the KeyboardInterrupt that was lost since :func:`heeded`, if one was."""
    if _in_main_thread() and _raised:
        _raised.clear()
        raise KeyboardInterrupt


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


@contextmanager
def ending_like_ctrl_c() -> Iterator[None]:
    """Within the block whatever asks this process to end raises KeyboardInterrupt, so that it tidies up before it goes.

    A SIGHUP that is to be ignored (`nohup`) goes on being ignored. For a process that is its own main program only.
    """

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    # A shell that starts something in the background lets it ignore Ctrl-C.
    ignored = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    before = {n: signal.signal(n, interrupt) for n in ENDING if not (ignored and n == signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
