"""A MetadataView as tables and as text: for places that run no scripts. What came from the cluster is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from kafkalab.views.cluster_drawn import shown
from kafkalab.views.metadata_rows import (
    ROW_NAMES,
    heading,
    last_action,
    line_words,
    node_words,
    quorum_rows,
    tree_rows,
)

Drawn = dict[str, Any]

_TREE, _LINES, _RECORDS = 200, 40, 40
_LEFT = 'style="text-align:left;vertical-align:top"'


def to_html(drawn: Drawn) -> str:
    """Tables: the tree or the quorum, what followed the last action, and what happened."""
    return "".join(f"<div>{_side(side)}</div>" for side in drawn["sides"].values())


def to_text(drawn: Drawn) -> str:
    """A few lines."""
    return "\n\n".join(_side_text(side) for side in drawn["sides"].values())


def _side(side: Drawn) -> str:
    parts = [f"<p><b>{escape(heading(side) or 'no cluster has been looked at yet')}</b></p>"]
    parts += [f"<p>⚠ {escape(shown(text, 300))}</p>" for text in (side["error"], side.get("problem")) if text]
    if side["quorum"]:
        heads = ("node", "role", "log end", "behind", "seen")
        parts.append(_table("Who keeps the metadata", heads, quorum_rows(side["quorum"])))
    if side.get("tree"):
        rows = [
            (f"{'    ' * depth}{shown(name, 60)}", *node_words(node))
            for depth, name, node in tree_rows(side["tree"], _TREE)
        ]
        parts.append(_table("ZooKeeper's tree", ("node", "kind", "version", "data"), rows))
    records = (side.get("log") or {}).get("records") or {}
    if records:
        newest = sorted(records, key=int)[-_RECORDS:]
        rows3 = [(offset, records[offset]["type"], records[offset]["text"]) for offset in newest]
        parts.append(_table("The metadata log, its newest records", ("offset", "record", "what it says"), rows3))
    action = last_action(side)
    if action:
        rows2 = [
            (ROW_NAMES[row], f"+{m['t']:.2f} s", m["text"]) for row, marks in action["rows"].items() for m in marks
        ]
        parts.append(_table(f"After {action['text']}", ("", "after", "what"), rows2))
    if side["lines"]:
        items = "".join(f"<li>{escape(shown(line_words(line), 400))}</li>" for line in side["lines"][-_LINES:])
        parts.append(f"<details><summary>What happened ({len(side['lines'])})</summary><ul>{items}</ul></details>")
    return "".join(parts)


def _table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f'<th scope="col" {_LEFT}>{escape(word)}</th>' for word in heads)
    body = "".join("<tr>" + "".join(_cell(cell) for cell in row) + "</tr>" for row in rows)
    title = f'<caption style="text-align:left"><b>{escape(shown(caption, 120))}</b></caption>'
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(text: str) -> str:
    # Spaces that do not collapse: depth in the tree.
    inner = text.lstrip(" ")
    return f"<td {_LEFT}>{'&nbsp;' * (len(text) - len(inner))}<bdi>{escape(shown(inner, 200))}</bdi></td>"


def _side_text(side: Drawn) -> str:
    lines = [heading(side) or "no cluster has been looked at yet"]
    lines += [f"  ⚠ {shown(text, 200)}" for text in (side["error"], side.get("problem")) if text]
    if side["quorum"]:
        for id, role, end, behind, seen in quorum_rows(side["quorum"]):
            lines.append(
                "  " + "  ".join(filter(None, (id, role, end and f"log end {end}", behind and f"−{behind}", seen)))
            )
    for depth, name, node in tree_rows(side["tree"], 40) if side.get("tree") else ():
        kind, version, words = node_words(node)
        mark = {"ephemeral": "⚡ ", "not there": "✕ "}.get(kind, "")
        lines.append(
            "  " + "  " * depth + "  ".join(filter(None, (mark + shown(name, 40), version and f"v{version}", words)))
        )
    lines += [f"  {shown(line_words(line), 160)}" for line in side["lines"][-5:]]
    return "\n".join(lines)
