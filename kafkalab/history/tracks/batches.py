"""Records what is in the topics: the record batches as their leaders hand them out (the tracks ``batches/…``)."""

from __future__ import annotations

import logging
import threading
import time
from base64 import b64encode
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from kafka.protocol.consumer import FetchRequest

from kafkalab.history.recording import Recording
from kafkalab.state.connections import Connections, NoAnswer
from kafkalab.state.log.batch import UnreadableBatch
from kafkalab.state.log.fetched import whole_batches
from kafkalab.state.log.reader import MOVING
from kafkalab.state.model import Partition, Snapshot
from kafkalab.state.watch import Source, Update

# --- Places: how far each partition was read for the recording, and what is read next. Pure.


#: How many records of each partition are recorded as they were at the beginning.
FIRST = 100
#: How many are still read when more come than a recording takes; fewer each time in a row.
NEWEST = 64
#: For so many looks after its high watermark moved a partition is asked for what is beyond it; all are, now and then.
LIVELY, ALL_EVERY = 20, 4
#: No more partitions than these are recorded.
MOST_READ = 600

#: Topic and partition.
Pair = tuple[str, int]


@dataclass(slots=True)
class Place:
    """A partition: its leader and epoch, what it holds, and ``at``, the offset that is read next."""

    leader: int | None
    epoch: int | None
    start: int
    high: int
    at: int
    #: Looks since its high watermark moved.
    calm: int = 0
    #: Looks in a row at which more was there than could be read.
    flooded: int = 0
    #: When its last fact was, for none may be put before it.
    told_at: float = 0.0

    def learn(self, p: Partition) -> None:
        """Take in what a snapshot says of it."""
        if p.leader is not None and (p.leader, p.leader_epoch) != (self.leader, self.epoch):
            # What was not committed under the old leader may be other records under the new one.
            self.at = min(self.at, self.high)
            self.epoch = p.leader_epoch
        self.leader = p.leader
        if p.start is None or p.end is None:
            return
        if p.end < self.high:
            # An unclean election, or another topic of the same name.
            self.at = max(p.start, min(self.at, p.end - FIRST))
        self.calm = 0 if p.end != self.high else self.calm + 1
        self.start, self.high = p.start, p.end
        self.at = max(self.at, p.start)

    @property
    def behind(self) -> int:
        """How many committed offsets are to be read still."""
        return max(0, self.high - self.at)

    def skip(self) -> tuple[int, int] | None:
        """More is there than can be read: leave out all but the newest; returns (from, to) of what is left out."""
        newest = max(1, NEWEST >> self.flooded)
        self.flooded += 1
        return self._leave(self.high - newest)

    def skip_all(self) -> tuple[int, int] | None:
        """Leave out all up to the high watermark."""
        return self._leave(self.high)

    def _leave(self, to: int) -> tuple[int, int] | None:
        if to <= self.at:
            return None
        begin, self.at = self.at, to
        return begin, to


class Places:
    """Every partition that is recorded.

    :param topics: the names of the topics; None: all but Kafka's own.
    """

    def __init__(self, topics: Collection[str] | None = None) -> None:
        self._topics = None if topics is None else frozenset(topics)
        self._places: dict[Pair, Place] = {}
        self._looks = 0

    def __getitem__(self, pair: Pair) -> Place:
        return self._places[pair]

    def __iter__(self) -> Iterator[Pair]:
        return iter(tuple(self._places))

    def learn(self, snapshot: Snapshot) -> None:
        """Take in a snapshot: leaders, ends, topics that are new or gone."""
        self._looks += 1
        seen: dict[Pair, Place] = {}
        for topic in snapshot.topics:
            if topic.name not in self._topics if self._topics is not None else topic.internal:
                continue
            for p in topic.partitions:
                if len(seen) >= MOST_READ:
                    break
                pair = (p.topic, p.partition)
                place = self._places.get(pair)
                if place is None:
                    if p.start is None or p.end is None or p.leader is None:
                        continue  # where it begins is known as soon as its leader answers
                    place = Place(p.leader, p.leader_epoch, p.start, p.end, max(p.start, p.end - FIRST))
                else:
                    place.learn(p)
                seen[pair] = place
        self._places = seen

    def due(self) -> dict[int, list[Pair]]:
        """Leader → the partitions to ask it for now, the one that waits for longest first."""
        every = self._looks % ALL_EVERY == 1
        found: dict[int, list[Pair]] = {}
        for pair, place in sorted(self._places.items(), key=lambda item: item[1].told_at):
            if place.leader is not None and (place.behind or place.calm < LIVELY or every):
                found.setdefault(place.leader, []).append(pair)
        return found


