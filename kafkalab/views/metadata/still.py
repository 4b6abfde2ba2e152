"""The still forms of a MetadataView: an SVG of the quorum, the tree and the last action's time line; tables; text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any

from kafkalab.views.cluster.picture import SIGNS, shown
from kafkalab.views.svg import Svg, text_width

# --- Rows of words, made from a drawn state, which the still forms share.


Drawn = dict[str, Any]

#: A row of the time line → the name that is shown.
ROW_NAMES = {
    "quorum": "quorum",
    "noticed": "noticed",
    "controller": "controller",
    "leaders": "leaders",
    "isr": "in sync",
}


def tree_rows(tree: Drawn, most: int) -> Iterator[tuple[int, str, Drawn]]:
    """Yield (depth, name, node) of the listed nodes, from the root down, at most ``most`` of them."""
    left = most

    def below(name: str, node: Drawn, depth: int) -> Iterator[tuple[int, str, Drawn]]:
        nonlocal left
        if left <= 0:
            return
        left -= 1
        yield depth, name, node
        for child in sorted(node.get("c", {})):
            yield from below(child, node["c"][child], depth + 1)

    yield from below("/", tree, 0)


def node_words(node: Drawn) -> tuple[str, str, str]:
    """Return (kind, version, data in a few words) of a node of the tree."""
    if node.get("gone"):
        return "not there", "", ""
    kind = "ephemeral" if node.get("e") else "persistent" if "v" in node else ""
    return kind, str(node.get("v", "")), str(node.get("s", ""))


def quorum_rows(quorum: Drawn) -> Iterator[tuple[str, str, str, str, str]]:
    """Yield (sign and id, role, log end, behind, last seen) of each node."""
    for id, node in quorum["nodes"].items():
        sign = SIGNS[node["part"]]
        role = node["role"] if node["alive"] else f"{node['role']}, {node['gone']}"
        end = "" if node["end"] is None else f"0x{node['end']:x}" if quorum["kind"] == "zookeeper" else str(node["end"])
        behind = f"{node['lag']} records" if node["lag"] else ""
        yield f"{sign} {id}", role, end, behind, seen(node)


def seen(node: Drawn) -> str:
    """Return "last fetched 35 s ago"; "" for a node that is up to date, or when that is not known."""
    return f"last fetched {node['seen']} s ago" if node.get("seen") else ""


def heading(side: Drawn) -> str:
    """Return the cluster in one line."""
    quorum = side["quorum"]
    parts = [side["name"], side["kafka"]]
    if side["controller"] is not None:
        parts.append(f"controller {side['controller']}")
    if quorum:
        leader = "nobody leads" if quorum["leader"] is None else f"leader {quorum['leader']}"
        parts.append(f"{'ZooKeeper' if quorum['kind'] == 'zookeeper' else 'quorum'}: {leader}, epoch {quorum['epoch']}")
    return " · ".join(shown(str(part), 80) for part in parts if part)


def line_words(line: Drawn) -> str:
    """Return a line of the list as text."""
    since = "" if line["since"] is None else f"{line['since']:+.2f} s "
    about = " ".join(filter(None, (line["word"], line["where"])))
    return f"{since}{about}: {line['text']}" if about else f"{since}{line['text']}"


def last_action(side: Drawn) -> Drawn | None:
    """Return the learner's last action, with the rows of what followed; None before the first."""
    return side["actions"][max(side["actions"], key=int)] if side["actions"] else None


WIDTH, ROW, MARGIN = 900, 20, 16
_TREE_ROWS = 24
_SIGN = {"gone": "✕", "came": "●", "controller": "◆", "leader": "♛", "leaderless": "✕", "shrank": "◌", "grew": "●"}


def to_svg(drawn: Drawn) -> str:
    """Return the picture as SVG."""
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
    svg.text(MARGIN, y + 14, heading(side) or "no cluster has been read yet", bold=True, size=14, limit=120)
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
    """Draw each log as a bar that ends at the right; a log that is behind ends earlier."""
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
            if start >= free:  # otherwise it would cover the text before it
                svg.text(start + 5, y + 7, text, size=11)
                free = start + wide
        y += ROW
    return y


# --- A MetadataView as tables and as text: for places that run no scripts. What came from the cluster is escaped.


_TREE, _LINES, _RECORDS = 200, 40, 40
_LEFT = 'style="text-align:left;vertical-align:top"'


def to_html(drawn: Drawn) -> str:
    """Return tables: the tree or the quorum, what followed the last action, and what happened."""
    return "".join(f"<div>{_html_side(side)}</div>" for side in drawn["sides"].values())


def to_text(drawn: Drawn) -> str:
    """Return a few lines of text per cluster."""
    return "\n\n".join(_side_text(side) for side in drawn["sides"].values())


def _html_side(side: Drawn) -> str:
    parts = [f"<p><b>{escape(heading(side) or 'no cluster has been read yet')}</b></p>"]
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
    # Leading spaces show the depth in the tree, so they must not collapse.
    inner = text.lstrip(" ")
    return f"<td {_LEFT}>{'&nbsp;' * (len(text) - len(inner))}<bdi>{escape(shown(inner, 200))}</bdi></td>"


def _side_text(side: Drawn) -> str:
    lines = [heading(side) or "no cluster has been read yet"]
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
