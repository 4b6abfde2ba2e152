"""ClusterView: the live picture of a cluster, with buttons that act on its nodes."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, get_args

import anywidget
import traitlets

from kafkalab.cluster.backend import NodeState, Verb
from kafkalab.errors import KafkalabError, WaitTimeout
from kafkalab.state.event import Event
from kafkalab.state.model import Snapshot
from kafkalab.state.watch import Update, Watcher
from kafkalab.views.assets import css, esm
from kafkalab.views.cluster_drawn import Drawn, drawn
from kafkalab.views.cluster_html import to_html
from kafkalab.views.cluster_text import to_text
from kafkalab.views.comms import answer_where_asked
from kafkalab.views.event_lines import EventLines, Line
from kafkalab.waiting import wait_until

log = logging.getLogger(__name__)

#: How long showing a new view may wait for its first snapshot, seconds, so that the static forms are not empty.
FIRST_LOOK = 1.5

_DONE: dict[Verb, str] = {
    "stop": "you stopped {}",
    "kill": "you killed {}",
    "pause": "you paused {}",
    "resume": "you resumed {}",
    "start": "you started {}",
    "cut": "you cut {} off the network",
    "join": "you joined {} to the network again",
}


class Source(Protocol):
    """What a view needs of a cluster; :class:`kafkalab.Cluster` is one."""

    @property
    def name(self) -> str:
        """What the learner calls it."""

    @property
    def label(self) -> str:
        """Where its nodes run, in a few words."""

    @property
    def mode(self) -> str | None:
        """``zookeeper`` or ``kraft``; None when somebody else's cluster did not tell."""

    @property
    def version(self) -> str:
        """Of Kafka; "" when it is not known."""

    def watcher(self) -> Watcher:
        """The one that all views of this cluster share."""

    def nodes(self) -> Sequence[NodeState]:
        """Every node, quickly; none for somebody else's cluster."""

    def act(self, node: str, verb: Verb) -> None:
        """Carry out a verb on a node, and return when it has taken effect."""


