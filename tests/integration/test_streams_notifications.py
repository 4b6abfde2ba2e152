"""Notifications on tables and on streams: who enters and leaves which geofence, against plain Python."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from kafkalab.exercises.frames import rows_of_stream
from kafkalab.sources.fleet import START, Fleet
from kafkalab.sources.report import Report
from kafkalab.streams.notifications import GEOFENCE, NOTIFICATION, entries_and_exits, to_records
from tests.integration.test_streams_windows import on_earth

#: Two depots, and a town that one of them overlaps.
FENCES = [("Lille", 50.63, 3.06, 15.0), ("Köln", 50.94, 6.96, 15.0), ("Roubaix", 50.69, 3.17, 12.0)]
#: truck, second, latitude, longitude
Place = tuple[str, int, float, float]
SCHEMA = "truck_id string, ms long, latitude double, longitude double"

pytestmark = [pytest.mark.deep, pytest.mark.usefixtures("rocksdb")]


def reports(rows: DataFrame) -> DataFrame:
    return rows.select("truck_id", sf.timestamp_millis("ms").alias("time"), "latitude", "longitude")


def table(spark: SparkSession, places: list[Place]) -> DataFrame:
    return reports(spark.createDataFrame([(t, START + 1000 * s, a, o) for t, s, a, o in places], SCHEMA))


def streamed(spark: SparkSession, batches: list[list[Place]], folder: Path) -> list[Any]:
    """The notifications of a stream that gets these batches, and is started again before the last."""
    fences = spark.createDataFrame(FENCES, GEOFENCE)
    rows = [[(truck, START + 1000 * s, a, o) for truck, s, a, o in places] for places in batches]
    runs = [rows[:-1], rows[-1:]]
    found = rows_of_stream(spark, lambda s: entries_and_exits(reports(s), fences), runs, SCHEMA, str(folder))
    return [row for run in found for batch in run for row in batch]


def inside(latitude: float, longitude: float) -> set[str]:
    def at(latitude: float, longitude: float) -> Report:
        return Report("", "", 0, latitude, longitude, 0, 0)

    return {name for name, lat, lon, km in FENCES if on_earth(at(latitude, longitude), at(lat, lon)) <= km}


def expected(places: list[Place]) -> list[tuple[str, str, str, int]]:
    was: dict[str, set[str]] = {}
    found = []
    for truck, second, latitude, longitude in sorted(places, key=lambda place: place[1]):
        now, before = inside(latitude, longitude), was.get(truck, set())
        found += [(truck, "leave", name, second) for name in before - now]
        found += [(truck, "enter", name, second) for name in now - before]
        was[truck] = now
    return sorted(found)


def said(rows: list[Any]) -> list[tuple[str, str, str, int]]:
    """The notifications as :func:`expected` has them; each id says the same."""
    found = []
    for row in rows:
        truck, what, fence, ms = row.notification_id.split("/")
        assert (truck, what, fence, int(ms)) == (row.truck_id, row.what, row.fence, round(row.time.timestamp() * 1000))
        found.append((truck, what, fence, (int(ms) - START) // 1000))
    return sorted(found)


def test_a_table_and_a_stream_say_what_python_says(spark: SparkSession, tmp_path: Path) -> None:
    moves = [(r.truck_id, (r.time - START) // 1000, r.latitude, r.longitude)
             for r in Fleet(trucks=90, period=60).reports(0, 4000)]  # fmt: skip
    moves += [("T9000", 10 * n, 50.40 + n / 100, 3.10) for n in range(60)]  # straight through two that overlap
    wanted = expected(moves)
    assert len(wanted) > 10 and {fence for truck, _, fence, _ in wanted if truck == "T9000"} == {"Lille", "Roubaix"}
    made = entries_and_exits(table(spark, moves[::-1]), spark.createDataFrame(FENCES, GEOFENCE))
    assert [(f.name, f.dataType) for f in made.schema] == [(f.name, f.dataType) for f in NOTIFICATION]
    assert said(made.collect()) == wanted
    batches = [[place for place in moves if low <= place[1] < low + 1350] for low in (0, 1350, 2700)]
    assert said(streamed(spark, [batch[::-1] for batch in batches], tmp_path)) == wanted


def test_a_late_report_and_a_copy_change_nothing(spark: SparkSession, tmp_path: Path) -> None:
    depot, away = FENCES[1][1:3], (48.0, 10.0)
    batches: list[list[Place]] = [
        [("T1", 0, *away), ("T1", 40, *away), ("T1", 20, *depot)],
        [("T1", 30, *depot), ("T1", 40, *away)],
        [("T1", 35, *depot), ("T1", 60, *away)],
    ]
    assert said(streamed(spark, batches, tmp_path)) == [("T1", "enter", "Köln", 20), ("T1", "leave", "Köln", 40)]


def test_bad_rows_are_left_out_and_records_have_key_and_json(spark: SparkSession) -> None:
    rows = table(spark, [("T1", 0, *FENCES[1][1:3]), ("T2", 0, *FENCES[1][1:3])])
    judged = rows.withColumn("reason", sf.expr("case when truck_id = 'T2' then 'bad' end"))
    (record,) = to_records(entries_and_exits(judged, spark.createDataFrame(FENCES, GEOFENCE))).collect()
    assert record.key == "T1"
    said = json.loads(record.value)
    assert said["notification_id"] == f"T1/enter/Köln/{START}" and sorted(said) == sorted(NOTIFICATION.names)
