"""Lanes: which member of a group held each partition when, and how long the pauses were in which none did."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import Any

from kafkalab.state.groups.history import REBALANCING, History

# --- Overlay: what members in this process report themselves, which is exact, over what their coordinator says.


Pair = tuple[str, int]


def overlay(pair: Pair, pieces: list[dict[str, Any]], history: History) -> list[dict[str, Any]]:
    """Return a lane's pieces, with those of members that report themselves replaced by what they reported.

    The coordinator says that a member holds a partition from one decision to the next; the member itself begins later
    and, in a rebalance, stops later.
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
    """Return (from, to or None, client) of every stretch in which a member reports that it held the partition."""
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
    """Return the pieces with [start, end) given to ``member``; nothing is added before the first or after the last."""
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
            # The next piece begins where the member says that it let go.
            result.append({**piece, "from": high, "slack": 0.0, "exact": True})
    return result


#: A stretch of a lane: ``from``, ``to`` (None: still going on), ``what``, ``member`` (its id, or None), ``slack``.
#: ``what``: "held"; "silent" (assigned to a member that was never heard from again); "rebalancing" (the coordinator has
#: taken it back and not given it out yet); "nobody" (held by no member); "unknown" (no coordinator could be asked).
Piece = dict[str, Any]

_GAPS = frozenset({"silent", "rebalancing", "nobody"})
_SETTLED = frozenset({"Stable", "Empty", "Dead"})


def lanes(history: History) -> dict[Pair, list[Piece]]:
    """Return the pieces of every partition that a member held in this history, oldest first and without holes."""
    owners = _owners(history)
    pairs = sorted({pair for held in owners for pair in held})
    return {pair: _lane(pair, history, owners) for pair in pairs}


def pauses(history: History, found: Mapping[Pair, list[Piece]] | None = None) -> list[dict[str, Any]]:
    """Return the stretches in which no member read a partition that one had held before, oldest first.

    Each: ``topic``, ``partition``, ``from``, ``to`` (None: still going on), ``seconds``, ``slack`` (seconds by which it
    may be wrong), ``silent`` (seconds of it in which a member that had died still counted as one), ``before``,
    ``after`` (member ids; after is None while no member has taken over), ``stayed`` (the member before was in the group
    all the time, so it stopped only when it heard of the rebalance), ``left``, ``joined`` (ids of the members whose
    leaving or joining caused the pause).
    """
    result = []
    owners = _owners(history)
    times = [step["at"] for step in history["steps"]]
    for (topic, partition), pieces in (lanes(history) if found is None else found).items():
        for before, gap, after in _gaps(pieces):
            if not gap:
                assert after is not None
                # The partition was handed over between two looks, so it took no longer than that.
                gap = [
                    {**after, "to": after["from"], "what": "nobody", "slack": max(after["slack"], history["period"])}
                ]
            start, end = gap[0]["from"], gap[-1]["to"]
            until = history["to"] if end is None else end
            first, last = (max(0, bisect_right(times, at) - 1) for at in (start, until))
            left, joined = _changes(history, owners, first, last, (topic, partition), before)
            silent = sum((p["to"] or until) - p["from"] for p in gap if p["what"] == "silent")
            stays = before not in left and all(p["what"] == "rebalancing" for p in gap)
            exact = bool(gap[0].get("exact")) and bool(after and after.get("exact"))
            result.append(
                {
                    "topic": topic, "partition": partition, "from": start, "to": end, "seconds": until - start,
                    "slack": 0.0 if exact else max(gap[0]["slack"], after["slack"] if after else 0.0),
                    "silent": silent, "before": before, "after": after["member"] if after else None,
                    "stayed": stays and not exact, "left": left, "joined": joined,
                }
            )  # fmt: skip
    return sorted(result, key=lambda p: (p["from"], p["topic"], p["partition"]))


def _owners(history: History) -> list[dict[Pair, str]]:
    """Return partition → member id for each step, as the coordinator says it."""
    return [{(t, p): member for member, held in step["held"].items() for t, p in held} for step in history["steps"]]


