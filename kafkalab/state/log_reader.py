"""LogReader: keeps looking at the ends of one topic's logs, and reads any window of them that somebody looks at.

It is a reader beside all consumers: it joins no group, commits nothing, and changes nothing on a broker.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from kafkalab.state.connections import Connections
from kafkalab.state.listened import Listened
from kafkalab.state.log_reader_requests import ask_ends, read_windows
from kafkalab.state.log_window import Window
from kafkalab.state.model import Snapshot

log = logging.getLogger(__name__)

#: How many offsets before a log's end are kept read.
TAIL = 72
#: Of how many partitions at most.
TAILS = 24
#: Seconds between two looks: while something moves, and after a while in which nothing did.
BUSY, CALM = 0.15, 0.4
CALM_AFTER = 10.0
#: Seconds a broker may take to answer before it is left out of this look.
PATIENCE = 0.5
#: The most offsets one look at a window may ask for, of one partition.
WIDEST = 2000


@dataclass(frozen=True, slots=True)
class LogEnd:
    """How far a partition's log goes: ``high``, the high watermark, and ``end``, the offset its next record will get.

    ``stable`` is the last stable offset, None while no transaction was seen. ``leader`` and ``epoch`` are who told it.
    """

    high: int
    end: int
    stable: int | None
    leader: int
    epoch: int | None


@dataclass(frozen=True, slots=True)
class Tails:
    """What a reader knows: the ends of the partitions whose leaders answered last time, and the windows before them."""

    ends: Mapping[int, LogEnd]
    windows: Mapping[int, Window]
    at: float = 0.0


class LogReader(Listened):
    """Reads one topic for all who look at it; its thread runs while somebody does.

    It does not ask who leads what: whoever looks tells it with :meth:`learn`.
    """

    def __init__(self, bootstrap_servers: str, topic: str) -> None:
        super().__init__(f"kafkalab-log-{topic}")
        self.topic = topic
        self.tails = Tails({}, {})
        self._bootstrap_servers = bootstrap_servers
        self._leaders: dict[int, tuple[int, int | None]] = {}
        self._starts: dict[int, int] = {}
        self._wanted: set[int] = set(range(TAILS))
        self._transactions = False
        self._snapshot: Snapshot | None = None
        self._connections: Connections | None = None
        # Held while a window is read, so that connections are not closed under it (and opened again by it).
        self._looking = threading.Lock()

    def __repr__(self) -> str:
        return f"<LogReader of {self.topic}, {len(self._listeners)} listening>"

    def learn(self, snapshot: Snapshot) -> None:
        """Take from a snapshot who leads which partition, where to reach them, and where the logs start."""
        topic = snapshot.topic(self.topic)
        with self._changed:
            self._snapshot = snapshot
            before, self._leaders = self._leaders, {}
            for p in topic.partitions if topic else ():
                if p.leader is not None:
                    self._leaders[p.partition] = (p.leader, p.leader_epoch)
                if p.start is not None:
                    self._starts[p.partition] = p.start
            connections = self._connections
            if before != self._leaders:
                self._changed.notify_all()
        if connections is not None:
            self._introduce(connections, snapshot)

    def want(self, partitions: Iterable[int]) -> None:
        """Keep the ends of these partitions read too; the first 24 always are. At most 48 more."""
        with self._changed:
            self._wanted = set(range(TAILS)) | set(list(partitions)[: 2 * TAILS])
            self._changed.notify_all()

    def look(self, windows: Mapping[int, tuple[int, int]], seconds: float = 3.0) -> dict[int, Window]:
        """Partition → the window (from, to) of it; what cannot be read now is left out. Any thread may ask."""
        with self._looking:
            with self._changed:
                connections, leaders = self._connections, dict(self._leaders)
                starts, ends = dict(self._starts), dict(self.tails.ends)
            if connections is None:
                return {}
            wanted = {}
            for p, (start, end) in windows.items():
                if p in leaders and p in ends:
                    start = max(start, starts.get(p, 0))
                    wanted[p] = (start, min(end, ends[p].high, start + WIDEST))
            until = time.monotonic() + seconds
            names = {p: _name(leaders[p][0]) for p in wanted}
            return read_windows(connections, self.topic, names, wanted, lambda: until - time.monotonic())

    # The thread

    def _introduce(self, connections: Connections, snapshot: Snapshot) -> None:
        for b in snapshot.brokers:
            if b.host and b.port:
                connections.introduce(_name(b.id), b.host, b.port)

    def _run(self) -> None:
        connections = Connections(self._bootstrap_servers)
        with self._changed:
            self._connections, snapshot = connections, self._snapshot
        if snapshot is not None:
            self._introduce(connections, snapshot)
        moved_at = time.monotonic()
        try:
            while True:
                with self._changed:
                    if not self._listeners:
                        self._thread = self._connections = None
                        self.tails = Tails({}, {})
                        return
                begun = time.monotonic()
                if self._look_at_ends(connections):
                    moved_at = begun
                    self._tell()
                took = time.monotonic() - begun
                period = BUSY if begun - moved_at < CALM_AFTER else CALM
                with self._changed:
                    # Never more than a third of the time: a machine that is short of breath comes first.
                    self._changed.wait(max(period - took, 2 * took if took > period / 3 else 0.0, 0.02))
        finally:
            with self._looking:
                connections.close()

    def _look_at_ends(self, connections: Connections) -> bool:
        """One look: the ends, then what is new before them. Whether anything changed."""
        with self._changed:
            leaders, starts, wanted = dict(self._leaders), dict(self._starts), set(self._wanted)
        if not leaders or not all(connections.address(_name(id)) for id, _ in leaders.values()):
            return False
        led: dict[str, list[int]] = {}
        for p, (leader, _) in sorted(leaders.items()):
            led.setdefault(_name(leader), []).append(p)
        until = time.monotonic() + PATIENCE
        told = ask_ends(connections, self.topic, led, self._transactions, PATIENCE)
        before = self.tails
        ends = {}
        for p, (high, end, stable) in told.items():
            if high is not None and end is not None:
                leader, epoch = leaders[p]
                ends[p] = LogEnd(high, max(high, end), stable, leader, epoch)
        windows = self._kept(before, ends, starts, wanted)
        missing = {p: (windows[p].end, ends[p].end) for p in windows if windows[p].end < ends[p].end}
        names = {p: _name(leaders[p][0]) for p in missing}

        def seconds() -> float:
            return until + 1.0 - time.monotonic()

        read = read_windows(connections, self.topic, names, missing, seconds, beyond=True)
        for p, window in read.items():
            windows[p] = windows[p].then(window, TAIL)
            self._transactions = self._transactions or any(r.producer is not None for r in window.records)
        after = Tails(ends, windows, time.time())
        changed = (before.ends, before.windows) != (after.ends, after.windows)
        with self._changed:
            self.tails = after
        return changed

    def _kept(
        self, before: Tails, ends: Mapping[int, LogEnd], starts: Mapping[int, int], wanted: set[int]
    ) -> dict[int, Window]:
        """What of the windows still holds, each ending where it is to be read on."""
        windows = {}
        for p, end in ends.items():
            if p not in wanted:
                continue
            first = max(starts.get(p, 0), end.end - TAIL, 0)
            window, was = before.windows.get(p), before.ends.get(p)
            if window is None or was is None:
                windows[p] = Window(min(first, end.end), min(first, end.end))
                continue
            if (was.leader, was.epoch) != (end.leader, end.epoch):
                # What was not committed under the old leader may be other records under the new one.
                window = window.until(was.high)
            window = window.until(end.end)
            windows[p] = Window(first, first) if window.end < first else window.since(first)
        return windows


def _name(broker: int) -> str:
    return f"log-{broker}"


_readers: dict[tuple[str, str], LogReader] = {}
_guard = threading.Lock()


def shared_reader(bootstrap_servers: str, topic: str) -> LogReader:
    """The one reader of a topic, for all views of it in this process; at rest until somebody subscribes."""
    with _guard:
        # Those at rest hold no connections; they go when another is asked for.
        for key in [
            key for key, reader in _readers.items() if not reader.running and key != (bootstrap_servers, topic)
        ]:
            del _readers[key]
        return _readers.setdefault((bootstrap_servers, topic), LogReader(bootstrap_servers, topic))
