"""Sinks: the ends of a stream. A map, a ledger, a topic of dead letters, or a function of your own."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from pyspark.sql import functions as sf

from kafkalab.streams.run import Run, start

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row

OutputMode = Literal["append", "update", "complete"]


class Map(Protocol):
    """A map that shows positions of trucks; :class:`kafkalab.views.map.view.TruckMap` is one."""

    def update(
        self,
        truck_ids: Sequence[str],
        latitude: Any,
        longitude: Any,
        partition: Any,
        *,
        speed: Any = None,
        heading: Any = None,
    ) -> object:
        """Draw trucks at these degrees, coloured by partition; speed in km/h, heading in degrees from north."""


class SeenBy(Protocol):
    """An account that counts records by id; :class:`kafkalab.experiments.ledger.Ledger` is one."""

    def seen_many(self, record_ids: Iterable[str], positions: Iterable[Hashable]) -> None:
        """Count these records as seen, at these positions."""


def each_batch(
    frame: DataFrame,
    rows: Callable[[list[Row], int], object],
    name: str,
    *,
    mode: OutputMode = "append",
    every: float = 1.0,
    once: bool = False,
    checkpoint: str | Path | None = None,
) -> Run:
    """Call ``rows(list of rows, batch number)`` for every micro-batch, here in the driver.

    A batch that was under way when a run ended may come again in the next one, with the same number: at least once.
    An error of the function ends the stream. All rows of a batch are held in memory, so use this to show and to count,
    not for large data.
    """

    def work(batch: DataFrame, number: int) -> None:
        rows(batch.collect(), number)

    writer = frame.writeStream.foreachBatch(work).outputMode(mode)
    return start(writer, name, every=every, once=once, checkpoint=checkpoint)


def to_map(positions: DataFrame, truck_map: Map, name: str = "map", *, every: float = 1.0, **more: Any) -> Run:
    """Draw the rows of :func:`~kafkalab.streams.jobs.latest_position` on a map, as they change.

    :param more: ``once`` and ``checkpoint``, as in :func:`each_batch`.
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

    return each_batch(positions, draw, name, mode="update", every=every, **more)


def to_ledger(good: DataFrame, ledger: SeenBy, name: str = "ledger", *, every: float = 1.0, **more: Any) -> Run:
    """Count good records in a ledger, by record id and by their (partition, offset).

    :param more: ``once`` and ``checkpoint``, as in :func:`each_batch`.
    """

    def count(rows: list[Row], number: int) -> None:
        ledger.seen_many([row.record_id for row in rows], [(row.partition, row.offset) for row in rows])

    return each_batch(good.select("record_id", "partition", "offset"), count, name, every=every, **more)


def dead_letters(
    bad: DataFrame,
    bootstrap_servers: str,
    topic: str = "trucks_gps.bad",
    name: str = "dead letters",
    *,
    every: float = 1.0,
    once: bool = False,
    checkpoint: str | Path | None = None,
) -> Run:
    """Write the rows of :func:`~kafkalab.streams.jobs.bad_records` to a topic: key and value unchanged.

    The headers give the ``reason`` and the record's place: ``topic``, ``partition``, ``offset``, as text. Spark writes
    to Kafka at least once: after a failure a letter may be there twice, which those three headers show.
    """

    def header(column: str) -> Any:
        return sf.struct(sf.lit(column).alias("key"), sf.col(column).cast("string").cast("binary").alias("value"))

    headers = sf.array(*(header(column) for column in ("reason", "topic", "partition", "offset")))
    letters = bad.select(sf.col("key").cast("binary").alias("key"), "value", headers.alias("headers"))
    writer = letters.writeStream.format("kafka").option("kafka.bootstrap.servers", bootstrap_servers)
    return start(writer.option("topic", topic), name, every=every, once=once, checkpoint=checkpoint)
