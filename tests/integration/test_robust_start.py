"""What a start finds, and what it leaves when any of its steps fails: no process, and no folder that was not there."""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import signal
import socket
import subprocess
import sys
import weakref
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import psutil
import pytest

from kafkalab import Cluster
from kafkalab.cluster import preflight, supervisor
from kafkalab.cluster.folder import ClusterFolder, clean_abandoned
from kafkalab.cluster.interrupts import heeded
from kafkalab.cluster.local import LocalBackend
from kafkalab.cluster.net import LOOPBACK, PortBook
from kafkalab.cluster.spec import ClusterSpec, NodeSpec
from kafkalab.errors import KafkalabError, StartFailed
from kafkalab.waiting import wait_until
from tests.support.stand_in_java import stand_in_java
from tests.support.stopped import kept, pristine
from tests.support.traces import closed_in_order, in_sync, no_process_left, processes_of

__all__ = ["kept", "pristine", "stand_in_java"]

# shapes that take much of a machine


@pytest.mark.nightly
def test_an_ensemble_goes_on_with_a_majority_and_all_stop_in_order(home):
    with Cluster(5, zookeepers=3, name="many", quiet=True) as cluster:
        cluster.zookeeper(1).kill()
        cluster.create_topic("with-a-majority", partitions=5)
    folder = ClusterFolder.of("many")
    assert closed_in_order(folder) == {f"broker-{id}" for id in range(101, 106)}
    no_process_left("many")
    folder.remove()


@pytest.mark.deep
def test_controllers_of_their_own_outlast_the_brokers(home):
    with Cluster(2, "kraft", controllers=3, name="apart", quiet=True) as cluster:
        cluster.create_topic("t", partitions=4, replication=2)
    assert closed_in_order(ClusterFolder.of("apart")) == {"broker-101", "broker-102"}
    with Cluster(2, "kraft", controllers=3, name="apart", throw_away=True, quiet=True) as cluster:
        in_sync(cluster)
        assert cluster.snapshot().topic("t") is not None


# what a start finds


@pytest.mark.deep
def test_ports_and_pids_that_are_others_now(kept, caplog):
    folder = kept("zookeeper")
    layout = {node.name: node for node in folder.read()[1]}
    broker, name = layout["broker-101"], folder.name
    stranger = subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"])
    try:
        # What a crash leaves: a pid that is a stranger's by now, locks nobody holds, a socket nobody listens at.
        (folder.path / "supervisor.lock").write_text(str(stranger.pid))
        (folder.path / "start.lock").write_text(str(stranger.pid))
        stale = supervisor.socket_path(folder.path)
        with socket.socket(socket.AF_UNIX) as s:
            s.bind(str(stale))
        assert not folder.alive
        assert clean_abandoned() == []
        with socket.create_server((LOOPBACK, broker.port)):
            with Cluster(1, name=name, quiet=True) as cluster:
                assert cluster.snapshot().topic("t") is not None
                assert cluster.backend.layout[1].port != broker.port
                with pytest.raises(StartFailed, match="running already"):
                    Cluster(1, name=name, quiet=True)
            assert f"other ports than last time. Port {broker.port} cannot be used" in caplog.text
            assert f"pid {os.getpid()}" in caplog.text
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


def test_what_cannot_be_is_refused_before_anything_is_made(home, tmp_path, monkeypatch):
    def refused(**how):
        with pytest.raises(KafkalabError) as e:
            Cluster(name="never", quiet=True, **how)
        assert not ClusterFolder.of("never").path.exists()
        return e.value

    (tmp_path / "file").write_text("not a folder")
    with socket.create_server((LOOPBACK, 0)) as taken:
        port = taken.getsockname()[1]
        said = refused(port=port)
        assert str(port) in said.what and str(os.getpid()) in said.seen
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("KAFKALAB_HOME", str(tmp_path / "file"))
        assert "cannot be written" in refused().what
    with monkeypatch.context() as small:
        small.setattr(preflight, "look", lambda: preflight.Room(400 * preflight.MB))
        assert "brokers=2" in refused().do
    monkeypatch.setenv("KAFKALAB_CACHE", str(tmp_path / "file"))
    assert "KAFKALAB_CACHE" in refused().do
    assert not processes_of("never")


def test_a_full_disk(home, tmp_path, monkeypatch):
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)]
    if os.geteuid() != 0 or shutil.which("mount") is None or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("only root can mount a small disk to fill")
    try:
        (disk / "filler").write_bytes(b"x" * 900_000)
        monkeypatch.setenv("KAFKALAB_HOME", str(disk))
        with pytest.raises(StartFailed, match="is full") as e:
            Cluster(name="full", quiet=True)
        assert "MB free" in e.value.seen
        assert "KAFKALAB_HOME" in e.value.do
        assert [p for p in disk.rglob("*") if not p.is_dir()] == [disk / "filler"]
    finally:
        subprocess.run(["umount", str(disk)], check=True)


# what a start leaves that fails

Meddle = Callable[["Meddled", NodeSpec], None]


class Meddled(LocalBackend):
    """A start with somebody at its elbow: once, just before the node of that role is launched, or just after."""

    def __init__(self, spec: ClusterSpec, meddle: Meddle, when: str) -> None:
        super().__init__(spec, ClusterFolder.of(spec.name), throw_away=True, detached=False)
        self.meddle, self.when = meddle, when
        self.met = 0
        self.reference: object = None

    def _launch(self, node: NodeSpec) -> None:
        if self.when == f"before {node.name}":
            self.met += 1
            self.meddle(self, node)
        super()._launch(node)
        if self.when == f"after {node.name}":
            self.met += 1
            self.meddle(self, node)


