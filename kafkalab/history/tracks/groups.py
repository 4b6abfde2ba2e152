"""Consumer groups in a recording: the history of each, as known at any moment (the tracks ``group/GROUP``)."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection
from functools import partial
from typing import Any

from kafkalab.history.facts import Facts
from kafkalab.history.moment import Moment, Shape, fits, is_place
from kafkalab.history.recording import Recording
from kafkalab.state.groups.coordinator import group_source
from kafkalab.state.groups.history import STEPS_KEPT, History
from kafkalab.state.groups.trace import GroupTrace, shared
from kafkalab.state.model import Snapshot
from kafkalab.state.patch import diff
from kafkalab.state.watch import Source, Update

TRACK = "group/"
#: Maximum number of partitions held in a step; steps with more are not drawn. (The Gantt chart shows 200.)
_MOST_HELD = 2000

_STEP: Shape = {
    "at": float, "slack": float, "state": str, "type": str, "assignor": str, "coordinator": (int, None),
    "held": {str: [is_place]},
}  # fmt: skip
_MEMBER: Shape = {"client": str, "host": str, "session": (float, None), "gone": (float, None), "why": str, "said": str}
_REST: Shape = {
    "group": str, "period": float, "members": {str: _MEMBER}, "numbers": [{"at": float, "number": int}],
    "heard": [{"at": float, "client": str, "what": str, "partitions": [is_place]}],
    "notes": [{"at": float, "text": str}], "steps": list,
}  # fmt: skip


class RecordedGroups:
    """The groups of a recording. It keeps a cache of the steps it has checked.

    :param facts: the facts of the recording.
    """

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        #: Cache: ``id(step)`` → the step, and whether it is well-formed. Moments share the steps that did not change.
        self._judged: dict[int, tuple[Any, bool]] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The groups that have a history, sorted."""
        return tuple(track.removeprefix(TRACK) for track in self._facts.tracks(TRACK))

    def likely(self) -> str:
        """Return the group a learner most likely means: the one that had the most members; "" if there is none."""
        found = [(-_members(self._facts.value(TRACK + name)), name) for name in self.names]
        return min(found)[1] if found else ""

    def at(self, moment: Moment, group: str) -> tuple[object, History | None]:
        """Return (version, history) of a group at a moment. The history's notes include what the learner did.

        The version changes whenever the history does, except for ``to``. The history is None if it is malformed or
        nothing was recorded.
        """
        track = TRACK + group
        found = self._facts.value(track, moment.at)
        version: list[Any] = [group, self._facts.count(track, moment.at)]
        if not fits(found, _REST):
            return version, None
        steps = [step for step in found["steps"][-STEPS_KEPT:] if self._sound(step) and step["at"] <= moment.unix]
        steps.sort(key=lambda step: float(step["at"]))
        noted = {(note["at"], note["text"]) for note in found["notes"]}
        # What the learner did before the first step would be left of everything that is drawn.
        since = min((step["at"] for step in steps), default=moment.unix)
        did = [{"at": at, "text": text} for at, text in _done(moment) if since <= at and (at, text) not in noted]
        history = {
            **found,
            "from": since,
            "to": moment.unix,
            "steps": steps,
            "notes": sorted([*found["notes"], *did], key=lambda note: float(note["at"])),
        }
        return [*version, len(steps), len(did)], history

    def _sound(self, step: Any) -> bool:
        known = self._judged.get(id(step))
        if known is None or known[0] is not step:
            sound = fits(step, _STEP) and sum(map(len, step["held"].values())) <= _MOST_HELD
            if len(self._judged) > 20 * STEPS_KEPT:
                self._judged.clear()
            known = self._judged[id(step)] = (step, sound)
        return known[1]


def _members(history: Any) -> int:
    members = history.get("members") if isinstance(history, dict) else None
    return len(members) if isinstance(members, dict) else 0


def _done(moment: Moment) -> list[tuple[float, str]]:
    """Return what the learner did: (Unix seconds, text)."""
    found = []
    for event in moment.facts.items("events", moment.at):
        # There may be thousands of events: only the learner's own are checked closely.
        if isinstance(event, dict) and event.get("kind") == "you" and fits(event, {"at": float, "text": str}):
            found.append((event["at"], event["text"]))
    return found


# --- Records consumer groups: the history of each, as its GroupTrace tells it (the tracks ``group/…``).


#: Maximum number of groups that are followed; the others are known from the snapshots alone.
MOST = 8
#: Seconds between two looks at each of them.
PERIOD = 0.5


class GroupsRecorder:
    """Follows the groups with the most members, with few requests; a view of a group makes its history finer.

    :param groups: ids of the groups to choose from; None: all groups.
    """

    def __init__(self, cluster: Source, recording: Recording, groups: Collection[str] | None = None) -> None:
        self._cluster, self._recording = cluster, recording
        self._wanted = None if groups is None else frozenset(groups)
        self._followed: dict[str, tuple[GroupTrace, Callable[[], None]]] = {}
        self._histories: dict[str, History] = {}
        self._lock = threading.Lock()
        self._ended = False
        self._unsubscribe = cluster.watcher().subscribe(self._heard)

    def stop(self) -> None:
        """Stop recording."""
        self._unsubscribe()
        with self._lock:
            self._ended = True
            followed, self._followed = self._followed, {}
        for _, leave in followed.values():
            leave()

    def _heard(self, update: Update) -> None:
        if update.snapshot is None:
            return
        wanted = self._chosen(update.snapshot)
        with self._lock:
            if self._ended or wanted == self._followed.keys():
                return
            left = [self._followed.pop(group)[1] for group in self._followed.keys() - wanted]
            for group in wanted - self._followed.keys():
                trace = shared(self._cluster.watcher(), group, partial(group_source, self._cluster, group))
                self._followed[group] = (trace, trace.subscribe(partial(self._told, group), period=PERIOD))
        for leave in left:
            leave()

    def _chosen(self, snapshot: Snapshot) -> set[str]:
        """Return the groups to follow from now on; a followed group that has members stays, whatever its size."""
        found = [g for g in snapshot.groups if self._wanted is None or g.group_id in self._wanted]
        rank = sorted(found, key=lambda g: (not g.members, g.group_id not in self._followed, -len(g.members)))
        return {g.group_id for g in rank[:MOST]}

    def _told(self, group: str) -> None:
        """Record what changed in a group; called by its trace, on the trace's thread."""
        with self._lock:
            found = self._followed.get(group)
            if found is None:
                return
            history = found[0].history()
            ops = diff(self._histories.get(group), history)
            # If only time has passed, there is nothing to record.
            if all(op[1] == ["to"] for op in ops):
                return
            self._histories[group] = history
            self._recording.put(time.time() - self._recording.header.began, f"group/{group}", "set", ops)
        self._recording.grown()


def group_part(cluster: Any, recording: Recording, groups: Collection[str] | None = None) -> GroupsRecorder:
    """Make the part of a recorder for consumer groups; it applies to every cluster."""
    return GroupsRecorder(cluster, recording, groups)
