"""RecordView: one record and its batch down to the bytes, from the broker's own log."""

from __future__ import annotations

import contextlib
import logging
import threading
from dataclasses import replace
from typing import Any

from kafkalab.errors import BadInput, KafkalabError, NotSupported, WaitTimeout
from kafkalab.history.moment import Moment
from kafkalab.history.tracks.logs import RecordedBatches, logs_at
from kafkalab.state.connections import Connections
from kafkalab.state.log.fetched import Fetched
from kafkalab.state.log.segments import BatchSource, Found, SegmentFiles
from kafkalab.state.model import Partition, Snapshot
from kafkalab.state.watch import Update
from kafkalab.views.cluster.picture import part
from kafkalab.views.live import FIRST_LOOK, LiveView, Subject, split_subject
from kafkalab.views.record.picture import Compared, Copy, Look, Picture, blocks, drawn
from kafkalab.waiting import wait_until

# --- A record's batch as it was recorded, for RecordView; or the reason why there is none at a moment.


def look_at(moment: Moment, topic: str, partition: int, offset: int | None) -> Look:
    """Return what there was of a record at a moment.

    :param offset: the record's offset; None: the newest record that was committed then.
    """
    logs = logs_at(moment, topic)
    p, known = logs.partitions.get(partition), logs.ends.get(partition)
    at = offset if offset is not None else known.high - 1 if known is not None else -1
    look = Look(topic, partition, at, start=p.start if p else None, end=p.end if p else None, recorded=True)
    try:
        if p is None:
            raise _no_such(moment.snapshot, topic, partition)
        if known is None and at < 0:
            why = f"its leader, broker {p.leader}, did not tell" if p.leader is not None else "it had no leader"
            raise BadInput(f"Nobody could say at this moment where the partition's log ended: {why}.")
        if known is not None and not (p.start or 0) <= at < known.end:
            raise _absent(at, p.start or 0, known.end)
        return replace(look, found=RecordedBatches(logs, partition).find(at))
    except KafkalabError as error:
        return replace(look, error=error)


def _no_such(snapshot: Snapshot | None, topic: str, partition: int) -> KafkalabError:
    if snapshot is None:
        return BadInput("The cluster has not been read yet.")
    found = snapshot.topic(topic)
    if found is None:
        return BadInput(f"There is no topic {topic!r}.")
    return BadInput(f"{topic} has no partition {partition}.", seen=f"{len(found.partitions)} of them")


def _absent(offset: int, start: int, end: int) -> BadInput:
    """Return the reason why a partition has no record at an offset."""
    if 0 <= offset < start:
        return BadInput(f"The record at offset {offset} has been deleted.", seen=f"the log starts at offset {start}")
    there = f"offsets {start} to {end - 1}" if end > start else f"the log is empty, and goes on at offset {end}"
    what = f"There is no record at offset {offset} yet." if offset > 0 else "There is no record yet."
    return BadInput(what, seen=there)


log = logging.getLogger(__name__)