def kill_node(backend: Meddled, node: NodeSpec) -> None:
    pid = next(n.pid for n in backend.nodes() if n.name == node.name)
    assert pid is not None
    psutil.Process(pid).kill()


def kill_supervisor(backend: Meddled, node: NodeSpec) -> None:
    pid = int((backend.folder.path / "supervisor.lock").read_text())
    psutil.Process(pid).kill()


def no_java(backend: Meddled, node: NodeSpec) -> None:
    os.environ["JAVA_HOME"] = str(backend.folder.path)


def lose_the_folder(backend: Meddled, node: NodeSpec) -> None:
    shutil.rmtree(backend.folder.path)


def fail(backend: Meddled, node: NodeSpec) -> None:
    raise KeyboardInterrupt


def lose_ctrl_c(backend: Meddled, node: NodeSpec) -> None:
    """It comes in the callback of a weak reference: Python prints it, and goes on."""
    target = type("Target", (), {})()
    backend.reference = weakref.ref(target, lambda _: os.kill(os.getpid(), signal.SIGINT))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("meddle, when", [
    (lose_ctrl_c, "after broker-102"),
    (no_java, "before broker-101"), (lose_the_folder, "before broker-102"),
    (fail, "before zookeeper-1"), (fail, "after broker-102"),
    (kill_node, "after zookeeper-1"), (kill_node, "after broker-102"),
    (kill_supervisor, "before broker-101"), (kill_supervisor, "after broker-102"),
])  # fmt: skip
def test_a_step_that_fails_leaves_nothing(stand_in_java, meddle, when):
    backend = Meddled(ClusterSpec("meddled", brokers=2), meddle, when)
    with pytest.raises((KafkalabError, KeyboardInterrupt)) as e, heeded():
        backend.start()
    assert backend.met == 1
    if meddle in (kill_supervisor, kill_node):
        assert isinstance(e.value, StartFailed)
    no_process_left("meddled")
    assert not backend.folder.path.exists()
    assert not backend.folder.alive


@pytest.mark.deep
@pytest.mark.parametrize("node", ["zookeeper-1", "broker-101"])
def test_a_port_stolen_at_the_last_moment(home, node):
    """One that nobody asked for is changed; without one that somebody chose nothing is started."""
    with ExitStack() as thieves:

        def steal(backend: Meddled, of: NodeSpec) -> None:
            backend.when = ""  # once
            thieves.enter_context(socket.create_server((LOOPBACK, of.port)))

        backend = Meddled(ClusterSpec("stolen", brokers=1), steal, f"before {node}")
        backend.start()
        assert backend.met == 1
        backend.stop()
        with PortBook() as book:
            chosen = {"port" if node.startswith("broker") else "zookeeper_port": book.take()}
        backend = Meddled(ClusterSpec("stolen", brokers=1, **chosen), steal, f"before {node}")
        with pytest.raises(StartFailed, match=f"{node} ended"):
            backend.start()
        assert backend.met == 1
        assert not processes_of("stolen")
        assert not backend.folder.path.exists()


#: What is there when the moment has come to interrupt a start.
MOMENTS = {
    "the folder is made": "start.lock",
    "the supervisor comes": "supervisor.log",
    "the supervisor is there": "supervisor.lock",
    "the first node comes": "logs/zookeeper-1.log",
    "the brokers come": "logs/broker-101.log",
    "brokers are under way": "data/broker-101/meta.properties",
}
UP = [sys.executable, "-m", "kafkalab", "up", "--name", "cut-short"]


@pytest.fixture(autouse=True)
def nothing_for_the_next() -> Iterator[None]:
    """What a test that failed left running is no other test's failure."""
    yield
    for process in processes_of("cut-short"):
        with contextlib.suppress(psutil.Error):
            process.kill()
    shutil.rmtree(ClusterFolder.of("cut-short").path, ignore_errors=True)


def python(*, detached: bool) -> list[str]:
    source = f"from kafkalab import Cluster; Cluster(2, name='cut-short', quiet=True, detached={detached})"
    return [sys.executable, "-c", source]


def interrupted(command: list[str], moment: str, number: signal.Signals) -> tuple[ClusterFolder, int, str]:
    folder = ClusterFolder.of("cut-short")
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    wait_until((folder.path / MOMENTS[moment]).exists, 60, moment, period=0.001)
    process.send_signal(number)
    said = process.communicate(timeout=60)[1]
    return folder, process.returncode, said


@pytest.mark.parametrize("moment", [m for m in MOMENTS if m != "brokers are under way"])
def test_ctrl_c_at_any_moment_leaves_nothing(stand_in_java, moment):
    folder, _, said = interrupted(python(detached=moment == "the brokers come"), moment, signal.SIGINT)
    assert "KeyboardInterrupt" in said
    assert not processes_of("cut-short")
    assert not folder.path.exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_up_that_is_asked_to_end_leaves_nothing(stand_in_java, number):
    folder, code, _ = interrupted(UP, "the brokers come", number)
    assert code == 130  # as after Ctrl-C
    assert not processes_of("cut-short")
    assert not folder.path.exists()


@pytest.mark.deep
def test_a_start_cut_short_among_running_brokers_can_be_made_again(home, caplog):
    caplog.set_level(logging.WARNING)
    folder, _, said = interrupted(python(detached=True), "brokers are under way", signal.SIGINT)
    assert "KeyboardInterrupt" in said
    assert not folder.path.exists()
    assert not processes_of("cut-short")
    folder, _, _ = interrupted(python(detached=False), "brokers are under way", signal.SIGKILL)
    no_process_left("cut-short")
    with Cluster(2, name="cut-short", throw_away=True, quiet=True) as cluster:
        cluster.create_topic("t", partitions=2, replication=2)
    assert not folder.path.exists()
    assert "damaged" not in caplog.text
