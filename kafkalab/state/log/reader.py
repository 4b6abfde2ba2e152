"""LogReader: keeps reading the ends of one topic's logs, and reads any window of them that a viewer asks for.

It does not disturb consumers: it joins no group, commits nothing, and changes nothing on a broker.
"""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from kafkalab.state.connections import (
    CONSUMER,
    DEBUGGER,
    MOVING,
    Connections,
    NoAnswer,
    aside,
    fetch_request,
    offsets_request,
)
from kafkalab.state.log.batch import (
    CONTROL,
    TIMESTAMP_TYPE,
    TRANSACTIONAL,
    Batch,
    Record,
    UnreadableBatch,
    whole_batches,
)
from kafkalab.state.log.tree import CONTROLS
from kafkalab.state.model import Broker, Partition, Snapshot
from kafkalab.state.watch import Poller

# --- Window: a fetch from a log as records that can be drawn, and the offsets it covers.
#
# A log has offsets without records: compaction takes records out, and a transaction ends with a marker that consumers
# do not get. So a window is a range of offsets and the records in it; an offset of the range without a record is a
# hole.


log = logging.getLogger(__name__)

#: Maximum characters kept of a key, a value or a header's name; values may be a megabyte long.
PREVIEW = 160
#: Maximum number of headers kept of a record.
HEADERS = 8
#: Maximum number of unreadable records that stand for a batch that cannot be decoded.
_UNREADABLE = 200

#: Kind of a record. "record": a producer's; "commit", "abort": the marker that ends a transaction; "control": another
#: of Kafka's own markers; "unreadable": it is there, but its batch cannot be decoded here.
Kind = Literal["record", "commit", "abort", "control", "unreadable"]


@dataclass(frozen=True, slots=True)
class LogRecord:
    """One record as views show it.

    ``key`` and ``value`` are previews (None: null). ``key_id`` is the key's own bytes, or the hash of a long key: views
    recognise equal keys by it. ``timestamp`` is in milliseconds since 1970, set by the producer or, with ``appended``,
    by the broker. ``size`` is in bytes, of key and value. ``producer`` is the producer id of a transactional record.
    """

    offset: int
    kind: Kind
    key: str | None = None
    key_id: bytes | None = None
    value: str | None = None
    timestamp: int | None = None
    appended: bool = False
    size: int = 0
    headers: tuple[tuple[str, str | None], ...] = ()
    producer: int | None = None
    codec: str = "none"
    batch: int | None = None


@dataclass(frozen=True, slots=True)
class Window:
    """A range of a partition's offsets, from ``start`` up to but not including ``end``, and all records in it."""

    start: int
    end: int
    records: tuple[LogRecord, ...] = ()

    def __len__(self) -> int:
        return self.end - self.start

    def then(self, later: Window, keep: int) -> Window:
        """Return this window and the one after it, cut to the last ``keep`` offsets; after a gap, only that one."""
        if later.start > self.end or later.start < self.start:
            return later.last(keep)
        kept = tuple(r for r in self.records if r.offset < later.start)
        return Window(self.start, later.end, kept + later.records).last(keep)

    def last(self, keep: int) -> Window:
        """Return its last ``keep`` offsets."""
        return self.since(self.end - keep)

    def since(self, offset: int) -> Window:
        """Return what is left of it when the log begins at ``offset``."""
        if offset <= self.start:
            return self
        start = min(offset, self.end)
        return Window(start, self.end, tuple(r for r in self.records if r.offset >= start))

    def until(self, offset: int) -> Window:
        """Return what is left of it when the log ends at ``offset``: an election may take records away again."""
        if offset >= self.end:
            return self
        end = max(offset, self.start)
        return Window(self.start, end, tuple(r for r in self.records if r.offset < end))


def shown_bytes(data: bytes | None, limit: int = PREVIEW) -> str | None:
    r"""Return bytes as text, controls and what is no UTF-8 as ``\xNN``, at most ``limit`` characters; None for null."""
    if data is None:
        return None
    text = bytes(data[: 4 * limit]).decode("utf-8", "backslashreplace").translate(CONTROLS)
    return text if len(text) <= limit and len(data) <= 4 * limit else text[: limit - 1] + "…"


