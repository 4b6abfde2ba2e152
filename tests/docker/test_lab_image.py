"""The whole lab in one container: `docker run` is all it takes, and no network."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import docker
import pytest

from kafkalab.cluster.ports import LOOPBACK, PortBook
from tests.docker.lab import opens_with_its_token
from tests.docker.nodes import Nodes, ended, wait_healthy
from tests.docker.stack import ROOT, keep_jars

#: Where no layer of it is there yet, building takes minutes.
pytestmark = pytest.mark.timeout(1500)


@pytest.fixture(scope="module")
def image(engine: docker.DockerClient, checkout: Path) -> str:
    """Built by the line in docs/running.md, from the run's clone: what Compose built of it is found, step by step."""
    line = re.search(r"^ +(docker build .*)$", (checkout / "docs" / "running.md").read_text(), re.M)
    assert line
    documented = shlex.split(line[1])
    name, base = "kafkalab/lab:test", os.environ["KAFKALAB_DOCKER_BASE"]
    documented[documented.index("kafkalab/lab")] = name
    if shutil.which("docker"):
        command = [*documented[:2], "--build-arg", f"BASE={base}", *documented[2:]]
        done = subprocess.run(command, cwd=checkout, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert done.returncode == 0, "\n".join(done.stdout.splitlines()[-40:])
    else:
        file, target = (documented[documented.index(option) + 1] for option in ("-f", "--target"))
        given = {"dockerfile": file, "target": target, "buildargs": {"BASE": base}}
        engine.images.build(path=str(checkout), tag=name, rm=True, forcerm=True, **given)
    keep_jars(engine)
    return str(engine.images.get(name).id)


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
