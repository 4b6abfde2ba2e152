"""Reads nodes of ZooKeeper's tree, many at once, and leaves a watch on each."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from kazoo.exceptions import (
    ConnectionClosedError,
    ConnectionLoss,
    KazooException,
    NoNodeError,
    OperationTimeoutError,
    SessionExpiredError,
)
from kazoo.protocol.states import EventType

#: Of a node's data so many bytes are kept; ZooKeeper takes up to 1 MB.
DATA_KEPT = 16_384

_UNANSWERED = (ConnectionClosedError, ConnectionLoss, OperationTimeoutError, SessionExpiredError, TimeoutError)

#: ZooKeeper's own words for what a watch tells.
WORDS = {
    EventType.CREATED: "NodeCreated",
    EventType.DELETED: "NodeDeleted",
    EventType.CHANGED: "NodeDataChanged",
    EventType.CHILD: "NodeChildrenChanged",
}


@dataclass(frozen=True, slots=True)
class Znode:
    """A node as it was read.

    ``data`` is cut to 16 kB, ``size`` is its whole length. ``version`` counts writes of the data. ``owner`` is the
    session an ephemeral node lives and dies with; None: it is persistent. ``modified`` is ZooKeeper's clock, Unix
    seconds; ``zxid`` the transaction that wrote it. ``children`` are sorted names; None where only their number,
    ``child_count``, was wanted.
    """

    path: str
    data: bytes
    size: int
    version: int
    owner: int | None
    created: float
    modified: float
    zxid: int
    child_count: int
    children: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Watched:
    """What a watch was left on: the node's data, and with ``children`` their list too."""

    children: bool


def changed(before: Znode | None, after: Znode | None) -> bool:
    """Whether a node is another than before, apart from how much of it was wanted."""
    if before is None or after is None:
        return before is not after
    if before.children is not None and after.children is not None and before.children != after.children:
        return True
    return (before.zxid, before.created) != (after.zxid, after.created)


def read(
    client: Any, wants: Mapping[str, bool], watch: Callable[[Any], None], seconds: float
) -> dict[str, Znode | None]:
    """Read nodes side by side, and be told once when one of them changes, or begins to exist.

    :param wants: path → whether its children are listed too.
    :return: what was answered within ``seconds``; None for a node that is not there, or may not be read. A node is
        missing when the connection was lost meanwhile.
    """
    end = time.monotonic() + seconds
    asked = [
        (path, client.get_async(path, watch), client.get_children_async(path, watch) if kids else None)
        for path, kids in wants.items()
    ]
    found: dict[str, Znode | None] = {}
    absent = []
    for path, data, names in asked:
        try:
            content, stat = _answer(data, end)
            found[path] = _znode(path, content, stat, None if names is None else _answer(names, end))
        except NoNodeError:
            absent.append((path, client.exists_async(path, watch)))
        except (*_UNANSWERED, client.handler.timeout_exception):
            continue
        except KazooException:
            found[path] = None  # it is not for everybody's eyes, or no path at all: nothing to wait for
    for path, there in absent:
        try:
            if _answer(there, end) is None:
                found[path] = None  # otherwise it began to exist this very moment: it is read again
        except (KazooException, client.handler.timeout_exception):
            continue
    return found


def _answer(pending: Any, end: float) -> Any:
    return pending.get(timeout=max(0.0, end - time.monotonic()))


def _znode(path: str, data: bytes | None, stat: Any, names: list[str] | None) -> Znode:
    data = data or b""
    return Znode(
        path,
        data[:DATA_KEPT],
        len(data),
        stat.version,
        stat.ephemeralOwner or None,
        stat.ctime / 1000,
        stat.mtime / 1000,
        stat.mzxid,
        stat.numChildren,
        None if names is None else tuple(sorted(names)),
    )
