"""A time line as a still picture: the bar with its signs, the moment, and how the cluster was over all of it."""

from __future__ import annotations

from typing import Any

from kafkalab.views.svg import Svg, shorten, text_width
from kafkalab.views.timeline_words import LEGEND, moment, row_at, sign, standing, title, values, weight

_WIDTH, _LEFT, _RIGHT, _PAD = 900.0, 120.0, 64.0, 16.0
_LANE, _STRIP = 20.0, 22.0
#: Signs closer than this share a place.
_ROOM = 19.0
#: name → (what it is called, colour, the lines of its pattern)
_ROWS = {
    "brokers": ("brokers up", "bad", "M-1 1L1 -1M0 6L6 0M5 7L7 5"),
    "leaderless": ("no leader", "bad", "M0 0L6 6M6 0L0 6"),
    "short": ("under-replicated", "warn", "M1.5 0V6"),
    "lag": ("lag", "accent", ""),
}
_STEPS = (0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600)


def to_svg(drawn: dict[str, Any]) -> str:
    """The picture: lanes of signs, the slider with its axis, the strip, the moment as a line through all of it."""
    marks = [*drawn["events"], *({"at": n["at"], "kind": "named", "text": f"★ {n['name']}"} for n in drawn["named"])]
    marks.sort(key=lambda mark: mark["at"])
    lanes = [
        "you",
        "brokers",
        "partitions",
        *(["groups"] if any(sign(m["kind"])[2] == "groups" for m in marks) else []),
    ]
    top = 58.0
    bar = top + len(lanes) * _LANE + 12
    strip = bar + 32
    bottom = strip + len(_ROWS) * _STRIP
    words = title(drawn)
    svg = Svg(_WIDTH, bottom + 34, f"Time line of {drawn['name']}", f"{words}. {standing(drawn)}.")
    svg.text(_PAD, 26, shorten(drawn["name"], 40), size=15, bold=True)
    used = _PAD + text_width(shorten(drawn["name"], 40), 15, bold=True) + 14
    svg.text(used, 26, words.removeprefix(drawn["name"]).removeprefix(" · "), fill="soft", limit=90)
    svg.text(_WIDTH - _PAD, 26, standing(drawn), anchor="end", mono=True, size=13)
    whole = max(drawn["seconds"], 1.0)
    wide = _WIDTH - _LEFT - _RIGHT

    def x(at: float) -> float:
        return float(_LEFT + min(1.0, max(0.0, at / whole)) * wide)

    for i, lane in enumerate(lanes):
        y = top + i * _LANE
        svg.text(_LEFT - 10, y + 4, lane, fill="soft", size=11, anchor="end")
        svg.line(_LEFT, y + 10, _LEFT + wide, y + 10, stroke_dasharray="1 3")
        for place, kind, text, n in _crowded([m for m in marks if sign(m["kind"])[2] == lane], x):
            mark, tone, _ = sign(kind)
            shown = svg.text(place, y + 5, mark if n == 1 else f"{mark}{n}", fill=tone, size=13, anchor="middle")
            svg.hint(shown, text if n == 1 else f"{n} here, first: {text}")
    svg.line(_LEFT, bar, _LEFT + wide, bar, stroke_width=5, stroke_linecap="round")
    svg.line(_LEFT, bar, x(drawn["at"]), bar, stroke="accent", stroke_width=5, stroke_linecap="round")
    step = next((s for s in _STEPS if whole / s <= 12), 7200)
    for i in range(int(whole / step + 1e-9) + 1):
        label = moment(i * step, 1 if step < 1 else 0)
        svg.text(x(i * step), bar + 22, label, fill="soft", size=10.5, anchor="middle", mono=True)
    told = values(drawn)
    for i, name in enumerate(_ROWS):
        _row(svg, name, drawn, strip + i * _STRIP, x, whole)
        y = strip + i * _STRIP + 15
        svg.text(_LEFT - 10, y, _ROWS[name][0], fill="soft", size=11, anchor="end")
        svg.text(_LEFT + wide + 10, y, told[name], size=11, mono=True)
    svg.line(x(drawn["at"]), top - 12, x(drawn["at"]), bottom, stroke="accent", stroke_width=1.5)
    svg.circle(x(drawn["at"]), bar, 7, fill="accent", stroke="bg", stroke_width=2)
    svg.text(_PAD, bottom + 22, LEGEND, fill="soft", size=11, limit=160)
    return svg.to_string()


def _row(svg: Svg, name: str, drawn: dict[str, Any], y: float, x: Any, whole: float) -> None:
    _, tone, lines = _ROWS[name]
    rows = drawn["steps"][name]
    pattern = svg.add("pattern", svg.add("defs"), id=f"kl-tl-{name}", width=6, height=6, patternUnits="userSpaceOnUse")
    svg.add("rect", pattern, width=6, height=6, fill=tone, fill_opacity=0.2)
    if lines:
        svg.add("path", pattern, d=lines, stroke=tone, stroke_width=1.3, fill="none")
    # Of brokers those that are missing hang from the top; the rest stands on the ground.
    hangs = name == "brokers"
    heights = [(row[2] - row[1] if hangs else row[1]) for row in rows]
    most = max([1, *(row[2] for row in rows)] if hangs else [1, *(h or 0 for h in heights)])
    high = _STRIP - 6
    if hangs and rows:
        svg.rect(_LEFT, y + 3, x(whole) - _LEFT, high, fill="ok", fill_opacity=0.16)
    areas: list[str] = []
    edges: list[str] = []
    for i, (row, height) in enumerate(zip(rows, heights, strict=True)):
        begin, end = x(row[0]), x(rows[i + 1][0] if i + 1 < len(rows) else whole)
        if not height:
            continue
        tall = height / most * high
        edge, ground = (y + 3 + tall, y + 3) if hangs else (y + 3 + high - tall, y + 3 + high)
        areas.append(f"M{begin:.1f} {ground:.1f}V{edge:.1f}H{end:.1f}V{ground:.1f}Z")
        edges.append(f"M{begin:.1f} {edge:.1f}H{end:.1f}")
    svg.path("".join(areas), fill=f"url(#kl-tl-{name})")
    svg.path("".join(edges), stroke=tone, stroke_width=1.3)
    if row_at(rows, whole) is not None:
        svg.line(_LEFT, y + _STRIP - 3, x(whole), y + _STRIP - 3)


def _crowded(marks: list[dict[str, Any]], x: Any) -> list[tuple[float, str, str, int]]:
    found: list[tuple[float, str, str, int]] = []
    for mark in marks:
        place = x(mark["at"])
        if found and place - found[-1][0] < _ROOM:
            at, kind, text, n = found[-1]
            found[-1] = (at, max(kind, mark["kind"], key=weight), text, n + 1)
        else:
            found.append((place, mark["kind"], mark["text"], 1))
    return found
