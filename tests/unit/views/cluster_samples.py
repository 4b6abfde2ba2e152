"""Snapshots that the tests of the views draw: a small cluster, healthy and with broker 102 down."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

from kafkalab.state.model import (
    DONE,
    Broker,
    Group,
    GroupOffset,
    Member,
    NodeState,
    Partition,
    Quorum,
    QuorumNode,
    Snapshot,
    Topic,
    Verb,
    called,
)
from kafkalab.state.watch import Capabilities, Watcher

HOSTILE = "<img src=x onerror=alert(1)>"
TURNED = "\u202eevil\u2066"
LONG = "x" * 1000

_PARTS = (
    Partition("trucks_gps", 0, 101, (101, 102, 103), (101, 102, 103), 5, 1205),
    Partition("trucks_gps", 1, 102, (102, 103, 101), (102, 103, 101), 0, 34),
    Partition("trucks_gps", 2, 103, (103, 101, 102), (103, 101), 0, 20000),
)
_BOOKS = Topic("__consumer_offsets", (Partition("__consumer_offsets", 0, 101, (101, 102), (101, 102), 0, 77),), True)
_MEMBERS = (
    Member("a-1111", "dashboard-1", "/127.0.0.1", (("trucks_gps", 0), ("trucks_gps", 1))),
    Member("b-2222", "dashboard-2", "/127.0.0.1"),
)
_COMMITTED = tuple(GroupOffset("trucks_gps", p, *told) for p, told in enumerate([(1200, 5), (None, None), (19990, 10)]))

HEALTHY = Snapshot(
    cluster_id="q1",
    mode="zookeeper",
    controller=101,
    at=1_000_000.0,
    brokers=tuple(Broker(id, "127.0.0.1", 9000 + id, alive=True) for id in (101, 102, 103)),
    topics=(Topic("trucks_gps", _PARTS), _BOOKS),
    groups=(Group("dashboard", "Stable", 102, _MEMBERS, _COMMITTED, "range"),),
    quorum=Quorum("zookeeper", 2, None, (QuorumNode(1, "follower", alive=True), QuorumNode(2, "leader", alive=True))),
)
_MOVED = (replace(_PARTS[0], isr=(101, 103)), replace(_PARTS[1], leader=103, isr=(103, 101)), _PARTS[2])
WITHOUT_102 = replace(
    HEALTHY,
    at=1_000_003.5,
    brokers=tuple(replace(b, alive=b.id != 102) for b in HEALTHY.brokers),
    topics=(Topic("trucks_gps", _MOVED), _BOOKS),
)


def hostile() -> Snapshot:
    """A snapshot in which everything that others may name is named to do harm."""
    topic = Topic(HOSTILE, (Partition(HOSTILE, 0, 101, (101,), (101,), 0, 1),))
    members = (Member("m-1", HOSTILE, HOSTILE, ((HOSTILE, 0),)), Member("m-2", LONG, "", ()))
    groups = (
        Group(HOSTILE, "Stable", 101, members, (GroupOffset(HOSTILE, 0, 0, 1),), HOSTILE),
        Group(TURNED, TURNED, None),
    )
    return replace(HEALTHY, topics=(topic,), groups=groups, problems=(HOSTILE, TURNED, LONG))


def nodes(severable: bool = False, **states: str) -> tuple[NodeState, ...]:
    """Brokers 101–103 and ZooKeeper 1–2, running, but for those given: ``nodes(broker_102="paused")``.

    :param severable: whether they can be cut off the network, as containers can.
    """
    ids = [("broker", 101), ("broker", 102), ("broker", 103), ("zookeeper", 1), ("zookeeper", 2)]
    return tuple(
        NodeState(f"{role}-{id}", role, id, states.get(f"{role}_{id}", "running"), 9000 + id, severable=severable)  # type: ignore[arg-type]
        for role, id in ids
    )


class Stage:
    """A source whose snapshot, nodes and actions a test sets; its watcher is a real one."""

    name, label, version = "stage", "in a test", "3.9.2"
    mode: str | None = "zookeeper"
    bootstrap_servers, zookeeper_connect = "127.0.0.1:9101", ""
    capabilities = Capabilities()

    def __init__(self, period: float = 0.01) -> None:
        self.now: Snapshot = HEALTHY
        self.failure: Exception | None = None
        self.states = nodes()
        self.acted: list[tuple[str, str, threading.Thread]] = []
        self.on_act: Callable[[str, Verb], None] = lambda node, verb: None
        self._watcher = Watcher(self.snapshot, period, lambda: self.nodes())

    def snapshot(self) -> Snapshot:
        if self.failure is not None:
            raise self.failure
        return self.now

    def watcher(self) -> Watcher:
        return self._watcher

    def nodes(self) -> tuple[NodeState, ...]:
        return self.states

    def log_tail(self, node: str, lines: int = 20) -> str:
        return ""

    def log_dir(self, broker: int) -> None: ...

    def act(self, node: str, verb: Verb) -> None:
        self._watcher.note(DONE[verb].format(called(node)))
        self.acted.append((node, verb, threading.current_thread()))
        self.on_act(node, verb)
