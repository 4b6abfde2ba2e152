"""A picture of a cluster as paragraphs and tables: what a notebook shows where no kernel runs, and what is printed."""

from __future__ import annotations

from collections import Counter

from kafkalab.state.changes import spans
from kafkalab.views.cluster.picture import MEANINGS, SIGNS, Drawn
from kafkalab.views.static import Block, Para, Table, clock, trouble
from kafkalab.views.words import count, shorten

_TOPICS, _MEMBERS, _EVENTS = 20, 60, 12
#: If a broker has more replicas than the first number, only sums are told, and the partitions in trouble are named (as
#: views/cluster/panels.ts does), at most the second number of them.
_REPLICAS, _NAMED = 60, 10
#: State of a quorum node's process → the words for it, besides the node's role.
_BESIDES = {"paused": "paused", "cut": "cut off"}
_SUMS = {"leader": "leads {}", "follower": "follows {}", "behind": "{} behind", "down": "holds {}"}


def blocks(picture: Drawn) -> list[Block]:
    """Return topics (rows) on brokers (columns), then quorum, groups, what happened last, and the legend.

    :param picture: a :func:`~kafkalab.views.cluster.picture.drawn` picture, with its lines as ``events``.
    """
    found: list[Block] = [Para(title(picture), "strong"), *trouble(picture["error"]), *_topics(picture)]
    if picture["quorum"]:
        found.append(Para(quorum_line(picture["quorum"])))
    if picture["groups"]:
        rows = [row for id, group in sorted(picture["groups"].items()) for row in _group(id, group)]
        found.append(Table(("Group", "State", "Member", "Holds"), rows, most=_MEMBERS))
    if picture.get("events"):
        happened = [(_since(line), shorten(line["text"].split("\n")[0], 300)) for line in picture["events"][-_EVENTS:]]
        found.append(Table(("Seen at", "What happened"), happened))
    found += [Para(shorten(problem, 300)) for problem in picture["problems"][:5]]
    moment = "A picture of one moment" + (f", {clock(picture['at'])}" if picture["at"] is not None else "")
    legend = "  ".join(f"{SIGNS[part]} {meaning}" for part, meaning in MEANINGS.items())
    return [*found, Para(f"{legend}. {moment}.", "small")]


def title(picture: Drawn) -> str:
    """Return the title, such as "truck-lab · Kafka 3.9.2 · ZooKeeper · local processes · 2 of 3 brokers up"."""
    all = picture["brokers"].values()
    up = f"{sum(bool(b['alive']) for b in all)} of {len(all)} brokers up" if picture["looked"] else "not read yet"
    if picture["error"]:
        up = "not answering"
    parts = (shorten(picture["name"]), picture["kafka"], shorten(picture["label"]), up)
    return " · ".join(part for part in parts if part)


def _topics(picture: Drawn) -> list[Block]:
    brokers = sorted(picture["brokers"].values(), key=lambda b: b["id"])
    own = {name: topic for name, topic in sorted(picture["topics"].items()) if not topic["internal"]}
    held = Counter(id for t in own.values() for p in t["partitions"] for id, *_ in p["replicas"])
    crowded = max(held.values(), default=0) > _REPLICAS
    heads = [
        f"Broker {b['id']}{' · controller' if b['controller'] else ''}\n"
        f"{b['standing']}{' · rack ' + shorten(b['rack']) if b['rack'] else ''}"
        for b in brokers
    ]
    rows = [
        (f"{shorten(name)}\n{_size(topic, crowded)}", *(_cell(topic, b["id"], crowded) for b in brokers))
        for name, topic in own.items()
    ]
    table = Table(("Topic", *heads), rows, most=_TOPICS)
    internal = len(picture["topics"]) - len(own)
    hidden = f"{internal} internal {'topic' if internal == 1 else 'topics'} not shown"
    return [table, Para(hidden, "small")] if internal else [table]


