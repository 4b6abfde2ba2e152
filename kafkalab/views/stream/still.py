"""The still forms of a StreamView: an SVG with its figures, rates, phases, watermark and lanes; text; HTML."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from html import escape
from math import floor, log10
from typing import Any

from kafkalab.views.stream.picture import PHASES, Drawn, newest
from kafkalab.views.svg import Svg, on_partition, partition, text_width
from kafkalab.views.words import shorten

# --- A StreamView in lines of text, and the words that its static forms share.


#: Maximum number of lanes in the text.
_LANES_SHOWN = 32


def to_text(picture: Drawn) -> str:
    """Return the title, the newest batch's figures, and what it read of each partition."""
    lines = [title(picture)]
    if picture["reason"]:
        lines.append(f"  ✕ {shorten(picture['reason'], 300)}")
    found = newest(picture)
    if found is None:
        return "\n".join([*lines, "  no batch has ended yet"])
    number, batch = found
    lines += [f"  {name:<12} {value}" for name, value in figures(number, batch)]
    lines += [f"  ✕ {mark['words']}: {of_day(mark['at'])} UTC" for mark in picture["marks"]]
    lines += [f"  {key}  {words}" for key, words in lanes(picture, batch)[:_LANES_SHOWN]]
    if picture["unread"]:
        names = ", ".join(lane_name(picture, key) for key in picture["unread"])
        lines.append(f"  ✕ nobody reads {names}")
    return "\n".join(lines)


def title(picture: Drawn) -> str:
    """Return the query's name, how it stands, and its trigger."""
    name = f"Stream {shorten(picture['name'], 60)}" if picture["name"] else "Stream"
    return ", ".join(part for part in (name, picture["words"], picture["trigger"]["words"]) if part)


def figures(number: int, batch: dict[str, Any]) -> list[tuple[str, str]]:
    """Return name and value of each figure of a batch."""
    phases = sorted(((ms, name) for name, ms in batch["phases"].items() if ms), reverse=True)[:3]
    rows = [
        ("batch", f"{number}, {of_day(batch['at'])} UTC, {duration(batch['ms'])}"),
        ("arriving", f"{batch['arriving']:,.0f} rows/s, {batch['rows']:,} in this batch"),
        ("can process", f"{batch['processed']:,.0f} rows/s"),
        ("time went to", ", ".join(f"{name} {duration(ms)}" for ms, name in phases)),
        ("behind", "not told" if batch["behind"] is None else f"{batch['behind']:,} records"),
    ]
    event = batch["event"]
    if event:
        rows.append(("watermark", watermark(batch)))
    if batch["late"] is not None:
        rows.append(("too late", f"{batch['late']:,} row{'' if batch['late'] == 1 else 's'} dropped"))
    if batch["state"]:
        total, size = total_of(batch, "total"), total_of(batch, "bytes")
        rows.append(("state", f"{total:,} rows, {bytes_(size)}"))
    return rows


def lanes(picture: Drawn, batch: dict[str, Any]) -> list[tuple[str, str]]:
    """Return each lane's name, and what the batch read of it."""
    found = []
    for key, (start, end, latest) in batch["lanes"].items():
        read = f"…{end:,}" if start is None else f"{start:,} → {end:,}"
        waits = "" if latest is None else "read to the end" if latest <= end else f"{latest - end:,} wait"
        found.append((lane_name(picture, key), f"{read}  {waits}".rstrip()))
    return found


def lane_name(picture: Drawn, key: str) -> str:
    """Return a lane's name: ``P3``, with the topic when there are several."""
    topics = {(lane["source"], lane["topic"]) for lane in picture["lanes"].values()}
    lane = picture["lanes"][key]
    return f"P{lane['partition']}" if len(topics) == 1 else f"{shorten(lane['topic'], 30)} P{lane['partition']}"


def watermark(batch: dict[str, Any]) -> str:
    """Return where the watermark stands, and how far it is behind the newest event time of the batch."""
    event = batch["event"]
    if not event or event["watermark"] is None:
        return "not known yet" if event else "none is set"
    words = f"{of_day(event['watermark'])} UTC"
    if event["max"] is not None:
        words += f", {lasting(event['max'] - event['watermark'])} behind the newest event"
    return words


def total_of(batch: dict[str, Any], name: str) -> int:
    """Return a figure of the state, summed over all operators."""
    return sum(operator[name] for operator in batch["state"])


def of_day(at: float) -> str:
    """Return Unix seconds as a time of day, UTC."""
    return datetime.fromtimestamp(at, UTC).strftime("%H:%M:%S")


def duration(ms: float) -> str:
    """Return milliseconds as text: ``462 ms``, ``6.99 s``."""
    return f"{ms:.0f} ms" if ms < 1000 else f"{ms / 1000:.2f} s" if ms < 10_000 else lasting(ms / 1000)


