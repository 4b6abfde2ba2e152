"""Looking at a cluster: what is waited out, what is said at once, and what is told of what was done to it."""

from __future__ import annotations

import pytest

from kafkalab import Cluster
from kafkalab.cluster.looking import Looking
from kafkalab.errors import Unreachable, WaitTimeout
from kafkalab.waiting import wait_until


class Answers:
    """A capture of brokers that know nothing ``doubted`` times, or are silent."""

    def __init__(self, doubted: int, *, silent: bool = False) -> None:
        self.left, self.doubting, self.asked = doubted, not silent, 0

    def __call__(self) -> str:
        self.asked += 1
        if not self.doubting or self.asked <= self.left:
            raise Unreachable("No broker tells of the cluster.")
        return "snapshot"


class Looked(Looking):
    def __init__(self, capture: Answers) -> None:
        self._captures = {"own": capture}


def test_what_is_doubted_is_asked_again_and_silence_is_said_at_once() -> None:
    capture = Answers(2)
    assert Looked(capture).snapshot() == "snapshot"
    assert capture.asked == 3
    capture = Answers(0, silent=True)
    with pytest.raises(Unreachable):
        Looked(capture).snapshot()
    assert capture.asked == 1


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


def test_what_a_cell_does_is_told_before_what_follows() -> None:
    with Cluster(backend="fake", brokers=3, quiet=True) as cluster:
        watcher = cluster.watcher()
        unsubscribe = watcher.subscribe(lambda update: None)
        wait_until(lambda: watcher.latest is not None, 10, "the first snapshot")
        cluster.broker(102).kill()
        wait_until(lambda: "broker 102 is down" in [e.text for e in watcher.events], 10, "it to be missed")
        told = [e.text for e in watcher.events]
        assert told.index("you killed broker 102") < told.index("broker 102 is down")
        unsubscribe()
