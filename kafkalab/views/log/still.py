"""The still forms of a topic's logs: an SVG with the last records of every partition, a table, and text."""

from __future__ import annotations

from datetime import UTC, datetime
from html import escape
from typing import Any

from kafkalab.views.cluster.picture import count
from kafkalab.views.log.picture import Drawn, lag
from kafkalab.views.svg import Svg, key_colour, partition, text_width
from kafkalab.views.words import shorten

#: Maximum number of lanes, offsets and groups in a still picture.
LANES, OFFSETS, GROUPS = 16, 40, 4

_LEFT, _PITCH, _SIZE, _TOP, _ROW = 118, 21, 18, 56, 15
_LEGEND = ("numbers: offsets", "letter and colour: the key", "∅ no key", "│ high watermark",
           "pale: not committed yet", "▲ committed offset of a group", "dashed: deleted")  # fmt: skip
#: Pixels to the right of the log ends, for the words beside a marker.
_RIGHT = 210


def to_svg(drawn: Drawn) -> str:
    """Return the picture as SVG; ``drawn`` comes from :func:`kafkalab.views.log.picture.drawn`."""
    lanes = list(drawn["lanes"].items())[:LANES]
    groups = [(name, g) for name, g in drawn["groups"].items()][:GROUPS]
    followed = list(drawn["positions"].items())[:GROUPS]
    height_of = {
        key: 58 + _ROW * (sum(key in g["lanes"] for _, g in groups) + sum(key in at for _, at in followed))
        for key, _ in lanes
    }
    height = _TOP + sum(height_of.values()) + 34 + (18 if len(drawn["lanes"]) > LANES else 0)
    width = _LEFT + OFFSETS * _PITCH + _RIGHT
    svg = Svg(width, height, f"{drawn['topic']}, the log of each partition", _described(drawn))
    svg.text(14, 24, f"{drawn['topic']}, the log of each partition", bold=True, size=13, limit=120)
    if not lanes:
        svg.text(14, 48, missing(drawn), fill="soft")
    y = float(_TOP)
    for key, lane in lanes:
        read_by = [(name, at[key]) for name, at in followed if key in at]
        _lane(svg, y, int(key), lane, drawn["tails"].get(key), [(n, g["lanes"].get(key)) for n, g in groups], read_by)
        y += height_of[key]
    if len(drawn["lanes"]) > LANES:
        svg.text(14, y + 6, f"… and {len(drawn['lanes']) - LANES} more partitions", fill="soft")
        y += 18
    x = 14.0
    for words in _LEGEND:  # each on its own, because SVG joins several spaces into one
        svg.text(x, y + 14, words, fill="soft", size=11)
        x += text_width(words, 11) + 24
    return svg.to_string()


def missing(drawn: Drawn) -> str:
    """Return the sentence that says why there is no lane."""
    if not drawn["looked"]:
        return "The cluster has not been read yet."
    return (
        f"There is no topic {shorten(drawn['topic'])} here." if not drawn["found"] else "The topic has no partitions."
    )


def _described(drawn: Drawn) -> str:
    return "; ".join(
        f"partition {key}: start {lane['start']}, high watermark {lane['high']}, log end {lane['end']}"
        for key, lane in list(drawn["lanes"].items())[:LANES]
    )


def _lane(
    svg: Svg,
    y: float,
    p: int,
    lane: Drawn,
    tail: Drawn | None,
    groups: list[tuple[str, Any]],
    read_by: list[tuple[str, int]],
) -> None:
    svg.text(14, y + 14, f"P{p}", fill=partition(p), bold=True)
    svg.text(
        40, y + 14, f"leader {lane['leader']}" if lane["leader"] is not None else "no leader", fill="soft", size=11
    )
    start, high, end = lane["start"], lane["high"], lane["end"]
    if start is None or high is None or end is None:
        svg.text(_LEFT, y + 14, "its offsets are not known now: no leader answers", fill="soft")
        return
    first = max(0, end - OFFSETS)

    def x(offset: int) -> float:
        return float(_LEFT + (min(max(offset, first), end) - first) * _PITCH)

    for offset in range(first, min(start, end)):
        svg.rect(x(offset), y, _SIZE, 20, rx=4, fill="none", stroke="line", stroke_dasharray="2 3")
    _offsets(svg, y, first, start, end, x)
    cells = {c[0]: c for c in tail["cells"]} if tail else {}
    for offset in range(max(first, start), end):
        _cell(svg, x(offset), y, cells.get(offset), tail, offset, pale=offset >= high)
    svg.line(x(high) - 1.5, y - 4, x(high) - 1.5, y + 24, stroke="ink", stroke_width=2)
    row = y + 24
    for name, at in groups:
        if at is None:
            continue
        _committed(
            svg,
            row,
            name,
            at,
            lag(lane, at["committed"]),
            x,
            high,
            at["committed"] is not None and at["committed"] < first,
        )
        row += _ROW
    for name, position in read_by:
        _stands(svg, row, name, position, x, position < first)
        row += _ROW


