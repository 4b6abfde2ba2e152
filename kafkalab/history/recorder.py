"""Recorder: listens to everything known about a cluster, and puts it into a recording, fact by fact."""

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
from kafkalab.history.facts import Header
from kafkalab.history.file import RecordingFile, own_path, with_suffix
from kafkalab.history.recording import Recording
from kafkalab.history.tracks.batches import log_part
from kafkalab.history.tracks.followed import GroupsRecorder, LedgerRecorder, StreamRecorder
from kafkalab.history.tracks.metadata import metadata_part
from kafkalab.state.watch import Source, Update

log = logging.getLogger(__name__)

#: Maximum age, in seconds, of a snapshot that is recorded as the beginning.
RECENT = 2.0


#: The class of recording to make. A parameter, because the learners' class is in a higher layer (kafkalab.handles).
R = TypeVar("R", bound=Recording)


class Recorded(Source, Protocol):
    """The part of a cluster that a recorder needs; :class:`kafkalab.Cluster` has it."""

    @property
    def cluster_id(self) -> str | None:
        """The id that Kafka gave the cluster."""


class Recorder:
    """Records snapshots, nodes and events, from the watcher that the views share, until :meth:`stop`."""

    def __init__(self, cluster: Recorded, recording: Recording) -> None:
        self._cluster, self._recording = cluster, recording
        self._began = recording.header.began
        self._lock = threading.Lock()
        self._unsubscribe: Callable[[], None] = cluster.watcher().subscribe(self._heard)
        latest = cluster.watcher().latest
        # An older snapshot, from the last time somebody watched, does not show the cluster as it is now.
        if latest is not None and self._began - latest.at < RECENT:
            self._heard(Update(latest, nodes=cluster.watcher().nodes))

    def stop(self) -> None:
        """Stop recording."""
        self._unsubscribe()

    def _heard(self, update: Update) -> None:
        with self._lock:
            now = self._recording.now
            if update.snapshot is not None:
                # The same time as its events have, so that a jump to an event shows what it did to the cluster.
                now = update.snapshot.at - self._began
                self._recording.state("snapshot", update.snapshot.to_dict(), now)
            self._recording.state("nodes", {node.name: asdict(node) for node in update.nodes}, now)
            for event in update.events:
                if not event.chatty:
                    self._recording.put(event.at - self._began, "events", "add", asdict(event))
        self._recording.grown()


class Part(Protocol):
    """A recorder of further tracks. It is made with the cluster and the recording, and records until it is stopped.

    It adds facts to its tracks from its own threads or the watcher's, never raises there, and costs next to nothing
    while nothing happens.
    """

    def stop(self) -> None:
        """Stop recording."""


#: A function that makes a part; it returns None for a cluster to which the part does not apply.
Makes = Callable[[Recorded, Recording], Part | None]

#: The parts without settings of their own; :func:`record` adds those for record batches and groups.
PARTS: tuple[Makes, ...] = (
    # ZooKeeper's tree and its watches, if ZooKeeper can be reached; KRaft's log, if a broker's disk can be read.
    metadata_part,
)


class _Parts:
    """All parts that record one cluster: they start together and stop together."""

    def __init__(self, cluster: Recorded, recording: Recording, makes: Sequence[Makes]) -> None:
        self._parts: list[Part] = [Recorder(cluster, recording)]
        for make in makes:
            try:
                part = make(cluster, recording)
            except Exception:
                # A recording without this part is better than none.
                log.exception("a part of the recording of %s did not begin: %r", cluster.name, make)
                continue
            if part is not None:
                self._parts.append(part)

    def stop(self) -> None:
        """Stop all parts, the one that records snapshots first: the others may still read what its last one shows."""
        for part in self._parts:
            try:
                part.stop()
            except Exception:
                log.exception("a part of a recording did not end: %r", part)


def record(
    cluster: Recorded,
    file: RecordingFile | None = None,
    *,
    topics: Sequence[str] | None = None,
    groups: Sequence[str] | None = None,
    header: Header | None = None,
    kind: type[R],
) -> R:
    """Start to record a cluster.

    :param file: the file to write, besides memory.
    :param topics: names of the topics whose record batches are recorded; None: all but Kafka's own.
    :param groups: ids of the consumer groups to follow closely; None: the few with the most members.
    :param header: the recording's header, if there is one already.
    :param kind: the class of the recording.
    """
    recording = kind(header or header_of(cluster))
    recording.begin(cluster, lambda: parts.stop(), file)
    makes: tuple[Makes, ...] = (partial(log_part, topics=topics), partial(GroupsRecorder, groups=groups), *PARTS)
    parts = _Parts(cluster, recording, makes)
    return recording


def header_of(cluster: Recorded) -> Header:
    """Return the header of a recording of this cluster that begins now."""
    return Header(time.time(), cluster.name, cluster.label, cluster.mode, cluster.version, cluster.cluster_id)


def record_to(
    cluster: Recorded,
    path: str | Path | None = None,
    *,
    topics: Sequence[str] | None = None,
    groups: Sequence[str] | None = None,
    kind: type[R],
) -> R:
    """Start to record a cluster into a file; without a path, into a new file in the folder of recordings.

    A cluster that is only a model in memory is recorded in memory only, unless a path is given.

    :raises BadInput: the file exists already, or cannot be created.
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
        problem = f"{error.what} The recording is kept in memory only. To save it: recording.save(path)."
    recording = record(cluster, file, topics=topics, groups=groups, header=header, kind=kind)
    recording.problem = problem
    return recording


# --- Following more than the cluster: a Spark query, or a ledger.


Followed = StreamRecorder | LedgerRecorder


def follow(recording: Recording, what: Any, name: str | None = None) -> Followed:
    """Record a Spark query or a ledger too, until the recording ends.

    :raises BadInput: ``what`` is neither a query nor a ledger.
    :raises NotSupported: the recording has ended.
    """
    if not recording.going:
        raise NotSupported(
            "This recording is over, so nothing can be added to it.", do="Start another: cluster.record()"
        )
    if hasattr(what, "result") and not hasattr(what, "query"):
        account = what.result()
        if hasattr(account, "to_dict"):
            return LedgerRecorder(recording, what, name)
    if hasattr(what, "runId") or hasattr(what, "query"):
        return StreamRecorder(recording, what, name)
    raise BadInput(
        "A recording can follow only a Spark query or a ledger.",
        seen=repr(what)[:200],
        do="Give what writeStream….start() returned, a run of kafkalab.streams, or a Ledger.",
    )
