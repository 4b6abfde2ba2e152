"""Ctrl-C waits until what must not be interrupted is done, and then takes effect."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from kafkalab.cluster.undisturbed import ending_like_ctrl_c, undisturbed


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


def test_a_closed_terminal_that_is_to_be_ignored_is():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with ending_like_ctrl_c():
            os.kill(os.getpid(), signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)


def test_without_ctrl_c_nothing_happens_nor_in_other_threads():
    with undisturbed():
        pass
    with pytest.raises(ZeroDivisionError), undisturbed():
        1 / 0  # noqa: B018
    seen = []

    def work():
        with undisturbed():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [signal.getsignal(signal.SIGINT)] == [signal.default_int_handler]
