"""A picture of a cluster as one static SVG: what the live view shows of it at a moment, without its buttons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from kafkalab.state.changes import spans
from kafkalab.state.model import kind_of
from kafkalab.views import svg as drawing
from kafkalab.views.cluster.html import group_line, member_name, quorum_role, to_text
from kafkalab.views.cluster.html import title as words_of
from kafkalab.views.cluster.picture import (
    MEANINGS,
    Drawn,
    Line,
    Part,
    brokers,
    count,
    groups,
    quorum_nodes,
    shown,
    topics,
)
from kafkalab.views.svg import Svg, on_partition, partition

# --- The parts of a cluster's SVG: signs, chips, pills, wrapped lines. Sizes in pixels.


CHIP = 22.0
_CHIP_GAP = 6.0
_CROWN = "M1.2 10 .8 3.4 3.7 5.9 6 1.6l2.3 4.3 2.9-2.5-.4 6.6z"
_CROSS = "M2.5 2.5l7 7m0-7l-7 7"

#: (partition, the part of its replica here, the number of records that this is behind, or 0)
Chip = tuple[int, Part, int]


def text_width(text: str, size: float = 12, bold: bool = False) -> float:
    """Estimate a text's maximum width in pixels: names stand side by side here, and some fonts are wider."""
    return 1.15 * drawing.text_width(text, size, bold)


def sign(svg: Svg, part: Part, x: float, y: float, colour: str) -> None:
    """Draw the sign of a part, 12 × 12 with its corner at x, y: crown, dot, dashed ring or cross, as in the view."""
    at = f"translate({x:g} {y:g})"
    match part:
        case "leader":
            svg.path(_CROWN, fill=colour, transform=at)
        case "follower":
            svg.circle(x + 6, y + 6, 3.2, fill=colour)
        case "behind":
            svg.circle(x + 6, y + 6, 3.8, fill="none", stroke=colour, stroke_width=1.6, stroke_dasharray="2.4 1.6")
        case "down":
            svg.path(_CROSS, stroke=colour, stroke_width=2, stroke_linecap="round", transform=at)


def chip_width(chip: Chip) -> float:
    """Return the width of a chip."""
    return 26 + text_width(f"P{chip[0]}", 12, True) + (4 + text_width(_late(chip), 11) if chip[2] else 0)


def flow(chips: Sequence[Chip], width: float) -> tuple[list[tuple[float, float, Chip]], float]:
    """Lay out chips in lines no wider than ``width``; return (x, y, chip) of each, and their height together."""
    found, x, y = [], 0.0, 0.0
    for chip in chips:
        wide = chip_width(chip)
        if x and x + wide > width:
            x, y = 0.0, y + CHIP + _CHIP_GAP
        found.append((x, y, chip))
        x += wide + _CHIP_GAP
    return found, y + CHIP if chips else 0.0


def draw_chip(svg: Svg, x: float, y: float, chip: Chip, said: str) -> None:
    """Draw one replica, with a tooltip that says what it is."""
    number, part, late = chip
    hue, wide = partition(number), chip_width(chip)
    box = svg.rect(
        x + 1,
        y + 1,
        wide - 2,
        CHIP - 2,
        rx=7,
        fill=hue if part == "leader" else "bg",
        stroke="line" if part == "down" else hue,
        stroke_width=2,
        stroke_dasharray="5 3" if part == "behind" else None,
    )
    svg.hint(box, f"{said}: {MEANINGS[part]}{f', {count(late)} records behind' if late else ''}")
    ink = {"leader": on_partition(number), "down": "soft"}.get(part, "ink")
    sign(svg, part, x + 6, y + 5, hue if part in ("follower", "behind") else ink)
    name = svg.text(x + 21, y + 15.5, f"P{number}", size=12, bold=True, fill=ink)
    if part == "down":
        name.set("text-decoration", "line-through")
    if late:
        svg.text(x + 25 + text_width(f"P{number}", 12, True), y + 15, _late(chip), size=11, fill="soft")


def _late(chip: Chip) -> str:
    return f"−{count(chip[2])}"


def pill(svg: Svg, x: float, y: float, words: str, colour: str = "soft") -> float:
    """Draw a word or two with a line around it, its middle at y; return its width."""
    wide = text_width(words, 11.5) + 18
    svg.rect(x, y - 10, wide, 20, rx=10, fill="none", stroke="line" if colour == "soft" else colour)
    svg.text(x + 9, y + 4, words, size=11.5, fill=colour)
    return wide


