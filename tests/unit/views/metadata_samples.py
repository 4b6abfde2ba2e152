"""Nodes and events as ZooKeeper gives them, for the tests of the metadata view."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from kafkalab.history.tracks.metadata import watch_told, znode_told
from kafkalab.state.metadata.log import MetadataRecord
from kafkalab.state.metadata.znodes import Znode, ZnodeEvent
from kafkalab.state.model import Broker, Event, NodeState, Partition, Quorum, QuorumNode, Snapshot, Topic
from kafkalab.views.metadata.view import MetadataView
from tests.unit.views.recorded_samples import Tape

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


_BROKERS = tuple(Broker(id, "127.0.0.1", 9000 + id, id == 101) for id in (101, 102))
_TOPICS = (
    Topic("t", (Partition("t", 0, 101, (101, 102), (101,)),)),
    Topic("__x", (Partition("__x", 0, 101, (101,), (101,)),), True),
)
_STANDALONE = QuorumNode(1, "standalone", True, 2181, log_end=0xB3)
_VOTERS = (
    QuorumNode(1, "leader", True, 9001, 0, 500, 0.0, 0.0),
    QuorumNode(2, "follower", True, 9002, 1, 499, 0.2, 0.9),
    QuorumNode(3, None, False, 9003, 70, 430, 35.4, 36.0),
    QuorumNode(101, "observer", True, None, 0, 500, 0.4, 0.4, False),
    QuorumNode(102, None, False, None, 71, 429, 35.9, 36.2, False),
)
ZOOKEEPER = Snapshot("c", "zookeeper", 101, T, _BROKERS, _TOPICS, quorum=Quorum("zookeeper", 1, 0, (_STANDALONE,)))
KRAFT = Snapshot("c", "kraft", 1, T, _BROKERS, quorum=Quorum("kraft", 1, 3, _VOTERS, 499))

STATE = "/brokers/topics/t/partitions/0/state"


def still(
    snapshot: Snapshot,
    *,
    znodes: Mapping[str, Znode | None] | None = None,
    records: Sequence[MetadataRecord] | None = None,
    events: Iterable[Event] = (),
) -> MetadataView:
    """A view that nothing feeds."""
    view = MetadataView(None)
    (side,) = view._sides
    side.remember(snapshot, events)
    side.znodes = znodes or {}
    if records is not None:
        side.learn_records(tuple(records))
    view.redraw()
    return view


def told(nodes: dict[str, Znode | None]) -> dict[str, Any]:
    return {path: znode_told(node) for path, node in nodes.items()}


def nodes(tape: Tape, at: float, **states: str) -> None:
    named = {name.replace("_", "-"): is_now for name, is_now in states.items()}
    tape.state(at, "nodes", {n: asdict(NodeState(n, "broker", int(n[-3:]), s)) for n, s in named.items()})  # type: ignore[arg-type]


def zookeeper() -> Tape:
    """Broker 101, the controller, is killed at 5 s: its session ends at 8 s, and 102 takes over."""
    tape = Tape(T)
    first: dict[str, Znode | None] = {**tree_of(101, 102), STATE: state(101, [101, 102])}
    tape.state(0.0, "snapshot", replace(ZOOKEEPER, at=T).to_dict())
    nodes(tape, 0.0, broker_101="running", broker_102="running")
    tape.state(0.5, "znodes", told(first))
    tape.acted(5.0, "kill", "broker-101")
    nodes(tape, 5.1, broker_101="stopped", broker_102="running")
    then = {
        **first, "/brokers/ids": znode("/brokers/ids", children=["102"]), "/brokers/ids/101": None,
        "/controller": controller(102), STATE: state(102, [102], 1),
    }  # fmt: skip
    for at, path, word in (
        (8.0, "/brokers/ids/101", "NodeDeleted"),
        (8.01, "/brokers/ids", "NodeChildrenChanged"),
        (8.02, "/controller", "NodeDataChanged"),
        (8.2, STATE, "NodeDataChanged"),
    ):
        tape.item(at, "watches", watch_told(event(word, first[path], then[path], T + at)))
    tape.state(8.3, "znodes", told(then))
    tape.happened(8.4, "broker_down", "broker 101 is down", broker=101)
    tape.state(8.4, "snapshot", replace(ZOOKEEPER, at=T + 8.4, controller=102).to_dict())
    tape.state(20.0, "snapshot", replace(ZOOKEEPER, at=T + 20, controller=102).to_dict())
    return tape


def kraft() -> Tape:
    """Records of the log, read when the recording ended: the topic's is from before it began."""
    tape = Tape(T, "kraft")
    tape.state(0.0, "snapshot", replace(KRAFT, at=T).to_dict())
    tape.acted(3.0, "kill", "broker-101")
    tape.happened(6.4, "broker_down", "broker 101 is fenced", broker=101)
    tape.state(10.0, "snapshot", replace(KRAFT, at=T + 10).to_dict())
    for at, offset, type, data in (
        (-50.0, 4, "TopicRecord", {"name": "trucks", "topicId": "x"}),
        (-49.9, 5, "PartitionRecord", {"topicId": "x", "partitionId": 0, "leader": 101, "isr": [101, 102]}),
        (6.0, 90, "BrokerRegistrationChangeRecord", {"brokerId": 101, "fenced": 1}),
        (6.0, 91, "PartitionChangeRecord", {"topicId": "x", "partitionId": 0, "leader": 102, "isr": [102]}),
    ):
        tape.item(at, "metadata", asdict(MetadataRecord(offset, T + at, type, data)))
    return tape
