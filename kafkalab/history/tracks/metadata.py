"""Metadata in a recording: ZooKeeper's nodes, the watches that fired, and the records of KRaft's log.

Tracks ``znodes``, ``watches``, ``metadata``, and ``metadata_read``, which says when the log was read last (``at``, Unix
seconds) and why it could not be read (``problem``). This module writes and reads all four.
"""

from __future__ import annotations

import binascii
import logging
import threading
import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from typing import Any

from kafkalab.errors import KafkalabError
from kafkalab.history.facts import Facts, Json
from kafkalab.history.moment import Moment, Shape, fits
from kafkalab.history.recording import Recording
from kafkalab.state.metadata.log import MetadataRecord, decoded, log_dir_of, newest_segment
from kafkalab.state.metadata.znodes import IMPORTANT, Znode, ZnodeEvent, Znodes, ZnodeUpdate
from kafkalab.state.model import Snapshot
from kafkalab.state.patch import diff
from kafkalab.state.watch import Update

ZNODES, WATCHES, METADATA, READ = "znodes", "watches", "metadata", "metadata_read"
#: Maximum bytes of a node's data that are recorded; a view shows about as many.
DATA_RECORDED = 4096
#: Maximum number of a node's children that are recorded.
CHILDREN_RECORDED = 2000

_ZNODE: Shape = {
    "data": str, "size": int, "version": int, "owner": (int, None), "created": float, "modified": float, "zxid": int,
    "child_count": int, "children": ([str], None),
}  # fmt: skip
_WATCH: Shape = {"at": float, "type": str, "path": str}
_RECORD: Shape = {"offset": int, "at": float, "type": str, "data": dict}


def znode_told(znode: Znode | None) -> Json:
    """Return a node as it is recorded: its fields without the path, data in base64; None for a node not there."""
    if znode is None:
        return None
    children = None if znode.children is None else list(znode.children[:CHILDREN_RECORDED])
    return {
        "data": b64encode(znode.data[:DATA_RECORDED]).decode(),
        "size": znode.size,
        "version": znode.version,
        "owner": znode.owner,
        "created": znode.created,
        "modified": znode.modified,
        "zxid": znode.zxid,
        "child_count": znode.child_count,
        "children": children,
    }


def znode_of(path: str, told: Json) -> Znode | None:
    """Return the node that :func:`znode_told` recorded; None for a node that is not there.

    :raises ValueError: ``told`` is malformed.
    """
    if told is None:
        return None
    if not fits(told, _ZNODE):
        raise ValueError("no znode")
    try:
        data = b64decode(told["data"], validate=True)
    except (binascii.Error, ValueError):
        raise ValueError("no base64") from None
    children = None if told["children"] is None else tuple(told["children"])
    known = {name: told[name] for name in _ZNODE if name not in ("data", "children")}
    return Znode(path, data, **known, children=children)


def watch_told(event: ZnodeEvent) -> Json:
    """Return a watch as it is recorded: its lists of children hold only those that appeared or vanished."""
    before, after = znode_told(event.before), znode_told(event.after)
    for node, names in ((before, event.vanished), (after, event.appeared)):
        if node is not None and node["children"] is not None:
            node["children"] = list(names[:CHILDREN_RECORDED])
    return {"at": event.at, "type": event.type, "path": event.path, "before": before, "after": after}


def watch_of(told: Json) -> ZnodeEvent | None:
    """Return the watch that :func:`watch_told` recorded; None if ``told`` is malformed."""
    if not fits(told, _WATCH):
        return None
    try:
        before, after = (znode_of(told["path"], told.get(name)) for name in ("before", "after"))
    except ValueError:
        return None
    return ZnodeEvent(told["at"], told["type"], told["path"], before, after)


def record_told(record: MetadataRecord) -> Json:
    """Return a record of the metadata log in the form in which it is recorded."""
    return {"offset": record.offset, "at": record.at, "type": record.type, "data": dict(record.data)}


def record_of(told: Json) -> MetadataRecord | None:
    """Return the record that :func:`record_told` recorded; None if ``told`` is malformed."""
    if not fits(told, _RECORD):
        return None
    return MetadataRecord(told["offset"], told["at"], told["type"], told["data"])


