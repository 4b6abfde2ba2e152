"""Figures for reports: latency distributions, throughput, lag over time, durations of micro-batches.

Each function takes plain data, draws with matplotlib without touching pyplot, and returns a
:class:`~kafkalab.views.figure_parts.Drawing`: a picture in a cell, with a text alternative, and a file on request.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from matplotlib.ticker import FuncFormatter

from kafkalab.errors import BadInput
from kafkalab.state.model import Snapshot
from kafkalab.views.figure_parts import (
    INK,
    Drawing,
    Events,
    Floats,
    Series,
    duration,
    label,
    legend,
    look,
    mark_events,
    named,
    new_figure,
    several,
)
from kafkalab.views.stream_batch import PHASES
from kafkalab.views.stream_drawn import recorded

_PERCENTILES = (50, 95, 99)
_BINS = 60
_HALO = {"boxstyle": "square,pad=0.15", "facecolor": "#ffffffcc", "edgecolor": "none"}

#: Latencies this many times apart are drawn on a logarithmic axis.
_WIDE = 30

_PHASE_LOOK = {
    "latestOffset": ("#1d857a", "\\\\\\\\"), "getBatch": ("#1d857a", "---"), "queryPlanning": ("#8a4fa3", "|||"),
    "walCommit": ("#b0691a", "////"), "addBatch": ("#2f6fc4", ""), "commitOffsets": ("#b0691a", "xxxx"),
    "other": ("#7b828a", ".."),
}  # fmt: skip


def latency_figure(seconds: Series, *, title: str = "Latency") -> Drawing:
    """How long records took: the distribution of each series, with its median, 95th and 99th percentile.

    :param seconds: latencies in seconds, or several lists of them by name. Wide ones get a logarithmic axis.
    :raises BadInput: no numbers, or one below 0.
    """
    given = {name: values[np.isfinite(values)] for name, values in several("seconds", seconds).items()}
    if any((values < 0).any() for values in given.values()):
        raise BadInput("A latency is not below 0.", seen=str(min(values.min() for values in given.values())))
    figure, axes = new_figure(title)
    low, high = (f(f(values) for values in given.values()) for f in (min, max))
    p1 = min(float(np.percentile(values[values > 0], 1)) if (values > 0).any() else 0.0 for values in given.values())
    wide = p1 > 0 and high > _WIDE * p1
    floor = max(low, p1 / 3) if wide else 0.0
    edges = np.geomspace(floor, high * 1.02, _BINS) if wide else np.linspace(0, high * 1.02 or 1.0, _BINS)
    words = []
    for i, (name, values) in enumerate(given.items()):
        share, _ = np.histogram(np.maximum(values, edges[0]), edges)
        own, at = look(i), np.percentile(values, _PERCENTILES)
        heights = 100 * share / len(values)
        said = " · ".join(f"p{p} {duration(v)}" for p, v in zip(_PERCENTILES, at, strict=True))
        line = {key: own[key] for key in ("color", "linestyle", "linewidth")}
        axes.stairs(heights, edges, fill=True, color=own["color"], alpha=0.16)
        axes.stairs(heights, edges, label=named(f"{name}  {said}".strip()), **line)
        for p, value in zip(_PERCENTILES, at, strict=True):
            row = np.clip(np.searchsorted(edges, value) - 1, 0, len(heights) - 1)
            axes.plot([value], [heights[row]], color=own["color"], marker=own["marker"], markersize=7, zorder=6,
                      markeredgecolor="#ffffff", clip_on=False)  # fmt: skip
            if len(given) == 1:
                axes.annotate(f"p{p}  {duration(value)}", (value, heights[row]), xytext=(8, 5), fontsize=8.5, color=INK,
                              textcoords="offset points", bbox=_HALO, zorder=7)  # fmt: skip
        words.append(f"{name + ': ' if name else ''}{len(values):,} records, {said}")
    if wide:
        axes.set_xscale("log")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda v, _: duration(v)))
    axes.set_ylim(0, axes.get_ylim()[1] * 1.18)
    label(axes, "latency" + (" (logarithmic)" if wide else ""), "share of the records, %")
    if len(given) > 1:
        legend(axes, 1)
    return Drawing(figure, f"{title}. {'; '.join(words)}.")


def throughput_figure(
    times: Sequence[float] | npt.NDArray[Any], records: Series, *, events: Events = (), title: str = "Throughput"
) -> Drawing:
    """Records a second between one count and the next.

    :param times: seconds, ascending: when the counts were taken. Unix time or any other.
    :param records: how many there were up to each time, as ``publisher.stats().acknowledged`` tells; several by name.
    :param events: what happened when, ``[(time, "broker 102 killed")]``, on the same clock.
    :raises BadInput: columns of different lengths, fewer than two counts, times that do not ascend, counts that fall.
    """
    at = several("times", times)[""]
    given = several("records", records)
    if len(at) < 2 or not (np.diff(at) > 0).all():
        raise BadInput("Times must be two or more, one after the other.", seen=f"{len(at)} times")
    figure, axes = new_figure(title)
    middle, words = (at[1:] + at[:-1]) / 2 - at[0], []
    for i, (name, counts) in enumerate(given.items()):
        if counts.shape != at.shape:
            raise BadInput("There must be one count for each time.", seen=f"{len(counts)} counts, {len(at)} times")
        if (np.diff(counts) < 0).any():
            raise BadInput("Counts are of all records up to a time, so they never fall.", seen=name or "records")
        rate = np.diff(counts) / np.diff(at)
        axes.plot(middle, rate, label=named(name), **_few(look(i), len(rate)))
        mean = (counts[-1] - counts[0]) / (at[-1] - at[0])
        words.append(f"{name + ': ' if name else ''}{mean:,.0f} records a second on average, {rate.max():,.0f} at most")
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:,.0f}"))
    mark_events(axes, events, at[0])
    label(axes, "seconds since the first count", "records a second")
    legend(axes, 4)
    return Drawing(figure, f"{title} over {at[-1] - at[0]:,.0f} seconds. {'; '.join([*words, *_told(events, at[0])])}.")


def lag_figure(
    snapshots: Iterable[Snapshot],
    group: str | None = None,
    *,
    by: Literal["partition", "group"] = "partition",
    events: Events = (),
    title: str = "",
) -> Drawing:
    """How many records a group had still to read, over time.

    :param snapshots: two or more, in order, as ``cluster.snapshot()`` gives them.
    :param group: the group; with one group in them it need not be said.
    :param by: a line a partition of that group, or one for each group (``group`` is then not needed).
    :param events: what happened when, ``[(unix_time, "member killed")]``.
    :raises BadInput: fewer than two snapshots, no group, or no such group.
    """
    some = list(snapshots)
    if len(some) < 2:
        raise BadInput("Lag over time needs two snapshots or more.", seen=f"{len(some)}")
    names = sorted({g.group_id for snapshot in some for g in snapshot.groups})
    if by == "partition" and group is None and len(names) == 1:
        (group,) = names
    if not names or (by == "partition" and group not in names):
        raise BadInput("Say whose lag to draw.", seen=", ".join(names) or "no group in these snapshots", do="group=…")
    lines: dict[tuple[str, int], Floats] = {}
    at = np.array([snapshot.at for snapshot in some])
    for i, snapshot in enumerate(some):
        for found in snapshot.groups:
            for offset in found.offsets:
                if offset.lag is None or (by == "partition" and found.group_id != group):
                    continue
                key = (
                    (offset.topic, offset.partition)
                    if by == "partition"
                    else (found.group_id, names.index(found.group_id))
                )
                line = lines.setdefault(key, np.full(len(some), np.nan))
                line[i] = offset.lag if by == "partition" else np.nansum([line[i], offset.lag])
    title = title or (f"Lag of {group}" if by == "partition" else "Lag by group")
    figure, axes = new_figure(title)
    several_topics = len({topic for topic, _ in lines}) > 1
    words = []
    for (name, number), lag in sorted(lines.items()):
        said = name if by == "group" else f"{name} P{number}" if several_topics else f"P{number}"
        axes.plot(at - at[0], lag, label=named(said), **_few(look(number), len(lag)))
        words.append(f"{said} at most {np.nanmax(lag):,.0f}, at the end {lag[-1]:,.0f}")
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:,.0f}"))
    mark_events(axes, events, at[0])
    label(axes, "seconds since the first snapshot", "records behind")
    legend(axes, 6)
    return Drawing(
        figure, f"{title}, records over {at[-1] - at[0]:,.0f} s: {'; '.join([*words, *_told(events, at[0])])}."
    )


def batches_figure(reports: Iterable[Any], *, every: float | None = None, title: str = "") -> Drawing:
    """How long each micro-batch of a stream took, and with what.

    :param reports: what Spark reported: ``query.recentProgress``, or a list of their JSON.
    :param every: seconds between two triggers, drawn as a line.
    :raises BadInput: no report, or something that is none.
    """
    picture = recorded(reports)
    numbers = sorted(map(int, picture["batches"]))
    if not numbers:
        raise BadInput("There is nothing to draw: no batch has ended.", seen="no report")
    batches = [picture["batches"][str(n)] for n in numbers]
    title = title or f"Micro-batches{' of ' + picture['name'] if picture['name'] else ''}"
    figure, axes = new_figure(title)
    done = np.zeros(len(numbers))
    for phase in (*PHASES, "other"):
        took = np.array([batch["phases"].get(phase, 0) / 1000 for batch in batches])
        colour, hatch = _PHASE_LOOK[phase]
        if took.any():
            axes.bar(numbers, took, 0.8, bottom=done, color=colour, hatch=hatch, edgecolor="#ffffff", linewidth=0.4,
                     label=phase)  # fmt: skip
        done = done + took
    if every is not None:
        axes.axhline(every, color=INK, linewidth=1.2, linestyle=(0, (6, 3)), label=f"trigger, every {every:g} s")
    axes.yaxis.set_major_formatter(FuncFormatter(lambda v, _: duration(v) if v else "0"))
    label(axes, "batch", "time it took")
    legend(axes, 4)
    median, most = np.median(done), done.max()
    late = "" if every is None else f"; {int((done > every).sum())} took longer than the trigger's {every:g} s"
    return Drawing(
        figure, f"{title}: {len(numbers)} batches, {duration(median)} in the median, {duration(most)} at most{late}."
    )


def _few(own: dict[str, Any], n: int) -> dict[str, Any]:
    """A marker on some of the points: on each of a thousand they would be a band."""
    return {**own, "markevery": max(1, n // 24)}


def _told(events: Events, begin: float) -> list[str]:
    return [f"{what} after {at - begin:,.1f} s" for at, what in events]
