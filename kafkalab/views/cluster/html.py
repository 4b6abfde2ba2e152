"""A picture of a cluster as static HTML: what a notebook shows where no kernel runs (GitHub, nbviewer, a print).

Such places drop style sheets, scripts, and often style attributes too. So the picture is made of tables with headers,
in which every sign is text; colour is never needed to read it. Everything that came from the cluster is escaped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from html import escape

from kafkalab.state.changes import spans
from kafkalab.views.cluster.picture import (
    MEANINGS,
    SIGNS,
    Drawn,
    Line,
    brokers,
    count,
    groups,
    quorum_nodes,
    shown,
    topics,
)

# --- A picture of a cluster as text, for a terminal, a log, and wherever no widget and no HTML is shown.


_TEXT_TOPICS = 20
_TEXT_GROUPS = 20
_TEXT_MEMBERS = 8
#: If a broker has more replicas than the first number, the text tells only sums, and names only the partitions in
#: trouble (as views/cluster/picture.js does), at most the second number of them.
_REPLICAS, _NAMED = 60, 10
#: State of a quorum node's process → the words for it, besides the node's role.
_BESIDES = {"paused": "paused", "cut": "cut off"}


def to_text(picture: Drawn) -> str:
    """Return the cluster as a few lines: title, brokers, each topic with its leaders and followers, quorum, groups.

    :param picture: the result of :func:`kafkalab.views.cluster.picture.drawn`.
    """
    lines = [title(picture)]
    if picture["error"]:
        lines.append(f"the cluster does not answer now: {shown(picture['error']['text'].splitlines()[0], 200)}")
    own = [t for t in topics(picture) if not t["internal"]]
    held = {b["id"]: _replicas(own, b["id"]) for b in brokers(picture)}
    crowded = any(sums.total() > _REPLICAS for sums in held.values())
    lines += [_broker(b) + (_sums(held[b["id"]]) if crowded else "") for b in brokers(picture)]
    for topic in own[:_TEXT_TOPICS]:
        lines += [_troubles(topic)] if crowded else _topic(topic)
    if len(own) > _TEXT_TOPICS:
        lines.append(f"… and {len(own) - _TEXT_TOPICS} more topics")
    if internal := len(picture["topics"]) - len(own):
        lines.append(f"{internal} internal {'topic' if internal == 1 else 'topics'} not shown")
    if picture["quorum"]:
        lines.append(quorum_line(picture["quorum"]))
    for group in groups(picture)[:_TEXT_GROUPS]:
        lines += _group(group)
    if len(picture["groups"]) > _TEXT_GROUPS:
        lines.append(f"… and {len(picture['groups']) - _TEXT_GROUPS} more groups")
    if own:
        lines.append("  ".join(f"{SIGNS[part]} {meaning}" for part, meaning in MEANINGS.items()))
    return "\n".join(lines)


def title(picture: Drawn) -> str:
    """Return the title, such as "truck-lab · Kafka 3.9.2 · ZooKeeper · local processes · 2 of 3 brokers up"."""
    all = picture["brokers"].values()
    known = picture["looked"] and not picture["error"]
    up = f"{sum(bool(b['alive']) for b in all)} of {len(all)} brokers up" if known else "not read yet"
    if picture["error"]:
        up = "not answering"
    parts = (shown(picture["name"]), picture["kafka"], shown(picture["label"]), up)
    return " · ".join(part for part in parts if part)


def records(topic: Drawn) -> str:
    """Return a topic's records: "21 400 records", with "at least" if a partition could not be asked; "" if unknown."""
    if topic["records"] is None:
        return ""
    least = "at least " if topic["unknown"] else ""
    return f"{least}{count(topic['records'])} {'record' if topic['records'] == 1 else 'records'}"


def size(topic: Drawn) -> str:
    """Return a topic's size: "10 partitions, RF 3, 21 400 records"."""
    n = len(topic["partitions"])
    parts = (f"{n} partition{'' if n == 1 else 's'}", f"RF {topic['replication']}", records(topic))
    return ", ".join(part for part in parts if part)


def quorum_line(quorum: Drawn) -> str:
    """Return the role of each node of a quorum, by id: "ZooKeeper: 1 leader, 2 follower, 3 down"."""
    epoch = f" (epoch {quorum['epoch']})" if quorum["epoch"] is not None else ""
    return f"{quorum['kind']}{epoch}: " + ", ".join(f"{n['id']} {quorum_role(n)}" for n in quorum_nodes(quorum))


def quorum_role(node: Drawn) -> str:
    """Return a quorum node's role in a word or two (leader, follower, down), with the state of its process."""
    state = node["node"]["state"] if node["node"] else ""
    said = node["role"] or ("unknown" if node["alive"] is None else "no answer")
    if node["alive"] is False:
        said = node["gone"]
    if node["lag"]:
        said += f" {count(node['lag'])} behind"
    return f"{said}, {_BESIDES[state]}" if state in _BESIDES else said