def panel(svg: Svg, x: float, y: float, width: float, height: float, *, dashed: bool = False) -> None:
    """Draw the background of a panel: a box with round corners, in quiet colours."""
    dashes = "5 4" if dashed else None
    svg.rect(x + 0.5, y + 0.5, width - 1, height - 1, rx=11, fill="panel", stroke="line", stroke_dasharray=dashes)


def title(svg: Svg, x: float, y: float, words: str) -> None:
    """Write the title of a panel, with its baseline at y."""
    svg.text(x, y, words, size=12, bold=True, fill="soft")


def wrapped(text: str, width: float, size: float, most: int) -> list[str]:
    """Wrap a sentence into at most ``most`` lines of about this width; a mark stands for what does not fit."""
    lines = [""]
    for word in _words(text, width, size):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines if len(lines) <= most else [*lines[: most - 1], f"{lines[most - 1][:-1]}…"]


def _words(text: str, width: float, size: float) -> Iterable[str]:
    for word in text.split():
        while text_width(word, size) > width and len(word) > 4:
            cut = max(4, int(len(word) * width / text_width(word, size)) - 1)
            yield word[:cut]
            word = word[cut:]
        yield word


# --- Topics in figures and consumer groups, as panels of a cluster's SVG.


_PAD = 12.0
_ROW = 22.0
_TABLE_TOPICS = 12
_GROUPS = 6
_MEMBERS = 8


def draw_topics(svg: Svg, topics: list[Drawn], x: float, y: float, width: float) -> float:
    """Draw a row for each topic: partitions, replication factor, records, state; return the panel's lower end."""
    rows = topics[:_TABLE_TOPICS]
    more = len(topics) - len(rows)
    high = 34 + _ROW * (1 + max(1, len(rows)) + bool(more))
    panel(svg, x, y, width, high)
    title(svg, x + _PAD, y + 22, "Topics")
    name, state = x + _PAD, x + width * 0.66
    ends = [x + width * at for at in (0.42, 0.49, 0.63)]
    at = y + 44
    svg.text(name, at, "Topic", size=11.5, fill="soft")
    for end, word in zip(ends, ("Partitions", "RF", "Records"), strict=True):
        svg.text(end, at, word, size=11.5, fill="soft", anchor="end")
    svg.text(state, at, "State", size=11.5, fill="soft")
    for topic in rows:
        at += _ROW
        svg.line(x + _PAD, at - 15, x + width - _PAD, at - 15)
        svg.text(name, at, shown(topic["name"], 22), size=12, bold=True)
        least = "≥ " if topic["unknown"] else ""
        records = "–" if topic["records"] is None else f"{least}{count(topic['records'])}"
        for end, figure in zip(ends, (len(topic["partitions"]), topic["replication"], records), strict=True):
            svg.text(end, at, figure, size=12, anchor="end")
        words, colour = _state(topic)
        svg.text(state, at, words, size=12, fill=colour, limit=30)
    if not rows:
        svg.text(name, at + _ROW, "no topics yet", size=12, fill="soft")
    if more:
        svg.text(name, at + _ROW, f"{more} more topics", size=11.5, fill="soft")
    return y + high


def _state(topic: Drawn) -> tuple[str, str]:
    lone = [p["partition"] for p in topic["partitions"] if p["leader"] is None]
    short = [p["partition"] for p in topic["partitions"] if p["short"] and p["leader"] is not None]
    if lone:
        return f"✕ no leader: {spans(lone)}", "bad"
    if short:
        return f"◌ under-replicated: {spans(short)}", "warn"
    return "all replicas in sync", "soft"


