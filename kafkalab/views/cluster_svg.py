"""A picture of a cluster as one static SVG: what the live view shows of it at a moment, without its buttons."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from kafkalab.views.cluster_drawn import MEANINGS, Drawn, brokers, groups, quorum_nodes, shown, topics
from kafkalab.views.cluster_svg_parts import Chip, draw_chip, flow, panel, pill, sign, text_width, title, wrapped
from kafkalab.views.cluster_svg_tables import draw_groups, draw_topics
from kafkalab.views.cluster_text import quorum_role, to_text
from kafkalab.views.cluster_text import title as words_of
from kafkalab.views.event_lines import Line
from kafkalab.views.svg import Svg

WIDTH = 1080.0
_SIDE = 268.0
_GAP = 10.0
_PAD = 12.0
_COLUMNS, _NARROWER = 5, 4
_TOPICS = 8
_CHIPS = 60
_LINES = 16
_TONES = {"you": "▸", "error": "⚠", "broker_down": "✕", "leader_lost": "✕", "broker_up": "●", "isr_grew": "●",
          "leader_moved": "♛", "leader_elected": "♛", "controller_moved": "◆", "isr_shrank": "◌", "isr_changed": "◌",
          "rebalanced": "⇄", "member_joined": "+", "member_left": "−"}  # fmt: skip


def to_svg(picture: Drawn, lines: Sequence[Line] = (), *, topic: str = "") -> str:
    """Brokers with their partitions, the quorum, what happened, topics, groups and the legend.

    :param picture: what :func:`kafkalab.views.cluster_drawn.drawn` gives.
    :param lines: what :class:`kafkalab.views.event_lines.EventLines` made of the events.
    :param topic: the only topic to show; "" for the learner's topics, of which the first eight are drawn.
    """
    chosen = [t for t in topics(picture) if (t["name"] == topic if topic else not t["internal"])]
    # Drawn twice: how high it is, is known once it is drawn.
    height = _draw(Svg(WIDTH, 10, ""), picture, chosen, lines)
    svg = Svg(WIDTH, height, f"Kafka cluster {words_of(picture)}", to_text(picture).replace("\n", "; "))
    _draw(svg, picture, chosen, lines)
    return svg.to_string()


def _draw(svg: Svg, picture: Drawn, chosen: list[Drawn], lines: Sequence[Line]) -> float:
    y = _bar(svg, picture)
    if picture["error"]:
        text = f"The cluster cannot be looked at: {picture['error']['text'].splitlines()[0]}"
        svg.rect(0, y, 4, 24, fill="bad")
        svg.text(_PAD, y + 16, text, limit=150)
        y += 24 + _GAP
    left = WIDTH - (_SIDE + _GAP if lines else 0)
    below = _quorum(svg, picture, _brokers(svg, picture, chosen, y + 6, left), left)
    if lines:
        below = max(below, _events(svg, lines, left + _GAP, y + 6, below - y - 6))
    half = (WIDTH - _GAP) / 2
    under = draw_topics(svg, chosen, 0, below + _GAP, half)
    under = max(under, draw_groups(svg, groups(picture), half + _GAP, below + _GAP, half))
    return _legend(svg, under + 18)


def _bar(svg: Svg, picture: Drawn) -> float:
    panel(svg, 0, 0, WIDTH, 38)
    name = shown(picture["name"] or "cluster")
    svg.text(_PAD, 24, name, size=14, bold=True)
    x = _PAD + text_width(name, 14, True) + 14
    up = words_of(picture).split(" · ")[-1]
    for words in filter(None, (picture["kafka"], shown(picture["label"]), up)):
        x += pill(svg, x, 19, words) + 8
    if picture["at"] is not None:
        at = datetime.fromtimestamp(picture["at"], UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
        svg.text(WIDTH - _PAD, 23, at, size=11.5, fill="soft", anchor="end")
    return 38 + _GAP


def _brokers(svg: Svg, picture: Drawn, chosen: list[Drawn], y: float, width: float) -> float:
    found = brokers(picture)
    columns = min(_COLUMNS if width == WIDTH else _NARROWER, max(1, len(found)))
    wide = (width - (columns - 1) * _GAP) / columns
    for first in range(0, len(found), columns):
        row = found[first : first + columns]
        held = [[(t, *_flow(t, b["id"], wide)) for t in chosen[:_TOPICS]] for b in row]
        high = 58 + max((sum(_block(chips, h) for _, chips, h in mine) for mine in held), default=0)
        for i, (broker, mine) in enumerate(zip(row, held, strict=True)):
            _card(svg, broker, mine, i * (wide + _GAP), y, wide, high)
        y += high + _GAP + 4
    if len(chosen) > _TOPICS:
        svg.text(0, y + 10, f"{len(chosen) - _TOPICS} more topics are not drawn", size=11.5, fill="soft")
        y += 20
    return y


def _flow(topic: Drawn, broker: int, width: float) -> tuple[list[tuple[float, float, Chip]], float]:
    mine: list[Chip] = [
        (p["partition"], what[1], what[2] if len(what) > 2 else 0)
        for p in topic["partitions"]
        for what in p["replicas"]
        if what[0] == broker
    ]
    return flow(mine[:_CHIPS], width - 2 * _PAD)


def _block(chips: Sequence[object], high: float) -> float:
    return high + 28 if chips else 0.0


def _card(
    svg: Svg,
    broker: Drawn,
    mine: list[tuple[Drawn, list[tuple[float, float, Chip]], float]],
    x: float,
    y: float,
    width: float,
    high: float,
) -> None:
    panel(svg, x, y, width, high, dashed=broker["alive"] is False)
    if broker["alive"] is False:
        svg.rect(x + _PAD + 1, y + 13, 8, 8, rx=1, fill="none", stroke="bad", stroke_width=2)
    elif broker["alive"]:
        svg.circle(x + _PAD + 4.5, y + 17, 4.5, fill="ok")
    else:
        svg.circle(x + _PAD + 4.5, y + 17, 4, fill="none", stroke="soft", stroke_width=2, stroke_dasharray="2 2")
    svg.text(x + _PAD + 17, y + 22, f"Broker {broker['id']}", size=15, bold=True)
    if broker["controller"]:
        wide = text_width("controller", 11) + 16
        svg.rect(x + width - wide - _PAD, y - 8, wide, 17, rx=8.5, fill="bg", stroke="warn")
        svg.text(x + width - wide - _PAD + 8, y + 4.5, "controller", size=11, fill="warn")
    standing = broker["standing"] + (f" · rack {shown(broker['rack'], 16)}" if broker["rack"] else "")
    svg.text(x + _PAD, y + 41, standing, size=12, fill="soft", limit=60)
    at = y + 46
    for topic, chips, chips_high in mine:
        if not chips:
            continue
        name = f"{shown(topic['name'], 24)} · RF {topic['replication']}"
        svg.text(x + _PAD, at + 15, name, size=11.5, fill="soft")
        for dx, dy, chip in chips:
            said = f"{shown(topic['name'])} partition {chip[0]} on broker {broker['id']}"
            draw_chip(svg, x + _PAD + dx, at + 20 + dy, chip, said)
        at += _block(chips, chips_high)


def _quorum(svg: Svg, picture: Drawn, y: float, width: float) -> float:
    quorum = picture["quorum"]
    if not quorum:
        return y - 4
    head = quorum["kind"] + (f" · epoch {quorum['epoch']}" if quorum["epoch"] is not None else "")
    start = _PAD + text_width(head, 12, True) + 14
    rows, x = 1, start
    placed = []
    for node in quorum_nodes(quorum):
        role = quorum_role(node)
        wide = 42 + text_width(str(node["id"]), 12, True) + text_width(role, 12)
        if x > start and x + wide > width - _PAD:
            rows, x = rows + 1, start
        placed.append((x, rows, wide, node, role))
        x += wide + 8
    high = 12 + 28 * rows
    panel(svg, 0, y, width, high)
    title(svg, _PAD, y + 24, head)
    for x, row, wide, node, role in placed:
        top = y + 8 + 28 * (row - 1)
        down = node["alive"] is False
        svg.rect(x, top, wide, 24, rx=8, fill="bg", stroke="line", stroke_dasharray="4 3" if down else None)
        leads = node["role"] in ("leader", "standalone")
        part = "down" if down else "leader" if leads else "follower" if node["role"] else "behind"
        sign(svg, part, x + 8, top + 6, "warn" if leads else "soft")  # type: ignore[arg-type]
        svg.text(x + 24, top + 16.5, node["id"], size=12, bold=True)
        svg.text(x + 30 + text_width(str(node["id"]), 12, True), top + 16.5, role, size=12, fill="soft")
    return y + high


def _events(svg: Svg, lines: Sequence[Line], x: float, y: float, least: float) -> float:
    rows: list[tuple[Line, list[str]]] = []
    room = max(least, 260.0) - 34
    for line in reversed(lines[-_LINES:]):
        text = wrapped(shown(line["text"].splitlines()[0] if line["text"] else "", 160), _SIDE - 106, 11.5, 3)
        if rows and room < 15 * len(text) + 6:
            break
        room -= 15 * len(text) + 6
        rows.insert(0, (line, text))
    high = max(least, 34 + sum(15 * len(text) + 6 for _, text in rows))
    panel(svg, x, y, _SIDE, high)
    title(svg, x + _PAD, y + 22, "What happened · seen at")
    at = y + 32
    for line, text in rows:
        svg.line(x + _PAD, at, x + _SIDE - _PAD, at, stroke="accent" if line["kind"] == "you" else "line")
        since = line["since"]
        when = datetime.fromtimestamp(line["at"], UTC).strftime("%H:%M:%S") if since is None else f"{since:+.2f} s"
        svg.text(x + _PAD, at + 15, when, size=10.5, fill="soft", mono=True)
        svg.text(x + 76, at + 15, _TONES.get(line["kind"], "·"), size=11.5, fill="soft")
        for i, part in enumerate(text):
            svg.text(x + 92, at + 15 + 15 * i, part, size=11.5, bold=line["kind"] == "you")
        at += 15 * len(text) + 6
    return y + high


def _legend(svg: Svg, y: float) -> float:
    x = 2.0
    for part, meaning in MEANINGS.items():
        sign(svg, part, x, y - 9, "ink")
        svg.text(x + 18, y + 1, meaning, size=11.5, fill="soft")
        x += 40 + text_width(meaning, 11.5)
    return y + 14
