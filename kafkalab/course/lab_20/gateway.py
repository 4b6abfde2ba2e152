"""The props of lab 20: what the trucks report by radio, trucks on a map, a fleet on its way, and two drawings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from kafkalab.course.lab_07.trouble import steadily as steadily  # the notebook calls it
from kafkalab.sources.fleet import Fleet
from kafkalab.sources.publish import Publisher

if TYPE_CHECKING:
    from kafkalab.course.figures import Drawing
    from kafkalab.handles.cluster import Cluster
    from kafkalab.views.map.view import TruckMap

Report = dict[str, Any]  #: what a report says, by name
Acks = Sequence[tuple[float, int]]  #: the time, in seconds, and the partition of each acknowledgement


def reports(since: float, until: float) -> list[Report]:
    """Return what the 1000 trucks report from ``since`` to before ``until`` (seconds after 6 o'clock), in order."""
    return [report.to_dict() for report in Fleet(trucks=1000).reports(since, until)]


def draw(fleet_map: TruckMap, found: Sequence[Report], partitions: Sequence[int]) -> None:
    """Move the trucks on a map to where these reports say that they are."""
    names = ("truck_id", "latitude", "longitude", "speed_kmh", "heading_deg")
    ids, latitude, longitude, speed, heading = ([report[name] for report in found] for name in names)
    fleet_map.update(ids, latitude, longitude, partitions, speed, heading)


def drive(cluster: Cluster, topic: str, **callbacks: Callable[..., object]) -> Publisher:
    """Let the fleet drive on from 6:10, 20 times as fast as the clock: 1000 reports a second."""
    return Publisher(cluster.bootstrap_servers, Fleet(trucks=1000), topic, lapse=20, since=600, **callbacks).start()


def lag_figure(samples: Sequence[tuple[float, int]]) -> Drawing:
    """Draw the lag of a reader: pairs of a time in seconds and a number of reports."""
    from kafkalab.course.figures import Drawing, label, new_figure

    figure, axes = new_figure("The lag of Aylin's dashboard", height=2.9)
    axes.plot([at - samples[0][0] for at, _ in samples], [lag for _, lag in samples], color="#2f6fc4", linewidth=1.8)
    label(axes, "seconds", "reports that it hasn't read yet")
    return Drawing(figure, f"The lag rises to {max(lag for _, lag in samples):,} and ends at {samples[-1][1]:,}.")


def pauses(acks: Acks) -> list[float]:
    """Return the longest time, in seconds, in which no report of a partition was acknowledged, for each partition."""
    return [max(b - a for a, b in pairwise(at for at, of in acks if of == lane)) for lane in range(10)]


def pause_figure(acks: Acks, killed: float, led: Iterable[int]) -> Drawing:
    """Draw each acknowledgement by its time and partition, around the moment in which the leader of ``led`` died."""
    from kafkalab.course.figures import INK, Drawing, label, new_figure

    figure, axes = new_figure("Acknowledgements", height=3.4)
    for p in range(10):
        own = [at - killed for at, of in acks if of == p and -2 <= at - killed <= 8]
        axes.plot(own, [p] * len(own), "|", color="#b0691a" if p in led else "#2f6fc4", markersize=9)
    axes.axvline(0, color=INK, linestyle="--", linewidth=1.2)
    axes.set(xlim=(-2, 8), ylim=(9.6, -0.6))
    axes.set_yticks(range(10), [f"102 led P{p}" if p in led else f"P{p}" for p in range(10)])
    label(axes, "seconds after 102 was killed", "")
    long = sum(pause > 1 for pause in pauses(acks))
    return Drawing(figure, f"{long} of 10 partitions pause for more than a second when 102 is killed.")
