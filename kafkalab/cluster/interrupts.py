"""Delays Ctrl-C and similar signals while something must not be left half done, and loses none."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

#: Signals that end a process: Ctrl-C, a request to end, and the closing of its terminal.
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Delay Ctrl-C, and each ending signal that Python handles, within the block; the first takes effect at its end.

    Outside the main thread this does nothing, because Python interrupts only that.
    """
    main = threading.current_thread() is threading.main_thread()
    before = {number: found for number in ENDING if main and callable(found := signal.getsignal(number))}
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


#: Signals that raised KeyboardInterrupt within :func:`heeded` and may be lost; emptied at the end of the block.
_raised: list[int] = []


@contextmanager
def heeded() -> Iterator[None]:
    """Let a Ctrl-C within the block take effect at the next :func:`heed`, or at the end of the block, at the latest.

    In the callback of a weak reference (the import system has some) or a finalizer, Python prints it and goes on.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return

    def noted(number: int, frame: Any) -> None:
        _raised.append(number)
        before(number, frame)
        _raised.clear()  # it raised nothing

    signal.signal(signal.SIGINT, noted)
    try:
        yield
        heed()
    finally:
        signal.signal(signal.SIGINT, before)
        _raised.clear()


def heed() -> None:
    """Raise the KeyboardInterrupt that was lost since :func:`heeded` began, if there was one."""
    if _raised and threading.current_thread() is threading.main_thread():
        _raised.clear()
        raise KeyboardInterrupt


@contextmanager
def ending_like_ctrl_c() -> Iterator[None]:
    """Within the block, every signal that asks this process to end raises KeyboardInterrupt, so that it can tidy up.

    A SIGHUP that is ignored (`nohup`) stays ignored. Only for a process whose main program is ours.
    """

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    # Only SIGHUP may stay ignored: a shell makes what it starts in the background ignore Ctrl-C, and we need that.
    ignored = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    before = {n: signal.signal(n, interrupt) for n in ENDING if not (ignored and n == signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
