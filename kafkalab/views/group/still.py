"""The still forms of a group: an SVG with the graph and the Gantt beside it, text, and tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from kafkalab.state.changes import spans
from kafkalab.views.cluster.picture import count
from kafkalab.views.group.gantt import clock, gantt_svg
from kafkalab.views.group.gantt import height as gantt_height
from kafkalab.views.group.picture import IDLE, Drawn
from kafkalab.views.svg import Svg, partition, text_width
from kafkalab.views.words import shorten

_WIDTH, _GRAPH, _GAP, _PAD = 1140.0, 560.0, 12.0, 14.0
_ROW, _BOX = 38.0, 28.0
_LEFT, _RIGHT = 130.0, 190.0


def to_svg(drawn: Drawn) -> str:
    """Return the picture as SVG, for light and dark pages."""
    rows = max(len(drawn["order"]), len(drawn["ranks"]), 1)
    row = _ROW if rows <= 16 else 26.0
    inner = 40 + rows * row + 10
    height = max(inner, gantt_height(drawn["gantt"])) + 2 * _PAD
    svg = Svg(_WIDTH, height + 34, f"Consumer group {drawn['group']}", headline(drawn))
    for x, width in ((0.0, _GRAPH), (_GRAPH + _GAP, _WIDTH - _GRAPH - _GAP)):
        svg.rect(x + 0.5, 0.5, width - 1, height - 1, rx=10, fill="panel", stroke="line")
    svg.text(_PAD, _PAD + 14, headline(drawn), fill="soft", bold=True, limit=72)
    _graph(svg, drawn, _PAD + 40, row)
    gantt_svg(svg, drawn, _GRAPH + _GAP + _PAD, _PAD, _WIDTH - _GRAPH - _GAP - 2 * _PAD)
    _legend(svg, height + 22)
    return svg.to_string()


def headline(drawn: Drawn) -> str:
    """Return a headline: "Group dashboard · Stable · coordinator 101 · generation 7 · range"."""
    about = drawn["about"]
    if not drawn["group"]:
        return "no consumer group yet"
    parts = [f"Group {shorten(drawn['group'], 40)}"]
    if about["state"]:
        parts.append(about["state"])
    if about["coordinator"] is not None:
        parts.append(f"coordinator {about['coordinator']}")
    if about["number"] is not None:
        parts.append(f"{about['noun']} {about['number']}")
    parts += [p for p in (about["assignor"], "consumer protocol" if about["protocol"] == "consumer" else "") if p]
    return " · ".join(parts)


def _graph(svg: Svg, drawn: Drawn, top: float, row: float) -> None:
    heights = {id: top + m["row"] * row for id, m in drawn["members"].items()}
    box = min(_BOX, row - 4)
    fan = _fan(drawn, box)
    right = _GRAPH - _PAD - _RIGHT
    for i, key in enumerate(drawn["order"]):
        p = drawn["partitions"][key]
        y, colour = top + i * row, partition(p["partition"])
        middle = y + box / 2
        if p["member"] in heights:
            x1, x2, to = _PAD + _LEFT, right, heights[p["member"]] + box / 2 + fan[key]
            bend = (x1 + x2) / 2
            d = f"M{x1:.1f} {middle:.1f}C{bend:.1f} {middle:.1f} {bend:.1f} {to:.1f} {x2:.1f} {to:.1f}"
            svg.path(d, stroke=colour, stroke_width=3)
    for i, key in enumerate(drawn["order"]):
        p = drawn["partitions"][key]
        y, colour = top + i * row, partition(p["partition"])
        held = p["member"] in heights
        svg.rect(
            _PAD, y, _LEFT, box, rx=8, fill="bg", stroke=colour if held else "bad",
            stroke_width=2, stroke_dasharray=None if held else "4 3",
        )  # fmt: skip
        name = f"{shorten(p['topic'], 11)} P{p['partition']}"
        svg.text(_PAD + 10, y + box / 2 + 4, name, bold=True)
        if not held:
            svg.text(_PAD + _LEFT + 8, y + box / 2 + 4, "✕ nobody", fill="bad", size=11)
        if p["lag"]:
            # At the right end of the box, beside the name.
            lag = f"−{count(p['lag'])}"
            svg.text(_PAD + _LEFT - 8, y + box / 2 + 4, lag, fill="soft", size=10, anchor="end")
    for id, y in heights.items():
        m = drawn["members"][id]
        idle = m["said"] == IDLE
        svg.rect(
            right, y, _RIGHT, box, rx=8, fill="bg", stroke="soft" if idle else "ink",
            stroke_dasharray="4 4" if idle else None,
        )  # fmt: skip
        said = m["said"]
        room = _RIGHT - 28 - text_width(said, 10)
        name = m["name"] if text_width(m["name"]) < room else shorten(m["name"], max(10, int(room / 7)))
        svg.text(right + 10, y + box / 2 + 4, name, fill="soft" if idle else "ink")
        svg.text(right + _RIGHT - 8, y + box / 2 + 4, said, fill="soft", size=10, anchor="end")
    if not drawn["ranks"]:
        svg.text(right, top + 18, drawn["about"]["standing"] or "no members", fill="soft")


def _fan(drawn: Drawn, box: float) -> dict[str, float]:
    """Return partition → how far from the middle of the member's box its line ends, so that lines do not overlap."""
    held: dict[str | None, list[str]] = {}
    for key in drawn["order"]:
        held.setdefault(drawn["partitions"][key]["member"], []).append(key)
    return {
        key: (i - (len(keys) - 1) / 2) * min(5.0, 0.7 * box / len(keys))
        for keys in held.values()
        for i, key in enumerate(keys)
    }


