"""A topic's logs in a recording: at any moment their ends, and any window of the records that were recorded by then.

The snapshot of the moment says where a log starts and how far it is committed; the batches say what is in it, also
beyond the high watermark. Offsets without a recorded batch are *blank*: the log may well have records there.
"""

from __future__ import annotations

import base64
import binascii
import logging
import threading
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeVar
from weakref import WeakKeyDictionary

from kafkalab.errors import NotSupported
from kafkalab.history.facts import Facts, Json
from kafkalab.history.moment import Moment
from kafkalab.state.log.batch import HEADER_SIZE, Batch, Header, UnreadableBatch, decompress
from kafkalab.state.log.fetched import NEWEST
from kafkalab.state.log.reader import TAIL, TAILS, LogEnd, LogRecord, Window, read
from kafkalab.state.log.segments import Found, Neighbour
from kafkalab.state.model import Partition

# --- One partition's log as it was recorded: the stretches that were valid at any moment.
#
# A log grows at its end, but an election may replace what was beyond the high watermark: then other records come for
# the same offsets. So the stretches that are valid after n facts form a chain, in which each points to the one below
# it. A later fact only adds a link: every moment keeps its chain, and going to a moment does not have to rebuild it.


_LARGEST = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Stretch:
    """The offsets from ``base`` up to, not including, ``next``, as broker ``leader`` sent them in its ``epoch``.

    ``data`` is the batch in base64; None if it was left out. ``number`` is the number of its fact, from 0. ``joined``:
    the broker sent it together with the stretch below, so offsets between them are empty: compaction removed them.
    """

    leader: int
    epoch: int
    base: int
    next: int
    data: str | None
    number: int
    joined: bool = False


class Chain:
    """The stretches of a partition, from the items of its track. Not thread-safe."""

    def __init__(self) -> None:
        self._items: list[Json] = []
        self._times: Sequence[float] = ()
        self._stretches: list[Stretch | None] = []
        #: After each fact: the number of the last stretch in the chain; -1 if there is none.
        self._heads: list[int] = []
        self._below: list[int] = []
        # A link further down the chain, to go down fast (a skew-binary list).
        self._jump: list[int] = []
        self._depth: list[int] = []

    def learn(self, items: list[Json], times: Sequence[float]) -> None:
        """Add the items of the track that are new, with their times; if the known ones have changed, start again."""
        known = len(self._items)
        if len(items) < known or (known and items[known - 1] is not self._items[-1]):
            self.__init__()  # type: ignore[misc]
            known = 0
        self._times = times
        for item in items[known:]:
            self._add(item)
        self._items = items

    def head(self, count: int, since: int = 0) -> Stretch | None:
        """Return the last valid stretch after ``count`` facts, leaving out the first ``since`` facts."""
        i = self._heads[count - 1] if 0 < count <= len(self._heads) else -1
        return self._stretches[i] if i >= since and i >= 0 else None

    def standing(self, count: int, start: int, end: int, since: int = 0) -> list[tuple[Stretch, int, int]]:
        """Return what was valid of the offsets from ``start`` to ``end``, in their order: (stretch, from, to)."""
        found = []
        for stretch, first, last in self.newest_first(count, end, since):
            if last <= start:
                break
            found.append((stretch, max(first, start), last))
        return found[::-1]

    def newest_first(self, count: int, end: int, since: int = 0) -> Iterator[tuple[Stretch, int, int]]:
        """Yield what was valid before ``end``, from the last stretch down: (stretch, from, to)."""
        head = self.head(count, since)
        i, above = self._down(head.number if head is not None else -1, end), end
        while i >= since and i >= 0:
            stretch = self._stretches[i]
            assert stretch is not None
            # A later stretch has replaced the offsets from its base on.
            last = min(above, stretch.next)
            if stretch.base < last:
                yield stretch, stretch.base, last
            above, i = min(above, stretch.base), self._below[i]

    def _down(self, i: int, end: int) -> int:
        """Go down from a link to the first one that begins before ``end``."""
        while i >= 0 and self._base(i) >= end:
            jump = self._jump[i]
            i = jump if jump >= 0 and self._base(jump) >= end else self._below[i]
        return i

    def _base(self, i: int) -> int:
        stretch = self._stretches[i]
        assert stretch is not None
        return stretch.base

    def _add(self, item: Json) -> None:
        number = len(self._stretches)
        stretch = stretch_of(item, number)
        head = self._heads[-1] if self._heads else -1
        self._stretches.append(stretch)
        below = head
        while stretch is not None and below >= 0 and self._base(below) >= stretch.base:
            other = self._stretches[below]
            assert other is not None
            if _same(stretch, other):
                stretch = None  # the same batch once more: nothing changed
                break
            below = self._below[below]
        if stretch is None:
            self._heads.append(head)
            self._link(-1)
            return
        if below >= 0 and self._times[below] == self._times[number]:
            self._stretches[number] = replace(stretch, joined=True)
        self._heads.append(number)
        self._link(below)

    def _link(self, below: int) -> None:
        jump = below
        if below >= 0:
            over = self._jump[below]
            far = self._jump[over] if over >= 0 else -1
            if self._deep(below) - self._deep(over) == self._deep(over) - self._deep(far):
                jump = far
        self._below.append(below)
        self._jump.append(jump)
        self._depth.append(self._deep(below) + 1)

    def _deep(self, i: int) -> int:
        return self._depth[i] if i >= 0 else 0


