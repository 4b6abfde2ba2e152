"""A StreamView as one static SVG: its figures, rows a second, the phases of its batches, the watermark, its lanes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import floor, log10
from typing import Any

from kafkalab.views.stream_batch import PHASES
from kafkalab.views.stream_drawn import Drawn, newest
from kafkalab.views.stream_svg_lanes import draw_lanes
from kafkalab.views.stream_text import (
    bytes_,
    duration,
    lasting,
    of_day,
    title,
    to_text,
    total_of,
)
from kafkalab.views.svg import Svg, shorten, text_width

WIDTH = 1000.0
_GAP = 10.0
_PAD = 12.0
_HALF = (WIDTH - _GAP) / 2
_CHART = 176.0
_SHOWN = 60

#: Colour and the way it is hatched, of each phase: as in the live view, several share a colour and none a hatching.
_LOOK = {
    "latestOffset": ("ok", "M0 0L6 6M-1 5L1 7M5 -1L7 1"),
    "getBatch": ("ok", "M0 3H6"),
    "queryPlanning": ("p3", "M3 0V6"),
    "walCommit": ("warn", "M0 6L6 0M-1 1L1 -1M5 7L7 5"),
    "addBatch": ("accent", ""),
    "commitOffsets": ("warn", "M0 6L6 0M-1 1L1 -1M5 7L7 5M0 0L6 6M-1 5L1 7M5 -1L7 1"),
    "other": ("soft", "M1 1h1M4 4h1"),
}
_ORDER = (*PHASES, "other")


def to_svg(picture: Drawn) -> str:
    """The whole picture, for light and dark pages."""
    # Drawn twice: how high it is, is known once it is drawn.
    height = _draw(Svg(WIDTH, 10, ""), picture)
    svg = Svg(WIDTH, height, title(picture), to_text(picture).replace("\n", "; "))
    _draw(svg, picture)
    return svg.to_string()


def _draw(svg: Svg, picture: Drawn) -> float:
    defs = svg.add("defs")
    for name, (colour, lines) in _LOOK.items():
        pattern = svg.add("pattern", defs, id=f"kl-{name}", width=6, height=6, patternUnits="userSpaceOnUse")
        svg.add("rect", pattern, width=6, height=6, fill=colour)
        svg.add("path", pattern, d=lines, stroke="bg", stroke_width=1.4, fill="none")
    svg.rect(0.5, 0.5, WIDTH - 1, 34, rx=10, fill="panel", stroke="line")
    svg.text(_PAD, 22, title(picture), bold=True, size=14, limit=110)
    y = 34 + _GAP
    if picture["reason"]:
        svg.rect(0, y, 4, 24, fill="bad")
        svg.text(_PAD, y + 16, f"✕ {picture['reason']}", limit=150)
        y += 24 + _GAP
    found = newest(picture)
    if found is None:
        svg.text(_PAD, y + 20, "No batch has ended yet.", fill="soft")
        return y + 40
    numbers = sorted(map(int, picture["batches"]))[-_SHOWN:]
    batches = [picture["batches"][str(n)] for n in numbers]
    y = _tiles(svg, found[1], y)
    _rates(svg, batches, 0, y)
    _phases(svg, batches, picture["trigger"], _HALF + _GAP, y)
    y += _CHART + 40 + _GAP
    if not picture["notes"]["watermark"]:
        _watermark(svg, batches, y)
        y += _CHART + 40 + _GAP
    if picture["lanes"]:
        y = draw_lanes(svg, picture, numbers, y, WIDTH) + _GAP
    return y


def _tiles(svg: Svg, batch: dict[str, Any], y: float) -> float:
    event = batch["event"]
    known = event and event["watermark"] is not None and event["max"] is not None
    tiles = [
        ("arriving", f"{batch['arriving']:,.0f}", "rows/s"),
        ("can process", f"{batch['processed']:,.0f}", "rows/s"),
        ("batch took", duration(batch["ms"]), ""),
        ("behind", "–" if batch["behind"] is None else f"{batch['behind']:,}", "records"),
        ("watermark", lasting(event["max"] - event["watermark"]) if known else "–", "behind the newest event"),
        (
            "state",
            f"{total_of(batch, 'total'):,}" if batch["state"] else "–",
            f"rows, {bytes_(total_of(batch, 'bytes'))}" if batch["state"] else "none is kept",
        ),
    ]
    wide = (WIDTH - 5 * 8) / 6
    for i, (name, value, unit) in enumerate(tiles):
        x = i * (wide + 8)
        svg.rect(x + 0.5, y + 0.5, wide - 1, 55, rx=8, fill="panel", stroke="line")
        svg.text(x + 10, y + 17, name, fill="soft", size=11)
        svg.text(x + 10, y + 36, value, bold=True, size=17)
        svg.text(x + 10, y + 50, unit, fill="soft", size=10.5)
    return y + 56 + _GAP


def _frame(svg: Svg, x: float, y: float, wide: float, name: str) -> None:
    svg.rect(x + 0.5, y + 0.5, wide - 1, _CHART + 39, rx=10, fill="panel", stroke="line")
    svg.text(x + _PAD, y + 19, name, fill="soft", bold=True)


class _Plot:
    """The place of a chart's points: a slot for each batch, values from ``bottom`` to ``top``."""

    def __init__(self, svg: Svg, x: float, y: float, wide: float, batches: Sequence[dict[str, Any]]) -> None:
        self.svg, self.left, self.wide = svg, x + 58, wide - 58 - _PAD
        self.head, self.base = y + 30, y + _CHART - 6
        self.slot = self.wide / max(len(batches), 10)
        self.bottom, self.top = 0.0, 1.0
        every = max(1, -(-70 // int(max(1, self.slot))))
        for i in range(len(batches) - 1, -1, -every):
            if self.x(i) - 24 > self.left - 20:
                last = min(self.x(i), x + wide - 28)
                svg.text(last, self.base + 15, of_day(batches[i]["at"]), fill="soft", size=10, anchor="middle")

    def scale(self, bottom: float, top: float, words: Callable[[float], str]) -> None:
        """Set what is shown, and draw three lines of it with their values."""
        self.bottom, self.top = bottom, top if top > bottom else bottom + 1
        for part in (0, 0.5, 1):
            value = self.bottom + part * (self.top - self.bottom)
            self.svg.line(self.left, self.y(value), self.left + self.wide, self.y(value))
            self.svg.text(self.left - 6, self.y(value) + 4, words(value), fill="soft", size=10, anchor="end")

    def x(self, i: int) -> float:
        return self.left + (i + 0.5) * self.slot

    def y(self, value: float) -> float:
        held = min(self.top, max(self.bottom, value))
        return self.base - (held - self.bottom) / (self.top - self.bottom) * (self.base - self.head)

    def line(self, values: Sequence[float | None]) -> str:
        parts, on = [], False
        for i, value in enumerate(values):
            if value is not None:
                parts.append(f"{'L' if on else 'M'}{self.x(i):.1f} {self.y(value):.1f}")
            on = value is not None
        return "".join(parts)


def _usual(values: Sequence[float]) -> float:
    """The top of an axis: of the highest value, or, when one stands far above the others, of these."""
    found = sorted(values)
    most, usual = found[-1], found[int(0.9 * (len(found) - 1))]
    return _round(1.25 * usual if len(found) >= 6 and usual and most > 3 * usual else most)


def _round(value: float) -> float:
    """The next number that reads well, and whose half does, too."""
    if value <= 0:
        return 1.0
    power = 10.0 ** floor(log10(value))
    return next((step * power for step in (1, 1.2, 1.6, 2, 3, 4, 5, 6, 8) if step * power >= value), 10 * power)


def _rates(svg: Svg, batches: Sequence[dict[str, Any]], x: float, y: float) -> None:
    _frame(svg, x, y, _HALF, "Rows a second")
    plot = _Plot(svg, x, y, _HALF, batches)
    arriving, processed = [b["arriving"] for b in batches], [b["processed"] for b in batches]
    plot.scale(0, _usual(arriving + processed), lambda v: f"{v:,.0f}")
    svg.path(plot.line(processed), stroke="ok", stroke_width=2, stroke_dasharray="5 4")
    svg.path(plot.line(arriving), stroke="accent", stroke_width=2)
    for i, value in enumerate(arriving):
        svg.circle(plot.x(i), plot.y(value), 2.4, fill="accent")
    foot = y + _CHART + 26
    svg.path(f"M{x + _PAD} {foot - 4}h22", stroke="accent", stroke_width=2)
    svg.text(x + _PAD + 28, foot, "arriving", fill="soft", size=11)
    svg.path(f"M{x + 110} {foot - 4}h22", stroke="ok", stroke_width=2, stroke_dasharray="5 4")
    svg.text(x + 138, foot, "what the query can process", fill="soft", size=11)


def _phases(svg: Svg, batches: Sequence[dict[str, Any]], trigger: dict[str, Any], x: float, y: float) -> None:
    _frame(svg, x, y, _HALF, "Where the time of a batch goes")
    plot = _Plot(svg, x, y, _HALF, batches)
    took = [b["ms"] for b in batches]
    every = trigger["every_ms"] if trigger["kind"] == "processing time" and trigger["every_ms"] else 0
    drawn = 0 < every <= 4 * max(took)
    plot.scale(0, max(_usual(took), _round(1.08 * every) if drawn else 0), duration)
    wide = min(24.0, 0.72 * plot.slot)
    for i, batch in enumerate(batches):
        done = 0
        for phase in _ORDER:
            ms = batch["phases"].get(phase, 0)
            low, high = plot.y(done), plot.y(done + ms)
            if low - high > 0.2:
                svg.rect(plot.x(i) - wide / 2, high, wide, low - high, fill=f"url(#kl-{phase})")
            done += ms
        if batch["ms"] > plot.top:
            svg.text(plot.x(i) + wide / 2 + 3, plot.head + 10, f"↑ {duration(batch['ms'])}", size=10)
    if drawn:
        level = plot.y(every)
        svg.line(plot.left, level, plot.left + plot.wide, level, "ink", stroke_width=1.5, stroke_dasharray="8 4")
        svg.text(plot.left + plot.wide, level - 4, f"trigger: every {duration(every)}", size=10.5, anchor="end")
    at = x + _PAD
    for phase in _ORDER:
        svg.rect(at, y + _CHART + 18, 9, 9, fill=f"url(#kl-{phase})")
        svg.text(at + 12, y + _CHART + 26, phase, fill="soft", size=9)
        at += 17 + text_width(phase, 9)


def _watermark(svg: Svg, batches: Sequence[dict[str, Any]], y: float) -> None:
    _frame(svg, 0, y, WIDTH, "Event time and the watermark (UTC)")
    plot = _Plot(svg, 0, y, WIDTH, batches)
    marks = [b["event"].get("watermark") for b in batches]
    most = [b["event"].get("max") for b in batches]
    seen = [t for t in (*marks, *most) if t is not None]
    if not seen:
        return
    room = max(1.0, max(seen) - min(seen))
    plot.scale(min(seen) - 0.1 * room, max(seen) + 0.05 * room, of_day)
    svg.path(plot.line(most), stroke="accent", stroke_width=2)
    svg.path(plot.line(marks), stroke="warn", stroke_width=2.5, stroke_dasharray="7 3")
    for i, batch in enumerate(batches):
        if batch["late"]:
            svg.text(plot.x(i), plot.base - 3, "✕", fill="bad", bold=True, anchor="middle", size=11)
    foot, dropped = y + _CHART + 26, sum(b["late"] or 0 for b in batches)
    svg.path(f"M{_PAD} {foot - 4}h22", stroke="accent", stroke_width=2)
    svg.text(_PAD + 28, foot, "newest event time of a batch", fill="soft", size=11)
    svg.path(f"M{_PAD + 210} {foot - 4}h22", stroke="warn", stroke_width=2.5, stroke_dasharray="7 3")
    words = f"watermark: older rows are too late (✕ {dropped:,} dropped)"
    svg.text(_PAD + 238, foot, shorten(words, 90), fill="soft", size=11)
