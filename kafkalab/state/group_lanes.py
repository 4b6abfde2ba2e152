"""A group's history → a lane a partition: who held it when, and the pauses in which nobody did, measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kafkalab.state.group_heard import overlay
from kafkalab.state.group_history import REBALANCING, History

Pair = tuple[str, int]
#: A stretch of a lane: ``from``, ``to`` (None: still going on), ``what``, ``member`` (its id, or None), ``slack``.
#: ``what``: "held"; "silent" (assigned to a member that was never heard of again); "rebalancing" (the coordinator has
#: taken it back and not given it out yet); "nobody" (held by no member); "unknown" (nobody could be asked).
Piece = dict[str, Any]

_GAPS = frozenset({"silent", "rebalancing", "nobody"})


def lanes(history: History) -> dict[Pair, list[Piece]]:
    """Every partition that somebody held in this history, with its pieces, oldest first and without holes."""
    steps = history["steps"]
    pairs = sorted({(t, p) for s in steps for held in s["held"].values() for t, p in held})
    return {pair: _lane(pair, history) for pair in pairs}


def pauses(history: History, found: Mapping[Pair, list[Piece]] | None = None) -> list[dict[str, Any]]:
    """The stretches in which nobody read a partition that somebody had held, oldest first.

    Each: ``topic``, ``partition``, ``from``, ``to`` (None: still going on), ``seconds``, ``slack`` (it may be wrong by
    as many seconds), ``silent`` (seconds of it in which a member that had died still counted as one), ``before``,
    ``after`` (member ids; after is None where nobody has taken over), ``stayed`` (the member before was in the group
    all the time: it stops only when it hears of the rebalance), ``left``, ``joined`` (ids of the members whose going or
    coming lies behind it).
    """
    result = []
    for (topic, partition), pieces in (lanes(history) if found is None else found).items():
        for before, gap, after in _gaps(pieces):
            start, end = gap[0]["from"], gap[-1]["to"]
            until = history["to"] if end is None else end
            left, joined = _changes(history, (topic, partition), before, start, until)
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


def _lane(pair: Pair, history: History) -> list[Piece]:
    steps = history["steps"]
    pieces: list[Piece] = []
    for i, step in enumerate(steps):
        end = steps[i + 1]["at"] if i + 1 < len(steps) else None
        what, member = _at(pair, step, pieces[-1]["member"] if pieces else None)
        pieces.append({"from": step["at"], "to": end, "what": what, "member": member, "slack": step["slack"]})
        pieces = _joined(pieces)
    pieces = [part for piece in pieces for part in _silenced(piece, history)]
    return _joined(overlay(pair, _joined(pieces), history))


def _at(pair: Pair, step: Mapping[str, Any], before: str | None) -> tuple[str, str | None]:
    """What a step says of a partition. The member stays known through "unknown", so that it is known afterwards."""
    if step["state"] == "Unknown":
        return "unknown", before
    for member, held in step["held"].items():
        if list(pair) in held:
            return "held", member
    if step["state"] in REBALANCING:
        # Members of a cooperative group go on reading while they agree; only what moves is let go of.
        if "cooperative" in step["assignor"] and before in step["held"]:
            return "held", before
        return "rebalancing", None
    return "nobody", None


def _silenced(piece: Piece, history: History) -> Iterator[Piece]:
    """A piece, cut where its member was heard of for the last time if it died.

    The coordinator drops a member when its session has passed without a heartbeat: so the last one came that long ago.
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
    """Neighbours that say the same, as one; empty ones left out."""
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
    """Runs of pieces in which nobody read: the member before, the run, and the piece that ended it."""
    before: str | None = None
    run: list[Piece] = []
    for piece in [*pieces, None]:
        if piece is not None and piece["what"] in _GAPS:
            run.append(piece)
            continue
        ends = piece is None or piece["what"] == "held"
        # What could not be watched to its end cannot be measured; and before the first member there was no reader.
        if run and before is not None and ends:
            yield before, run, piece
        run = []
        before = piece["member"] if piece is not None and piece["what"] == "held" else None


def _changes(history: History, pair: Pair, before: str, start: float, until: float) -> tuple[list[str], list[str]]:
    """The members that went and that came, since the coordinator last said that ``before`` held the partition."""
    steps = [s for s in history["steps"] if s["at"] <= until and s["state"] != "Unknown"]
    held = (i for i, s in enumerate(steps) if s["at"] <= start and list(pair) in s["held"].get(before, ()))
    last = max(held, default=0)
    span = steps[last:]
    if not span:
        return [], []
    there, now = set(span[0]["held"]), set(span[-1]["held"])
    seen: set[str] = set().union(*(s["held"] for s in span))
    return sorted(seen - now), sorted(seen - there)
