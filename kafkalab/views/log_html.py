"""The logs of a topic as a table and as text: what a notebook shows where no kernel runs, and what a terminal shows."""

from __future__ import annotations

from datetime import UTC, datetime
from html import escape
from typing import Any

from kafkalab.views.cluster_drawn import count
from kafkalab.views.log_drawn import Drawn, lag
from kafkalab.views.log_svg import missing
from kafkalab.views.svg import shorten

_LANES, _GROUPS, _RECORDS = 60, 8, 6


def to_html(drawn: Drawn) -> str:
    """A row a partition: who leads it, where its log starts and ends, what groups committed, its last records."""
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
        f"<p>Cannot be looked at now: {_text(drawn['error']['text'].splitlines()[0], 300)}</p>"
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
    """What a group has to do with a lane, in words."""
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
    """A line a partition, and a line a group beneath it."""
    lines = [f"{shorten(drawn['topic'], 120)}, the log of each partition"]
    if drawn["error"]:
        lines.append(f"cannot be looked at now: {shorten(drawn['error']['text'].splitlines()[0], 200)}")
    if not drawn["lanes"]:
        lines.append(missing(drawn))
    for key, lane in list(drawn["lanes"].items())[:_LANES]:
        leader = "no leader" if lane["leader"] is None else f"leader {lane['leader']}"
        pale = (lane["end"] or 0) - (lane["high"] or 0)
        beyond = f", {count(pale)} not committed yet" if pale > 0 else ""
        signs = " ".join(str(c[2]) for c in (drawn["tails"].get(key) or {"cells": []})["cells"][-12:])
        span = f"start {_count(lane['start'])} │ high watermark {_count(lane['high'])}{beyond}"
        lines.append(f"P{key} {leader}  {span}  {shorten(signs, 60)}".rstrip())
        for name, group in list(drawn["groups"].items())[:_GROUPS]:
            if key in group["lanes"]:
                lines.append(f"   ▲ {shorten(name)} committed {committed(lane, group['lanes'][key])}")
    if len(drawn["lanes"]) > _LANES:
        lines.append(f"… and {len(drawn['lanes']) - _LANES} more partitions")
    return "\n".join(lines)
