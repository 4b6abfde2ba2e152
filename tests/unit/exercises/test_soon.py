"""A check waits for what the brokers hear of a moment later, and not for ever."""

from __future__ import annotations

from threading import Timer

from kafkalab import Cluster
from kafkalab.exercises.topics import soon


def test_what_brokers_hear_of_a_moment_later_is_waited_for() -> None:
    with Cluster(brokers=3, backend="fake") as cluster:
        later = Timer(0.3, cluster.create_topic, ("later",))
        later.start()
        assert soon(cluster, lambda s: s.topic("later")).topic("later") is not None
        later.join()
        assert soon(cluster, lambda s: s.topic("never")).topic("never") is None