def group_line(group: Drawn) -> str:
    """Return the state of a group: "Stable, coordinator 101, lag 42, range"."""
    parts = [shown(group["state"])]
    parts.append(f"coordinator {group['coordinator']}" if group["coordinator"] is not None else "no coordinator")
    if group["lag"] is not None:
        parts.append(f"lag {count(group['lag'])}")
    if group["assignor"]:
        parts.append(shown(group["assignor"]))
    return ", ".join(parts)


def held(holds: list[Drawn]) -> str:
    """Return the partitions that are held: "trucks_gps P0–P4, Topic-B P1"."""
    return ", ".join(f"{shown(h['topic'])} {spans(p for p, _ in h['partitions'])}" for h in holds)


def member_name(member: Drawn) -> str:
    """Return the client id, with the end of the member id if other members share it."""
    return shown(member["client"]) + (f"…{shown(member['tail'])}" if member["tail"] else "")


def _broker(broker: Drawn) -> str:
    badge = " · controller" if broker["controller"] else ""
    rack = f" · rack {shown(broker['rack'])}" if broker["rack"] else ""
    return f"broker {broker['id']}  {broker['standing']}{badge}{rack}"


def _replicas(topics: Iterable[Drawn], broker: int) -> Counter[str]:
    """Count a broker's replicas of these topics by their part: leader, follower, behind, or down."""
    parts = (replica for topic in topics for p in topic["partitions"] for replica in p["replicas"])
    return Counter(part for id, part, *_ in parts if id == broker)


def _sums(parts: Counter[str]) -> str:
    """Return the sums of a broker's replicas: "   ♛ leads 96   ● follows 192   ◌ 3 behind"."""
    said = {"leader": "leads {}", "follower": "follows {}", "behind": "{} behind", "down": "holds {}"}
    return "".join(f"   {SIGNS[p]} {said[p].format(count(parts[p]))}" for p in MEANINGS if p in parts)


def _troubles(topic: Drawn) -> str:
    """Return a topic's size and its partitions in trouble, as one line; for clusters with very many partitions."""
    lone = [p["partition"] for p in topic["partitions"] if p["leader"] is None]
    short = [p["partition"] for p in topic["partitions"] if p["short"] and p["leader"] is not None]
    said = [f"{shown(topic['name'])}: {size(topic)}"]
    for word, found in (("no leader", lone), ("under-replicated", short)):
        more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
        said += [f"{word}: {spans(found[:_NAMED])}{more}"] if found else []
    return " · ".join(said)


def _topic(topic: Drawn) -> list[str]:
    lines = [f"{shown(topic['name'])}: {size(topic)}"]
    parts: dict[int, dict[str, list[int]]] = {}
    behind: dict[int, int] = {}
    for p in topic["partitions"]:
        for broker, part, *records in p["replicas"]:
            parts.setdefault(broker, {}).setdefault(part, []).append(p["partition"])
            behind[broker] = behind.get(broker, 0) + sum(records)
    for broker, mine in sorted(parts.items()):
        said = "   ".join(f"{SIGNS[part]} {spans(mine[part])}" for part in MEANINGS if part in mine)
        late = f" −{count(behind[broker])}" if behind[broker] else ""
        lines.append(f"  {broker}  {said}{late}")
    if lone := [p["partition"] for p in topic["partitions"] if p["leader"] is None]:
        lines.append(f"  no leader: {spans(lone)}")
    return lines


def _group(group: Drawn) -> list[str]:
    lines = [f"group {shown(group['id'])}: {group_line(group)}"]
    for member in group["members"][:_TEXT_MEMBERS]:
        lines.append(f"  {member_name(member)}  {held(member['holds']) or 'standing by'}")
    if len(group["members"]) > _TEXT_MEMBERS:
        lines.append(f"  … and {len(group['members']) - _TEXT_MEMBERS} more members")
    if group["unheld"]:
        lines.append(f"  held by nobody: {held(group['unheld'])}")
    return lines


_TOPICS = 12
_PARTITIONS = 60
_GROUPS = 12
_MEMBERS = 20
_EVENTS = 12

# The hues of views/shared.css, each in one tone that suits dark and light pages, because the theme is not known here.
_HUES = ("#0072b2", "#c74e00", "#008a63", "#b0488c", "#967b00", "#5f64d0", "#2f8fc8", "#a8455a", "#8b78ea", "#75797f",
         "#2f857f", "#9a7348")  # fmt: skip
_CHIP = "display:inline-block;border:2px solid;border-radius:7px;padding:0 6px;margin:1px 3px 1px 0;font-weight:600;"


def to_html(picture: Drawn, lines: Sequence[Line] = ()) -> str:
    """Return a table of topics (rows) and brokers (columns), then quorum, groups, what happened last, and the legend.

    :param picture: the result of :func:`kafkalab.views.cluster.picture.drawn`.
    :param lines: the lines that :class:`kafkalab.views.cluster.picture.EventLines` made of the events.
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
        caption += f"<br>the cluster does not answer now: {_text(picture['error']['text'].splitlines()[0], 300)}"
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
