"""How nodes are locked in, and what becomes of a cluster whose containers somebody else has been at."""

from __future__ import annotations

import os
import re

import psutil
import pytest

from kafkalab import Cluster
from kafkalab.cluster.docker import backend
from kafkalab.cluster.docker.guard import clean_abandoned
from kafkalab.cluster.folder import ClusterFolder
from kafkalab.cluster.net import OUTSIDE_PORT, ZOOKEEPER_PORT
from kafkalab.commands.clusters import down
from kafkalab.errors import NodeFailed, StartFailed
from tests.support.records import fill

pytestmark = pytest.mark.deep


def test_a_node_has_no_right_and_no_memory_it_does_not_need(cluster, there, engine):
    for node in cluster.nodes():
        found = there.inspect(cluster.name, node.name)
        host = found["HostConfig"]
        assert found["Config"]["User"] == "1000:1000"
        assert host["ReadonlyRootfs"] and not host["Privileged"] and host["CapDrop"] == ["ALL"]
        assert host["SecurityOpt"] == ["no-new-privileges"]
        assert host["Memory"] == host["MemorySwap"] == backend.MEMORY[node.role]
        assert host["PidsLimit"] == backend.PIDS
        assert host["RestartPolicy"]["Name"] in ("", "no")
        assert list(found["NetworkSettings"]["Networks"]) == [f"kafkalab-{cluster.name}"]
        inside = ZOOKEEPER_PORT if node.role == "zookeeper" else OUTSIDE_PORT
        published = {k: v for k, v in found["NetworkSettings"]["Ports"].items() if v}
        assert published == {f"{inside}/tcp": [{"HostIp": "127.0.0.1", "HostPort": str(node.port)}]}
        # What the engine says it may do, and what the process then is.
        assert {psutil.Process(found["State"]["Pid"]).uids().effective} == {1000}
        used = engine.containers.get(found["Id"]).stats(stream=False)["memory_stats"]["usage"]
        assert 0 < used < 0.8 * host["Memory"], f"{node.name} uses {used} bytes"


@pytest.mark.parametrize("mode", ["kraft"])
def test_what_runs_in_a_node(cluster, engine, new_topic):
    def inside(*command: str) -> str:
        return engine.containers.get(f"kafkalab-{cluster.name}-broker-101").exec_run(command).output.decode()

    status = inside("cat", "/proc/1/status")
    assert re.search(r"^Name:\s+java$", status, re.M) and re.search(r"^CapEff:\s+0+$", status, re.M)
    assert ".jsa" in inside("cat", "/proc/1/maps")
    features = cluster.tool("kafka-features", "describe")
    levels = dict(re.findall(r"^Feature: (\S+).*FinalizedVersionLevel: (\S+)", features, re.M))
    assert levels["metadata.version"].startswith("4.3")
    assert (levels["group.version"], levels["transaction.version"]) == ("1", "2")
    # It compresses what came plain, and for that unpacks a library into /tmp and executes it.
    topic = new_topic("packed")
    cluster.create_topic(topic, settings={"compression.type": "zstd"})
    fill(cluster, topic, 1)


def test_what_somebody_removes_by_hand(up, there, engine):
    with up() as cluster:
        cluster.create_topic("kept", replication=1)
        container = f"kafkalab-{cluster.name}-broker-101"
        engine.api.remove_container(container, force=True)
        assert cluster.broker(101).state == "stopped" and cluster.broker(101).container is None
        # It is made anew on its data.
        cluster.broker(101).start()
        cluster.wait_for(lambda s: s.topic("kept") is not None, 30, "its topic")
        engine.api.remove_container(container, force=True)
        engine.api.remove_network(f"kafkalab-{cluster.name}")
        engine.api.remove_volume(container)
        assert [n.state for n in cluster.nodes()] == ["stopped"]
        with pytest.raises(NodeFailed, match="broker-101"):
            cluster.broker(101).start()
    assert there.everything(cluster.name) == []
    assert not ClusterFolder.of(cluster.name).path.exists()


