"""Sinks: the ends of a stream. A topic, a table in SQLite or in memory, a map, a ledger, or a function of your own."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pyspark.sql import functions as sf
from pyspark.sql.utils import is_remote

from kafkalab.errors import BadInput, NotSupported
from kafkalab.streams.run import Run, start

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row
    from pyspark.sql.streaming.readwriter import DataStreamWriter

OutputMode = Literal["append", "update", "complete"]


def each_batch(
    frame: DataFrame,
    rows: Callable[[list[Row], int], object],
    name: str,
    *,
    mode: OutputMode = "append",
    **more: Any,
) -> Run:
    """Call ``rows(list of rows, batch number)`` for every micro-batch, here in the driver.

    A batch that was under way when a run ended may come again in the next one, with the same number: at least once.
    An error of the function ends the stream. All rows of a batch are held in memory, so use this to show and to count,
    not for large data.

    :param more: ``every``, ``once``, ``checkpoint`` and ``keep``, as in :func:`kafkalab.streams.run.start`.
    :raises NotSupported: the session is a Spark Connect client, whose functions run in the server's process, not here.
    """
    if is_remote():
        raise NotSupported(
            f"The stream {name!r} calls a function in this process, and Spark Connect would call it in its server's.",
            do="Write to a topic with sinks.to_topic(…), and read that here; or use sinks.to_memory(…).",
        )

    def work(batch: DataFrame, number: int) -> None:
        rows(batch.collect(), number)

    writer = frame.writeStream.foreachBatch(work).outputMode(mode)
    return start(writer, name, **more)


def to_map(positions: DataFrame, truck_map: Any, name: str = "map", **more: Any) -> Run:
    """Draw the rows of :func:`~kafkalab.streams.jobs.latest_position` on a map, as they change.

    :param truck_map: a :class:`kafkalab.TruckMap`.
    :param more: as in :func:`each_batch`.
    """

    def draw(rows: list[Row], number: int) -> None:
        if rows:
            truck_map.update(
                [row.truck_id for row in rows],
                [row.latitude for row in rows],
                [row.longitude for row in rows],
                [row.partition for row in rows],
                speed=[row.speed_kmh for row in rows],
                heading=[row.heading_deg for row in rows],
            )

    return each_batch(positions, draw, name, mode="update", **more)


def to_ledger(good: DataFrame, ledger: Any, name: str = "ledger", **more: Any) -> Run:
    """Count good records in a :class:`kafkalab.Ledger`, by record id and by their (partition, offset).

    :param more: as in :func:`each_batch`.
    """

    def count(rows: list[Row], number: int) -> None:
        ledger.seen_many([row.record_id for row in rows], [(row.partition, row.offset) for row in rows])

    return each_batch(good.select("record_id", "partition", "offset"), count, name, **more)


def to_memory(frame: DataFrame, name: str, *, mode: OutputMode = "append", **more: Any) -> Run:
    """Keep the rows in the driver's memory, as a table that SQL can ask: ``spark.table(name)``; for small results.

    :param more: as in :func:`each_batch`. Spark keeps no checkpoint for it, except in mode "complete".
    :raises BadInput: the name is no name for a table.
    """
    _identifiers(name)
    return start(frame.writeStream.format("memory").outputMode(mode), name, **more)


#: SQLite's type for each of Spark's simple types; times become text in UTC, "2026-01-05T06:00:00.000Z".
_SQLITE = {"string": "text", "timestamp": "text", "double": "real", "float": "real", "binary": "blob"} | dict.fromkeys(
    ("boolean", "tinyint", "smallint", "int", "bigint"), "integer"
)


def to_sqlite(
    frame: DataFrame,
    path: str | Path,
    table: str,
    *,
    key: Sequence[str] = ("truck_id",),
    newest: str | None = None,
    name: str = "",
    mode: OutputMode = "update",
    **more: Any,
) -> Run:
    """Keep one row for each key in a table of an SQLite file: an upsert, one transaction a micro-batch.

    It is idempotent: a batch that comes again after a crash changes nothing, so what was delivered at least once is
    there once. The table is created with the frame's columns if it isn't there.

    :param path: the file; its folder must exist.
    :param key: the columns that name a row.
    :param newest: a row replaces only one that isn't newer by this column; None: the one that came last stays.
    :param name: the stream's name; by default the table's.
    :param more: as in :func:`each_batch`.
    :raises BadInput: a name is no name for a table or a column, a column is missing, or SQLite has no type for one.
    """
    kinds = dict(frame.dtypes)
    _identifiers(table, *kinds)
    missing = [column for column in (*key, newest) if column is not None and column not in kinds]
    odd = [column for column, kind in kinds.items() if kind not in _SQLITE]
    if not key or missing or odd:
        raise BadInput(
            f"The table {table!r} cannot hold these columns.",
            seen=", ".join(f"{column} {kind}" for column, kind in kinds.items()),
            do="Name the columns of the key in key=…, and turn structs, arrays and maps into columns or text first.",
        )
    columns = ", ".join(f"{column} {_SQLITE[kind]}" for column, kind in kinds.items())
    changes = ", ".join(f"{column} = excluded.{column}" for column in kinds if column not in key)
    when = f" where excluded.{newest} >= {table}.{newest}" if newest else ""
    create = f"create table if not exists {table} ({columns}, primary key ({', '.join(key)}))"
    upsert = (
        f"insert into {table} ({', '.join(kinds)}) values ({', '.join('?' * len(kinds))}) "
        f"on conflict ({', '.join(key)}) do " + (f"update set {changes}{when}" if changes else "nothing")
    )

    def write(rows: list[Row], number: int) -> None:
        with closing(sqlite3.connect(path)) as database, database:
            database.execute(create)
            database.executemany(upsert, rows)

    text = {c: sf.date_format(c, "yyyy-MM-dd'T'HH:mm:ss.SSSXXX") for c, kind in kinds.items() if kind == "timestamp"}
    return each_batch(frame.withColumns(text) if text else frame, write, name or table, mode=mode, **more)


def _identifiers(*names: str) -> None:
    odd = [name for name in names if not re.fullmatch(r"[A-Za-z_]\w{0,62}", name, re.ASCII)]
    if odd:
        raise BadInput(
            f"{odd[0]!r} is no name for a table or a column here.",
            do="Use letters, digits and underscores, and begin with a letter.",
        )


def to_topic(
    frame: DataFrame,
    bootstrap_servers: str,
    topic: str,
    name: str = "",
    *,
    key: str,
    mode: OutputMode = "append",
    **more: Any,
) -> Run:
    """Write each row to a topic: all its columns as a JSON object, with the column ``key`` as the record's key.

    Spark writes to Kafka at least once: after a failure a record may be there twice. So give each row an id that does
    not depend on the batch, and let the reader know a copy by it.

    :param name: the stream's name; by default the topic's.
    :param more: as in :func:`each_batch`.
    """
    records = frame.select(
        sf.col(key).cast("string").cast("binary").alias("key"),
        sf.to_json(sf.struct("*")).cast("binary").alias("value"),
    )
    return start(_records(records, bootstrap_servers, topic, mode), name or topic, **more)


def dead_letters(
    bad: DataFrame,
    bootstrap_servers: str,
    topic: str = "trucks_gps.bad",
    name: str = "dead letters",
    **more: Any,
) -> Run:
    """Write the rows of :func:`~kafkalab.streams.jobs.bad_records` to a topic: key and value unchanged.

    The headers give the ``reason`` and the record's place: ``topic``, ``partition``, ``offset``, as text. Spark writes
    to Kafka at least once: after a failure a letter may be there twice, which those three headers show.
    """

    def header(column: str) -> Any:
        return sf.struct(sf.lit(column).alias("key"), sf.col(column).cast("string").cast("binary").alias("value"))

    headers = sf.array(*(header(column) for column in ("reason", "topic", "partition", "offset")))
    letters = bad.select(sf.col("key").cast("binary").alias("key"), "value", headers.alias("headers"))
    return start(_records(letters, bootstrap_servers, topic, "append"), name, **more)


def _records(frame: DataFrame, bootstrap_servers: str, topic: str, mode: OutputMode) -> DataStreamWriter:
    """Return a writer of rows (key, value, headers) to a topic."""
    writer = frame.writeStream.format("kafka").outputMode(mode)
    return writer.option("kafka.bootstrap.servers", bootstrap_servers).option("topic", topic)
