"""Kafka's tools by name: main classes and the arguments that are filled in."""

from __future__ import annotations

import subprocess
import sys

import pytest

from kafkalab.cluster.tools import Printed, Where, arguments, write_launchers
from kafkalab.errors import BadInput

ZOOKEEPER = Where("zookeeper", "127.0.0.1:9092", "127.0.0.1:2181")
KRAFT = Where("kraft", "127.0.0.1:9092")


@pytest.mark.parametrize("tool", ["kafka-reassign-partitions", "kafka-log-dirs", "kafka-log-dirs.sh"])
def test_a_list_of_broker_ids_is_no_place_and_one_of_addresses_is(tool):
    given = ["--broker-list", "102,103", "--describe"]
    assert arguments(tool, given, ZOOKEEPER)[1] == ["--bootstrap-server", "127.0.0.1:9092", *given]
    old = ["--broker-list", "h:1", "--topic", "t"]
    assert arguments("kafka-console-producer", old, ZOOKEEPER)[1] == old


def test_a_launcher_hands_everything_on_to_kafkalab(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "executable", "echo")
    for cluster in (["--name", "my lab"], ["--bootstrap-servers", "h:1"]):
        scripts = write_launchers(tmp_path / "bin", "zookeeper", cluster)
        assert not (scripts / "kafka-groups").exists()
        asked = [scripts / "kafka-topics.sh", "--topic", "a b"]
        told = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
        assert told == f"-P -m kafkalab tool {' '.join(cluster)} kafka-topics --topic a b\n"


def test_the_place_stands_where_each_tool_wants_it():
    for tool, given, where, full in (
        ("kafka-features", ["describe"], KRAFT, ["--bootstrap-server", "127.0.0.1:9092", "describe"]),
        ("kafka-cluster", ["cluster-id"], KRAFT, ["cluster-id", "--bootstrap-server", "127.0.0.1:9092"]),
        ("kafka-topics", ["--list"], ZOOKEEPER, ["--bootstrap-server", "127.0.0.1:9092", "--list"]),
        ("kafka-topics", ["--bootstrap-server", "x:1"], ZOOKEEPER, ["--bootstrap-server", "x:1"]),
        ("kafka-topics", ["--version"], ZOOKEEPER, ["--version"]),
        ("zookeeper-shell", ["ls", "/"], ZOOKEEPER, ["-server", "127.0.0.1:2181", "ls", "/"]),
        ("zookeeper-shell", ["h:1", "ls", "/"], ZOOKEEPER, ["-server", "h:1", "ls", "/"]),
    ):
        assert arguments(tool, given, where)[1] == full


def test_a_tool_that_is_not_there_is_refused_with_the_reason():
    for tool, where, said in (
        ("zookeeper-shell", KRAFT, r"belongs to Kafka 3\.9"),
        ("kafka-groups", ZOOKEEPER, "belongs to Kafka 4"),
        ("kafka-nonsense", KRAFT, "kafka-topics"),
    ):
        with pytest.raises(BadInput, match=said):
            arguments(tool, [], where)


def test_what_a_tool_printed_is_text() -> None:
    printed = Printed("Isr: 101\n<script>")
    assert printed == repr(printed) and "Isr: 101\n&lt;script&gt;</pre>" in printed._repr_html_()
