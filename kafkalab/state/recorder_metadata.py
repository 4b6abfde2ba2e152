"""Records a cluster's metadata: ZooKeeper's nodes and the watches that fire, or KRaft's log."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from kafkalab.state.model import Snapshot
from kafkalab.state.patch import diff
from kafkalab.state.recorded_metadata import WATCHES, ZNODES, watch_told, znode_told
from kafkalab.state.recorder_metadata_log import MetadataLogRecorder
from kafkalab.state.recording import Recording
from kafkalab.state.watch import Update
from kafkalab.state.znode_reading import Znode
from kafkalab.state.znodes import IMPORTANT, Znodes, ZnodeUpdate

#: Nodes that are recorded with their children, besides those that are always watched.
LISTED = ("/", "/admin", "/brokers", "/brokers/ids", "/cluster", "/config", "/config/topics")
#: So many partitions' states, topics and children of listed nodes are recorded; all of them are watched.
STATES, TOPICS, CHILDREN = 200, 40, 150
#: So many watches are recorded in all.
MOST_WATCHES = 100_000


def metadata_part(cluster: Any, recording: Recording) -> ZnodesRecorder | MetadataLogRecorder | None:
    """The part of a recorder for this cluster; None where its metadata are out of reach, or a model's."""
    if getattr(getattr(cluster, "backend", None), "stand_in", None) is not None:
        return None
    hosts = getattr(cluster, "zookeeper_connect", "")
    if hosts:
        return ZnodesRecorder(hosts, cluster, recording)
    return MetadataLogRecorder(cluster, recording) if cluster.mode == "kraft" else None


class ZnodesRecorder:
    """Looks at ZooKeeper through the client that all views share, and puts down what it tells.

    :param hosts: where ZooKeeper listens.
    :param cluster: tells, by its watcher, which brokers and partitions there are.
    """

    def __init__(self, hosts: str, cluster: Any, recording: Recording) -> None:
        self._recording, self._began = recording, recording.header.began
        self._lock = threading.RLock()
        self._told: dict[str, Any] = {}
        #: What was put down already, by path, to see what is new.
        self._seen: dict[str, Znode | None] = {}
        self._wants: dict[str, bool] = dict.fromkeys(LISTED, True)
        self._snapshot: Snapshot | None = cluster.watcher().latest
        self._watches = 0
        self._ended = False
        self._tree = Znodes.of(hosts)
        # The listener waits until there is a looker.
        with self._lock:
            self._looker = self._tree.look(self._heard)
            self._want()
        self._unsubscribe: Callable[[], None] = cluster.watcher().subscribe(self._updated)

    def stop(self) -> None:
        """No more facts."""
        self._unsubscribe()
        with self._lock:
            self._ended = True
        self._looker.close()

    def _updated(self, update: Update) -> None:
        """The cluster's watcher: topics and brokers come and go."""
        if update.snapshot is None:
            return
        with self._lock:
            self._snapshot = update.snapshot
            if not self._ended:
                self._want()

    def _heard(self, update: ZnodeUpdate) -> None:
        """ZooKeeper's thread."""
        with self._lock:
            if self._ended:
                return
            events = [e for e in update.events if e.path in self._wants and self._watches < MOST_WATCHES]
            self._watches += len(events)
            for event in events:
                self._recording.put(event.at - self._began, WATCHES, "add", watch_told(event))
            grown = self._tell() if update.nodes else False
            self._want()
        if events or grown:
            self._recording.grown()

    def _tell(self) -> bool:
        """Put down the nodes that are other than before; whether there were any."""
        nodes = self._tree.nodes
        told = {path: raw for path, raw in self._told.items() if path in self._wants}
        for path in self._wants.keys() & nodes.keys():
            node = nodes[path]
            if path not in told or node is not self._seen.get(path):
                told[path], self._seen[path] = znode_told(node), node
        ops = diff(self._told or None, told)
        if ops:
            self._recording.put(time.time() - self._began, ZNODES, "set", ops)
            self._told = told
        return bool(ops)

    def _want(self) -> None:
        wants = wanted(self._snapshot, self._tree.nodes)
        if wants != self._wants or not self._looker.wants:
            self._wants = wants
            self._looker.want(wants)
            # What others look at is read already, and nobody tells of it again.
            self._tell()


def wanted(snapshot: Snapshot | None, nodes: Mapping[str, Znode | None]) -> dict[str, bool]:
    """Which nodes are recorded, and whether their children are listed: what a view opens at first, and what fails."""
    wants = dict.fromkeys((*LISTED, *IMPORTANT), True)
    if snapshot is not None:
        topics = sorted(snapshot.topics, key=lambda t: t.internal)
        wants |= dict.fromkeys((f"/brokers/ids/{b.id}" for b in snapshot.brokers), False)
        states = [f"/brokers/topics/{p.topic}/partitions/{p.partition}/state" for t in topics for p in t.partitions]
        wants |= dict.fromkeys(states[:STATES], False)
        for topic in topics[:TOPICS]:
            wants |= dict.fromkeys((f"/brokers/topics/{topic.name}", f"/brokers/topics/{topic.name}/partitions"), True)
            # The way down to the states that are recorded.
            folders = [f"/brokers/topics/{topic.name}/partitions/{p.partition}" for p in topic.partitions]
            wants |= dict.fromkeys((path for path in folders if f"{path}/state" in wants), True)
    listed = [(path, node) for path in wants if (node := nodes.get(path)) is not None and node.children]
    below = [f"{'' if path == '/' else path}/{name}" for path, node in listed for name in node.children or ()]
    for path in below[:CHILDREN]:
        wants.setdefault(path, False)
    return wants
