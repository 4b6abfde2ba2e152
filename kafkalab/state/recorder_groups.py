"""Records what happens in consumer groups: each one's history, as its trace tells it (the tracks ``group/…``)."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection
from functools import partial
from typing import Any

from kafkalab.state.group_asks import asks
from kafkalab.state.group_history import History
from kafkalab.state.group_trace import GroupTrace, shared
from kafkalab.state.model import Snapshot
from kafkalab.state.patch import diff
from kafkalab.state.recording import Recording
from kafkalab.state.source import Source
from kafkalab.state.watch import Update

log = logging.getLogger(__name__)

#: How many groups are followed; the others are known from the snapshots alone.
MOST = 8


class GroupsRecorder:
    """Follows the groups with the most members, calmly: a view that looks at one too makes its history finer.

    :param groups: their ids; None: those with the most members, as they come.
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
        """No more facts."""
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
                trace = shared(self._cluster.watcher(), group, partial(asks, self._cluster, group))
                self._followed[group] = (trace, trace.subscribe(partial(self._told, group), calmly=True))
        for leave in left:
            leave()

    def _chosen(self, snapshot: Snapshot) -> set[str]:
        """The groups to follow from now on: those that are followed stay while they have members."""
        found = [g for g in snapshot.groups if self._wanted is None or g.group_id in self._wanted]
        rank = sorted(found, key=lambda g: (not g.members, g.group_id not in self._followed, -len(g.members)))
        return {g.group_id for g in rank[:MOST]}

    def _told(self, group: str) -> None:
        """A trace's listener: runs on its thread."""
        with self._lock:
            found = self._followed.get(group)
            if found is None:
                return
            history = found[0].history()
            ops = diff(self._histories.get(group), history)
            # That time has passed is no news.
            if all(op[1] == ["to"] for op in ops):
                return
            self._histories[group] = history
            self._recording.put(time.time() - self._recording.header.began, f"group/{group}", "set", ops)
        self._recording.grown()


def group_part(cluster: Any, recording: Recording, groups: Collection[str] | None = None) -> GroupsRecorder:
    """Applies to every cluster."""
    return GroupsRecorder(cluster, recording, groups)
