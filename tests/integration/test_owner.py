"""A cluster ends with its owner, in whatever way the owner goes; and a failed start leaves nothing."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from kafkalab import Cluster
from kafkalab.cluster.folder import ClusterFolder, clean_abandoned
from kafkalab.errors import BadInput, KafkalabError, NodeFailed, StartFailed
from kafkalab.waiting import wait_until

OWNER = """
import json, sys
from kafkalab import Cluster
cluster = Cluster(brokers=2, mode=sys.argv[1], quiet=True)
print(json.dumps({"pids": [n.pid for n in cluster.nodes()], "folder": str(cluster.backend.folder.path)}), flush=True)
sys.stdin.readline()
{then}
"""


def owner(mode: str, then: str) -> subprocess.Popen[str]:
    source = OWNER.replace("{then}", then)
    return subprocess.Popen(
        [sys.executable, "-c", source, mode],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def up(process: subprocess.Popen[str]) -> tuple[list[psutil.Process], Path]:
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line, process.communicate()[1]
    told = json.loads(line)
    nodes = [psutil.Process(pid) for pid in told["pids"]]
    assert all("kafkalab.node" in " ".join(n.cmdline()) for n in nodes)
    assert process.stdin is not None
    process.stdin.write("go on\n")
    process.stdin.flush()
    return nodes, Path(told["folder"])


def gone(nodes: list[psutil.Process], folder: Path) -> None:
    wait_until(lambda: not any(n.is_running() for n in nodes), 5, "every node to be gone within 5 seconds")
    wait_until(lambda: not folder.exists(), 5, "the folder of the throw-away cluster to be gone")


@pytest.mark.usefixtures("home")
class TestTheOwnerGoes:
    @pytest.mark.parametrize("mode", ["zookeeper", "kraft"])
    def test_killed_outright(self, mode):
        process = owner(mode, "import signal; signal.pause()")
        nodes, folder = up(process)
        process.kill()
        process.communicate()
        gone(nodes, folder)

    def test_killed_while_a_fork_of_it_holds_its_pipes(self):
        process = owner("kraft", "import os, time\nif os.fork() == 0:\n    time.sleep(60)\nelse:\n    time.sleep(60)")
        nodes, folder = up(process)
        fork = wait_until(
            lambda: [c for c in psutil.Process(process.pid).children() if "supervisor" not in " ".join(c.cmdline())],
            10, "the fork",
        )[0]  # fmt: skip
        process.kill()
        gone(nodes, folder)
        fork.kill()
        process.communicate()

    @pytest.mark.parametrize("then", ["raise RuntimeError('x')", "sys.exit(3)", "pass"])
    def test_by_an_exception_by_exit_or_by_reaching_its_end(self, then):
        process = owner("zookeeper", then)
        nodes, folder = up(process)
        process.communicate(timeout=30)
        gone(nodes, folder)

    def test_by_ctrl_c(self):
        process = owner("zookeeper", "import signal\nsignal.pause()")
        nodes, folder = up(process)
        process.send_signal(signal.SIGINT)
        assert "KeyboardInterrupt" in process.communicate(timeout=30)[1]
        gone(nodes, folder)

    def test_its_supervisor_is_killed(self):
        process = owner("zookeeper", "import signal; signal.pause()")
        nodes, folder = up(process)
        supervisor = nodes[0].parent()
        assert supervisor is not None
        supervisor.kill()
        wait_until(lambda: not any(n.is_running() for n in nodes), 5, "every node to be gone within 5 seconds")
        process.kill()
        process.communicate()
        assert folder.name in clean_abandoned()
        assert not folder.exists()


@pytest.mark.usefixtures("home")
class TestAStartThatFails:
    def nodes_of(self, name: str) -> list[int]:
        return [
            p.pid for p in psutil.process_iter(["cmdline"]) if any(name in part for part in p.info["cmdline"] or ())
        ]

    def test_ctrl_c_in_the_middle_leaves_nothing(self, home):
        source = "from kafkalab import Cluster; Cluster(name='interrupted', quiet=True)"
        process = subprocess.Popen([sys.executable, "-c", source], stderr=subprocess.PIPE, text=True)
        folder = ClusterFolder.of("interrupted")
        wait_until(lambda: folder.log("broker-101").exists(), 30, "the first broker to be under way")
        process.send_signal(signal.SIGINT)
        assert "KeyboardInterrupt" in process.communicate(timeout=30)[1]
        assert not folder.path.exists()
        assert not self.nodes_of("interrupted")

    def test_a_setting_kafka_refuses_shows_the_brokers_own_words(self):
        with pytest.raises(StartFailed, match="ended while it was starting") as e:
            Cluster(name="refused", settings={"num.io.threads": "none"}, quiet=True)
        assert "num.io.threads" in str(e.value)
        assert not ClusterFolder.of("refused").path.exists()
        assert not self.nodes_of("refused")
        assert Path(e.value.do.removeprefix("Its whole log: ")).is_file()
        assert "num.io.threads" in ClusterFolder.of("refused").tail(e.value.what.split()[0], 60)

    def test_a_port_that_is_taken_says_by_whom(self, one_cluster):
        port = one_cluster.broker(101).port
        with pytest.raises(StartFailed, match=f"Port {port} cannot be used") as e:
            Cluster(name="taken", port=port, quiet=True)
        assert str(one_cluster.broker(101).pid) in e.value.seen
        assert not ClusterFolder.of("taken").path.exists()

    def test_a_full_disk(self, tmp_path):
        if os.geteuid() != 0 or shutil.which("mount") is None:
            pytest.skip("only root can mount a small disk to fill")
        disk = tmp_path / "disk"
        disk.mkdir()
        if subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)], capture_output=True
        ).returncode:
            pytest.skip("only root can mount a small disk to fill")
        try:
            (disk / "filler").write_bytes(b"x" * 900_000)
            with pytest.raises(StartFailed, match="is full") as e:
                Cluster(name="full", data_dir=disk, quiet=True)
            assert "MB free" in e.value.seen
            assert "KAFKALAB_HOME" in e.value.do
            assert [p.name for p in disk.iterdir()] == ["filler"]
        finally:
            subprocess.run(["umount", str(disk)], check=True)

    def test_a_folder_that_cannot_be_written(self, tmp_path, monkeypatch):
        (tmp_path / "file").write_text("not a folder")
        with pytest.raises(StartFailed, match="cannot be written"):
            Cluster(name="x", data_dir=tmp_path / "file", quiet=True)
        monkeypatch.setenv("KAFKALAB_CACHE", str(tmp_path / "file"))
        with pytest.raises(KafkalabError, match="cannot be written") as e:
            Cluster(name="x", quiet=True)
        assert "KAFKALAB_CACHE" in e.value.do

    def test_java_11_is_refused_before_anything_is_made(self, tmp_path, monkeypatch):
        java = tmp_path / "bin" / "java"
        java.parent.mkdir()
        java.write_text("#!/bin/sh\necho 'openjdk version \"11.0.2\" 2019-01-15' >&2\n")
        java.chmod(0o755)
        monkeypatch.setenv("JAVA_HOME", str(tmp_path))
        with pytest.raises(KafkalabError, match="Java 11 is too old"):
            Cluster(name="eleven", quiet=True)
        assert not ClusterFolder.of("eleven").path.exists()


@pytest.fixture
def odd_home(home, tmp_path, monkeypatch):
    """A home whose path no encoding but UTF-8 can write, with a comma, for a user whose locale knows ASCII only."""
    monkeypatch.setenv("KAFKALAB_HOME", str(tmp_path / "hö,me 李🚚%41"))
    monkeypatch.setenv("LC_ALL", "C")
    yield tmp_path
    assert [p.name for p in tmp_path.iterdir()] == ["hö,me 李🚚%41"]  # nothing beside it, under half its name perhaps


@pytest.mark.usefixtures("odd_home")
def test_a_named_cluster_keeps_its_topics_and_reset_does_not():
    with Cluster(brokers=1, name="kept", quiet=True) as cluster:
        cluster.create_topic("remembered")
        ports = cluster.bootstrap_servers
    with Cluster(brokers=1, name="kept", quiet=True) as cluster:
        assert "remembered" in cluster.tool("kafka-topics", "--list")
        assert cluster.bootstrap_servers == ports
        cluster.reset()
        assert "remembered" not in cluster.tool("kafka-topics", "--list")
        assert cluster.bootstrap_servers == ports
    with pytest.raises(BadInput, match="in another shape"):
        Cluster(brokers=2, name="kept", quiet=True)
    with pytest.raises(BadInput, match="not running"):
        Cluster.attach("kept")


def test_a_cluster_that_was_stopped_can_be_started_again_and_stopped_twice(odd_home):
    with Cluster(brokers=1, mode="kraft", quiet=True) as cluster:
        cluster.create_topic("first")
        seen: list[str | None] = []
        cluster.watcher().subscribe(lambda update: seen.append(update.error))
        cluster.stop()
        cluster.stop()
        assert seen[-1] == "The cluster was stopped."
        assert {n.state for n in cluster.nodes()} == {"stopped"}
        cluster.start()
        assert [t.name for t in cluster.snapshot().topics] == []  # it has no name: its data went with it
        cluster.create_topic("second")
        assert cluster.snapshot().topic("second") is not None


def test_a_kraft_cluster_that_was_killed_whole_is_started_node_by_node(home):
    with Cluster(brokers=3, mode="kraft", quiet=True) as cluster:
        cluster.create_topic("kept", partitions=3)
        for id in (101, 102, 103):
            cluster.broker(id).kill()
        for id in (101, 102, 103):
            assert cluster.broker(id).start().state == "running"
        cluster.wait_for(
            lambda s: all(b.alive for b in s.brokers) and not any(p.under_replicated for p in s.partitions())
        )
        assert cluster.snapshot().topic("kept") is not None


def test_a_kraft_node_without_its_data_is_prepared_anew_and_what_keeps_one_from_starting_is_told(home):
    with Cluster(brokers=3, mode="kraft", quiet=True) as cluster:
        cluster.create_topic("kept", partitions=3)
        folder, nodes = cluster.backend.folder, cluster.backend.layout
        cluster.broker(102).stop()
        shutil.rmtree(folder.data(nodes[1]))
        cluster.broker(102).start()
        cluster.wait_for(lambda s: all(len(p.isr) == 3 for p in s.partitions()))

        cluster.broker(103).stop()
        settings = folder.settings(nodes[2]).read_text()
        folder.settings(nodes[2]).write_text(settings.replace("num.io.threads=2", "num.io.threads=many"))
        with pytest.raises(NodeFailed, match="broker-103 did not come back") as e:
            cluster.broker(103).start()
        assert "Invalid value many for configuration num.io.threads" in e.value.seen
        assert Path(e.value.do.removeprefix("Its whole log: ")).is_file()
        folder.settings(nodes[2]).write_text(settings)

        # Two of three that have forgotten everything would agree on an empty cluster.
        cluster.broker(102).kill()
        for node in nodes[1:]:
            shutil.rmtree(folder.data(node))
        with pytest.raises(NodeFailed) as e:
            cluster.broker(102).start()
        assert "no __cluster_metadata-0 in the data of broker-102, broker-103" in e.value.seen


def test_zookeeper_can_be_killed_and_started_under_its_brokers(home):
    with Cluster(brokers=2, quiet=True) as cluster:
        cluster.zookeeper(1).kill()
        assert cluster.zookeeper(1).start().state == "running"
        cluster.wait_for(lambda s: s.quorum is not None and s.quorum.leader == 1)
        cluster.create_topic("afterwards", partitions=2, replication=2)


def test_nobody_answers():
    from kafkalab.cluster.ports import PortBook

    with PortBook() as book:
        port = book.take()
    with pytest.raises(KafkalabError, match="No broker answers") as e:
        Cluster.connect(f"127.0.0.1:{port}")
    assert "refused" in e.value.seen
