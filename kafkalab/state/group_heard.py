"""What members say of themselves, laid over what their coordinator says: exact where they live in this process."""

from __future__ import annotations

from typing import Any

from kafkalab.state.group_history import History

Pair = tuple[str, int]


def overlay(pair: Pair, pieces: list[dict[str, Any]], history: History) -> list[dict[str, Any]]:
    """A lane's pieces, with those of members that report themselves replaced by what they reported.

    The coordinator says that a member holds a partition from the moment it has decided so until it decides otherwise;
    the member itself begins later and, in a rebalance, stops later.
    """
    since: dict[str, float] = {}
    for told in history["heard"]:
        since.setdefault(told["client"], told["at"])
    if not since:
        return pieces
    clients = {id: m["client"] for id, m in history["members"].items()}
    by_client = {client: id for id, client in clients.items()}
    result = []
    for piece in pieces:
        begun = since.get(clients.get(piece["member"], "")) if piece["what"] == "held" else None
        if begun is None or (piece["to"] is not None and piece["to"] <= begun):
            result.append(piece)
            continue
        if piece["from"] < begun:
            result.append({**piece, "to": begun})
        rest = {**piece, "from": max(piece["from"], begun), "what": "rebalancing", "member": None, "exact": True}
        result.append(rest)
    for start, end, client in _intervals(pair, history):
        if client in by_client:
            result = _laid_over(result, start, end, by_client[client])
    return result


def _intervals(pair: Pair, history: History) -> list[tuple[float, float | None, str]]:
    """(from, to or None, client) of every stretch in which a member says it held the partition."""
    found: list[tuple[float, float | None, str]] = []
    open_since: dict[str, float] = {}
    for told in history["heard"]:
        client = told["client"]
        if list(pair) not in told["partitions"]:
            continue
        if told["what"] == "assigned":
            open_since.setdefault(client, told["at"])
        elif client in open_since:
            found.append((open_since.pop(client), told["at"], client))
    return [*found, *((start, None, client) for client, start in open_since.items())]


def _laid_over(pieces: list[dict[str, Any]], start: float, end: float | None, member: str) -> list[dict[str, Any]]:
    """The pieces with [start, end) given to ``member``; nothing is added before the first or after the last."""
    result: list[dict[str, Any]] = []
    for piece in pieces:
        low = max(start, piece["from"])
        high = piece["to"] if end is None else end if piece["to"] is None else min(end, piece["to"])
        if high is not None and high <= low:
            result.append(piece)
            continue
        if piece["from"] < low:
            result.append({**piece, "to": low})
        result.append({"from": low, "to": high, "what": "held", "member": member, "slack": 0.0, "exact": True})
        if high is not None and (piece["to"] is None or piece["to"] > high):
            # What follows begins where the member says that it let go.
            result.append({**piece, "from": high, "slack": 0.0, "exact": True})
    return result
