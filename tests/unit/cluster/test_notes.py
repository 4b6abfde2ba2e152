"""What a learner does to a node is told among what happened, from wherever it was done."""

from __future__ import annotations

import pytest

from kafkalab import Cluster
from kafkalab.errors import NodeFailed
from kafkalab.waiting import wait_until


def test_what_is_done_to_a_node_from_a_cell_is_told_before_what_follows() -> None:
    with Cluster(backend="fake", brokers=3, quiet=True) as cluster:
        unsubscribe = cluster.watcher().subscribe(lambda update: None)
        wait_until(lambda: cluster.watcher().latest is not None, 10, "the first snapshot")
        cluster.broker(102).kill()
        wait_until(lambda: "broker 102 is down" in [e.text for e in cluster.watcher().events], 10, "it to be missed")
        told = [e.text for e in cluster.watcher().events]
        assert told.index("you killed broker 102") < told.index("broker 102 is down")
        with pytest.raises(NodeFailed):
            cluster.broker(102).pause()
        unsubscribe()


def test_a_cluster_at_which_nobody_looks_is_not_watched_for_it() -> None:
    with Cluster(backend="fake", brokers=3, quiet=True) as cluster:
        cluster.broker(102).kill()
        assert cluster._watcher is None
