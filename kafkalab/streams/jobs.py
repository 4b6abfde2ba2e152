"""The jobs: functions from DataFrame to DataFrame. They work on a stream and on a table alike."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from pyspark.sql import functions as sf
from pyspark.sql.types import StringType, StructField, StructType

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession


def shape(nullable: bool = True, **columns: str) -> StructType:
    """Return the schema with these columns and Spark's simple types: ``shape(truck_id="string", time="long")``."""
    made = StructType()
    for name, kind in columns.items():
        made.add(name, kind, nullable)
    return made


#: Schema of the JSON in a record's value. ``time``: milliseconds since 1970; ``latitude``, ``longitude``,
#: ``heading_deg`` (0 is north, clockwise): degrees. Other fields are ignored, so that trucks may send more one day.
TRUCK: Final = shape(
    record_id="string", truck_id="string", time="long", latitude="double", longitude="double", speed_kmh="double",
    heading_deg="double",
)  # fmt: skip

#: Allowed range of each number, both ends included; a record with a number outside it is bad.
RANGES: Final[dict[str, tuple[float, float]]] = {
    # To the year 9999, the last that Spark can print.
    "time": (0, 253_402_300_799_999),
    "latitude": (-90, 90),
    "longitude": (-180, 180),
    "speed_kmh": (0, 1000),
    "heading_deg": (0, 360),
}

#: Schema of the JSON in an order: from ``time`` on (milliseconds since 1970), the truck has some minutes to come
#: within ``km`` kilometres of a place in degrees.
ORDER: Final = shape(
    order_id="string", truck_id="string", time="long", latitude="double", longitude="double", km="double"
)

# Options for Spark's parser, which is lenient by default: it accepts NaN and single quotes as JSON.
_STRICT = {
    "columnNameOfCorruptRecord": "corrupt",
    "allowNonNumericNumbers": "false",
    "allowSingleQuotes": "false",
}

# Spark asks Kafka's admin client for the newest offsets. When a broker leaves the cluster, that client waits for it
# until the call times out, by default after a minute, and the stream stands still. A call with a short timeout, made
# again, finds the new leader seconds after the election; twelve of them outlast any failover.
_KAFKA = {
    "kafka.request.timeout.ms": "4000",
    "kafka.default.api.timeout.ms": "5000",
    "fetchOffset.numRetries": "12",
    "fetchOffset.retryIntervalMs": "500",
    # A consumer of Spark's asks for more when it has read a batch, and what comes then is too old when the next batch
    # needs it. So each partition waited for the end of that question: a batch of 50 records took 0.9 s, now 0.2 s.
    "kafka.fetch.max.wait.ms": "10",
    # A reader must not create topics: otherwise a stream that is being stopped brings a deleted topic back, empty.
    "kafka.allow.auto.create.topics": "false",
}


def kafka_options(bootstrap_servers: str, topic: str, starting: str = "earliest") -> dict[str, str]:
    """Return the options for ``spark.readStream.format("kafka").options(**…)``: small batches are quick with them, and
    a dead broker holds them up for seconds only.

    :param starting: as in :func:`read_trucks`.
    """
    return {
        "kafka.bootstrap.servers": bootstrap_servers,
        "subscribe": topic,
        "startingOffsets": starting,
        **_KAFKA,
    }


def read_trucks(
    spark: SparkSession,
    bootstrap_servers: str,
    topic: str = "trucks_gps",
    starting: str = "earliest",
    *,
    stream: bool = True,
    options: Mapping[str, str] | None = None,
) -> DataFrame:
    """Read a topic in Spark's columns: key and value in bytes, topic, partition, offset, timestamp, timestampType.

    :param starting: "earliest", "latest", or Spark's JSON of an offset for each partition; a query that finds a
        checkpoint goes on from there instead.
    :param stream: False reads the records that are there now, once.
    :param options: more options of Spark's Kafka source; ``kafka.…`` go to the consumer.
    """
    reader: Any = spark.readStream if stream else spark.read
    reader = reader.format("kafka").options(**kafka_options(bootstrap_servers, topic, starting))
    frame: DataFrame = reader.options(**(options or {})).load()
    return frame


def parse(raw: DataFrame) -> DataFrame:
    """Parse the records of a topic into one row each, good or bad; none is dropped.

    Columns: those of :data:`TRUCK` with ``time`` as a timestamp (event time), then
    ``topic``, ``partition``, ``offset``, ``kafka_time`` (the record's timestamp: by default the producer's clock, and
    the broker's in a topic with LogAppendTime), ``key`` (text), ``value`` (bytes, unchanged) and ``reason``: null for a
    good record, otherwise a sentence on the first thing that is wrong.
    """
    text = sf.col("value").cast("string")
    # Spark's parser stops at the end of the first object and ignores any text behind it. So the text is put into an
    # object of ours, where text behind it makes the JSON invalid.
    whole = sf.concat(sf.lit('{"record":'), text, sf.lit(',"end":true}'))
    as_text = StructType([StructField(field.name, StringType()) for field in TRUCK])
    rows = raw.select(
        "topic",
        "partition",
        "offset",
        sf.col("timestamp").alias("kafka_time"),
        sf.col("key").cast("string").alias("key"),
        "value",
        sf.from_json(whole, _inside(TRUCK), _STRICT).alias("typed"),
        sf.from_json(whole, _inside(as_text), _STRICT).alias("said"),
    )
    rows = rows.withColumn("reason", sf.coalesce(*_reasons(text)))
    good = sf.col("reason").isNull()
    fields = []
    for field in TRUCK:
        value = sf.col(f"typed.record.{field.name}")
        if field.name == "time":
            # Only convert a time of a good record: one out of range would overflow, and a single record end the query.
            value = sf.timestamp_millis(sf.when(good, value))
        fields.append(value.alias(field.name))
    return rows.select(*fields, "topic", "partition", "offset", "kafka_time", "key", "value", "reason")


