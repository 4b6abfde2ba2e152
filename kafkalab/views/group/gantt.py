"""The rebalance Gantt of a group, made from the group's history as plain JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import dropwhile
from typing import Any

from kafkalab.state.changes import spans
from kafkalab.state.groups.history import History, Piece, lanes, pauses
from kafkalab.views.words import shorten

Drawn = dict[str, Any]

#: Maximum number of pieces of a lane and of pauses (the newest are drawn), and of lanes.
PIECES, PAUSES, LANES = 80, 40, 200
_NAMED = 4
_BEFORE = frozenset({"nobody", "rebalancing", "unknown"})


def gantt(history: History) -> Drawn:
    """Return everything the Gantt shows but the current time, so that it changes only when something happened.

    - ``lanes``: "topic/partition" → pieces ``[from, to or None, what, member id or None]``, oldest first; ``order``
      lists them in the order in which they are drawn;
    - ``names``: member id → the name that is shown;
    - ``numbers``: ``[at, number]`` of generations (or epochs), ``notes``: ``[at, text]`` of what the learner did;
    - ``pauses``: newest first; partitions that paused together share one: ``id``, ``from``, ``to``, ``seconds`` (None
      while it goes on), ``slack``, ``keys`` of the lanes, ``text``, ``kind`` ("died", "left", "joined", "other").
    """
    # Before a partition's first member there was nobody who could stop reading it.
    found = {pair: list(dropwhile(lambda p: p["what"] in _BEFORE, pieces)) for pair, pieces in lanes(history).items()}
    first = min((pieces[0]["from"] for pieces in found.values() if pieces), default=history["from"])
    # From the beginning of the first generation that holds something, if it was seen; None before the first look.
    begun = None
    if first is not None:
        begun = max(history["from"], max((n["at"] for n in history["numbers"] if n["at"] <= first), default=first))
    names = names_of(history)
    several = len({topic for topic, _ in found}) > 1
    shown = dict(sorted(found.items())[:LANES])
    return {
        "period": history["period"],
        "from": begun,
        "order": [key(*pair) for pair in shown],
        "lanes": {key(*pair): [_piece(p) for p in pieces[-PIECES:]] for pair, pieces in shown.items()},
        "names": names,
        "numbers": [[n["at"], n["number"]] for n in history["numbers"]][-PIECES:],
        "notes": [[n["at"], shorten(n["text"], 80)] for n in history["notes"]][-PIECES:],
        "pauses": _told(pauses(history, shown), history, names, several),
    }


def key(topic: str, partition: int) -> str:
    """Return the key of a partition in a drawn state; a topic's name cannot contain a slash."""
    return f"{topic}/{partition}"


def names_of(history: History) -> dict[str, str]:
    """Return member id → its name: the client id, with the end of the member id when members shared it at one time."""
    clients = {id: m["client"] for id, m in history["members"].items()}
    shared: set[str] = set()
    for step in history["steps"]:
        counted = Counter(clients[id] for id in step["held"] if id in clients)
        shared |= {client for client, n in counted.items() if n > 1}
    tails = {id: f" …{shorten(id[-4:])}" if client in shared else "" for id, client in clients.items()}
    return {id: shorten(client, 32) + tails[id] for id, client in clients.items()}


def holders(drawn: Drawn) -> dict[str, str | None]:
    """Return lane → the member that holds it now, or None."""
    last = {name: pieces[-1] for name, pieces in drawn["lanes"].items() if pieces}
    return {name: p[3] if p[2] in ("held", "silent", "unknown") else None for name, p in last.items()}


def seconds_text(pause: Drawn) -> str:
    """Return a pause's length: "3.1 s (±0.1 s)", "less than 0.3 s", or "3.14 s" when members reported it themselves."""
    if not pause["slack"]:
        return f"{pause['seconds']:.2f} s"
    if pause["seconds"] <= pause["slack"]:
        return f"less than {max(0.1, pause['seconds'] + pause['slack']):.1f} s"
    return f"{pause['seconds']:.1f} s (±{max(0.1, pause['slack']):.1f} s)"


def undrawn(error: Exception) -> str:
    """Return the sentence that is shown in place of a moment of a recording that cannot be drawn."""
    return f"This moment of the recording cannot be drawn ({type(error).__name__})."


