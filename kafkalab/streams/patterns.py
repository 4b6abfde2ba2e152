"""Patterns of state for each truck: which one fell silent."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from pyspark.sql import Row, Window
from pyspark.sql import functions as sf
from pyspark.sql.streaming.stateful_processor import StatefulProcessor

from kafkalab.streams.jobs import good_records

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.stateful_processor import ExpiredTimerInfo, StatefulProcessorHandle, TimerValues

# What the processor hands on: times in milliseconds, because a timestamp comes back from the state with another zone.
_SILENT: Final = "truck_id string, ms long"


class Silence(StatefulProcessor):
    """The processor of :func:`silences`: remembers the times of a truck's reports until the watermark has passed them.

    It has one timer for each truck: ``after`` milliseconds behind the oldest of these times. Only when the watermark
    has reached the timer, it's sure that no report between the two will come. So neither late reports nor the cut into
    micro-batches change what it gives. Rows to handle: ``ms``, event time in milliseconds.
    """

    def __init__(self, after: int) -> None:
        self.after = after

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Open the state."""
        self.handle = handle
        self.times = handle.getValueState("times", "times array<long>")

    def handleInputRows(self, key: Any, rows: Iterator[Row], timerValues: TimerValues) -> Iterator[Row]:  # noqa: N802, N803
        """Remember the new reports. Nothing is given before a timer is due."""
        (times,) = self.times.get() or ([],)
        self._wait(sorted({*times, *(row.ms for row in rows)}))
        yield from ()

    def handleExpiredTimer(  # noqa: N802
        self, key: Any, timerValues: TimerValues, expiredTimerInfo: ExpiredTimerInfo  # noqa: N803
    ) -> Iterator[Row]:  # fmt: skip
        """Give a row for each report after which the truck was silent, as far as the watermark lets us know."""
        (times,) = self.times.get() or ([],)
        times = sorted(times)
        while times and times[0] + self.after <= timerValues.getCurrentWatermarkInMs():
            heard = bisect_right(times, times[0] + self.after)
            if heard == 1:
                yield Row(truck_id=key[0], ms=times[0])
            # Go on from the last report within the time, or else from the first one behind it.
            times = times[max(1, heard - 1) :]
        self._wait(times)

    def _wait(self, times: list[int]) -> None:
        for timer in list(self.handle.listTimers()):
            self.handle.deleteTimer(timer)
        if times:
            self.times.update((times,))
            self.handle.registerTimer(times[0] + self.after)
        else:
            self.times.clear()


def silences(parsed: DataFrame, after: str = "10 minutes", late: str = "1 minute") -> DataFrame:
    """Return ``truck_id`` and ``since`` for each silence: no report of the truck in the time ``after`` its report.

    ``since`` is the time of that last report. All of this is event time: a row comes when the *watermark* has passed
    the end of the time, so if no truck reports, no row comes. A table and a stream give the same, if no report comes
    later than ``late``: those are dropped by a stream. (Timers of event time never fire in a table's query, so there,
    Spark compares each report with the next one, up to where a stream's watermark would be.) A stream keeps a row of
    state for each truck, in RocksDB: a session needs :data:`~kafkalab.streams.session.ROCKSDB`.

    :param parsed: rows of :func:`~kafkalab.streams.jobs.parse`, or good reports: truck_id, time.
    :param after: how long a truck may be silent.
    :param late: how far the watermark stays behind the newest event time.
    """
    wait = _milliseconds(parsed.sparkSession, after)
    reports = good_records(parsed).select("truck_id", "time", sf.unix_millis("time").alias("ms"))
    if parsed.isStreaming:
        timed = reports.withWatermark("time", late).groupBy("truck_id")
        found = timed.transformWithState(Silence(wait), _SILENT, "Append", "EventTime")
    else:
        newest = reports.agg((sf.max("ms") - _milliseconds(parsed.sparkSession, late)).alias("watermark"))
        following = sf.lead("ms").over(Window.partitionBy("truck_id").orderBy("ms")).alias("next")
        rows = reports.select("truck_id", "ms", following).crossJoin(sf.broadcast(newest))
        end = sf.col("ms") + wait
        found = rows.where((end <= sf.col("watermark")) & (sf.col("next").isNull() | (sf.col("next") > end)))
    return found.select("truck_id", sf.timestamp_millis("ms").alias("since"))


def _milliseconds(spark: SparkSession, interval: str) -> int:
    """Return the length of an interval as Spark understands it: "10 minutes"."""
    text = "select unix_millis(timestamp_millis(0) + cast(:interval as interval))"
    (row,) = spark.sql(text, {"interval": interval}).collect()
    return int(row[0])
