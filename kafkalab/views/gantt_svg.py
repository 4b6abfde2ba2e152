"""The rebalance Gantt as a static picture."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from kafkalab.views.gantt_drawn import Drawn
from kafkalab.views.svg import Svg, on_partition, partition, shorten, text_width

#: The longest stretch that is drawn, seconds before the end.
LONGEST = 300.0
_LANE, _BAR, _LABEL = 26.0, 18.0, 64.0
#: A piece narrower than this would not be seen.
_NARROW = 2.0
_PAUSES = 4


def height(chart: Drawn) -> float:
    """What :func:`gantt` needs, pixels."""
    lanes: int = len(chart["order"])
    told: int = len(chart["pauses"])
    return 44 + max(1, lanes) * _LANE + 26 + 18 * min(_PAUSES, told)


def gantt(svg: Svg, drawn: Drawn, x: float, y: float, width: float) -> None:
    """Draw it into ``svg`` with its upper left corner at (x, y)."""
    chart = drawn["gantt"]
    svg.text(x, y + 14, "Who held what: the rebalances, measured", fill="soft", bold=True)
    if not chart["order"] or drawn["to"] is None:
        svg.text(x, y + 44, "Nobody has held a partition yet.", fill="soft")
        return
    end: float = max(drawn["to"], chart["from"] + 1)
    start: float = max(chart["from"], end - LONGEST)
    left, top = x + _label(chart), y + 34
    scale = (x + width - left) / (end - start)

    def at(t: float | None) -> float:
        return left + (min(max(end if t is None else t, start), end) - start) * scale

    bottom = top + len(chart["order"]) * _LANE
    lengths = {
        (key, pause["from"]): f"{pause['seconds']:.1f} s"
        for pause in chart["pauses"]
        for key in pause["keys"]
        if pause["seconds"] is not None
    }
    free = left
    for when, number in chart["numbers"]:
        if start < when < end:
            svg.line(at(when), top - 4, at(when), bottom, stroke="line")
            if at(when) >= free:
                svg.text(at(when), top - 7, str(number), fill="soft", size=9, anchor="middle")
                free = at(when) + 8 + 6 * len(str(number))
    for i, key in enumerate(chart["order"]):
        lane_y = top + i * _LANE
        topic, _, number = key.rpartition("/")
        label = f"P{number}" if _single(chart) else f"{shorten(topic, 12)} P{number}"
        svg.text(x, lane_y + 13, label, bold=True)
        for piece in chart["lanes"][key]:
            if piece[1] is None or piece[1] > start:
                _piece(svg, chart, piece, int(number), at, lane_y, lengths.get((key, piece[0]), ""))
    _axis(svg, left, x + width, bottom, start, end)
    for i, pause in enumerate(chart["pauses"][:_PAUSES]):
        svg.text(x, bottom + 40 + 18 * i, pause["text"], fill="bad" if _lost(pause) else "soft", size=11, limit=100)


def clock(at: float) -> str:
    """The time of day, UTC."""
    return datetime.fromtimestamp(at, UTC).strftime("%H:%M:%S")


def _lost(pause: dict[str, Any]) -> bool:
    return pause["kind"] == "died" or pause["to"] is None


def _single(chart: Drawn) -> bool:
    return len({key.rpartition("/")[0] for key in chart["order"]}) <= 1


def _label(chart: Drawn) -> float:
    if _single(chart):
        return 34.0
    widest: float = max(text_width(f"{shorten(key, 14)} P", 12, bold=True) for key in chart["order"])
    return 24 + widest


def _piece(svg: Svg, chart: Drawn, piece: list[Any], number: int, at: Any, y: float, length: str) -> None:
    _, _, what, member = piece
    left, right = at(piece[0]), at(piece[1])
    width = max(_NARROW, right - left)
    name = chart["names"].get(member, "") if member else ""
    if what == "held":
        bar = svg.rect(left, y, width, _BAR, rx=4, fill=partition(number))
        _inside(svg, name, left, width, y, on_partition(number))
        svg.hint(bar, f"{name}: {clock(piece[0])} to {'now' if piece[1] is None else clock(piece[1])}")
        return
    if what == "unknown":
        svg.line(left, y + _BAR / 2, right, y + _BAR / 2, stroke="soft", stroke_dasharray="1 4")
        _inside(svg, "not watched", left, width, y, "soft", stroke="panel", stroke_width=5, paint_order="stroke")
        return
    # A gap: outlined, dashed and hatched, so that it is not told by colour alone.
    gap = svg.rect(left, y, width, _BAR, fill="none", stroke="bad", stroke_dasharray="3 3", stroke_width=1.2)
    for k in range(int(width // 6)):
        svg.line(left + 6 * k, y + _BAR, left + 6 * k + 6, y, stroke="bad", stroke_width=0.6)
    if width > 6 + text_width(length, 11, bold=True) and length:
        middle, room = left + width / 2, text_width(length, 11, bold=True) + 6
        svg.rect(middle - room / 2, y + 2, room, _BAR - 4, rx=3, fill="panel")
        svg.text(middle, y + 13, length, size=11, bold=True, anchor="middle")
    meaning = f"still {name}'s in name" if what == "silent" else "nobody"
    svg.hint(gap, f"{meaning}: {clock(piece[0])} to {'now' if piece[1] is None else clock(piece[1])}")


def _inside(svg: Svg, text: str, left: float, width: float, y: float, fill: str, **attributes: Any) -> None:
    room = int((width - 10) / 6.4)
    if room >= 2:
        words = text if len(text) <= room else f"{text[: room - 1]}…"
        svg.text(left + 6, y + 13, words, fill=fill, size=11, **attributes)


def _axis(svg: Svg, left: float, right: float, y: float, start: float, end: float) -> None:
    svg.line(left, y + 2, right, y + 2)
    svg.text(left, y + 16, clock(start), fill="soft", size=10, mono=True)
    svg.text(right, y + 16, f"{clock(end)} UTC", fill="soft", size=10, mono=True, anchor="end")
