"""The rebalance Gantt of a group, made from the group's history as plain JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import dropwhile
from typing import Any, Literal, TypedDict

from kafkalab.state.changes import by_topic, member_names, spans
from kafkalab.state.groups.history import History, lanes, pauses
from kafkalab.views.words import shorten

#: Maximum number of pieces of a lane and of pauses (the newest are drawn), and of lanes.
PIECES, PAUSES, LANES = 80, 40, 200
_NAMED = 4
_BEFORE = frozenset({"nobody", "rebalancing", "unknown"})

#: The reason why partitions were not read: a member died, left or joined, or another one.
Why = Literal["died", "left", "joined", "other"]
Since = TypedDict("Since", {"from": float})
Begun = TypedDict("Begun", {"from": float | None})
#: Of a lane: from, to (None: it goes on), what, and the member's id.
Piece = tuple[float, float | None, str, str | None]


class Pause(Since):
    """A stretch in which partitions were read by nobody; ``to`` and ``seconds`` are None while it goes on."""

    id: str
    kind: Why
    keys: list[str]
    to: float | None
    seconds: float | None
    text: str


class Chart(Begun):
    """The Gantt chart: lanes and their order, members' names, moments of generations and the learner's actions."""

    order: list[str]
    lanes: dict[str, list[Piece]]
    names: dict[str, str]
    numbers: list[tuple[float, int]]
    notes: list[tuple[float, str]]
    pauses: list[Pause]


#: The chart of a group without a history.
NOTHING: Chart = {"from": None, "order": [], "lanes": {}, "names": {}, "numbers": [], "notes": [], "pauses": []}


def gantt(history: History) -> Chart:
    """Return everything the Gantt shows but the current time, so that it changes only when something happened."""
    # Before a partition's first member there was nobody who could stop reading it.
    found = {pair: list(dropwhile(lambda p: p["what"] in _BEFORE, pieces)) for pair, pieces in lanes(history).items()}
    first = min((pieces[0]["from"] for pieces in found.values() if pieces), default=history["from"])
    # From the beginning of the first generation that holds something, if it was seen; None before the first look.
    begun = None
    if first is not None:
        begun = max(history["from"], max((n["at"] for n in history["numbers"] if n["at"] <= first), default=first))
    clients = {id: m["client"] for id, m in history["members"].items()}
    names = {
        id: shorten(name) for id, name in member_names(clients, *(step["held"] for step in history["steps"])).items()
    }
    several = len({topic for topic, _ in found}) > 1
    shown = dict(sorted(found.items())[:LANES])
    return {
        "from": begun,
        "order": [key(*pair) for pair in shown],
        "lanes": {key(*pair): [_piece(p) for p in pieces[-PIECES:]] for pair, pieces in shown.items()},
        "names": names,
        "numbers": [(n["at"], n["number"]) for n in history["numbers"]][-PIECES:],
        "notes": [(n["at"], shorten(n["text"], 80)) for n in history["notes"]][-PIECES:],
        "pauses": _told(pauses(history, shown), history, names, several),
    }


def key(topic: str, partition: int) -> str:
    """Return the key of a partition in a drawn state; a topic's name cannot contain a slash."""
    return f"{topic}/{partition}"


def _piece(piece: Mapping[str, Any]) -> Piece:
    end = None if piece["to"] is None else round(piece["to"], 3)
    return round(piece["from"], 3), end, piece["what"], piece["member"]


def _told(found: list[dict[str, Any]], history: History, names: Mapping[str, str], several: bool) -> list[Pause]:
    """Return pauses with a sentence each; partitions that stopped and went on together, for one cause, share one."""
    together: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for pause in found:
        before = None if pause["stayed"] else pause["before"]
        same = (pause["from"], pause["to"], pause["stayed"], before, *map(tuple, (pause["left"], pause["joined"])))
        together.setdefault(same, []).append(pause)
    told: list[Pause] = []
    for mine in list(together.values())[-PAUSES:]:
        first, keys = mine[0], [key(p["topic"], p["partition"]) for p in mine]
        going_on = first["to"] is None
        told.append(
            {
                "id": f"{first['from']:.3f}/{keys[0]}",
                "from": round(first["from"], 3),
                "to": None if going_on else round(first["to"], 3),
                "seconds": None if going_on else round(first["seconds"], 3),
                "keys": keys,
                "kind": _kind(first, history),
                "text": _sentence(mine, history, names, several),
            }
        )
    return told[::-1]


def _sentence(mine: list[dict[str, Any]], history: History, names: Mapping[str, str], several: bool) -> str:
    first = mine[0]
    partitions = [(shorten(p["topic"], 30), p["partition"]) for p in mine]
    parts = by_topic(partitions) if several else spans(p for _, p in partitions)
    cause = _cause(first, history, names)
    if first["to"] is None:
        still = "s" if len(mine) == 1 else ""
        return f"{parts} stand{still} still now: {cause}" if first["stayed"] else f"nobody reads {parts} now: {cause}"
    took = _seconds(first["seconds"], max(p["slack"] for p in mine))
    if first["stayed"]:
        return f"{parts} stood still for {'' if took.startswith('less') else 'up to '}{took}: {cause}"
    takers = {p["after"] for p in mine if p["after"]}
    same = takers == {first["before"]}
    then = "" if same or not takers else f"; then {_listed(names.get(t, '?') for t in sorted(takers))} read on"
    return f"nobody read {parts} for {took}: {cause}{then}"


def _seconds(seconds: float, slack: float) -> str:
    """Return a pause's length: "3.1 s (±0.1 s)", "less than 0.3 s", or "3.14 s" when members reported it themselves."""
    if slack < 0.0005:
        return f"{seconds:.2f} s"
    if seconds <= slack:
        return f"less than {max(0.1, seconds + slack):.1f} s"
    return f"{seconds:.1f} s (±{max(0.1, slack):.1f} s)"


def _kind(pause: dict[str, Any], history: History) -> Why:
    gone = [history["members"].get(id, {"why": ""}) for id in pause["left"]]
    if any(m["why"] == "died" for m in gone):
        return "died"
    return "left" if gone else "joined" if pause["joined"] else "other"


def _cause(pause: dict[str, Any], history: History, names: Mapping[str, str]) -> str:
    """Return the cause in words: which members died, left or joined, the partition's former holder first."""
    came = [id for id in pause["joined"] if id not in pause["left"]]
    gone = sorted(pause["left"], key=lambda id: id != pause["before"])
    said = [_went(id, history, names) for id in gone[:_NAMED]]
    if len(gone) > _NAMED:
        said.append(f"{len(gone) - _NAMED} more went")
    if came:
        said.append(f"{_listed(names.get(id, '?') for id in came)} joined")
    return ", ".join(said) or "the group rebalanced"


def _went(id: str, history: History, names: Mapping[str, str]) -> str:
    name, member = names.get(id, "?"), history["members"].get(id, {"why": "", "session": None})
    session = f" after {member['session']:g} s" if member["session"] else ""
    if member["why"] == "died":
        return f"{name} died and its session timed out{session}"
    if member["why"] == "left":
        return f"{name} left" + (f" ({shorten(member['said'], 60)})" if member["said"] else "")
    return f"{name} is gone (it left, or its session timed out{session})"


def _listed(names: Iterable[str]) -> str:
    listed = list(names)
    if len(listed) > _NAMED:
        listed = [*listed[: _NAMED - 1], f"{len(listed) - _NAMED + 1} more"]
    return " and ".join(filter(None, (", ".join(listed[:-1]), listed[-1]))) if listed else "?"
