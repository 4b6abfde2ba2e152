"""Local processes and their supervisor. (How owners go: tests/contract; starts that fail: test_robust_start.)"""

from __future__ import annotations

import shutil
import signal
from pathlib import Path

import pytest

from kafkalab import Cluster
from kafkalab.cluster.folder import ClusterFolder, clean_abandoned
from kafkalab.errors import NodeFailed
from kafkalab.waiting import wait_until
from tests.support.owners import end, own
from tests.support.traces import processes_of

__all__ = ["own"]

pytestmark = pytest.mark.usefixtures("home")


def test_nodes_go_with_their_supervisor_and_the_next_start_tidies_up(own):
    process, name = own(mode="kraft")
    (watcher,) = (p for p in processes_of(name) if "kafkalab.cluster.supervisor" in p.cmdline())
    watcher.kill()
    wait_until(lambda: not [p for p in processes_of(name) if p.pid != watcher.pid], 10, "every node to be gone")
    end(process, signal.SIGKILL)
    assert name in clean_abandoned()
    assert not ClusterFolder.of(name).path.exists()


@pytest.mark.parametrize("mode", ["zookeeper", pytest.param("kraft", marks=pytest.mark.deep)])
def test_a_home_of_odd_letters_and_a_cluster_without_a_name_that_starts_again(mode, tmp_path, monkeypatch):
    """The home's path no encoding but UTF-8 can write, with a comma, for a user whose locale knows ASCII only."""
    monkeypatch.setenv("KAFKALAB_HOME", str(tmp_path / "hö,me 李🚚%41"))
    monkeypatch.setenv("LC_ALL", "C")
    with Cluster(1, mode, quiet=True) as cluster:
        cluster.create_topic("first")
        assert "first" in cluster.tool("kafka-topics", "--list")
        seen: list[str | None] = []
        cluster.watcher().subscribe(lambda update: seen.append(update.error))
        cluster.stop()
        assert seen[-1] == "The cluster was stopped."
        cluster.start()
        assert [t.name for t in cluster.snapshot().topics] == []  # it has no name: its data went with it
        cluster.create_topic("second")
    assert [p.name for p in tmp_path.iterdir()] == ["hö,me 李🚚%41"]  # nothing beside it, under half its name perhaps


@pytest.mark.deep
def test_a_kraft_node_without_its_data_is_prepared_anew():
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
