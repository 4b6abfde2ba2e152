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
    "wrong",
    [
        {"name": ""},
        {"name": "a/b"},
        {"name": "x" * 41},
        {"brokers": 0},
        {"brokers": 21},
        {"zookeepers": 0},
        {"zookeepers": 2},
        {"zookeepers": 7},
        {"zookeepers": 3, "mode": "kraft"},
        {"zookeepers": 0, "mode": "kraft", "controllers": 2},
        {"brokers": "3"},
        {"brokers": 2.5},
        {"brokers": True},
        {"zookeepers": None},
        {"port": "x"},
        {"zookeeper_port": 1.5},
        {"session_timeout": "x"},
        {"name": None},
        {"port": 80},
        {"mode": "raft"},
        {"port": 0},
        {"port": 65535},
        {"session_timeout": 0},
    ],
)
def test_what_cannot_be_started_is_refused_with_what_to_do(wrong):
    with pytest.raises(BadInput) as e:
        ClusterSpec(**{"name": "c", **wrong})
    assert e.value.do


def test_zookeeper_mode_has_zookeepers_first_and_brokers_from_101():
    nodes = lay_out(ClusterSpec("c", brokers=3, zookeepers=3), take_from(5000))
    assert [n.name for n in nodes] == [
        "zookeeper-1",
        "zookeeper-2",
        "zookeeper-3",
        "broker-101",
        "broker-102",
        "broker-103",
    ]
    ports = [p for n in nodes for p in n.ports]
    assert len(set(ports)) == len(ports) == 3 * 3 + 3


def test_one_zookeeper_needs_no_peer_ports():
    (zookeeper, *_) = lay_out(ClusterSpec("c"), take_from(5000))
    assert zookeeper.ports == (zookeeper.port,)


def test_kraft_mode_has_combined_nodes_only():
    nodes = lay_out(ClusterSpec("c", mode="kraft"), take_from(5000))
    assert [n.name for n in nodes] == ["broker-101", "broker-102", "broker-103"]
    assert all(n.controller_port for n in nodes)


def test_ports_asked_for_are_given_in_a_row():
    nodes = lay_out(ClusterSpec("c", port=9092, zookeeper_port=2181), take_from(5000))
    assert {n.name: n.port for n in nodes} == {
        "zookeeper-1": 2181,
        "broker-101": 9092,
        "broker-102": 9093,
        "broker-103": 9094,
    }


def test_a_spec_survives_its_file():
    spec = ClusterSpec("c", mode="kraft", brokers=5, settings={"num.partitions": "3"})
    assert ClusterSpec.from_dict(spec.to_dict()) == spec