log = logging.getLogger(__name__)

#: Bytes of batches that are recorded in a second, in a burst, and in all. An hour of a thousand trucks is 45 MB.
RATE, BURST, MOST = 256 * 1024, 2 * 2**20, 64 * 2**20
#: Bytes of a partition in one answer, at least and at most, and of an answer. A longer batch comes whole if it is the
#: answer's first.
_LEAST, _PARTITION, _ANSWER = 4 * 1024, 128 * 1024, 1024 * 1024
#: How often what is there is asked for in one look while more comes.
_ROUNDS = 4
#: Seconds a leader may take to answer.
_PATIENCE = 0.5
#: Seconds after which what was left out is told, once no more is recorded.
_SKIPPED_EVERY = 10.0
#: Seconds that stopping waits for an answer that is on its way.
_STOPPING = 1.5


class LogRecorder:
    """Asks the leaders for what is new after each snapshot, on a thread of its own.

    Batches beyond the high watermark are recorded too, as soon as they are seen; an election may take those back, and
    what is there instead is then recorded after them.

    :param topics: the names of the topics; None: all but Kafka's own.
    """

    def __init__(self, cluster: Source, recording: Recording, topics: Collection[str] | None = None) -> None:
        self._recording = recording
        self._began = recording.header.began
        self._places = Places(topics)
        self._connections = Connections(cluster.bootstrap_servers)
        self._snapshot: Snapshot | None = None
        self._ended = False
        self._tokens = float(BURST)
        self._filled_at = time.monotonic()
        self._bytes = 0
        self._skipped_at = 0.0
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="kafkalab-record-log", daemon=True)
        self._thread.start()
        self._unsubscribe = cluster.watcher().subscribe(self._heard)

    def stop(self) -> None:
        """No more facts."""
        self._unsubscribe()
        with self._changed:
            self._ended = True
            self._changed.notify_all()
        self._thread.join(_STOPPING)

    def _heard(self, update: Update) -> None:
        if update.snapshot is not None:
            with self._changed:
                self._snapshot = update.snapshot
                self._changed.notify_all()

    # The thread

    def _run(self) -> None:
        try:
            while True:
                with self._changed:
                    self._changed.wait_for(lambda: self._ended or self._snapshot is not None)
                    snapshot, self._snapshot = self._snapshot, None
                if snapshot is None:
                    return
                try:
                    if self._look(snapshot):
                        self._recording.grown()
                except Exception:
                    # What one look failed at the next may not; and nothing else is to suffer from it.
                    log.exception("the record batches could not be looked at")
        finally:
            self._connections.close()

    def _look(self, snapshot: Snapshot) -> bool:
        """Read what is new; whether anything was."""
        now = time.monotonic()
        self._tokens = min(BURST, self._tokens + (now - self._filled_at) * RATE)
        self._filled_at = now
        self._places.learn(snapshot)
        for b in snapshot.brokers:
            if b.host and b.port:
                self._connections.introduce(_name(b.id), b.host, b.port)
        if self._bytes >= MOST:
            return self._tell_skipped(snapshot)
        news = False
        asked = self._places.due()
        for _ in range(_ROUNDS):
            if not asked or self._tokens <= 0:
                break
            came = self._ask(asked, snapshot)
            news = news or bool(came)
            # More of what came and is not all there yet.
            asked = {
                leader: rest
                for leader, pairs in asked.items()
                if (rest := [pair for pair in pairs if pair in came and self._places[pair].behind])
            }
        return self._skip(snapshot) or news

    def _ask(self, asked: dict[int, list[Pair]], snapshot: Snapshot) -> set[Pair]:
        """One question to each leader; the partitions of which something came."""
        share = max(_LEAST, int(self._tokens) // len(asked))
        questions = [(_name(leader), self._request(pairs, share)) for leader, pairs in asked.items()]
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
        most_each = max(_LEAST, min(_PARTITION, most // len(pairs)))
        by_topic: dict[str, list[Any]] = {}
        for topic, p in pairs:
            by_topic.setdefault(topic, []).append(
                FetchRequest.FetchTopic.FetchPartition(
                    partition=p,
                    current_leader_epoch=-1,
                    fetch_offset=self._places[topic, p].at,
                    last_fetched_epoch=-1,
                    log_start_offset=-1,
                    partition_max_bytes=most_each,
                )
            )
        return FetchRequest(
            replica_id=MOVING, max_wait_ms=0, min_bytes=0, max_bytes=min(_ANSWER, most), isolation_level=0,
            session_id=0, session_epoch=-1,
            topics=[FetchRequest.FetchTopic(topic=t, partitions=ps) for t, ps in by_topic.items()],
            forgotten_topics_data=[], rack_id="", min_version=4,
            max_version=11,  # later ones name a topic by its id
        )  # fmt: skip

    def _take(self, pair: Pair, data: bytes, snapshot: Snapshot) -> bool:
        """Record the batches of an answer; whether there were any."""
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
            self._put_skipped(pair, place, place.skip_all(), snapshot)
        if taken and not place.behind:
            place.flooded = 0
        return taken

    def _put(self, pair: Pair, place: Place, base: int, after: int, data: bytes | None, snapshot: Snapshot) -> None:
        # What the snapshot knows of was there when it was taken; none comes before what was recorded already.
        at = snapshot.at - self._began if after <= place.high else time.time() - self._began
        place.told_at = max(at, place.told_at)
        text = None
        if data is not None:
            text = b64encode(data).decode()
            self._tokens -= len(data)
            self._bytes += len(data)
        told = [place.leader, place.epoch, base, after, text]
        self._recording.put(place.told_at, f"batches/{pair[0]}/{pair[1]}", "add", told)

    def _put_skipped(self, pair: Pair, place: Place, left_out: tuple[int, int] | None, snapshot: Snapshot) -> bool:
        if left_out is not None:
            self._put(pair, place, *left_out, None, snapshot)
        return left_out is not None

    def _skip(self, snapshot: Snapshot) -> bool:
        """When more came than is recorded, go on with the newest of each partition."""
        told = False
        if self._tokens > 0:
            return told
        for pair in self._places:
            place = self._places[pair]
            if place.behind and place.leader is not None:
                told = self._put_skipped(pair, place, place.skip(), snapshot) or told
        return told

    def _tell_skipped(self, snapshot: Snapshot) -> bool:
        """No more is recorded; that there was more is told now and then."""
        if snapshot.at - self._skipped_at < _SKIPPED_EVERY:
            return False
        self._skipped_at = snapshot.at
        told = [
            self._put_skipped(pair, self._places[pair], self._places[pair].skip_all(), snapshot)
            for pair in self._places
        ]
        return any(told)


def _name(broker: int) -> str:
    return f"log-{broker}"


def log_part(cluster: Any, recording: Recording, topics: Collection[str] | None = None) -> LogRecorder | None:
    """Applies wherever there are brokers; a model in memory has no bytes."""
    if not cluster.capabilities.clients:
        return None
    return LogRecorder(cluster, recording, topics)
