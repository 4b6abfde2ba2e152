"""ClusterView: the live picture of a cluster, with buttons that act on its nodes."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, get_args

import traitlets

from kafkalab.errors import BadInput, KafkalabError, NotSupported
from kafkalab.history.moment import Moment
from kafkalab.state.model import Event, NodeState, Snapshot, Verb, called, verb_of
from kafkalab.state.watch import Update
from kafkalab.views.cluster.html import to_html, to_text
from kafkalab.views.cluster.picture import Drawn, EventLines, drawn
from kafkalab.views.cluster.svg import to_svg
from kafkalab.views.live import LiveView, Subject, split_subject

log = logging.getLogger(__name__)


#: Number of the last events in a picture of a moment.
_LAST = 12


@dataclass(frozen=True)
class _Still:
    """The data that a frozen picture is drawn from."""

    snapshot: Snapshot
    nodes: tuple[NodeState, ...]
    events: tuple[Event, ...]
    named: Mapping[str, str] = field(default_factory=dict)


class ClusterView(LiveView):
    """Brokers with their partitions, the quorum, the groups, and what happened; live until :meth:`close`.

    A button sends ``{"do": "act", "node": …, "verb": …}``. A node carries out one verb at a time.

    :param source: a cluster, or a recording, which has the cluster's buttons too while it is live. It may also be
        None, for a picture that nothing feeds: see :meth:`of`.
    :param topic: the one topic to show at first; the learner can choose another, or all.
    :param presenter: whether everything is larger, for a projector.
    """

    NAME = "cluster"

    topic = traitlets.Unicode("").tag(sync=True)

    def __init__(
        self,
        source: Subject,
        *,
        topic: str | None = None,
        presenter: bool = False,
        _still: _Still | None = None,
    ) -> None:
        self._still = _still
        self._nodes: tuple[NodeState, ...] = _still.nodes if _still else ()
        self._busy: dict[str, str] = {}
        self._lines = EventLines()
        self._told: Event | None = None
        if _still:
            self._lines.add(_still.events)
        self._heard_events = 0
        cluster, _ = split_subject(source)
        if cluster is not None:
            self._nodes = cluster.watcher().nodes
        super().__init__(source, presenter=presenter, topic=topic or "")

    @classmethod
    def of(
        cls,
        snapshot: Snapshot,
        nodes: Iterable[NodeState] = (),
        events: Iterable[Event] = (),
        *,
        topic: str | None = None,
        presenter: bool = False,
    ) -> ClusterView:
        """Make a frozen picture of a snapshot, for example from a recording: without a feed and without buttons."""
        return cls(None, topic=topic, presenter=presenter, _still=_Still(snapshot, tuple(nodes), tuple(events)))

    def moment(self, title: str = "") -> ClusterView:
        """Return a picture of this moment, without buttons, which stays as it is when the cluster goes on.

        :param title: the title of the picture, in place of the cluster's name.
        :raises NotSupported: the view shows no cluster.
        """
        source = self._source
        if source is None:
            raise NotSupported("Only the view of a cluster has a moment.", do="A picture of a recording stays anyway.")
        snapshot, nodes = source.snapshot(), tuple(source.nodes())
        named = {"name": title or source.name, "label": source.label, "version": source.version}
        events = tuple(source.watcher().events)[-_LAST:]
        still = _Still(snapshot, nodes, events, {**named, "mode": source.mode or ""})
        return type(self)(None, topic=self.topic, presenter=self.presenter, _still=still)

    def do_act(self, message: dict[str, Any]) -> None:
        """Carry out a verb on a node; an error becomes a line of what happened."""
        node = str(message.get("node"))
        verb = verb_of(message.get("verb"))
        if verb is None:
            raise BadInput("There is no such verb.", seen=str(message.get("verb")), do=", ".join(get_args(Verb)))
        acts = self._source or self._recording
        with self._lock:
            # Busy: a second click, which was on its way while the first was already being carried out.
            if acts is None or node in self._busy:
                self._done(node)
                return
            self._busy[node] = verb
            self.redraw()
        failed = ""
        try:
            acts.act(node, verb)
        except KafkalabError as error:
            failed = str(error)
        except Exception as error:
            # Anything else is a fault of kafkalab's: it belongs in the log, and the learner must not be left waiting.
            log.exception("%s of %s failed", verb, node)
            failed = f"{type(error).__name__}: {error}"
        with self._lock:
            self._busy.pop(node, None)
            if failed:
                self._lines.add([Event(time.time(), "error", f"could not {verb} {called(node)}: {failed}")])
            self.redraw()
            self._done(node)

    def _done(self, node: str) -> None:
        self.answer({"did": "act", "node": node})

    def _update(self, update: Update) -> None:
        self._nodes = update.nodes
        super()._update(update)

    def _show(self, moment: Moment) -> None:
        super()._show(moment)
        self._nodes = moment.nodes
        if len(moment.events) < self._heard_events:
            self._lines, self._heard_events = EventLines(), 0
        self._lines.add(moment.events[self._heard_events :])
        self._heard_events = len(moment.events)

    def _drawn(self) -> Drawn:
        self._hear_of_events()
        recording = self._recording
        buttons = self._source is not None or (
            recording is not None and recording.cluster is not None and recording.playhead.live
        )
        return {**self._picture(buttons=buttons), "events": self._lines.list()}

    def _hear_of_events(self) -> None:
        """Add lines for the events since the last one, also for those of a time when no page showed the view."""
        if self._source is None:
            return
        events = self._source.watcher().events
        new = []
        for event in reversed(events):
            if event is self._told:
                break
            new.append(event)
        self._lines.add(reversed(new))
        self._told = events[-1] if events else None

    def _picture(self, *, buttons: bool) -> Drawn:
        header = self._recording.header if self._recording else None
        source = self._source or header
        named = self._still.named if self._still else {}
        return drawn(
            self._still.snapshot if self._still else self._snapshot,
            self._nodes,
            name=source.name if source else named.get("name", ""),
            label=source.label if source else named.get("label", ""),
            version=source.version if source else named.get("version", ""),
            mode=(source.mode or "") if source else named.get("mode", ""),
            error=self._error,
            busy=self._busy,
            buttons=buttons,
        )

    def _moment(self, drawn: Drawn) -> Drawn:
        """Add the time of its snapshot to a picture: a static form shows one moment, and says which."""
        snapshot = self._still.snapshot if self._still else self._snapshot
        return {**drawn, "at": snapshot.at if snapshot else None}

    def _svg(self, drawn: Drawn) -> str:
        return to_svg(self._moment(drawn), drawn["events"], topic=self.topic)

    def _html(self, drawn: Drawn) -> str:
        return to_html(self._moment(drawn), drawn["events"])

    def _text(self, drawn: Drawn) -> str:
        return to_text(drawn)