def stretch_of(item: Json, number: int = 0) -> Stretch | None:
    """Return an item of the track as a stretch; None if the item is malformed."""
    if not isinstance(item, list) or len(item) < 5:
        return None
    leader, epoch, base, next_, data = item[:5]
    if not all(type(n) is int and -1 <= n <= _LARGEST for n in (leader, epoch, base, next_)) or not 0 <= base < next_:
        return None
    return Stretch(leader, epoch, base, next_, data, number) if data is None or isinstance(data, str) else None


def _same(a: Stretch, b: Stretch) -> bool:
    return (a.epoch, a.base, a.next, a.data) == (b.epoch, b.base, b.next, b.data)


log = logging.getLogger(__name__)

TRACK = "batches/"
#: Sizes of the caches: decoded records, and windows.
_RECORDS, _WINDOWS = 60_000, 2000
#: Maximum bytes that a batch may unpack to; Kafka takes batches of one megabyte.
UNPACKED = 16 * 2**20
#: Maximum number of offsets that are shown of a batch that cannot be read.
_UNREADABLE = 200

#: Maximum delay of a recorder, seconds: committed batches recorded so soon after a moment are shown at it already.
LATE = 1.0

#: The valid part of a stretch: (stretch, from, to).
Piece = tuple[Stretch, int, int]
Pieces = Callable[[], list[Piece]]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RecordedWindow:
    """A window, and the ranges of offsets in it, (from, to), for which the recording holds nothing."""

    window: Window
    blank: tuple[tuple[int, int], ...] = ()


