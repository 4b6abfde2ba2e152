"""Recorder: listens to what there is to know of a cluster, and puts it into a recording, fact by fact."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

from kafkalab.errors import BadInput, KafkalabError, NotSupported
from kafkalab.history.facts import Header, Writes
from kafkalab.history.file.writing import RecordingFile, own_path, with_suffix
from kafkalab.history.recording import Recording
from kafkalab.history.tracks.batches import log_part
from kafkalab.history.tracks.followed import LedgerRecorder, StreamRecorder
from kafkalab.history.tracks.groups import group_part
from kafkalab.history.tracks.metadata import metadata_part
from kafkalab.state.patch import diff
from kafkalab.state.watch import Source, Update

log = logging.getLogger(__name__)

#: A snapshot that is older, seconds, is not believed at the beginning.
RECENT = 2.0


#: The class of recordings that is wanted: the one that learners hold stands above this room.
R = TypeVar("R", bound=Recording)


class Recorded(Source, Protocol):
    """What a recorder needs of a cluster; :class:`kafkalab.Cluster` is one."""

    @property
    def cluster_id(self) -> str | None:
        """The id Kafka gave it."""


class Recorder:
    """Records snapshots, nodes and events, from the watcher that the views share, until :meth:`stop`."""

    def __init__(self, cluster: Recorded, recording: Recording) -> None:
        self._cluster, self._recording = cluster, recording
        self._began = recording.header.began
        self._states: dict[str, Any] = {}
        self._lock = threading.Lock()
        self._unsubscribe: Callable[[], None] = cluster.watcher().subscribe(self._heard)
        latest = cluster.watcher().latest
        # One of long ago, when somebody looked last, is not how it was at the beginning.
        if latest is not None and self._began - latest.at < RECENT:
            self._heard(Update(latest, nodes=cluster.watcher().nodes))

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
            self._state("nodes", now, {node.name: asdict(node) for node in update.nodes})
            for event in update.events:
                if not event.chatty:
                    self._recording.put(event.at - self._began, "events", "add", asdict(event))
        self._recording.grown()

    def _state(self, track: str, at: float, value: Any) -> None:
        ops = diff(self._states.get(track), value)
        if ops:
            self._states[track] = value
            self._recording.put(at, track, "set", ops)


class Part(Protocol):
    """Something that is recorded besides; made with the cluster and the recording, it goes on until it is stopped.

    It puts facts on its tracks from threads of its own, or from the watcher's, never raises there, and costs next to
    nothing while nothing happens.
    """

    def stop(self) -> None:
        """No more facts."""


#: What makes a part; None where it does not apply.
Makes = Callable[[Recorded, Recording], Part | None]

#: Everything that is recorded of every cluster besides snapshots, nodes and events.
PARTS: tuple[Makes, ...] = (
    # What ZooKeeper's tree and its watches tell, where it can be reached; KRaft's log, where a broker's disk can be.
    metadata_part,
)


class _Parts:
    """All that records one cluster: begins together, ends together."""

    def __init__(self, cluster: Recorded, recording: Recording, makes: Sequence[Makes]) -> None:
        self._parts: list[Part] = [Recorder(cluster, recording)]
        for make in makes:
            try:
                part = make(cluster, recording)
            except Exception:
                # One part less is better than no recording.
                log.exception("a part of the recording of %s did not begin: %r", cluster.name, make)
                continue
            if part is not None:
                self._parts.append(part)

    def stop(self) -> None:
        """End them all, and what brings snapshots first: the others may still read what the last one told of."""
        for part in self._parts:
            try:
                part.stop()
            except Exception:
                log.exception("a part of a recording did not end: %r", part)


def record(
    cluster: Recorded,
    file: Writes | None = None,
    *,
    topics: Sequence[str] | None = None,
    groups: Sequence[str] | None = None,
    header: Header | None = None,
    kind: type[R],
) -> R:
    """Begin to record a cluster.

    :param kind: the class of the recording.
    :param file: where it is written besides memory.
    :param topics: whose record batches are recorded; None: all but Kafka's own.
    :param groups: the consumer groups that are followed closely; None: the few with the most members.
    :param header: what the recording says of itself, where somebody made that already.
    """
    recording = kind(header or header_of(cluster))
    recording.begin(cluster, lambda: parts.stop(), file)
    makes: tuple[Makes, ...] = (partial(log_part, topics=topics), partial(group_part, groups=groups), *PARTS)
    parts = _Parts(cluster, recording, makes)
    return recording


def header_of(cluster: Recorded) -> Header:
    """What a recording of a cluster that begins now says of itself."""
    return Header(time.time(), cluster.name, cluster.label, cluster.mode, cluster.version, cluster.cluster_id)


def record_to(
    cluster: Recorded,
    path: str | Path | None = None,
    *,
    topics: Sequence[str] | None = None,
    groups: Sequence[str] | None = None,
    kind: type[R],
) -> R:
    """Begin to record a cluster into a file; without a path, into one in the folder of recordings.

    A cluster that is only a model in memory is recorded in memory only, unless a path is given.

    :raises BadInput: the file exists, or cannot be made.
    """
    header, file, problem = header_of(cluster), None, ""
    try:
        if path is not None:
            file = RecordingFile(with_suffix(path), header.to_dict())
        elif cluster.capabilities.clients:
            file = RecordingFile(own_path(cluster.name), header.to_dict())
    except KafkalabError as error:
        if path is not None:
            raise
        problem = f"{error.what} The recording is kept in memory only; to keep it: recording.save(path)."
    recording = record(cluster, file, topics=topics, groups=groups, header=header, kind=kind)
    recording.problem = problem
    return recording


# --- Following more than the cluster: a Spark query, or a ledger.


Followed = StreamRecorder | LedgerRecorder


def follow(recording: Recording, what: Any, name: str | None = None) -> Followed:
    """Record this too, until the recording ends.

    :raises BadInput: it is neither a query nor a ledger.
    :raises NotSupported: the recording has ended.
    """
    if not recording.going:
        raise NotSupported("This recording is over: nothing more comes into it.", do="cluster.record() begins another")
    if hasattr(what, "result") and not hasattr(what, "query"):
        account = what.result()
        if hasattr(account, "to_dict"):
            return LedgerRecorder(recording, what, name)
    if hasattr(what, "runId") or hasattr(what, "query"):
        return StreamRecorder(recording, what, name)
    raise BadInput(
        "A recording can follow a Spark query, or a ledger.",
        seen=repr(what)[:200],
        do="Give what writeStream….start() returned, a run of kafkalab.streams, or a Ledger.",
    )
