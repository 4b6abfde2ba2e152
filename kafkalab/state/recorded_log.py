"""A topic's logs as a recording knows them: at any moment their ends, and any window of what was recorded by then.

The snapshot of the moment says where a log starts and how far it is committed; the batches say what is in it, also
beyond the high watermark. Offsets of which the recording holds nothing are *blank*: not recorded, and never a hole.
"""

from __future__ import annotations

import base64
import binascii
import logging
import threading
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakKeyDictionary

from kafkalab.state.facts import Facts, Json
from kafkalab.state.log_reader import TAIL, TAILS, LogEnd
from kafkalab.state.log_window import LogRecord, Window, read
from kafkalab.state.record_batch import HEADER_SIZE, Header
from kafkalab.state.record_codecs import decompress
from kafkalab.state.recorded_log_chain import Chain, Stretch

if TYPE_CHECKING:
    from kafkalab.state.model import Partition
    from kafkalab.state.moment import Moment

log = logging.getLogger(__name__)

TRACK = "batches/"
#: How many records stay decoded, and how many windows made, for the moments that are near.
_RECORDS, _WINDOWS = 60_000, 2000
#: Bytes that a batch may unpack to; Kafka takes batches of one megabyte.
UNPACKED = 16 * 2**20
#: How many offsets of a batch that cannot be read are told.
_UNREADABLE = 200

#: What a recorder wrote down so many seconds later may have been there already, when the snapshot says that it was.
LATE = 1.0

#: What stands of a stretch: it, from, to.
Piece = tuple[Stretch, int, int]
Pieces = Callable[[], list[Piece]]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RecordedWindow:
    """A window, and the stretches of it, from and to, of which the recording holds nothing."""

    window: Window
    blank: tuple[tuple[int, int], ...] = ()


class RecordedLogs:
    """A topic in a recording, for all moments of it; :func:`recorded_logs` keeps one for all who ask.

    It remembers what it made, to be quick, and says the same without.
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
        """Where a partition's batches are."""
        return f"{TRACK}{self.topic}/{partition}"

    def at(self, moment: Moment) -> LogsAt:
        """What is known at a moment."""
        return LogsAt(self, moment)

    def chain(self, partition: int) -> Chain:
        """What stood when in a partition's log, as far as it is recorded by now."""
        track = self.track(partition)
        with self._lock:
            chain = self._chains.setdefault(partition, Chain())
            length = self._facts.count(track)
            if length != self._lengths.get(partition, 0):
                items, times = self._facts.items(track), self._facts.times(track)
                length = min(len(items), len(times))  # more may come just now
                chain.learn(items[:length], times[:length])
                self._lengths[partition] = length
            return chain

    def begun(self, moment: Moment) -> float:
        """When an earlier topic of that name was seen to be gone: what is older is not of this one's logs."""
        with self._lock:
            count = self._facts.count("events")
            if count != self._events:
                pairs = zip(self._facts.times("events"), self._facts.items("events"), strict=False)
                self._gone = [at for at, event in pairs if _deletes(event, self.topic)]
                self._events = count
            before = bisect_right(self._gone, moment.at)
            return self._gone[before - 1] if before else float("-inf")

    def window(self, partition: int, key: Hashable, start: int, end: int, pieces: Pieces) -> RecordedWindow:
        """The window from ``start`` to ``end`` that is made of some stretches, of which ``key`` says which."""
        with self._lock:
            whole = (partition, key, start, end)
            return _kept(self._made, whole, _WINDOWS, lambda: self._window(partition, start, end, pieces()))

    def records(self, partition: int, stretch: Stretch) -> tuple[LogRecord, ...]:
        """The records of a batch; of one that cannot be read each offset, up to 200, as that."""
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

    ``partitions`` are those of the snapshot. ``ends``: how far each log went, of those whose end was known then.
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
        """Partition → the last offsets of its log, of the first 24 partitions, as they are kept live."""
        return {
            p: self.window(p, max(0, end.end - TAIL), end.end)
            for p, end in sorted(self.ends.items())[:TAILS]
        }  # fmt: skip

    def window(self, partition: int, start: int, end: int) -> RecordedWindow:
        """The offsets from ``start`` to ``end``, as far as the log had them: empty where it had none of them."""
        known = self.ends.get(partition)
        if known is None:
            return RecordedWindow(Window(start, start))
        end = min(end, known.end)
        start = min(max(start, self.partitions[partition].start or 0), end)
        return self.logs.window(
            partition, self._heads(partition, end), start, end, lambda: self.standing(partition, start, end)
        )

    def standing(self, partition: int, start: int, end: int) -> list[Piece]:
        """What was recorded of these offsets, in their order: (stretch, from, to)."""
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
        """The last stretch that was recorded of a log before ``end``."""
        head, late = self._heads(partition, end)
        last = late or head
        if last is None or last.next <= end:
            return last
        pieces = self.standing(partition, max(0, end - 1), end)
        return pieces[0][0] if pieces else None

    def _heads(self, partition: int, end: int) -> tuple[Stretch | None, Stretch | None]:
        """The last stretch; and if that is not all that was committed, the last one that was recorded soon after."""
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
        # What an earlier leader had beyond the high watermark may be gone; the new one's first batch tells.
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
    """A topic's logs in a recording: one object for all who look at them."""
    with _guard:
        return _known.setdefault(facts, {}).setdefault(topic, RecordedLogs(facts, topic))


def _deletes(event: Json, topic: str) -> bool:
    return isinstance(event, dict) and event.get("kind") == "topic_deleted" and event.get("topic") == topic


def batch_bytes(stretch: Stretch) -> bytes:
    """The batch itself; no bytes where it was left out, or where what was recorded is no base64."""
    try:
        return base64.b64decode(stretch.data or "", validate=True)
    except (binascii.Error, ValueError):
        return b""


def _records(stretch: Stretch) -> tuple[LogRecord, ...]:
    reached, found, why = stretch.base, tuple[LogRecord, ...](), "it is not the batch that was recorded here"
    try:
        data = batch_bytes(stretch)
        header = Header.read(data)
        if header.codec:
            # Looked at first: a small batch may unpack to gigabytes.
            decompress(header.codec, data[HEADER_SIZE : header.size], UNPACKED)
        window = read(data, stretch.base, stretch.next)
        reached, found = window.end, window.records
    except Exception as error:
        # Whatever a damaged file, or somebody's invention, makes the decoder stumble over.
        log.debug("a recorded batch at %d cannot be read: %s", stretch.base, error)
        why = f"{type(error).__name__}: {error}"[:160]
    if reached >= stretch.next:
        return found
    last = min(stretch.next, reached + _UNREADABLE)
    return (*found, *(LogRecord(o, "unreadable", value=why, batch=stretch.base) for o in range(reached, last)))


def _joined(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges in their order, those that touch made one."""
    found: list[tuple[int, int]] = []
    for first, last in ranges:
        if found and found[-1][1] == first:
            found[-1] = (found[-1][0], last)
        else:
            found.append((first, last))
    return found


def _kept(store: OrderedDict[Hashable, T], key: Hashable, most: int, make: Callable[[], T]) -> T:
    """What is stored under a key, or is made now; of more than so many the one asked for longest ago goes."""
    found = store.get(key)
    if found is None:
        found = store[key] = make()
        if len(store) > most:
            store.popitem(last=False)
    else:
        store.move_to_end(key)
    return found
