"""ZooKeeper's tree as it is now, and its watch events as they fire; Kafka 3.9's brokers know of each other through it.

Each ZooKeeper gets one client, which all viewers share and which only reads and sets watches. A watch fires once, so
every node that changed is read again, which sets the next watch.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any, Literal

from kazoo.client import KazooClient
from kazoo.exceptions import (
    ConnectionClosedError,
    ConnectionLoss,
    KazooException,
    NoNodeError,
    OperationTimeoutError,
    SessionExpiredError,
)
from kazoo.protocol.states import EventType
from kazoo.retry import KazooRetry

from kafkalab.state.watch import Poller

# --- Reads nodes of ZooKeeper's tree, many at once, and sets a watch on each.


#: Maximum bytes of a node's data that are kept; ZooKeeper takes up to 1 MB.
DATA_KEPT = 16_384

_UNANSWERED = (ConnectionClosedError, ConnectionLoss, OperationTimeoutError, SessionExpiredError, TimeoutError)

#: ZooKeeper's own names for watch events.
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
    session an ephemeral node lives and dies with; None: it is persistent. ``created`` and ``modified`` are Unix seconds
    by ZooKeeper's clock; ``zxid`` is the transaction that wrote it last. ``children`` are sorted names; None where only
    their number, ``child_count``, was wanted.
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


def changed(before: Znode | None, after: Znode | None) -> bool:
    """Return whether a node has changed; children are compared only where both readings listed them."""
    if before is None or after is None:
        return before is not after
    if before.children is not None and after.children is not None and before.children != after.children:
        return True
    return (before.zxid, before.created) != (after.zxid, after.created)


def read(
    client: Any, wants: Mapping[str, bool], watch: Callable[[Any], None], seconds: float
) -> dict[str, Znode | None]:
    """Read nodes in parallel, and set watches that fire once when a node changes or begins to exist.

    :param wants: path → whether its children are listed too.
    :return: path → the node, or None when it does not exist or may not be read. A node is missing when it was not
        answered within ``seconds``, the connection was lost, or it was created meanwhile.
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
            found[path] = None  # it may not be read, or is no valid path: nothing to wait for
    for path, there in absent:
        try:
            if _answer(there, end) is None:
                found[path] = None  # otherwise it was created this very moment: it is read again
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


log = logging.getLogger(__name__)
# Znodes.state tells of lost connections; kazoo's own messages must not appear in a notebook as red lines.
_quiet = logging.getLogger(f"{__name__}.kazoo")
_quiet.addHandler(logging.NullHandler())

#: Nodes that are always watched, because failures change them.
IMPORTANT = (
    "/controller",
    "/controller_epoch",
    "/brokers/ids",
    "/brokers/topics",
    "/isr_change_notification",
    "/admin/delete_topics",
    "/admin/reassign_partitions",
    "/config/changes",
)
#: Session timeout that we ask for, seconds; ZooKeeper may grant less. And seconds to wait for a read before it is done
#: again.
SESSION_SECONDS, READ_SECONDS = 6.0, 3.0

#: State of our connection. ``connecting``: there was none yet. ``suspended``: no ZooKeeper answers, but the session may
#: still live. ``lost``: the session is over, and a new one is asked for. ``closed``: there is no viewer.
State = Literal["connecting", "connected", "suspended", "lost", "closed"]


@dataclass(frozen=True, slots=True)
class ZnodeEvent:
    """A watch that fired: ZooKeeper's name for it, and the node as read before and right after.

    ``at`` is when it reached us, Unix seconds. Several changes between the firing of a watch and the next read are one
    event. ``type`` is "" for a change that no watch reported, because no ZooKeeper answered at the time.
    """

    at: float
    type: str
    path: str
    before: Znode | None
    after: Znode | None

    @property
    def appeared(self) -> tuple[str, ...]:
        """Names of children that are new."""
        return _without(self.after, self.before)

    @property
    def vanished(self) -> tuple[str, ...]:
        """Names of children that are gone."""
        return _without(self.before, self.after)


@dataclass(frozen=True, slots=True)
class ZnodeUpdate:
    """News for listeners: the nodes that were read (None: there is none), events, and the connection's state."""

    nodes: Mapping[str, Znode | None] = field(default_factory=dict)
    events: tuple[ZnodeEvent, ...] = ()
    state: State = "connected"


Listener = Callable[[ZnodeUpdate], object]


class Looker:
    """A viewer of a tree: says which nodes to keep current, and hears of them until :meth:`close`."""

    def __init__(self, znodes: Znodes, listener: Listener) -> None:
        self._znodes = znodes
        self.wants: Mapping[str, bool] = {}
        self._unsubscribe = znodes.subscribe(listener)

    def want(self, wants: Mapping[str, bool]) -> None:
        """Keep these nodes current: path → whether its children are listed too. This replaces what it wanted before."""
        if dict(wants) != self.wants:
            self.wants = dict(wants)
            self._znodes.wanted(self, self.wants)

    def close(self) -> None:
        """Stop listening; the client ends with the last looker."""
        self._unsubscribe()
        self._znodes.wanted(self, None)


