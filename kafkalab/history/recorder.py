"""Recorder: listens to everything known about a cluster, and puts it into a recording, fact by fact."""

from __future__ import annotations

import logging
import threading
import time
from base64 import b64encode
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from kafkalab.errors import BadInput, KafkalabError, NotSupported
from kafkalab.history.facts import Header
from kafkalab.history.file import RecordingFile, own_path, with_suffix
from kafkalab.history.recording import Part, Recording
from kafkalab.history.tracks.followed import GroupsRecorder, LedgerRecorder, StreamRecorder
from kafkalab.history.tracks.metadata import metadata_part
from kafkalab.state.connections import MOVING, Connections, NoAnswer, aside, fetch_request
from kafkalab.state.log.batch import UnreadableBatch, whole_batches
from kafkalab.state.model import Partition, Snapshot
from kafkalab.state.watch import Poller, Source, Update

log = logging.getLogger(__name__)

#: Maximum age, in seconds, of a snapshot that is recorded as the beginning.
RECENT = 2.0
#: The class of recording to make. A parameter, because the learners' class is in a higher layer (kafkalab.handles).
R = TypeVar("R", bound=Recording)


class Recorder:
    """Records snapshots, nodes and events, from the watcher that the views share, until :meth:`stop`."""

    def __init__(self, cluster: Source, recording: Recording) -> None:
        self._recording = recording
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


# --- The contents of topics: the record batches as the leaders send them (tracks ``batches/TOPIC/PARTITION``).
#
# First how far each partition was read, and what is read next: without network or clock.


#: Number of records of each partition that are there at the beginning and are recorded.
FIRST = 100
#: Number of newest records of a partition to go on with when too many come; halved each time in a row.
NEWEST = 64
#: Maximum number of partitions that are recorded.
MOST_READ = 600

#: (topic, partition).
Pair = tuple[str, int]


@dataclass(slots=True)
class Place:
    """A partition: leader and leader epoch, first offset, high watermark, and ``at``, the offset to read next."""

    leader: int | None
    epoch: int | None
    start: int
    high: int
    at: int
    #: Number of looks in a row at which more had come than could be read.
    flooded: int = 0
    #: Time of its last fact; a later fact must not have an earlier time.
    told_at: float = 0.0

    def learn(self, p: Partition) -> None:
        """Update it from a snapshot's partition."""
        if p.leader is not None and (p.leader, p.leader_epoch) != (self.leader, self.epoch):
            # The new leader may have other records at offsets that were not committed under the old one.
            self.at = min(self.at, self.high)
            self.epoch = p.leader_epoch
        self.leader = p.leader
        if p.start is None or p.end is None:
            return
        if p.end < self.high:
            # An unclean election, or another topic of the same name.
            self.at = max(p.start, min(self.at, p.end - FIRST))
        self.start, self.high = p.start, p.end
        self.at = max(self.at, p.start)

    @property
    def behind(self) -> int:
        """Number of committed offsets that are still to be read."""
        return max(0, self.high - self.at)

    def skip(self, everything: bool = False) -> tuple[int, int] | None:
        """Leave out all but the newest records, fewer each time in a row, or everything that is committed.

        Return the offsets (from, to) that are left out; None if there are none.
        """
        to = self.high if everything else self.high - max(1, NEWEST >> self.flooded)
        self.flooded += 1
        if to <= self.at:
            return None
        begin, self.at = self.at, to
        return begin, to


class Places(dict[Pair, Place]):
    """All partitions that are recorded.

    :param topics: the names of the topics; None: all but Kafka's own.
    """

    def __init__(self, topics: Collection[str] | None = None) -> None:
        super().__init__()
        self._topics = None if topics is None else frozenset(topics)

    def learn(self, snapshot: Snapshot) -> None:
        """Update them from a snapshot: leaders, ends, topics that are new or gone."""
        seen: dict[Pair, Place] = {}
        for topic in snapshot.topics:
            if topic.name not in self._topics if self._topics is not None else topic.internal:
                continue
            for p in topic.partitions:
                if len(seen) >= MOST_READ:
                    break
                pair = (p.topic, p.partition)
                if pair in self:
                    seen[pair] = self[pair]
                    seen[pair].learn(p)
                elif p.start is not None and p.end is not None and p.leader is not None:
                    # The offsets of others are known as soon as their leader answers.
                    seen[pair] = Place(p.leader, p.leader_epoch, p.start, p.end, max(p.start, p.end - FIRST))
        self.clear()
        self.update(seen)

    def due(self) -> dict[int, list[Pair]]:
        """Return leader → the partitions to ask it for now, the one that has waited longest first."""
        found: dict[int, list[Pair]] = {}
        for pair, place in sorted(self.items(), key=lambda item: item[1].told_at):
            if place.leader is not None:
                found.setdefault(place.leader, []).append(pair)
        return found


