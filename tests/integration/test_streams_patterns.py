"""Silences: a stream that is started again gives what a table gives, and both what Python says."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from kafkalab.exercises.frames import rows_of_stream
from kafkalab.sources.fleet import START
from kafkalab.streams.patterns import silences

#: truck, minute, km/h
Report = tuple[str, float, float]
SCHEMA = "truck_id string, ms long, speed_kmh double"

pytestmark = [pytest.mark.deep, pytest.mark.usefixtures("rocksdb")]


def parsed(rows: DataFrame) -> DataFrame:
    place = {name: sf.lit(1.0) for name in ("latitude", "longitude")}
    return rows.withColumns({"time": sf.timestamp_millis("ms"), "record_id": sf.lit("r"), **place}).drop("ms")


def ms(minute: float) -> int:
    return START + round(minute * 60_000)


def minutes(rows: list[Any]) -> list[tuple[Any, ...]]:
    """Rows with their times in minutes."""
    return sorted(
        tuple(round(v.timestamp() / 60 - START / 60_000, 3) if hasattr(v, "timestamp") else v for v in row)
        for row in rows
    )


def table(spark: SparkSession, reports: list[Report]) -> DataFrame:
    return parsed(spark.createDataFrame([(truck, ms(at), speed) for truck, at, speed in reports], SCHEMA))


def streamed(
    spark: SparkSession, job: Callable[[DataFrame], DataFrame], batches: list[list[Report]], folder: Path
) -> list[Any]:
    """Run the job on a stream of these batches, stopped and started again before the last; return its rows."""
    rows = [[(truck, ms(at), speed) for truck, at, speed in reports] for reports in batches]
    found = rows_of_stream(spark, lambda source: job(parsed(source)), [rows[:-1], rows[-1:]], SCHEMA, str(folder))
    return [row for run in found for batch in run for row in batch]


def day(late: float = 0.9) -> tuple[list[Report], list[list[Report]]]:
    """Two hours of eight trucks with gaps, some of exactly ten minutes; in batches, each report a little late."""
    chance = random.Random(11)
    reports = []
    for number in range(8):
        at = chance.random()
        while at < 120:
            reports.append((f"T{number}", round(at, 3), float(chance.choice([0, 0, 60, 70, 80]))))
            at += chance.choice([1, 1, 1, 2, 4, 6, 9, 10, 11, 12, 30])
    came = sorted(reports, key=lambda report: report[1] + late * chance.random())
    third = len(came) // 3
    return reports, [came[:third], came[third : 2 * third], came[2 * third :]]


def by_truck(reports: list[Report]) -> dict[str, list[float]]:
    return {truck: sorted(at for one, at, _ in reports if one == truck) for truck in {report[0] for report in reports}}


def test_silences(spark: SparkSession, tmp_path: Path) -> None:
    reports, batches = day()
    end = max(at for _, at, _ in reports) - 1
    wanted = sorted(
        (truck, at)
        for truck, times in by_truck(reports).items()
        for at, following in zip(times, [*times[1:], 1e9], strict=True)
        if following - at > 10.0001 and at + 10 <= end
    )
    assert len(wanted) > 20
    assert minutes(silences(table(spark, reports)).collect()) == wanted
    assert minutes(streamed(spark, silences, batches, tmp_path)) == wanted