def lasting(seconds: float) -> str:
    """Return seconds as text: ``48 s``, ``1:10 min``, ``2:05 h``."""
    size, sign = abs(seconds), "−" if seconds < 0 else ""
    if size < 60:
        return f"{sign}{size:.3g} s"
    whole = round(size)
    if whole < 3600:
        return f"{sign}{whole // 60}:{whole % 60:02} min"
    return f"{sign}{whole // 3600}:{whole % 3600 // 60:02} h"


def bytes_(n: int) -> str:
    """Return a number of bytes as text: ``3.6 kB``."""
    for size, unit in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if n >= size:
            return f"{n / size:.1f} {unit}"
    return f"{n} B"


# --- The lanes of a StreamView in a static SVG: which offsets of each partition the last batches read, and what waits.


#: Maximum number of batches that are drawn on a lane.
BATCHES = 12

_PAD = 12.0
_HIGH = 22.0
_STEP = 31.0


def draw_lanes(svg: Svg, picture: Drawn, numbers: Sequence[int], y: float, width: float) -> float:
    """Draw the lanes of the last of these batches below ``y``; return where they end."""
    shown = [(n, picture["batches"][str(n)]) for n in numbers[-BATCHES:]]
    keys = list(picture["lanes"])
    lanes = {key: [(n, batch["lanes"][key]) for n, batch in shown if key in batch["lanes"]] for key in keys}
    names = max(len(lane_name(picture, key)) for key in keys)
    left, words = _PAD + 12 + 7.2 * names, 210.0
    space = width - left - words - _PAD
    end_at, rest = left + 0.76 * space, 0.24 * space - 12
    span = max(1, *(_read(found) for found in lanes.values()))
    waiting = max(0, *(_behind(found) for found in lanes.values()))
    scale = 0.76 * space / span
    waits = scale if waiting * scale <= rest else rest / waiting
    height = 30 + _STEP * len(keys) + 22
    svg.rect(0.5, y + 0.5, width - 1, height, rx=10, fill="panel", stroke="line")
    svg.text(_PAD, y + 19, f"Kafka's offsets, as the last {len(shown)} batches read them", fill="soft", bold=True)
    for i, key in enumerate(keys):
        _lane(svg, picture, key, lanes[key], y + 32 + i * _STEP, (left, end_at, width - _PAD), scale, waits)
    foot = y + height - 7
    signs = "numbered: read by that batch  ·  ◆ read so far  ·  dashed: waits to be read  ·  │ newest offset"
    svg.text(_PAD, foot, signs + ("" if waits == scale else " (not to scale)"), fill="soft", size=11, limit=140)
    return y + height


def _lane(
    svg: Svg,
    picture: Drawn,
    key: str,
    found: list[tuple[int, list[Any]]],
    y: float,
    places: tuple[float, float, float],
    scale: float,
    waits: float,
) -> None:
    left, end_at, right = places
    number = picture["lanes"][key]["partition"]
    colour = partition(number)
    svg.text(_PAD, y + 15, lane_name(picture, key), fill=colour, bold=True)
    svg.line(left, y + _HIGH / 2, right - 210, y + _HIGH / 2)
    if not found:
        return
    end, latest = found[-1][1][1], found[-1][1][2]
    for batch, (start, stop, _) in found:
        if start is None or stop <= start:
            continue
        x, wide = end_at - (end - start) * scale, max(1.5, (stop - start) * scale - 1.5)
        rect = svg.rect(x, y, wide, _HIGH, rx=3, fill=colour, opacity=0.8 if batch % 2 else 0.6)
        svg.hint(rect, f"batch {batch}: offsets {start} to {stop - 1}")
        if wide > 7.5 * len(str(batch)) + 4:
            svg.text(x + wide / 2, y + 15, batch, fill=on_partition(number), size=10, bold=True, anchor="middle")
    svg.path(f"M{end_at:.1f} {y - 4:.1f}l4 4l-4 4l-4 -4z", fill="ink")
    gap = _behind(found)
    if gap:
        svg.rect(end_at + 2, y + 1, max(3.0, gap * waits), _HIGH - 2, rx=3, fill="none", stroke=colour,
                 stroke_width=1.5, stroke_dasharray="4 3")  # fmt: skip
    if latest is not None:
        at = end_at + 4 + (max(3.0, gap * waits) if gap else 0)
        svg.line(at, y - 3, at, y + _HIGH + 3, "ink", stroke_width=2)
    left_over = "" if latest is None else "nothing waits" if not gap else f"{gap:,} wait"
    if key in picture["unread"]:
        left_over = f"✕ not read, {gap:,}"
    svg.text(right, y + 15, f"{end:,} · {left_over}", anchor="end", size=11)


def _read(found: list[tuple[int, list[Any]]]) -> int:
    starts = [start for _, (start, stop, _) in found if start is not None and stop > start]
    return found[-1][1][1] - min(starts) if starts else 0


