"""StreamView: a Spark query as it runs, from what Spark reports of each micro-batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from kafkalab.errors import BadInput
from kafkalab.state.moment import Moment
from kafkalab.state.recording import Recording
from kafkalab.state.stream_follow import Follower, follow
from kafkalab.state.stream_report import Trigger
from kafkalab.views.live import Drawn, Forms, LiveView
from kafkalab.views.stream_drawn import drawn, recorded
from kafkalab.views.stream_history import History
from kafkalab.views.stream_html import to_html
from kafkalab.views.stream_recorded import RecordedStream
from kafkalab.views.stream_svg import to_svg
from kafkalab.views.stream_text import to_text


class StreamView(LiveView):
    """Rows a second, where the time of each batch goes, the offsets it read, the watermark, and the state; live until
    :meth:`close`, or until the query ends.

    Spark is asked twice a second while a page shows the view, on a thread of its own that all views of a query share.

    :param query: a run of :mod:`kafkalab.streams`, or PySpark's ``StreamingQuery``; or a recording, to see one that was
        followed while it was made (``recording.follow(query)``). None for a picture that nothing feeds: see :meth:`of`.
    :param name: which query of a recording; None: the one with the most batches, and the learner can choose another.
    :param presenter: everything larger, for a projector.
    :raises BadInput: it is no streaming query.
    """

    NAME = "stream_view"
    FORMS = Forms(to_svg, to_html, to_text)

    def __init__(self, query: Any, name: str | None = None, *, presenter: bool = False) -> None:
        recording = query if isinstance(query, Recording) else None
        self._stream = RecordedStream(recording, name or "") if recording is not None else None
        self._still: Drawn | None = None if query is not None else recorded(())
        self._follower: Follower | None = follow(query) if query is not None and recording is None else None
        self._history, self._came = History(), 0
        self._leave: Callable[[], None] | None = None
        if self._follower is not None:
            self._follower.poll()  # so that what is shown first, and what is saved with the notebook, is not empty
        super().__init__(recording, presenter=presenter, live=query is not None)

    @classmethod
    def of(cls, reports: Iterable[Any], *, every: float | None = None, presenter: bool = False) -> StreamView:
        """A frozen picture of what Spark reported, in any order.

        :param reports: ``query.recentProgress``, or a list of their JSON, as text or parsed.
        :param every: seconds between two triggers, to be drawn as a line.
        :raises BadInput: something in it is no report of a micro-batch.
        """
        trigger = None if every is None else Trigger("processing time", round(1000 * every))
        view = cls(None, presenter=presenter)
        view._still = recorded(reports, trigger)
        view.redraw()
        return view

    def do_choose(self, message: dict[str, Any]) -> None:
        """The learner chose another query of a recording on the page, by its place in the list that is shown there."""
        with self._lock:
            names, place = self._stream.names if self._stream is not None else (), message.get("place")
            if self._stream is None or not isinstance(place, int) or not 0 <= place < len(names):
                raise BadInput("There is no such query.", seen=f"place {place!r} of {len(names)}")
            self._stream.name = names[place]
        self.redraw()

    def _show(self, moment: Moment) -> None:
        assert self._stream is not None
        self._stream.show(moment)

    def _wakes(self) -> None:
        if self._follower is not None:
            self._leave = self._follower.subscribe(self.redraw)

    def _rests(self) -> None:
        leave, self._leave = self._leave, None
        if leave is not None:
            leave()

    def _drawn(self) -> Drawn:
        if self._stream is not None:
            return self._stream.drawn()
        follower = self._follower
        if follower is None:
            assert self._still is not None
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
            )
