"""A picture of a cluster as static HTML: what a notebook shows where no kernel runs (GitHub, nbviewer, a print).

Such places drop style sheets, scripts, and often style attributes too. So it is tables with headers, in which every
sign is text; colour, where it survives, only adds. Everything that came from the cluster is escaped.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from html import escape

from kafkalab.views.cluster_drawn import MEANINGS, SIGNS, Drawn, brokers, count, groups, shown, topics
from kafkalab.views.cluster_text import group_line, held, member_name, quorum_line, records, title
from kafkalab.views.event_lines import Line

_TOPICS = 12
_PARTITIONS = 60
_GROUPS = 12
_MEMBERS = 20
_EVENTS = 12

# The hues of static/shared.css where dark and light pages are both served by one tone: here nobody knows the theme.
_HUES = ("#0072b2", "#c74e00", "#008a63", "#b0488c", "#967b00", "#5f64d0", "#2f8fc8", "#a8455a", "#8b78ea", "#75797f",
         "#2f857f", "#9a7348")  # fmt: skip
_CHIP = "display:inline-block;border:2px solid;border-radius:7px;padding:0 6px;margin:1px 3px 1px 0;font-weight:600;"


def to_html(picture: Drawn, lines: Sequence[Line] = ()) -> str:
    """A table with brokers as columns and topics as rows, then quorum, groups, what happened last, and the legend.

    :param picture: what :func:`kafkalab.views.cluster_drawn.drawn` gives.
    :param lines: what :class:`kafkalab.views.event_lines.EventLines` made of the events.
    """
    blocks = [_cluster(picture)]
    if picture["quorum"]:
        blocks.append(f"<p>{escape(quorum_line(picture['quorum']))}</p>")
    if picture["groups"]:
        blocks.append(_groups(groups(picture)))
    if lines:
        items = "".join(f"<li>{_line(line)}</li>" for line in lines[-_EVENTS:])
        blocks.append(f"<p><strong>What happened · seen at</strong></p><ol>{items}</ol>")
    blocks += [f"<p>{_text(problem, 300)}</p>" for problem in picture["problems"][:5]]
    legend = " · ".join(f"{SIGNS[part]} {meaning}" for part, meaning in MEANINGS.items())
    moment = "A picture of one moment"
    if picture["at"] is not None:
        moment += datetime.fromtimestamp(picture["at"], UTC).strftime(", %Y-%m-%d %H:%M:%S UTC")
    blocks.append(f"<p><small>{escape(legend)}. {moment}.</small></p>")
    return f"<div>{''.join(blocks)}</div>"


def _cluster(picture: Drawn) -> str:
    caption = f"<strong>{escape(title(picture))}</strong>"
    if picture["error"]:
        caption += f"<br>cannot be looked at now: {_text(picture['error']['text'].splitlines()[0], 300)}"
    columns = brokers(picture)
    head = '<th scope="col" style="text-align:left">Topic</th>' + "".join(
        f'<th scope="col" style="text-align:left">Broker {b["id"]}{" · controller" if b["controller"] else ""}'
        f"<br><small>{escape(b['standing'])}{' · rack ' + _text(b['rack']) if b['rack'] else ''}</small></th>"
        for b in columns
    )
    own = [t for t in topics(picture) if not t["internal"]]
    rows = [_row(t, [b["id"] for b in columns]) for t in own[:_TOPICS]]
    hidden = [f"{len(own) - _TOPICS} more topics"] if len(own) > _TOPICS else []
    if internal := len(picture["topics"]) - len(own):
        hidden.append(f"{internal} internal {'topic' if internal == 1 else 'topics'}")
    if hidden:
        cell = f'<td colspan="{len(columns) + 1}" style="text-align:left">'
        rows.append(f"<tr>{cell}<small>not shown: {', '.join(hidden)}</small></td></tr>")
    return (
        f'<table><caption style="text-align:left;caption-side:top">{caption}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )


def _row(topic: Drawn, columns: list[int]) -> str:
    lone = [f"P{p['partition']}" for p in topic["partitions"] if p["leader"] is None]
    notes = [f"RF {topic['replication']}", records(topic)]
    if lone:
        notes.append(f"no leader: {' '.join(lone[:12])}{' …' if len(lone) > 12 else ''}")
    said = " · ".join(note for note in notes if note)
    cells = []
    for broker in columns:
        mine = [(p["partition"], *what) for p in topic["partitions"] for id, *what in p["replicas"] if id == broker]
        more = f" and {len(mine) - _PARTITIONS} more" if len(mine) > _PARTITIONS else ""
        chips = " ".join(_chip(*chip) for chip in mine[:_PARTITIONS])
        cells.append(f'<td style="text-align:left;vertical-align:top">{chips}{more}</td>')
    head = f"<bdi>{_text(topic['name'])}</bdi><br><small>{escape(said)}</small>"
    return f'<tr><th scope="row" style="text-align:left;vertical-align:top">{head}</th>{"".join(cells)}</tr>'


def _chip(partition: int, part: str, behind: int = 0) -> str:
    hue = _HUES[partition % len(_HUES)]
    look = {
        "leader": f"border-color:{hue};background:{hue};color:#fff",
        "follower": f"border-color:{hue}",
        "behind": f"border-color:{hue};border-style:dashed",
        "down": "border-color:#999;text-decoration:line-through",
    }[part]
    sign = next(sign for name, sign in SIGNS.items() if name == part)
    late = f" −{count(behind)}" if behind else ""
    return f'<span style="{_CHIP}{look}">{sign} P{partition}{late}</span>'


def _groups(found: list[Drawn]) -> str:
    rows = []
    for group in found[:_GROUPS]:
        members = [(member_name(m), held(m["holds"]) or "standing by") for m in group["members"][:_MEMBERS]]
        if len(group["members"]) > _MEMBERS:
            members.append((f"{len(group['members']) - _MEMBERS} more members", ""))
        if group["unheld"]:
            members.append(("nobody", held(group["unheld"])))
        members = members or [("no members", "")]
        head = f"<bdi>{_text(group['id'])}</bdi><br><small>{escape(group_line(group))}</small>"
        first = f'<th scope="rowgroup" rowspan="{len(members)}" style="text-align:left;vertical-align:top">{head}</th>'
        for who, what in members:
            cell = '<td style="text-align:left">'
            rows.append(f"<tr>{first}{cell}<bdi>{escape(who)}</bdi></td>{cell}{escape(what)}</td></tr>")
            first = ""
    more = f"<p><small>{len(found) - _GROUPS} more groups not shown</small></p>" if len(found) > _GROUPS else ""
    heads = "".join(f'<th scope="col" style="text-align:left">{word}</th>' for word in ("Group", "Member", "Holds"))
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>{more}"


def _line(line: Line) -> str:
    since = "" if line["since"] is None else f"<small>{line['since']:+.2f} s</small> "
    return f"{since}{_text(line['text'].splitlines()[0] if line['text'] else '', 300)}"


def _text(text: str, limit: int = 40) -> str:
    return escape(shown(text, limit))
