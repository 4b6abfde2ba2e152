"""Kafka's tools by name: main classes and the arguments that are filled in."""

from __future__ import annotations

import subprocess

import pytest

from kafkalab.cluster.jars import JarSet
from kafkalab.cluster.tools import Printed, Where, arguments, write_launchers
from kafkalab.errors import BadInput

ZOOKEEPER = Where("zookeeper", "127.0.0.1:9092", "127.0.0.1:2181")
KRAFT = Where("kraft", "127.0.0.1:9092")


@pytest.mark.parametrize("tool", ["kafka-reassign-partitions", "kafka-log-dirs", "kafka-log-dirs.sh"])
def test_a_list_of_broker_ids_is_no_place_and_one_of_addresses_is(tool, tmp_path, monkeypatch):
    given = ["--broker-list", "102,103", "--describe"]
    assert arguments(tool, given, ZOOKEEPER)[1] == ["--bootstrap-server", "127.0.0.1:9092", *given]
    old = ["--broker-list", "h:1", "--topic", "t"]
    assert arguments("kafka-console-producer", old, ZOOKEEPER)[1] == old
    # So do the launchers that are put on PATH; a shell runs them, and echo stands in for Java.
    monkeypatch.setattr("kafkalab.cluster.tools._java", lambda mode: ["echo"])
    monkeypatch.setattr(JarSet, "classpath", lambda self: "a:b")
    scripts = write_launchers(tmp_path / "bin", ZOOKEEPER)

    def told(name: str, *args: str) -> list[str]:
        return subprocess.run([scripts / name, *args], capture_output=True, text=True, check=True).stdout.split()[1:]

    assert told(tool, *given) == ["--bootstrap-server", "127.0.0.1:9092", *given]
    assert told("kafka-console-producer", *old) == old


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
