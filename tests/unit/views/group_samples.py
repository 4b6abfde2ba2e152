"""Histories of groups that the tests of the group view draw: a death, a busy group, names that mean harm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kafkalab.state.groups.history import GroupHistory, History, Look, with_deeds
from kafkalab.state.model import Event, Group, GroupOffset, Member, Snapshot
from tests.unit.views.recorded_samples import Tape

T = "trucks"
AT = 1_000_000.0
#: When the recording of a group began.
BEGAN = AT - 2
Holds = Mapping[str, Sequence[tuple[str, int]]]


def group(holds: Holds, state: str = "Stable", *, id: str = "dashboard", assignor: str = "range") -> Group:
    """A group of these clients, each holding these partitions; a lag of 3 times its number on each."""
    members = tuple(Member(f"{c}-0000-id", c, "/127.0.0.1", tuple(sorted(ps))) for c, ps in holds.items())
    pairs = sorted({pair for ps in holds.values() for pair in ps})
    offsets = tuple(GroupOffset(t, p, 100, 3 * p) for t, p in pairs)
    return Group(id, state, 101, members, offsets, assignor)


def snapshot(*groups: Group, at: float = AT) -> Snapshot:
    """A snapshot with these groups."""
    return Snapshot("c", "zookeeper", 101, at, groups=groups)


def of(*numbers: int, topic: str = T) -> list[tuple[str, int]]:
    """Partitions of one topic."""
    return [(topic, n) for n in numbers]


def kept(id: str, *steps: tuple[float, Group], until: float) -> GroupHistory:
    """A history looked at every 0.1 s, in which these steps happened."""
    found = GroupHistory(id, 0.1)
    for i, (at, seen) in enumerate(steps):
        found.looked(Look(at, seen))
        end = steps[i + 1][0] if i + 1 < len(steps) else until
        found.looked(Look(end - 0.1, seen))
    return found


THREE: Holds = {"C1": of(0), "C2": of(1), "C3": of(2)}
AFTER: Holds = {"C1": of(0), "C2": of(1, 2)}


def death() -> tuple[Snapshot, History]:
    """Three members, of whom C3 dies without a word; then C4 joins and stands by."""
    with_idle = {**AFTER, "C4": []}
    found = kept(
        "dashboard",
        (AT, group(THREE)),
        (AT + 20, group({"C1": [], "C2": []}, "PreparingRebalance", assignor="")),
        (AT + 20.4, group(AFTER)),
        (AT + 30, group({**{c: [] for c in AFTER}, "C4": []}, "PreparingRebalance", assignor="")),
        (AT + 30.3, group(with_idle)),
        until=AT + 40,
    )
    found.numbered(AT - 5, 7)
    found.sessions({f"{c}-0000-id": 3.0 for c in THREE})
    found.numbered(AT + 20.39, 8)
    found.numbered(AT + 30.28, 9)
    found.explained("C3-0000-id", "died")
    history = with_deeds(found.to_dict(), [Event(AT + 17.05, "you", "you killed C3")])
    return snapshot(group(with_idle), group({}, "Empty", id="audit"), at=AT + 40), history


def wide(partitions: int = 50, members: int = 20) -> tuple[Snapshot, History]:
    """Many partitions and members, one of which leaves."""
    names = [f"worker-{i:02}" for i in range(members)]

    def share(who: Sequence[str]) -> Holds:
        return {c: of(*range(i, partitions, len(who))) for i, c in enumerate(who)}

    found = kept(
        "wide",
        (AT, group(share(names), id="wide")),
        (AT + 10, group({c: [] for c in names[1:]}, "PreparingRebalance", id="wide", assignor="")),
        (AT + 10.6, group(share(names[1:]), id="wide")),
        until=AT + 20,
    )
    found.explained(f"{names[0]}-0000-id", "left", "the consumer is being closed")
    return snapshot(group(share(names[1:]), id="wide"), at=AT + 20), found.to_dict()


def hostile(names: Sequence[str]) -> tuple[Snapshot, History]:
    """A group whose id, clients and reasons are named to do harm, and whose members come and go."""
    first = {name: of(i, topic="t") for i, name in enumerate(names)}
    second = {name: of(*([0, 1] if i == 1 else [i]), topic="t") for i, name in enumerate(names) if i}
    id = names[0]
    found = kept(id, (AT, group(first, id=id)), (AT + 5, group(second, id=id)), until=AT + 9)
    found.explained(f"{names[0]}-0000-id", "left", names[0])
    groups = tuple(group({}, "Empty", id=name) for name in names[1:])
    history = with_deeds(found.to_dict(), [Event(AT + 4, "you", names[0])])
    return snapshot(group(second, id=id, assignor=names[0]), *groups, at=AT + 9), history


def recorded() -> Tape:
    """As a recorder would have told it: three members from 2 s on; C3 is killed at 19 s, and missed at 22 s."""
    made, history = Tape(BEGAN), GroupHistory("dashboard", 0.1)
    audit = group({}, "Empty", id="audit")
    made.state(0.0, "snapshot", snapshot(audit, at=BEGAN).to_dict())

    def look(at: float, seen: Any, *, settled: bool = True) -> None:
        history.looked(Look(BEGAN + at, seen))
        made.state(at, "group/dashboard", history.to_dict())
        if settled:
            made.state(at, "snapshot", snapshot(seen, audit, at=BEGAN + at).to_dict())

    look(2.0, group(THREE))
    made.happened(19.0, "you", "you killed C3")
    look(22.0, group({"C1": [], "C2": []}, "PreparingRebalance", assignor=""), settled=False)
    look(22.4, group(AFTER))
    history.sessions({"C3-0000-id": 3.0})
    history.explained("C3-0000-id", "died")
    made.state(22.7, "group/dashboard", history.to_dict())
    made.state(30.0, "snapshot", snapshot(group(AFTER), audit, at=BEGAN + 30).to_dict())
    return made
