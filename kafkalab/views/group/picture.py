"""The data that a group's picture is drawn from, as plain JSON: made of a snapshot and the group's history.

The widget, and the tables where none runs, are made from this, so that they cannot disagree. Partitions and members
are kept by name, with their order in separate lists, so that a small change makes a small patch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from statistics import median
from typing import Any, TypedDict

from kafkalab.state.changes import by_topic
from kafkalab.state.groups.history import REBALANCING, History
from kafkalab.state.model import Group, Snapshot
from kafkalab.views.group.gantt import NOTHING, Chart, gantt, key
from kafkalab.views.static import Block, Fault, Para, Table, clock, fault, trouble
from kafkalab.views.words import count, shorten

#: Maximum number of partitions, members and groups that are drawn; further partitions and members are counted.
PARTITIONS, MEMBERS, GROUPS = 200, 60, 100
#: States of both protocols in which the partitions are being shared out.
UNSETTLED = REBALANCING | {"Assigning", "Reconciling"}
_UNKNOWN: dict[str, Any] = {"state": "", "type": "", "assignor": "", "coordinator": None}


class About(TypedDict):
    """The group in a few facts; ``number`` is its generation or its epoch, as ``noun`` says."""

    state: str
    coordinator: int | None
    assignor: str
    protocol: str
    number: int | None
    noun: str
    lag: int | None
    standing: str


class PartitionBox(TypedDict):
    """A partition, and the member that holds it."""

    topic: str
    partition: int
    lag: int | None
    member: str | None


class MemberBox(TypedDict):
    """A member; ``said``: what it does, in a word or two; ``row``: its height in rows of partitions."""

    name: str
    client: str
    id: str
    host: str
    said: str
    idle: bool
    row: float


class More(TypedDict):
    """The numbers of partitions and members that are not drawn."""

    partitions: int
    members: int


class Picture(TypedDict):
    """The picture of GroupView; ``to``: the moment up to which it is known; ``ranks``: members from top to bottom."""

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
    error: str | None = None,
    told: Chart | None = None,
    flows: bool = True,
    span: float | None = None,
) -> Picture:
    """Return everything a picture of a group shows.

    :param told: a Gantt already drawn from this history, so that it need not be drawn again.
    :param flows: whether time goes on after the moment up to which it is known; False for a recording.
    :param span: seconds that the Gantt shows at first; None lets the page choose.
    """
    seen = snapshot.group(group_id) if snapshot else None
    chart = told if told is not None else gantt(history) if history else NOTHING
    steps = history["steps"] if history else []
    settled = not steps or steps[-1]["state"] not in UNSETTLED
    held = _held(seen, chart, steps)
    order = sorted(held, key=lambda k: (held[k]["topic"], held[k]["partition"]))[:PARTITIONS]
    members = _members(seen, history, steps)
    rows = layout(order, list(members)[:MEMBERS], _holdings(held, order, chart, settled))
    counted = Counter(p["member"] for p in held.values())
    lags = [p["lag"] for p in held.values() if p["lag"] is not None]

    def box(id: str, row: float) -> MemberBox:
        (client, host), holds = members[id], counted[id]
        # In a rebalance, a member without partitions is not standing by: it does not know yet what it will hold.
        waits = "standing by" if settled else "in the rebalance"
        return {
            "name": chart["names"].get(id, shorten(client, 32)),
            "client": shorten(client, 200),
            "id": shorten(id, 80),
            "host": shorten(host, 80),
            "said": f"{holds} partition{'' if holds == 1 else 's'}" if holds else waits,
            "idle": settled and not holds,
            "row": round(row, 3),
        }

    return {
        "groups": [shorten(g, 200) for g in sorted(g.group_id for g in snapshot.groups)][:GROUPS] if snapshot else [],
        "group": shorten(group_id, 200),
        "looked": snapshot is not None or bool(steps),
        "error": fault(error, snapshot),
        "about": _about(seen, steps, chart, sum(lags) if lags else None, [counted[id] for id in members]),
        "partitions": {k: held[k] for k in order},
        "order": order,
        "members": {id: box(id, row) for id, row in rows.items()},
        "ranks": sorted(rows, key=rows.__getitem__),
        "more": {"partitions": len(held) - len(order), "members": len(members) - len(rows)},
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


def _held(seen: Group | None, chart: Chart, steps: Sequence[Mapping[str, Any]]) -> dict[str, PartitionBox]:
    """Return every partition that the group holds, held before, or has committed an offset of."""
    lags = {key(o.topic, o.partition): o.lag for o in seen.offsets} if seen else {}
    last = {k: pieces[-1] for k, pieces in chart["lanes"].items() if pieces}
    owners = {k: member if what in ("held", "silent", "unknown") else None for k, (_, _, what, member) in last.items()}
    if seen and not steps:
        owners |= {key(t, p): m.member_id for m in seen.members for t, p in m.partitions}
    found: dict[str, PartitionBox] = {}
    for k in lags.keys() | owners.keys():
        topic, _, number = k.rpartition("/")
        found[k] = {"topic": topic, "partition": int(number), "lag": lags.get(k), "member": owners.get(k)}
    return found


def _members(
    seen: Group | None, history: History | None, steps: Sequence[Mapping[str, Any]]
) -> dict[str, tuple[str, str]]:
    """Return member id → client and host, sorted by client, from the newest look, more recent than any snapshot."""
    # While the coordinator cannot be asked, the members of its last answer stay.
    last = next((s for s in reversed(steps) if s["state"] != "Unknown"), None)
    if history is not None and last is not None:
        known = history["members"]
        there = {id: (known[id]["client"], known[id]["host"]) for id in last["held"] if id in known}
    else:
        there = {m.member_id: (m.client_id, m.host) for m in seen.members} if seen else {}
    return dict(sorted(there.items(), key=lambda item: (item[1][0], item[0])))


def _holdings(
    held: Mapping[str, PartitionBox], order: Sequence[str], chart: Chart, settled: bool
) -> dict[str, list[str]]:
    """Return member → its partitions; in a rebalance those of before: members keep their places, only lines vanish."""
    holds: dict[str, list[str]] = {}
    for k in order:
        before = [] if settled else [member for _, _, what, member in chart["lanes"].get(k, ()) if what == "held"]
        member = held[k]["member"] or next(reversed(before), None)
        if member is not None:
            holds.setdefault(member, []).append(k)
    return holds


def _about(
    seen: Group | None, steps: Sequence[Mapping[str, Any]], chart: Chart, lag: int | None, holds: Sequence[int]
) -> About:
    known = steps[-1] if steps else asdict(seen) if seen else _UNKNOWN
    return {
        "state": shorten(known["state"]),
        "coordinator": known["coordinator"],
        "assignor": shorten(known["assignor"]),
        "protocol": known["type"],
        "number": chart["numbers"][-1][1] if chart["numbers"] else None,
        "noun": "group epoch" if known["type"] == "consumer" else "generation",
        "lag": lag,
        "standing": _standing(known["state"], len(holds), holds.count(0)),
    }


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


def blocks(drawn: Picture) -> list[Block]:
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


def _headline(drawn: Picture) -> str:
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


def _holds(drawn: Picture, member: str) -> str:
    """Return what a member holds, "trucks_gps P0–P2, Topic-B P1"."""
    held = (p for p in (drawn["partitions"][name] for name in drawn["order"]) if p["member"] == member)
    return by_topic((shorten(p["topic"]), p["partition"]) for p in held) or drawn["members"][member]["said"]
