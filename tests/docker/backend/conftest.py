"""Clusters of containers: the warm ones, and what the engine has of a cluster."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from typing import Any

import docker
import pytest

from kafkalab import Cluster
from kafkalab.cluster.docker import guard
from kafkalab.cluster.folder import ClusterFolder
from kafkalab.cluster.spec import Mode
from tests.support.clusters import heal, warm
from tests.support.containers import Engine


@pytest.fixture(scope="session")
def up(engine: docker.DockerClient, home: object) -> Callable[..., Cluster]:
    """Starts clusters of containers."""

    def start(brokers: int = 1, mode: Mode = "kraft", **more: Any) -> Cluster:
        return Cluster(brokers, mode, backend="docker", quiet=True, **more)

    return start


@pytest.fixture
def mode() -> Mode:
    """Of the warm cluster; a test that asks for another parametrizes it."""
    return "zookeeper"


@pytest.fixture
def cluster(engine: docker.DockerClient, mode: Mode) -> Iterator[Cluster]:
    """Three brokers, healed after each test."""
    found = warm(mode, "docker")
    yield found
    heal(found)


@pytest.fixture
def a_name(engine: docker.DockerClient, home: object) -> Iterator[str]:
    """A name no other cluster has; whatever a failed test leaves of it goes."""
    name = f"named-{uuid.uuid4().hex[:6]}"
    yield name
    guard.forget(ClusterFolder.of(name))


@pytest.fixture
def there(engine: docker.DockerClient) -> Engine:
    return Engine(engine)