def _inside(schema: StructType) -> StructType:
    return StructType().add("record", schema).add("end", "boolean").add("corrupt", "string")


def _reasons(text: Column) -> list[Column]:
    """Return a column for each thing that can be wrong: a sentence if it is, else null. The first sentence counts."""
    record = sf.col("typed.record")
    broken = sf.col("typed.end").isNull()
    reasons = [
        sf.when(sf.col("value").isNull(), "there is no value"),
        sf.when(~sf.is_valid_utf8(text), "the value is not UTF-8 text"),
        sf.when(broken, "the value is not JSON"),
        sf.when(record.isNull(), "the value is not a JSON object"),
    ]
    for field in TRUCK:
        typed, said = sf.col(f"typed.record.{field.name}"), sf.col(f"said.record.{field.name}")
        reasons.append(sf.when(said.isNull(), f"{field.name} is missing"))
        if field.name in RANGES:
            low, high = RANGES[field.name]
            kind = "a whole number" if field.name == "time" else "a number"
            reasons.append(sf.when(typed.isNull(), f"{field.name} is not {kind}"))
            outside = f"{field.name} is outside {low:g} to {high:g}" if high < 1e6 else f"{field.name} is out of range"
            reasons.append(sf.when(~typed.between(low, high), outside))
        else:
            # When asked for text, Spark returns an object or a list as its JSON.
            reasons.append(sf.when(said.rlike(r"^\s*[\[{]"), f"{field.name} is not text"))
            reasons.append(sf.when(sf.trim(said) == "", f"{field.name} is empty"))
    return reasons


def good_records(parsed: DataFrame) -> DataFrame:
    """Return the rows of :func:`parse` that hold a truck's report; rows without a reason column are good already."""
    return parsed.where(sf.col("reason").isNull()).drop("reason") if "reason" in parsed.columns else parsed


def bad_records(parsed: DataFrame) -> DataFrame:
    """Return the other rows of :func:`parse`: key, value, topic, partition, offset, kafka_time, and the reason."""
    return parsed.where(sf.col("reason").isNotNull()).select(
        "key", "value", "topic", "partition", "offset", "kafka_time", "reason"
    )


def without_duplicates(parsed: DataFrame, within: str = "1 hour") -> DataFrame:
    """Return the good rows of :func:`parse`, only the first of each record id.

    :param within: how long an id is remembered, in event time: copies of a record may arrive this far apart. In a
        stream, a record that is later than this, against the newest event time seen, is dropped.
    """
    good = good_records(parsed)
    if good.isStreaming:
        return good.withWatermark("time", within).dropDuplicatesWithinWatermark(["record_id"])
    return good.dropDuplicates(["record_id"])


def latest_position(parsed: DataFrame) -> DataFrame:
    """Return one row per truck, its latest report by event time, from the good rows of :func:`parse`.

    A late record never moves a truck back; of two with the same time, the one with the higher offset counts. A stream
    keeps one row of state for each truck, and gives the trucks that changed (output mode "update").
    """
    good = good_records(parsed)
    rest = ("record_id", "latitude", "longitude", "speed_kmh", "heading_deg", "partition", "kafka_time")
    newest = sf.max(sf.struct("time", "offset", *rest)).alias("newest")
    rows = good.groupBy("truck_id").agg(newest)
    return rows.select("truck_id", "newest.*")


#: The mean radius of the Earth, in kilometres, by which angles become distances.
EARTH_KM = 6371.0088


