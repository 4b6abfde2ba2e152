"""Joins on tables: each report with its depot, and when each order was reached, against plain Python."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from pyspark.sql import SparkSession

from kafkalab.course.lab_23b.desk import NEAR_KM, Order, Orders
from kafkalab.sources.fleet import START, Fleet
from kafkalab.sources.report import Report
from kafkalab.streams import jobs
from tests.integration.test_streams_windows import on_earth, raw

pytestmark = pytest.mark.deep

MINUTE = 60_000


def seconds(row: Any) -> float | None:
    """When the order of a row was reached, in seconds since the start."""
    return None if row.arrived is None else round(row.arrived.timestamp() - START / 1000, 3)


def test_each_report_has_its_depot_or_null(spark: SparkSession) -> None:
    reports = list(Fleet(trucks=6).reports(0, 60))
    depots = spark.createDataFrame(
        [(f"T{n:04}", f"depot {n}", 1) for n in range(2, 9)], "truck_id string, depot string, more int"
    )
    parsed = jobs.parse(raw(spark, [*(one.value for one in reports), b"no report"]))
    rows = jobs.with_depot(parsed, depots).select("record_id", "truck_id", "depot").collect()
    wanted = {
        (r.record_id, r.truck_id, f"depot {int(r.truck_id[1:])}" if r.truck_id > "T0001" else None) for r in reports
    }
    assert len(rows) == len(reports) and set(map(tuple, rows)) == wanted


def test_orders_that_are_none_are_dropped_and_end_no_query(spark: SparkSession) -> None:
    good = Order("o1", "T1", START, 48.0, 16.0, 2.0)
    said = json.loads(good.value)
    bad = [
        None, b"[]", b"null", good.value[:-5], good.value + b"x", b"\xff" + good.value,
        *(json.dumps({k: v for k, v in said.items() if k != name}).encode() for name in said),
        *(
            json.dumps(said | change).encode()
            for change in ({"time": 9 * 10**18}, {"time": -1}, {"latitude": 91}, {"km": -1}, {"km": 1e9}, {"km": "far"})
        ),
        good.value.replace(b'"km": 2.0', b'"km": NaN'),
        good.value.replace(b'"km": 2.0', b'"km": 1e999'),
    ]  # fmt: skip
    orders = jobs.parse_orders(raw(spark, [*bad, good.value])).where("time > '1990-01-01'")
    (row,) = orders.collect()
    assert (row.order_id, row.truck_id, row.time.timestamp() * 1000, row.latitude, row.longitude, row.km) == (
        "o1", "T1", START, 48.0, 16.0, 2.0,
    )  # fmt: skip


@pytest.mark.parametrize("minutes", [10, 4])
def test_every_order_is_reached_when_python_says_so_with_copies_and_in_any_order(
    spark: SparkSession, minutes: int
) -> None:
    fleet = Fleet(trucks=20)
    reports, orders = list(fleet.reports(0, 2400)), list(Orders(fleet).between(0, 1800))
    sent: list[Any] = [*reports, *reports[:50]], [*orders, *orders[:9]]
    for things in sent:
        random.Random(23).shuffle(things)
    parsed = jobs.parse(raw(spark, [one.value for one in sent[0]]))
    of_trucks = jobs.parse_orders(raw(spark, [one.value for one in sent[1]]))
    rows = jobs.reached(parsed, of_trucks, f"{minutes} minutes").collect()
    found = {row.order_id: seconds(row) for row in rows}
    wanted = {}
    for order in orders:
        place = Report("", "", 0, order.latitude, order.longitude, 0, 0)
        times = [
            r.time - START
            for r in reports
            if r.truck_id == order.truck_id
            and order.time <= r.time <= order.time + minutes * MINUTE
            and on_earth(r, place) <= order.km
        ]
        wanted[order.order_id] = min(times) / 1000 if times else None
    assert found == wanted and len(rows) == len(orders)
    assert 0 < list(wanted.values()).count(None) < len(wanted)


def test_both_ends_of_the_time_count(spark: SparkSession) -> None:
    orders = [Order(f"o{n}", f"T{n}", START, 48.0, 16.0, NEAR_KM) for n in range(5)]
    at = {0: 0, 1: 10 * MINUTE, 2: -1, 3: 10 * MINUTE + 1}
    reports = [Report(f"r{n}", f"T{n}", START + ms, 48.0, 16.0, 0, 0) for n, ms in at.items()]
    parsed = jobs.parse(raw(spark, [one.value for one in reports]))
    rows = jobs.reached(parsed, jobs.parse_orders(raw(spark, [one.value for one in orders]))).collect()
    found = {row.order_id: seconds(row) for row in rows}
    assert found == {"o0": 0.0, "o1": 600.0, "o2": None, "o3": None, "o4": None}
