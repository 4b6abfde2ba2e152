"""Patterns of state for each truck: which one fell silent, when it drove, and who drove it."""

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

#: Number of shifts that :class:`Wheel` remembers of each truck: more than two weeks, with three shifts a day.
MOST_SHIFTS: Final = 50

# What the processors hand on: times in milliseconds, because a timestamp comes back from the state with another zone.
_SILENT = "truck_id string, ms long"
_DRIVEN = (
    "record_id string, truck_id string, ms long, latitude double, longitude double, speed_kmh double, driver string"
)


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


def drives(parsed: DataFrame, pause: str = "5 minutes", late: str = "1 minute") -> DataFrame:
    """Return the drives of each truck: a drive is over when the truck has not been seen moving for a ``pause``.

    Columns: ``truck_id``; ``start`` and ``end``: times of the first and the last report of the drive, in which the
    truck moved; ``reports``: their number. Lab 24b does this by hand; here Spark's own session window does it, on a
    table and on a stream alike. A stream gives a drive once ("append"), when the watermark has passed its pause, so
    those that may still go on are missing; reports that come later than ``late`` are dropped.
    """
    moving = good_records(parsed).where("speed_kmh > 0").withWatermark("time", late)
    rows = moving.groupBy("truck_id", sf.session_window("time", pause)).agg(
        sf.min("time").alias("start"), sf.max("time").alias("end"), sf.count("*").alias("reports")
    )
    return rows.select("truck_id", "start", "end", "reports")


class Wheel(StatefulProcessor):
    """The processor of :func:`with_driver`: remembers the last shifts of a truck, each with the time that it began.

    Rows to handle: reports, and shifts (rows that have a ``driver``); ``ms`` is the event time of both.
    """

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Open the state."""
        self.shifts = handle.getListState("shifts", "since long, driver string")

    def handleInitialState(self, key: Any, initialState: Row, timerValues: TimerValues) -> None:  # noqa: N802, N803
        """Take a shift that was known before the stream began."""
        self.shifts.appendValue((initialState.ms, initialState.driver))

    def handleInputRows(self, key: Any, rows: Iterator[Row], timerValues: TimerValues) -> Iterator[Row]:  # noqa: N802, N803
        """Take the new shifts, and then return each report with the driver of its time."""
        reports, shifts = [], list(self.shifts.get())
        for row in rows:
            if row.driver is None:
                reports.append(row)
            else:
                shifts.append((row.ms, row.driver))
        shifts = sorted(set(shifts))[-MOST_SHIFTS:]
        if shifts:
            self.shifts.put(shifts)
        begins = [since for since, _ in shifts]
        for row in reports:
            at = bisect_right(begins, row.ms)
            yield Row(**{**row.asDict(), "driver": shifts[at - 1][1] if at else None})


def with_driver(parsed: DataFrame, shifts: DataFrame) -> DataFrame:
    """Return each report with the ``driver`` who had the truck at the time of the report, null if we don't know.

    A driver has the truck until the next one's shift begins. A report that comes late is given the driver of its own
    time, not today's. A table and a stream give the same if each shift comes before the reports of that shift: a shift
    that comes later than they do changes nothing that a stream has given already. It keeps up to :data:`MOST_SHIFTS`
    shifts of each truck, in RocksDB: a session needs :data:`~kafkalab.streams.session.ROCKSDB`.

    :param parsed: rows of :func:`~kafkalab.streams.jobs.parse`, or good reports.
    :param shifts: truck_id, driver, since (a timestamp). With a stream of reports, it may be a table: then these shifts
        are the state with which the query begins, the first time that it's started.
    """
    # A table needs the coordinator of state stores as well, and Spark makes it with the manager of streams.
    _ = parsed.sparkSession.streams
    empty = sf.lit(None)
    reports = good_records(parsed).select(
        "record_id",
        "truck_id",
        sf.unix_millis("time").alias("ms"),
        "latitude",
        "longitude",
        "speed_kmh",
        empty.cast("string").alias("driver"),
    )
    begins = shifts.select("truck_id", sf.unix_millis("since").alias("ms"), "driver")
    known = None
    if shifts.isStreaming == parsed.isStreaming:
        reports = reports.unionByName(begins, allowMissingColumns=True)
    else:
        known = begins.groupBy("truck_id")
    found = reports.groupBy("truck_id").transformWithState(Wheel(), _DRIVEN, "Append", "None", known)
    return found.withColumn("ms", sf.timestamp_millis("ms")).withColumnRenamed("ms", "time")


def _milliseconds(spark: SparkSession, interval: str) -> int:
    """Return the length of an interval as Spark understands it: "10 minutes"."""
    text = "select unix_millis(timestamp_millis(0) + cast(:interval as interval))"
    (row,) = spark.sql(text, {"interval": interval}).collect()
    return int(row[0])
