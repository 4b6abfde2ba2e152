"""An engine that is not there, is not ours, or says no."""

from __future__ import annotations

import gc
import os
import socket

import docker
import pytest
import requests
from docker.errors import APIError

from kafkalab import Cluster
from kafkalab.cluster.docker import engine, guard
from kafkalab.cluster.docker.backend import DockerBackend
from kafkalab.cluster.folder import ClusterFolder
from kafkalab.cluster.spec import ClusterSpec, lay_out
from kafkalab.errors import NodeFailed, NotSupported, StartFailed

pytestmark = pytest.mark.usefixtures("home")


def start_fails(error: type[Exception], match: str) -> str:
    with pytest.raises(error, match=match) as caught:
        Cluster(1, "kraft", backend="docker", name="nowhere", quiet=True)
    assert not ClusterFolder.of("nowhere").path.exists()
    return str(caught.value)


def test_nobody_answers(monkeypatch, tmp_path):
    path = tmp_path / "docker.sock"
    monkeypatch.setenv("DOCKER_HOST", f"unix://{path}")
    said = start_fails(StartFailed, "No Docker engine answers")
    assert f"{path}: No such file" in said and "Docker Desktop" in said
    assert guard.clean_abandoned() == []
    assert not guard.is_running(ClusterFolder.of("nowhere"))
    guard.forget(ClusterFolder.of("nowhere"))
    with socket.socket(socket.AF_UNIX) as s:
        s.bind(str(path))
    assert "Connection refused" in start_fails(StartFailed, "No Docker engine answers")


def test_permission_denied(monkeypatch, tmp_path):
    path = tmp_path / "docker.sock"
    monkeypatch.setenv("DOCKER_HOST", f"unix://{path}")
    was = os.geteuid()
    with socket.socket(socket.AF_UNIX) as s:
        s.bind(str(path))
        s.listen()
        path.chmod(0)
        os.seteuid(was or 65534)
        try:
            with pytest.raises(StartFailed, match="not allowed to use the Docker engine"):
                engine.connect()
        finally:
            os.seteuid(was)


def test_an_engine_on_another_machine_is_refused_before_it_is_asked(monkeypatch):
    monkeypatch.setattr(docker, "DockerClient", lambda **_: pytest.fail("it was asked"))
    for host in ("tcp://192.0.2.1:2375", "ssh://somebody@192.0.2.1"):
        monkeypatch.setenv("DOCKER_HOST", host)
        said = start_fails(NotSupported, "is on another machine")
        assert "127.0.0.1" in said and host in said
        assert guard.clean_abandoned() == []


def test_what_it_says_becomes_what_to_do():
    response = requests.Response()
    response.status_code = 500
    for message, means, do in (
        ("non-overlapping IPv4 address pool among the defaults", "no addresses", "network rm"),
        ("write /var/lib/docker/tmp/x: no space left on device", "disk is full", "docker system df"),
        ("Bind for 127.0.0.1:9092 failed: port is already allocated", "a port on this machine", "another port"),
        ('The container name "/k" is already in use by container "f00"', "of that name", "another name"),
        ("something nobody thought of", "", "docker ps -a"),
    ):
        with pytest.raises(StartFailed) as caught, engine.speaking("It did not work.", StartFailed):
            raise APIError("no", response=response, explanation=message)
        assert means in caught.value.seen and message in caught.value.seen
        assert do in caught.value.do


# The library does not close a socket on which nobody answered.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_nodes_are_unknown_when_the_engine_has_gone_and_the_verbs_say_so(tmp_path):
    spec = ClusterSpec("gone", mode="kraft", brokers=1)
    backend = DockerBackend(spec, ClusterFolder(tmp_path / "gone"), throw_away=True, detached=False)
    backend.layout = lay_out(spec, lambda wanted: 9092)
    # As it was found once: an old version of the interface, which every engine speaks, needs no answer first.
    client = docker.DockerClient(base_url=f"unix://{tmp_path}/docker.sock", version="1.41")
    backend._client = client
    assert [n.state for n in backend.nodes()] == ["unknown"]
    assert backend.nodes()[0].verbs == ()
    with pytest.raises(NodeFailed, match="engine does not answer"):
        backend.act("broker-101", "kill")
    with pytest.raises(NodeFailed) as caught:
        backend.stop()
    assert "does not answer" in caught.value.seen
    client.close()
    gc.collect()