class RecordedLogs:
    """A topic's logs in a recording, for all moments; :func:`recorded_logs` returns the one that all callers share.

    It keeps caches of chains, decoded records and windows.
    """

    def __init__(self, facts: Facts, topic: str) -> None:
        self.topic = topic
        self._facts = facts
        self._lock = threading.RLock()
        self._chains: dict[int, Chain] = {}
        self._lengths: dict[int, int] = {}
        self._gone: list[float] = []
        self._events = 0
        self._decoded: OrderedDict[tuple[int, Stretch], tuple[LogRecord, ...]] = OrderedDict()
        self._kept = 0
        self._made: OrderedDict[Hashable, RecordedWindow] = OrderedDict()

    def track(self, partition: int) -> str:
        """Return the name of a partition's track."""
        return f"{TRACK}{self.topic}/{partition}"

    def at(self, moment: Moment) -> LogsAt:
        """Return the logs at a moment."""
        return LogsAt(self, moment)

    def chain(self, partition: int) -> Chain:
        """Return the chain of a partition's log, with all facts so far."""
        track = self.track(partition)
        with self._lock:
            chain = self._chains.setdefault(partition, Chain())
            length = self._facts.count(track)
            if length != self._lengths.get(partition, 0):
                items, times = self._facts.items(track), self._facts.times(track)
                length = min(len(items), len(times))  # a fact may have come between the two calls
                chain.learn(items[:length], times[:length])
                self._lengths[partition] = length
            return chain

    def begun(self, moment: Moment) -> float:
        """Return when an earlier topic of this name was deleted, or -inf: older facts are not of this topic."""
        with self._lock:
            count = self._facts.count("events")
            if count != self._events:
                pairs = zip(self._facts.times("events"), self._facts.items("events"), strict=False)
                self._gone = [at for at, event in pairs if _deletes(event, self.topic)]
                self._events = count
            before = bisect_right(self._gone, moment.at)
            return self._gone[before - 1] if before else float("-inf")

    def window(self, partition: int, key: Hashable, start: int, end: int, pieces: Pieces) -> RecordedWindow:
        """Return the window from ``start`` to ``end`` made of ``pieces``; ``key`` identifies these for the cache."""
        with self._lock:
            whole = (partition, key, start, end)
            return _kept(self._made, whole, _WINDOWS, lambda: self._window(partition, start, end, pieces()))

    def records(self, partition: int, stretch: Stretch) -> tuple[LogRecord, ...]:
        """Return the records of a batch; for offsets that cannot be read, up to 200 records of the kind unreadable."""
        key = (partition, stretch)
        with self._lock:
            found = self._decoded.get(key)
            if found is not None:
                self._decoded.move_to_end(key)
                return found
            found = self._decoded[key] = _records(stretch)
            self._kept += len(found)
            while self._kept > _RECORDS and len(self._decoded) > 1:
                self._kept -= len(self._decoded.popitem(last=False)[1])
            return found

    def _window(self, p: int, start: int, end: int, pieces: list[Piece]) -> RecordedWindow:
        records: list[LogRecord] = []
        blank: list[tuple[int, int]] = []
        reached = start
        for stretch, first, last in pieces:
            if first > reached and not (stretch.joined and first == stretch.base):
                blank.append((reached, first))
            if stretch.data is None:
                blank.append((first, last))
            else:
                records += (r for r in self.records(p, stretch) if first <= r.offset < last)
            reached = last
        if reached < end:
            blank.append((reached, end))
        return RecordedWindow(Window(start, max(start, end), tuple(records)), tuple(_joined(blank)))


