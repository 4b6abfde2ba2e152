"""StreamView: a Spark query as it runs, from what Spark reports of each micro-batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from kafkalab.views.live import Drawn, Forms, LiveView
from kafkalab.views.stream_drawn import drawn, recorded
from kafkalab.views.stream_follow import Follower, follow
from kafkalab.views.stream_history import Trigger
from kafkalab.views.stream_html import to_html
from kafkalab.views.stream_svg import to_svg
from kafkalab.views.stream_text import to_text


class StreamView(LiveView):
    """Rows a second, where the time of each batch goes, the offsets it read, the watermark, and the state; live until
    :meth:`close`, or until the query ends.

    Spark is asked twice a second while a page shows the view, on a thread of its own that all views of a query share.

    :param query: a run of :mod:`kafkalab.streams`, or PySpark's ``StreamingQuery``. None for a picture that nothing
        feeds: see :meth:`of`.
    :param presenter: everything larger, for a projector.
    :raises BadInput: it is no streaming query.
    """

    NAME = "stream_view"
    FORMS = Forms(to_svg, to_html, to_text)

    def __init__(self, query: Any, *, presenter: bool = False) -> None:
        self._recorded: Drawn | None = None if query is not None else recorded(())
        self._follower: Follower | None = None if query is None else follow(query)
        self._leave: Callable[[], None] | None = None
        if self._follower is not None:
            self._follower.poll()  # so that what is shown first, and what is saved with the notebook, is not empty
        super().__init__(None, presenter=presenter, live=query is not None)

    @classmethod
    def of(cls, reports: Iterable[Any], *, every: float | None = None, presenter: bool = False) -> StreamView:
        """A frozen picture of what Spark reported, in any order.

        :param reports: ``query.recentProgress``, or a list of their JSON, as text or parsed.
        :param every: seconds between two triggers, to be drawn as a line.
        :raises BadInput: something in it is no report of a micro-batch.
        """
        trigger = None if every is None else Trigger("processing time", round(1000 * every))
        view = cls(None, presenter=presenter)
        view._recorded = recorded(reports, trigger)
        view.redraw()
        return view

    def _wakes(self) -> None:
        assert self._follower is not None
        self._leave = self._follower.subscribe(self.redraw)

    def _rests(self) -> None:
        leave, self._leave = self._leave, None
        if leave is not None:
            leave()

    def _drawn(self) -> Drawn:
        follower = self._follower
        if follower is None:
            assert self._recorded is not None
            return self._recorded
        with follower.lock:
            return drawn(
                follower.history,
                follower.standing,
                follower.trigger,
                message=follower.message,
                reason=follower.reason,
                advice=follower.advice,
            )
