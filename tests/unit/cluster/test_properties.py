"""Spec → properties: what every node must and must not be told."""

from __future__ import annotations

import itertools
import re

import pytest

from kafkalab.cluster import properties
from kafkalab.cluster.spec import ClusterSpec, lay_out


def made(spec: ClusterSpec) -> dict[str, dict[str, str]]:
    numbers = itertools.count(5000)
    nodes = lay_out(spec, lambda wanted: wanted or next(numbers))
    make = {"zookeeper": properties.zookeeper, "broker": properties.broker}
    return {n.name: make[n.role](spec, n, nodes, f"/data/{n.name}") for n in nodes}


@pytest.mark.parametrize("spec", [ClusterSpec("c"), ClusterSpec("c", mode="kraft"), ClusterSpec("c", zookeepers=3)])
def test_every_listener_is_on_loopback(spec):
    for name, settings in made(spec).items():
        for key, value in settings.items():
            if "listeners" in key and "://" in value:
                assert all(part.split("://")[1].startswith("127.0.0.1:") for part in value.split(",")), (name, key)
            if key.startswith("server."):
                assert value.startswith("127.0.0.1:")
        if name.startswith("zookeeper"):
            assert settings["clientPortAddress"] == "127.0.0.1"
            assert settings["admin.enableServer"] == "false"


def test_brokers_of_the_two_modes_differ_where_they_must():
    zookeeper, kraft = made(ClusterSpec("c"))["broker-101"], made(ClusterSpec("c", mode="kraft"))["broker-101"]
    assert zookeeper["broker.id"] == kraft["node.id"] == "101"
    assert "zookeeper.connect" in zookeeper
    assert "zookeeper.connect" not in kraft
    assert kraft["process.roles"] == "broker,controller"
    assert kraft["controller.quorum.voters"].count("@") == 3


def test_the_session_timeout_reaches_both_modes():
    assert made(ClusterSpec("c", session_timeout=1.5))["broker-101"]["zookeeper.session.timeout.ms"] == "1500"
    assert (
        made(ClusterSpec("c", mode="kraft", session_timeout=1.5))["broker-101"]["broker.session.timeout.ms"] == "1500"
    )


def test_zookeeper_allows_the_session_its_brokers_ask_for():
    for seconds in (0.5, 3.0, 18.0, 300.0):
        both = made(ClusterSpec("c", session_timeout=seconds))
        tick, session = int(both["zookeeper-1"]["tickTime"]), int(both["broker-101"]["zookeeper.session.timeout.ms"])
        assert 2 * tick <= session <= 20 * tick


def test_internal_topics_are_not_replicated_beyond_the_brokers():
    assert made(ClusterSpec("c", brokers=1))["broker-101"]["offsets.topic.replication.factor"] == "1"
    assert made(ClusterSpec("c", brokers=5))["broker-101"]["offsets.topic.replication.factor"] == "3"


def test_the_users_settings_win():
    settings = made(ClusterSpec("c", settings={"num.io.threads": "8", "num.partitions": "3"}))["broker-102"]
    assert settings["num.io.threads"] == "8"
    assert settings["num.partitions"] == "3"


def test_rendering_is_sorted_and_a_value_cannot_begin_another_setting():
    assert properties.render({"b": "2", "a": "x\nevil=1"}) == "a=x\\nevil=1\nb=2\n"


def read_by_java(text: str) -> dict[str, str]:
    """As java.util.Properties reads a file: Latin-1, ``\\uXXXX`` for the rest, blanks before a value dropped."""
    found = {}
    for line in text.encode("latin-1").decode("latin-1").splitlines():
        key, _, value = line.partition("=")
        units = re.sub(
            r"\\(u[0-9a-f]{4}|.)",
            lambda m: chr(int(m[1][1:], 16)) if len(m[1]) == 5 else {"n": "\n", "r": "\r"}.get(m[1], m[1]),
            value.lstrip(" \t\f"),
        )
        found[key] = units.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    return found


@pytest.mark.parametrize("path", ["/tmp/höme", "/tmp/é 李/🚚", "/a\\b", " blank", "/tmp/own,comma", "a\nb"])
def test_java_reads_what_was_meant(path):
    text = properties.render({"log.dirs": path, "x": "1"})
    assert text.isascii()
    assert read_by_java(text) == {"log.dirs": path, "x": "1"}


@pytest.mark.parametrize("mode", ["zookeeper", "kraft"])
def test_retention_acts_within_the_patience_of_a_lesson(mode):
    settings = made(ClusterSpec("c", mode=mode))["broker-101"]
    assert max(int(settings[f"log.{what}.ms"]) for what in ("retention.check.interval", "initial.task.delay")) <= 10_000
    # How long records are kept is left as Kafka has it: the labs show that.
    assert [name for name in settings if name.startswith("log.retention.")] == ["log.retention.check.interval.ms"]