def read(data: bytes | None, start: int, end: int) -> Window:
    """Return the window from ``start`` to at most ``end`` in the bytes of a fetch; it is empty when nothing came.

    Batches are whole: the first may begin before ``start``, and what lies beyond ``end`` is left out.
    """
    reached = start
    found: list[LogRecord] = []
    with suppress(UnreadableBatch):  # what is not of today's format cannot be passed over
        for batch in whole_batches(bytes(data or b"")):
            if batch.header.base_offset >= end:
                # Nothing lies between the last batch and this one, because compaction took whole batches out.
                reached = end
                break
            found += (r for r in log_records(batch) if start <= r.offset < end)
            reached = max(reached, batch.header.last_offset + 1)
    return Window(start, min(reached, end), tuple(found))


def log_records(batch: Batch) -> list[LogRecord]:
    """Return the records of a batch as views show them."""
    header = batch.header
    try:
        return [_record(batch, record) for record in batch.records]
    except UnreadableBatch as error:
        log.debug("a batch at %d cannot be decoded: %s", header.base_offset, error)
        last = min(header.last_offset + 1, header.base_offset + _UNREADABLE)
        why = f"{error.what} {error.seen}"[:PREVIEW]
        return [
            LogRecord(offset, "unreadable", value=why, codec=header.codec_name, batch=header.base_offset)
            for offset in range(header.base_offset, last)
        ]


def _record(batch: Batch, record: Record) -> LogRecord:
    header, section = batch.header, batch.section
    producer = header.producer_id if header.attributes & (TRANSACTIONAL | CONTROL) else None
    key, value = record.key.of(section), record.value.of(section)
    if header.control:
        # The marker's key: version, then its type, both 16 bits.
        kind: Kind = {0: "abort", 1: "commit"}.get(int.from_bytes((key or b"")[2:4]), "control")  # type: ignore[assignment]
        return LogRecord(
            record.offset, kind, timestamp=batch.timestamp(record), producer=producer, batch=header.base_offset
        )
    return LogRecord(
        record.offset,
        "record",
        shown_bytes(key),
        key if key is None or len(key) <= PREVIEW else hashlib.sha256(key).digest(),
        shown_bytes(value),
        batch.timestamp(record),
        bool(header.attributes & TIMESTAMP_TYPE),
        len(key or b"") + len(value or b""),
        tuple(
            (shown_bytes(name.of(section)) or "", shown_bytes(content.of(section), 80))
            for name, content in record.headers[:HEADERS]
        ),
        producer,
        header.codec_name,
        header.base_offset,
    )


# --- What a log reader asks of leaders: where their logs end, and what is in them.


#: Maximum bytes that one fetch brings of a partition (a larger batch comes whole if it is the first), and altogether.
PARTITION_BYTES, FETCH_BYTES = 64 * 1024, 2 * 1024 * 1024
#: Maximum number of fetches for a window; they stop when one brings nothing more.
ROUNDS = 12


