"""The props of lab 24b: a hundred trucks, one of which falls silent, and a drawing of reports, timers and watermark."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

from kafkalab.exercises.frames import active_session
from kafkalab.exercises.topics import publish
from kafkalab.sources.fleet import START, Fleet
from kafkalab.sources.publish import Publisher
from kafkalab.streams import jobs
from kafkalab.waiting import wait_until

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from kafkalab.handles.cluster import Cluster
    from kafkalab.sources.report import Report

TOPIC: Final = "lab24b-trucks_gps"
#: Mara's truck: its radio breaks after half an hour, and stays broken.
MARA: Final = "T0005"
BROKEN: Final = START + 30 * 60_000


class _Trucks(Fleet):
    def reports(self, since: float, until: float) -> Iterator[Report]:
        """Return the reports of a fleet, without those of the broken radio."""
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


def read(cluster: Cluster, topic: str = TOPIC, *, stream: bool = True) -> DataFrame:
    """Read a topic as in lab 21: a stream, or a table of what's there now."""
    return jobs.read_trucks(active_session(), cluster.bootstrap_servers, topic, stream=stream)


def drive(cluster: Cluster, since: float) -> Publisher:
    """Let the trucks drive on, from a minute after 06:00: 20 seconds of their time in each second of ours."""
    return Publisher(cluster.bootstrap_servers, fleet, TOPIC, lapse=20, since=60 * since).start()


def drive_until(driving: Publisher, minute: float) -> None:
    """Wait until the trucks' clocks show so many minutes after 06:00."""
    wait_until(lambda: driving.stats().event_time >= 60 * minute, 180, "the trucks to drive")


def figure(rows: Sequence[Any], alarms: Iterable[tuple[str, int]], trucks: Sequence[str]) -> Any:
    """Draw the reports (truck_id, ms) of some trucks, the silences (truck, ms of its last report), and the watermark."""
    from kafkalab.views.figures import INK, LINE, SOFT, Drawing, label, new_figure

    def minute(ms: float) -> float:
        return (ms - START) / 60_000

    figure, axes = new_figure("Reports, timers, and the watermark", height=2.9)
    for y, truck in enumerate(reversed(trucks)):
        at = [minute(row.ms) for row in rows if row.truck_id == truck]
        axes.plot(at, [y] * len(at), ".", color="#2f6fc4", markersize=5)
        for ends in (minute(since) + 10 for name, since in alarms if name == truck):
            axes.plot([ends - 10, ends], [y, y], color=LINE, linewidth=5, solid_capstyle="butt")
            axes.plot([ends], [y], marker="D", color="#b0691a", markersize=8)
    watermark = max(minute(row.ms) for row in rows) - 1
    axes.axvline(watermark, color=INK, linestyle="--", linewidth=1.6)
    axes.text(watermark - 0.6, len(trucks) - 0.45, "watermark", ha="right", fontsize=9, color=SOFT)
    axes.set(ylim=(-0.6, len(trucks) - 0.2), yticks=range(len(trucks)), yticklabels=list(reversed(trucks)))
    axes.set_xticks(range(0, 80, 15), [f"{6 + m // 60:02}:{m % 60:02}" for m in range(0, 80, 15)])
    label(axes, "event time; a dot is a report, a diamond the timer of an alarm", "")
    told = sorted({truck for truck, _ in alarms} & set(trucks))
    return Drawing(figure, f"Alarms for {', '.join(told)}; the watermark is at minute {watermark:.0f}.")
