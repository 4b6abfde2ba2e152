"""How a cluster begins and ends, and what of it stays: the same in every backend."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Container
from pathlib import Path
from typing import Any

import psutil
import pytest

from kafkalab import Cluster
from kafkalab.cluster.folder import ClusterFolder
from kafkalab.commands.clusters import down
from kafkalab.errors import BadInput, KafkalabError, StartFailed
from tests.contract.conftest import EVERY, MODELS, REAL, over


def ports(cluster: Cluster) -> set[int]:
    return {n.port for n in cluster.nodes() if n.port is not None}


def listening(of: Any, wanted: Container[int] = range(2**16)) -> set[str]:
    """The addresses at which the machine (``psutil``) or one of its processes listens on these ports."""
    found = (c.laddr for c in of.net_connections(kind="inet") if c.status == psutil.CONN_LISTEN)
    return {at.ip.removeprefix("::ffff:") for at in found if at.port in wanted}


@over([*MODELS, *EVERY])
def test_a_named_cluster(kind, cluster, new_topic, a_name):
    topic, name, model = new_topic(), a_name(), kind.backend == "fake"
    mine = kind.new(name=name)
    try:
        # Two at once share nothing.
        assert cluster.cluster_id != mine.cluster_id and not ports(cluster) & ports(mine)
        mine.create_topic(topic, partitions=2)
        assert cluster.snapshot().topic(topic) is None
        was = (mine.cluster_id, mine.bootstrap_servers)
        if not model:
            with pytest.raises(StartFailed, match="running already"):
                kind.new(name=name)

        used = ports(mine)
        mine.stop()
        mine.stop()
        assert {n.state for n in mine.nodes()} <= {"stopped"}
        assert listening(psutil, used) == set()
        with pytest.raises(KafkalabError):
            mine.snapshot()
        if not model:  # what lies under that name belongs to a cluster of another shape
            other = "kraft" if kind.mode == "zookeeper" else "zookeeper"
            elsewhere = "docker" if kind.backend == "local" else "local"
            for mode, backend in ((other, kind.backend), (kind.mode, elsewhere)):
                with pytest.raises((BadInput, StartFailed), match="exists already"):
                    Cluster(1, mode, backend=backend, name=name, quiet=True)

        mine.start()
        assert (mine.cluster_id, mine.bootstrap_servers) == was
        assert len(mine.snapshot().topic(topic).partitions) == 2
        mine.reset()
        assert mine.snapshot().topic(topic) is None
        assert mine.bootstrap_servers == was[1]
        assert mine.cluster_id != was[0]
    finally:
        mine.stop()
        down(name, remove=True)
    assert not ClusterFolder.of(name).path.exists()


@over(REAL)
def test_one_without_a_name_keeps_its_ports_when_it_is_reset(kind, new_topic):
    topic = new_topic()
    with kind.new() as mine:
        mine.create_topic(topic)
        was = mine.bootstrap_servers
        mine.reset()
        assert mine.bootstrap_servers == was and mine.snapshot().topic(topic) is None


@over(EVERY)
def test_another_process_attaches(cluster):
    ask = (
        "import sys; from kafkalab import Cluster; c = Cluster.attach(sys.argv[1]);"
        "print(c.bootstrap_servers); c.broker(102).pause()"
    )
    said = subprocess.check_output([sys.executable, "-c", ask, cluster.name], text=True, timeout=60)
    assert said.strip() == cluster.bootstrap_servers
    # It was not the owner: the cluster goes on, as it left it.
    assert cluster.broker(102).state == "paused"
    assert cluster.broker(101).state == "running"


@over(REAL)
def test_a_setting_that_kafka_refuses(kind, a_name):
    name = a_name()
    with pytest.raises(StartFailed, match="broker-101 ended while it was starting") as e:
        kind.new(name=name, settings={"num.io.threads": "none"})
    assert "num.io.threads" in f"{e.value.seen} {e.value.log}"
    assert not ClusterFolder.of(name).path.exists()
    assert Path(e.value.do.removeprefix("Its whole log: ")).is_file()
    assert "num.io.threads" in ClusterFolder.of(name).tail("broker-101", 60)


@over(REAL)
def test_loopback_only(kind, cluster):
    """On the ports it says, and of processes here on any other."""
    assert listening(psutil, ports(cluster)) == {"127.0.0.1"}
    for node in cluster.nodes() if kind.backend == "local" else ():
        assert listening(psutil.Process(node.pid)) == {"127.0.0.1"}
