"""A MetadataView as a static picture: who keeps the metadata, and what followed the learner's last action."""

from __future__ import annotations

from typing import Any

from kafkalab.views.cluster_drawn import SIGNS
from kafkalab.views.metadata_rows import ROW_NAMES, heading, last_action, node_words, seen, tree_rows
from kafkalab.views.svg import Svg, text_width

Drawn = dict[str, Any]

WIDTH, ROW, MARGIN = 900, 20, 16
_TREE_ROWS = 24
_SIGN = {"gone": "✕", "came": "●", "controller": "◆", "leader": "♛", "leaderless": "✕", "shrank": "◌", "grew": "●"}


def to_svg(drawn: Drawn) -> str:
    """The picture."""
    sides = list(drawn["sides"].values())
    svg = Svg(
        WIDTH,
        sum(map(_height, sides)) + MARGIN,
        "The metadata of " + " and ".join(s["name"] or "a cluster" for s in sides),
    )
    longest = max([mark["t"] for side in sides for marks in _rows(side).values() for mark in marks] or [4.0])
    y = float(MARGIN)
    for side in sides:
        y = _side(svg, side, y, max(4.0, longest * 1.15))
    return svg.to_string()


def _rows(side: Drawn) -> dict[str, list[Drawn]]:
    action = last_action(side)
    return action["rows"] if action else {}


def _height(side: Drawn) -> int:
    nodes = len(side["quorum"]["nodes"]) if side["quorum"] else 0
    tree = sum(1 for _ in tree_rows(side["tree"], _TREE_ROWS)) if side.get("tree") else 0
    line = len(_rows(side)) + bool(_rows(side))
    return ROW * (2 + nodes + tree + line) + 14 * (bool(nodes) + bool(tree) + bool(line)) + 10


def _side(svg: Svg, side: Drawn, y: float, seconds: float) -> float:
    svg.text(MARGIN, y + 14, heading(side) or "no cluster has been looked at yet", bold=True, size=14, limit=120)
    y += ROW * 1.6
    if side["quorum"]:
        y = _lanes(svg, side["quorum"], y) + 14
    if side.get("tree"):
        for depth, name, node in tree_rows(side["tree"], _TREE_ROWS):
            kind, version, words = node_words(node)
            mark = {"ephemeral": "⚡ ", "not there": "✕ "}.get(kind, "")
            svg.text(
                MARGIN + 18 * depth,
                y + 14,
                mark + name,
                mono=True,
                size=11,
                fill="soft" if kind == "not there" else "ink",
                limit=48,
            )
            x = MARGIN + 18 * depth + text_width(mark + name, 12.5) + 10
            svg.text(
                max(x, 260),
                y + 14,
                "  ".join(filter(None, (kind, version and f"v{version}", words))),
                size=11,
                fill="soft",
                limit=90,
            )
            y += ROW
        y += 14
    action = last_action(side)
    if action:
        y = _time_line(svg, action, y, seconds) + 14
    return y + 10


def _lanes(svg: Svg, quorum: Drawn, y: float) -> float:
    """Each log as a bar: all of them end at the right but for what they are behind."""
    left, right = 230, WIDTH - 220
    lags = [n["lag"] or 0 for n in quorum["nodes"].values()]
    window = max(20.0, max(lags or [0]) * 1.2)
    for id, node in quorum["nodes"].items():
        down = not node["alive"]
        svg.text(
            MARGIN,
            y + 14,
            f"{SIGNS[node['part']]} {id} {', '.join(filter(None, (node['role'], node['gone'])))}",
            fill="soft" if down else "ink",
        )
        if quorum["kind"] == "kraft" and node["end"] is not None:
            width = (right - left) * (1 - min(1.0, (node["lag"] or 0) / window))
            svg.rect(
                left,
                y + 4,
                width,
                12,
                rx=3,
                fill="line" if down else "accent",
                opacity=None if node["part"] == "leader" else 0.55,
            )
            behind = f"{node['lag']} behind" if node["lag"] else ""
            svg.text(
                right + 10,
                y + 14,
                " · ".join(filter(None, (f"end {node['end']}", behind, seen(node)))),
                size=11,
                fill="soft",
            )
        elif node["end"] is not None:
            svg.text(left, y + 14, f"last transaction 0x{node['end']:x}", mono=True, size=11, fill="soft")
        y += ROW
    return y


def _time_line(svg: Svg, action: Drawn, y: float, seconds: float) -> float:
    left, right = 130, WIDTH - MARGIN
    svg.text(MARGIN, y + 14, f"▸ {action['text']}", bold=True, limit=100)
    y += ROW
    for row, marks in action["rows"].items():
        free = left
        svg.text(MARGIN, y + 14, ROW_NAMES[row], fill="soft")
        svg.line(left, y + 10, right, y + 10)
        for mark in marks:
            x = left + (right - left) * mark["t"] / seconds
            svg.line(x, y + 3, x, y + 17, stroke="ink", stroke_width=1.5)
            text = f"{_SIGN.get(mark['kind'], '·')} +{mark['t']:.2f} s {mark['text']}"
            wide = text_width(text, 11) + 10
            start = x if x + wide <= right else x - wide
            if start >= free:  # else its words would stand on those of the one before
                svg.text(start + 5, y + 7, text, size=11)
                free = start + wide
        y += ROW
    return y
