"""GroupView: one consumer group: which member holds which partition, and how long partitions paused in a rebalance."""

from __future__ import annotations

from typing import Any

from kafkalab.errors import BadInput
from kafkalab.history.moment import Moment
from kafkalab.history.tracks.followed import RecordedGroups
from kafkalab.state.groups.coordinator import trace_of
from kafkalab.state.groups.history import History, with_deeds
from kafkalab.state.groups.trace import GroupTrace
from kafkalab.state.model import Snapshot
from kafkalab.state.watch import Update
from kafkalab.views.group.gantt import Chart, gantt
from kafkalab.views.group.picture import Picture, blocks, drawn
from kafkalab.views.live import LiveView, Subject, split_subject

#: Shortest and longest stretch that the Gantt of a finished recording shows at first, in seconds.
SHORTEST, LONGEST = 8.0, 60.0


class GroupView(LiveView):
    """Partitions and the members that hold them, and the rebalance Gantt; live until :meth:`close`.

    While a page shows it, the view asks the group's coordinator about ten times a second, besides the cluster's
    watcher; two views of a group share that. A view of a recording shows the group as it was known at the moment
    shown, and has no Gantt when the recording did not follow that group.

    :param source: a cluster, or a recording. It may also be None, for a picture that nothing feeds: see :meth:`of`.
    :param group: the group's id; None: the group with the most members. The learner can choose another.
    :param presenter: everything larger, for a projector.
    """

    NAME = "group"
    BLOCKS = staticmethod(blocks)

    def __init__(self, source: Subject, group: str | None = None, *, presenter: bool = False) -> None:
        self._group = group or ""
        self._history: History | None = None
        self._trace: GroupTrace | None = None
        self._chart: tuple[object, Chart] | None = None
        _, recording = split_subject(source)
        self._recorded = RecordedGroups(recording.facts) if recording is not None else None
        #: In a recording: the group that was asked for, and a value that differs when the group's history does.
        self._picked, self._version = self._group, object()
        over = recording is not None and not recording.going
        self._span = round(min(LONGEST, max(SHORTEST, recording.seconds)), 1) if recording and over else None
        super().__init__(source, presenter=presenter)

    @classmethod
    def of(cls, snapshot: Snapshot | None, group: str | None = None, history: History | None = None) -> GroupView:
        """Return a frozen picture of a snapshot, with the group's history if it is known (:attr:`history`)."""
        chosen = group or (history["group"] if history else None) or (_chosen(snapshot) if snapshot else "")
        view = cls(None, chosen)
        view._snapshot, view._history = snapshot, history
        view.redraw()
        return view

    @property
    def history(self) -> History | None:
        """History of the group since the view follows it, as plain JSON; see :mod:`kafkalab.state.groups.history`."""
        if self._trace is None or self._source is None:
            return self._history
        return with_deeds(self._trace.history(), self._source.watcher().events)

    def do_choose(self, message: dict[str, Any]) -> None:
        """Show the group that the learner chose on the page, by its place in the list that is shown there."""
        with self._lock:
            groups = sorted(g.group_id for g in self._snapshot.groups) if self._snapshot else []
            place = message.get("place")
            if not isinstance(place, int) or not 0 <= place < len(groups):
                raise BadInput("There is no such group any more.", seen=f"place {place!r} of {len(groups)}")
            self._group = self._picked = groups[place]
            if self._recording is not None:
                self._go(self._recording)
            self._follow()
        self.redraw()

    def _show(self, moment: Moment) -> None:
        assert self._recorded is not None
        self._snapshot = moment.snapshot
        # A group that the recording followed stays shown, also at moments before there was any group.
        self._picked = self._picked or self._recorded.likely()
        self._group = self._picked or (_chosen(self._snapshot) if self._snapshot else "")
        self._version, self._history = self._recorded.at(moment, self._group)

    def _drawn(self) -> Picture:
        # The Gantt is drawn again only when something happened, not whenever time has passed. Something that happens
        # between these two lines is drawn twice rather than not at all.
        version = (self._group, self._trace.version if self._trace else self._version)
        history = self.history
        if history is not None and (self._chart is None or self._chart[0] != version):
            self._chart = (version, gantt(history))
        return drawn(
            self._snapshot,
            self._group,
            history,
            error=self._error,
            told=self._chart[1] if self._chart and history is not None else None,
            flows=self._recording is None,
            span=self._span,
        )

    def _heard(self, update: Update) -> None:
        super()._heard(update)
        if not self._group and update.snapshot is not None and (chosen := _chosen(update.snapshot)):
            self._group = chosen
            self._follow()
        if any(event.kind == "you" for event in update.events):
            self._chart = None  # what the learner did stands in it too

    def _start_feed(self) -> None:
        with self._lock:
            if self._source is not None and not self._group and self._snapshot is not None:
                self._group = _chosen(self._snapshot)
            self._follow()

    def _follow(self) -> None:
        """Listen to the trace of the chosen group, and to no other."""
        self._stop_feed()
        if self._source is None or not self._group or self._resting:
            return
        self._trace = trace_of(self._source, self._group)
        self._leave = self._trace.subscribe(self.redraw)


def _chosen(snapshot: Snapshot) -> str:
    """Return the group that a learner most likely means: the one with the most members, or "" when there is none."""
    found = sorted(snapshot.groups, key=lambda g: (-len(g.members), g.group_id))
    return found[0].group_id if found else ""
