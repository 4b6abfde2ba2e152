"""A real engine, and an image to build on, for every test in this folder."""

from __future__ import annotations

import os
from collections.abc import Iterator

import docker
import pytest

from tests.clusters import home
from tests.docker.base import base_image
from tests.docker.engine import any_engine

__all__ = ["engine", "home"]


@pytest.fixture(scope="session")
def engine() -> Iterator[docker.DockerClient]:
    """A Docker engine that answers, and KAFKALAB_DOCKER_BASE naming an image it has, also for child processes."""
    with any_engine() as client:
        before = os.environ.get("KAFKALAB_DOCKER_BASE")
        os.environ["KAFKALAB_DOCKER_BASE"] = base_image(client)
        yield client
        if before is None:
            del os.environ["KAFKALAB_DOCKER_BASE"]
        else:
            os.environ["KAFKALAB_DOCKER_BASE"] = before
