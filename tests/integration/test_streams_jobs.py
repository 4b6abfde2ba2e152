"""The jobs on tables: what each makes of good, malformed, late and duplicate records, against plain Python."""

from __future__ import annotations

import json
import random
import tomllib
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from kafkalab.streams import jobs
from kafkalab.streams.jobs import RANGES, TRUCK

NOON = 1_790_000_000_000

GOOD: dict[str, Any] = {
    "record_id": "T0001-000001", "truck_id": "T0001", "time": NOON,
    "latitude": 48.2, "longitude": 16.4, "speed_kmh": 72.5, "heading_deg": 90.0,
}  # fmt: skip

FACTS = tomllib.loads((Path(__file__).resolve().parents[2] / "labs" / "facts.toml").read_text(encoding="utf-8"))["fact"]

Table = Callable[[Iterable[bytes | None]], DataFrame]


def test_spark_says_what_lessons_say(spark: SparkSession) -> None:
    facts = [one for one in FACTS if one["where"] == "spark"]
    assert facts and [one for one in facts if spark.conf.get(one["name"]) != one["value"]] == []


@pytest.fixture(scope="module")
def table(spark: SparkSession) -> Table:
    """Values → what Spark's Kafka source would give for them, all in partition 3, from offset 100."""

    def make(values: Iterable[bytes | None]) -> DataFrame:
        now = datetime(2026, 11, 21, tzinfo=UTC)
        rows = [
            (b"T0001", None if v is None else bytearray(v), "trucks_gps", 3, 100 + n, now) for n, v in enumerate(values)
        ]
        schema = "key binary, value binary, topic string, partition int, offset long, timestamp timestamp"
        return spark.createDataFrame(rows, schema)

    return make


def report(**changes: Any) -> bytes:
    """A good record with some fields changed; a field set to ``...`` is left out."""
    return json.dumps({k: v for k, v in (GOOD | changes).items() if v is not ...}).encode()


BAD = {
    None: "there is no value",
    b"\xff\xfe" + report(): "the value is not UTF-8 text",
    report()[:-9]: "the value is not JSON",
    report().replace(b"48.2", b"NaN"): "the value is not JSON",
    b"[" + report() + b"]": "the value is not a JSON object",
    b"{}": "record_id is missing",
    report(latitude=None): "latitude is missing",
    report(latitude=True): "latitude is not a number",
    report(latitude=90.001): "latitude is outside -90 to 90",
    report(longitude=-200): "longitude is outside -180 to 180",
    report(heading_deg=361): "heading_deg is outside 0 to 360",
    report(time=NOON + 0.5): "time is not a whole number",
    report(time=9_000_000_000_000_000_000): "time is out of range",
    report(record_id=" "): "record_id is empty",
    report(truck_id={"id": 1}): "truck_id is not text",
    report(latitude=..., longitude="x"): "latitude is missing",
}


def test_bad_records_and_good_ones(table: Table) -> None:
    good = [report(), report(latitude=-90, heading_deg=360, driver={"name": "Ada"})]
    parsed = jobs.parse(table([*BAD, *good]))
    bad = jobs.bad_records(parsed).orderBy("offset").collect()
    assert [(None if row.value is None else bytes(row.value), row.reason) for row in bad] == list(BAD.items())
    assert {(row.key, row.partition) for row in bad} == {("T0001", 3)}
    assert [row.offset for row in bad] == list(range(100, 100 + len(BAD)))
    first, second = jobs.good_records(parsed).orderBy("offset").collect()
    assert {name: first[name] for name in GOOD if name != "time"} == {k: v for k, v in GOOD.items() if k != "time"}
    assert first.time.astimezone(UTC) == datetime.fromtimestamp(NOON / 1000, UTC)
    assert (first.partition, first.offset, first.key) == (3, 100 + len(BAD), "T0001")
    assert (second.latitude, second.heading_deg) == (-90.0, 360.0)


def oracle(value: bytes) -> bool:
    """Whether a value is a truck's report, by Python's JSON and nothing of Spark's."""

    def refuse(name: str) -> Any:
        raise ValueError(name)

    try:
        record = json.loads(value.decode(), parse_constant=refuse)
    except ValueError:
        return False
    if not isinstance(record, dict):
        return False
    for field in TRUCK:
        seen = record.get(field.name)
        if field.name in RANGES:
            kinds = (int,) if field.name == "time" else (int, float)
            low, high = RANGES[field.name]
            if type(seen) not in kinds or not low <= seen <= high:
                return False
        elif not isinstance(seen, str) or not seen.strip():
            return False
    return True


def test_python_agrees_on_a_thousand_damaged_ones(table: Table) -> None:
    chance = random.Random(21)
    values = []
    for _ in range(1000):
        damaged = bytearray(report(latitude=round(chance.uniform(-100, 100), 4)))
        for _ in range(chance.randrange(3)):
            at = chance.randrange(len(damaged))
            if chance.random() < 0.5:
                del damaged[at]
            else:
                damaged[at] = chance.choice(b'0123456789{}[]",:.-eE truefalsn')
        values.append(bytes(damaged))
    rows = jobs.parse(table(values)).orderBy("offset").collect()
    expected = [oracle(value) for value in values]
    assert 200 < sum(expected) < 900, "the damage leaves something to tell apart"
    differ = [(v, row.reason) for v, row, good in zip(values, rows, expected, strict=True) if good != (not row.reason)]
    assert differ == []


def test_late_ones_and_duplicates(table: Table) -> None:
    values = [
        report(record_id="a1", time=NOON, latitude=1.0),
        report(record_id="a3", time=NOON + 40_000, latitude=3.0),
        report(record_id="a2", time=NOON + 20_000, latitude=99.0),  # bad, and late
        report(record_id="a2", time=NOON + 20_000, latitude=2.0),  # late
        report(record_id="b1", truck_id="T0002", time=NOON, latitude=7.0),
        report(record_id="b2", truck_id="T0002", time=NOON, latitude=8.0),  # the same time, later in the log
        b"garbage",
        report(record_id="a1", time=NOON, latitude=1.0),
    ]
    parsed = jobs.parse(table(values)).cache()
    rows = jobs.latest_position(parsed).orderBy("truck_id").collect()
    assert [(r.truck_id, r.record_id, r.latitude, r.offset) for r in rows] == [
        ("T0001", "a3", 3.0, 101),
        ("T0002", "b2", 8.0, 105),
    ]
    assert sorted(row.record_id for row in jobs.without_duplicates(parsed).collect()) == ["a1", "a2", "a3", "b1", "b2"]
