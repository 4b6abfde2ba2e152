"""Brokers and Spark: the fixtures of :mod:`tests.clusters`."""

from tests.clusters import cluster, home, mode, new_topic, one_cluster

__all__ = ["cluster", "home", "mode", "new_topic", "one_cluster"]
