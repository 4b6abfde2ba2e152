"""The data that a group's picture is drawn from, as plain JSON: made of a snapshot and the group's history.

The widget, the SVG, the table and the text all draw from this, so that they cannot disagree. Partitions and members
are kept by name, with their order in separate lists, so that a small change makes a small patch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

import networkx as nx

from kafkalab.state.groups.history import REBALANCING, History
from kafkalab.state.model import Group, Snapshot
from kafkalab.views.group.gantt import gantt, holders, key
from kafkalab.views.words import shorten

# --- The layout of a group: members stand beside the partitions so that few of the lines between them cross.


def layout(partitions: Sequence[str], members: Sequence[str], holds: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """Return member → its height, in rows of partitions (0 is the first row); any two are at least a row apart.

    Partitions keep their order, because a learner looks them up by number. A member stands in the middle of the
    partitions it holds; then neighbours are swapped while that removes crossings. Members that hold none come last.

    :param holds: member → the partitions it holds.
    """
    graph = nx.Graph()
    graph.add_nodes_from(partitions, bipartite=0)
    graph.add_nodes_from(members, bipartite=1)
    graph.add_edges_from((p, m) for m in members for p in holds.get(m, ()) if p in graph)
    row = {p: i for i, p in enumerate(partitions)}
    middle = {m: sum(row[p] for p in graph[m]) / len(graph[m]) for m in members if graph[m]}
    working = _fewer_crossings(sorted(middle, key=lambda m: (middle[m], m)), graph, row)
    standing = [m for m in members if m not in middle]
    rows = max(len(partitions), len(members), 1)
    wanted = [middle[m] for m in working] + [float(rows)] * len(standing)
    # Members whose partitions are dealt out in turn would crowd in the middle, so they are spread over the height.
    distance = max(1.0, 0.8 * (rows - 1) / max(1, len(members) - 1))
    return dict(zip([*working, *standing], _apart(wanted, rows - 1, distance), strict=True))


def crossings(order: Sequence[str], graph: nx.Graph, row: Mapping[str, int]) -> int:
    """Return how many pairs of lines cross when the members stand in this order."""
    ends = [row[p] for m in order for p in sorted(graph[m], key=row.__getitem__)]
    return sum(a > b for i, a in enumerate(ends) for b in ends[i + 1 :])


def _fewer_crossings(order: list[str], graph: nx.Graph, row: Mapping[str, int]) -> list[str]:
    """Swap neighbours as long as that removes crossings, and return the new order."""
    best = crossings(order, graph, row) if len(order) > 1 else 0
    better = best > 0
    while better:
        better = False
        for i in range(len(order) - 1):
            pair = order[i : i + 2]
            if crossings(pair[::-1], graph, row) < crossings(pair, graph, row):
                order[i : i + 2] = pair[::-1]
                better = True
    return order


def _apart(wanted: Sequence[float], last: float, distance: float) -> list[float]:
    """Return heights as near to the wanted ones as this distance allows, within [0, last]; ``wanted`` ascends."""
    # Blocks of touching neighbours: each block stands at the average of what its members want.
    blocks: list[list[float]] = []  # [sum of (wanted - place in the block), size]
    for height in wanted:
        blocks.append([height, 1])
        while len(blocks) > 1 and _end(blocks[-2], last, distance) + distance > _start(blocks[-1], last, distance):
            total, size = blocks.pop()
            before = blocks[-1]
            blocks[-1] = [before[0] + total - size * before[1] * distance, before[1] + size]
    return [_start(block, last, distance) + i * distance for block in blocks for i in range(int(block[1]))]


def _start(block: list[float], last: float, distance: float) -> float:
    return max(0.0, min(block[0] / block[1], last - (block[1] - 1) * distance))


def _end(block: list[float], last: float, distance: float) -> float:
    return _start(block, last, distance) + (block[1] - 1) * distance


Drawn = dict[str, Any]

#: Maximum number of partitions, members and groups that are drawn; further partitions and members are counted.
PARTITIONS, MEMBERS, GROUPS = 200, 60, 100
#: Text for a member that holds nothing, because there are more members than partitions.
IDLE = "standing by"
#: States of both protocols in which the partitions are being shared out.
UNSETTLED = REBALANCING | {"Assigning", "Reconciling"}


class About(TypedDict):
    """The group in a few facts; ``number`` is its generation or its epoch, as ``noun`` says."""

    state: str
    coordinator: int | None
    assignor: str
    protocol: str
    number: int | None
    noun: str
    lag: int | None
    idle: int
    standing: str


class PartitionBox(TypedDict):
    """A partition, and the member that holds it."""

    topic: str
    partition: int
    lag: int | None
    member: str | None


class MemberBox(TypedDict):
    """A member; ``said``: what it does, in a word or two; ``row``: its height in rows."""

    name: str
    client: str
    id: str
    host: str
    holds: int
    said: str
    row: float


Since = TypedDict("Since", {"from": float})
Begun = TypedDict("Begun", {"from": float | None})


class Pause(Since):
    """A stretch in which partitions were read by nobody; ``to`` and ``seconds`` are None while it goes on."""

    id: str
    kind: str
    keys: list[str]
    to: float | None
    seconds: float | None
    text: str


class Chart(Begun):
    """Who held what: lane → pieces (from, to, what, member); moments of generations and of the learner's actions."""

    order: list[str]
    lanes: dict[str, list[tuple[float, float | None, str, str | None]]]
    names: dict[str, str]
    numbers: list[tuple[float, int]]
    notes: list[tuple[float, str]]
    pauses: list[Pause]


