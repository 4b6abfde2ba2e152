"""The lanes of a StreamView in a static SVG: which offsets of each partition the last batches read, and what waits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kafkalab.views.stream_drawn import Drawn
from kafkalab.views.stream_text import lane_name
from kafkalab.views.svg import Svg, on_partition, partition

#: So many batches are drawn on a lane.
BATCHES = 12

_PAD = 12.0
_HIGH = 22.0
_STEP = 31.0


def draw_lanes(svg: Svg, picture: Drawn, numbers: Sequence[int], y: float, width: float) -> float:
    """Draw the lanes of the last of these batches below ``y``; returns where they end."""
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
