"""Each job on a stream gives what it gives on a table of the same records, though the stream is stopped halfway and
started again from its checkpoint, and a broker is dead meanwhile."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from kafkalab import Cluster
from kafkalab.sources.fleet import Fleet
from kafkalab.streams import jobs, notifications, patterns, sinks
from kafkalab.streams.notifications import GEOFENCE
from tests.support.modes import modes
from tests.support.records import produce

#: The truck whose report, hours later, closes all windows; what is said of it is left out.
CLOSING = "T9999"


@dataclass(frozen=True)
class Job:
    """A job; ``key``: columns by which a later row replaces an earlier one, none where each row is final."""

    make: Callable[[DataFrame], DataFrame]
    key: tuple[str, ...] = ()


def fenced(parsed: DataFrame) -> DataFrame:
    fences = [("Lille", 50.63, 3.06, 40.0), ("Rhein", 50.9, 6.9, 90.0), ("Berlin", 52.52, 13.4, 60.0)]
    return notifications.entries_and_exits(parsed, parsed.sparkSession.createDataFrame(fences, GEOFENCE))


def homes(parsed: DataFrame) -> DataFrame:
    depots = [(f"T{n:04}", f"depot {n % 7}") for n in range(0, 60, 2)]
    table = parsed.sparkSession.createDataFrame(depots, "truck_id string, depot string")
    return jobs.with_depot(parsed, table).select("record_id", "depot")


def orders_reached(parsed: DataFrame) -> DataFrame:
    """Each tenth report of a truck is an order, to be where it is then, or 11 km further north."""
    north = sf.expr("if(hash(record_id) % 2 = 0, 0.0, 0.1)")
    orders = jobs.good_records(parsed).where("cast(right(record_id, 6) as int) % 10 = 0")
    orders = orders.select(
        sf.col("record_id").alias("order_id"), "truck_id", "time", (sf.col("latitude") + north).alias("latitude"),
        "longitude", sf.lit(3.0).alias("km"),
    )  # fmt: skip
    return jobs.reached(parsed, orders, "3 minutes", "1 minute")


def silent(parsed: DataFrame) -> DataFrame:
    """Each truck reports every 20 seconds, so each report begins a silence of 15; ten trucks are enough timers."""
    return patterns.silences(parsed.where(f"truck_id < 'T0010' or truck_id = '{CLOSING}'"), "15 seconds")


JOBS = {
    "good": Job(jobs.good_records),
    "bad": Job(jobs.bad_records),
    "once": Job(lambda parsed: jobs.without_duplicates(parsed).select("record_id", "latitude", "speed_kmh")),
    "positions": Job(jobs.latest_position, ("truck_id",)),
    "windows": Job(lambda parsed: jobs.travelled(parsed, "2 minutes", "1 minute")),
    "changing windows": Job(lambda parsed: jobs.travelled(parsed, "5 minutes"), ("truck_id", "start")),
    "fences": Job(fenced),
    "depots": Job(homes),
    "orders": Job(orders_reached),
    "silences": Job(silent),
}


def records() -> Iterator[tuple[bytes, bytes]]:
    """Twenty minutes of trucks, with copies and broken ones among them."""
    chance = random.Random(17)
    for report in Fleet(trucks=60).reports(0, 1200):
        yield report.key, report.value
        if chance.random() < 0.02:
            yield report.key, report.value
        if chance.random() < 0.02:
            yield report.key, report.value[:40]


def final(rows: list[Any], key: tuple[str, ...]) -> Counter[Any]:
    """The rows that count, without those of the closing truck."""
    rows = [row for row in rows if CLOSING not in str(row)]
    if key:
        rows = list({tuple(row[name] for name in key): row for row in rows}.values())
    return Counter(tuple(map(str, row)) for row in rows)


@modes(zookeeper="deep", kraft="nightly")
@pytest.mark.timeout(600)
def test_streams_and_tables_agree(
    cluster: Cluster, new_topic: Callable[[str], str], spark: SparkSession, rocksdb: None, tmp_path: Path
) -> None:
    topic = new_topic("trucks")
    cluster.create_topic(topic, partitions=4, replication=3)
    read = {"bootstrap_servers": cluster.bootstrap_servers, "topic": topic}
    found: dict[str, list[Any]] = {name: [] for name in JOBS}

    def run_all() -> None:
        for name, job in JOBS.items():
            frame = job.make(jobs.parse(jobs.read_trucks(spark, **read)))
            settings: dict[str, Any] = {"mode": "update" if job.key else "append", "checkpoint": tmp_path / name}

            def keep(rows: list[Any], number: int, found: list[Any] = found[name]) -> None:
                found.extend(rows)

            with sinks.each_batch(frame, keep, name, every=0, **settings) as run:
                run.catch_up(120)

    sent = list(records())
    try:
        send = [{"key": key, "value": value} for key, value in sent]
        produce(cluster, topic, send[: len(send) // 2])
        run_all()
        so_far = {name: len(rows) for name, rows in found.items()}
        cluster.broker(102).kill()
        produce(cluster, topic, send[len(send) // 2 :])
        (last,) = Fleet(trucks=1).reports(20_000, 20_020)
        closing = json.dumps(last.to_dict() | {"truck_id": CLOSING}).encode()
        produce(cluster, topic, [{"key": CLOSING.encode(), "value": closing}])
        run_all()
    finally:
        cluster.broker(102).start()
    assert {name: 0 < so_far[name] < len(rows) for name, rows in found.items()} == dict.fromkeys(JOBS, True)
    for name, job in JOBS.items():
        table = job.make(jobs.parse(jobs.read_trucks(spark, **read, stream=False))).collect()
        assert final(found[name], job.key) == final(table, job.key), name
