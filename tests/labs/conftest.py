"""Brokers and Spark: the fixtures of :mod:`tests.support.clusters`, and the cluster that notebooks attach to."""

from __future__ import annotations

import os

import pytest

from kafkalab import Cluster
from tests.labs.running import ROOT


@pytest.fixture
def lab_cluster(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> Cluster:
    """The warm cluster of a mode, as the one that notebooks attach to."""
    monkeypatch.setenv("KAFKALAB_CLUSTER", cluster.name)
    monkeypatch.setenv("KAFKALAB_PROGRESS", "off")
    # A notebook runs in its own folder; kafkalab is found there too when it is not installed.
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    return cluster
