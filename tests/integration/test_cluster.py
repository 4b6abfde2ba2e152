"""A real cluster in both modes: what it is, what can be done to it, and what it refuses."""

from __future__ import annotations

import os
import re
import subprocess

import psutil
import pytest

from kafkalab import Cluster
from kafkalab.errors import BadInput, NodeFailed, NoSuchNode, NotSupported, RefusedByKafka, StartFailed, ToolFailed


def test_kafka_itself_knows_every_broker(cluster):
    said = cluster.tool("kafka-broker-api-versions")
    for node in (n for n in cluster.nodes() if n.role == "broker"):
        assert f"127.0.0.1:{node.port} (id: {node.id} " in said
    assert cluster.snapshot().cluster_id == cluster.cluster_id


def test_every_listening_socket_is_on_loopback(cluster):
    listening = [
        c.laddr.ip
        for node in cluster.nodes()
        for c in psutil.Process(node.pid).net_connections(kind="inet")
        if c.status == psutil.CONN_LISTEN
    ]
    assert len(listening) >= len(cluster.nodes())
    assert {ip.removeprefix("::ffff:") for ip in listening} == {"127.0.0.1"}


def test_a_killed_broker_is_found_out_replaced_as_leader_and_comes_back(cluster, new_topic):
    topic = new_topic()
    cluster.create_topic(topic, partitions=6, replication=3)
    assert cluster.broker(102).kill().state == "stopped"
    cluster.wait_for(
        lambda s: (
            not s.broker(102).alive
            and all(
                p.leader not in (None, 102) and 102 not in p.isr and 102 in p.replicas
                for p in s.topic(topic).partitions
            )
        )
    )
    assert cluster.broker(102).start().state == "running"
    cluster.wait_for(lambda s: not any(p.under_replicated for p in s.topic(topic).partitions))


def test_a_paused_broker_has_a_process_and_no_voice(cluster, new_topic):
    topic = new_topic()
    cluster.create_topic(topic, partitions=3, replication=3)
    pid = cluster.broker(103).pid
    assert cluster.broker(103).pause().state == "paused"
    assert psutil.Process(pid).status() == psutil.STATUS_STOPPED
    cluster.wait_for(lambda s: not s.broker(103).alive)
    assert cluster.broker(103).resume().state == "running"
    assert cluster.broker(103).pid == pid
    cluster.wait_for(lambda s: not any(p.under_replicated for p in s.topic(topic).partitions))


def test_the_controller_can_be_killed_and_another_takes_over(cluster):
    old = cluster.controller()
    old.kill()
    cluster.wait_for(lambda s: s.controller not in (None, old.id) and not s.broker(old.id).alive)
    assert cluster.controller().id != old.id


def test_verbs_that_change_nothing_are_no_error_and_impossible_ones_are(cluster):
    broker = cluster.broker(101)
    pid = broker.pid
    assert broker.start().pid == pid
    broker.stop()
    assert broker.stop().kill().state == "stopped"
    for verb in (broker.pause, broker.resume):
        with pytest.raises(NodeFailed, match="is stopped") as e:
            verb()
        assert "Start it" in e.value.do
    assert broker.start().pid != pid


def test_a_node_that_does_not_exist_names_those_that_do(cluster):
    with pytest.raises(NoSuchNode) as e:
        cluster.broker(999)
    assert "broker-101" in e.value.do
    assert "999" in str(e.value)


def test_topics_kafka_refuses_leave_nothing_behind(cluster, new_topic):
    topic = new_topic()
    for wrong in (
        {"name": "no spaces"},
        {"name": topic, "partitions": 0},
        {"name": topic, "replication": 4},
        {"name": topic, "replication": 0},
    ):
        with pytest.raises(BadInput) as e:
            cluster.create_topic(**wrong)
        assert e.value.do
    with pytest.raises(RefusedByKafka, match="did not create") as refused:
        cluster.create_topic(topic, settings={"no.such.setting": "1"})
    assert "no.such.setting" in refused.value.seen
    assert topic not in cluster.tool("kafka-topics", "--list")
    cluster.create_topic(topic)
    with pytest.raises(RefusedByKafka, match="exists already"):
        cluster.create_topic(topic)
    cluster.delete_topic(topic)
    with pytest.raises(BadInput, match="no topic"):
        cluster.delete_topic(topic)


def test_the_tools_run_under_their_usual_names_on_path(cluster, new_topic, monkeypatch):
    monkeypatch.setenv("PATH", os.environ["PATH"])
    topic = new_topic()
    folder = cluster.path()
    cluster.create_topic(topic, partitions=2)
    assert (folder / "kafka-topics.sh").exists()
    listed = subprocess.run(["kafka-topics", "--list"], capture_output=True, text=True, check=True).stdout
    assert topic in listed.split()
    subprocess.run(
        ["kafka-console-producer", "--topic", topic], input="hello\nworld\n", text=True, check=True, timeout=60
    )
    said = cluster.tool("kafka-console-consumer", "--topic", topic, "--from-beginning", "--max-messages", "2")
    assert sorted(said.split()) == ["hello", "world"]


def test_a_tool_that_fails_or_never_ends_says_so(cluster, new_topic):
    with pytest.raises(ToolFailed, match="ended with 1") as e:
        cluster.tool("kafka-topics", "--describe", "--topic", new_topic("absent"))
    assert "does not exist" in e.value.log
    topic = new_topic()
    cluster.create_topic(topic)
    with pytest.raises(ToolFailed, match="still running after 5 s"):
        cluster.tool("kafka-console-consumer", "--topic", topic, timeout=5)


def test_somebody_elses_cluster_gives_everything_but_the_faults(cluster, new_topic):
    mine = Cluster.connect(cluster.bootstrap_servers.split(",")[0])
    topic = new_topic()
    mine.create_topic(topic, partitions=3)
    assert mine.snapshot().topic(topic) is not None
    assert mine.cluster_id == cluster.cluster_id
    assert topic in mine.tool("kafka-topics", "--list")
    assert mine.nodes() == ()
    with pytest.raises(NoSuchNode, match="no broker 101"):
        mine.broker(101)
    with pytest.raises(NotSupported):
        mine.act("broker-101", "kill")
    mine.stop()
    assert cluster.broker(101).state == "running"


def test_a_second_cluster_of_the_same_name_is_refused(cluster):
    with pytest.raises(StartFailed, match="running already"):
        Cluster(name=cluster.name, mode=cluster.mode, quiet=True)
    attached = Cluster.attach(cluster.name)
    assert attached.bootstrap_servers == cluster.bootstrap_servers
    assert [n.pid for n in attached.nodes()] == [n.pid for n in cluster.nodes()]


def test_kraft_starts_with_the_features_of_its_release(cluster):
    if cluster.mode == "kraft":
        said = cluster.tool("kafka-features", "describe")
        levels = dict(re.findall(r"^Feature: (\S+).*FinalizedVersionLevel: (\S+)", said, re.M))
        assert levels["metadata.version"].startswith("4.3")
        assert levels["group.version"] == "1"
        assert levels["transaction.version"] == "2"
    else:
        assert "brokers" in cluster.tool("zookeeper-shell", "ls", "/")
