"""Spark in checks: makes tables and streams from hidden cases, and runs a learner's DataFrame safely."""

from __future__ import annotations

import json
import os
import random
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from kafkalab.errors import KafkalabError
from kafkalab.exercises.judging import NotAttempted, Wrong, call, is_blank, kind_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row, SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

OutputMode = Literal["append", "update", "complete"]

#: Rows as (record id, truck, minute of event time, speed in km/h), in the order in which they arrive.
Case = list[tuple[str, str, int, float]]

#: Batches, each a list of rows with the columns of a schema.
Batches = Sequence[Sequence[tuple[Any, ...]]]

#: Event time of minute 0 of every case: 5 January 2026, 06:00 UTC, in milliseconds since 1970.
_START: Final = 1_767_592_800_000

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


def table(spark: SparkSession, case: Case) -> DataFrame:
    """Return a case as a table with the columns of good records."""
    schema = _SCHEMA.replace(" timestamp", " bigint")
    return _timed(spark.createDataFrame(_rows(case), schema), _SCHEMA)


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


def truck_names(many: int) -> list[str]:
    """Return different ids of trucks, drawn at random."""
    return [f"T{number:04}" for number in random.sample(range(10_000), many)]


def at_minutes(runs: Sequence[Batches], *more: Any) -> list[list[list[tuple[Any, ...]]]]:
    """Return runs of reports (truck, minute since 06:00, …) with the minute in milliseconds.

    :param more: the last columns of a report that doesn't give them.
    """
    return [
        [[(t, _START + round(m * 60_000), *rest, *more[len(rest) :]) for t, m, *rest in batch] for batch in run]
        for run in runs
    ]


def with_times_of_day(runs: Sequence[Sequence[Sequence[Any]]]) -> list[list[tuple[Any, ...]]]:
    """Return the rows of runs with a time of day ("06:20", "06:20:30") for each number of milliseconds of 2026."""

    def shown(value: Any) -> Any:
        if not isinstance(value, int) or abs(value - _START) > 86_400_000:
            return value
        minute, seconds = divmod((value - _START) // 1000, 60)
        return of_day(minute) + (f":{seconds:02}" if seconds else "")

    return [[tuple(map(shown, row)) for row in rows] for rows in runs]


def newest_rows_of_stream(spark: SparkSession, answer: Any, batches: Sequence[Case]) -> dict[str, str]:
    """Run the learner's function on the batches as a stream; return the last record id it gives for each truck.

    :raises Wrong: it cannot be run as a stream.
    :raises KafkalabError: the stream does not end within two minutes.
    """
    handed = rows_of_batches(spark, answer, batches, mode="update")
    return {row["truck_id"]: row["record_id"] for rows in handed for row in rows}


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


def rows_of_processor(
    answer: Any,
    schema: str,
    runs: Sequence[Batches],
    reports: str,
    *,
    mode: Literal["None", "ProcessingTime", "EventTime"] = "None",
    late: str = "1 minute",
    initial: DataFrame | None = None,
    first: type | None = None,
    folder: str = "",
) -> list[list[Row]]:
    """Run a learner's stateful processor on a stream, with a state for each ``truck_id``; return the rows of each run.

    :param answer: the class; ``schema``: of the rows that it gives; ``reports``: of those that it gets.
    :param runs: as in :func:`rows_of_stream`; ``folder``, too: by default a temporary one.
    :param late: with the mode "EventTime", how far the watermark stays behind the newest ``ms``, a column of reports.
    :param initial: the initial state, with a column ``truck_id``; ``first``: a class that does the first run instead.
    :raises NotAttempted: its ``handleInputRows`` is still to be written.
    :raises Wrong: it is no such class, or cannot be run.
    """
    from pyspark.sql.streaming.stateful_processor import StatefulProcessor

    if not (isinstance(answer, type) and issubclass(answer, StatefulProcessor)):
        raise Wrong(f"Your answer should be a class that is a StatefulProcessor, and this is {kind_of(answer)}.")
    if is_blank(answer.handleInputRows):
        raise NotAttempted("Write what `handleInputRows` does.")

    from pyspark.sql import functions as sf

    def build(stream: DataFrame) -> DataFrame:
        if mode == "EventTime":
            stream = stream.withColumn("time", sf.timestamp_millis("ms")).withWatermark("time", late)
        known = initial.groupBy("truck_id") if initial is not None else None
        return stream.groupBy("truck_id").transformWithState(classes.pop(0)(), schema, "Append", mode, known)

    classes = [answer if first is None else first, *[answer] * (len(runs) - 1)]

    with tempfile.TemporaryDirectory(prefix="kafkalab-check-") as scratch:
        found = rows_of_stream(active_session(), lambda s: answer_frame(build, s), runs, reports, folder or scratch)
    return [[row for rows in run for row in rows] for run in found]


def same_rows(
    found: Sequence[Sequence[tuple[Any, ...]]], wanted: Sequence[set[Any]], stories: Mapping[str, str]
) -> None:
    """Compare the rows that each run gave with those that it should give, key by key.

    :param wanted: for each run, its rows as tuples, the key first. :param stories: key → what it does: "enters at 10".
    :raises Wrong: a row is too much, missing, or there twice; it tells the story of its key.
    """
    for run, (rows, right) in enumerate(zip(found, wanted, strict=True)):
        times = Counter(tuple(row) for row in rows)
        when = "After a restart, your" if run else "Your"
        if strange := [row[0] for row in times if row[0] not in stories]:
            raise Wrong(f"Your code gives a row for {strange[0]!r}, and no truck of this name has reported.")
        for key, story in stories.items():
            own = {row for row in times if row[0] == key}
            if extra := sorted(own - right, key=str):
                raise Wrong(f"Truck {key} {story}. {when} code gives {extra[0]}, which is too much.")
            if twice := [row for row in own if times[row] > 1]:
                raise Wrong(f"Truck {key} {story}. {when} code gives {twice[0]} {times[twice[0]]} times.")
            if missing := sorted((row for row in right - own if row[0] == key), key=str):
                raise Wrong(f"Truck {key} {story}. {when} code doesn't give {missing[0]}.")


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
    """Return the line of an error that says most: what raised in a Python worker, or else Spark's first line."""
    text = str(error).strip()
    if raised := _IN_WORKER.findall(text):
        return f"Python raised {raised[-1][:300]}"
    said = text.splitlines()
    return (said[0] if said else type(error).__name__)[:300]
