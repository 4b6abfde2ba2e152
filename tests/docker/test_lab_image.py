"""The whole lab in one container: `docker run` is all it takes, and no network."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docker
import pytest

from kafkalab.cluster.net import LOOPBACK, PortBook
from kafkalab.waiting import wait_until
from tests.docker.container import ended, said, wait_healthy
from tests.docker.stack import ROOT

#: Where no layer of it is there yet, building takes minutes.
pytestmark = [pytest.mark.deep, pytest.mark.timeout(1500)]


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
    return str(engine.images.get(name).id)


def status(url: str) -> int:
    try:
        with urllib.request.urlopen(url, timeout=20) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        refused.close()
        return refused.code


def test_docker_run_opens_jupyterlab(run: Callable[..., Any], image: str) -> None:
    """The address it prints opens the first lab; with a wrong token, or without one, nothing opens."""
    with PortBook() as book:
        port = book.take()
    container = run(image, ports={"8888/tcp": (LOOPBACK, port)})
    wait_healthy(container)
    address = r"http://127\.0\.0\.1:8888(/lab/tree/\S+)\?token=(\w{20,})"
    path, token = wait_until(lambda: re.search(address, said(container)), 30, "JupyterLab's address").groups()
    here = f"http://127.0.0.1:{port}"
    contents = (f"{here}/api/contents{query}" for query in ("", f"?token={'0' * 48}", f"?token={token}"))
    assert [status(url) for url in contents] == [403, 403, 200]
    assert status(f"{here}{path}?token={token}") == 200
    container.stop(timeout=60)
    assert ended(container)[0] == 0


def test_a_folder_that_the_user_may_not_write_is_told_in_a_sentence(run: Callable[..., Any], image: str) -> None:
    """As a bind mount of somebody else's folder is."""
    code, log = ended(run(image, tmpfs={"/lab": "mode=0555"}, network_mode="none"))
    assert code == 1
    assert "/lab cannot be written by the user 1000" in log
    assert "--user" in log


@pytest.mark.nightly
def test_everything_is_in_it_for_any_user_of_group_0(run: Callable[..., Any], image: str) -> None:
    """JupyterLab starts, and the whole story runs, Spark and all: without any network, as a user without a name."""
    container = run(image, network_mode="none", user="1234:0")
    wait_healthy(container)
    assert container.exec_run(["test", "-w", "/lab/labs/00_start_here.ipynb"]).exit_code == 0
    command = ["kafkalab", "demo", "--json", "--minutes", "0.25", "--trucks", "50"]
    done = container.exec_run(command, demux=True)
    assert done.exit_code == 0, b"".join(filter(None, done.output)).decode()
    told = json.loads(done.output[0])
    assert (told["lost"], told["duplicated"]) == (0, 0)
    assert told["seen"] == told["sent"] > 100


def test_what_is_installed_is_what_the_lock_names(run: Callable[..., Any], image: str) -> None:
    ask = "import json, importlib.metadata as m; print(json.dumps([(d.name, d.version) for d in m.distributions()]))"
    container = run(image, "-c", ask, entrypoint="python")
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
