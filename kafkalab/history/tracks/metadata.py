"""Metadata in a recording: ZooKeeper's nodes, the watches that fired, and the records of KRaft's log.

Tracks ``znodes``, ``watches``, ``metadata``, and ``metadata_read``, which says when the log was read (``at``, Unix
seconds) and why it could not be read (``problem``). This module writes and reads all four.
"""

from __future__ import annotations

import logging
import threading
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from kafkalab.errors import KafkalabError
from kafkalab.history.facts import Facts, Json
from kafkalab.history.moment import Moment
from kafkalab.history.recording import Recording
from kafkalab.state.metadata.log import MetadataRecord, log_dir_of, read_metadata_log
from kafkalab.state.metadata.znodes import IMPORTANT, Znode, ZnodeEvent, Znodes, ZnodeUpdate
from kafkalab.state.model import Snapshot
from kafkalab.state.watch import Update, shared

log = logging.getLogger(__name__)

ZNODES, WATCHES, METADATA, READ = "znodes", "watches", "metadata", "metadata_read"


def znode_told(znode: Znode | None) -> Json:
    """Return a node as it is recorded: its fields without the path, data in base64; None for a node not there."""
    if znode is None:
        return None
    told = asdict(znode)
    del told["path"]
    children = None if znode.children is None else list(znode.children)
    return {**told, "data": b64encode(znode.data).decode(), "children": children}


def znode_of(path: str, told: Json) -> Znode | None:
    """Return the node that :func:`znode_told` recorded; None for a node that is not there."""
    if told is None:
        return None
    children = None if told["children"] is None else tuple(told["children"])
    return Znode(path, **{**told, "data": b64decode(told["data"]), "children": children})


def watch_told(event: ZnodeEvent) -> Json:
    """Return a watch as it is recorded: its lists of children hold only those that appeared or vanished."""
    before, after = znode_told(event.before), znode_told(event.after)
    for node, names in ((before, event.vanished), (after, event.appeared)):
        if node is not None and node["children"] is not None:
            node["children"] = list(names)
    return {"at": event.at, "type": event.type, "path": event.path, "before": before, "after": after}


def watch_of(told: Json) -> ZnodeEvent:
    """Return the watch that :func:`watch_told` recorded."""
    before, after = (znode_of(told["path"], told[name]) for name in ("before", "after"))
    return ZnodeEvent(told["at"], told["type"], told["path"], before, after)


class RecordedMetadata:
    """The metadata of a recording. It keeps a cache of the nodes it has read."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        #: Cache: path → the node as recorded, and as read. Moments share the nodes that did not change.
        self._read: dict[str, tuple[Json, Znode | None]] = {}

    @property
    def watched_from(self) -> float | None:
        """Time at which ZooKeeper's nodes were first recorded, seconds since the beginning; None: never."""
        return self._facts.first(ZNODES)

    def znodes(self, moment: Moment) -> Mapping[str, Znode | None]:
        """Return path → node at a moment, for every recorded node; None: the node was not there.

        Moments before ZooKeeper's first answer show the nodes as that answer told them.
        """
        told = self._facts.value(ZNODES, max(moment.at, self.watched_from or 0.0)) or {}
        for path, raw in told.items():
            known = self._read.get(path)
            if known is None or known[0] is not raw:
                self._read[path] = (raw, znode_of(path, raw))
        return {path: self._read[path][1] for path in told}

    @property
    def problem(self) -> str:
        """A sentence that says why the metadata log could not be read; "" if it could."""
        told = self._facts.value(READ)
        return (
            "A recording gets KRaft's log when it ends, and this one has not ended."
            if told is None
            else told["problem"]
        )


def metadata_part(cluster: Any, recording: Recording) -> ZnodesRecorder | MetadataLogRecorder | None:
    """Make the part of a recorder for metadata; None if they cannot be read, or the cluster is only a model."""
    if not cluster.capabilities.clients:
        return None
    hosts = cluster.zookeeper_connect
    if hosts:
        return ZnodesRecorder(hosts, cluster, recording)
    return MetadataLogRecorder(cluster, recording) if cluster.mode == "kraft" else None


# --- KRaft's log


