"""The whole lab in one container: `docker run` is all it takes, and no network."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator

import docker
import pytest

from kafkalab.cluster.ports import LOOPBACK, PortBook
from tests.docker.lab import opens_with_its_token
from tests.docker.nodes import Nodes, ended, wait_healthy
from tests.docker.stack import ROOT, clone

#: Where no layer of it is there yet, building takes minutes.
pytestmark = pytest.mark.timeout(1500)


@pytest.fixture(scope="module")
def image(engine: docker.DockerClient, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Built as docs/running.md says, from a fresh clone."""
    built, _ = engine.images.build(
        path=str(clone(tmp_path_factory.mktemp("clone"))),
        dockerfile="docker/Dockerfile",
        target="lab",
        tag="kafkalab/lab:test",
        buildargs={"BASE": os.environ["KAFKALAB_DOCKER_BASE"]},
        rm=True,
        forcerm=True,
    )
    return str(built.id)


@pytest.fixture
def nodes(engine: docker.DockerClient, image: str) -> Iterator[Nodes]:
    found = Nodes(engine, image)
    yield found
    found.remove()


def test_docker_run_opens_jupyterlab(engine: docker.DockerClient, nodes: Nodes) -> None:
    with PortBook() as book:
        port = book.take()
    container = engine.containers.run(nodes.image, detach=True, ports={"8888/tcp": (LOOPBACK, port)})
    nodes.containers.append(container)
    wait_healthy(container)
    opens_with_its_token(container, port)
    container.stop(timeout=60)
    assert ended(container)[0] == 0


def test_everything_is_in_it(engine: docker.DockerClient, nodes: Nodes) -> None:
    """The whole story, Spark and all, without any network."""
    command = ["demo", "--json", "--minutes", "0.25", "--trucks", "50"]
    container = engine.containers.run(nodes.image, command, entrypoint="kafkalab", detach=True, network_mode="none")
    nodes.containers.append(container)
    code = container.wait(timeout=300)["StatusCode"]
    assert code == 0, container.logs().decode()
    told = json.loads(container.logs(stderr=False))
    assert (told["lost"], told["duplicated"]) == (0, 0)
    assert told["seen"] == told["sent"] > 100


def test_what_is_installed_is_what_the_lock_names(engine: docker.DockerClient, nodes: Nodes) -> None:
    ask = "import json, importlib.metadata as m; print(json.dumps([(d.name, d.version) for d in m.distributions()]))"
    container = engine.containers.run(nodes.image, ["-c", ask], entrypoint="python", detach=True)
    nodes.containers.append(container)
    container.wait(timeout=60)
    lock = (ROOT / "requirements.lock").read_text() + (ROOT / "requirements-build.lock").read_text()
    locked = set(re.findall(r"^([a-z0-9-]+)==([^\s;]+)", lock, re.M))
    installed = {
        (re.sub(r"[-_.]+", "-", name).lower(), version) for name, version in json.loads(container.logs(stderr=False))
    }
    names = {name for name, _ in installed}
    assert {"kafkalab", "pyspark", "jupyterlab", "kafka-python"} <= names
    assert names & {"mypy", "ruff", "playwright"} == set()
    assert {name for name, _ in installed - locked} == {"kafkalab", "pip"}
