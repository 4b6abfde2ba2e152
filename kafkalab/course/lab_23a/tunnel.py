"""The props of lab 23a: Mara's drive through four tunnels, the fleet on its way, and a drawing of late reports."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from kafkalab.sources.fleet import START, Fleet
from kafkalab.sources.publish import Publisher
from kafkalab.sources.report import Report

#: The times of the four reports that Mara's radio held back; they are in no other list.
HELD_BACK: Final = ("06:08:00", "06:18:20", "06:22:00", "06:26:00")
#: 100 trucks, of which Mara's T0005 is one.
fleet: Final = Fleet(trucks=100)


def _report(t: int) -> Report:
    """Return Mara's report of ``t`` seconds after 06:00; its id is its time of day, "06:18:20"."""
    (report,) = (one for one in fleet.reports(t, t + fleet.period) if one.truck_id == "T0005")
    return replace(report, record_id=time.strftime("%H:%M:%S", time.gmtime(START / 1000 + t)), time=START + 1000 * t)


_DRIVE: Final = {report.record_id: report for report in map(_report, range(0, 2400, 20))}


held_back: Final = [_DRIVE[id] for id in HELD_BACK]


def mara(since: str, until: str) -> list[Report]:
    """Return Mara's reports from "06:00:00" to "06:19:40", both included, one every 20 seconds."""
    return [one for id, one in _DRIVE.items() if since <= id <= until and id not in HELD_BACK]


def drive(cluster: Any, topic: str, since: int) -> Publisher:
    """Let the fleet drive on, so many seconds after 06:00, 25 times as fast as the clock: 125 reports a second."""
    return Publisher(cluster.bootstrap_servers, fleet, topic, lapse=25, since=since).start()


def late_figure(counted: Iterable[str], watermark: str, newest: str) -> Any:
    """Draw the four late reports in their windows of 10 minutes: those whose ids are in ``counted``, and the others.

    :param watermark: time of day ("06:24:00") of the watermark when they came; ``newest``: of the newest report then.
    """
    from kafkalab.course.figures import INK, LINE, SOFT, Drawing, label, new_figure

    def at(id: str) -> float:
        return int(id[3:5]) + int(id[6:]) / 60

    figure, axes = new_figure("Four late reports", height=2.7)
    for start in range(0, 40, 10):
        state, shade = ("closed", SOFT) if start + 10 <= at(watermark) else ("open", "none")
        axes.axvspan(start, start + 10, facecolor=shade, edgecolor=LINE, alpha=0.18)
        axes.text(start + 0.3, 1.25, state, va="top", fontsize=9.5, color=SOFT)
    fates = {id: "counted" if id in set(counted) else "dropped" for id in HELD_BACK}
    for id, fate in fates.items():
        colour, marker = ("#2f6fc4", "o") if fate == "counted" else ("#b0691a", "X")
        axes.plot([at(id)], [0.45], marker=marker, markersize=10, color=colour, linestyle="none")
        axes.text(at(id), 0.24, f"{id}\n{fate}", ha="center", va="top", fontsize=9, color=INK)
    for name, id, style in (("watermark", watermark, "-"), ("newest", newest, ":")):
        axes.axvline(at(id), color=INK, linestyle=style, linewidth=1.6)
        axes.text(at(id) + 0.3, 0.86, f"{name} {id}", fontsize=9, color=INK, va="center")
    axes.set(xlim=(0, 40), ylim=(-0.2, 1.35), yticks=[])
    axes.set_xticks(range(0, 41, 10), [f"06:{minute:02}" for minute in range(0, 41, 10)])
    label(axes, "event time, in windows of 10 minutes", "")
    words = ", ".join(f"{id} {fate}" for id, fate in fates.items())
    return Drawing(figure, f"Watermark {watermark}, newest report {newest}: {words}.")
