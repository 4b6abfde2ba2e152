"""The still forms of a time line: an SVG with its signs, the moment and the cluster's health; a table; text."""

from __future__ import annotations

from bisect import bisect_right
from datetime import UTC, datetime
from html import escape
from typing import Any

from kafkalab.state.event import kind_of
from kafkalab.views.cluster.picture import count
from kafkalab.views.svg import Svg, text_width
from kafkalab.views.words import shorten

# --- The time line in words: moments, and the cluster's health, with the same words as ``views/timeline/moments.js``.


LEGEND = "▸ you did  ★ named  ✕ failed  ♛ another leader  ◌ the ISR shrank  ● back again  ⇄ a group changed"

#: Tone of an event → colour in a picture; other tones are colours themselves.
_COLOURS = {"you": "accent", "lead": "ink", "plain": "ink"}


def sign(kind: str) -> tuple[str, str]:
    """Return the sign and colour of a kind of event."""
    found = kind_of(kind)
    return found.sign, _COLOURS.get(found.tone, found.tone)


def moment(seconds: float, digits: int = 1) -> str:
    """Return seconds since the beginning as a clock: "2:14.3", "1:02:14.3"."""
    tens = 10**digits
    whole = int(max(0.0, seconds) * tens + 1e-6)
    s = whole // tens
    fraction = f".{whole % tens:0{digits}d}" if digits else ""
    hours, minutes = s // 3600, s % 3600 // 60
    return (f"{hours}:{minutes:02d}" if hours else f"{minutes}") + f":{s % 60:02d}{fraction}"


def row_at(rows: list[list[Any]], at: float) -> list[Any] | None:
    """Return the row of a step function that holds at a moment; None before the first row."""
    place = bisect_right(rows, at + 0.0005, key=lambda row: row[0])
    return rows[place - 1] if place else None


def brokers_up(drawn: dict[str, Any]) -> str:
    """Return how many brokers were up at the moment: "2 of 3 brokers up"."""
    row = row_at(drawn["steps"]["brokers"], drawn["at"])
    return "not read yet" if row is None else f"{row[1]} of {row[2]} broker{'' if row[2] == 1 else 's'} up"


def values(drawn: dict[str, Any]) -> dict[str, str]:
    """Return the cluster's health at the moment: name of a row → value as text."""
    at, steps = drawn["at"], drawn["steps"]
    rows = {name: row_at(steps[name], at) for name in ("brokers", "leaderless", "short", "lag")}
    told = {name: "–" if row is None or row[1] is None else count(row[1]) for name, row in rows.items()}
    if rows["brokers"]:
        told["brokers"] = f"{rows['brokers'][1]}/{rows['brokers'][2]}"
    return told


def title(drawn: dict[str, Any]) -> str:
    """Return a title: "truck-lab · Kafka 3.9.2 · ZooKeeper · local processes · 2 of 3 brokers up"."""
    return " · ".join(filter(None, (drawn["name"], drawn["kafka"], drawn["label"], brokers_up(drawn))))


def standing(drawn: dict[str, Any]) -> str:
    """Return where the playhead stands: "0:12.4 of 2:14, live", "…, recorded"."""
    return f"{moment(drawn['at'])} of {moment(drawn['seconds'])}, {'live' if drawn['live'] else 'recorded'}"


_WIDTH, _LEFT, _RIGHT, _PAD = 900.0, 120.0, 64.0, 16.0
_LANE, _STRIP = 20.0, 22.0
#: Distance in pixels below which signs share a place.
_ROOM = 19.0
#: name → (label, colour, the lines of its pattern)
_STRIPS = {
    "brokers": ("brokers up", "bad", "M-1 1L1 -1M0 6L6 0M5 7L7 5"),
    "leaderless": ("no leader", "bad", "M0 0L6 6M6 0L0 6"),
    "short": ("under-replicated", "warn", "M1.5 0V6"),
    "lag": ("lag", "accent", ""),
}
_STEPS = (0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600)


def to_svg(drawn: dict[str, Any]) -> str:
    """Return an SVG: lanes of signs, the slider and its axis, the strip, and a line through all of it at the moment."""
    marks = [*drawn["events"], *({"at": n["at"], "kind": "named", "text": f"★ {n['name']}"} for n in drawn["named"])]
    marks.sort(key=lambda mark: mark["at"])
    lanes = [
        "you",
        "brokers",
        "partitions",
        *(["groups"] if any(kind_of(m["kind"]).lane == "groups" for m in marks) else []),
    ]
    top = 58.0
    bar = top + len(lanes) * _LANE + 12
    strip = bar + 32
    bottom = strip + len(_STRIPS) * _STRIP
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
        for place, kind, text, n in _crowded([m for m in marks if kind_of(m["kind"]).lane == lane], x):
            mark, tone = sign(kind)
            shown = svg.text(place, y + 5, mark if n == 1 else f"{mark}{n}", fill=tone, size=13, anchor="middle")
            svg.hint(shown, text if n == 1 else f"{n} here, first: {text}")
    svg.line(_LEFT, bar, _LEFT + wide, bar, stroke_width=5, stroke_linecap="round")
    svg.line(_LEFT, bar, x(drawn["at"]), bar, stroke="accent", stroke_width=5, stroke_linecap="round")
    step = next((s for s in _STEPS if whole / s <= 12), 7200)
    for i in range(int(whole / step + 1e-9) + 1):
        label = moment(i * step, 1 if step < 1 else 0)
        svg.text(x(i * step), bar + 22, label, fill="soft", size=10.5, anchor="middle", mono=True)
    told = values(drawn)
    for i, name in enumerate(_STRIPS):
        _row(svg, name, drawn, strip + i * _STRIP, x, whole)
        y = strip + i * _STRIP + 15
        svg.text(_LEFT - 10, y, _STRIPS[name][0], fill="soft", size=11, anchor="end")
        svg.text(_LEFT + wide + 10, y, told[name], size=11, mono=True)
    svg.line(x(drawn["at"]), top - 12, x(drawn["at"]), bottom, stroke="accent", stroke_width=1.5)
    svg.circle(x(drawn["at"]), bar, 7, fill="accent", stroke="bg", stroke_width=2)
    svg.text(_PAD, bottom + 22, LEGEND, fill="soft", size=11, limit=160)
    return svg.to_string()


