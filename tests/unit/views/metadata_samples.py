"""Nodes and events as ZooKeeper gives them, for the tests of the metadata view."""

from __future__ import annotations

import json
from typing import Any

from kafkalab.state.model import Broker, Partition, Quorum, QuorumNode, Snapshot, Topic
from kafkalab.state.znode_reading import Znode
from kafkalab.state.znodes import ZnodeEvent

T = 1_795_274_800.0


def znode(
    path: str, data: Any = b"", *, version: int = 0, owner: int | None = None, zxid: int = 1, children: Any = ()
) -> Znode:
    """A node; data that is no bytes is written as JSON. ``children`` None: only their number is known."""
    raw = data if isinstance(data, bytes) else json.dumps(data).encode()
    names = None if children is None else tuple(sorted(children))
    return Znode(path, raw, len(raw), version, owner, T, T, zxid, len(names or ()), names)


def state(leader: int, isr: list[int], epoch: int = 0, *, topic: str = "t", partition: int = 0) -> Znode:
    """A partition's state."""
    path = f"/brokers/topics/{topic}/partitions/{partition}/state"
    return znode(path, {"leader": leader, "isr": isr, "leader_epoch": epoch}, version=epoch, zxid=10 + epoch)


def broker(id: int, owner: int = 0xA0) -> Znode:
    """A broker's registration."""
    return znode(f"/brokers/ids/{id}", {"host": "127.0.0.1", "port": 9000 + id}, version=1, owner=owner + id)


def controller(id: int) -> Znode:
    """Who the controller is."""
    return znode("/controller", {"version": 2, "brokerid": id}, owner=0xA0 + id)


def event(word: str, before: Znode | None, after: Znode | None, at: float = T) -> ZnodeEvent:
    """A watch that fired."""
    known = before or after
    assert known is not None
    return ZnodeEvent(at, word, known.path, before, after)


def tree_of(*brokers: int) -> dict[str, Znode | None]:
    """A small tree: brokers, one topic, the first broker is the controller."""
    nodes = [
        znode("/", children=["brokers", "controller"]),
        znode("/brokers", children=["ids", "topics"]),
        znode("/brokers/ids", children=[str(id) for id in brokers]),
        *map(broker, brokers),
        controller(brokers[0]),
    ]
    return {node.path: node for node in nodes}


ZOOKEEPER = Snapshot(
    "c",
    "zookeeper",
    101,
    T,
    (Broker(101, "127.0.0.1", 9101, True), Broker(102, "127.0.0.1", 9102, False)),
    (
        Topic("t", (Partition("t", 0, 101, (101, 102), (101,)),)),
        Topic("__x", (Partition("__x", 0, 101, (101,), (101,)),), True),
    ),
    quorum=Quorum("zookeeper", 1, 0, (QuorumNode(1, "standalone", True, 2181, log_end=0xB3),)),
)

KRAFT = Snapshot(
    "c",
    "kraft",
    1,
    T,
    (Broker(101, "127.0.0.1", 9101, True), Broker(102, "127.0.0.1", 9102, False)),
    quorum=Quorum(
        "kraft",
        1,
        3,
        (
            QuorumNode(1, "leader", True, 9001, 0, 500, 0.0, 0.0),
            QuorumNode(2, "follower", True, 9002, 1, 499, 0.2, 0.9),
            QuorumNode(3, None, False, 9003, 70, 430, 35.4, 36.0),
            QuorumNode(101, "observer", True, None, 0, 500, 0.4, 0.4, False),
            QuorumNode(102, None, False, None, 71, 429, 35.9, 36.2, False),
        ),
        499,
    ),
)
