"""StreamView: a Spark query as it runs, from what Spark reports of each micro-batch."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from kafkalab.errors import BadInput, NotSupported
from kafkalab.history.moment import Moment
from kafkalab.history.recording import Recording
from kafkalab.history.tracks.followed import RecordedStreams
from kafkalab.state.stream import Follower, Trigger, follow
from kafkalab.views.live import LiveView
from kafkalab.views.stream.picture import History, Picture, blocks, drawn, recorded


class StreamView(LiveView):
    """A query's rows a second, where the time of each batch goes, the offsets it read, the watermark, and the state.

    It is live until :meth:`close`, or until the query ends. While a page shows it, Spark is asked twice a second, on a
    thread of its own that all views of a query share.

    :param query: a run of :mod:`kafkalab.streams`, or PySpark's ``StreamingQuery``; or a recording that followed one
        (``recording.follow(query)``). None for a picture that nothing feeds: see :meth:`of`.
    :param name: a recording's query; None: the one with the most batches. The learner can choose another.
    :param presenter: everything larger, for a projector.
    :raises BadInput: ``query`` is no streaming query.
    """

    NAME = "stream"
    BLOCKS = staticmethod(blocks)

    def __init__(self, query: Any, name: str | None = None, *, presenter: bool = False) -> None:
        recording = query if isinstance(query, Recording) else None
        self._streams = RecordedStreams(recording.facts) if recording is not None else None
        self._name = name or ""
        self._still = recorded(())
        self._follower: Follower | None = follow(query) if query is not None and recording is None else None
        self._history, self._came = History(), 0
        self._marks: list[tuple[float, str]] = []
        if self._follower is not None:
            self._follower.poll()  # so that the first picture, and the one saved with the notebook, is not empty
        super().__init__(recording, presenter=presenter, live=query is not None)

    @classmethod
    def of(cls, reports: Iterable[Any], *, every: float | None = None, presenter: bool = False) -> StreamView:
        """Return a frozen picture of Spark's reports, in any order.

        :param reports: ``query.recentProgress``, or a list of their JSON, as text or parsed.
        :param every: seconds between two triggers, to be drawn as a line.
        :raises BadInput: something in ``reports`` is no report of a micro-batch.
        """
        trigger = None if every is None else Trigger("processing time", round(1000 * every))
        view = cls(None, presenter=presenter)
        view._still = recorded(reports, trigger)
        view.redraw()
        return view

    def mark(self, words: str) -> StreamView:
        """Mark this moment in the charts, with a line and a few words: ``view.mark("broker 102 killed")``.

        :raises NotSupported: the view shows a recording, or reports of the past.
        """
        if self._follower is None:
            raise NotSupported("Only a running query can be marked.", do="Mark it while it runs.")
        with self._lock:
            self._marks.append((time.time(), words))
        self.redraw()
        return self

    def do_choose(self, message: dict[str, Any]) -> None:
        """Show the query of a recording that the learner chose on the page, by its place in the list there."""
        with self._lock:
            names, place = self._streams.names if self._streams is not None else (), message.get("place")
            if self._recording is None or not isinstance(place, int) or not 0 <= place < len(names):
                raise BadInput("There is no such query.", seen=f"place {place!r} of {len(names)}")
            self._name = names[place]
            self._show(self._recording.moment())
        self.redraw()

    def _show(self, moment: Moment) -> None:
        assert self._streams is not None
        self._name = self._name or self._streams.likely()
        query = self._streams.at(moment, self._name)
        history = History.of(query.reports)
        history.name = history.name or self._name
        choice = (self._streams.names, self._name)
        self._still = drawn(
            history, query.standing, query.trigger, reason=query.reason, advice=query.advice, choice=choice
        )

    def _start_feed(self) -> None:
        if self._follower is not None:
            self._leave = self._follower.subscribe(self.redraw)

    def _drawn(self) -> Picture:
        follower = self._follower
        if follower is None:
            return self._still
        with follower.lock:
            self._came, reports = follower.since(self._came)
            for report in reports:
                self._history.add(report)
            self._history.name = self._history.name or follower.name
            return drawn(
                self._history,
                follower.standing,
                follower.trigger,
                message=follower.message,
                reason=follower.reason,
                advice=follower.advice,
                marks=self._marks,
            )
