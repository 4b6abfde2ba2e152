"""Watcher: captures snapshots at regular intervals, on a thread of its own, and tells its listeners what is new."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, ParamSpec, Protocol, TypeVar
from weakref import WeakValueDictionary

from kafkalab.errors import BadInput, KafkalabError
from kafkalab.state.changes import changes
from kafkalab.state.log.segments import LogDir
from kafkalab.state.model import Event, NodeState, Snapshot, Verb
from kafkalab.waiting import wait_until

log = logging.getLogger(__name__)

# --- Poller: a thread that runs while it has subscribers.


P = ParamSpec("P")


class Poller(Generic[P]):
    """Looks at something again and again, and tells its listeners what changed; ``P`` are a listener's parameters.

    Its daemon thread, which runs :meth:`_run`, starts with the first listener and ends with the last. When ``_run``
    finds no listener left, it sets ``_thread`` to None while it still holds ``_changed``, which guards the fields. So a
    listener that comes a moment later finds no thread and starts another one.

    :param name: name of the thread.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._listeners: dict[object, Callable[P, object]] = {}
        self._grumbled: dict[object, str] = {}
        self._thread: threading.Thread | None = None
        self._due = False
        # Held only for moments, never while a listener runs or an answer is awaited.
        self._changed = threading.Condition()

    @property
    def running(self) -> bool:
        """Whether its thread runs, which it does while there are listeners."""
        return self._thread is not None

    @property
    def over(self) -> bool:
        """Whether there is nothing to look at; then its thread ends, and none starts."""
        return False

    def subscribe(self, listener: Callable[P, object]) -> Callable[[], None]:
        """Call ``listener`` whenever something changed; returns a function that ends this (twice is harmless)."""
        token = object()
        with self._changed:
            self._listeners[token] = listener
            self._begin()

        def unsubscribe() -> None:
            with self._changed:
                self._listeners.pop(token, None)
                self._grumbled.pop(token, None)
                self._changed.notify_all()

        return unsubscribe

    def _begin(self) -> None:
        """Start the thread, if it is needed and does not run; called while ``_changed`` is held."""
        if self._thread is None and self._listeners and not self.over:
            self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
            self._thread.start()

    def _run(self) -> None:
        """Do the thread's work until the last listener has gone."""
        while True:
            with self._changed:
                if self.over or not self._listeners:
                    self._thread = None
                    self._rests()
                    return
                self._due = False
            rest = self._look()
            with self._changed:
                self._changed.wait_for(lambda: self._due or self.over or not self._listeners, rest)

    def _look(self) -> float:
        """Look once, and return the seconds to rest before the next look."""
        raise NotImplementedError

    def _rests(self) -> None:
        """Note that the last listener has gone; called while ``_changed`` is held."""

    def _look_soon(self) -> None:
        """End the rest before the next look."""
        with self._changed:
            self._due = True
            self._changed.notify_all()

    def _notify(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Call every listener; one that raises is logged and kept."""
        with self._changed:
            listeners = tuple(self._listeners.items())
        for token, listener in listeners:
            if token not in self._listeners:  # it left while the others were told
                continue
            try:
                listener(*args, **kwargs)
            except Exception as error:
                # Its name, not its repr: that of a view's method draws the picture, and that may be what failed.
                name = getattr(listener, "__qualname__", type(listener).__name__)
                self._grumble(token, f"a listener of {self!r} raised; it stays subscribed: {name}", error)

    def _grumble(self, token: object, what: str, error: Exception) -> None:
        """Log an error unless it repeats the last one: repeats every half second would bury the rest of the log."""
        text = repr(error)
        if self._grumbled.get(token) != text:
            self._grumbled[token] = text
            log.error("%s", what, exc_info=error)


S = TypeVar("S", bound=Poller[...])
_shared: WeakValueDictionary[tuple[Any, ...], Any] = WeakValueDictionary()
_making = threading.Lock()


def shared(kind: Callable[..., S], *made_of: object, key: str = "") -> S:
    """Return the poller made of these, or known by ``key``; all who ask for it share it, while one of them keeps it."""
    with _making:
        found: S = _shared.setdefault((kind, key) if key else (kind, *made_of), kind(*made_of))
        return found


# --- Watcher: the poller that takes snapshots of a cluster.


#: Maximum number of events that are kept; older ones are dropped.
EVENTS_KEPT = 2000
#: Longest pause that back-off may lead to, seconds, so that a cluster that comes back is seen soon.
LONGEST_PAUSE = 2.0


@dataclass(frozen=True, slots=True)
class Update:
    """One message to the listeners, with only what is new.

    ``snapshot`` is None when this update brings none (a note, or a capture that failed): :attr:`Watcher.latest` still
    holds the last one. ``error`` is a sentence when a capture failed; it holds until an update with a snapshot.
    ``nodes`` is the state of every node when this update was sent, changed or not.
    """

    snapshot: Snapshot | None
    events: tuple[Event, ...] = ()
    error: str | None = None
    nodes: tuple[NodeState, ...] = ()


Listener = Callable[[Update], object]


def pause(period: float, took: float, failures: int) -> float:
    """Return the seconds to rest after a capture of ``took`` seconds, after ``failures`` failures in a row.

    Captures start a period apart. After a slower capture comes a rest as long as itself, so that watching takes about
    half of a struggling cluster's time. Each failure doubles the rest. Both stop at :data:`LONGEST_PAUSE`.
    """
    rest = max(0.0, period - took)
    if took > period:
        rest = max(rest, min(took, LONGEST_PAUSE))
    if failures:
        rest = max(rest, min(period * 2 ** min(failures, 10), LONGEST_PAUSE))
    return rest


class Watcher(Poller[[Update]]):
    """Captures snapshots of a cluster for all its listeners.

    Its daemon thread starts with the first listener and ends with the last; it may start again. A capture that raises
    becomes an update with ``error`` (and a ``capture_failed`` event), once per distinct error until a capture works
    again (``capture_recovered``). A listener that raises is logged and kept.

    :param capture: returns a snapshot or raises; called from the watcher's thread only, never twice at once.
    :param period: seconds from the start of one capture to the start of the next.
    :param nodes: lists the state of all nodes without asking a broker; None when no node is ours.
    """

    def __init__(
        self,
        capture: Callable[[], Snapshot],
        period: float = 0.5,
        nodes: Callable[[], Sequence[NodeState]] | None = None,
    ) -> None:
        if not period > 0:
            raise BadInput("A watcher's period must be above 0 seconds.", seen=f"period={period!r}")
        super().__init__("kafkalab-watcher")
        self._capture = capture
        self._period = period
        self._list_nodes = nodes
        self._nodes: tuple[NodeState, ...] = ()
        # Keeps an older listing from replacing a newer one. It is a separate lock, because a listing may take a while.
        self._listing = threading.Lock()
        self._latest: Snapshot | None = None
        self._events: deque[Event] = deque(maxlen=EVENTS_KEPT)
        self._errors: set[str] = set()
        self._failures = 0
        self._started = 0
        self._closed = False
        # One delivery at a time, so that every listener sees the events in the order of `events`. Re-entrant, because
        # a listener may add a note of its own.
        self._delivering = threading.RLock()

    def __repr__(self) -> str:
        state = "closed" if self._closed else "watching" if self._thread else "resting"
        return f"<Watcher {state}, every {self._period:g} s, {len(self._listeners)} listening>"

    @property
    def latest(self) -> Snapshot | None:
        """The last snapshot that was captured; None before the first."""
        return self._latest

    @property
    def events(self) -> tuple[Event, ...]:
        """The last 2000 events, oldest first, without those of chatty kinds."""
        with self._changed:
            return tuple(self._events)

    @property
    def nodes(self) -> tuple[NodeState, ...]:
        """The state of every node; while there are no listeners, it is asked for now."""
        if self._thread is None:
            self._look_at_nodes()
        return self._nodes

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call ``listener`` with every update from now on; returns a function that ends this (twice is harmless).

        It is called on the watcher's thread, or on the one that calls :meth:`note`, :meth:`refresh` or :meth:`close`;
        never on two at once.
        """
        with self._changed:
            if self._closed:
                raise BadInput("This watcher is closed.", do="ask the cluster for a new one: cluster.watcher()")
            return super().subscribe(listener)

    def note(self, text: str, *, node: str | None = None, verb: Verb | None = None) -> Event:
        """Add an action of the learner's to the events, and tell the listeners at once.

        :param node, verb: the node and what was done to it, if the action was that.
        """
        event = Event(time.time(), "you", text, node=node, verb=verb)
        self._deliver(Update(None, (event,)))
        return event

    def refresh(self) -> None:
        """Capture now, or right after the capture that is under way; without listeners, do nothing.

        Listeners hear of changed nodes before this returns, because a capture takes seconds when brokers do not answer.
        """
        if self._thread is not None and self._look_at_nodes():
            self._deliver(Update(None))
        self._look_soon()

    def wait_for(self, predicate: Callable[[Snapshot], object], deadline: float, what: str) -> Snapshot:
        """Return the first snapshot that is begun after this call and for which ``predicate`` is true.

        :param deadline: seconds, after which a WaitTimeout says ``what`` was waited for and how the cluster stood.
        """
        if threading.current_thread() is self._thread:
            raise BadInput("A listener cannot wait for a snapshot, because it runs on the thread that takes them.")
        arrived: deque[Update] = deque()
        with self._changed:
            begun = self._started

        def listen(update: Update) -> None:
            if update.error is not None or (update.snapshot is not None and self._started > begun):
                arrived.append(update)

        last = Update(None)

        def met() -> Snapshot | None:
            nonlocal last
            while arrived:
                last = arrived.popleft()
                if last.snapshot is not None and predicate(last.snapshot):
                    return last.snapshot
            return None

        unsubscribe = self.subscribe(listen)
        try:
            self.refresh()
            found = wait_until(met, deadline, what, seen=lambda: _standing(last))
        finally:
            unsubscribe()
        assert found is not None
        return found

    def close(self, wait: float = 5.0, last_word: str = "") -> None:
        """Drop every listener and end the thread, waiting at most ``wait`` seconds for a capture under way.

        :param last_word: a sentence on why nothing more comes; every listener still gets it as an update's ``error``.
        """
        with self._changed:
            self._closed = True
            thread = self._thread
        if last_word:
            self._deliver(Update(None, (), last_word))
        with self._changed:
            self._listeners.clear()
            self._changed.notify_all()
        if thread is not None and thread is not threading.current_thread():
            thread.join(wait)

    def _look(self) -> float:
        with self._changed:
            self._started += 1
        begun = time.monotonic()
        self._deliver(self._captured())
        return pause(self._period, time.monotonic() - begun, self._failures)

    def _look_at_nodes(self) -> bool:
        """List the nodes and return whether any has changed; the old list stays when they cannot be listed."""
        if self._list_nodes is None:
            return False
        with self._listing:
            before = self._nodes
            try:
                self._nodes = tuple(self._list_nodes())
            except Exception as error:
                self._grumble(self._list_nodes, "the nodes could not be listed", error)
            return self._nodes != before

    def _captured(self) -> Update | None:
        """Return one capture as an update; None for a failure that listeners already know of."""
        if self._look_at_nodes():
            self._deliver(Update(None))
        before = self._latest
        try:
            snapshot = self._capture()
            events = changes(before, snapshot) if before is not None else ()
        except Exception as error:
            self._failures += 1
            text = str(error) if isinstance(error, KafkalabError) else f"{type(error).__name__}: {error}"
            # The first line says what is wrong; the others, on what was seen, may differ from time to time.
            first_line = text.splitlines()[0] if text else ""
            if first_line in self._errors:
                return None
            self._errors.add(first_line)
            failed = Event(time.time(), "capture_failed", f"the state of the cluster could not be read: {first_line}")
            return Update(None, (failed,), text)
        if self._failures:
            events = (Event(snapshot.at, "capture_recovered", "the state of the cluster can be read again"), *events)
        self._failures = 0
        self._errors.clear()
        return Update(snapshot, events)

    def _deliver(self, update: Update | None) -> None:
        if update is None:
            return
        with self._delivering:
            update = replace(update, nodes=self._nodes)
            with self._changed:
                self._events.extend(e for e in update.events if not e.chatty)
                if update.snapshot is not None:
                    self._latest = update.snapshot
            self._notify(update)


def _standing(last: Update) -> str:
    """Return how the cluster stood, for the error of a wait that timed out."""
    if last.error is not None:
        return last.error.splitlines()[0]
    if last.snapshot is None:
        return "no snapshot could be captured in that time"
    return last.snapshot.in_short()


# --- Source: a cluster as views and recorders see it, without how it is started or ended.


@dataclass(frozen=True, slots=True)
class Capabilities:
    """The things that can be done with a cluster, so that no caller needs to know what runs it.

    ``clients``: Kafka clients can connect (a model in memory has no broker to talk to). ``nodes``: its nodes are ours,
    to start and to stop. ``settings_files``: a node's settings are a file on this machine, which the node reads when
    it starts.
    """

    clients: bool = True
    nodes: bool = True
    settings_files: bool = False


class Source(Protocol):
    """A cluster as views and recorders need it; :class:`kafkalab.Cluster` is one."""

    @property
    def capabilities(self) -> Capabilities:
        """The things that can be done with it."""

    @property
    def name(self) -> str:
        """The name by which the learner calls it."""

    @property
    def cluster_id(self) -> str | None:
        """The id that Kafka gave it."""

    @property
    def label(self) -> str:
        """A few words on where its nodes run."""

    @property
    def mode(self) -> str | None:
        """``zookeeper`` or ``kraft``; None where somebody else's cluster did not tell."""

    @property
    def version(self) -> str:
        """The version of Kafka; "" when it is not known."""

    @property
    def bootstrap_servers(self) -> str:
        """Addresses for Kafka clients: "host:port,host:port"."""

    @property
    def zookeeper_connect(self) -> str:
        """Addresses of all ZooKeeper servers; empty when there are none, or they are not known."""

    def snapshot(self) -> Snapshot:
        """Return the cluster as it is now; raises Unreachable when no broker answers."""

    def watcher(self) -> Watcher:
        """Return the watcher that all views of this cluster share."""

    def nodes(self) -> Sequence[NodeState]:
        """Return the state of every node, quickly; none for somebody else's cluster."""

    def act(self, node: str, verb: Verb) -> None:
        """Carry out a verb on a node, add it to the events, and return when it has taken effect."""

    def log_tail(self, node: str, lines: int = 20) -> str:
        """Return the last lines of a node's log; empty when it is out of reach."""

    def log_dir(self, broker: int) -> LogDir | None:
        """Return the files of a broker's logs; None when they are out of reach."""