def travelled(parsed: DataFrame, window: str = "10 minutes", late: str = "10 minutes") -> DataFrame:
    """Return how far and how fast each truck drove in each window of event time, from the good rows of :func:`parse`.

    Columns: ``truck_id``; ``start`` and ``end`` of the window (``end`` is outside of it); ``reports``: their number;
    ``km``: kilometres along great circles from the first report in the window to the last, so the way between two
    windows is in neither; ``mean_kmh``: mean speed of the reports, km/h; ``top_kmh``: highest speed, km/h.

    The order of arrival changes nothing, not even the last digit, and an exact copy of a report counts once. A stream
    may run in any output mode. With "append", it gives each window once, when its watermark has reached the window's
    end; reports that come later are dropped.

    :param window: length of a window.
    :param late: how far the watermark stays behind the newest event time: a report this late still counts.
    """
    good = good_records(parsed).withWatermark("time", late)
    # Sorted, because floating-point sums depend on the order. A set, so that copies fall together.
    report = sf.struct("time", "record_id", "latitude", "longitude", "speed_kmh")
    reports = sf.array_sort(sf.collect_set(report)).alias("reports")
    rows = good.groupBy("truck_id", sf.window("time", window)).agg(reports)
    count = sf.size("reports")
    # The last report has no next one: zip_with fills in null, and its distance is null.
    legs = sf.zip_with("reports", sf.slice("reports", sf.lit(2), count), _distance)
    zero = sf.lit(0.0)
    return rows.select(
        "truck_id",
        "window.start",
        "window.end",
        count.alias("reports"),
        sf.aggregate(legs, zero, lambda sum, km: sum + sf.coalesce(km, zero)).alias("km"),
        (sf.aggregate("reports.speed_kmh", zero, lambda sum, kmh: sum + kmh) / count).alias("mean_kmh"),
        sf.array_max("reports.speed_kmh").alias("top_kmh"),
    )


def km_between(latitude: Column, longitude: Column, other_latitude: Column, other_longitude: Column) -> Column:
    """Return the distance of two places in kilometres, by the haversine formula; degrees come in."""
    north, east = sf.radians(other_latitude - latitude) / 2, sf.radians(other_longitude - longitude) / 2
    across = sf.cos(sf.radians(latitude)) * sf.cos(sf.radians(other_latitude))
    square = sf.pow(sf.sin(north), 2) + across * sf.pow(sf.sin(east), 2)
    # Rounding may make the square of two far ends a hair more than 1. (greatest leaves nulls out; atan2 does not.)
    rest = sf.greatest(sf.lit(0.0), 1 - square)
    return 2 * EARTH_KM * sf.atan2(sf.sqrt(square), sf.sqrt(rest))


def _distance(here: Column, there: Column) -> Column:
    return km_between(here["latitude"], here["longitude"], there["latitude"], there["longitude"])


def with_depot(parsed: DataFrame, depots: DataFrame) -> DataFrame:
    """Return the good rows of :func:`parse` with the column ``depot``, which is null for a truck that has none.

    :param depots: a table with ``truck_id`` and ``depot``, one row for each truck. Whether a stream sees a change in it
        depends on its source: a topic that is read as a table is read again for every micro-batch.
    """
    return good_records(parsed).join(depots.select("truck_id", "depot"), "truck_id", "left")


def parse_orders(raw: DataFrame) -> DataFrame:
    """Return the orders in the records of a topic, with ``time`` as a timestamp; records that hold none are dropped.

    Columns: those of :data:`ORDER`.
    """
    whole = sf.concat(sf.lit('{"record":'), sf.col("value").cast("string"), sf.lit(',"end":true}'))
    said = raw.select(sf.from_json(whole, _inside(ORDER), _STRICT).alias("typed")).where("typed.end")
    orders = said.select("typed.record.*").dropna()
    # No place is farther away than half the Earth's circumference.
    good = sf.col("km").between(0, math.pi * EARTH_KM)
    for name in RANGES.keys() & set(ORDER.names):
        good = good & sf.col(name).between(*RANGES[name])
    # As in parse: a time out of range, even of a record that is dropped, would end the query.
    return orders.where(good).withColumn("time", sf.timestamp_millis(sf.when(good, sf.col("time"))))


def reached(parsed: DataFrame, orders: DataFrame, within: str = "10 minutes", late: str = "10 minutes") -> DataFrame:
    """Return one row for each order: ``order_id``, ``truck_id``, its ``time``, and ``arrived``.

    ``arrived`` is the event time of the first good report of the truck from the place, or null if none came from there
    between ``time`` and ``within`` after it, both included. A copy of an order, with the same id and time, counts once.
    A stream in append mode gives a row when the watermark says that it is final; it drops what comes later.

    :param orders: rows of :func:`parse_orders`.
    :param late: how far the watermark stays behind the newest event time, in both inputs. Spark takes the smaller of
        the two watermarks, so no order is final as long as one of the inputs is silent.
    """
    reports = good_records(parsed).withWatermark("time", late)
    # Other names than those of orders, because a column of a join is meant by its name.
    seen = reports.select(
        sf.col("truck_id").alias("truck"),
        sf.col("time").alias("seen"),
        sf.col("latitude").alias("seen_latitude"),
        sf.col("longitude").alias("seen_longitude"),
    )
    time = sf.col("time")
    away = km_between(sf.col("seen_latitude"), sf.col("seen_longitude"), sf.col("latitude"), sf.col("longitude"))
    of_order = (
        (sf.col("truck") == sf.col("truck_id"))
        & sf.col("seen").between(time, time + sf.expr(f"interval {within}"))
        & (away <= sf.col("km"))
    )
    both = orders.withWatermark("time", late).join(seen, of_order, "left")
    return both.groupBy("order_id", "truck_id", "time").agg(sf.min("seen").alias("arrived"))
