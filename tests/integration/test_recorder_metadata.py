"""What recordings of real clusters hold of their metadata, and that views draw it when the cluster is not asked."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kafkalab import Cluster, MetadataView
from kafkalab.handles.recording import Recording
from kafkalab.history.facts import Header
from kafkalab.history.tracks.metadata import MetadataLogRecorder
from kafkalab.state.log.segments import LogDir
from kafkalab.state.metadata.znodes import Znodes
from kafkalab.state.watch import shared
from kafkalab.waiting import wait_until
from tests.integration.tools_output import last_json
from tests.support.modes import modes

NewTopic = Callable[[str], str]


def drawn(recording: Recording, at: float) -> dict[str, Any]:
    """What a view shows of it at a moment."""
    view = MetadataView(recording)
    found: dict[str, Any] = view.drawn_at(recording.at(at))["sides"]["0"]
    view.close()
    return found


def place(side: dict[str, Any], *names: str) -> dict[str, Any] | None:
    """A node of the tree that is drawn; None while it, or a list on the way to it, has not been read."""
    node: dict[str, Any] | None = side["tree"]
    for name in names:
        node = (node or {}).get("c", {}).get(name)
    return node or None


def test_zookeepers_nodes_and_watches(one_cluster: Cluster, new_topic: NewTopic, tmp_path: Path) -> None:
    cluster, name = one_cluster, new_topic("recorded")
    tree = shared(Znodes, cluster.zookeeper_connect)
    # A view that looks already: what it has read is not read again, and recorded all the same.
    view = MetadataView(cluster)
    wait_until(lambda: "/brokers/ids/103" in tree.nodes, 20, "the tree to be read")
    recording = cluster.record(tmp_path / "tree.kafkalab")

    def now() -> Any:
        return recording.facts.value("znodes") or {}

    wait_until(lambda: now().get("/brokers/ids/103"), 20, "the tree to be recorded", seen=lambda: str(list(now())))
    before = recording.seconds
    cluster.create_topic(name, partitions=2, replication=2)
    way = ("brokers", "topics", name, "partitions", "1", "state")
    # Nodes are read side by side: this one may come before the lists that lead to it.
    wait_until(lambda: place(drawn(recording, recording.seconds), *way), 20, "its nodes", seen=lambda: str(now()))
    created = recording.seconds
    told = last_json(cluster.tool("zookeeper-shell", "get", "/" + "/".join(way)))
    cluster.delete_topic(name)
    wait_until(lambda: f"/brokers/topics/{name}" not in now(), 20, "its nodes to go")
    view.close()
    recording.stop()
    wait_until(lambda: tree.state == "closed", 20, "the client to end with the last who looks")

    again = Recording.open(tmp_path / "tree.kafkalab")
    assert again.problem == ""
    side = drawn(again, created)
    partition = place(side, *way)
    assert partition is not None
    assert partition["s"] == f"leader {told['leader']} · ISR {', '.join(map(str, told['isr']))} · epoch 0"
    assert any(name in line["text"] and line["word"] == "NodeChildrenChanged" for line in side["lines"])
    assert set(place(side, "brokers", "ids")["c"]) == {"101", "102", "103"}  # type: ignore[index]
    for at in (before, again.seconds):
        assert name not in place(drawn(again, at), "brokers", "topics")["c"]  # type: ignore[index]
    for at in (0.0, before, created, again.seconds):
        assert drawn(again, at) == drawn(recording, at)


@modes(kraft="")
def test_krafts_log(cluster: Cluster, new_topic: NewTopic, tmp_path: Path) -> None:
    early, late = new_topic("early"), new_topic("late")
    cluster.create_topic(early, partitions=1, replication=1)
    recording = cluster.record(tmp_path / "log.kafkalab")

    def led() -> bool:
        seen = recording.at(recording.seconds).snapshot
        return seen is not None and seen.controller is not None

    wait_until(led, 20, "a snapshot with its controller")
    before = recording.seconds
    cluster.create_topic(late, partitions=1, replication=1)
    cluster.wait_for(lambda s: s.topic(late), 20, "the topic to be seen")
    recording.stop()

    again = Recording.open(tmp_path / "log.kafkalab")
    texts = [r["text"] for r in drawn(again, before)["log"]["records"]]
    assert f"topic {early}" in texts and f"topic {late}" not in texts
    assert f"topic {late}" in [r["text"] for r in drawn(again, again.seconds)["log"]["records"]]
    assert drawn(again, again.seconds)["log"]["problem"] == ""
    assert drawn(again, before)["quorum"]["leader"] is not None
    for name in (early, late):
        cluster.delete_topic(name)


@modes(kraft="deep")
def test_of_a_cluster_whose_disks_are_out_of_reach_it_says_so(cluster: Cluster) -> None:
    class Disks:
        """The cluster, without its disks."""

        watcher, tool = staticmethod(cluster.watcher), staticmethod(cluster.tool)

        def log_dir(self, broker: int) -> LogDir | None:
            return None

    recording = Recording(Header(time.time()))
    MetadataLogRecorder(Disks(), recording).stop()
    assert "out of reach" in recording.facts.value("metadata_read")["problem"]
    assert recording.facts.items("metadata") == []
