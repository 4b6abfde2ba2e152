"""The props of lab 24a: an hour of 200 trucks, what comes after it, the trucks on their way, and a map of depots."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from kafkalab.exercises.topics import publish
from kafkalab.sources.fleet import Fleet
from kafkalab.sources.publish import Publisher
from kafkalab.waiting import wait_until

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster
    from kafkalab.sources.report import Report
    from kafkalab.views.map.view import TruckMap

TOPIC: Final = "lab24a-trucks_gps"
TRUCKS: Final = 200


class Hour:
    """An hour of 200 trucks, ``first``, always the same, without the report ``late``, which shows a truck in a depot.

    ``next`` and ``after``: the reports of the two minutes that follow.
    """

    def __init__(self) -> None:
        fleet = Fleet(trucks=TRUCKS)
        hour = list(fleet.reports(0, 3600))
        held = next(r for r in hour if r.truck_id == "T0142" and r.time >= fleet.start + 1_800_000)
        self.first = [report for report in hour if report is not held]
        self.late = [held]
        self.next, self.after = list(fleet.reports(3600, 3660)), list(fleet.reports(3660, 3720))


def kafka(cluster: Cluster) -> dict[str, str]:
    """Return the options of Spark's Kafka source, as lab 21 has them: it finds a new leader within seconds."""
    return {
        "kafka.bootstrap.servers": cluster.bootstrap_servers,
        "subscribe": TOPIC,
        "startingOffsets": "earliest",
        "kafka.default.api.timeout.ms": "5000",
        "kafka.request.timeout.ms": "4000",
        "fetchOffset.numRetries": "12",
    }


def send(cluster: Cluster, reports: Sequence[Report]) -> int:
    """Send reports, wait until all are acknowledged, and return how many they are."""
    publish(cluster.bootstrap_servers, TOPIC, [(report.key, report.value, None) for report in reports])
    return len(reports)


def drive(cluster: Cluster) -> Publisher:
    """Let the trucks drive on from where :class:`Hour` ends: two minutes of their time in each second of ours."""
    return Publisher(cluster.bootstrap_servers, Fleet(trucks=TRUCKS), TOPIC, lapse=120, since=3720).start()


def wait_for(driving: Publisher, records: int) -> None:
    """Wait until so many more reports are acknowledged."""
    goal = driving.stats().acknowledged + records
    wait_until(lambda: driving.stats().acknowledged >= goal, 180, "more reports to be acknowledged")


def depot_map(depots: Iterable[tuple[str, float, float, float]], positions: Sequence[Any]) -> TruckMap:
    """Return a map of depots (name, latitude, longitude, km) and trucks (rows: truck_id, latitude, longitude, km/h)."""
    from kafkalab.views.map.looks import Geofence
    from kafkalab.views.map.view import TruckMap

    fences = [Geofence.circle(*depot) for depot in depots]
    drawn = TruckMap(title="The depots, and the trucks in them", geofences=fences, colour_by="geofence")
    ids, latitudes, longitudes, speeds = zip(*positions, strict=True)
    drawn.update(ids, latitudes, longitudes, speed=speeds)
    return drawn
