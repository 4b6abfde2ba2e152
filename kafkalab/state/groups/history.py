"""GroupHistory: which member of a consumer group held which partition when, as plain data, and the pauses between."""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import inf
from operator import itemgetter
from typing import Any

from kafkalab.state.groups.describe import assigned
from kafkalab.state.model import Event, Group

#: Maximum number of steps that are kept, and of generations and reports.
STEPS_KEPT = 600
_OTHERS_KEPT = 400
#: Seconds after a record was written in which a look may still show the group as it was before.
_ON_ITS_WAY = 0.15
#: States in which a classic group is between two assignments.
REBALANCING = frozenset({"PreparingRebalance", "CompletingRebalance"})

History = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Look:
    """A group as its coordinator described it.

    ``at`` is Unix time in seconds, of the answer. ``group`` is None when no coordinator could be asked. ``epoch`` is
    the group epoch of the newer protocol. A coordinator does not tell a classic group's generation: ``written`` are
    those that it wrote down since the last look, (time, GroupMetadataValue), exact to the millisecond.
    """

    at: float
    group: Group | None
    epoch: int | None = None
    written: tuple[tuple[float, Any], ...] = ()


@dataclass(slots=True)
class GroupHistory:
    """Collects the history of one group; not thread-safe.

    The history (:meth:`to_dict`) is a dictionary:

    - ``group``, ``period`` (intended seconds between two looks), ``from``, ``to`` (times of the first and last look);
    - ``steps``: a list of what changed from look to look: ``at``; ``slack``, the seconds by which it may have happened
      earlier; ``state``, ``type``, ``assignor``, ``coordinator``; ``held``: member id → [[topic, partition], …], a key
      for every member;
    - ``members``: member id → ``client``, ``host``, ``session`` (seconds, None where not known), ``gone`` (when it was
      first missing), ``why`` (``died``: its session timed out; ``left``: it said so; "": not known), ``said`` (the
      reason in the client's own words);
    - ``numbers``: when a generation (or epoch) began: ``at``, ``number``;
    - ``heard``: what members reported themselves: ``at``, ``client``, ``what`` (assigned, revoked, lost) and which
      ``partitions``;
    - ``notes``: what the learner did, ``at`` and ``text``, once :func:`with_deeds` has put it there.

    :param period: seconds between two looks.
    """

    group: str
    period: float
    _from: float | None = None
    _to: float | None = None
    _looked: float | None = None
    _added: int = 0
    _steps: list[dict[str, Any]] = field(default_factory=list)
    _members: dict[str, dict[str, Any]] = field(default_factory=dict)
    _numbers: list[dict[str, Any]] = field(default_factory=list)
    _heard: list[dict[str, Any]] = field(default_factory=list)
    _sessions: dict[str, float] = field(default_factory=dict)

    def looked(self, look: Look) -> list[str]:
        """Add a look; return the ids of the members that were there before and are missing now."""
        slack = 0.0 if self._looked is None else look.at - self._looked
        self._from = look.at if self._from is None else self._from
        self._to = look.at
        if look.group is None:
            self._step(look.at, slack, {"state": "Unknown", "held": {}})
            return []
        self._looked = look.at
        group = look.group
        held = {m.member_id: [[t, p] for t, p in sorted(m.partitions)] for m in group.members}
        for m in group.members:
            known = self._members.setdefault(m.member_id, _member(m.client_id, m.host))
            known |= {"session": self._sessions.get(m.member_id, known["session"]), "gone": None}
        missed = [id for id, known in self._members.items() if id not in held and known["gone"] is None]
        for id in missed:
            self._members[id]["gone"] = look.at
        step = {"state": group.state, "type": group.type, "coordinator": group.coordinator, "held": held}
        # While a group rebalances, its coordinator names no assignor: the last one still counts.
        last = next((s["assignor"] for s in reversed(self._steps) if s["assignor"]), "")
        self._step(look.at, slack, {**step, "assignor": group.assignor or last})
        if look.epoch is not None:
            self.numbered(look.at, look.epoch)
        for at, value in look.written:
            self._written(at, value)
        return missed

    def _written(self, at: float, value: Any) -> None:
        """Add a generation; looks may miss a short one, such as the first of the two in a cooperative rebalance."""
        for m in value.members:
            self._members.setdefault(m.member_id, _member(m.client_id, m.client_host, gone=at))
        self.numbered(at, value.generation)
        self.sessions({m.member_id: m.session_timeout / 1000 for m in value.members})
        held = {m.member_id: [[t, p] for t, p in assigned(m.assignment)] for m in value.members}
        i = bisect_right([step["at"] for step in self._steps], at)
        # The time before the first look, or without looks, is not filled in from the last record.
        if not i or self._steps[i - 1]["state"] in ("Unknown", "Dead"):
            return
        before = self._steps[i - 1]
        step = {
            **before, "at": at, "slack": 0.0, "held": held, "state": "Stable" if held else "Empty",
            "type": "classic", "assignor": value.protocol or before["assignor"],
        }  # fmt: skip
        # A look that was under way may still show the state just before: CompletingRebalance, or any state of the
        # rebalance if no look had seen it begin.
        stale = frozenset({"CompletingRebalance"}) if held and before["state"] in REBALANCING else REBALANCING
        late = at + _ON_ITS_WAY
        while i < len(self._steps) and self._steps[i]["state"] in stale and self._steps[i]["at"] < late:
            del self._steps[i]
        following = self._steps[i] if i < len(self._steps) else None
        if following is not None and _same(following, step):
            self._steps[i] = step
        elif not _same(before, step):
            self._steps.insert(i, step)
            self._added += 1

    def numbered(self, at: float, number: int) -> None:
        """Add the beginning of a generation or epoch."""
        last = self._numbers[-1] if self._numbers else None
        # A group that is created again counts from the start again. A number from before the last one comes too late.
        if last is None or (number != last["number"] and at >= last["at"]):
            self._numbers.append({"at": at, "number": number})
            self._added += 1
            del self._numbers[:-_OTHERS_KEPT]

    def sessions(self, seconds: Mapping[str, float]) -> None:
        """Set the session timeouts of members, by their ids."""
        self._sessions |= seconds
        for id in seconds.keys() & self._members.keys():
            self._members[id]["session"] = seconds[id]

    def explained(self, member: str, why: str, said: str = "") -> None:
        """Add why a member is gone ("died" or "left"), and what its client said of it."""
        if member in self._members:
            self._members[member] |= {"why": why, "said": said}
            self._added += 1

    def heard(self, at: float, client: str, what: str, partitions: Iterable[tuple[str, int]]) -> None:
        """Add a member's own report that it was given partitions, or let go of them."""
        self._heard.append({"at": at, "client": client, "what": what, "partitions": [[t, p] for t, p in partitions]})
        del self._heard[: -2 * _OTHERS_KEPT]
        self._added += 1

    def unwatched(self, at: float) -> None:
        """Mark the group as unknown from now on, until the next look."""
        if self._looked is not None:
            self._step(at, 0.0, {"state": "Unknown", "held": {}})
            self._looked = None

    @property
    def size(self) -> tuple[int, ...]:
        """Numbers that change whenever something is added to the history."""
        return (self._added, len(self._members), sum(m["gone"] is not None for m in self._members.values()))

    def to_dict(self) -> History:
        """Return a copy of the history so far, as JSON."""
        return {
            "group": self.group,
            "period": self.period,
            "from": self._from,
            "to": self._to,
            "steps": [dict(step) for step in self._steps],
            "members": {id: dict(member) for id, member in self._members.items()},
            "numbers": [dict(n) for n in self._numbers],
            "heard": [dict(h) for h in self._heard],
            "notes": [],
        }

    def _step(self, at: float, slack: float, what: dict[str, Any]) -> None:
        last = self._steps[-1] if self._steps else None
        step = {"at": at, "slack": round(slack, 3), "type": "classic", "assignor": "", "coordinator": None, **what}
        if last is not None and what["state"] == "Unknown":
            step |= {name: last[name] for name in ("type", "assignor")}
        if last is not None and _same(last, step):
            return
        self._steps.append(step)
        self._added += 1
        if len(self._steps) > STEPS_KEPT:
            del self._steps[:-STEPS_KEPT]
            self._from = self._steps[0]["at"]
        kept = {id for step in self._steps for id in step["held"]}
        for id in [id for id, m in self._members.items() if m["gone"] is not None and id not in kept]:
            del self._members[id]
            self._sessions.pop(id, None)


