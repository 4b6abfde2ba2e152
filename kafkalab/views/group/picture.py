"""The data that a group's picture is drawn from, as plain JSON: made of a snapshot and the group's history.

The widget, and the tables where none runs, are made from this, so that they cannot disagree. Partitions and members
are kept by name, with their order in separate lists, so that a small change makes a small patch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any, TypedDict

from kafkalab.state.changes import spans
from kafkalab.state.groups.history import REBALANCING, History
from kafkalab.state.model import Group, Snapshot
from kafkalab.views.group.gantt import gantt, holders, key
from kafkalab.views.static import Block, Para, Table, clock, trouble
from kafkalab.views.words import count, shorten

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
    """The Gantt chart: lane → pieces (from, to, what, member); moments of generations and of the learner's actions."""

    order: list[str]
    lanes: dict[str, list[tuple[float, float | None, str, str | None]]]
    names: dict[str, str]
    numbers: list[tuple[float, int]]
    notes: list[tuple[float, str]]
    pauses: list[Pause]


class More(TypedDict):
    """The numbers of partitions and members that are not drawn."""

    partitions: int
    members: int


class Fault(TypedDict):
    """The reason why the cluster could not be looked at, and of when the picture is."""

    text: str
    at: float | None


class Picture(TypedDict):
    """The picture of GroupView; ``to``: the moment up to which it is known."""

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


def layout(partitions: Sequence[str], members: Sequence[str], holds: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """Return member → its height, in rows of partitions (0 is the first row); any two are at least a row apart.

    Partitions keep their order, because a learner looks them up by number. A member stands at the median of those it
    holds, with which few lines cross, or as near as the others leave room. Members that hold none come last.

    :param holds: member → the partitions it holds.
    """
    row = {p: float(i) for i, p in enumerate(partitions)}
    middle = {m: median(mine) for m in members if (mine := [row[p] for p in holds.get(m, ()) if p in row])}
    ranked = [*sorted(middle, key=lambda m: (middle[m], m)), *(m for m in members if m not in middle)]
    last = max(len(partitions), len(members)) - 1
    # Members whose partitions are dealt out in turn would crowd in the middle, so they are spread over the height.
    distance = max(1.0, 0.7 * last / max(1, len(ranked) - 1))
    heights, above = {}, -distance
    for left, m in zip(range(len(ranked) - 1, -1, -1), ranked, strict=True):
        above = heights[m] = min(max(middle.get(m, last), above + distance), last - left * distance)
    return heights


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


# --- The picture as paragraphs and tables, for where no widget runs.


_PAUSES = 20


def blocks(drawn: Drawn) -> list[Block]:
    """Return the group in a line; its members and what they hold, partitions with holders and lag, and the pauses."""
    about, members = drawn["about"], drawn["members"]
    lag = "" if about["lag"] is None else f"lag {count(about['lag'])}"
    found: list[Block] = [
        Para(_headline(drawn), "strong"),
        *(Para(said) for said in [" · ".join(filter(None, (about["standing"], lag)))] if said),
        *trouble(drawn["error"]),
    ]
    held = [(members[id]["name"], members[id]["host"], _holds(drawn, id)) for id in drawn["ranks"]]
    partitions = [
        (
            f"{shorten(p['topic'])} P{p['partition']}",
            members[p["member"]]["name"] if p["member"] in members else "✕ nobody",
            "unknown" if p["lag"] is None else p["lag"],
        )
        for p in (drawn["partitions"][name] for name in drawn["order"])
    ]
    pauses = [(clock(p["from"]), p["text"]) for p in drawn["gantt"]["pauses"]]
    tables = (
        Table(("Member", "Host", "Holds"), held),
        Table(("Partition", "Held by", "Lag"), partitions),
        Table(("At", "Pause"), pauses, most=_PAUSES),
    )
    return [*found, *(table for table in tables if table.rows)]


def _headline(drawn: Drawn) -> str:
    """Return a headline: "Group dashboard · Stable · coordinator 101 · generation 7 · range"."""
    about = drawn["about"]
    if not drawn["group"]:
        return "no consumer group yet"
    parts = [f"Group {shorten(drawn['group'], 40)}", about["state"]]
    if about["coordinator"] is not None:
        parts.append(f"coordinator {about['coordinator']}")
    if about["number"] is not None:
        parts.append(f"{about['noun']} {about['number']}")
    parts += [about["assignor"], "consumer protocol" if about["protocol"] == "consumer" else ""]
    return " · ".join(filter(None, parts))


def _holds(drawn: Drawn, member: str) -> str:
    """Return what a member holds, "trucks_gps P0–P2, Topic-B P1"."""
    topics: dict[str, list[int]] = {}
    for name in drawn["order"]:
        p = drawn["partitions"][name]
        if p["member"] == member:
            topics.setdefault(p["topic"], []).append(p["partition"])
    said = ", ".join(f"{shorten(topic)} {spans(partitions)}" for topic, partitions in topics.items())
    return said or str(drawn["members"][member]["said"])
