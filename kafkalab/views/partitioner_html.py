"""Keys and their partitions as tables, for places without scripts. Everything from the topic is escaped."""

from __future__ import annotations

from html import escape

from kafkalab.views.cluster_drawn import shown
from kafkalab.views.partitioner_drawn import Drawn
from kafkalab.views.partitioner_text import rows, summary

_LEFT = 'style="text-align:left"'
_MOST = 40


def to_html(picture: Drawn) -> str:
    """A row a key: calculated, really, verdict; then what was sent."""
    blocks = [f"<p><strong>{escape(shown(picture['topic'], 120))}</strong>: {escape(shown(summary(picture), 400))}</p>"]
    if found := rows(picture, _MOST):
        body = [(f"<bdi>{escape(key)}</bdi>", *rest) for key, *rest in found]
        blocks.append(_table(("Key", "Calculated", "Really in", ""), body))
        if len(picture["keys"]) > _MOST:
            blocks.append(f"<p><small>{len(picture['keys']) - _MOST} more keys not shown</small></p>")
    if picture["sent"]:
        body = [
            (
                "no key" if s["key"] is None else f"<bdi>{escape(shown(s['key']))}</bdi>",
                "" if s["calculated"] is None else f"P{s['calculated']}",
                f"P{s['partition']}",
                str(s["offset"]),
            )
            for s in picture["sent"].values()
        ]
        blocks.append(_table(("Sent with key", "Calculated", "Acknowledged in", "Offset"), body))
    return f"<div>{''.join(blocks)}</div>"


def _table(heads: tuple[str, ...], body: list[tuple[str, ...]]) -> str:
    head = "".join(f'<th scope="col" {_LEFT}>{word}</th>' for word in heads)
    lines = "".join("<tr>" + "".join(f"<td {_LEFT}>{cell}</td>" for cell in row) + "</tr>" for row in body)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"
