"""The warm clusters that all tests share: one a backend and mode, in a home of their own."""

from __future__ import annotations

import os
import shutil
import tempfile
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kafkalab import Cluster
from kafkalab.cluster.backend import BackendName
from kafkalab.cluster.spec import Mode
from tests.support.traces import in_sync

_warm: dict[tuple[BackendName, Mode], Cluster] = {}


@pytest.fixture(scope="session", autouse=True)
def home() -> Iterator[Path]:
    """KAFKALAB_HOME for this run, also for processes that tests start: the tester's own clusters are never touched."""
    before = os.environ.get("KAFKALAB_HOME")
    path = Path(tempfile.mkdtemp(prefix="kafkalab-test-"))
    os.environ["KAFKALAB_HOME"] = str(path)
    yield path
    cool("local", "fake")
    if before is None:
        del os.environ["KAFKALAB_HOME"]
    else:
        os.environ["KAFKALAB_HOME"] = before
    shutil.rmtree(path, ignore_errors=True)


def warm(mode: Mode, backend: BackendName = "local") -> Cluster:
    """The shared cluster of a mode: 3 brokers, named, so that notebooks and commands can attach to it."""
    if (backend, mode) not in _warm:
        name = f"warm-{mode}-{uuid.uuid4().hex[:6]}"
        # A new controller gives partitions back to their preferred leaders after 5 s: in the middle of a test.
        settings = {"auto.leader.rebalance.enable": "false"}
        # Nobody comes back for the data of containers.
        throw_away = backend == "docker"
        found = Cluster(3, mode, backend=backend, name=name, settings=settings, throw_away=throw_away, quiet=True)
        _warm[backend, mode] = found
    return _warm[backend, mode]


def cool(*backends: BackendName) -> None:
    """End the shared clusters of these backends."""
    for of in [of for of in _warm if of[0] in backends]:
        _warm.pop(of).stop()


def heal(cluster: Cluster) -> None:
    """Start every node that a test left down or paused, and wait until every replica is in sync."""
    for node in cluster.nodes():
        if node.state != "running":
            cluster.act(node.name, "join" if node.state == "cut" else "start")
    in_sync(cluster)


@pytest.fixture(params=["zookeeper", "kraft"], scope="session")
def mode(request: pytest.FixtureRequest) -> Mode:
    """Both modes; session scope makes pytest group the tests by it."""
    found: Mode = request.param
    return found


@pytest.fixture
def cluster(home: Path, mode: Mode) -> Iterator[Cluster]:
    """The warm cluster, in both modes; healed after each test."""
    found = warm(mode)
    yield found
    heal(found)


@pytest.fixture
def one_cluster(home: Path) -> Iterator[Cluster]:
    """The warm cluster with ZooKeeper, for tests to which the mode is nothing."""
    found = warm("zookeeper")
    yield found
    heal(found)


@pytest.fixture
def new_topic(request: pytest.FixtureRequest) -> Callable[[str], str]:
    """Makes names no other test uses."""
    return lambda stem="t": f"{stem}-{uuid.uuid4().hex[:8]}"
