"""How far and how fast by window, on tables: against plain Python, in any order of arrival, with copies."""

from __future__ import annotations

import json
import math
import random
from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from kafkalab.sources.fleet import START, Fleet
from kafkalab.sources.report import Report
from kafkalab.streams import jobs

MINUTES = 5

pytestmark = pytest.mark.deep


def raw(spark: SparkSession, values: Sequence[bytes | None]) -> DataFrame:
    """The values as Spark's Kafka source would give them."""
    now = datetime.now(UTC)
    rows = [(None, None if v is None else bytearray(v), "trucks_gps", 0, n, now) for n, v in enumerate(values)]
    schema = "key binary, value binary, topic string, partition int, offset long, timestamp timestamp"
    return spark.createDataFrame(rows, schema)


def parsed(spark: SparkSession, values: list[bytes]) -> DataFrame:
    return jobs.parse(raw(spark, values))


def on_earth(one: Report, other: Report) -> float:
    """Kilometres between two reports by the spherical law of cosines in vectors; no haversine."""

    def vector(at: Report) -> tuple[float, float, float]:
        lat, lon = math.radians(at.latitude), math.radians(at.longitude)
        return math.cos(lat) * math.cos(lon), math.cos(lat) * math.sin(lon), math.sin(lat)

    return jobs.EARTH_KM * 2 * math.asin(math.dist(vector(one), vector(other)) / 2)


def expected(reports: list[Report]) -> dict[Any, tuple[int, float, float, float]]:
    windows = defaultdict(list)
    for one in {one.record_id: one for one in reports}.values():
        windows[one.truck_id, (one.time - START) // (60_000 * MINUTES)].append(one)
    found = {}
    for key, held in windows.items():
        held.sort(key=lambda one: one.time)
        km = sum(on_earth(a, b) for a, b in pairwise(held))
        speeds = [one.speed_kmh for one in held]
        found[key] = (len(held), km, sum(speeds) / len(held), max(speeds))
    return found


def test_every_window_is_what_python_makes_of_it_in_any_order_and_with_copies(spark: SparkSession) -> None:
    reports = list(Fleet(trucks=12, period=30).reports(0, 1300))
    edge = Report("edge", "T0000", START + MINUTES * 60_000, 48.0, 16.0, 99.0, 0.0)
    alone = Report("alone", "T9999", START, -90.0, 180.0, 0.0, 0.0)
    values = [one.value for one in [*reports, edge, alone]]
    mixed = [*values, *values[:40], b"no report", json.dumps({}).encode()]
    random.Random(23).shuffle(mixed)
    rows, again = (
        sorted(jobs.travelled(parsed(spark, given), f"{MINUTES} minutes").collect()) for given in (values, mixed)
    )
    assert rows == again, "to the last digit"
    found = {
        (row.truck_id, round(row.start.timestamp() * 1000 - START) // (60_000 * MINUTES)): (
            row.reports, row.km, row.mean_kmh, row.top_kmh,
        )
        for row in rows
    }  # fmt: skip
    wanted = expected([*reports, edge, alone])
    assert found.keys() == wanted.keys() and len(found) > 50
    for key, values_of_it in wanted.items():
        assert found[key] == pytest.approx(values_of_it, abs=1e-6), key
    assert found["T9999", 0] == (1, 0.0, 0.0, 0.0)
    assert {(row.end - row.start).total_seconds() for row in rows} == {60.0 * MINUTES}


def test_kilometres_fit_the_speed_and_the_far_side_of_the_earth_is_no_error(spark: SparkSession) -> None:
    far = [
        Report("a", "T1", START, 0.0, 0.0, 10.0, 0.0),
        Report("b", "T1", START + 1000, 0.0, 180.0, 20.0, 0.0),
    ]
    (row,) = jobs.travelled(parsed(spark, [one.value for one in far])).collect()
    assert row.km == pytest.approx(math.pi * jobs.EARTH_KM) and (row.mean_kmh, row.top_kmh) == (15.0, 20.0)
    driving = list(Fleet(trucks=40).reports(0, 600))
    for row in jobs.travelled(parsed(spark, [one.value for one in driving])).collect():
        hours = 20 * (row.reports - 1) / 3600
        assert row.km == pytest.approx(row.mean_kmh * hours, rel=0.08, abs=0.05), row
