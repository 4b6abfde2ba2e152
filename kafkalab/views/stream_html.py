"""A StreamView as static HTML, for where no kernel runs: the picture, and its last batches and offsets as tables."""

from __future__ import annotations

import base64
from html import escape
from typing import Any

from kafkalab.views.stream_drawn import Drawn, newest
from kafkalab.views.stream_svg import to_svg
from kafkalab.views.stream_text import (
    bytes_,
    duration,
    figures,
    lane_name,
    of_day,
    title,
    total_of,
    watermark,
)
from kafkalab.views.svg import shorten

_BATCHES = 10
_LEFT = ' style="text-align:left"'


def to_html(picture: Drawn) -> str:
    """The picture with its text alternative, and tables. What came from elsewhere is escaped.

    The picture is an image and not inline SVG: sites that show notebooks drop the latter.
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