class More(TypedDict):
    """How many partitions and members are not drawn."""

    partitions: int
    members: int


class Fault(TypedDict):
    """Why the cluster could not be looked at, and of when the picture is."""

    text: str
    at: float | None


class Picture(TypedDict):
    """What GroupView draws; ``to``: the moment up to which it is known."""

    name: str
    groups: list[str]
    group: str
    looked: bool
    error: Fault | None
    about: About
    partitions: dict[str, PartitionBox]
    order: list[str]
    members: dict[str, MemberBox]
    ranks: list[str]
    more: More
    gantt: Chart
    to: float | None
    flows: bool
    span: float | None


def drawn(
    snapshot: Snapshot | None,
    group_id: str,
    history: History | None,
    *,
    name: str = "",
    error: str | None = None,
    told: Drawn | None = None,
    flows: bool = True,
    span: float | None = None,
) -> Drawn:
    """Return everything a picture of a group shows.

    - ``groups``: the ids to choose from; ``group``: the one shown, "" for none;
    - ``about``: ``state`` (Kafka's word), ``coordinator``, ``assignor``, ``protocol``, ``number`` and ``noun`` (the
      generation, or the group epoch), ``lag``, ``idle``, ``standing`` (the state in a sentence);
    - ``partitions``: "topic/partition" → ``topic``, ``partition``, ``lag``, ``member`` (its id, or None); ``order``;
    - ``members``: id → ``name``, ``client``, ``id``, ``host``, ``holds`` (number of partitions), ``said`` (what it
      does, in a word or two), ``row`` (its height in rows); ``ranks``, their ids from top to bottom;
    - ``more``: how many partitions and members are not drawn;
    - ``gantt``: see :func:`kafkalab.views.group.gantt.gantt`; ``to``: the moment up to which it is known;
      ``flows``, ``span``: the parameters below.

    :param told: a Gantt already drawn from this history, so that it need not be drawn again.
    :param flows: whether time goes on after ``to``; False for a recording.
    :param span: seconds that the Gantt shows at first; None lets the page choose.
    """
    seen = snapshot.group(group_id) if snapshot else None
    chart = told if told is not None else gantt(history) if history else _nothing()
    held = _held(seen, chart, history)
    step = history["steps"][-1] if history and history["steps"] else None
    order = sorted(held, key=lambda k: (held[k]["topic"], held[k]["partition"]))[:PARTITIONS]
    members = _members(seen, history, chart["names"], held)
    ranked = layout(order, list(members)[:MEMBERS], _holdings(held, order, {} if _settled(step) else _before(chart)))
    for id, row in ranked.items():
        members[id]["row"] = round(row, 3)
    lags = [p["lag"] for p in held.values() if p["lag"] is not None]
    return {
        "name": name,
        "groups": [shorten(g, 200) for g in sorted(g.group_id for g in snapshot.groups)][:GROUPS] if snapshot else [],
        "group": shorten(group_id, 200),
        "looked": snapshot is not None or step is not None,
        "error": None if error is None else {"text": error, "at": snapshot.at if snapshot else None},
        "about": _about(seen, step, chart, sum(lags) if lags else None, members),
        "partitions": {k: held[k] for k in order},
        "order": order,
        "members": {id: members[id] for id in ranked},
        "ranks": sorted(ranked, key=lambda id: ranked[id]),
        "more": {"partitions": len(held) - len(order), "members": len(members) - len(ranked)},
        "gantt": chart,
        "to": round(history["to"], 1) if history and history["to"] is not None else snapshot.at if snapshot else None,
        "flows": flows,
        "span": span,
    }