def _behind(found: list[tuple[int, list[Any]]]) -> int:
    if not found or found[-1][1][2] is None:
        return 0
    return max(0, int(found[-1][1][2]) - int(found[-1][1][1]))


WIDTH = 1000.0
_GAP = 10.0
_HALF = (WIDTH - _GAP) / 2
_CHART = 176.0
_SHOWN = 60

#: Colour and hatching of each phase: as in the live view, several share a colour, but no two share a hatching.
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
    """Return the whole picture as SVG, for light and dark pages."""
    # It is drawn twice, because its height is known only once it is drawn.
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
    """The area of a chart: a slot for each batch, and values from ``bottom`` to ``top``."""

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
        """Set the range of values that is shown, and draw three lines with their values."""
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
    """Return the top of an axis: the highest value, or, when one is far above the others, a top for the others."""
    found = sorted(values)
    most, usual = found[-1], found[int(0.9 * (len(found) - 1))]
    return _round(1.25 * usual if len(found) >= 6 and usual and most > 3 * usual else most)


def _round(value: float) -> float:
    """Return the next number that reads well, and whose half does, too."""
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
    words = f"watermark: older rows may be too late (✕ {dropped:,} dropped)"
    svg.text(_PAD + 238, foot, shorten(words, 90), fill="soft", size=11)


# --- A StreamView as static HTML, for where no kernel runs: the picture, and its last batches and offsets as tables.


_BATCHES = 10
_LEFT = ' style="text-align:left"'


def to_html(picture: Drawn) -> str:
    """Return the picture with its text alternative, and tables. Text from outside is escaped.

    The picture is an image, because sites that show notebooks drop inline SVG.
    """
    found = newest(picture)
    parts = [f"<p><strong>{escape(title(picture))}</strong></p>"]
    if picture["reason"]:
        advice = f"<br>{escape(shorten(picture['advice'], 300))}" if picture["advice"] else ""
        parts.append(f"<p>✕ {escape(shorten(picture['reason'], 300))}{advice}</p>")
    if found is None:
        return f"<div>{''.join(parts)}<p>No batch has ended yet.</p></div>"
    alt = escape("; ".join(f"{name} {value}" for name, value in figures(*found)))
    image = base64.b64encode(to_svg(picture).encode()).decode()
    parts.append(f'<img alt="{alt}" src="data:image/svg+xml;base64,{image}">')
    parts.append(_batches(picture))
    parts.append(_offsets(picture, *found))
    parts += [f"<p>{escape(note)}</p>" for name, note in picture["notes"].items() if note and name != "rates"]
    return f"<div>{''.join(parts)}</div>"


def _batches(picture: Drawn) -> str:
    numbers = sorted(map(int, picture["batches"]))[-_BATCHES:]
    some = [picture["batches"][str(n)] for n in numbers]
    head = ["Batch", "began (UTC)", "took", "rows", "arriving/s", "can process/s", "behind"]
    marks, state = any(b["event"] for b in some), any(b["state"] for b in some)
    head += ["watermark", "too late"] if marks else []
    head += ["state rows", "memory"] if state else []
    rows = []
    for number, batch in zip(numbers, some, strict=True):
        cells = [
            of_day(batch["at"]), duration(batch["ms"]), f"{batch['rows']:,}", f"{batch['arriving']:,.0f}",
            f"{batch['processed']:,.0f}", "–" if batch["behind"] is None else f"{batch['behind']:,}",
        ]  # fmt: skip
        if marks:
            cells += [watermark(batch), f"{batch['late'] or 0:,}"]
        if state:
            cells += [f"{total_of(batch, 'total'):,}", bytes_(total_of(batch, "bytes"))]
        rows.append([str(number), *cells])
    return _table("The last batches", head, rows)


def _offsets(picture: Drawn, number: int, batch: dict[str, Any]) -> str:
    rows = []
    for key, (start, end, latest) in batch["lanes"].items():
        left = "–" if latest is None else f"{max(0, latest - end):,}"
        mark = " ✕ not read" if key in picture["unread"] else ""
        newest_offset = "–" if latest is None else f"{latest:,}"
        rows.append(
            [lane_name(picture, key), "–" if start is None else f"{start:,}", f"{end:,}", newest_offset, left + mark]
        )
    head = ["Partition", "from", "up to", "newest", "behind"]
    return _table(f"Offsets that batch {number} read", head, rows) if rows else ""


def _table(caption: str, head: list[str], rows: list[list[str]]) -> str:
    top = "".join(f'<th scope="col">{escape(word)}</th>' for word in head)
    body = "".join(
        f'<tr><th scope="row"{_LEFT}>{escape(first)}</th>{"".join(f"<td>{escape(cell)}</td>" for cell in rest)}</tr>'
        for first, *rest in rows
    )
    return (
        f"<table><caption{_LEFT}>{escape(caption)}</caption><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"
    )