class LogsAt:
    """A topic's logs at one moment of a recording.

    ``partitions`` are those of the snapshot. ``ends``: partition → how far its log went, if that was known then.
    """

    def __init__(self, logs: RecordedLogs, moment: Moment) -> None:
        self.logs = logs
        topic = moment.snapshot.topic(logs.topic) if moment.snapshot else None
        self.partitions: dict[int, Partition] = {p.partition: p for p in topic.partitions} if topic else {}
        begun = logs.begun(moment)
        self._since = {p: moment.facts.count(logs.track(p), begun) for p in self.partitions}
        self._counts = {p: moment.facts.count(logs.track(p), moment.at) for p in self.partitions}
        self._late = {p: moment.facts.count(logs.track(p), moment.at + LATE) for p in self.partitions}
        self.ends = {p: end for p, known in self.partitions.items() if (end := self._end(known)) is not None}

    def tails(self) -> dict[int, RecordedWindow]:
        """Return partition → the last 72 offsets of its log, for the first 24 partitions: the same as are kept live."""
        return {
            p: self.window(p, max(0, end.end - TAIL), end.end)
            for p, end in sorted(self.ends.items())[:TAILS]
        }  # fmt: skip

    def window(self, partition: int, start: int, end: int) -> RecordedWindow:
        """Return the window from ``start`` to ``end``, cut to the offsets that the log had (it may be empty)."""
        known = self.ends.get(partition)
        if known is None:
            return RecordedWindow(Window(start, start))
        end = min(end, known.end)
        start = min(max(start, self.partitions[partition].start or 0), end)
        return self.logs.window(
            partition, self._heads(partition, end), start, end, lambda: self.standing(partition, start, end)
        )

    def standing(self, partition: int, start: int, end: int) -> list[Piece]:
        """Return what is recorded of these offsets, in their order: (stretch, from, to)."""
        if partition not in self.partitions:
            return []
        chain, since = self.logs.chain(partition), self._since[partition]
        found = chain.standing(self._counts[partition], start, end, since)
        head, late = self._heads(partition, end)
        if late is not None:
            begin = max(start, head.next if head is not None else 0)
            found += chain.standing(self._late[partition], begin, min(end, self._high(partition)), since)
        return found

    def newest(self, partition: int, end: int) -> Stretch | None:
        """Return the last recorded stretch of a log before ``end``; None if there is none."""
        head, late = self._heads(partition, end)
        last = late or head
        if last is None or last.next <= end:
            return last
        pieces = self.standing(partition, max(0, end - 1), end)
        return pieces[0][0] if pieces else None

    def _heads(self, partition: int, end: int) -> tuple[Stretch | None, Stretch | None]:
        """Return the last stretch; and, if it does not reach all committed offsets, the last one LATE seconds later."""
        chain, since = self.logs.chain(partition), self._since[partition]
        head = chain.head(self._counts[partition], since)
        if head is not None and head.next >= min(end, self._high(partition)):
            return head, None
        return head, chain.head(self._late[partition], since)

    def _high(self, partition: int) -> int:
        return self.partitions[partition].end or 0

    def _end(self, p: Partition) -> LogEnd | None:
        if p.end is None or p.leader is None:
            return None
        end = p.end
        head = self.logs.chain(p.partition).head(self._counts[p.partition], self._since[p.partition])
        # Batches that an earlier leader had beyond the high watermark may be gone: only the present leader's count.
        if (
            head is not None
            and head.next > end
            and head.epoch >= (p.leader_epoch if p.leader_epoch is not None else -1)
        ):
            end = head.next
        return LogEnd(p.end, end, None, p.leader, p.leader_epoch)


_known: WeakKeyDictionary[Facts, dict[str, RecordedLogs]] = WeakKeyDictionary()
_guard = threading.Lock()


def recorded_logs(facts: Facts, topic: str) -> RecordedLogs:
    """Return a topic's logs in a recording: one object, shared by all callers."""
    with _guard:
        return _known.setdefault(facts, {}).setdefault(topic, RecordedLogs(facts, topic))


def logs_at(moment: Moment, topic: str) -> LogsAt:
    """Return a topic's logs at a moment, as far as they were recorded. Tracks ``batches/TOPIC/PARTITION``."""
    return recorded_logs(moment.facts, topic).at(moment)


def _deletes(event: Json, topic: str) -> bool:
    return isinstance(event, dict) and event.get("kind") == "topic_deleted" and event.get("topic") == topic


def batch_bytes(stretch: Stretch) -> bytes:
    """Return the bytes of a batch; none if it was left out, or if the recorded text is not base64."""
    try:
        return base64.b64decode(stretch.data or "", validate=True)
    except (binascii.Error, ValueError):
        return b""


def _records(stretch: Stretch) -> tuple[LogRecord, ...]:
    reached, found, why = stretch.base, tuple[LogRecord, ...](), "the recorded bytes do not hold this record"
    try:
        data = batch_bytes(stretch)
        header = Header.read(data)
        if header.codec:
            # Checked first, because a small batch may unpack to gigabytes.
            decompress(header.codec, data[HEADER_SIZE : header.size], UNPACKED)
        window = read(data, stretch.base, stretch.next)
        reached, found = window.end, window.records
    except Exception as error:
        # A damaged or forged file may make the decoder raise anything.
        log.debug("a recorded batch at %d cannot be read: %s", stretch.base, error)
        why = f"{type(error).__name__}: {error}"[:160]
    if reached >= stretch.next:
        return found
    last = min(stretch.next, reached + _UNREADABLE)
    return (*found, *(LogRecord(o, "unreadable", value=why, batch=stretch.base) for o in range(reached, last)))


