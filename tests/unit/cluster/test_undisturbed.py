"""Ctrl-C waits until what must not be interrupted is done, and then takes effect."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from kafkalab.cluster.undisturbed import undisturbed


def test_ctrl_c_takes_effect_at_the_end():
    done = []

    def work():
        with undisturbed():
            os.kill(os.getpid(), signal.SIGINT)
            done.append("what came after it")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_without_ctrl_c_nothing_happens():
    with undisturbed():
        pass
    with pytest.raises(ZeroDivisionError), undisturbed():
        1 / 0  # noqa: B018
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_other_threads_are_never_interrupted_and_may_use_it():
    seen = []

    def work():
        with undisturbed():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [signal.default_int_handler]