def ask_ends(
    connections: Connections, topic: str, partitions: Mapping[int, Partition], stable: bool, seconds: float
) -> dict[int, LogEnd]:
    """Return partition → the end of its log, for those whose leaders answered.

    :param partitions: those that have a leader, by their numbers.
    :param stable: whether to ask for the last stable offset too.
    """
    led: dict[int, list[int]] = {}
    for p, partition in sorted(partitions.items()):
        led.setdefault(partition.leader or 0, []).append(p)
    kinds = [(CONSUMER, False), (DEBUGGER, False), *[(CONSUMER, True)] * stable]
    questions = [
        (aside(leader), offsets_request({topic: numbers}, replica=replica, stable=only_stable))
        for replica, only_stable in kinds
        for leader, numbers in led.items()
    ]
    found: dict[int, list[int | None]] = {p: [None, None, None] for p in partitions}
    for i, answer in enumerate(connections.ask(questions, seconds)):
        for p in () if isinstance(answer, NoAnswer) else (p for t in answer.topics for p in t.partitions):
            if not p.error_code and p.offset >= 0 and p.partition_index in found:
                found[p.partition_index][i // len(led)] = p.offset
    return {
        p: LogEnd(high, max(high, end), last, partitions[p].leader or 0, partitions[p].leader_epoch)
        for p, (high, end, last) in found.items()
        if high is not None and end is not None
    }


def read_windows(
    connections: Connections,
    topic: str,
    partitions: Mapping[int, Partition],
    wanted: Mapping[int, tuple[int, int]],
    seconds: Callable[[], float],
    *,
    beyond: bool = False,
) -> dict[int, Window]:
    """Return partition → its wanted window (from, to), as far as it could be read; none for silent leaders.

    :param beyond: whether to read past the high watermark too, where records are written but not yet committed.
    """
    windows: dict[int, Window] = {}
    open_ = {p: window for p, window in wanted.items() if p in partitions and window[0] < window[1]}
    for _ in range(ROUNDS):
        if not open_ or seconds() <= 0:
            break
        by_leader: dict[int, dict[int, int]] = {}
        for p, (start, _end) in open_.items():
            by_leader.setdefault(partitions[p].leader or 0, {})[p] = windows[p].end if p in windows else start
        replica = MOVING if beyond else CONSUMER
        questions = [
            (aside(leader), fetch_request({topic: at}, PARTITION_BYTES, replica, together=FETCH_BYTES))
            for leader, at in by_leader.items()
        ]
        moved = False
        for at, answer in zip(by_leader.values(), connections.ask(questions, seconds()), strict=True):
            if isinstance(answer, NoAnswer) or answer.error_code:
                continue
            for p in (p for t in answer.responses for p in t.partitions):
                if p.error_code or p.partition_index not in at:
                    continue
                end = open_[p.partition_index][1]
                more = read(p.records, at[p.partition_index], end)
                moved = moved or len(more) > 0
                before = windows.get(p.partition_index)
                windows[p.partition_index] = before.then(more, end) if before else more
                if more.end >= end:
                    del open_[p.partition_index]
        if not moved:
            break
    return windows


#: Number of offsets before a log's end whose records are kept.
TAIL = 72
#: Number of partitions for which they are always kept.
TAILS = 24
#: Seconds between two looks: while something changes (BUSY), and after CALM_AFTER seconds without a change (CALM).
BUSY, CALM = 0.15, 0.4
CALM_AFTER = 10.0
#: Seconds a broker may take to answer before it is left out of this look.
PATIENCE = 0.5
#: Maximum number of offsets of one partition that :meth:`LogReader.look` reads at once.
WIDEST = 2000


@dataclass(frozen=True, slots=True)
class LogEnd:
    """The end of a partition's log: ``high`` is the high watermark, ``end`` the offset that the next record will get.

    ``stable`` is the last stable offset, None while no transaction was seen. ``leader`` and its ``epoch`` told it.
    """

    high: int
    end: int
    stable: int | None
    leader: int
    epoch: int | None


@dataclass(frozen=True, slots=True)
class Tails:
    """The ends of the logs whose leaders answered the last look, and the windows before those ends."""

    ends: Mapping[int, LogEnd]
    windows: Mapping[int, Window]


class LogReader(Poller[[]]):
    """Reads one topic for all its viewers, who share it; its thread runs while it has listeners.

    It does not ask which broker leads a partition: its viewers tell it with :meth:`learn`.
    """

    def __init__(self, bootstrap_servers: str, topic: str) -> None:
        super().__init__(f"kafkalab-log-{topic}")
        self.topic = topic
        self.tails = Tails({}, {})
        self._connections = Connections(bootstrap_servers)
        self._brokers: tuple[Broker, ...] = ()
        #: The partitions that have a leader.
        self._led: dict[int, Partition] = {}
        self._wanted: set[int] = set(range(TAILS))
        self._transactions = False
        self._moved_at = 0.0
        # Held while a window is read, so that the connections are not closed meanwhile (reading would open them again).
        self._looking = threading.Lock()

    def learn(self, snapshot: Snapshot) -> None:
        """Take from a snapshot each partition's leader, where to reach it, and where the logs start."""
        topic = snapshot.topic(self.topic)
        before, partitions = self._led, topic.partitions if topic else ()
        self._led, self._brokers = {p.partition: p for p in partitions if p.leader is not None}, snapshot.brokers
        if {p.partition: p.leader for p in before.values()} != {p.partition: p.leader for p in self._led.values()}:
            self._look_soon()

    def want(self, partitions: Iterable[int]) -> None:
        """Keep the newest records of these partitions too (at most 48); those of the first 24 are always kept."""
        self._wanted = set(range(TAILS)) | set(list(partitions)[: 2 * TAILS])
        self._look_soon()

    def look(self, windows: Mapping[int, tuple[int, int]], seconds: float = 3.0) -> dict[int, Window]:
        """Return partition → its window (from, to); what cannot be read now is left out. Any thread may call this."""
        with self._looking:
            led, ends = self._led, self.tails.ends
            wanted = {}
            for p, (start, end) in windows.items():
                if p in led and p in ends:  # there are no ends while the thread does not run
                    start = max(start, led[p].start or 0)
                    wanted[p] = (start, min(end, ends[p].high, start + WIDEST))
            until = time.monotonic() + seconds
            return read_windows(self._connections, self.topic, led, wanted, lambda: until - time.monotonic())

    def _run(self) -> None:
        self._moved_at = time.monotonic()
        try:
            super()._run()
        finally:
            with self._looking:
                self._connections.close()

    def _rests(self) -> None:
        self.tails = Tails({}, {})

    def _look(self) -> float:
        begun = time.monotonic()
        self._connections.meet((b.id, b.host, b.port) for b in self._brokers)
        if self._look_at_ends(self._led):
            self._moved_at = begun
            self._notify()
        took = time.monotonic() - begun
        period = BUSY if begun - self._moved_at < CALM_AFTER else CALM
        # Never more than a third of the time, so that a busy machine is spared.
        return max(period - took, 2 * took if took > period / 3 else 0.0, 0.02)

    def _look_at_ends(self, led: Mapping[int, Partition]) -> bool:
        """Read the ends and what is new before them; return whether anything changed."""
        if not led or not all(self._connections.address(aside(p.leader or 0)) for p in led.values()):
            return False
        until = time.monotonic() + PATIENCE
        ends = ask_ends(self._connections, self.topic, led, self._transactions, PATIENCE)
        before = self.tails
        windows = {p: self._kept(p, end, before, led[p].start or 0) for p, end in ends.items() if p in self._wanted}
        missing = {p: (windows[p].end, ends[p].end) for p in windows if windows[p].end < ends[p].end}
        read = read_windows(
            self._connections, self.topic, led, missing, lambda: until + 1.0 - time.monotonic(), beyond=True
        )
        for p, window in read.items():
            windows[p] = windows[p].then(window, TAIL)
            self._transactions = self._transactions or any(r.producer is not None for r in window.records)
        self.tails = Tails(ends, windows)
        return before != self.tails

    @staticmethod
    def _kept(partition: int, end: LogEnd, before: Tails, log_start: int) -> Window:
        """Return what still holds of a partition's window; it ends where reading goes on."""
        first = min(max(log_start, end.end - TAIL), end.end)
        window, was = before.windows.get(partition), before.ends.get(partition)
        if window is None or was is None:
            return Window(first, first)
        if (was.leader, was.epoch) != (end.leader, end.epoch):
            # Offsets that were not committed under the old leader may hold other records under the new one.
            window = window.until(was.high)
        window = window.until(end.end)
        return Window(first, first) if window.end < first else window.since(first)
