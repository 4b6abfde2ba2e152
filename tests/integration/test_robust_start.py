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
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from kafkalab import Cluster
from kafkalab.cluster import preflight, supervised
from kafkalab.cluster.folder import ClusterFolder, clean_abandoned
from kafkalab.cluster.local import LocalBackend
from kafkalab.cluster.ports import LOOPBACK, PortBook
from kafkalab.cluster.spec import ClusterSpec, NodeSpec
from kafkalab.errors import KafkalabError, StartFailed
from kafkalab.waiting import wait_until
from tests.support.traces import closed_in_order, fingerprint, in_sync, no_process_left, processes_of

# shapes that take much of a machine


def on_loopback(cluster: Cluster) -> None:
    for node in cluster.nodes():
        found = psutil.Process(node.pid).net_connections(kind="inet")
        listening = [c.laddr for c in found if c.status == psutil.CONN_LISTEN]
        assert {n.port for n in cluster.nodes() if n.name == node.name} <= {at.port for at in listening}
        assert {at.ip.removeprefix("::ffff:") for at in listening} == {LOOPBACK}, node


def test_five_brokers_and_three_zookeepers_start_and_stop_in_order(home):
    with Cluster(5, zookeepers=3, name="five", quiet=True) as cluster:
        assert len(cluster.nodes()) == 8
        on_loopback(cluster)
        cluster.create_topic("t", partitions=10, replication=3)
        cluster.zookeeper(1).kill()
        cluster.create_topic("with-two-of-three", partitions=5, replication=3)
    folder = ClusterFolder.of("five")
    assert closed_in_order(folder) == {f"broker-{id}" for id in range(101, 106)}
    no_process_left("five")
    folder.remove()


def test_controllers_of_their_own_outlast_the_brokers(home):
    with Cluster(2, "kraft", controllers=3, name="apart", quiet=True) as cluster:
        on_loopback(cluster)
        cluster.create_topic("t", partitions=4, replication=2)
    assert closed_in_order(ClusterFolder.of("apart")) == {"broker-101", "broker-102"}
    with Cluster(2, "kraft", controllers=3, name="apart", throw_away=True, quiet=True) as cluster:
        in_sync(cluster)
        assert cluster.snapshot().topic("t") is not None


def test_one_broker_and_five_zookeepers(home):
    with Cluster(1, zookeepers=5, quiet=True) as cluster:
        on_loopback(cluster)
        cluster.zookeeper(1).kill()
        cluster.zookeeper(2).kill()
        cluster.create_topic("with-three-of-five")


# what a start finds


def test_ports_that_others_took_meanwhile_and_pids_that_are_others_now(home, caplog):
    with Cluster(1, name="found", quiet=True) as cluster:
        cluster.create_topic("t")
        broker, zookeeper = (cluster.backend.layout[1], cluster.backend.layout[0])
    folder = ClusterFolder.of("found")
    stranger = subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"])
    try:
        # What a crash leaves: a pid that is a stranger's by now, locks nobody holds, a socket nobody listens at.
        (folder.path / "supervisor.lock").write_text(str(stranger.pid))
        (folder.path / "start.lock").write_text(str(stranger.pid))
        stale = supervised.socket_path(folder.path)
        with socket.socket(socket.AF_UNIX) as s:
            s.bind(str(stale))
        assert not folder.alive
        assert clean_abandoned() == []
        with socket.create_server((LOOPBACK, broker.port)):
            with Cluster(1, name="found", quiet=True) as cluster:
                assert cluster.snapshot().topic("t") is not None
                assert cluster.backend.layout[1].port != broker.port
                with pytest.raises(StartFailed, match="running already"):
                    Cluster(1, name="found", quiet=True)
            assert f"{broker.port}, which it had, is held by" in caplog.text
            assert f"pid {os.getpid()}" in caplog.text
        assert stranger.poll() is None
        assert zookeeper.port
    finally:
        stranger.kill()
        stranger.wait()
    folder.remove()