class Znodes(Poller[[ZnodeUpdate]]):
    """The tree of one ZooKeeper server or ensemble; all its viewers share one (:func:`~kafkalab.state.watch.shared`).

    Its thread and its session begin with the first looker and end with the last. Listeners are called on that thread.

    :param hosts: ``host:port,host:port``, followed by Kafka's chroot if it has one.
    """

    def __init__(self, hosts: str) -> None:
        super().__init__("kafkalab-znodes")
        self.hosts = hosts
        self.state: State = "closed"
        #: Time at which it entered that state, Unix seconds.
        self.since = time.time()
        self.session: int | None = None
        self._nodes: dict[str, Znode | None] = {}
        #: Path → whether its children are watched too.
        self._watched: dict[str, bool] = {}
        #: Path → the watches that fired and when, until the node is read again.
        self._fired: dict[str, dict[str, float]] = {}
        self._wants: dict[Looker, Mapping[str, bool]] = {}
        #: Wakes the thread: a watch that fired, as (time, word, path), or a state, or None.
        self._news: SimpleQueue[tuple[float, str, str] | str | None] = SimpleQueue()

    @property
    def nodes(self) -> Mapping[str, Znode | None]:
        """Every node that is kept current: path → what was read, None when it does not exist."""
        with self._changed:
            return dict(self._nodes)

    def look(self, listener: Listener) -> Looker:
        """Return a new looker; the first one starts the connection."""
        return Looker(self, listener)

    def wanted(self, looker: Looker, wants: Mapping[str, bool] | None) -> None:
        """Keep current what a looker wants; None: it has gone."""
        with self._changed:
            self._wants.pop(looker, None)
            if wants is not None:
                self._wants[looker] = wants
            self._news.put(None)

    # called on kazoo's threads: they only leave a message for our thread

    def _on_state(self, state: str) -> None:
        self._set_state({"CONNECTED": "connected", "SUSPENDED": "suspended"}.get(state, "lost"))
        self._news.put(state)

    def _set_state(self, state: Any) -> None:
        with self._changed:
            if state != self.state:
                self.state, self.since = state, time.time()

    def _on_watch(self, event: Any) -> None:
        if (word := WORDS.get(event.type)) is not None:
            self._news.put((time.time(), word, event.path))

    # our own thread

    def _run(self) -> None:
        while True:
            with self._changed:
                if not self._listeners:
                    self._set_state("closed")
                    self._thread = None
                    return
                self._set_state("connecting")
                for kept in (self._nodes, self._watched, self._fired):
                    kept.clear()
                self._news = SimpleQueue()
            self._session()

    def _session(self) -> None:
        """Run one client, with a session of its own, until the last looker has gone."""
        # No limit to the tries: a ZooKeeper that was stopped is expected back.
        retry = KazooRetry(max_tries=-1, delay=0.1, backoff=2, max_delay=0.5)
        client = KazooClient(hosts=self.hosts, timeout=SESSION_SECONDS, connection_retry=retry, logger=_quiet)
        client.add_listener(self._on_state)
        client.start_async()
        try:
            while self._step(client):
                pass
        except Exception:
            # This is a bug in kafkalab: it belongs in the log, and no viewer hears anything more.
            log.exception("the thread that reads ZooKeeper at %s ended", self.hosts)
            with self._changed:
                self._listeners.clear()
        client.remove_listener(self._on_state)
        client.stop()
        client.close()
        with self._changed:
            self.session = None
            self._nodes.clear()

    def _step(self, client: Any) -> bool:
        """Wait for something to do and do it; return False when there are no listeners any more."""
        news = [self._news.get()]
        while not self._news.empty():
            news.append(self._news.get())
        with self._changed:
            if not self._listeners:
                return False
            state = self.state
            wanted = dict.fromkeys(IMPORTANT, True)
            for wants in self._wants.values():
                wanted |= {path: wanted.get(path, False) or kids for path, kids in wants.items()}
        for one in news:
            if isinstance(one, str):
                self._watched.clear()  # a client loses its watches with its connection
            elif one is not None:
                at, word, path = one
                self._fired.setdefault(path, {}).setdefault(word, at)
                self._watched.pop(path, None)
        if state != "connected":
            self._notify(ZnodeUpdate(state=state))
            return True
        self.session = client.client_id[0] if client.client_id else None
        self._read(client, wanted)
        return True

    def _read(self, client: Any, wanted: Mapping[str, bool]) -> None:
        """Read what is wanted and not watched, which sets the watches, and tell what changed."""
        with self._changed:
            for kept in (self._watched, self._nodes, self._fired):
                # A watch of what nobody wants any more may still fire once; then it is not read again.
                for path in kept.keys() - wanted.keys():
                    del kept[path]
        watched = self._watched
        missing = {path: kids for path, kids in wanted.items() if path not in watched or kids > watched[path]}
        if not missing:
            return
        found = read(client, missing, self._on_watch, READ_SECONDS)
        events = []
        with self._changed:
            for path, znode in found.items():
                known, before = path in self._nodes, self._nodes.get(path)
                self._nodes[path], self._watched[path] = znode, missing[path]
                fired = self._fired.pop(path, {}) or ({"": time.time()} if known and changed(before, znode) else {})
                events += [ZnodeEvent(at, word, path, before, znode) for word, at in fired.items()]
            if missing.keys() - found.keys() and self.state == "connected":
                self._news.put(None)  # the node was created meanwhile: it is read again
        events.sort(key=lambda event: event.at)
        if found:
            self._notify(ZnodeUpdate(found, tuple(events), self.state))


def _without(these: Znode | None, those: Znode | None) -> tuple[str, ...]:
    gone = set(those.children or ()) if those else set()
    return tuple(name for name in (these.children or () if these else ()) if name not in gone)