def _row(svg: Svg, name: str, drawn: dict[str, Any], y: float, x: Any, whole: float) -> None:
    _, tone, lines = _STRIPS[name]
    rows = drawn["steps"][name]
    pattern = svg.add("pattern", svg.add("defs"), id=f"kl-tl-{name}", width=6, height=6, patternUnits="userSpaceOnUse")
    svg.add("rect", pattern, width=6, height=6, fill=tone, fill_opacity=0.2)
    if lines:
        svg.add("path", pattern, d=lines, stroke=tone, stroke_width=1.3, fill="none")
    # Missing brokers hang from the top; the other rows stand on the ground.
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
            found[-1] = (at, max(kind, mark["kind"], key=lambda name: kind_of(name).weight), text, n + 1)
        else:
            found.append((place, mark["kind"], mark["text"], 1))
    return found


# --- A time line as static HTML, which is a table of what happened, and as text; what the cluster told is escaped.


#: Maximum number of events in the table, and in the text.
_LISTED, _SAID = 60, 12
_ROWS = {
    "brokers": "brokers up",
    "leaderless": "partitions without a leader",
    "short": "under-replicated",
    "lag": "lag",
}


def to_html(drawn: dict[str, Any]) -> str:
    """Return the cluster's health at the moment, and a table of events and named moments, the later ones slanted."""
    cell = '<td style="text-align:left">'
    rows = []
    happened = _happened(drawn)
    for event in happened[:_LISTED]:
        mark = sign(event["kind"])[0]
        since = "" if event.get("since") is None else f"{event['since']:+.2f} s"
        later = event["at"] > drawn["at"] + 0.0005
        text = escape(shorten(event["text"], 300))
        rows.append(
            f"<tr>{cell}{moment(event['at'])}</td>{cell}{since}</td>{cell}{mark}</td>"
            f"{cell}{f'<i>{text}</i>' if later else text}</td></tr>"
        )
    heads = "".join(f'<th scope="col" style="text-align:left">{h}</th>' for h in ("at", "since you acted", "", "what"))
    table = f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>" if rows else ""
    more = len(happened) - _LISTED
    began = datetime.fromtimestamp(drawn["began"], UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    now = " · ".join(f"{_ROWS[name]}: {words}" for name, words in values(drawn).items())
    parts = [
        f"<p><strong>{escape(shorten(title(drawn), 300))}</strong><br>{escape(standing(drawn))}; began {began}</p>",
        f"<p>{escape(now)}</p>",
        f"<p>{escape(shorten(drawn['problem'], 600))}</p>" if drawn["problem"] else "",
        table or "<p>Nothing happened.</p>",
        f"<p>… and {more} more</p>" if more > 0 else "",
        "<p><small>Events in italics came after the moment shown.</small></p>" if rows else "",
    ]
    return f"<div>{''.join(parts)}</div>"


def to_text(drawn: dict[str, Any]) -> str:
    """Return a few lines: the cluster, the moment, and what happened around it."""
    happened = _happened(drawn)
    now = sum(event["at"] <= drawn["at"] + 0.0005 for event in happened)
    first = max(0, min(now - _SAID // 2, len(happened) - _SAID))
    lines = [
        shorten(title(drawn), 200),
        f"{standing(drawn)} · {', '.join(f'{_ROWS[name]} {words}' for name, words in values(drawn).items())}",
    ]
    if drawn["problem"]:
        lines.append(shorten(drawn["problem"], 300))
    for i, event in enumerate(happened[first : first + _SAID], first):
        here = "▶" if i == now - 1 else " "
        lines.append(f"{here} {moment(event['at']):>8}  {sign(event['kind'])[0]} {shorten(event['text'], 160)}")
    if len(happened) > _SAID:
        lines.append(f"  {len(happened)} events in all")
    return "\n".join(lines)


def _happened(drawn: dict[str, Any]) -> list[dict[str, Any]]:
    named = [{"at": n["at"], "kind": "named", "text": n["name"]} for n in drawn["named"]]
    return sorted([*drawn["events"], *named], key=lambda event: event["at"])
