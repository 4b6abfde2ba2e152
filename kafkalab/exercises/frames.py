"""Spark in checks: makes tables and streams from hidden cases, and runs a learner's DataFrame safely."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kafkalab.errors import KafkalabError
from kafkalab.exercises.judging import Wrong, call, kind_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row, SparkSession

#: Rows as (record id, truck, minute of event time, speed in km/h), in the order in which they arrive.
Case = list[tuple[str, str, int, float]]

#: Event time of minute 0 of every case: 5 January 2026, 06:00 UTC, in milliseconds since 1970.
_START: Final = 1_767_592_800_000

_SCHEMA: Final = (
    "record_id string, truck_id string, time timestamp, latitude double, longitude double, speed_kmh double, "
    "heading_deg double, topic string, partition int, offset bigint, kafka_time timestamp, key string"
)


def active_session() -> SparkSession:
    """Return the Spark session of the notebook.

    :raises KafkalabError: there is none.
    """
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    if SparkContext._active_spark_context is None:
        raise KafkalabError("There is no Spark session.", do="Run the set-up cell: spark = kafkalab.spark()")
    return SparkSession.builder.getOrCreate()


def _rows(case: Case, first_offset: int = 0) -> list[dict[str, Any]]:
    """Return a case as rows with the columns of good records; offset and Kafka's time grow in the order of arrival."""
    return [
        {
            "record_id": record,
            "truck_id": truck,
            "time": _START + minute * 60_000,
            "latitude": 48.0 + at,
            "longitude": 16.0 - at,
            "speed_kmh": speed,
            "heading_deg": 90.0,
            "topic": "trucks_gps",
            "partition": 0,
            "offset": at,
            "kafka_time": _START + 86_400_000 + at * 1000,
            "key": truck,
        }
        for at, (record, truck, minute, speed) in enumerate(case, first_offset)
    ]


def _from_json(frame: DataFrame) -> DataFrame:
    """Return the frame with its times, which are milliseconds in the files, as timestamps."""
    from pyspark.sql import functions as sf

    return frame.withColumns({name: sf.timestamp_millis(name) for name in ("time", "kafka_time")})


def table(spark: SparkSession, case: Case) -> DataFrame:
    """Return a case as a table with the columns of good records."""
    schema = _SCHEMA.replace(" timestamp", " bigint")
    return _from_json(spark.createDataFrame(_rows(case), schema))


def answer_frame(answer: Any, *args: Any) -> DataFrame:
    """Call the learner's function and return its DataFrame; unless it is a stream, check that Spark can compute it.

    :raises Wrong: it is not a DataFrame, or Spark cannot run it.
    """
    from pyspark.sql import DataFrame

    frame = call(answer, *args)
    if not isinstance(frame, DataFrame):
        raise Wrong(f"Your function should return a DataFrame, and this is {kind_of(frame)}.")
    if not frame.isStreaming:
        try:
            frame.count()
        except Exception as error:
            raise Wrong(f"Spark cannot run it: {_first(error)}") from None
    return frame


def columns_of(frame: DataFrame, wanted: Sequence[str]) -> None:
    """Check that the frame has exactly the columns ``wanted``, in any order.

    :raises Wrong: it has others.
    """
    if sorted(frame.columns) != sorted(wanted):
        raise Wrong(f"The columns should be {', '.join(wanted)}; they are {', '.join(frame.columns)}.")


def times_in_minutes(rows: Iterable[Row], *wanted: str) -> list[dict[str, Any]]:
    """Return rows as dicts with exactly the columns ``wanted``; their start and end, if any, in minutes since 06:00.

    :raises Wrong: there are other columns, or a start or an end is not a time.
    """
    found: list[dict[str, Any]] = [row.asDict() for row in rows]
    for row in found:
        if sorted(row) != sorted(wanted):
            raise Wrong(f"The columns should be {', '.join(wanted)}; they are {', '.join(row)}.")
        for name in {"start", "end"} & row.keys():
            if not isinstance(row[name], datetime):
                raise Wrong(f"The column `{name}` should be a time, `window.{name}`, and this is {kind_of(row[name])}.")
            row[name] = round((row[name].timestamp() - _START / 1000) / 60)
    return found


def of_day(minute: int) -> str:
    """Return the time of day ("06:20") of a minute of event time, counted from 06:00 as in cases."""
    return f"{6 + minute // 60:02}:{minute % 60:02}"


def newest_rows_of_stream(spark: SparkSession, answer: Any, batches: Sequence[Case]) -> dict[str, str]:
    """Run the learner's function on the batches as a stream; return the last record id it gives for each truck.

    :raises Wrong: it cannot be run as a stream.
    :raises KafkalabError: the stream does not end within two minutes.
    """
    handed = rows_of_stream(spark, answer, batches, mode="update")
    return {row["truck_id"]: row["record_id"] for rows in handed for row in rows}


def rows_of_stream(
    spark: SparkSession, answer: Any, batches: Sequence[Case], *args: Any, mode: str = "append"
) -> list[list[Row]]:
    """Run the learner's function on the batches as a stream; return the rows that each micro-batch hands on.

    Spark adds a batch without data when the last one has moved the watermark. Rows that are too late are dropped by
    the watermark of the batch *before*, so put a batch between the newest row and those that should be dropped.

    :param args: given to the function after the stream.
    :raises Wrong: it cannot be run as a stream.
    :raises KafkalabError: the stream does not end within two minutes.
    """
    handed: list[list[Row]] = []

    def keep(rows: DataFrame, number: int) -> None:
        handed.append(rows.collect())

    with tempfile.TemporaryDirectory(prefix="kafkalab-check-") as folder:
        offset = 0
        for number, case in enumerate(batches):
            lines = "\n".join(json.dumps(row) for row in _rows(case, offset))
            file = Path(folder) / f"{number}.json"
            file.write_text(lines, encoding="utf-8")
            # Spark reads the oldest file first, and these are written within a millisecond: give each its own time.
            os.utime(file, (number * 60, number * 60))
            offset += len(case)
        source = spark.readStream.schema(_SCHEMA.replace(" timestamp", " bigint")).option("maxFilesPerTrigger", 1)
        stream = answer_frame(answer, _from_json(source.json(f"{folder}/*.json")), *args)
        try:
            writer = stream.writeStream.foreachBatch(keep).outputMode(mode).trigger(availableNow=True)
            query = writer.option("checkpointLocation", f"{folder}/checkpoint").start()
        except Exception as error:
            raise Wrong(f"Spark cannot run it on a stream: {_first(error)}") from None
        try:
            done = query.awaitTermination(120)
        except Exception as error:
            raise Wrong(f"It failed on a stream: {_first(error)}") from None
        finally:
            query.stop()
    if not done:
        raise KafkalabError("The stream of the check did not end in two minutes.", do="Stop other streams; try again.")
    return handed


def rows_of_parquet(spark: SparkSession, path: str) -> list[Row]:
    """Return the rows of a Parquet table that the learner's job wrote; none if there is no table yet.

    :raises KafkalabError: it cannot be read.
    """
    from pyspark.errors import AnalysisException

    try:
        return spark.read.parquet(path).collect()
    except AnalysisException:
        return []
    except Exception as error:
        raise KafkalabError("The table of the check cannot be read.", seen=str(error)[:300]) from None


def _first(error: Exception) -> str:
    said = str(error).strip().splitlines()
    return (said[0] if said else type(error).__name__)[:300]
