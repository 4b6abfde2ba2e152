"""Where streams end: a table in SQLite, one in memory, a topic; and a checkpoint that is kept."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from kafkalab import Cluster
from kafkalab.errors import BadInput
from kafkalab.streams import run, sinks
from kafkalab.streams.jvm import StreamFailed
from tests.support.records import read

pytestmark = pytest.mark.deep


class Files:
    """A stream of rows (truck_id, time, km): each call of ``put`` is a micro-batch to come."""

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        self.spark, self.folder, self.count = spark, folder / "in", 0
        self.folder.mkdir()

    def put(self, *rows: tuple[str, int, float]) -> None:
        lines = "\n".join(json.dumps({"truck_id": truck, "at": at, "km": km}) for truck, at, km in rows)
        made = self.folder.parent / "made"
        made.write_text(lines, encoding="utf-8")
        # Spark reads the oldest file first, and these are written within a millisecond: give each its own time.
        self.count += 1
        os.utime(made, (self.count, self.count))
        made.rename(self.folder / f"{self.count}.json")

    def frame(self) -> DataFrame:
        source = self.spark.readStream.schema("truck_id string, at long, km double").option("maxFilesPerTrigger", 1)
        return source.json(str(self.folder)).select("truck_id", sf.timestamp_millis("at").alias("time"), "km")


@pytest.fixture
def files(spark: SparkSession, tmp_path: Path) -> Files:
    return Files(spark, tmp_path)


def rows_of(path: Path, table: str) -> list[Any]:
    with closing(sqlite3.connect(path)) as database:
        return database.execute(f"select * from {table} order by 1").fetchall()


def test_an_upsert_keeps_the_newest_also_when_a_batch_comes_twice(files: Files, tmp_path: Path) -> None:
    path = tmp_path / "fleet.db"
    files.put(("a", 2000, 2.0), ("b", 1000, 1.0), ("a", 1000, 1.0))
    settings: dict[str, Any] = {"newest": "time", "once": True, "checkpoint": tmp_path / "c"}
    sinks.to_sqlite(files.frame(), path, "trucks", **settings).wait()
    assert rows_of(path, "trucks") == [("a", "1970-01-01T00:00:02.000Z", 2.0), ("b", "1970-01-01T00:00:01.000Z", 1.0)]
    files.put(("a", 500, 9.0), ("b", 3000, 3.0))
    sinks.to_sqlite(files.frame(), path, "trucks", **settings).wait()
    there = [("a", "1970-01-01T00:00:02.000Z", 2.0), ("b", "1970-01-01T00:00:03.000Z", 3.0)]
    assert rows_of(path, "trucks") == there
    # Spark died before it noted that the last batch was through: it comes again.
    for file in (tmp_path / "c" / "commits").glob("*1*"):
        file.unlink()
    again = sinks.to_sqlite(files.frame(), path, "trucks", **settings).wait()
    assert [one["numInputRows"] for one in again.recent() if one["numInputRows"]] == [2]
    assert rows_of(path, "trucks") == there


def test_without_a_newest_the_last_to_come_stays(files: Files, tmp_path: Path) -> None:
    path = tmp_path / "fleet.db"
    files.put(("a", 2000, 2.0))
    files.put(("a", 1000, 1.0))
    frame = files.frame().select("truck_id", "km")
    sinks.to_sqlite(frame, path, "trucks", once=True).wait()
    assert rows_of(path, "trucks") == [("a", 1.0)]
    only_keys = frame.select("truck_id")
    sinks.to_sqlite(only_keys, path, "seen", once=True).wait()
    assert rows_of(path, "seen") == [("a",)]


def test_what_a_table_cannot_hold(files: Files, tmp_path: Path) -> None:
    frame, path = files.frame(), tmp_path / "fleet.db"
    for table, change, how, word in [
        ("trucks; drop", frame, {}, "no name"),
        ("trucks", frame.withColumnRenamed("km", "k m"), {}, "no name"),
        ("trucks", frame, {"key": ["truck"]}, "cannot hold"),
        ("trucks", frame, {"key": []}, "cannot hold"),
        ("trucks", frame, {"newest": "when"}, "cannot hold"),
        ("trucks", frame.withColumn("km", sf.array("km")), {}, "cannot hold"),
    ]:
        with pytest.raises(BadInput, match=word):
            sinks.to_sqlite(change, path, table, **how)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="no name"):
        sinks.to_memory(frame, "the fleet")
    assert not path.exists()


def test_a_table_in_memory(files: Files, spark: SparkSession) -> None:
    files.put(("a", 1000, 1.0), ("a", 2000, 2.0))
    totals = files.frame().groupBy("truck_id").agg(sf.sum("km").alias("km"))
    with sinks.to_memory(totals, "totals", mode="complete", every=0) as shown:
        shown.catch_up()
        assert [tuple(row) for row in spark.table("totals").collect()] == [("a", 3.0)]


def test_rows_on_a_topic(files: Files, one_cluster: Cluster, new_topic: Callable[[str], str]) -> None:
    topic = new_topic("news")
    one_cluster.create_topic(topic, partitions=2, replication=3)
    files.put(("a", 1000, 1.0), ("b", 2000, 2.5))
    sinks.to_topic(files.frame(), one_cluster.bootstrap_servers, topic, key="truck_id", once=True).wait()
    assert {record.key: json.loads(record.value) for record in read(one_cluster, topic)} == {
        b"a": {"truck_id": "a", "time": "1970-01-01T00:00:01.000Z", "km": 1.0},
        b"b": {"truck_id": "b", "time": "1970-01-01T00:00:02.000Z", "km": 2.5},
    }


def test_a_kept_checkpoint(files: Files, home: Path) -> None:
    counts: list[int] = []

    def count(rows: list[Any], number: int) -> None:
        counts.append(len(rows))

    def once() -> None:
        sinks.each_batch(files.frame(), count, "kept", keep=True, once=True).wait().stop()

    files.put(("a", 1000, 1.0))
    once()
    once()
    files.put(("a", 2000, 1.0), ("b", 2000, 1.0))
    once()
    assert [one for one in counts if one] == [1, 2]
    assert run.checkpoint_of("kept").is_relative_to(home)
    run.forget("kept")
    run.forget("kept")
    assert not run.checkpoint_of("kept").exists()
    once()
    assert [one for one in counts if one] == [1, 2, 1, 2]
    run.forget("kept")
    for name in ("../up", "", ".hidden", "a/b", "ä"):
        with pytest.raises(BadInput, match="cannot keep"):
            run.checkpoint_of(name)
    with pytest.raises(StreamFailed):
        sinks.each_batch(files.frame().groupBy("truck_id").count(), count, "refused", keep=True)
    run.forget("refused")
