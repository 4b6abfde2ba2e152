"""Ctrl-C waits until what must not be interrupted is done, and then takes effect."""

from __future__ import annotations

import os
import signal
import weakref
from concurrent.futures import ThreadPoolExecutor

import pytest

from kafkalab.cluster.interrupts import ending_like_ctrl_c, heed, heeded, undisturbed


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_whatever_asks_to_end_is_like_ctrl_c_and_waits(number):
    before, done = signal.getsignal(number), []

    def work():
        with ending_like_ctrl_c():
            with undisturbed():
                os.kill(os.getpid(), number)
                done.append("what came after it")
            done.append("too late")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == ["what came after it"]
    assert signal.getsignal(number) is before


class Swallows:
    """As the import system's locks do: Ctrl-C comes in the callback of a weak reference, which cannot raise."""

    def __init__(self):
        target = type("Target", (), {})()
        self.reference = weakref.ref(target, lambda _: os.kill(os.getpid(), signal.SIGINT))
        del target


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("step", [heed, lambda: None])
def test_a_ctrl_c_that_python_loses_takes_effect_at_the_next_step(step):
    done = []

    def work():
        with heeded():
            Swallows()
            done.append("what came after it")
            step()
            done.append("the end")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == ["what came after it", "the end"][: 1 if step is heed else 2]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with heeded():  # it was heeded
        heed()


def test_other_threads_and_errors_change_nothing():
    def handler():
        with undisturbed():
            return signal.getsignal(signal.SIGINT)

    with ThreadPoolExecutor() as pool:
        assert pool.submit(handler).result() == signal.default_int_handler
    with pytest.raises(ZeroDivisionError), undisturbed():
        1 / 0  # noqa: B018
    assert signal.getsignal(signal.SIGINT) == signal.default_int_handler