class ClusterView(anywidget.AnyWidget):
    """Brokers with their partitions, the quorum, the groups, and what happened; live until :meth:`close`.

    Updates come on the watcher's thread and go straight to the front end from there (Jupyter's comms hand every message
    to the kernel's I/O thread), so that the picture moves while a cell runs. A button sends
    ``{"do": "act", "node": …, "verb": …}``, which is carried out on a thread of its own, one at a time for a node.

    :param source: a cluster. It may also be None, for a picture that nothing feeds: see :meth:`of`.
    :param topic: the one topic to show at first; the learner can choose another, or all.
    """

    _esm = esm("cluster_view")
    _css = css("cluster_view")

    picture: traitlets.Dict[str, Any] = traitlets.Dict().tag(sync=True)
    events: traitlets.List[Line] = traitlets.List().tag(sync=True)
    topic = traitlets.Unicode("").tag(sync=True)
    live = traitlets.Bool(False).tag(sync=True)

    def __init__(self, source: Source | None, *, topic: str | None = None) -> None:
        self._source = source
        # Re-entrant: a note that this view makes comes back to it as an update. The watcher holds
        # no lock of its own that it would need to answer while it waits for this one.
        self._lock = threading.RLock()
        # So that the older of two listings never replaces the newer; apart, because a backend may take its time.
        self._listing = threading.Lock()
        self._snapshot: Snapshot | None = None
        self._nodes: tuple[NodeState, ...] = ()
        self._error: str | None = None
        self._busy: dict[str, str] = {}
        self._lines = EventLines()
        self._looked = source is None
        self._unsubscribe: Callable[[], None] | None = None
        self._past: tuple[Event, ...] = ()
        with self._lock:
            if source is not None:
                watcher = source.watcher()
                # An update that comes meanwhile waits for the lock; what it tells may then stand in the past already.
                self._unsubscribe = watcher.subscribe(self._update)
                self._snapshot = watcher.latest
                self._past = watcher.events
                self._lines.add(self._past)
                self._learn_nodes()
            super().__init__(
                picture=self._picture(), events=self._lines.list(), topic=topic or "", live=source is not None
            )
        answer_where_asked(self.comm)
        self.on_msg(self._asked)

    @classmethod
    def of(cls, snapshot: Snapshot, nodes: Iterable[NodeState] = (), events: Iterable[Event] = ()) -> ClusterView:
        """A frozen picture of a snapshot, of a recording for example: nothing feeds it and it has no buttons."""
        view = cls(None)
        view._snapshot = snapshot
        view._nodes = tuple(nodes)
        view._lines.add(events)
        view._draw()
        view.events = view._lines.list()
        return view

    def close(self) -> None:
        """Stop listening, and take the picture off the page; the cluster goes on. A second time does nothing."""
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None
        super().close()

    def __repr__(self) -> str:
        return to_text(self._picture())

    def _repr_mimebundle_(self, **kwargs: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]] | None:
        self._await_first_look()
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, metadata = bundle
        with self._lock:
            data["text/html"] = to_html(self._picture(buttons=False), self._lines.list())
        return data, metadata

    def _await_first_look(self) -> None:
        try:
            wait_until(lambda: self._looked or self._unsubscribe is None, FIRST_LOOK, "the first snapshot", period=0.01)
        except WaitTimeout:
            log.debug("shown before the first snapshot came")

    def _update(self, update: Update) -> None:
        """The watcher's listener: runs on its thread, or on that of whoever noted something."""
        self._learn_nodes()
        with self._lock:
            if update.snapshot is not None:
                self._snapshot = update.snapshot
                self._error = None
            if update.error is not None:
                self._error = update.error
            told = self._lines.add(e for e in update.events if not any(e is past for past in self._past))
            self._past = ()
            self._draw()
            if told:
                self.events = self._lines.list()
            self._looked = self._looked or update.snapshot is not None or update.error is not None

    def _learn_nodes(self) -> None:
        if self._source is None:
            return
        with self._listing:
            try:
                self._nodes = tuple(self._source.nodes())
            except Exception:
                # An update must not be lost for it; what was known of the nodes stays drawn.
                log.exception("the nodes of %s could not be listed", self._source.name)

    def _picture(self, buttons: bool | None = None) -> Drawn:
        source = self._source
        return drawn(
            self._snapshot,
            self._nodes,
            name=source.name if source else "",
            label=source.label if source else "",
            version=source.version if source else "",
            mode=(source.mode or "") if source else "",
            error=self._error,
            busy=self._busy,
            buttons=source is not None if buttons is None else buttons,
        )

    def _draw(self) -> None:
        # Traitlets send a value only if it differs from the last one.
        self.picture = self._picture()

    def _asked(self, _: object, content: Any, __: object) -> None:
        """A message from the front end, on any thread; returns at once, whatever it asks for."""
        if not isinstance(content, dict) or content.get("do") != "act":
            return
        node = str(content.get("node"))
        verb: Verb | None = next((v for v in get_args(Verb) if v == content.get("verb")), None)
        with self._lock:
            # Busy: a second click, which was on its way while the first was already being carried out.
            if verb is None or node in self._busy or self._unsubscribe is None:
                self._answer(node)
                return
            self._busy[node] = verb
            self._draw()
        threading.Thread(target=self._act, args=(node, verb), name=f"kafkalab-{verb}-{node}", daemon=True).start()

    def _act(self, node: str, verb: Verb) -> None:
        source = self._source
        assert source is not None
        watcher = source.watcher()
        failed = ""
        try:
            watcher.note(_DONE[verb].format(node.replace("-", " ", 1)))
            source.act(node, verb)
        except KafkalabError as error:
            failed = str(error)
        except Exception as error:
            # Anything else is a fault of kafkalab's: it belongs in the log, and the learner must not be left waiting.
            log.exception("%s of %s failed", verb, node)
            failed = f"{type(error).__name__}: {error}"
        self._learn_nodes()
        with self._lock:
            self._busy.pop(node, None)
            if failed:
                self._lines.add(
                    [Event(time.time(), "error", f"could not {verb} {node.replace('-', ' ', 1)}: {failed}")]
                )
                self.events = self._lines.list()
            self._draw()
            self._answer(node)
        watcher.refresh()

    def _answer(self, node: str) -> None:
        self.send({"did": "act", "node": node})
