"""Recorder: listens to what there is to know of a cluster, and puts it into a recording, fact by fact."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any, Protocol

from kafkalab.cluster.backend import NodeState, Verb
from kafkalab.state.patch import diff
from kafkalab.state.recording import Header, Recording, Writes
from kafkalab.state.watch import Update, Watcher

log = logging.getLogger(__name__)


class Recorded(Protocol):
    """What a recorder needs of a cluster; :class:`kafkalab.Cluster` is one."""

    @property
    def name(self) -> str:
        """What the learner calls it."""

    @property
    def label(self) -> str:
        """Where its nodes run, in a few words."""

    @property
    def mode(self) -> str | None:
        """``zookeeper`` or ``kraft``; None when somebody else's cluster did not tell."""

    @property
    def version(self) -> str:
        """Of Kafka; "" when it is not known."""

    @property
    def cluster_id(self) -> str | None:
        """The id Kafka gave it."""

    @property
    def bootstrap_servers(self) -> str:
        """As every client wants it."""

    def watcher(self) -> Watcher:
        """The one that all views of this cluster share."""

    def nodes(self) -> Sequence[NodeState]:
        """Every node, quickly; none for somebody else's cluster."""

    def act(self, node: str, verb: Verb) -> None:
        """Carry out a verb on a node."""


class Recorder:
    """Records snapshots, nodes and events, from the watcher that the views share, until :meth:`stop`."""

    def __init__(self, cluster: Recorded, recording: Recording) -> None:
        self._cluster, self._recording = cluster, recording
        self._began = recording.header.began
        self._states: dict[str, Any] = {}
        self._lock = threading.Lock()
        self._unsubscribe: Callable[[], None] = cluster.watcher().subscribe(self._heard)
        if cluster.watcher().latest is not None:
            self._heard(Update(cluster.watcher().latest))

    def stop(self) -> None:
        """No more facts."""
        self._unsubscribe()

    def _heard(self, update: Update) -> None:
        with self._lock:
            now = time.time() - self._began
            if update.snapshot is not None:
                # The time of the events that it brought: who jumps to an event sees what it made of the cluster.
                now = update.snapshot.at - self._began
                self._state("snapshot", now, update.snapshot.to_dict())
            try:
                nodes = self._cluster.nodes()
            except Exception:
                log.exception("the nodes of %s could not be listed", self._cluster.name)
            else:
                self._state("nodes", now, {node.name: asdict(node) for node in nodes})
            for event in update.events:
                if not event.chatty:
                    self._recording.put(event.at - self._began, "events", "add", asdict(event))
        self._recording.grown()

    def _state(self, track: str, at: float, value: Any) -> None:
        ops = diff(self._states.get(track), value)
        if ops:
            self._states[track] = value
            self._recording.put(at, track, "set", ops)


def record(cluster: Recorded, file: Writes | None = None) -> Recording:
    """Begin to record a cluster."""
    header = Header(time.time(), cluster.name, cluster.label, cluster.mode, cluster.version, cluster.cluster_id)
    recording = Recording(header)
    recording.begin(cluster, lambda: recorder.stop(), file)
    recorder = Recorder(cluster, recording)
    return recording
