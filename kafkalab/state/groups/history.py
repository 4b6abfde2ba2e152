"""GroupHistory: which member of a consumer group held which partition, and when, as plain data."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from kafkalab.state.groups.offsets_topic import assigned
from kafkalab.state.model import Group

#: Maximum number of steps that are kept, and maximum seconds for which they are kept.
STEPS_KEPT = 600
SECONDS_KEPT = 3600.0
_OTHERS_KEPT = 400
#: Seconds after a record was written in which a look may still show the group as it was before.
_ON_ITS_WAY = 0.15
#: States in which a classic group is between two assignments.
REBALANCING = frozenset({"PreparingRebalance", "CompletingRebalance"})

History = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Look:
    """A group as its coordinator described it.

    ``at`` is Unix time in seconds, of the answer. ``epoch`` is the group epoch of the newer protocol; a coordinator
    does not tell a classic group's generation (see :meth:`GroupHistory.numbered`). ``group`` is None when no
    coordinator could be asked.
    """

    at: float
    group: Group | None
    epoch: int | None = None


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
    - ``notes``: what the learner did: ``at``, ``text``.

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
    _notes: list[dict[str, Any]] = field(default_factory=list)
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
            known["session"] = self._sessions.get(m.member_id, known["session"])
            known["gone"] = None
        missed = [id for id, known in self._members.items() if id not in held and known["gone"] is None]
        for id in missed:
            self._members[id]["gone"] = look.at
        step = {"state": group.state, "type": group.type, "coordinator": group.coordinator, "held": held}
        # While a group rebalances, its coordinator names no assignor: the last one still counts.
        last = next((s["assignor"] for s in reversed(self._steps) if s["assignor"]), "")
        self._step(look.at, slack, {**step, "assignor": group.assignor or last})
        if look.epoch is not None:
            self.numbered(look.at, look.epoch)
        return missed

    def written(self, at: float, value: Mapping[str, Any]) -> None:
        """Add a generation of a classic group from its coordinator's record, which is exact to the millisecond.

        Looks may miss a generation shorter than a period, such as the first of the two in a cooperative rebalance.

        :param at: Unix time in seconds, of the record.
        :param value: the value of a GroupMetadata record.
        """
        for m in value["members"]:
            self._members.setdefault(m["memberId"], _member(m["clientId"], m["clientHost"], gone=at))
        held = {m["memberId"]: [[t, p] for t, p in assigned(m["assignment"])] for m in value["members"]}
        self.numbered(at, value["generation"], {m["memberId"]: m["sessionTimeout"] / 1000 for m in value["members"]})
        i = bisect_right([step["at"] for step in self._steps], at)
        # The time before the first look, or without looks, is not filled in from the last record.
        if not i or self._steps[i - 1]["state"] in ("Unknown", "Dead"):
            return
        before = self._steps[i - 1]
        step = {
            **before, "at": at, "slack": 0.0, "held": held, "state": "Stable" if held else "Empty",
            "type": "classic", "assignor": value["protocol"] or before["assignor"],
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

    def numbered(self, at: float, number: int, sessions: Mapping[str, float] | None = None) -> None:
        """Add the beginning of a generation or epoch; ``sessions`` are its members' session timeouts in seconds."""
        self.sessions(sessions or {})
        last = self._numbers[-1] if self._numbers else None
        # A group that is created again counts from the start again. A number from before the last one comes too late.
        if last is None or (number != last["number"] and at >= last["at"]):
            self._numbers.append({"at": at, "number": number})
            self._added += 1
            del self._numbers[:-_OTHERS_KEPT]

    def sessions(self, seconds: Mapping[str, float]) -> None:
        """Set the session timeouts of members, by their ids."""
        for id, session in seconds.items():
            self._sessions[id] = session
            if id in self._members and self._members[id]["session"] != session:
                self._members[id]["session"] = session
                self._added += 1

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

    def noted(self, at: float, text: str) -> None:
        """Add something the learner did, only once if two views that share the history both report it."""
        note = {"at": at, "text": text}
        if note in self._notes:
            return
        self._notes.append(note)
        del self._notes[:-_OTHERS_KEPT]
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
            "notes": [dict(n) for n in self._notes],
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
        self._forget(at)

    def _forget(self, now: float) -> None:
        # A step counts until the next one: the first of those kept may be older than the limit.
        while len(self._steps) > STEPS_KEPT or (len(self._steps) > 1 and self._steps[1]["at"] < now - SECONDS_KEPT):
            del self._steps[0]
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
