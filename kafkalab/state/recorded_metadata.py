"""Metadata in a recording: ZooKeeper's nodes, the watches that fired, and the records of KRaft's log.

Tracks ``znodes``, ``watches``, ``metadata``, and ``metadata_read``, which says when the log was read last (``at``, Unix
seconds) and why it could not be (``problem``). What is recorded of each is written and read here.
"""

from __future__ import annotations

import binascii
from base64 import b64decode, b64encode
from collections.abc import Mapping

from kafkalab.state.facts import Facts, Json
from kafkalab.state.metadata_log import MetadataRecord
from kafkalab.state.moment import Moment
from kafkalab.state.recorded_shape import Shape, fits
from kafkalab.state.znode_reading import Znode
from kafkalab.state.znodes import ZnodeEvent

ZNODES, WATCHES, METADATA, READ = "znodes", "watches", "metadata", "metadata_read"
#: So many bytes of a node's data are recorded; a view shows about as many.
DATA_RECORDED = 4096
#: Of a node's children so many are recorded.
CHILDREN_RECORDED = 2000

_ZNODE: Shape = {
    "data": str, "size": int, "version": int, "owner": (int, None), "created": float, "modified": float, "zxid": int,
    "child_count": int, "children": ([str], None),
}  # fmt: skip
_WATCH: Shape = {"at": float, "type": str, "path": str}
_RECORD: Shape = {"offset": int, "at": float, "type": str, "data": dict}


def znode_told(znode: Znode | None) -> Json:
    """A node as it is recorded: its fields but for the path, the data in base64; None for one that is not there."""
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
    """The inverse of :func:`znode_told`.

    :raises ValueError: it is none.
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
    """A watch as it is recorded: of lists of children only those that came or went."""
    before, after = znode_told(event.before), znode_told(event.after)
    for node, names in ((before, event.vanished), (after, event.appeared)):
        if node is not None and node["children"] is not None:
            node["children"] = list(names[:CHILDREN_RECORDED])
    return {"at": event.at, "type": event.type, "path": event.path, "before": before, "after": after}


def watch_of(told: Json) -> ZnodeEvent | None:
    """The inverse of :func:`watch_told`; None for what is none."""
    if not fits(told, _WATCH):
        return None
    try:
        before, after = (znode_of(told["path"], told.get(name)) for name in ("before", "after"))
    except ValueError:
        return None
    return ZnodeEvent(told["at"], told["type"], told["path"], before, after)


def record_told(record: MetadataRecord) -> Json:
    """A record of the metadata log as it is recorded."""
    return {"offset": record.offset, "at": record.at, "type": record.type, "data": dict(record.data)}


def record_of(told: Json) -> MetadataRecord | None:
    """The inverse of :func:`record_told`; None for what is none."""
    if not fits(told, _RECORD):
        return None
    return MetadataRecord(told["offset"], told["at"], told["type"], told["data"])


class RecordedMetadata:
    """The metadata of a recording. It remembers what it was asked for, to be quick, and answers the same without.

    :param facts: of the recording.
    """

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        #: Nodes that were read already: moments share what did not change between them.
        self._read: dict[str, tuple[Json, Znode | None]] = {}

    @property
    def watched_from(self) -> float | None:
        """From when on ZooKeeper's nodes were watched, seconds since the beginning; None: never."""
        return self._facts.first(ZNODES)

    def znodes(self, moment: Moment) -> Mapping[str, Znode | None]:
        """Every node that was recorded, as it was at a moment; without those that cannot be read.

        Before ZooKeeper had answered for the first time they are as it told them then.
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
        """Why the metadata log could not be read, in a sentence; "" where it could."""
        told = self._facts.value(READ)
        if not fits(told, {"at": float, "problem": str}):
            return "KRaft's log was not read while this was recorded."
        return str(told["problem"])[:400]