def _member(client: str, host: str, gone: float | None = None) -> dict[str, Any]:
    return {"client": client, "host": host, "session": None, "gone": gone, "why": "", "said": ""}


def _same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Return whether two steps are the same, apart from their times."""
    return all(one[name] == other[name] for name in one if name not in ("at", "slack"))


def with_deeds(history: History, events: Iterable[Event]) -> History:
    """Return a history with ``notes``, what the learner did since its first step: ``at``, ``text``."""
    # What was done earlier would be left of everything that is drawn.
    since = min((step["at"] for step in history["steps"]), default=inf)
    notes = [{"at": e.at, "text": e.text} for e in events if e.kind == "you" and e.at >= since]
    return {**history, "notes": notes}


# --- Lanes: what became of each partition, and the pauses in which no member read it.


Pair = tuple[str, int]
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
            exact = bool(gap[0]["exact"] and after and after["exact"])
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
    """Return the pieces of a partition: what its coordinator says, and what members that report themselves say.

    The coordinator says that a member holds a partition from one decision to the next. The member itself begins later
    and, in a rebalance, stops later: where a member reports that, its word is exact and counts.
    """
    steps, members = history["steps"], history["members"]
    times = [step["at"] for step in steps]
    ids = {m["client"]: id for id, m in members.items()}
    #: Client → since when it reports itself.
    since = {report["client"]: report["at"] for report in reversed(history["heard"])}
    own = [report for report in history["heard"] if list(pair) in report["partitions"]]
    reports = deque(sorted(own, key=itemgetter("at")))
    told = {report["at"] for report in own}
    # Where something may change: at a step, at a report, and at the last heartbeat of a member that died.
    silent = {id: at for id, m in members.items() if (at := _last_heard(m)) is not None}
    cuts = sorted(at for at in {*times, *silent.values(), *since.values(), *told} if at >= times[0])
    pieces: list[Piece] = []
    owner, holding = None, dict[str, None]()
    for start, end in zip(cuts, [*cuts[1:], None], strict=True):
        i = bisect_right(times, start) - 1
        what, member = _at(steps[i], owners[i].get(pair), owner)
        owner = member
        began = times[i] == start
        slack, exact = steps[i]["slack"] if began else 0.0, start in told
        if what == "held" and start >= silent.get(str(member), start + 1):
            what, slack = "silent", slack if began else history["period"]
        while reports and reports[0]["at"] <= start:
            report = reports.popleft()
            holding.pop(report["client"], None)
            if report["what"] == "assigned":
                holding[report["client"]] = None
        holder = next((client for client in reversed(holding) if client in ids), None)
        if holder is not None:
            what, member, exact = "held", ids[holder], True
        elif what == "held" and start >= since.get(members.get(member, {}).get("client"), start + 1):
            what, member, exact = "rebalancing", None, True
        if pieces and (pieces[-1]["what"], pieces[-1]["member"]) == (what, member):
            pieces[-1]["to"] = end
        else:
            slack = 0.0 if exact and not began else slack
            pieces.append({"from": start, "to": end, "what": what, "member": member, "slack": slack, "exact": exact})
    return pieces


def _last_heard(member: Mapping[str, Any]) -> float | None:
    """Return when a member that died was last heard of; None for all others.

    The coordinator drops a member when its session has passed without a heartbeat, so the last one came that long ago.
    """
    died = member["why"] == "died" and member["session"] and member["gone"] is not None
    return member["gone"] - member["session"] if died else None


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