def test_too_little_memory_is_seen_before_anything_is_launched(home, monkeypatch):
    monkeypatch.setattr(preflight, "look", lambda: preflight.Room(400 * preflight.MB))
    with pytest.raises(StartFailed, match="not enough memory for 3 brokers") as e:
        Cluster(name="small", quiet=True)
    assert "brokers=2" in e.value.do
    assert not ClusterFolder.of("small").path.exists()
    assert not processes_of("small")


@contextmanager
def read_only(path: Path) -> Iterator[None]:
    """The folder, on a disk that cannot be written while the block runs."""
    if os.geteuid() != 0:
        path.chmod(0o500)
        yield
        path.chmod(0o700)
        return
    bind = ["mount", "--bind", str(path), str(path)]
    if shutil.which("mount") is None or subprocess.run(bind, capture_output=True).returncode:
        pytest.skip("only root can mount a small disk to fill")
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", str(path)], check=True)
        yield
    finally:
        subprocess.run(["umount", str(path)], check=True)


def test_a_disk_that_became_read_only(home, tmp_path):
    with Cluster(1, "kraft", name="kept", data_dir=tmp_path, quiet=True):
        pass
    before = fingerprint(tmp_path)
    with read_only(tmp_path):
        for name in ("kept", "new"):
            with pytest.raises(StartFailed, match="cannot be written") as e:
                Cluster(1, "kraft", name=name, data_dir=tmp_path, quiet=True)
            assert "KAFKALAB_HOME" in e.value.do
        assert fingerprint(tmp_path) == before
    assert not (tmp_path / "new").exists()
    assert not processes_of("kept", "new")


# what a start leaves that fails

Meddle = Callable[["Meddled", NodeSpec], None]


class Meddled(LocalBackend):
    """A start with somebody at its elbow: once, just before the node of that role is launched, or just after."""

    def __init__(self, spec: ClusterSpec, meddle: Meddle, when: str) -> None:
        super().__init__(spec, ClusterFolder.of(spec.name), throw_away=True, detached=False)
        self.meddle, self.when = meddle, when
        self.met = 0

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


def spoil_settings(backend: Meddled, node: NodeSpec) -> None:
    backend.folder.settings(node).write_text("broker.id=x\n")


def lose_the_folder(backend: Meddled, node: NodeSpec) -> None:
    shutil.rmtree(backend.folder.path)


def fail(backend: Meddled, node: NodeSpec) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    "meddle, when, mode",
    [
        (no_java, "before broker-101", "kraft"),
        (fail, "before zookeeper-1", "zookeeper"),
        (fail, "after broker-102", "zookeeper"),
        (spoil_settings, "before broker-101", "kraft"),
        (kill_node, "after zookeeper-1", "zookeeper"),
        (kill_node, "after broker-102", "kraft"),
        (kill_supervisor, "before broker-101", "zookeeper"),
        (kill_supervisor, "after broker-102", "zookeeper"),
        (lose_the_folder, "before broker-102", "kraft"),
    ],
)
def test_a_step_that_fails_leaves_nothing(home, monkeypatch, meddle, when, mode):
    monkeypatch.setenv("JAVA_HOME", os.environ.get("JAVA_HOME", ""))  # put back afterwards
    spec = ClusterSpec("meddled", mode, brokers=2, zookeepers=int(mode == "zookeeper"))
    backend = Meddled(spec, meddle, when)
    with pytest.raises((KafkalabError, KeyboardInterrupt)) as e:
        backend.start()
    assert backend.met == 1
    if meddle in (kill_supervisor, kill_node, spoil_settings):
        assert isinstance(e.value, StartFailed)
    assert not processes_of("meddled")
    assert not backend.folder.path.exists()
    assert not backend.folder.alive


