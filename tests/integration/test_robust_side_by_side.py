"""Clusters side by side: two notebooks at the same moment, a machine that sleeps."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from typing import Any

import psutil
import pytest

from kafkalab import Cluster
from kafkalab.cluster.folder import ClusterFolder
from kafkalab.cluster.spec import MODES
from kafkalab.waiting import wait_until
from tests.support.records import fill, numbers, produce
from tests.support.traces import in_sync, no_process_left, supervisor

NOTEBOOK = """
import json, sys
from kafkalab import Cluster
from kafkalab.errors import StartFailed
mode, name = sys.argv[1:]
sys.stdin.readline()
try:
    cluster = Cluster(1, mode, name=name or None, quiet=True)
except StartFailed as e:
    print(json.dumps({"refused": e.what}))
    sys.exit()
cluster.create_topic("t")
print(json.dumps({
    "name": cluster.name, "pids": [n.pid for n in cluster.nodes()], "id": cluster.cluster_id,
    "ports": [p for n in cluster.backend.layout for p in n.ports], "folder": str(cluster.backend.folder.path),
}), flush=True)
sys.stdin.readline()
print(json.dumps([n.state for n in cluster.nodes()] + [t.name for t in cluster.snapshot().topics]), flush=True)
cluster.stop()
"""


class Notebook:
    """A process that starts a cluster when told, tells about it, and stops it when told again."""

    def __init__(self, mode: str, name: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", NOTEBOOK, mode, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def go_on(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def said(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())


@pytest.mark.deep
def test_notebooks_that_start_at_the_same_moment_share_nothing(home):
    notebooks = [Notebook("kraft", ""), Notebook("zookeeper", ""), Notebook("kraft", "one"), Notebook("kraft", "one")]
    for notebook in notebooks:
        notebook.go_on()
    told = [(notebook, notebook.said()) for notebook in notebooks]
    ((late, refused),) = [(n, t) for n, t in told if "refused" in t]
    assert late in notebooks[2:]
    assert "started by another process" in refused["refused"] or "running already" in refused["refused"]
    running = [(n, t) for n, t in told if n is not late]
    ports = [p for _, t in running for p in t["ports"]]
    assert len(ports) == len(set(ports)) == 6
    for key in ("name", "id", "folder"):
        assert len({t[key] for _, t in running}) == 3
    while running:  # stopping one leaves the others as they are
        notebook, its = running.pop()
        notebook.go_on()
        assert notebook.said() == ["running"] * len(its["pids"]) + ["t"]
        notebook.process.communicate(timeout=30)
        no_process_left(its["name"])
        assert all(psutil.pid_exists(pid) for _, t in running for pid in t["pids"])
    late.process.communicate(timeout=10)
    assert late.process.returncode == 0
    ClusterFolder.of("one").remove()


#: Longer than the sessions of brokers, seconds.
ASLEEP = 15.0


@pytest.mark.nightly
@pytest.mark.parametrize("mode", MODES)
def test_a_machine_that_sleeps_and_wakes(home, mode):
    with Cluster(3, mode, quiet=True) as cluster:
        cluster.create_topic("t", partitions=6, replication=3, settings={"min.insync.replicas": "2"})
        fill(cluster, "t", 300)
        machine = [psutil.Process(node.pid) for node in cluster.nodes()] + [supervisor(cluster)]
        for process in machine:
            process.suspend()
        woken = time.monotonic() + ASLEEP
        wait_until(lambda: time.monotonic() > woken, ASLEEP + 5, "the machine to have slept")
        random.Random(4).shuffle(machine)
        for process in machine:
            process.resume()
        # Sessions that ran out in its sleep are found out one by one: for a moment brokers seem to be missing.
        produce(cluster, "t", ({"value": b"%d" % n, "partition": n % 6} for n in range(300, 600)))
        in_sync(cluster)
        assert numbers(cluster, "t", 600) == [*range(600)]
        assert {n.state for n in cluster.nodes()} == {"running"}
