"""The jobs: functions from DataFrame to DataFrame. They hold for a stream and for a table alike, so both are tested."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from pyspark.sql import functions as sf
from pyspark.sql.types import DoubleType, LongType, StringType, StructField, StructType

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

# --- The shape of a truck's record, as Spark sees it.


#: The JSON in a record's value. ``time``: milliseconds since 1970; ``latitude``, ``longitude``, ``heading_deg`` (0 is
#: north, clockwise): degrees. Fields that are not listed are ignored, so a truck may learn to say more.
TRUCK: Final = StructType(
    [
        StructField("record_id", StringType()),
        StructField("truck_id", StringType()),
        StructField("time", LongType()),
        StructField("latitude", DoubleType()),
        StructField("longitude", DoubleType()),
        StructField("speed_kmh", DoubleType()),
        StructField("heading_deg", DoubleType()),
    ]
)

#: What a number may be, both ends included; outside of it the record is bad.
RANGES: Final[dict[str, tuple[float, float]]] = {
    # To the year 9999, the last that Spark can print.
    "time": (0, 253_402_300_799_999),
    "latitude": (-90, 90),
    "longitude": (-180, 180),
    "speed_kmh": (0, 1000),
    "heading_deg": (0, 360),
}


# Spark's own parser is lenient: it would take NaN, single quotes and numbers with a leading zero for JSON.
_STRICT = {
    "columnNameOfCorruptRecord": "corrupt",
    "allowNonNumericNumbers": "false",
    "allowSingleQuotes": "false",
}

# Kafka's admin client, which Spark asks for the newest offsets, goes on waiting for a broker that left the cluster
# until the call's own time is up: by default a minute in which the stream stands still. A short call, asked again,
# finds the new leader seconds after the election; twelve of them outlast any failover.
_KAFKA = {
    "kafka.request.timeout.ms": "4000",
    "kafka.default.api.timeout.ms": "5000",
    "fetchOffset.numRetries": "12",
    "fetchOffset.retryIntervalMs": "500",
    # A reader makes no topics: otherwise a stream that is just being stopped brings a deleted one back, empty.
    "kafka.allow.auto.create.topics": "false",
}


def read_trucks(
    spark: SparkSession,
    bootstrap_servers: str,
    topic: str = "trucks_gps",
    starting: str = "earliest",
    *,
    stream: bool = True,
    most_per_batch: int | None = None,
    options: Mapping[str, str] | None = None,
) -> DataFrame:
    """A topic as Spark gives it: key and value in bytes, topic, partition, offset, timestamp, timestampType.

    :param starting: "earliest", "latest", or Spark's JSON of an offset for each partition; a query that finds a
        checkpoint goes on from there instead.
    :param stream: False reads what is there now, once.
    :param most_per_batch: records a micro-batch takes at most, over all partitions (streams only).
    :param options: more options of Spark's Kafka source; ``kafka.…`` go to the consumer.
    """
    reader: Any = spark.readStream if stream else spark.read
    reader = reader.format("kafka").option("kafka.bootstrap.servers", bootstrap_servers)
    reader = reader.option("subscribe", topic).option("startingOffsets", starting)
    if most_per_batch is not None and stream:
        reader = reader.option("maxOffsetsPerTrigger", most_per_batch)
    frame: DataFrame = reader.options(**{**_KAFKA, **(options or {})}).load()
    return frame


def parse(raw: DataFrame) -> DataFrame:
    """Records of a topic → one row each, good or bad; none is dropped.

    Columns: those of :data:`~kafkalab.streams.jobs.TRUCK` with ``time`` as a timestamp (event time), then
    ``topic``, ``partition``, ``offset``, ``kafka_time`` (when the record reached Kafka), ``key`` (text), ``value``
    (bytes, as they came) and ``reason``: null for a good record, otherwise a sentence on the first thing that is wrong.
    """
    text = sf.col("value").cast("string")
    # Spark's parser stops at the end of the first object and would not see what stands behind it; inside an object of
    # ours, whatever stands behind is in the way.
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
            # Only of a time that was found to be in range: any other overflows, and one record would end the query.
            value = sf.timestamp_millis(sf.when(good, value))
        fields.append(value.alias(field.name))
    return rows.select(*fields, "topic", "partition", "offset", "kafka_time", "key", "value", "reason")


def _inside(schema: StructType) -> StructType:
    return StructType().add("record", schema).add("end", "boolean").add("corrupt", "string")


def _reasons(text: Column) -> list[Column]:
    """For each thing that can be wrong, a sentence if it is and null if not; the first one counts."""
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
            # Spark gives an object or a list as its JSON where text is asked for.
            reasons.append(sf.when(said.rlike(r"^\s*[\[{]"), f"{field.name} is not text"))
            reasons.append(sf.when(sf.trim(said) == "", f"{field.name} is empty"))
    return reasons


def good_records(parsed: DataFrame) -> DataFrame:
    """The rows of :func:`parse` that hold a truck's report."""
    return parsed.where(sf.col("reason").isNull()).drop("reason")


def bad_records(parsed: DataFrame) -> DataFrame:
    """The other rows of :func:`parse`: key, value, topic, partition, offset, kafka_time as they came; the reason."""
    return parsed.where(sf.col("reason").isNotNull()).select(
        "key", "value", "topic", "partition", "offset", "kafka_time", "reason"
    )


def without_duplicates(parsed: DataFrame, within: str = "1 hour") -> DataFrame:
    """The good rows of :func:`parse`, the first of each record id only.

    :param within: how far apart, in event time, the copies of a record may arrive: so long is an id remembered. In a
        stream a record that is later than this, against the newest event time seen, is dropped.
    """
    good = good_records(parsed)
    if good.isStreaming:
        return good.withWatermark("time", within).dropDuplicatesWithinWatermark(["record_id"])
    return good.dropDuplicates(["record_id"])


def latest_position(parsed: DataFrame) -> DataFrame:
    """The good rows of :func:`parse` → one row a truck: its latest report by event time.

    A late record never moves a truck back; of two with the same time the one later in its partition counts. As a stream
    this keeps one row of state for each truck, and gives the trucks that changed (output mode "update").
    """
    good = good_records(parsed)
    rest = ("record_id", "latitude", "longitude", "speed_kmh", "heading_deg", "partition", "kafka_time")
    newest = sf.max(sf.struct("time", "offset", *rest)).alias("newest")
    rows = good.groupBy("truck_id").agg(newest)
    return rows.select("truck_id", "newest.*")
