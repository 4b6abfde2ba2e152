"""Topics in figures and consumer groups, as panels of a cluster's SVG."""

from __future__ import annotations

from kafkalab.state.group_changes import spans
from kafkalab.views.cluster_drawn import Drawn, count, shown
from kafkalab.views.cluster_svg_parts import panel, text_width, title
from kafkalab.views.cluster_text import group_line, member_name
from kafkalab.views.svg import Svg, partition

_PAD = 12.0
_ROW = 22.0
_TOPICS = 12
_GROUPS = 6
_MEMBERS = 8


def draw_topics(svg: Svg, topics: list[Drawn], x: float, y: float, width: float) -> float:
    """A row a topic: partitions, replication factor, records, and what is amiss; where the panel ends."""
    rows = topics[:_TOPICS]
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
    """Each group with its members, what they hold, and how far behind they are; where the panel ends."""
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
    """(who, what they hold, whether they stand by): a row each."""
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