def _size(topic: Drawn, crowded: bool) -> str:
    """Return a topic's size and its trouble: "3 partitions, RF 3, 21 400 records · no leader: P1"."""
    n = len(topic["partitions"])
    parts = [f"{n} partition{'' if n == 1 else 's'}", f"RF {topic['replication']}"]
    if topic["records"] is not None:
        # A partition may not have been asked.
        least = "at least " if topic["unknown"] else ""
        parts.append(f"{least}{count(topic['records'])} record{'' if topic['records'] == 1 else 's'}")
    lone = [p["partition"] for p in topic["partitions"] if p["leader"] is None]
    short = [p["partition"] for p in topic["partitions"] if p["short"] and p["leader"] is not None]
    said = [", ".join(parts)]
    for word, found in (("no leader", lone), ("under-replicated", short if crowded else [])):
        more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
        said += [f"{word}: {spans(found[:_NAMED])}{more}"] if found else []
    return " · ".join(said)


def _cell(topic: Drawn, broker: int, crowded: bool) -> str:
    """Return a broker's replicas of a topic, a line for each part: "♛ P0", "● P1–P2"; or only their numbers."""
    parts: dict[str, list[int]] = {}
    late = 0
    for p in topic["partitions"]:
        for id, part, *records in p["replicas"]:
            if id == broker:
                parts.setdefault(part, []).append(p["partition"])
                late += sum(records)
    lines = [
        f"{SIGNS[part]} {_SUMS[part].format(count(len(parts[part]))) if crowded else spans(parts[part])}"
        f"{f' −{count(late)}' if part == 'behind' and late else ''}"
        for part in MEANINGS
        if part in parts
    ]
    return "\n".join(lines)


def quorum_line(quorum: Drawn) -> str:
    """Return the role of each node of a quorum, voters before observers: "ZooKeeper: 1 leader, 2 follower, 3 down"."""
    epoch = f" (epoch {quorum['epoch']})" if quorum["epoch"] is not None else ""
    nodes = sorted(quorum["nodes"].values(), key=lambda n: (n["role"] == "observer", n["id"]))
    return f"{quorum['kind']}{epoch}: " + ", ".join(f"{n['id']} {_role(n)}" for n in nodes)


def _role(node: Drawn) -> str:
    """Return a quorum node's role in a word or two (leader, follower, down), with the state of its process."""
    state = node["node"]["state"] if node["node"] else ""
    said = node["role"] or ("unknown" if node["alive"] is None else "no answer")
    if node["alive"] is False:
        said = node["gone"]
    if node["lag"]:
        said += f" {count(node['lag'])} behind"
    return f"{said}, {_BESIDES[state]}" if state in _BESIDES else said


def _group(id: str, group: Drawn) -> list[tuple[str, str, str, str]]:
    """Return a row for each member of a group; the first one tells the group's state too."""
    parts = [shorten(group["state"])]
    parts.append(f"coordinator {group['coordinator']}" if group["coordinator"] is not None else "no coordinator")
    if group["lag"] is not None:
        parts.append(f"lag {count(group['lag'])}")
    if group["assignor"]:
        parts.append(shorten(group["assignor"]))
    members = [
        (shorten(m["client"]) + (f"…{shorten(m['tail'])}" if m["tail"] else ""), _held(m["holds"]) or "standing by")
        for _, m in sorted(group["members"].items(), key=lambda item: (item[1]["client"], item[0]))
    ]
    if group["unheld"]:
        members.append(("nobody", _held(group["unheld"])))
    rows = members or [("no members", "")]
    return [(shorten(id), ", ".join(parts) if i == 0 else "", *row) for i, row in enumerate(rows)]


def _held(holds: list[Drawn]) -> str:
    """Return the partitions that are held: "trucks_gps P0–P4, Topic-B P1"."""
    return ", ".join(f"{shorten(h['topic'])} {spans(p for p, _ in h['partitions'])}" for h in holds)


def _since(line: Drawn) -> str:
    return clock(line["at"]) if line["since"] is None else f"{line['since']:+.2f} s"
