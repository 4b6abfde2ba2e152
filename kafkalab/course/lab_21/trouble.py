"""The props of lab 21: a minute of the fleet with trouble in it, the trucks on their way, and an account of records."""

from __future__ import annotations

import json
from collections.abc import Mapping
from random import Random
from typing import TYPE_CHECKING, Any, Final

from kafkalab.exercises.topics import publish
from kafkalab.sources.fleet import Fleet
from kafkalab.sources.publish import Publisher

if TYPE_CHECKING:
    from kafkalab.course.figures import Drawing
    from kafkalab.handles.cluster import Cluster
    from kafkalab.views.map.view import TruckMap

TOPIC: Final = "lab21-trucks_gps"
#: A record to send: key, value, and no particular partition.
Sent = tuple[bytes | None, bytes | None, int | None]
#: Bad records of each of the five kinds: 2 % of a minute's reports together.
OF_EACH: Final = 12
_HOUR_MS: Final = 3_600_000


class Minute:
    """A minute of 1000 trucks, always the same; what goes wrong is in lists of its own.

    ``first``: what is sent at once: good reports and bad ``bad``, mixed. ``late``: reports that were held back for a
    minute. ``too_late``: for more than an hour. ``twice``: reports that are sent a second time.
    """

    def __init__(self) -> None:
        fleet = Fleet(trucks=1000)
        good = list(fleet.reports(0, 60))
        more = iter(fleet.reports(60, 70))
        self.late = [_sent(report) for report in good[:3]]
        self.twice = [_sent(report) for report in good[100:105]]
        self.bad = [wrong for _ in range(OF_EACH) for wrong in _broken([next(more).to_dict() for _ in range(5)])]
        self.too_late = [
            _json(r.truck_id, r.to_dict() | {"record_id": f"old-{n}", "time": r.time - _HOUR_MS})
            for n, r in enumerate(good[200:202])
        ]
        self.first = [_sent(report) for report in good[3:]]
        random = Random(21)
        for wrong in self.bad:
            self.first.insert(random.randrange(len(self.first)), wrong)


def _sent(report: Any) -> Sent:
    return report.key, report.value, None


def _json(key: str, fields: Mapping[str, Any]) -> Sent:
    return key.encode(), json.dumps(fields).encode(), None


def _broken(five: list[dict[str, Any]]) -> list[Sent]:
    """Make each of five reports bad in a way of its own."""
    cut, typed, keyless, unknown, newer = five
    moved = {"version": 2, "truck": newer["truck_id"], "at": [newer["latitude"], newer["longitude"]]}
    return [
        (cut["truck_id"].encode(), json.dumps(cut).encode()[:70], None),
        _json(typed["truck_id"], typed | {"speed_kmh": "fast"}),
        (None, json.dumps(keyless).encode(), None),
        _json("X9999", unknown | {"truck_id": "X9999"}),
        _json(newer["truck_id"], moved),
    ]


def send(cluster: Cluster, records: list[Sent], topic: str = TOPIC) -> int:
    """Send records, wait until all are acknowledged, and return how many they are."""
    publish(cluster.bootstrap_servers, topic, records)
    return len(records)


def drive(cluster: Cluster, topic: str = TOPIC) -> Publisher:
    """Let the trucks drive on from the second minute, ten times as fast as the clock: 500 records a second."""
    return Publisher(cluster.bootstrap_servers, Fleet(trucks=1000), topic, lapse=10, since=60).start()


def fleet_map() -> TruckMap:
    """Return a map of the fleet, which a stream can update."""
    from kafkalab.views.map.view import TruckMap

    return TruckMap(title="The fleet, coloured by partition")


def account(places: Mapping[str, int]) -> Drawing:
    """Draw how many records ended in which place."""
    from kafkalab.course.figures import Drawing, label, new_figure

    total = sum(places.values())
    figure, axes = new_figure(f"Where {total:,} records ended", height=2.4)
    names = list(places)[::-1]
    bars = axes.barh(
        names, [places[name] for name in names], color=["#2f6fc4" if n == names[-1] else "#b0691a" for n in names]
    )
    axes.bar_label(bars, [f"{places[name]:,}" for name in names], padding=4)
    axes.set_xscale("log")
    axes.margins(x=0.1)
    label(axes, "records (each step on the axis is ten times as many)", "")
    return Drawing(
        figure, f"Where {total:,} records ended: {'; '.join(f'{name}: {n:,}' for name, n in places.items())}."
    )
