"""The doctor before a real engine."""

from __future__ import annotations

import docker
import pytest

from kafkalab.cluster.docker.image import base
from kafkalab.commands import doctor_docker
from kafkalab.commands.listeners.address import Address
from kafkalab.commands.listeners.follow import follow

pytestmark = pytest.mark.deep


def test_it_says_what_the_engine_says_of_itself(engine: docker.DockerClient) -> None:
    checks = {c.name: c for c in doctor_docker.examine()}
    said = engine.version()
    assert checks["docker: engine"].ok
    assert said["Version"] in checks["docker: engine"].seen
    assert checks["docker: memory"].seen.startswith(f"the engine has {engine.info()['MemTotal'] // 2**20} MB")
    # Built or not, the image is named; the engine of the tests has the base.
    assert "kafkalab/node:" in checks["docker: image"].seen
    assert checks["docker: compose"].ok


def test_a_published_port_behind_which_nothing_listens(engine: docker.DockerClient) -> None:
    container = engine.containers.run(
        base(), ["sleep", "60"], detach=True, remove=True, labels={"kafkalab.test": "doctor"},
        ports={"9092/tcp": ("127.0.0.1", None)},
    )  # fmt: skip
    try:
        container.reload()
        port = int(container.ports["9092/tcp"][0]["HostPort"])
        hops = follow([Address("127.0.0.1", port)])
    finally:
        container.remove(force=True)
    assert [(hop.step, hop.ok) for hop in hops] == [("name", True), ("connection", True), ("protocol", False)]
    assert "hangs up at once" in hops[-1].seen
    assert "Docker's proxy" in hops[-1].why