class RecordedMetadata:
    """The metadata of a recording. It keeps a cache of the nodes it has read.

    :param facts: the facts of the recording.
    """

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        #: Cache: path → the node as recorded, and as read. Moments share the nodes that did not change.
        self._read: dict[str, tuple[Json, Znode | None]] = {}

    @property
    def watched_from(self) -> float | None:
        """Time at which ZooKeeper's nodes were first recorded, seconds since the beginning; None: never."""
        return self._facts.first(ZNODES)

    def znodes(self, moment: Moment) -> Mapping[str, Znode | None]:
        """Return path → node at a moment, for every recorded node that can be read; None: the node was not there.

        Moments before ZooKeeper's first answer show the nodes as that answer told them.
        """
        told = self._facts.value(ZNODES, max(moment.at, self.watched_from or 0.0))
        found: dict[str, Znode | None] = {}
        for path, raw in told.items() if isinstance(told, dict) else ():
            known = self._read.get(path)
            if known is None or known[0] is not raw:
                try:
                    known = self._read[path] = (raw, znode_of(path, raw))
                except ValueError:
                    continue
            found[path] = known[1]
        return found

    @property
    def problem(self) -> str:
        """A sentence that says why the metadata log could not be read; "" if it could."""
        told = self._facts.value(READ)
        if not fits(told, {"at": float, "problem": str}):
            return "KRaft's log was not read while this was recorded."
        return str(told["problem"])[:400]


# --- Records KRaft's metadata log: copies its bytes now and then, and decodes them after a failure and at the end.


log = logging.getLogger(__name__)

#: Seconds from one copy to the next, and from an event to a copy: a cluster that is stopped may lose its disks.
COPIED_EVERY, COPIED_AFTER = 10.0, 1.0
#: Seconds from a failure to decoding, so that the log has all that it led to; minimum seconds between two decodings.
SETTLED, DECODED_EVERY = 5.0, 180.0
#: Maximum seconds for Kafka's tool, a JVM, to decode the log.
PATIENCE = 20.0
#: Maximum number of records from before the recording that are kept, and as many again that name a topic.
EARLIER = 200
_FAILURES = frozenset({"broker_down", "broker_up", "controller_moved", "leader_lost", "leader_moved"})


class MetadataLogRecorder:
    """Copies the newest segment of the metadata log from a broker, on a thread of its own; Kafka's tool decodes it.

    :param cluster: the cluster, with its brokers' disks and Kafka's tools.
    """

    def __init__(self, cluster: Any, recording: Recording) -> None:
        self._cluster, self._recording, self._began = cluster, recording, recording.header.began
        self._segment = b""
        self._problem = ""
        self._last = -1
        self._decoded_at: float | None = None
        self._due: float | None = None
        self._copy_due = 0.0
        self._ended = False
        self._read: Any = None
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="kafkalab-record-metadata", daemon=True)
        self._unsubscribe: Callable[[], None] = cluster.watcher().subscribe(self._heard)
        self._thread.start()

    def stop(self) -> None:
        """Record what the log holds by now, and stop recording."""
        self._unsubscribe()
        with self._changed:
            self._ended = True
            self._changed.notify_all()
        self._thread.join(PATIENCE)
        if not self._thread.is_alive():
            self._copy()
            self._decode()

    @property
    def copied(self) -> bytes:
        """The bytes of the newest copy."""
        return self._segment

    def _heard(self, update: Update) -> None:
        now = time.monotonic()
        with self._changed:
            if any(event.kind in _FAILURES for event in update.events):
                soonest = 0.0 if self._decoded_at is None else self._decoded_at + DECODED_EVERY
                self._due = self._due or max(now + SETTLED, soonest)
            if any(not event.chatty for event in update.events) or not self._segment:
                self._copy_due = min(self._copy_due, now + COPIED_AFTER)
                self._changed.notify_all()

    def _run(self) -> None:
        while not self._ended:
            now = time.monotonic()
            with self._changed:
                copy = self._copy_due <= now
                self._copy_due = now + COPIED_EVERY if copy else self._copy_due
            if copy:
                self._copy()
            with self._changed:
                due = self._due
                if due is None or due > now:
                    next = min(self._copy_due, due or self._copy_due)
                    if not self._ended and next > (now := time.monotonic()):
                        self._changed.wait(next - now)
                    continue
                self._due = None
            self._copy()
            if not self._ended:
                self._decode()

    def _copy(self) -> None:
        try:
            segment = newest_segment(log_dir_of(self._cluster, self._cluster.watcher().latest))
        except KafkalabError as error:
            self._problem = error.what
        except Exception as error:
            # The copy before is kept.
            log.debug("the metadata log could not be copied", exc_info=True)
            self._problem = f"The metadata log could not be copied ({type(error).__name__})."
        else:
            # A broker that was removed leaves no segment: the copy before is kept.
            self._segment, self._problem = segment or self._segment, ""

    def _decode(self) -> None:
        try:
            records = decoded(self._segment, self._tool)
            problem = "" if records else self._problem or "There was no log of KRaft to read."
        except KafkalabError as error:
            records, problem = (), error.what
        except Exception as error:
            log.exception("the metadata log could not be decoded")
            records, problem = (), f"The metadata log could not be decoded ({type(error).__name__})."
        self._decoded_at = time.monotonic()
        for record in self._worth(records):
            self._recording.put(record.at - self._began, METADATA, "add", record_told(record))
        self._last = max([self._last, *(record.offset for record in records)])
        now = time.time()
        read = {"at": now, "problem": "" if self._last >= 0 else problem[:400]}
        self._recording.put(now - self._began, READ, "set", diff(self._read, read))
        self._read = read
        self._recording.grown()

    def _worth(self, records: tuple[MetadataRecord, ...]) -> list[MetadataRecord]:
        """Return the new records; of those from before the recording only the last ones, and the last TopicRecords."""
        new = [record for record in records if record.offset > self._last]
        before = [record for record in new if record.at < self._began]
        named = [record for record in before if record.type == "TopicRecord"][-EARLIER:]
        kept = {record.offset for record in (*named, *before[-EARLIER:])}
        return [record for record in new if record.at >= self._began or record.offset in kept]

    def _tool(self, name: str, *args: str, timeout: float, **more: Any) -> str:
        found: str = self._cluster.tool(name, *args, timeout=min(timeout, PATIENCE), **more)
        return found