def _legend(svg: Svg, y: float) -> None:
    x = _PAD
    for sign, meaning in (
        ("━", "a partition and the member that reads it"),
        ("┅", "member standing by: more members than partitions"),
        ("▨", "nobody read it"),
        ("−5", "lag: records not yet committed"),
    ):
        svg.text(x, y, f"{sign} {meaning}", fill="soft", size=11)
        x += text_width(f"{sign} {meaning}", 11) + 26


# --- A group as text, for a terminal, a log, and wherever no widget and no HTML is shown.


_TEXT_MEMBERS, _TEXT_PAUSES = 40, 10


def to_text(drawn: Drawn) -> str:
    """Return a title, a line per member with what it holds, the partitions without a holder, and the last pauses."""
    about = drawn["about"]
    lines = [" · ".join(p for p in (headline(drawn), about["standing"], lag_text(about["lag"])) if p)]
    if drawn["error"]:
        lines.append(f"the cluster does not answer now: {shorten(drawn['error']['text'].splitlines()[0], 200)}")
    for id in drawn["ranks"][:_TEXT_MEMBERS]:
        lines.append(f"  {drawn['members'][id]['name']}  {holds_text(drawn, id)}")
    if len(drawn["ranks"]) > _TEXT_MEMBERS:
        lines.append(f"  … and {len(drawn['ranks']) - _TEXT_MEMBERS} more members")
    if lone := holds_text(drawn, None):
        lines.append(f"  held by nobody: {lone}")
    for pause in drawn["gantt"]["pauses"][:_TEXT_PAUSES]:
        lines.append(f"  {clock(pause['from'])} {pause['text']}")
    return "\n".join(lines)


def lag_text(lag: int | None) -> str:
    """Return "lag 42", or "" when the lag is not known."""
    return "" if lag is None else f"lag {count(lag)}"


def holds_text(drawn: Drawn, member: str | None) -> str:
    """Return what a member holds, "trucks_gps P0–P2, Topic-B P1"; for None, the partitions without a holder."""
    topics: dict[str, list[int]] = {}
    for key in drawn["order"]:
        p = drawn["partitions"][key]
        if p["member"] == member or (member is None and p["member"] not in drawn["members"]):
            topics.setdefault(p["topic"], []).append(p["partition"])
    said = ", ".join(f"{shorten(topic)} {spans(partitions)}" for topic, partitions in topics.items())
    return said or ("" if member is None else str(drawn["members"][member]["said"]))


# --- A group as tables, for places without scripts and styles (GitHub, nbviewer, a print). Everything is escaped.


_MEMBERS, _PARTITIONS, _PAUSES = 60, 100, 20


def to_html(drawn: Drawn) -> str:
    """Return tables: members and what they hold, partitions with their holders and lag, and the measured pauses."""
    about = drawn["about"]
    said = " · ".join(p for p in (about["standing"], lag_text(about["lag"])) if p)
    head = f"<p><strong>{escape(headline(drawn))}</strong>{': ' + escape(said) if said else ''}</p>"
    error = drawn["error"]
    trouble = f"<p>The cluster does not answer now: {escape(shorten(error['text'], 300))}</p>" if error else ""
    members = [
        (m["name"], m["host"], holds_text(drawn, id))
        for id in drawn["ranks"][:_MEMBERS]
        for m in [drawn["members"][id]]
    ]
    partitions = [
        (
            f"{shorten(p['topic'])} P{p['partition']}",
            drawn["members"][p["member"]]["name"] if p["member"] in drawn["members"] else "✕ nobody",
            "not known" if p["lag"] is None else str(p["lag"]),
        )
        for p in (drawn["partitions"][key] for key in drawn["order"][:_PARTITIONS])
    ]
    pauses = [(clock(p["from"]), p["text"]) for p in drawn["gantt"]["pauses"][:_PAUSES]]
    return (
        f"<div>{head}{trouble}"
        + _table("Members", ("Member", "Host", "Holds"), members)
        + _table("Partitions", ("Partition", "Held by", "Lag"), partitions)
        + _table("Pauses", ("At (UTC)", "What happened"), pauses)
        + "</div>"
    )


def _table(caption: str, names: Iterable[str], rows: Sequence[tuple[str, ...]]) -> str:
    if not rows:
        return ""
    head = "".join(f'<th scope="col" style="text-align:left">{escape(name)}</th>' for name in names)
    body = "".join(
        f'<tr><th scope="row" style="text-align:left">{escape(first)}</th>'
        + "".join(f'<td style="text-align:left">{escape(cell)}</td>' for cell in rest)
        + "</tr>"
        for first, *rest in rows
    )
    return f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