class MetadataLogRecorder:
    """Reads the newest segment of the metadata log from a broker's disk when the recording ends.

    :param cluster: the cluster, with its brokers' disks and Kafka's tools.
    """

    def __init__(self, cluster: Any, recording: Recording) -> None:
        self._cluster, self._recording = cluster, recording

    def stop(self) -> None:
        """Record what the log holds by now."""
        now = self._recording.now  # decoding takes seconds, which are not part of the recording
        records: tuple[MetadataRecord, ...] = ()
        try:
            records = read_metadata_log(log_dir_of(self._cluster, self._cluster.watcher().latest), self._cluster.tool)
            problem = "" if records else "There was no log of KRaft to read."
        except KafkalabError as error:
            problem = error.what
        except Exception as error:
            log.exception("the metadata log could not be read")
            problem = f"The metadata log could not be read ({type(error).__name__})."
        began = self._recording.header.began
        for record in records:
            self._recording.put(record.at - began, METADATA, "add", asdict(record))
        self._recording.state(READ, {"at": began + now, "problem": problem[:400]}, now)
        self._recording.grown()


# --- ZooKeeper's nodes and the watches that fire


#: Nodes that are recorded with their children, besides those that are always watched.
LISTED = ("/", "/admin", "/brokers", "/brokers/ids", "/cluster", "/config", "/config/topics")
#: Maximum numbers of partition states, of topics, and of children of listed nodes that are watched and recorded.
STATES, TOPICS, CHILDREN = 200, 40, 150


class ZnodesRecorder:
    """Records ZooKeeper's nodes and watches, through the client that all views share.

    :param hosts: the addresses of ZooKeeper.
    :param cluster: its watcher tells which brokers and partitions there are.
    """

    def __init__(self, hosts: str, cluster: Any, recording: Recording) -> None:
        self._recording, self._began = recording, recording.header.began
        self._lock = threading.RLock()
        #: Path → the node, and how it was recorded.
        self._told: dict[str, tuple[Znode | None, Json]] = {}
        self._wants: dict[str, bool] = dict.fromkeys(LISTED, True)
        self._snapshot: Snapshot | None = cluster.watcher().latest
        self._ended = False
        self._tree = shared(Znodes, hosts)
        # Hold the lock, so that the listener cannot run before there is a looker.
        with self._lock:
            self._looker = self._tree.look(self._heard)
            self._want()
        self._unsubscribe: Callable[[], None] = cluster.watcher().subscribe(self._updated)

    def stop(self) -> None:
        """Stop recording."""
        self._unsubscribe()
        with self._lock:
            self._ended = True
        self._looker.close()

    def _updated(self, update: Update) -> None:
        """Record the nodes of topics and brokers that are there now; called by the cluster's watcher."""
        if update.snapshot is None:
            return
        with self._lock:
            self._snapshot = update.snapshot
            if not self._ended:
                self._want()

    def _heard(self, update: ZnodeUpdate) -> None:
        """Record watches and nodes; called on the thread of the ZooKeeper client."""
        with self._lock:
            if self._ended:
                return
            events = [event for event in update.events if event.path in self._wants]
            for event in events:
                self._recording.put(event.at - self._began, WATCHES, "add", watch_told(event))
            grown = self._tell() if update.nodes else False
            self._want()
        if events or grown:
            self._recording.grown()

    def _tell(self) -> bool:
        """Record the nodes that have changed, and return whether there were any."""
        nodes = self._tree.nodes
        told = {path: known for path, known in self._told.items() if path in self._wants}
        for path in self._wants.keys() & nodes.keys():
            if path not in told or told[path][0] is not nodes[path]:
                told[path] = (nodes[path], znode_told(nodes[path]))
        self._told = told
        return bool(told) and self._recording.state(ZNODES, {path: known[1] for path, known in told.items()})

    def _want(self) -> None:
        wants = wanted(self._snapshot, self._tree.nodes)
        if wants != self._wants or not self._looker.wants:
            self._wants = wants
            self._looker.want(wants)
            # Nodes that others look at are there already, so that no update will tell of them.
            self._tell()


def wanted(snapshot: Snapshot | None, nodes: Mapping[str, Znode | None]) -> dict[str, bool]:
    """Return node → whether to list its children, for the nodes that a view opens first or that change in a failure."""
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
