"""What a fresh clone gives with Compose: a cluster that is driven from outside, and a JupyterLab that runs lab 00.

One project for all, in the order in which somebody would look at it; each of the two images is built once, by a service
that has it, and the others, which would build the same, find it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import docker
import pytest

from kafkalab import Cluster
from tests.docker.container import wait_healthy
from tests.docker.stack import Stack, project
from tests.support.records import fill, numbers

#: The image of the lab takes minutes where no layer of it is there yet.
pytestmark = [pytest.mark.deep, pytest.mark.timeout(1500)]

ALWAYS = {"zookeeper-1", "broker-101", "broker-102", "broker-103", "lab"}


@pytest.fixture(scope="module")
def stack(engine: docker.DockerClient, checkout: Path) -> Iterator[Stack]:
    with project(engine, checkout) as found:
        # An earlier run's images would do for Compose, but not for us.
        found.compose("build", "zookeeper-1", "lab")
        found.compose("up", "--detach")
        yield found


def _write_and_read(bootstrap_servers: str) -> None:
    """A topic with a replica on each broker; records to its partitions and back."""
    with Cluster.connect(bootstrap_servers) as cluster:
        # Each says of itself that it is well; the one that is asked may hear of the others a moment later.
        every = [(101, True), (102, True), (103, True)]
        cluster.wait_for(lambda s: [(b.id, b.alive) for b in s.brokers] == every, 30, "all three to be known")
        cluster.create_topic("letters", partitions=3, replication=3)
        fill(cluster, "letters", 6)
        assert numbers(cluster, "letters") == list(range(6))


def test_up_brings_the_cluster_of_the_course_and_the_lab(stack: Stack, engine: docker.DockerClient) -> None:
    containers = stack.containers()
    assert set(containers) == ALWAYS
    built = {name: engine.images.get(f"kafkalab/{name}:test").id for name in ("node", "lab")}
    ran = {name: container.image.id for name, container in containers.items()}
    assert ran == {name: built["lab" if name == "lab" else "node"] for name in ALWAYS}
    for container in containers.values():
        wait_healthy(container, 180)
    # It is driven from outside, and the lab reaches it by name.
    _write_and_read(f"127.0.0.1:{stack.port('broker-101')}")
    script = (
        "import os; from kafkalab import Cluster\n"
        "print([b.id for b in Cluster.connect(os.environ['KAFKALAB_BOOTSTRAP_SERVERS']).snapshot().brokers])"
    )
    said = containers["lab"].exec_run(["python", "-c", script]).output.decode()
    assert said.splitlines()[-1] == "[101, 102, 103]"


def test_lab_00_runs_in_it(stack: Stack) -> None:
    """Its solved form, graded where a learner would run it: with the cluster inside the lab, which it may break."""
    find = "from kafkalab.grading.restore import carried_labs as c; print(c() / 'solutions' / '00_start_here.ipynb')"
    done = stack.containers()["lab"].exec_run(
        ["sh", "-c", f'kafkalab grade --json "$(python -c "{find}")"'], demux=True
    )  # fmt: skip
    out, err = (part.decode() if part else "" for part in done.output)
    assert done.exit_code == 0, err
    graded = json.loads(out)["notebooks"][0]
    assert graded["points"] == graded["out_of"] > 0, graded


@pytest.mark.nightly
@pytest.mark.parametrize("profile", ["kraft", "ensemble"])
def test_a_profile_brings_another_cluster_beside_it(stack: Stack, profile: str) -> None:
    text = stack.compose("--profile", profile, "config", "--services")
    services = [name for name in text.split() if name.startswith(f"{profile}-")]
    assert len(services) == {"kraft": 3, "ensemble": 6}[profile]
    stack.compose("--profile", profile, "up", "--detach", *services)
    for name in services:
        wait_healthy(stack.containers()[name])
    _write_and_read(f"127.0.0.1:{stack.port(f'{profile}-broker-101')}")
    # The next one has no need of it, and the health checks of all of them would keep a small machine busy.
    stack.compose("--profile", profile, "kill", *services)


def test_down_leaves_nothing(stack: Stack) -> None:
    assert len(stack.left()) > len(ALWAYS)
    stack.compose("--profile", "kraft", "--profile", "ensemble", "down", "--volumes", "--timeout", "5")
    assert stack.left() == []