def _joined(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the ranges in their order, with touching ones joined."""
    found: list[tuple[int, int]] = []
    for first, last in ranges:
        if found and found[-1][1] == first:
            found[-1] = (found[-1][0], last)
        else:
            found.append((first, last))
    return found


def _kept(store: OrderedDict[Hashable, T], key: Hashable, most: int, make: Callable[[], T]) -> T:
    """Return the cached value of a key, or make it; the least recently used one is dropped beyond ``most`` values."""
    found = store.get(key)
    if found is None:
        found = store[key] = make()
        if len(store) > most:
            store.popitem(last=False)
    else:
        store.move_to_end(key)
    return found


# --- The batches of a partition in a recording: the source of RecordView when there is no broker.


class RecordedBatches:
    """A partition's batches at one moment. See :class:`kafkalab.state.log.segments.BatchSource`."""

    def __init__(self, logs: LogsAt, partition: int) -> None:
        self._logs, self._partition = logs, partition

    def find(self, offset: int) -> Found | None:
        """Return the batch with the offset, as the leader sent it.

        :raises NotSupported: the recording does not hold that offset.
        :raises UnreadableBatch: the recorded bytes are not that batch.
        """
        piece = self._piece(offset)
        if piece is None or piece[0].data is None:
            left_out = "more records came than a recording can hold" if piece is not None else "it was not recorded"
            raise NotSupported(f"The recording does not hold offset {offset}: {left_out}.")
        stretch = piece[0]
        beside = self._beside(stretch.base - 1), self._beside(stretch.next)
        return Found(batch_of(stretch), stretch.leader, previous=beside[0], next=beside[1])

    def _piece(self, offset: int) -> Piece | None:
        found = self._logs.standing(self._partition, offset, offset + 1) if offset >= 0 else []
        return found[0] if found else None

    def _beside(self, offset: int) -> Neighbour | None:
        piece = self._piece(offset)
        if piece is None or piece[0].data is None:
            return None
        return Neighbour(piece[0].base, piece[0].next - 1)


@lru_cache(maxsize=256)
def batch_of(stretch: Stretch) -> Batch:
    """Return the batch of a stretch.

    :raises UnreadableBatch: the recorded bytes are no batch, or a batch with another base offset.
    """
    batch = Batch.read(batch_bytes(stretch))
    if batch.header.base_offset != stretch.base:
        raise UnreadableBatch(
            "The recorded bytes belong to another batch.",
            seen=f"base offset {batch.header.base_offset} where {stretch.base} is expected",
        )
    return batch


# --- Keys in their partitions at a moment of a recording, from the newest records of each partition, as in a live view.


#: The records of a batch: (key, offset) of each.
Keys = tuple[tuple[bytes | None, int], ...]
#: Key (None: no key) → partition → [number of its records there, offset of the last of them].
Lying = dict[bytes | None, dict[int, list[int]]]


def keys_of(logs: LogsAt, newest: int = NEWEST) -> Lying:
    """Return the keys of the newest committed records of each partition, in the order of partitions and offsets."""
    found: Lying = {}
    for p, end in sorted(logs.ends.items()):
        begin = max(logs.partitions[p].start or 0, end.high - newest)
        for stretch, first, last in logs.standing(p, begin, end.high):
            for key, offset in _keys(stretch):
                if first <= offset < last:
                    own = found.setdefault(key, {}).setdefault(p, [0, -1])
                    own[0] += 1
                    own[1] = offset
    return found


def looked_at(logs: LogsAt) -> tuple[object, ...]:
    """Return a version for :func:`keys_of`: it changes whenever the keys do."""
    return tuple(
        (p, logs.partitions[p].start, end.high, logs.newest(p, end.high))
        for p, end in sorted(logs.ends.items())
    )  # fmt: skip


@lru_cache(maxsize=20_000)
def _keys(stretch: Stretch) -> Keys:
    if stretch.data is None:
        return ()
    try:
        batch = batch_of.__wrapped__(stretch)
        if batch.header.control:
            return ()
        return tuple((r.key.of(batch.section), r.offset) for r in batch.records)
    except UnreadableBatch:
        return ()
