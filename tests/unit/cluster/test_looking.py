"""Looking at a cluster: what is waited out, what is said at once, and what is told of what was done to it."""

from __future__ import annotations

from unittest.mock import Mock

import pytest

from kafkalab import Cluster
from kafkalab.errors import Unreachable, WaitTimeout
from kafkalab.waiting import wait_until


def test_what_is_doubted_is_asked_again_and_silence_is_said_at_once() -> None:
    unknown, looking = Unreachable("No broker gave any information."), Cluster.__new__(Cluster)
    doubting = Mock(side_effect=[unknown, unknown, "snapshot"], doubting=True)
    looking._captures = {"own": doubting}
    assert (looking.snapshot(), doubting.call_count) == ("snapshot", 3)
    looking._captures = {"own": Mock(side_effect=unknown, doubting=False)}
    with pytest.raises(Unreachable):
        looking.snapshot()


def test_waiting_in_vain_says_how_the_cluster_stands() -> None:
    with Cluster(backend="fake", brokers=3, quiet=True) as cluster:
        cluster.create_topic("t", partitions=2, replication=3)
        cluster.broker(102).kill()
        with pytest.raises(WaitTimeout) as e:
            cluster.wait_for(lambda s: s.broker(102).alive, 0, "broker 102 to be back")
    assert e.value.seen.startswith("brokers up: 101, 103; down: 102; controller: 101; ")


def test_what_a_cell_does_is_told_before_what_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KAFKALAB_BACKEND", "fake")
    with Cluster(brokers=3, quiet=True) as cluster:
        assert cluster.backend.kind == "fake"
        watcher = cluster.watcher()
        unsubscribe = watcher.subscribe(lambda update: None)
        wait_until(lambda: watcher.latest is not None, 10, "the first snapshot")
        cluster.broker(102).kill()
        wait_until(lambda: "broker 102 is down" in [e.text for e in watcher.events], 10, "it to be missed")
        told = [e.text for e in watcher.events]
        assert told.index("you killed broker 102") < told.index("broker 102 is down")
        unsubscribe()
