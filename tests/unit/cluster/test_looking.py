"""A snapshot waits out the moment in which brokers answer and are not believed; who is silent is said at once."""

from __future__ import annotations

import pytest

from kafkalab import Cluster
from kafkalab.cluster.looking import Looking
from kafkalab.errors import Unreachable, WaitTimeout


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


def test_waiting_in_vain_says_how_the_cluster_stands() -> None:
    with Cluster(backend="fake", brokers=3, quiet=True) as cluster:
        cluster.create_topic("t", partitions=2, replication=3)
        cluster.broker(102).kill()
        with pytest.raises(WaitTimeout) as e:
            cluster.wait_for(lambda s: s.broker(102).alive, 0, "broker 102 to be back")
    assert e.value.seen == (
        "brokers up: 101, 103; down: 102; controller: 101; "
        "partitions: 2, 0 without a leader, 2 with replicas out of sync"
    )


def test_silence_is_said_at_once() -> None:
    capture = Answers(0, silent=True)
    with pytest.raises(Unreachable):
        Looked(capture).snapshot()
    assert capture.asked == 1
