"""The wanted cluster as data: what is refused, and how nodes are laid out."""

from __future__ import annotations

import itertools

import pytest

from kafkalab.cluster.spec import ClusterSpec, lay_out
from kafkalab.errors import BadInput


def take_from(first: int):
    numbers = itertools.count(first)
    return lambda wanted: wanted if wanted is not None else next(numbers)


@pytest.mark.parametrize(
    "what, values",
    [
        ("name", ["", "a/b", "x" * 41, None]),
        ("brokers", [0, 21, "3", 2.5, True]),
        ("zookeepers", [0, 2, 7, None]),
        ("port", ["x", 80, 0, 65535]),
        ("zookeeper_port", [1.5]),
        ("session_timeout", ["x", 0]),
        ("mode", ["raft"]),
    ],
)
def test_what_cannot_be_started_is_refused_with_what_to_do(what, values):
    for value in values:
        with pytest.raises(BadInput) as e:
            ClusterSpec(**{"name": "c", what: value})
        assert e.value.do
    for wrong in ({"zookeepers": 3}, {"zookeepers": 0, "controllers": 2}):
        with pytest.raises(BadInput):
            ClusterSpec("c", mode="kraft", **wrong)


def test_the_nodes_of_each_mode():
    nodes = lay_out(ClusterSpec("c", brokers=3, zookeepers=3), take_from(5000))
    brokers = ["broker-101", "broker-102", "broker-103"]
    assert [n.name for n in nodes] == ["zookeeper-1", "zookeeper-2", "zookeeper-3", *brokers]
    ports = [p for n in nodes for p in n.ports]
    assert len(set(ports)) == len(ports) == 3 * 3 + 3
    zookeeper, *_ = lay_out(ClusterSpec("c"), take_from(5000))
    assert zookeeper.ports == (zookeeper.port,), "one alone has no peers"
    nodes = lay_out(ClusterSpec("c", mode="kraft"), take_from(5000))
    assert [n.name for n in nodes] == brokers
    assert all(n.controller_port for n in nodes)


def test_ports_asked_for_are_given_in_a_row():
    nodes = lay_out(ClusterSpec("c", port=9092, zookeeper_port=2181), take_from(5000))
    assert [n.port for n in nodes] == [2181, 9092, 9093, 9094]


def test_a_spec_survives_its_file():
    spec = ClusterSpec("c", mode="kraft", brokers=5, settings={"num.partitions": "3"})
    assert ClusterSpec.from_dict(spec.to_dict()) == spec
