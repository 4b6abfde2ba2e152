"""Notifications: which truck has entered or left which geofence, found with a state for each truck."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from pyspark.sql import Row
from pyspark.sql import functions as sf
from pyspark.sql.streaming.stateful_processor import StatefulProcessor

from kafkalab.streams.jobs import good_records, km_between, shape

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame
    from pyspark.sql.streaming.stateful_processor import StatefulProcessorHandle, TimerValues

#: A geofence: the area within ``km`` kilometres of a place in degrees. Its ``name`` is unique in a table of them.
GEOFENCE: Final = shape(nullable=False, name="string", latitude="double", longitude="double", km="double")

#: A notification: a truck has entered or left a geofence. ``what``: "enter" or "leave"; ``time``, ``latitude`` and
#: ``longitude``: those of the first report that shows it. The id is made of the four before the degrees, so a
#: notification that is made again has the same one.
NOTIFICATION: Final = shape(
    notification_id="string", truck_id="string", what="string", fence="string", time="timestamp", latitude="double",
    longitude="double",
)  # fmt: skip

#: What the processor hands on: times in milliseconds, because a timestamp comes back from the state with another zone.
_CHANGES = "truck_id string, what string, fence string, ms long, latitude double, longitude double"


class Gate(StatefulProcessor):
    """The processor: remembers in which geofences a truck was, and the time of the report that said so.

    Rows to handle: ``ms`` (event time in milliseconds), ``latitude``, ``longitude``, ``fences`` (the names of those
    that the truck is in). Spark sends it to its Python workers, which must be able to import this module.
    """

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Open the state, which Spark keeps: this object lives for one micro-batch only."""
        self.last = handle.getValueState("last", "fences array<string>, ms long")

    def handleInputRows(self, key: Any, rows: Iterator[Row], timerValues: TimerValues) -> Iterator[Row]:  # noqa: N802, N803
        """Return what one truck's new reports change, in the order of time; those that are older than its last none."""
        fences, last = self.last.get() or ((), -1)
        before = set(fences or ())
        # The rows of a truck come in no particular order.
        for row in sorted(rows, key=lambda row: row.ms):
            if row.ms <= last:
                continue
            now, last = set(row.fences), row.ms
            for what, names in (("leave", before - now), ("enter", now - before)):
                for name in sorted(names):
                    yield Row(
                        truck_id=key[0],
                        what=what,
                        fence=name,
                        ms=row.ms,
                        latitude=row.latitude,
                        longitude=row.longitude,
                    )
            before = now
        self.last.update((sorted(before), last))


def entries_and_exits(parsed: DataFrame, fences: DataFrame) -> DataFrame:
    """Return a notification for each time that a truck enters or leaves a geofence, also where these overlap.

    Columns: those of :data:`NOTIFICATION`. A truck that begins inside enters with its first
    report. A table and a stream give the same if each truck's reports come in order; a stream ignores a report that
    comes after a newer one of its truck. It keeps one row of state for each truck, in RocksDB: a session needs
    :data:`~kafkalab.streams.session.ROCKSDB`.

    :param parsed: rows of :func:`~kafkalab.streams.jobs.parse`, or good reports: truck_id, time, latitude, longitude.
    :param fences: a table with the columns of :data:`GEOFENCE`, read when the query starts.
    """
    # A table needs the coordinator of state stores as well, and Spark makes it with the manager of streams.
    _ = parsed.sparkSession.streams
    good = good_records(parsed)
    all_fences = fences.agg(sf.collect_list(sf.struct(*GEOFENCE.names)).alias("all"))
    at = good.crossJoin(sf.broadcast(all_fences)).select(
        "truck_id",
        sf.unix_millis("time").alias("ms"),
        "latitude",
        "longitude",
        sf.transform(sf.filter("all", _contains), lambda fence: fence["name"]).alias("fences"),
    )
    changes = at.groupBy("truck_id").transformWithState(Gate(), _CHANGES, "Append", "None")
    made = changes.withColumn("time", sf.timestamp_millis("ms")).withColumn(
        "notification_id", sf.concat_ws("/", "truck_id", "what", "fence", "ms")
    )
    return made.select(*NOTIFICATION.names)


def to_records(notifications: DataFrame) -> DataFrame:
    """Return notifications as Spark's Kafka sink takes them: ``key`` (the truck's id) and ``value`` (JSON), as text.

    The sink writes at least once: a reader tells copies by ``notification_id``.
    """
    return notifications.select(sf.col("truck_id").alias("key"), sf.to_json(sf.struct("*")).alias("value"))


def _contains(fence: Column) -> Column:
    # A degree of latitude is more than 111 km. Most fences are too far north or south, which costs no sine to see.
    near = sf.abs(fence["latitude"] - sf.col("latitude")) * 111 <= fence["km"]
    away = km_between(sf.col("latitude"), sf.col("longitude"), fence["latitude"], fence["longitude"])
    return near & (away <= fence["km"])