#: Maximum bytes of batches recorded in a second, in a burst, and in all. An hour of a thousand trucks is 45 MB.
RATE, BURST, MOST = 256 * 1024, 2 * 2**20, 64 * 2**20
#: Bytes to ask for: minimum and maximum of a partition, maximum of an answer. A longer batch comes whole if it is the
#: first of the answer.
_LEAST, _PARTITION, _ANSWER = 4 * 1024, 128 * 1024, 1024 * 1024
#: Maximum number of questions to a leader in one look, while each answer brings more.
_ROUNDS = 4
#: Maximum seconds for a leader to answer.
_PATIENCE = 0.5
#: Seconds between two facts that say what was left out, once the limit MOST is reached.
_SKIPPED_EVERY = 10.0
#: Maximum seconds that stopping waits for an answer that is on its way.
_STOPPING = 1.5


class LogRecorder(Poller[[]]):
    """Records the batches of topics: after each snapshot it asks the leaders for new ones, on a thread of its own.

    It also records batches beyond the high watermark, as soon as it sees them. An election may replace these; then the
    new batches are recorded after them.

    :param topics: the names of the topics; None: all but Kafka's own.
    """

    def __init__(self, cluster: Source, recording: Recording, topics: Collection[str] | None = None) -> None:
        super().__init__("kafkalab-record-log")
        self._recording = recording
        self._began = recording.header.began
        self._places = Places(topics)
        self._connections = Connections(cluster.bootstrap_servers)
        self._snapshot: Snapshot | None = None
        self._tokens = float(BURST)
        self._filled_at = time.monotonic()
        self._bytes = 0
        self._skipped_at = 0.0
        self._leave = (cluster.watcher().subscribe(self._heard), self.subscribe(lambda: None))

    def stop(self) -> None:
        """Stop recording."""
        thread = self._thread
        for leave in self._leave:
            leave()
        if thread is not None:
            thread.join(_STOPPING)

    def _heard(self, update: Update) -> None:
        if update.snapshot is not None:
            self._snapshot = update.snapshot
            self._look_soon()

    def _run(self) -> None:
        super()._run()
        self._connections.close()

    def _look(self) -> float:
        try:
            if self._snapshot is not None and self._look_at(self._snapshot):
                self._recording.grown()
        except Exception:
            # The next look may succeed, and nothing else should suffer from this one.
            log.exception("the record batches could not be looked at")
        return threading.TIMEOUT_MAX  # the next snapshot ends the rest

    def _look_at(self, snapshot: Snapshot) -> bool:
        """Record the new batches, and return whether there were any facts to record."""
        now = time.monotonic()
        self._tokens = min(BURST, self._tokens + (now - self._filled_at) * RATE)
        self._filled_at = now
        self._places.learn(snapshot)
        self._connections.meet((b.id, b.host, b.port) for b in snapshot.brokers)
        news = False
        asked = self._places.due()
        for _ in range(_ROUNDS):
            if not asked or self._tokens <= 0 or self._bytes >= MOST:
                break
            came = self._ask(asked, snapshot)
            news = news or bool(came)
            # Ask again for the partitions that brought something and have more.
            asked = {
                leader: rest
                for leader, pairs in asked.items()
                if (rest := [pair for pair in pairs if pair in came and self._places[pair].behind])
            }
        return self._skip(snapshot) or news

    def _ask(self, asked: dict[int, list[Pair]], snapshot: Snapshot) -> set[Pair]:
        """Ask each leader once, and return the partitions that brought new batches."""
        share = max(_LEAST, int(self._tokens) // len(asked))
        questions = [(aside(leader), self._request(pairs, share)) for leader, pairs in asked.items()]
        came: set[Pair] = set()
        for pairs, answer in zip(asked.values(), self._connections.ask(questions, _PATIENCE), strict=True):
            if isinstance(answer, NoAnswer) or answer.error_code:
                continue
            for topic in answer.responses:
                for p in topic.partitions:
                    pair = (topic.topic, p.partition_index)
                    if (
                        pair in pairs
                        and not p.error_code
                        and p.records
                        and self._take(pair, bytes(p.records), snapshot)
                    ):
                        came.add(pair)
        return came

    def _request(self, pairs: Sequence[Pair], most: int) -> Any:
        wanted: dict[str, dict[int, int]] = {}
        for topic, p in pairs:
            wanted.setdefault(topic, {})[p] = self._places[topic, p].at
        most_each = max(_LEAST, min(_PARTITION, most // len(pairs)))
        return fetch_request(wanted, most_each, MOVING, together=min(_ANSWER, most))

    def _take(self, pair: Pair, data: bytes, snapshot: Snapshot) -> bool:
        """Record the batches of an answer, and return whether there were any new ones."""
        place, taken = self._places[pair], False
        try:
            for batch in whole_batches(data):
                after = batch.header.last_offset + 1
                if after <= place.at:
                    continue
                self._put(pair, place, batch.header.base_offset, after, batch.data, snapshot)
                place.at, taken = after, True
        except UnreadableBatch as error:
            log.debug("%s P%d cannot be recorded: %s", *pair, error)
            self._put_skipped(pair, snapshot, everything=True)
        if taken and not place.behind:
            place.flooded = 0
        return taken

    def _put(self, pair: Pair, place: Place, base: int, after: int, data: bytes | None, snapshot: Snapshot) -> None:
        # A batch below the snapshot's high watermark was there when that was taken. Times of a track never go back.
        at = snapshot.at - self._began if after <= place.high else self._recording.now
        place.told_at = max(at, place.told_at)
        text = None
        if data is not None:
            text = b64encode(data).decode()
            self._tokens -= len(data)
            self._bytes += len(data)
        told = [place.leader, place.epoch, base, after, text]
        self._recording.put(place.told_at, f"batches/{pair[0]}/{pair[1]}", "add", told)

    def _put_skipped(self, pair: Pair, snapshot: Snapshot, everything: bool) -> bool:
        place = self._places[pair]
        left_out = place.skip(everything)
        if left_out is not None:
            self._put(pair, place, *left_out, None, snapshot)
        return left_out is not None

    def _skip(self, snapshot: Snapshot) -> bool:
        """Skip what may not be recorded, because more came than may come in a second, or in all."""
        full, told = self._bytes >= MOST, False
        if (full and snapshot.at - self._skipped_at < _SKIPPED_EVERY) or (not full and self._tokens > 0):
            return told
        if full:
            self._skipped_at = snapshot.at
        for pair, place in self._places.items():
            if full or (place.behind and place.leader is not None):
                told = self._put_skipped(pair, snapshot, everything=full) or told
        return told


# --- All parts


def record(
    cluster: Source,
    path: str | Path | None = None,
    *,
    topics: Sequence[str] | None = None,
    groups: Sequence[str] | None = None,
    kind: type[R],
) -> R:
    """Start to record a cluster: :meth:`kafkalab.handles.cluster.Cluster.record`. ``kind``: the recording's class.

    A cluster that is only a model in memory is recorded in memory only, unless a path is given.
    """
    header = Header(time.time(), cluster.name, cluster.label, cluster.mode, cluster.version, cluster.cluster_id)
    file, problem, real = None, "", cluster.capabilities.clients
    try:
        if path is not None or real:
            file = RecordingFile(own_path(cluster.name) if path is None else with_suffix(path), asdict(header))
    except KafkalabError as error:
        if path is not None:
            raise
        problem = f"{error.what} The recording is kept in memory only. To save it: recording.save(path)."
    recording = kind(header, problem=problem)
    recording.begin(cluster, file)
    # The one that records snapshots is stopped first: the others may still read what its last one shows.
    recording.parts.append(Recorder(cluster, recording))
    makers: list[Callable[[Source, Recording], Part | None]] = [partial(LogRecorder, topics=topics)] if real else []
    makers += [partial(GroupsRecorder, groups=groups), metadata_part]
    for make in makers:
        try:
            part = make(cluster, recording)
        except Exception:
            # A recording without this part is better than none.
            log.exception("a part of the recording of %s did not begin: %r", cluster.name, make)
            continue
        if part is not None:
            recording.parts.append(part)
    return recording


# --- Following more than the cluster: a Spark query, or a ledger.


def follow(recording: Recording, what: Any, name: str | None = None) -> str:
    """Record a Spark query or a ledger too: :meth:`kafkalab.handles.recording.Recording.follow`."""
    if not recording.going:
        raise NotSupported(
            "This recording is over, so nothing can be added to it.", do="Start another: cluster.record()"
        )
    part: LedgerRecorder | StreamRecorder
    if hasattr(what, "runId") or hasattr(what, "query"):
        part = StreamRecorder(recording, what, name)
    elif hasattr(what, "counts") and hasattr(what, "changes"):
        part = LedgerRecorder(recording, what, name)
    else:
        raise BadInput(
            "A recording can follow only a Spark query or a ledger.",
            seen=repr(what)[:200],
            do="Give what writeStream….start() returned, a run of kafkalab.streams, or a Ledger.",
        )
    recording.parts.append(part)
    return part.name
