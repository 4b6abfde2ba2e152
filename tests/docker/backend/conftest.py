"""Clusters of containers: one of three brokers a mode, kept warm for a module, and what the engine has of a cluster."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import docker
import pytest

from kafkalab import Cluster
from kafkalab.cluster.docker import image, owner
from kafkalab.cluster.spec import Mode
from tests.support.clusters import heal


@pytest.fixture(scope="session")
def up(engine: docker.DockerClient, home: object) -> Callable[..., Cluster]:
    """Starts clusters of containers."""

    def start(brokers: int = 1, mode: Mode = "kraft", **more: Any) -> Cluster:
        return Cluster(brokers, mode, backend="docker", quiet=True, **more)

    return start


@pytest.fixture(scope="module", params=["zookeeper", "kraft"])
def warm(request: pytest.FixtureRequest, up: Callable[..., Cluster]) -> Iterator[Cluster]:
    with up(3, request.param, name=f"warm-{uuid.uuid4().hex[:6]}", throw_away=True) as cluster:
        yield cluster


@pytest.fixture
def cluster(warm: Cluster) -> Iterator[Cluster]:
    """Three brokers, in both modes; healed after each test."""
    yield warm
    heal(warm)


@pytest.fixture
def a_name(engine: docker.DockerClient, home: object) -> Iterator[str]:
    """A name no other cluster has; whatever a failed test leaves of it goes."""
    name = f"named-{uuid.uuid4().hex[:6]}"
    yield name
    owner.forget(name)


@dataclass
class Engine:
    """What the engine has, by names alone: whatever the labels say."""

    client: docker.DockerClient

    def containers(self, cluster: str) -> list[str]:
        found = self.client.api.containers(all=True)
        return sorted(n.lstrip("/") for c in found for n in c["Names"] or [] if f"-{cluster}-" in n)

    def volumes(self, cluster: str) -> list[str]:
        return sorted(v["Name"] for v in self.client.api.volumes()["Volumes"] or [] if f"-{cluster}-" in v["Name"])

    def networks(self, cluster: str) -> list[str]:
        return [n["Name"] for n in self.client.api.networks() if n["Name"] == f"kafkalab-{cluster}"]

    def everything(self, cluster: str) -> list[str]:
        return self.containers(cluster) + self.volumes(cluster) + self.networks(cluster)

    def image(self) -> str:
        return image.ensure(self.client)

    def inspect(self, cluster: str, node: str) -> dict[str, Any]:
        found: dict[str, Any] = self.client.api.inspect_container(f"kafkalab-{cluster}-{node}")
        return found


@pytest.fixture
def there(engine: docker.DockerClient) -> Engine:
    return Engine(engine)
