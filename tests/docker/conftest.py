"""A real engine, and an image to build on, for every test in this folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import docker
import pytest

from kafkalab.cluster.docker.guard import FOLDER
from tests.docker.base import base_image
from tests.docker.engine import any_engine
from tests.docker.stack import clone
from tests.support.clusters import cool


@pytest.fixture(scope="session")
def engine(home: object) -> Iterator[docker.DockerClient]:
    """A Docker engine that answers, and KAFKALAB_DOCKER_BASE naming an image it has, also for child processes."""
    with any_engine() as client:
        before = os.environ.get("KAFKALAB_DOCKER_BASE")
        os.environ["KAFKALAB_DOCKER_BASE"] = base_image(client)
        yield client
        cool("docker")
        # Clusters that have a name keep their data when they stop, and nobody will come back for that of a test.
        for volume in client.volumes.list(filters={"label": FOLDER}):
            if "/kafkalab-test-" in volume.attrs["Labels"][FOLDER]:
                volume.remove(force=True)
        if before is None:
            del os.environ["KAFKALAB_DOCKER_BASE"]
        else:
            os.environ["KAFKALAB_DOCKER_BASE"] = before


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One clone for the run: a second one, of what was committed meanwhile, would be other images, built again."""
    return clone(tmp_path_factory.mktemp("clone"))


@pytest.fixture
def run(engine: docker.DockerClient) -> Iterator[Callable[..., Any]]:
    """Starts a container of an image; they go at the end, with what they wrote."""
    started: list[Any] = []

    def start(image: str, *command: str, **options: Any) -> Any:
        started.append(engine.containers.run(image, list(command), detach=True, **options))
        return started[-1]

    yield start
    for container in reversed(started):
        container.remove(force=True, v=True)
