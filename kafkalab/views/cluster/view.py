"""ClusterView: the live picture of a cluster, with buttons that act on its nodes."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable
from typing import Any, get_args

import traitlets

from kafkalab.errors import BadInput, KafkalabError, NotSupported
from kafkalab.history.facts import Header
from kafkalab.history.moment import Moment
from kafkalab.state.model import Event, NodeState, Snapshot, Verb, called, verb_of
from kafkalab.state.watch import Update
from kafkalab.views.cluster.events import EventLines
from kafkalab.views.cluster.picture import Picture, blocks, drawn
from kafkalab.views.live import LiveView, Subject
from kafkalab.views.static import Block

log = logging.getLogger(__name__)


#: Number of the last events in a picture of a moment.
_LAST = 12


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

    def __init__(self, source: Subject, *, topic: str | None = None, presenter: bool = False) -> None:
        self._nodes: tuple[NodeState, ...] = ()
        self._busy: dict[str, Verb] = {}
        self._lines = EventLines()
        #: The events that are told: those of a cluster's watcher, and the number of those of a recording's moment.
        self._known: set[Event] = set()
        self._heard_events = 0
        #: In a frozen picture: the cluster's name, label, version and mode.
        self._head = Header(0.0)
        super().__init__(source, presenter=presenter, topic=topic or "")

    @classmethod
    def of(
        cls, snapshot: Snapshot, nodes: Iterable[NodeState] = (), events: Iterable[Event] = (), topic: str | None = None
    ) -> ClusterView:
        """Make a frozen picture of a snapshot, for example from a recording: without a feed and without buttons."""
        return cls(None, topic=topic)._keep(snapshot, nodes, events)

    def moment(self, title: str = "") -> ClusterView:
        """Return a picture of this moment, without buttons, which stays as it is when the cluster goes on.

        :param title: the title of the picture, in place of the cluster's name.
        :raises NotSupported: the view shows no cluster.
        """
        source = self._source
        if source is None:
            raise NotSupported("Only the view of a cluster has a moment.", do="A picture of a recording stays anyway.")
        kept = type(self)(None, topic=self.topic, presenter=self.presenter)
        kept._head = Header(0.0, title or source.name, source.label, source.mode, source.version)
        return kept._keep(source.snapshot(), source.nodes(), source.watcher().events[-_LAST:])

    def _keep(self, snapshot: Snapshot, nodes: Iterable[NodeState], events: Iterable[Event]) -> ClusterView:
        self._snapshot, self._nodes = snapshot, tuple(nodes)
        self._lines.add(events)
        self.redraw()
        return self

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

    def _subscribe(self) -> None:
        """Listen, beginning with what happened before, also while no page showed the view; the lock is held."""
        watcher = self._source.watcher() if self._source is not None else None
        self._nodes = watcher.nodes if watcher is not None else self._nodes
        super()._subscribe()
        if watcher is not None:
            self._tell(events := watcher.events)
            self._known = set(events)

    def _heard(self, update: Update) -> None:
        super()._heard(update)
        self._nodes = update.nodes
        self._tell(update.events)

    def _tell(self, events: Iterable[Event]) -> None:
        """Add lines for events, but not for those that are told already."""
        fresh = [event for event in events if not event.chatty and event not in self._known]
        self._lines.add(fresh)
        self._known.update(fresh)

    def _show(self, moment: Moment) -> None:
        super()._show(moment)
        self._nodes = moment.nodes
        if len(moment.events) < self._heard_events:
            self._lines, self._heard_events = EventLines(), 0
        self._lines.add(moment.events[self._heard_events :])
        self._heard_events = len(moment.events)

    def _drawn(self) -> Picture:
        recording = self._recording
        going = recording is not None and recording.cluster is not None and recording.playhead.live
        head = self._source or (recording.header if recording else self._head)
        picture = drawn(
            self._snapshot,
            self._nodes,
            name=head.name,
            label=head.label,
            version=head.version,
            mode=head.mode or "",
            error=self._error,
            busy=self._busy,
            buttons=self._source is not None or going,
        )
        return {**picture, "events": self._lines.list()}

    def _blocks(self, drawn: Picture) -> list[Block]:
        # Tables show one moment, and say which; and the one topic that was chosen, if it is there.
        chosen = {name: topic for name, topic in drawn["topics"].items() if name == self.topic}
        at = self._snapshot.at if self._snapshot else None
        return blocks({**drawn, "topics": chosen or drawn["topics"], "at": at})
