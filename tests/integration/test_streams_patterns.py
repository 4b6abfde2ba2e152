"""Silences, drives and drivers: a stream that is started again gives what a table gives, and both what Python says."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from kafkalab.sources.fleet import START
from kafkalab.streams.patterns import MOST_SHIFTS, drives, silences, with_driver

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
    source = spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1).json(f"{folder}/*.json")
    found: list[Any] = []
    for number, reports in enumerate(batches):
        rows = [{"truck_id": truck, "ms": ms(at), "speed_kmh": speed} for truck, at, speed in reports]
        file = folder / f"{number}.json"
        file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        os.utime(file, (60 * number, 60 * number))
        if number < len(batches) - 2:
            continue
        writer = job(parsed(source)).writeStream.trigger(availableNow=True)
        writer = writer.foreachBatch(lambda batch, _: found.extend(batch.collect()))
        query = writer.option("checkpointLocation", f"{folder}/checkpoint").start()
        assert query.awaitTermination(120)
    return found


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


def test_drives(spark: SparkSession, tmp_path: Path) -> None:
    reports, batches = day()
    wanted, end = [], max(at for _, at, _ in reports) - 1
    for truck, times in by_truck([report for report in reports if report[2]]).items():
        drive = [times[0]]
        for at in [*times[1:], 1e9]:
            if at - drive[-1] >= 5:
                wanted.append((truck, drive[0], drive[-1], len(drive)))
                drive = []
            drive.append(at)
    assert len(wanted) > 20 and any(count > 2 for *_, count in wanted)
    assert minutes(drives(table(spark, reports)).collect()) == sorted(wanted)
    given = minutes(streamed(spark, drives, batches, tmp_path))
    assert set(given) <= set(wanted) and len(set(given)) == len(given)
    assert {drive for drive in wanted if drive[2] + 5 <= end - 2} <= set(given)


def test_each_report_has_the_driver_of_its_time(spark: SparkSession, tmp_path: Path) -> None:
    shifts = [("A", "Mara", 0.0), ("A", "Tom", 30.0), ("A", "Mara", 60.0), ("B", "Ivo", 20.0)]
    rows = [(truck, driver, ms(at)) for truck, driver, at in shifts]
    known = spark.createDataFrame(rows, "truck_id string, driver string, ms long")
    known = known.select("truck_id", "driver", sf.timestamp_millis("ms").alias("since"))
    wanted = [("A", 10.0, "Mara"), ("A", 29.0, "Mara"), ("A", 30.0, "Tom"), ("A", 90.0, "Mara")]
    wanted += [("B", 10.0, None), ("B", 20.0, "Ivo"), ("C", 5.0, None)]  # type: ignore[list-item]
    reports = [(truck, at, 50.0) for truck, at, _ in wanted]

    def job(frame: DataFrame) -> DataFrame:
        return with_driver(frame, known).select("truck_id", "time", "driver")

    def in_order(rows: list[Any]) -> list[Any]:
        return sorted(minutes([(truck, time, driver or "") for truck, time, driver in rows]))

    told = sorted((truck, at, driver or "") for truck, at, driver in wanted)
    assert in_order(job(table(spark, reports)).collect()) == told
    batches = [reports[2:4], reports[:2], reports[4:]]  # late ones come after the change
    assert in_order(streamed(spark, job, batches, tmp_path)) == told


def test_it_remembers_so_many_shifts(spark: SparkSession) -> None:
    rows = [("A", f"driver {n}", ms(n)) for n in range(MOST_SHIFTS + 1)]
    shifts = spark.createDataFrame(rows, "truck_id string, driver string, ms long")
    shifts = shifts.select("truck_id", "driver", sf.timestamp_millis("ms").alias("since"))
    found = with_driver(table(spark, [("A", 0.5, 1.0), ("A", 1.5, 1.0)]), shifts).orderBy("time").collect()
    assert [row.driver for row in found] == [None, "driver 1"]