def test_a_node_that_gets_too_little_memory_says_so_and_leaves_nothing(up, there, a_name, monkeypatch):
    monkeypatch.setitem(backend.MEMORY, "broker", 48 * 2**20)
    with pytest.raises(StartFailed, match="more memory than its container is allowed") as caught:
        up(name=a_name)
    assert caught.value.what == "broker-101 ended while it was starting."
    assert there.everything(a_name) == []
    assert not ClusterFolder.of(a_name).path.exists()


def test_names_of_another_home_are_left_to_it(up, there, a_name, monkeypatch, tmp_path):
    with up(name=a_name) as cluster:
        before = there.everything(a_name)
        with monkeypatch.context() as other:
            other.setenv("KAFKALAB_HOME", str(tmp_path))
            with pytest.raises(StartFailed) as caught:
                up(name=a_name)
            assert "another KAFKALAB_HOME" in caught.value.seen
            assert clean_abandoned() == []
        assert there.everything(a_name) == before
        assert cluster.broker(101).state == "running"
    # Nor is its data taken for one's own, once its containers have gone.
    with monkeypatch.context() as other:
        other.setenv("KAFKALAB_HOME", str(tmp_path))
        with pytest.raises(StartFailed, match="another KAFKALAB_HOME"):
            up(name=a_name)
    assert there.everything(a_name) == [f"kafkalab-{a_name}-broker-101"]
    down(a_name, remove=True)
    assert there.everything(a_name) == []


def test_brokers_come_and_go_with_their_data(up, there, new_topic, monkeypatch):
    with up(1) as cluster:
        before = there.everything(cluster.name)
        with monkeypatch.context() as small:
            small.setitem(backend.MEMORY, "broker", 48 * 2**20)
            with pytest.raises(NodeFailed, match="more memory"):
                cluster.backend.add_broker()
        assert there.everything(cluster.name) == before
        assert [n.name for n in cluster.nodes()] == ["broker-101"]
        # Another process sees it too, and whoever adds a broker there adds it to the same cluster.
        assert cluster.backend.add_broker("rack-b") == "broker-102"
        other = Cluster.attach(cluster.name)
        other.backend.add_broker()
        assert [n.name for n in cluster.nodes()] == ["broker-101", "broker-102", "broker-103"]
        cluster.backend.forget_broker(103)
        assert [n.name for n in other.nodes()] == ["broker-101", "broker-102"]
        assert len(there.everything(cluster.name)) == 5
        # Reset by another process it stays its owner's.
        topic = new_topic()
        cluster.create_topic(topic)
        other.reset()
        assert cluster.snapshot().topic(topic) is None
        assert cluster.backend.folder.read()[2]["owner"] == os.getpid()
    assert there.everything(cluster.name) == []


@pytest.mark.parametrize("mode", ["zookeeper", "kraft"])
def test_stopped_brokers_close_their_data_and_leave_one_log_a_node(up, new_topic, a_name, mode):
    cluster = up(2, mode, name=a_name)
    topic = new_topic()
    cluster.create_topic(topic, partitions=2)
    # Both have made their logs, not only been told to.
    cluster.wait_for(lambda s: all(p.end is not None for p in s.topic(topic).partitions), 30, "the ends of both logs")
    # One that stands still is woken up to hear of it.
    cluster.broker(102).pause()
    cluster.stop()
    log = ClusterFolder.of(a_name).log("broker-101")
    once = log.read_text().count("Kafka version: ")
    assert once >= 1 and "started" in cluster.backend.log_tail("broker-101", 5000)
    cluster.start()
    for broker in (101, 102):
        assert "since clean shutdown file was found" in cluster.broker(broker).log(5000)
    cluster.stop()
    assert log.read_text().count("Kafka version: ") == 2 * once
    down(a_name, remove=True)
    assert ClusterFolder.of(a_name).log("broker-101").is_file()
