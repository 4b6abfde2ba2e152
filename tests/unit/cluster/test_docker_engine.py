"""An engine that is not there, is not ours, or says no."""

from __future__ import annotations

import fcntl
import gc
import os
import signal
import socket
import subprocess
import time
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import docker
import pytest
import requests
from docker.errors import APIError

from kafkalab import Cluster
from kafkalab.cluster import backends
from kafkalab.cluster.docker import engine, guard
from kafkalab.cluster.docker.backend import DockerBackend
from kafkalab.cluster.folder import ClusterFolder
from kafkalab.cluster.spec import ClusterSpec, lay_out
from kafkalab.commands import clusters
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


class Thing:
    """A container, network or volume of a cluster's folder."""

    def __init__(self, kind: str, folder: Path, gone: list[str]) -> None:
        self.id, self.gone = f"{kind} of {folder.name}", gone
        self.attrs = {"Labels": {guard.FOLDER: str(folder), guard.NODE: "broker-101"}}

    def remove(self, **options: object) -> None:
        self.gone.append(self.id)


def test_volumes_without_a_readable_file_are_no_trial_and_reset_removes_them(tmp_path, monkeypatch):
    spec, folder = ClusterSpec("hurt", mode="kraft", brokers=1, zookeepers=0), ClusterFolder.of("hurt")
    gone: list[str] = []
    nothing = SimpleNamespace(list=lambda **how: [])
    volumes = SimpleNamespace(list=lambda filters: [Thing("volume", folder.path, gone)])
    client = SimpleNamespace(containers=nothing, networks=nothing, volumes=volumes, close=lambda: None)
    monkeypatch.setattr(engine, "connect", lambda patience=0: client)
    monkeypatch.setattr(guard, "clean_abandoned", list)
    for hurt in (lambda path: path.unlink(), lambda path: path.write_text("{")):
        folder.make()
        folder.write(spec, lay_out(spec, lambda wanted: 9092), backend="docker", owner=None)
        hurt(folder.path / "cluster.json")
        with pytest.raises(StartFailed, match="is damaged") as caught:
            backends.make("docker", spec, folder, throw_away=False, detached=True).start()
        assert "cluster.json cannot be read" in caught.value.seen
        assert caught.value.do == "Begin anew: kafkalab reset --name hurt"
        assert gone == [] and folder.path.exists()
        assert not backends.is_running(folder)
        clusters.reset("hurt")
        assert gone == ["volume of hurt"] and not folder.path.exists()
        gone.clear()


def test_the_file_says_which_kafka_wrote_the_data(tmp_path):
    folder = ClusterFolder.of("dated")
    folder.make()
    backend = DockerBackend(ClusterSpec("dated", brokers=1), folder, throw_away=False, detached=True)
    backend._prepare()
    assert folder.read()[2]["version"] == backend.version


def test_ctrl_c_waits_for_what_is_under_way() -> None:
    done: list[int] = []

    def interrupted() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.2)
        done.append(1)

    with pytest.raises(KeyboardInterrupt):
        engine.together([interrupted, lambda: done.append(2)])
    assert sorted(done) == [1, 2]


def test_a_start_that_is_interrupted_before_the_guard_watches_ends_the_guard(tmp_path, monkeypatch):
    folder = ClusterFolder.of("early")
    folder.make()
    backend = DockerBackend(ClusterSpec("early", brokers=1), folder, throw_away=True, detached=False)
    backend._client, backend._on_trial = object(), True
    monkeypatch.setattr(guard, "remove", lambda *_, **__: False)
    # Like a guard that is still being loaded: it holds no lock, and does not look at its pipe.
    backend._guard = early = subprocess.Popen(["sleep", "60"], stdin=subprocess.PIPE)
    backend._abandon()
    assert early.returncode == -signal.SIGKILL and backend._guard is None


def test_only_what_nobody_owns_is_removed_and_only_data_that_nobody_can_find_again(tmp_path, monkeypatch):
    monkeypatch.setenv("KAFKALAB_HOME", str(tmp_path / "home"))
    spec, place = ClusterSpec("c", mode="kraft", brokers=1), tmp_path / "home" / "clusters"
    more = {"backend": "docker", "throw_away": False, "owner": 1}
    changes = {"named": {}, "thrown": {"throw_away": True}, "detached": {"owner": None}, "alive": {"throw_away": True}}
    for name, change in {**changes, "damaged": {}}.items():
        folder = ClusterFolder(place / name)
        folder.make()
        folder.write(spec, lay_out(spec, lambda wanted: 9092), **{**more, **change})
    (place / "damaged" / "cluster.json").write_text("{")
    gone: list[str] = []
    paths = [*(place / name for name in (*changes, "damaged", "without-folder")), tmp_path / "of-another-home"]

    def things(kind: str) -> SimpleNamespace:
        def found(filters: dict[str, object], **how: object) -> list[Thing]:
            (label,) = filters["label"] if isinstance(filters["label"], list) else [filters["label"]]
            return [Thing(kind, path, gone) for path in paths if label in (guard.FOLDER, f"{guard.FOLDER}={path}")]

        return SimpleNamespace(list=found)

    client = SimpleNamespace(api=SimpleNamespace(logs=lambda id: b"its last words\n"))
    client.containers, client.networks, client.volumes = map(things, ("container", "network", "volume"))
    monkeypatch.setattr(guard, "asking", lambda what, patience: nullcontext(client))
    with (place / "alive" / "supervisor.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert sorted(guard.clean_abandoned()) == ["damaged", "named", "thrown", "without-folder"]
    every = [
        f"{kind} of {name}" for kind in ("container", "network", "volume") for name in ("thrown", "without-folder")
    ]
    assert sorted(gone) == sorted(
        [*every, *(f"{kind} of {name}" for kind in ("container", "network") for name in ("damaged", "named"))]
    )
    assert ClusterFolder(place / "named").tail("broker-101", 5) == "its last words"
    assert not (place / "thrown").exists() and (place / "alive").exists()