def _piece(piece: Piece) -> list[Any]:
    end = None if piece["to"] is None else round(piece["to"], 3)
    return [round(piece["from"], 3), end, piece["what"], piece["member"]]


def _told(found: list[dict[str, Any]], history: History, names: dict[str, str], several: bool) -> list[Drawn]:
    """Return pauses with a sentence each; partitions that stopped and went on together, for one cause, share one."""
    together: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for pause in found:
        before = None if pause["stayed"] else pause["before"]
        same = (pause["from"], pause["to"], pause["stayed"], before, *map(tuple, (pause["left"], pause["joined"])))
        together.setdefault(same, []).append(pause)
    told = []
    for mine in list(together.values())[-PAUSES:]:
        first = mine[0]
        going_on = first["to"] is None
        drawn = {
            "id": f"{first['from']:.3f}/{key(first['topic'], first['partition'])}",
            "from": round(first["from"], 3),
            "to": None if going_on else round(first["to"], 3),
            "seconds": None if going_on else round(first["seconds"], 3),
            "slack": round(max(p["slack"] for p in mine), 3),
            "keys": [key(p["topic"], p["partition"]) for p in mine],
            "kind": _kind(first, history),
        }
        told.append({**drawn, "text": _sentence(drawn, mine, history, names, several)})
    return told[::-1]


def _sentence(drawn: Drawn, mine: list[dict[str, Any]], history: History, names: dict[str, str], several: bool) -> str:
    first = mine[0]
    parts = _partitions(mine, several)
    cause = _cause(first, history, names)
    if drawn["to"] is None:
        still = "s" if len(mine) == 1 else ""
        return f"{parts} stand{still} still now: {cause}" if first["stayed"] else f"nobody reads {parts} now: {cause}"
    took = seconds_text(drawn)
    if first["stayed"]:
        return f"{parts} stood still for {'' if took.startswith('less') else 'up to '}{took}: {cause}"
    takers = {p["after"] for p in mine if p["after"]}
    same = takers == {first["before"]}
    then = "" if same or not takers else f"; then {_listed(names.get(t, '?') for t in sorted(takers))} read on"
    return f"nobody read {parts} for {took}: {cause}{then}"


def _partitions(mine: Iterable[dict[str, Any]], several: bool) -> str:
    """Return partitions as text, "P0–P2 P5", with the topics' names when the group reads several topics."""
    topics: dict[str, list[int]] = {}
    for pause in mine:
        topics.setdefault(pause["topic"], []).append(pause["partition"])
    return ", ".join(f"{shorten(t, 30)} {spans(ps)}" if several else spans(ps) for t, ps in topics.items())


def _kind(pause: dict[str, Any], history: History) -> str:
    gone = [history["members"].get(id, {"why": ""}) for id in pause["left"]]
    if any(m["why"] == "died" for m in gone):
        return "died"
    return "left" if gone else "joined" if pause["joined"] else "other"


def _cause(pause: dict[str, Any], history: History, names: dict[str, str]) -> str:
    """Return the cause in words: which members died, left or joined, the partition's former holder first."""
    came = [id for id in pause["joined"] if id not in pause["left"]]
    gone = sorted(pause["left"], key=lambda id: id != pause["before"])
    said = [_went(id, history, names) for id in gone[:_NAMED]]
    if len(gone) > _NAMED:
        said.append(f"{len(gone) - _NAMED} more went")
    if came:
        said.append(f"{_listed(names.get(id, '?') for id in came)} joined")
    return ", ".join(said) or "the group rebalanced"


def _went(id: str, history: History, names: dict[str, str]) -> str:
    name, member = names.get(id, "?"), history["members"].get(id)
    match member and member["why"]:
        case "died":
            assert member is not None
            session = f" after {member['session']:g} s" if member["session"] else ""
            return f"{name} died and its session timed out{session}"
        case "left":
            assert member is not None
            return f"{name} left" + (f" ({shorten(member['said'], 60)})" if member["said"] else "")
        case _:
            after = f" after {member['session']:g} s" if member and member["session"] else ""
            return f"{name} is gone (it left, or its session timed out{after})"


def _listed(names: Iterable[str]) -> str:
    listed = list(names)
    if len(listed) > _NAMED:
        listed = [*listed[: _NAMED - 1], f"{len(listed) - _NAMED + 1} more"]
    return " and ".join(filter(None, (", ".join(listed[:-1]), listed[-1]))) if listed else "?"