class RecordView(LiveView):
    """A record's bytes as they lie in the leader's log segment, with every field named, and the batch it came in.

    The disks of an external cluster are out of reach, so the view gets the same bytes by a fetch, and says so. It
    follows the partition: its leader, its offsets, its copies; the bytes of a record never change.

    A view of a recording shows the batch as the leader handed it out; the other replicas' copies were not recorded. It
    says so when the record was not written yet, or deleted already, at the moment shown.

    :param source: a cluster, or a recording.
    :param topic: the record's topic, and ``partition`` its partition. If there is none, the view says so.
    :param offset: the record's offset; None: the newest record, in a recording that of the moment shown.

    >>> RecordView(cluster, "trucks_gps", partition=0, offset=3)  # doctest: +SKIP
    """

    NAME = "record"
    BLOCKS = staticmethod(blocks)

    def __init__(
        self,
        source: Subject,
        topic: str,
        partition: int = 0,
        offset: int | None = None,
        *,
        presenter: bool = False,
    ) -> None:
        self._look = Look(topic, partition, -1 if offset is None else offset)
        self._wanted = offset  # None: the newest, until that was found
        self._drawn_of: tuple[Look, Picture] | None = None
        self._broker: int | None = None  # the broker whose copy the learner wants to see; None: the leader
        self._connections: Connections | None = None
        self._reading = threading.Lock()
        self._read = split_subject(source)[0] is None
        self._known: tuple[Any, ...] = ()
        self._partition_known: Partition | None = None
        super().__init__(source, presenter=presenter)
        with contextlib.suppress(WaitTimeout):
            wait_until(lambda: self._read, FIRST_LOOK, "the record", period=0.01)

    @classmethod
    def of(cls, found: Found, topic: str, partition: int = 0, offset: int | None = None) -> RecordView:
        """Return a frozen picture of a batch that was found before; nothing feeds it."""
        view = cls(None, topic, partition, found.batch.header.base_offset if offset is None else offset)
        view._look = Look(topic, partition, view._look.offset, found)
        view.redraw()
        return view

    @property
    def offset(self) -> int:
        """The offset that is looked at; -1 before the newest is known."""
        return self._look.offset

    def go(self, offset: int | None) -> None:
        """Look at another record of the partition; None: the newest there is now."""
        with self._lock:
            self._wanted = offset if offset is None else max(0, offset)
            if self._recording is not None:
                self._show(self._recording.moment())
                self.redraw()
                return
        self._look_anew()

    # what the page asks for

    def do_go(self, message: dict[str, Any]) -> None:
        """Go to an offset, or without one to the newest record."""
        offset = message.get("offset")
        if offset is not None and (not isinstance(offset, int) or isinstance(offset, bool) or not 0 <= offset < 2**63):
            raise BadInput("An offset is a whole number from 0 on.", seen=repr(offset)[:60])
        self.fault("")
        self.go(offset)

    def do_read_from(self, message: dict[str, Any]) -> None:
        """Read the record from another replica's log."""
        if self._recording is not None:
            raise NotSupported("This is a recording: it holds the leader's copy only.")
        broker = message.get("broker")
        partition = self._partition()
        if partition is None or broker not in partition.replicas:
            raise BadInput("That broker has no replica of this partition.")
        self._broker = broker
        self._look_anew()

    # how it works

    def _drawn(self) -> Picture:
        if self._drawn_of is None or self._drawn_of[0] != self._look:
            self._drawn_of = (self._look, drawn(self._look, live=(self._source or self._recording) is not None))
        return self._drawn_of[1]

    def _show(self, moment: Moment) -> None:
        super()._show(moment)
        self._look = look_at(moment, self._look.topic, self._look.partition, self._wanted)

    def _heard(self, update: Update) -> None:
        super()._heard(update)
        if update.snapshot is None:
            return
        p, look = self._partition(), self._look
        known = (p and (p.leader, p.isr), tuple(b.id for b in update.snapshot.brokers if b.alive))
        if p is not None and known == self._known and look.found is not None and look.found.next is not None:
            # The bytes are the same; only the log's start and end have changed.
            self._look = replace(look, start=p.start, end=p.end)
            return
        if (known, p) == (self._known, self._partition_known):
            return
        self._known, self._partition_known = known, p
        # On its own thread, because a container's files may take a while, and all views would wait for this one.
        threading.Thread(target=self._look_anew, name="kafkalab-record", daemon=True).start()

    def _stop_feed(self) -> None:
        connections, self._connections = self._connections, None
        if connections is not None:
            connections.close()

    def _tidy(self) -> None:
        """Release what was opened for a read, if the view was closed during that read."""
        if self._ended:
            self._stop_feed()

    def _partition(self) -> Partition | None:
        topic = self._snapshot.topic(self._look.topic) if self._snapshot else None
        return next((p for p in topic.partitions if p.partition == self._look.partition), None) if topic else None

    def _look_anew(self) -> None:
        """Read the wanted record and its copies, and draw them; one read at a time."""
        with self._reading:
            if self._ended or self._source is None:
                return
            p, at = self._partition(), self._wanted
            if at is None:
                at = max(0, p.end - 1) if p is not None and p.end is not None else self._look.offset
            look = Look(
                self._look.topic, self._look.partition, at, start=p.start if p else None, end=p.end if p else None
            )
            try:
                look = self._examined(look, p)
            except KafkalabError as error:
                look = replace(look, error=error)
            except Exception as error:
                log.exception("a record of %s could not be read", look.topic)
                wrong = KafkalabError(f"The record could not be read: {type(error).__name__}: {error}")
                look = replace(look, error=wrong)
            with self._lock:
                if self._wanted is None and look.found is not None:
                    self._wanted = look.offset
                self._look = look
                self.redraw()
            self._read = True
            self._tidy()

    def _examined(self, look: Look, p: Partition | None) -> Look:
        if p is None:
            raise _no_such(self._snapshot, look.topic, look.partition)
        assert self._snapshot is not None
        alive = {b.id for b in self._snapshot.brokers if b.alive}
        own = self._broker if self._broker in p.replicas else None
        broker = own if own is not None else p.leader if p.leader is not None else p.replicas[0]
        found = self._from(broker).find(look.offset)
        if found is None:
            raise _absent(look.offset, p.start or 0, p.end or 0)
        if look.offset < found.batch.header.base_offset and (found.previous is None or found.segment == ""):
            look = replace(look, offset=found.batch.header.base_offset)
        copies = tuple(Copy(id, part(p, id, id in alive), self._copy(id, found)) for id in p.replicas)
        return replace(look, found=found, copies=copies)

    def _copy(self, broker: int, found: Found) -> Compared:
        """Return how another replica's copy of the batch compares."""
        if broker == found.broker:
            return "shown"
        folder = self._source.log_dir(broker) if self._source is not None else None
        if folder is None:
            return "unread"
        base = found.batch.header.base_offset
        try:
            other = SegmentFiles(folder, broker, self._look.topic, self._look.partition).find(base)
        except KafkalabError:
            return "missing"
        if other is None or other.batch.header.base_offset != base:
            return "missing"
        return "same" if other.batch.data == found.batch.data else "differs"

    def _from(self, broker: int) -> BatchSource:
        assert self._source is not None
        topic, partition = self._look.topic, self._look.partition
        folder = self._source.log_dir(broker)
        if folder is not None:
            return SegmentFiles(folder, broker, topic, partition)
        if self._connections is None:
            self._connections = Connections(self._source.bootstrap_servers)
        return Fetched(self._connections, topic, partition)
