"""What only local processes have: a pid that stands still, Kafka's tools on PATH. All else is in tests/contract."""

from __future__ import annotations

import os
import re
import subprocess

import psutil
import pytest

from kafkalab.errors import ToolFailed


def test_a_paused_broker_is_a_process_that_stands_still_and_goes_on(cluster):
    pid = cluster.broker(103).pid
    cluster.broker(103).pause()
    assert psutil.Process(pid).status() == psutil.STATUS_STOPPED
    assert cluster.broker(103).resume().pid == pid
    assert psutil.Process(pid).status() != psutil.STATUS_STOPPED


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


def test_kraft_starts_with_the_features_of_its_release(cluster):
    if cluster.mode == "kraft":
        said = cluster.tool("kafka-features", "describe")
        levels = dict(re.findall(r"^Feature: (\S+).*FinalizedVersionLevel: (\S+)", said, re.M))
        assert levels["metadata.version"].startswith("4.3")
        assert levels["group.version"] == "1"
        assert levels["transaction.version"] == "2"
    else:
        assert "brokers" in cluster.tool("zookeeper-shell", "ls", "/")
