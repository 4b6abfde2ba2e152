"""Spark in checks: makes tables and streams from hidden cases, and runs a learner's DataFrame safely."""

from __future__ import annotations

import json
import os
import random
import re
import tempfile
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from kafkalab.errors import KafkalabError
from kafkalab.exercises.judging import Wrong, call, kind_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row, SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

OutputMode = Literal["append", "update", "complete"]

#: Rows as (record id, truck, minute of event time since 06:00, speed in km/h), in the order in which they arrive.
Case = list[tuple[str, str, int, float]]

#: Batches, each a list of rows with the columns of a schema.
Batches = Sequence[Sequence[tuple[Any, ...]]]

#: Event time of minute 0 of every case: 5 January 2026, 06:00 UTC, in milliseconds since 1970.
START: Final = 1_767_592_800_000

_SCHEMA: Final = (
    "record_id string, truck_id string, time timestamp, latitude double, longitude double, speed_kmh double, "
    "heading_deg double, topic string, partition int, offset bigint, kafka_time timestamp, key string"
)

#: The last line of a traceback from a Python worker: "ValueError: …".
_IN_WORKER: Final = re.compile(r"thrown from the Python worker:\nTraceback.*?\n(\w[\w.]*(?::[^\n]*)?)\n", re.DOTALL)


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
            "time": START + minute * 60_000,
            "latitude": 48.0 + at,
            "longitude": 16.0 - at,
            "speed_kmh": speed,
            "heading_deg": 90.0,
            "topic": "trucks_gps",
            "partition": 0,
            "offset": at,
            "kafka_time": START + 86_400_000 + at * 1000,
            "key": truck,
        }
        for at, (record, truck, minute, speed) in enumerate(case, first_offset)
    ]


def table(spark: SparkSession, case: Case) -> DataFrame:
    """Return a case as a table with the columns of good records."""
    return timed_table(spark, [tuple(row.values()) for row in _rows(case)], _SCHEMA)