def _nothing() -> Drawn:
    return {
        "period": 0.0, "from": None, "order": [], "lanes": {}, "names": {}, "numbers": [], "notes": [], "pauses": [],
    }  # fmt: skip


def _held(seen: Group | None, chart: Drawn, history: History | None) -> dict[str, Drawn]:
    """Return every partition that the group holds, held before, or has committed an offset of."""
    lags = {key(o.topic, o.partition): o.lag for o in seen.offsets} if seen else {}
    owners = holders(chart)
    if seen and not (history and history["steps"]):
        owners |= {key(t, p): m.member_id for m in seen.members for t, p in m.partitions}
    found = {}
    for k in lags.keys() | owners.keys():
        topic, _, number = k.rpartition("/")
        found[k] = {"topic": topic, "partition": int(number), "lag": lags.get(k), "member": owners.get(k)}
    return found


def _members(
    seen: Group | None, history: History | None, names: dict[str, str], held: dict[str, Drawn]
) -> dict[str, Drawn]:
    """Return the current members, sorted by name, from the newest look, which is more recent than any snapshot."""
    steps = history["steps"] if history else []
    known = history["members"] if history else {}
    # While the coordinator cannot be asked, the members of its last answer stay.
    last = next((s for s in reversed(steps) if s["state"] != "Unknown"), None)
    if last is not None:
        there = [(id, known[id]["client"], known[id]["host"]) for id in last["held"] if id in known]
    else:
        there = [(m.member_id, m.client_id, m.host) for m in seen.members] if seen else []
    counted: dict[str, int] = {}
    for p in held.values():
        counted[p["member"]] = counted.get(p["member"], 0) + 1
    found = {
        id: {
            "name": names.get(id, shorten(client, 32)),
            "client": shorten(client, 200),
            "id": shorten(id, 80),
            "host": shorten(host, 80),
            "holds": counted.get(id, 0),
            "said": _said(counted.get(id, 0), last["state"] if last else ""),
            "row": 0.0,
        }
        for id, client, host in there
    }
    return dict(sorted(found.items(), key=lambda item: (item[1]["client"], item[0])))


def _settled(step: dict[str, Any] | None) -> bool:
    return step is None or step["state"] not in UNSETTLED


def _before(chart: Drawn) -> dict[str, str]:
    """Return the last holder of each partition: in a rebalance members keep their places, and only the lines vanish."""
    last: dict[str, str] = {}
    for k, pieces in chart["lanes"].items():
        for piece in pieces:
            if piece[2] == "held":
                last[k] = piece[3]
    return last


def _holdings(held: dict[str, Drawn], order: list[str], before: dict[str, str]) -> dict[str, list[str]]:
    holds: dict[str, list[str]] = {}
    for k in order:
        member = held[k]["member"] or before.get(k)
        if member is not None:
            holds.setdefault(member, []).append(k)
    return holds


def _about(
    seen: Group | None, step: dict[str, Any] | None, chart: Drawn, lag: int | None, members: dict[str, Drawn]
) -> Drawn:
    if step is not None:
        state, kind, assignor, coordinator = step["state"], step["type"], step["assignor"], step["coordinator"]
    elif seen is not None:
        state, kind, assignor, coordinator = seen.state, seen.type, seen.assignor, seen.coordinator
    else:
        state, kind, assignor, coordinator = "", "classic", "", None
    idle = sum(m["said"] == IDLE for m in members.values())
    numbers = chart["numbers"]
    return {
        "state": shorten(state),
        "coordinator": coordinator,
        "assignor": shorten(assignor),
        "protocol": kind,
        "number": numbers[-1][1] if numbers else None,
        "noun": "group epoch" if kind == "consumer" else "generation",
        "lag": lag,
        "idle": idle,
        "standing": _standing(state, len(members), idle),
    }


def _said(holds: int, state: str) -> str:
    """Return what a member does, in a word or two."""
    if holds:
        return f"{holds} partition{'' if holds == 1 else 's'}"
    # In a rebalance, a member without partitions is not standing by: it does not know yet what it will hold.
    return "in the rebalance" if state in UNSETTLED else IDLE


def _standing(state: str, members: int, idle: int) -> str:
    """Return a sentence that says what the group's state means."""
    n = f"{members} member{'' if members == 1 else 's'}"
    if state in UNSETTLED:
        return f"{n}, rebalancing"
    match state:
        case "Empty":
            return "no members; its committed offsets are kept"
        case "Dead":
            return "no such group"
        case "Unknown":
            return "its coordinator cannot be asked now"
        case "":
            return ""
        case _:
            return f"{n}, {idle} standing by" if idle else n
