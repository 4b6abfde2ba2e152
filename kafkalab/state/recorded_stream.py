"""Spark's queries in a recording: what was known of one at a moment (tracks ``stream/NAME`` and ``query/NAME``)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast, get_args

from kafkalab.state.facts import Facts, Json
from kafkalab.state.moment import Moment
from kafkalab.state.recorded_shape import Shape, fits
from kafkalab.state.stream_report import Report, Standing, Trigger

REPORTS, QUERY = "stream/", "query/"
#: So many of the newest reports are looked at; of a query that finds nothing several are of one batch.
LOOKED_AT = 360
_REPORT: Shape = {"batchId": int, "timestamp": str}
_QUERY: Shape = {"standing": str, "reason": str, "advice": str, "trigger": {"kind": str, "every_ms": (int, None)}}


@dataclass(frozen=True, slots=True)
class RecordedQuery:
    """A query at a moment: its newest reports, oldest first, one a batch; the other fields are those of a follower."""

    reports: tuple[Report, ...] = ()
    standing: Standing = "recorded"
    trigger: Trigger = field(default_factory=Trigger)
    reason: str = ""
    advice: str = ""


def query_told(standing: Standing, trigger: Trigger, reason: str, advice: str) -> Json:
    """How a query stands, as it is recorded."""
    how = {"kind": trigger.kind, "every_ms": trigger.every_ms}
    return {"standing": standing, "trigger": how, "reason": reason[:400], "advice": advice[:400]}


class RecordedStreams:
    """The queries of a recording.

    :param facts: of the recording.
    """

    def __init__(self, facts: Facts) -> None:
        self._facts = facts

    @property
    def names(self) -> tuple[str, ...]:
        """The queries that were recorded, sorted."""
        found = {track.removeprefix(begin) for begin in (REPORTS, QUERY) for track in self._facts.tracks(begin)}
        return tuple(sorted(found))

    def likely(self) -> str:
        """The query a learner most likely means: the one with the most reports; "" where there is none."""
        return min(self.names, key=lambda name: (-self._facts.count(REPORTS + name), name), default="")

    def at(self, moment: Moment, name: str) -> RecordedQuery:
        """What was known of a query at a moment."""
        batches: dict[int, Report] = {}
        for report in self._facts.items(REPORTS + name, moment.at)[-LOOKED_AT:]:
            if fits(report, _REPORT):
                batches[report["batchId"]] = report
        reports = tuple(batches[number] for number in sorted(batches))
        told = self._facts.value(QUERY + name, moment.at)
        if not fits(told, _QUERY) or told["standing"] not in get_args(Standing):
            return RecordedQuery(reports)
        trigger = Trigger(told["trigger"]["kind"], told["trigger"]["every_ms"])
        return RecordedQuery(reports, cast(Standing, told["standing"]), trigger, told["reason"], told["advice"])
