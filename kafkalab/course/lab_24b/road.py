"""The props of lab 24b: a hundred trucks, one of which falls silent."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any, Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from kafkalab.exercises.frames import active_session
from kafkalab.exercises.topics import publish
from kafkalab.handles.cluster import Cluster
from kafkalab.sources.fleet import START, Fleet
from kafkalab.sources.publish import Publisher
from kafkalab.sources.report import Report
from kafkalab.streams import jobs

TOPIC: Final = "lab24b-trucks_gps"
#: Mara's truck, and the time at which its radio breaks.
MARA, BROKEN = "T0005", START + 30 * 60_000


class _Trucks(Fleet):
    def reports(self, since: float, until: float) -> Iterator[Report]:
        return (one for one in super().reports(since, until) if one.truck_id != MARA or one.time < BROKEN)


fleet: Final = _Trucks(trucks=100, period=60)


def minutes(since: float, until: float, only: str = "") -> list[Report]:
    """Return the reports of the trucks between two minutes after 06:00, or ``only`` those of one truck."""
    return [one for one in fleet.reports(60 * since, 60 * until) if only in ("", one.truck_id)]


def from_mara(time: str, **more: Any) -> Any:
    """Return a record of Mara's truck, made at a time of day ("06:25"), with ``more`` in it (``driver="Tom"``)."""
    at = START + (60 * int(time[:2]) + int(time[3:]) - 360) * 60_000
    return SimpleNamespace(key=MARA.encode(), value=json.dumps({"truck_id": MARA, "time": at, **more}).encode())


def send(cluster: Cluster, records: Sequence[Any], topic: str = TOPIC) -> int:
    """Send records, wait until all are acknowledged, and return how many they are."""
    publish(cluster.bootstrap_servers, topic, [(one.key, one.value, None) for one in records])
    return len(records)


def trucks(cluster: Cluster, topic: str, *, stream: bool = True) -> DataFrame:
    """Return a topic's rows as a stream, or as a table of what's there now; ``ms`` is their time in milliseconds."""
    raw = jobs.read_trucks(active_session(), cluster.bootstrap_servers, topic, stream=stream)
    schema = "truck_id string, time long, speed_kmh double, driver string"
    rows = raw.select(sf.from_json(sf.col("value").cast("string"), schema).alias("said")).select("said.*")
    return rows.withColumn("ms", sf.col("time")).withColumn("time", sf.timestamp_millis("ms"))


def drive(cluster: Cluster, since: float) -> Publisher:
    """Let the trucks drive on, from a minute after 06:00: 25 seconds of their time in each second of ours."""
    return Publisher(cluster.bootstrap_servers, fleet, TOPIC, lapse=25, since=60 * since).start()