def answer_frame(answer: Any, *args: Any, columns: Sequence[str] = ()) -> DataFrame:
    """Call the learner's function and return its DataFrame; unless it is a stream, check that Spark can compute it.

    :param columns: those that it should have, in any order; none: not checked.
    :raises Wrong: it is not a DataFrame, Spark cannot run it, or it has other columns.
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
    if columns:
        columns_of(frame, columns)
    return frame


def timed_table(spark: SparkSession, rows: Sequence[tuple[Any, ...]], schema: str) -> DataFrame:
    """Return rows as a table; the timestamps of the schema are milliseconds since 1970 in the rows."""
    return _timed(spark.createDataFrame(list(rows), schema.replace(" timestamp", " bigint")), schema)


def _timed(frame: DataFrame, schema: str) -> DataFrame:
    """Return the frame with the timestamps of the schema made of the milliseconds in its columns."""
    from pyspark.sql import functions as sf

    times = [column.split()[0] for column in schema.split(",") if column.split()[1] == "timestamp"]
    return frame.withColumns({name: sf.timestamp_millis(name) for name in times}) if times else frame


def columns_of(frame: DataFrame, wanted: Sequence[str]) -> None:
    """Check that the frame has exactly the columns ``wanted``, in any order.

    :raises Wrong: it has others.
    """
    if sorted(frame.columns) != sorted(wanted):
        raise Wrong(f"The columns should be {', '.join(wanted)}; they are {', '.join(frame.columns)}.")


def of_day(minute: int) -> str:
    """Return the time of day ("06:20") of a minute of event time, counted from 06:00 as in cases."""
    return f"{6 + minute // 60:02}:{minute % 60:02}"


def truck_names(many: int) -> list[str]:
    """Return different ids of trucks, drawn at random."""
    return [f"T{number:04}" for number in random.sample(range(10_000), many)]


def rows_of_batches(
    spark: SparkSession, answer: Any, batches: Sequence[Case], *args: Any, mode: OutputMode = "append"
) -> list[list[Row]]:
    """Run the learner's function on the batches as a stream; return the rows that each micro-batch hands on.

    Spark adds a batch without data when the last one has moved the watermark. Rows that are too late are dropped by
    the watermark of the batch *before*, so put a batch between the newest row and those that should be dropped.

    :param args: given to the function after the stream.
    :raises Wrong: it cannot be run as a stream.
    :raises KafkalabError: the stream does not end within two minutes.
    """
    rows, offset = [], 0
    for case in batches:
        rows.append([[tuple(row.values()) for row in _rows(case, offset)]])
        offset += len(case)
    found, _ = rows_of_streams(spark, lambda stream: answer_frame(answer, stream, *args), rows, (_SCHEMA,), mode)
    return found


def rows_of_stream(
    spark: SparkSession,
    build: Callable[[DataFrame], DataFrame],
    runs: Sequence[Batches],
    schema: str,
    folder: str,
    mode: OutputMode = "append",
) -> list[list[list[Row]]]:
    """Run what a learner makes of a stream; return the rows that each micro-batch of each run hands on.

    :param build: makes the DataFrame from the stream, once for each run.
    :param runs: each a list of micro-batches, each a list of rows with the columns of ``schema``. Every run is a query
        of its own, which goes on from the checkpoint of the one before.
    :param folder: an empty one; the checkpoint is ``{folder}/checkpoint``.
    :raises Wrong: it cannot be run as a stream.
    :raises KafkalabError: a run does not end within two minutes.
    """
    found: list[list[list[Row]]] = []
    number = count(1)
    for batches in runs:
        for rows in batches:
            _write_batch(folder, rows, schema, next(number))
        found.append([])
        _run(build(_read(spark, schema, f"{folder}/*.json")), found[-1], f"{folder}/checkpoint", mode)
    return found


def _read(spark: SparkSession, schema: str, path: str) -> DataFrame:
    return spark.readStream.schema(schema).option("maxFilesPerTrigger", 1).json(path)


def rows_of_streams(
    spark: SparkSession,
    build: Callable[..., DataFrame],
    batches: Sequence[Batches],
    schemas: Sequence[str],
    mode: OutputMode = "append",
) -> tuple[list[list[Row]], int]:
    """Run what a learner makes of several streams; return each micro-batch's rows, and the number of rows in its state.

    :param build: makes the DataFrame from the streams.
    :param batches: each a list of rows for each stream, which may be empty, with the columns of that stream's schema;
        timestamps are milliseconds since 1970.
    :raises Wrong: it cannot be run on streams.
    :raises KafkalabError: it does not end within two minutes.
    """
    found: list[list[Row]] = []
    with tempfile.TemporaryDirectory(prefix="kafkalab-check-") as folder:
        for number, batch in enumerate(batches, 1):
            for stream, rows in enumerate(batch):
                _write_batch(folder, rows, schemas[stream], number, f"-{stream}")
        streams = [
            _timed(_read(spark, schema.replace(" timestamp", " bigint"), f"{folder}/*-{number}.json"), schema)
            for number, schema in enumerate(schemas)
        ]
        query = _run(build(*streams), found, f"{folder}/checkpoint", mode)
        last = query.lastProgress
    return found, sum(int(one["numRowsTotal"]) for one in (last["stateOperators"] if last else ()))


def _write_batch(folder: str, rows: Sequence[tuple[Any, ...]], schema: str, number: int, end: str = "") -> None:
    file = Path(folder) / f"{number}{end}.json"
    names = [column.split()[0] for column in schema.split(",")]
    text = "\n".join(json.dumps(dict(zip(names, row, strict=True))) for row in rows)
    file.write_text(text + "\n", encoding="utf-8")
    # Spark reads the oldest file first, and these are written within a millisecond: give each its own time.
    os.utime(file, (number * 60, number * 60))


def _run(stream: DataFrame, found: list[list[Row]], checkpoint: str, mode: OutputMode) -> StreamingQuery:
    """Run a stream until it has read what is there, add each micro-batch's rows to ``found``; return the query."""

    def keep(rows: DataFrame, number: int) -> None:
        found.append(rows.collect())

    try:
        writer = stream.writeStream.foreachBatch(keep).outputMode(mode).trigger(availableNow=True)
        query = writer.option("checkpointLocation", checkpoint).start()
    except Exception as error:
        raise Wrong(f"Spark cannot run it on a stream: {_first(error)}") from None
    try:
        done = query.awaitTermination(120)
    except Exception as error:
        if refused := re.search(r"STATE_STORE_(KEY|VALUE)_SCHEMA_NOT_COMPATIBLE", str(error)):
            other = "it groups by other types" if refused[1] == "KEY" else "it keeps other fields in its state"
            raise Wrong(f"Spark refuses your query on the old checkpoint: {other} than the query before.") from None
        raise Wrong(f"It failed on a stream: {_first(error)}") from None
    finally:
        query.stop()
    if not done:
        raise KafkalabError("The stream of the check did not end in two minutes.", do="Stop other streams; try again.")
    return query


def rows_of_parquet(spark: SparkSession, path: str, columns: Sequence[str] = ()) -> list[Row]:
    """Return the rows of a Parquet table that the learner's job wrote; none if there is no table yet.

    :param columns: those that it should have, in any order; none: not checked.
    :raises Wrong: it has other columns.
    :raises KafkalabError: it cannot be read.
    """
    from pyspark.errors import AnalysisException

    try:
        frame = spark.read.parquet(path)
        rows = frame.collect()
    except AnalysisException:
        return []
    except Exception as error:
        raise KafkalabError("The table of the check cannot be read.", seen=str(error)[:300]) from None
    if columns:
        columns_of(frame, columns)
    return rows


def _first(error: Exception) -> str:
    """Return the line of an error that says most: what raised in a Python worker, or else Spark's first line."""
    text = str(error).strip()
    if raised := _IN_WORKER.findall(text):
        return f"Python raised {raised[-1][:300]}"
    said = text.splitlines()
    return (said[0] if said else type(error).__name__)[:300]