def _lane(pair: Pair, history: History, owners: list[dict[Pair, str]]) -> list[Piece]:
    steps = history["steps"]
    pieces: list[Piece] = []
    for i, step in enumerate(steps):
        end = steps[i + 1]["at"] if i + 1 < len(steps) else None
        what, member = _at(step, owners[i].get(pair), pieces[-1]["member"] if pieces else None)
        if pieces and (pieces[-1]["what"], pieces[-1]["member"]) == (what, member):
            pieces[-1]["to"] = end
        else:
            pieces.append({"from": step["at"], "to": end, "what": what, "member": member, "slack": step["slack"]})
    pieces = [part for piece in pieces for part in _silenced(piece, history)]
    return _joined(overlay(pair, _joined(pieces), history))


def _at(step: Mapping[str, Any], owner: str | None, before: str | None) -> tuple[str, str | None]:
    """Return what a step says of a partition, and the member; "unknown" keeps the last member for the time after."""
    if step["state"] == "Unknown":
        return "unknown", before
    if step["state"] not in REBALANCING:
        return ("nobody", None) if owner is None else ("held", owner)
    # Members of a cooperative group go on reading during a rebalance, and let go only of what moves. Meanwhile Kafka
    # 3.9 reports no assignment; 4.3 reports the last one, even of eager groups, whose members have let go of all.
    cooperative = "cooperative" in step["assignor"]
    if cooperative and (owner is not None or before in step["held"]):
        return "held", owner or before
    return "rebalancing", None


def _silenced(piece: Piece, history: History) -> Iterator[Piece]:
    """Yield a piece, in two parts if its member died in it: before and after the last heartbeat.

    The coordinator drops a member when its session has passed without a heartbeat, so the last one came that long ago.
    """
    member = history["members"].get(piece["member"]) if piece["what"] == "held" else None
    if not member or member["why"] != "died" or not member["session"] or member["gone"] is None:
        yield piece
        return
    heard = member["gone"] - member["session"]
    end = piece["to"]
    if end is not None and end <= heard:
        yield piece
    elif heard <= piece["from"]:
        yield {**piece, "what": "silent"}
    else:
        yield {**piece, "to": heard}
        yield {**piece, "from": heard, "what": "silent", "slack": history["period"]}


def _joined(pieces: list[Piece]) -> list[Piece]:
    """Return the pieces with equal neighbours joined and empty pieces left out."""
    result: list[Piece] = []
    for piece in pieces:
        if piece["to"] is not None and piece["to"] <= piece["from"]:
            continue
        last = result[-1] if result else None
        if last and (last["what"], last["member"]) == (piece["what"], piece["member"]):
            result[-1] = {**last, "to": piece["to"]}
        else:
            result.append(piece)
    return result


def _gaps(pieces: list[Piece]) -> Iterator[tuple[str, list[Piece], Piece | None]]:
    """Yield the runs of pieces in which no member read: the member before, the run, and the piece that ended it."""
    before: str | None = None
    run: list[Piece] = []
    for piece in [*pieces, None]:
        if piece is not None and piece["what"] in _GAPS:
            run.append(piece)
            continue
        ends = piece is None or piece["what"] == "held"
        handed_over = piece is not None and piece["member"] != before
        # A run that was not watched to its end cannot be measured; and before the first member there was no reader.
        if before is not None and ends and (run or handed_over):
            yield before, run, piece
        run = []
        before = piece["member"] if piece is not None and piece["what"] == "held" else None


def _changes(
    history: History, owners: list[dict[Pair, str]], first: int, last: int, pair: Pair, before: str
) -> tuple[list[str], list[str]]:
    """Return the members that left and that joined since the coordinator last said that ``before`` held the partition.

    :param first, last: numbers of the steps in which the gap begins and ends.
    """
    steps = history["steps"]
    # A new member counts as one from the moment the rebalance begins, when others may still hold their partitions.
    while first > 0 and (owners[first].get(pair) != before or steps[first]["state"] not in _SETTLED):
        first -= 1
    span = [set(s["held"]) for s in steps[first : last + 1] if s["state"] != "Unknown"]
    if not span:
        return [], []
    seen: set[str] = set().union(*span)
    return sorted(seen - span[-1]), sorted(seen - span[0])