# --- Records a cluster's metadata: ZooKeeper's nodes and the watches that fire, or KRaft's log.


#: Nodes that are recorded with their children, besides those that are always watched.
LISTED = ("/", "/admin", "/brokers", "/brokers/ids", "/cluster", "/config", "/config/topics")
#: Maximum numbers of partition states, of topics, and of children of listed nodes that are watched and recorded.
STATES, TOPICS, CHILDREN = 200, 40, 150
#: Maximum number of fired watches that are recorded.
MOST_WATCHES = 100_000


def metadata_part(cluster: Any, recording: Recording) -> ZnodesRecorder | MetadataLogRecorder | None:
    """Make the part of a recorder for metadata; None if they cannot be read, or the cluster is only a model."""
    if not cluster.capabilities.clients:
        return None
    hosts = cluster.zookeeper_connect
    if hosts:
        return ZnodesRecorder(hosts, cluster, recording)
    return MetadataLogRecorder(cluster, recording) if cluster.mode == "kraft" else None


class ZnodesRecorder:
    """Records ZooKeeper's nodes and watches, through the client that all views share.

    :param hosts: the addresses of ZooKeeper.
    :param cluster: its watcher tells which brokers and partitions there are.
    """

    def __init__(self, hosts: str, cluster: Any, recording: Recording) -> None:
        self._recording, self._began = recording, recording.header.began
        self._lock = threading.RLock()
        self._told: dict[str, Any] = {}
        #: Path → the node as it was recorded last, to see what is new.
        self._seen: dict[str, Znode | None] = {}
        self._wants: dict[str, bool] = dict.fromkeys(LISTED, True)
        self._snapshot: Snapshot | None = cluster.watcher().latest
        self._watches = 0
        self._ended = False
        self._tree = Znodes.of(hosts)
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
            events = [e for e in update.events if e.path in self._wants and self._watches < MOST_WATCHES]
            self._watches += len(events)
            for event in events:
                self._recording.put(event.at - self._began, WATCHES, "add", watch_told(event))
            grown = self._tell() if update.nodes else False
            self._want()
        if events or grown:
            self._recording.grown()

    def _tell(self) -> bool:
        """Record the nodes that have changed, and return whether there were any."""
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