def draw_groups(svg: Svg, groups: list[Drawn], x: float, y: float, width: float) -> float:
    """Draw each group with its members, the partitions they hold, and their lag; return the panel's lower end."""
    rows = groups[:_GROUPS]
    high = 34 + (sum(30 + 28 * len(_held(g)) for g in rows) if rows else _ROW) + (20 if len(groups) > len(rows) else 4)
    panel(svg, x, y, width, high)
    title(svg, x + _PAD, y + 22, "Consumer groups")
    at = y + 30
    for group in rows:
        name = shown(group["id"], 24)
        svg.text(x + _PAD, at + 18, name, size=13, bold=True)
        about = group_line({**group, "lag": None})
        svg.text(x + _PAD + text_width(name, 13, True) + 10, at + 18, about, size=11.5, fill="soft", limit=40)
        if group["lag"] is not None:
            svg.text(x + width - _PAD, at + 18, f"lag {count(group['lag'])}", size=12, bold=True, anchor="end")
        at += 30
        for who, holds, idle in _held(group):
            _member(svg, who, holds, idle, len(_read(group)) > 1, x + _PAD, at, width - 2 * _PAD)
            at += 28
    if not rows:
        svg.text(x + _PAD, at + 16, "no consumer groups", size=12, fill="soft")
    if len(groups) > len(rows):
        svg.text(x + _PAD, at + 14, f"{len(groups) - len(rows)} more groups", size=11.5, fill="soft")
    return y + high


def _read(group: Drawn) -> set[str]:
    return {h["topic"] for m in group["members"] for h in m["holds"]} | {h["topic"] for h in group["unheld"]}


def _held(group: Drawn) -> list[tuple[str, list[Drawn], bool]]:
    """Return a row for each member: (name, the partitions it holds, whether it stands by)."""
    rows = [(member_name(m), m["holds"], not m["holds"]) for m in group["members"][:_MEMBERS]]
    if len(group["members"]) > _MEMBERS:
        rows.append((f"{len(group['members']) - _MEMBERS} more members", [], True))
    if group["unheld"] or not rows:
        rows.append(("held by nobody" if rows else "no members", group["unheld"], True))
    return rows


def _member(
    svg: Svg, who: str, holds: list[Drawn], idle: bool, several: bool, x: float, y: float, width: float
) -> None:
    svg.rect(x, y, width, 24, rx=8, fill="bg", stroke="line", stroke_dasharray="4 3" if idle else None)
    svg.text(x + 9, y + 16.5, who, size=12, bold=not idle, fill="soft" if idle else "ink", limit=26)
    at = x + 19 + text_width(shown(who, 26), 12, not idle)
    if not holds and who != "no members" and "more members" not in who:
        svg.text(at, y + 16.5, "standing by", size=12, fill="soft")
    for hold in holds:
        if several:
            svg.text(at, y + 16, shown(hold["topic"], 20), size=11.5, fill="soft")
            at += text_width(shown(hold["topic"], 20), 11.5) + 6
        for number, lag in hold["partitions"]:
            words = f"P{number}" + (f" −{count(lag)}" if lag else "")
            wide = text_width(words, 11.5, True) + 17
            if at + wide > x + width - 20:
                svg.text(at, y + 16, "…", size=12, fill="soft")
                return
            svg.rect(at, y + 3, wide, 18, rx=6, fill="none", stroke=partition(number))
            svg.rect(at, y + 3, 5, 18, rx=2, fill=partition(number))
            svg.text(at + 10, y + 16, words, size=11.5, bold=True)
            at += wide + 5


WIDTH = 1080.0
_SIDE = 268.0
_GAP = 10.0
_COLUMNS, _NARROWER = 5, 4
_TOPICS = 8
_CHIPS = 60
_LINES = 16


def to_svg(picture: Drawn, lines: Sequence[Line] = (), *, topic: str = "") -> str:
    """Draw brokers with their partitions, the quorum, what happened, topics, groups and the legend; return the SVG.

    :param picture: the result of :func:`kafkalab.views.cluster.picture.drawn`.
    :param lines: the lines that :class:`kafkalab.views.cluster.picture.EventLines` made of the events.
    :param topic: the only topic to show; "" for the learner's topics, of which the first eight are drawn.
    """
    chosen = [t for t in topics(picture) if (t["name"] == topic if topic else not t["internal"])]
    # Drawn twice, because the height is known only after drawing.
    height = _draw(Svg(WIDTH, 10, ""), picture, chosen, lines)
    svg = Svg(WIDTH, height, f"Kafka cluster {words_of(picture)}", to_text(picture).replace("\n", "; "))
    _draw(svg, picture, chosen, lines)
    return svg.to_string()


def _draw(svg: Svg, picture: Drawn, chosen: list[Drawn], lines: Sequence[Line]) -> float:
    y = _bar(svg, picture)
    if picture["error"]:
        text = f"The cluster does not answer: {picture['error']['text'].splitlines()[0]}"
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
        svg.text(x + 76, at + 15, kind_of(line["kind"]).sign, size=11.5, fill="soft")
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
