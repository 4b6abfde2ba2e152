"""What only local processes have: a pid that stands still, Kafka's tools on PATH. All else is in tests/contract."""

from __future__ import annotations

import os
import re
import subprocess

import psutil
import pytest

from kafkalab.errors import ToolFailed
from kafkalab.waiting import wait_until
from tests.support.modes import modes
from tests.support.records import read


def test_a_paused_broker_is_a_process_that_stands_still(one_cluster):
    broker = one_cluster.broker(103)
    process = psutil.Process(broker.pid)
    broker.pause()
    # A signal takes its moment.
    wait_until(lambda: process.status() == psutil.STATUS_STOPPED, 10, "the process to stand still")
    assert broker.resume().pid == process.pid
    wait_until(lambda: process.status() != psutil.STATUS_STOPPED, 10, "the process to go on")


@modes(zookeeper="deep", kraft="")
def test_kafkas_tools(cluster, new_topic, monkeypatch):
    monkeypatch.setenv("PATH", os.environ["PATH"])  # cluster.path() changes it; this puts it back
    topic = new_topic()
    assert (cluster.path() / "kafka-topics.sh").exists()
    cluster.create_topic(topic, partitions=2)
    subprocess.run(["kafka-console-producer", "--topic", topic], input="hello\nworld\n", text=True, check=True)
    assert sorted(r.value for r in read(cluster, topic)) == [b"hello", b"world"]
    with pytest.raises(ToolFailed, match="ended with 1") as e:
        cluster.tool("kafka-topics", "--describe", "--topic", new_topic("absent"))
    assert "does not exist" in e.value.log


@modes(zookeeper="nightly", kraft="deep")
def test_a_tool_that_never_ends_and_what_there_is_in_one_mode(cluster, new_topic):
    topic = new_topic()
    cluster.create_topic(topic)
    with pytest.raises(ToolFailed, match="after 1 s"):
        cluster.tool("kafka-console-consumer", "--topic", topic, timeout=1)
    if cluster.mode == "zookeeper":
        assert "brokers" in cluster.tool("zookeeper-shell", "ls", "/")
        return
    # KRaft starts with the features of its release.
    features = cluster.tool("kafka-features", "describe")
    levels = dict(re.findall(r"^Feature: (\S+).*FinalizedVersionLevel: (\S+)", features, re.M))
    assert levels["metadata.version"].startswith("4.3")
    assert (levels["group.version"], levels["transaction.version"]) == ("1", "2")
