"""A Spark query of a recording → what a StreamView draws of it at any moment."""

from __future__ import annotations

import logging
from typing import Any

from kafkalab.state.moment import Moment
from kafkalab.state.recorded_stream import RecordedStreams
from kafkalab.state.recording import Recording
from kafkalab.state.stream_report import Report
from kafkalab.views.stream_batch import drawn_batch
from kafkalab.views.stream_drawn import Drawn, drawn
from kafkalab.views.stream_history import MOST_BATCHES, History

log = logging.getLogger(__name__)

#: Batches that are remembered as they are drawn.
_REMEMBERED = 2000


class RecordedStream:
    """One of a recording's queries, and which.

    :param name: of the query; "": the one with the most reports.
    """

    def __init__(self, recording: Recording, name: str = "") -> None:
        self._streams = RecordedStreams(recording.facts)
        self.name = name
        self._moment: Moment | None = None
        self._drawn: dict[int, tuple[Report, dict[str, Any] | None]] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """What there is to choose from."""
        return self._streams.names

    def show(self, moment: Moment) -> None:
        """From now on this moment is drawn."""
        self._moment = moment
        self.name = self.name or self._streams.likely()

    def drawn(self) -> Drawn:
        """Everything there is to draw of it."""
        assert self._moment is not None
        query = self._streams.at(self._moment, self.name)
        history = History()
        for report in query.reports[-MOST_BATCHES:]:
            batch = self._batch(report)
            if batch is not None:
                history.add(report, batch)
        history.name = history.name or self.name
        choice = (self.names, self.name)
        return drawn(history, query.standing, query.trigger, reason=query.reason, advice=query.advice, choice=choice)

    def _batch(self, report: Report) -> dict[str, Any] | None:
        """What a report is drawn as; None where it is none of Spark's."""
        known = self._drawn.get(id(report))
        if known is None or known[0] is not report:
            try:
                batch = drawn_batch(report)
                History().add(report, batch)
            except Exception:
                # Whoever made the recording, the other reports are drawn.
                log.debug("a recorded report cannot be drawn", exc_info=True)
                batch = None
            if len(self._drawn) > _REMEMBERED:
                self._drawn.clear()
            known = self._drawn[id(report)] = (report, batch)
        return known[1]