def _offsets(svg: Svg, y: float, first: int, start: int, end: int, x: Any) -> None:
    """Write offsets above a lane: the first and the last record's, every fifth between them, and how many are cut."""
    low, last = max(first, start), end - 1
    marked = {low, last, *range(-5 * (-low // 5), end, 5)} if end > start else {end}
    # Not two numbers side by side; the ends have precedence.
    kept = [at for at in sorted(marked) if at in (low, last, end) or (at - low >= 3 and last - at >= 3)]
    for at in kept:
        svg.text(x(at) + _SIZE / 2, y - 5, str(at), fill="soft", size=9, anchor="middle")
    if low > start:
        svg.text(_LEFT - 6, y + 28, f"… {count(low - start)} earlier", fill="soft", size=9, anchor="end")


def _cell(svg: Svg, x: float, y: float, cell: Any, tail: Drawn | None, offset: int, *, pale: bool) -> None:
    if cell is None:
        read = tail is not None and tail["from"] <= offset < tail["to"]
        hole = svg.text(x + _SIZE / 2, y + 14, "·" if read else "…", fill="soft", anchor="middle")
        svg.hint(hole, f"offset {offset}: {'no record (compacted away)' if read else 'not read'}")
        return
    _, kind, sign, colour, key, value = cell[:6]
    own = colour >= 0
    solid = kind == "r" and own
    shape = svg.group(opacity=0.45 if pale else None)
    svg.add(
        "rect", shape, x=x, y=y, width=_SIZE, height=20, rx=4,
        fill=key_colour(colour, 30) if solid else "bg", stroke=key_colour(colour, 55, "ink") if own else "soft",
        stroke_width=1.5, stroke_dasharray=None if own else "1 2",
    )  # fmt: skip
    size = 8 if len(sign) > 2 or (len(sign) == 2 and set(sign) & set("mwMW@%")) else 10
    letter = svg.text(x + _SIZE / 2, y + 14, sign, fill="ink", size=size, bold=True, anchor="middle")
    svg.root.remove(letter)
    shape.append(letter)
    svg.hint(shape, f"offset {offset} · key {'null' if key is None else key} · {'null' if value is None else value}")


def _stands(svg: Svg, y: float, name: str, position: int, x: Any, off: bool) -> None:
    """Draw where a consumer of this kernel reads next, with a hollow marker, because it is no committed offset."""
    here = x(position)
    svg.path(f"M{here - 1.5:.1f} {y:.1f} l5 9 h-10z", fill="bg", stroke="ink", stroke_width=1.2)
    words = f"{'◂ ' if off else ''}{shorten(name, 30)} reads {position} next"
    room = here + 8 + text_width(words, 11) < svg.width
    svg.text(here + 8 if room else here - 8, y + 11, words, size=11, anchor=None if room else "end")


def _committed(svg: Svg, y: float, name: str, at: Drawn, behind: int | None, x: Any, high: int, off: bool) -> None:
    who = shorten(name, 30) + (f" · {shorten(at['member'], 30)}" if at["member"] else "")
    if at["committed"] is None:
        svg.text(_LEFT, y + 11, f"{who} · nothing committed yet", fill="accent", size=11)
        return
    here = x(at["committed"])
    words = f"{'◂ ' if off else ''}{who} · committed {at['committed']} · lag {behind}"
    if behind:
        svg.line(here, y + 2, x(high), y + 2, stroke="accent", stroke_width=3, opacity=0.55)
    svg.path(f"M{here - 1.5:.1f} {y:.1f} l5 9 h-10z", fill="accent")
    room = here + 8 + text_width(words, 11) < svg.width
    svg.text(here + 8 if room else here - 8, y + 11, words, fill="accent", size=11, anchor=None if room else "end")


# --- The logs of a topic as a table and as text: what a notebook shows where no kernel runs, and what a terminal shows.


_LANES, _GROUPS, _RECORDS = 60, 8, 6
#: Maximum number of characters for the keys of a lane's newest records.
_SIGNS = 48


def to_html(drawn: Drawn) -> str:
    """Return a table with a row per partition: leader, log start and end, groups' committed offsets, last records."""
    title = f"<strong>{_text(drawn['topic'], 120)}</strong>, the log of each partition"
    if not drawn["lanes"]:
        return f"<div><p>{title}</p><p>{_text(missing(drawn), 200)}</p></div>"
    groups = list(drawn["groups"])[:_GROUPS]
    names = ["Partition", "Leader", "Log start", "High watermark", "Log end"]
    heads = [*names, *(f"▲ {shorten(g)}" for g in groups), "Last records, newest last"]
    head = "".join(f'<th scope="col" style="text-align:left">{_text(name, 60)}</th>' for name in heads)
    lanes = list(drawn["lanes"].items())
    rows = "".join(_row(drawn, key, lane, groups) for key, lane in lanes[:_LANES])
    more = f"<p>… and {len(lanes) - _LANES} more partitions.</p>" if len(lanes) > _LANES else ""
    error = (
        f"<p>The cluster does not answer now: {_text(drawn['error']['text'].splitlines()[0], 300)}</p>"
        if drawn["error"]
        else ""
    )
    moment = "A picture of one moment"
    if drawn["at"] is not None:
        moment += datetime.fromtimestamp(drawn["at"], UTC).strftime(", %Y-%m-%d %H:%M:%S UTC")
    notes = "From log start to high watermark records can be read; from there to the log end they are not committed yet"
    return (
        f"<div>{error}<table><caption>{title}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
        f"{more}<p><small>{notes}. {moment}.</small></p></div>"
    )


def _row(drawn: Drawn, key: str, lane: Drawn, groups: list[str]) -> str:
    leader = "nobody" if lane["leader"] is None else f"{lane['leader']}{'' if lane['alive'] else ' (down)'}"
    figures = [leader, *(_count(lane[name]) for name in ("start", "high", "end"))]
    cells = "".join(f'<td style="text-align:left">{escape(figure)}</td>' for figure in figures)
    for name in groups:
        cells += (
            f'<td style="text-align:left">{_text(committed(lane, drawn["groups"][name]["lanes"].get(key)), 90)}</td>'
        )
    last = (drawn["tails"].get(key) or {"cells": []})["cells"][-_RECORDS:]
    cells += f'<td style="text-align:left"><code>{_text("  ".join(_brief(c) for c in last), 300)}</code></td>'
    return f'<tr><th scope="row" style="text-align:left">P{escape(key)}</th>{cells}</tr>'


def committed(lane: Drawn, at: Drawn | None) -> str:
    """Return a group's committed offset in a lane, its lag, and the member that reads the lane, in words."""
    if at is None:
        return "–"
    who = f" · {shorten(at['member'], 30)}" if at["member"] else ""
    if at["committed"] is None:
        return f"nothing committed{who}"
    behind = lag(lane, at["committed"])
    return f"{count(at['committed'])} · lag {'unknown' if behind is None else count(behind)}{who}"


def _brief(cell: list[Any]) -> str:
    offset, kind, sign, _, key, value = cell[:6]
    if kind in "cax":
        return f"{offset}:{ {'c': 'commit', 'a': 'abort'}.get(kind, 'control') }"
    return f"{offset}:{sign if key is None else shorten(key, 12)}={'null' if value is None else shorten(value, 24)}"


def _count(n: int | None) -> str:
    return "unknown" if n is None else count(n)


def _text(text: str, limit: int) -> str:
    return escape(shorten(text, limit))


def to_text(drawn: Drawn) -> str:
    """Return a line per partition, with a line per group beneath it."""
    lines = [f"{shorten(drawn['topic'], 120)}, the log of each partition"]
    if drawn["error"]:
        lines.append(f"the cluster does not answer now: {shorten(drawn['error']['text'].splitlines()[0], 200)}")
    if not drawn["lanes"]:
        lines.append(missing(drawn))
    for key, lane in list(drawn["lanes"].items())[:_LANES]:
        leader = "no leader" if lane["leader"] is None else f"leader {lane['leader']}"
        pale = (lane["end"] or 0) - (lane["high"] or 0)
        beyond = f", {count(pale)} not committed yet" if pale > 0 else ""
        cells = (drawn["tails"].get(key) or {"cells": []})["cells"][-12:]
        while len(" ".join(shorten(c[2]) for c in cells)) > _SIGNS:
            cells = cells[1:]
        earlier = cells[0][0] - (lane["start"] or 0) if cells else 0
        signs = (f"… {count(earlier)} earlier " if earlier > 0 else "") + " ".join(shorten(c[2]) for c in cells)
        span = f"start {_count(lane['start'])} │ high watermark {_count(lane['high'])}{beyond}"
        lines.append(f"P{key} {leader}  {span}  {signs}".rstrip())
        for name, group in list(drawn["groups"].items())[:_GROUPS]:
            if key in group["lanes"]:
                lines.append(f"   ▲ {shorten(name)} committed {committed(lane, group['lanes'][key])}")
        for name, at in list(drawn["positions"].items())[:_GROUPS]:
            if key in at:
                lines.append(f"   △ {shorten(name)} reads {at[key]} next")
    if len(drawn["lanes"]) > _LANES:
        lines.append(f"… and {len(drawn['lanes']) - _LANES} more partitions")
    return "\n".join(lines)
