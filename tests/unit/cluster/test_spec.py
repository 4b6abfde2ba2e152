"""The wanted cluster as data: what is refused, how nodes are laid out, and what each of them is told."""

from __future__ import annotations

import itertools

import pytest

from kafkalab.cluster import properties
from kafkalab.cluster.spec import MODES, ClusterSpec, lay_out
from kafkalab.errors import BadInput


def take_from(first: int):
    numbers = itertools.count(first)
    return lambda wanted: wanted if wanted is not None else next(numbers)


def test_what_cannot_be_started_is_refused_with_what_to_do():
    for what, values in {
        "name": ["", "a/b", "x" * 41, None],
        "brokers": [0, 21, "3", 2.5, True],
        "zookeepers": [0, 2, 7, None],
        "port": ["x", 80, 0, 65535],
        "session_timeout": ["x", 0],
        "mode": ["raft"],
        "controllers": [3],
        "racks": [("a b",)],
    }.items():
        for value in values:
            with pytest.raises(BadInput) as e:
                ClusterSpec(**{"name": "c", what: value})
            assert e.value.do
    for wrong in ({"zookeepers": 3}, {"zookeepers": 0, "controllers": 2}, {"zookeepers": 0, "controllers": -1}):
        with pytest.raises(BadInput):
            ClusterSpec("c", mode="kraft", **wrong)


def test_the_nodes_of_each_mode():
    nodes = lay_out(ClusterSpec("c", brokers=3, zookeepers=3), take_from(5000))
    assert [n.id for n in nodes] == [1, 2, 3, 101, 102, 103]
    ports = [p for n in nodes for p in n.ports]
    assert len(set(ports)) == len(ports) == 3 * 3 + 3
    zookeeper, *_ = lay_out(ClusterSpec("c"), take_from(5000))
    assert zookeeper.ports == (zookeeper.port,), "one alone has no peers"
    assert all(n.controller_port for n in lay_out(ClusterSpec("c", mode="kraft"), take_from(5000)))


def test_a_spec_survives_its_file_and_ports_asked_for_are_given_in_a_row():
    spec = ClusterSpec("c", mode="kraft", brokers=5, settings={"num.partitions": "3"})
    assert ClusterSpec.from_dict(spec.to_dict()) == spec
    nodes = lay_out(ClusterSpec("c", port=9092, zookeeper_port=2181), take_from(5000))
    assert [n.port for n in nodes] == [2181, 9092, 9093, 9094]


def made(spec: ClusterSpec) -> dict[str, dict[str, str]]:
    nodes = lay_out(spec, take_from(5000))
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
    zookeeper, kraft = (made(ClusterSpec("c", mode=m, session_timeout=1.5))["broker-101"] for m in MODES)
    assert zookeeper["zookeeper.session.timeout.ms"] == kraft["broker.session.timeout.ms"] == "1500"
    for settings in (zookeeper, kraft):
        # Retention acts within the patience of a lesson; how long records are kept is left as Kafka has it.
        assert int(settings["log.retention.check.interval.ms"]) <= 10_000
        assert sum(name.startswith("log.retention.") for name in settings) == 1


def test_zookeeper_allows_the_session_its_brokers_ask_for():
    for seconds in (0.5, 3.0, 18.0, 300.0):
        both = made(ClusterSpec("c", session_timeout=seconds))
        tick, session = int(both["zookeeper-1"]["tickTime"]), int(both["broker-101"]["zookeeper.session.timeout.ms"])
        assert 2 * tick <= session <= 20 * tick


def test_internal_topics_fit_the_brokers_and_the_users_settings_win():
    for brokers, replicas in ((1, "1"), (5, "3")):
        spec = ClusterSpec("c", brokers=brokers, settings={"num.io.threads": "8", "num.partitions": "3"})
        settings = made(spec)["broker-101"]
        assert settings["offsets.topic.replication.factor"] == replicas
        assert (settings["num.io.threads"], settings["num.partitions"]) == ("8", "3")


def test_java_reads_what_was_meant():
    # Sorted, and a value cannot begin another setting.
    assert properties.render({"b": "2", "a": "x\nevil=1"}) == "a=x\\nevil=1\nb=2\n"
    for path, written in {"/é 🚚": r"/\u00e9 \ud83d\ude9a", "/a\\b": r"/a\\b", " blank": r"\ blank"}.items():
        assert properties.render({"log.dirs": path}) == f"log.dirs={written}\n"
