"""A snapshot waits out the moment in which brokers answer and are not believed; who is silent is said at once."""

from __future__ import annotations

import pytest

from kafkalab.cluster.looking import Looking
from kafkalab.errors import Unreachable


class Answers:
    """A capture of brokers that know nothing ``doubted`` times, or are silent."""

    def __init__(self, doubted: int, *, silent: bool = False) -> None:
        self.left, self.silent, self.asked = doubted, silent, 0

    @property
    def doubting(self) -> bool:
        return not self.silent

    def __call__(self) -> str:
        self.asked += 1
        if self.silent or self.asked <= self.left:
            raise Unreachable("No broker tells of the cluster.")
        return "snapshot"


class Looked(Looking):
    def __init__(self, capture: Answers) -> None:
        self._captures = {"own": capture}


def test_what_is_doubted_is_asked_again() -> None:
    capture = Answers(2)
    assert Looked(capture).snapshot() == "snapshot"
    assert capture.asked == 3


def test_silence_is_said_at_once() -> None:
    capture = Answers(0, silent=True)
    with pytest.raises(Unreachable):
        Looked(capture).snapshot()
    assert capture.asked == 1