@pytest.mark.parametrize("node", ["zookeeper-1", "broker-101"])
def test_a_port_stolen_at_the_last_moment(home, node):
    thieves = []

    def steal(backend: Meddled, of: NodeSpec) -> None:
        backend.when = ""  # once
        thieves.append(socket.create_server((LOOPBACK, of.port)))

    try:
        backend = Meddled(ClusterSpec("stolen", brokers=1), steal, f"before {node}")
        backend.start()  # ports nobody asked for: others do as well
        assert backend.met == 1
        assert thieves[0].getsockname()[1] not in [p for n in backend.layout for p in n.ports]
        backend.stop()
        with PortBook() as book:
            first = book.take()
        chosen = {"port": first} if node.startswith("broker") else {"zookeeper_port": first}
        backend = Meddled(ClusterSpec("stolen", brokers=1, **chosen), steal, f"before {node}")
        with pytest.raises(StartFailed, match=f"{node} ended"):
            backend.start()
        assert len(thieves) == 2
        assert not processes_of("stolen")
        assert not backend.folder.path.exists()
    finally:
        for thief in thieves:
            thief.close()


#: What is there when the moment has come to interrupt a start.
MOMENTS = {
    "the folder is made": "start.lock",
    "the supervisor comes": "supervisor.log",
    "the supervisor is there": "supervisor.lock",
    "the first node comes": "logs/zookeeper-1.log",
    "brokers are under way": "data/broker-101/meta.properties",
}


@pytest.fixture(autouse=True)
def nothing_for_the_next() -> Iterator[None]:
    """What a test that failed left running is no other test's failure."""
    yield
    for process in processes_of("cut-short"):
        with contextlib.suppress(psutil.Error):
            process.kill()
    shutil.rmtree(ClusterFolder.of("cut-short").path, ignore_errors=True)


def interrupted(moment: str, number: signal.Signals, detached: bool) -> ClusterFolder:
    source = f"from kafkalab import Cluster; Cluster(2, name='cut-short', quiet=True, detached={detached})"
    folder = ClusterFolder.of("cut-short")
    process = subprocess.Popen([sys.executable, "-c", source], stderr=subprocess.PIPE, text=True)
    wait_until((folder.path / MOMENTS[moment]).exists, 60, moment, period=0.001)
    process.send_signal(number)
    said = process.communicate(timeout=60)[1]
    assert number == signal.SIGKILL or "KeyboardInterrupt" in said
    return folder


@pytest.mark.parametrize("detached", [False, True])
@pytest.mark.parametrize("moment", MOMENTS)
def test_ctrl_c_at_any_moment_leaves_nothing(home, moment, detached):
    folder = interrupted(moment, signal.SIGINT, detached)
    assert not processes_of("cut-short")
    assert not folder.path.exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_up_that_is_asked_to_end_leaves_nothing(home, number):
    command = [sys.executable, "-m", "kafkalab", "up", "--name", "cut-short"]
    folder = ClusterFolder.of("cut-short")
    process = subprocess.Popen(command, stderr=subprocess.PIPE)
    wait_until((folder.path / MOMENTS["brokers are under way"]).exists, 60, "brokers to be under way", period=0.001)
    process.send_signal(number)
    process.communicate(timeout=60)
    assert process.returncode == 130  # as after Ctrl-C
    assert not processes_of("cut-short")
    assert not folder.path.exists()


@pytest.mark.parametrize("moment", ["the supervisor is there", "brokers are under way"])
def test_a_start_whose_process_is_killed_can_be_made_again(home, moment, caplog):
    folder = interrupted(moment, signal.SIGKILL, detached=False)
    no_process_left("cut-short")
    caplog.set_level(logging.WARNING)
    with Cluster(2, name="cut-short", throw_away=True, quiet=True) as cluster:
        cluster.create_topic("t", partitions=2, replication=2)
    assert not folder.path.exists()
    assert "damaged" not in caplog.text
