"""The props of lab 24a: an hour of 200 trucks, what comes after it, the trucks on their way, and a map of depots."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from kafkalab.exercises.topics import publish
from kafkalab.sources.fleet import START, Fleet
from kafkalab.sources.publish import Publisher
from kafkalab.streams.jobs import kafka_options

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster
    from kafkalab.sources.report import Report
    from kafkalab.views.map.view import TruckMap

TOPIC: Final = "lab24a-trucks_gps"
fleet: Final = Fleet(trucks=200)


class Hour:
    """``first``: an hour of 200 trucks without the report ``late``. ``next``, ``after``: the minutes that follow."""

    def __init__(self) -> None:
        hour = list(fleet.reports(0, 3600))
        held = next(r for r in hour if r.truck_id == "T0142" and r.time >= START + 1_800_000)
        self.first, self.late = [report for report in hour if report is not held], [held]
        self.next, self.after = list(fleet.reports(3600, 3660)), list(fleet.reports(3660, 3720))


def kafka(cluster: Cluster) -> dict[str, str]:
    """Return the options of Spark's Kafka source: those of lab 21, and one that makes small batches quick."""
    return kafka_options(cluster.bootstrap_servers, TOPIC)


def send(cluster: Cluster, reports: Sequence[Report]) -> int:
    """Send reports, wait until all are acknowledged, and return how many they are."""
    publish(cluster.bootstrap_servers, TOPIC, [(report.key, report.value, None) for report in reports])
    return len(reports)


def drive(cluster: Cluster) -> Publisher:
    """Let the trucks drive on from where :class:`Hour` ends: two minutes of their time in each second of ours."""
    return Publisher(cluster.bootstrap_servers, fleet, TOPIC, lapse=120, since=3720).start()


def depot_map(depots: Iterable[tuple[str, float, float, float]], positions: Sequence[Any]) -> TruckMap:
    """Return a map of depots (name, latitude, longitude, km) and trucks (rows: truck_id, latitude, longitude, km/h)."""
    from kafkalab.views.map.geofences import Geofence
    from kafkalab.views.map.view import TruckMap

    fences = [Geofence.circle(*depot) for depot in depots]
    drawn = TruckMap(title="The depots, and the trucks in them", geofences=fences, colour_by="geofence")
    ids, latitudes, longitudes, speeds = zip(*positions, strict=True)
    drawn.update(ids, latitudes, longitudes, speed=speeds)
    return drawn
