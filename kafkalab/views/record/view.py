"""RecordView: one record and its batch down to the bytes, from the broker's own log."""

from __future__ import annotations

import contextlib
import logging
import threading
from dataclasses import replace
from typing import Any, Protocol

from kafkalab.errors import BadInput, KafkalabError, NotSupported, WaitTimeout
from kafkalab.history.moment import Moment
from kafkalab.history.recording import Recording
from kafkalab.history.tracks.logs import LogsAt, RecordedBatches, logs_at
from kafkalab.state.connections import Connections
from kafkalab.state.log.fetched import Fetched
from kafkalab.state.log.segments import BatchSource, Found, LogDir, SegmentFiles
from kafkalab.state.model import Partition
from kafkalab.state.watch import Source, Update
from kafkalab.views.cluster.picture import part
from kafkalab.views.live import FIRST_LOOK, Forms, LiveView
from kafkalab.views.record.picture import Copy, Drawn, Look, drawn
from kafkalab.views.record.still import to_html, to_svg, to_text
from kafkalab.waiting import wait_until

# --- A record's batch as it was recorded, for RecordView; or the reason why there is none at a moment.


def look_at(moment: Moment, topic: str, partition: int, offset: int | None) -> Look:
    """Return what there was of a record at a moment.

    :param offset: the record's offset; None: the newest record that was committed then.
    """
    logs = logs_at(moment, topic)
    p = logs.partitions.get(partition)
    start, end = (p.start, p.end) if p is not None else (None, None)
    at = _newest(logs, partition) if offset is None else offset
    look = Look(topic, partition, at, None, None, start, end, recorded=True)
    try:
        if p is None:
            raise _no_such(moment, topic, partition, len(logs.partitions))
        _require_there(logs, p, at)
        return Look(topic, partition, at, RecordedBatches(logs, partition).find(at), None, start, end, recorded=True)
    except KafkalabError as error:
        return Look(look.topic, look.partition, at, None, error, start, end, recorded=True)


def _newest(logs: LogsAt, partition: int) -> int:
    """Return the newest committed offset; -1 when there is none, or when it is not known."""
    known = logs.ends.get(partition)
    return known.high - 1 if known is not None else -1


def _require_there(logs: LogsAt, p: Partition, at: int) -> None:
    known = logs.ends.get(p.partition)
    if known is None:
        if at < 0:
            why = f"its leader, broker {p.leader}, did not tell" if p.leader is not None else "it had no leader"
            raise BadInput(f"Nobody could say at this moment where the partition's log ended: {why}.")
        return
    begun = p.start or 0
    there = f"at this moment, offsets {begun} to {known.end - 1}" if known.end > begun else "at this moment, no record"
    if at < 0 or at >= known.end:
        raise BadInput(f"There was no record at offset {at} yet." if at > 0 else "There was no record yet.", seen=there)
    if at < begun:
        raise BadInput(f"The record at offset {at} had been deleted by then.", seen=there)


def _no_such(moment: Moment, topic: str, partition: int, partitions: int) -> KafkalabError:
    if moment.snapshot is None:
        return BadInput("At this moment the cluster had not been read yet.", do="Go on in the recording.")
    if not partitions:
        return BadInput(f"There was no topic {topic!r} at this moment.")
    return BadInput(f"{topic} had no partition {partition} at this moment.", seen=f"{partitions} of them")


log = logging.getLogger(__name__)


class RecordSource(Source, Protocol):
    """A cluster as RecordView needs it: a source that also gives access to a broker's files."""

    def log_dir(self, broker: int) -> LogDir | None:
        """Return the files of a broker's logs; None when they are out of reach."""


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
    FORMS = Forms(to_svg, to_html, to_text)

    def __init__(
        self,
        source: RecordSource | Recording | None,
        topic: str,
        partition: int = 0,
        offset: int | None = None,
        *,
        presenter: bool = False,
    ) -> None:
        recording = source if isinstance(source, Recording) else None
        self._files = None if isinstance(source, Recording) else source
        self._look = Look(topic, partition, -1 if offset is None else offset)
        self._name = recording.header.name if recording else self._files.name if self._files else ""
        self._newest = offset is None
        self._wanted = offset
        self._drawn_of: tuple[Look, Drawn] | None = None
        self._broker: int | None = None  # the broker whose copy the learner wants to see; None: the leader
        self._connections: Connections | None = None
        self._reading = threading.Lock()
        self._read = self._files is None
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
            self._newest = offset is None
            self._wanted = offset if offset is None else max(0, offset)
            if self._recording is not None:
                self._show(self._recording.moment())
                self.redraw()
                return
        self._look_anew(self._look.offset if offset is None else max(0, offset))

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
        self._look_anew(self._look.offset)

    # how it works

    def _drawn(self) -> Drawn:
        if self._drawn_of is None or self._drawn_of[0] != self._look:
            live = self._source is not None or self._recording is not None
            self._drawn_of = (self._look, drawn(self._look, name=self._name, live=live))
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
        threading.Thread(target=self._look_again, name="kafkalab-record", daemon=True).start()

    def _look_again(self) -> None:
        self._look_anew(self._look.offset)

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

    def _look_anew(self, offset: int) -> None:
        """Read the record and its copies, and draw them; only one read at a time."""
        with self._reading:
            if self._ended or self._files is None:
                return
            p = self._partition()
            at = max(0, p.end - 1) if self._newest and p is not None and p.end is not None else offset
            look = Look(self._look.topic, self._look.partition, at)
            try:
                if p is None:
                    raise self._no_such()
                look = self._examined(look, p)
            except KafkalabError as error:
                start, end = (p.start, p.end) if p else (None, None)
                look = Look(look.topic, look.partition, at, None, error, start, end)
            except Exception as error:
                log.exception("a record of %s could not be read", look.topic)
                wrong = KafkalabError(f"The record could not be read: {type(error).__name__}: {error}")
                look = Look(look.topic, look.partition, at, None, wrong)
            self._newest = self._newest and look.found is None
            with self._lock:
                self._look = look
                self.redraw()
            self._read = True
            self._tidy()

    def _examined(self, look: Look, p: Partition) -> Look:
        assert self._files is not None and self._snapshot is not None
        alive = {b.id for b in self._snapshot.brokers if b.alive}
        parts = {broker: part(p, broker, broker in alive) for broker in p.replicas}
        own = self._broker if self._broker in p.replicas else None
        broker = own if own is not None else p.leader if p.leader is not None else p.replicas[0]
        found = self._from(broker).find(look.offset)
        if found is None:
            raise absent(look.offset, p)
        if look.offset < found.batch.header.base_offset and (found.previous is None or found.segment == ""):
            look = Look(look.topic, look.partition, found.batch.header.base_offset)
        copies = tuple(Copy(id, of, self._copy(id, found)) for id, of in parts.items())
        return Look(look.topic, look.partition, look.offset, found, None, p.start, p.end, copies)

    def _copy(self, broker: int, found: Found) -> str:
        """Return how another replica's copy of the batch compares."""
        if broker == found.broker:
            return "shown"
        folder = self._folder(broker)
        if folder is None:
            return "unread"
        try:
            other = SegmentFiles(folder, broker, self._look.topic, self._look.partition).find(
                found.batch.header.base_offset
            )
        except KafkalabError:
            return "missing"
        if other is None or other.batch.header.base_offset != found.batch.header.base_offset:
            return "missing"
        return "same" if other.batch.data == found.batch.data else "differs"

    def _from(self, broker: int) -> BatchSource:
        assert self._files is not None
        topic, partition = self._look.topic, self._look.partition
        folder = self._folder(broker)
        if folder is not None:
            return SegmentFiles(folder, broker, topic, partition)
        if self._connections is None:
            self._connections = Connections(self._files.bootstrap_servers)
        return Fetched(self._connections, topic, partition)

    def _folder(self, broker: int) -> LogDir | None:
        return self._files.log_dir(broker) if self._files is not None else None

    def _no_such(self) -> KafkalabError:
        topic = self._snapshot.topic(self._look.topic) if self._snapshot else None
        if topic is None:
            return BadInput(f"There is no topic {self._look.topic!r}.")
        return BadInput(
            f"{topic.name} has no partition {self._look.partition}.", seen=f"{len(topic.partitions)} of them"
        )


def absent(offset: int, p: Partition) -> BadInput:
    """Return the reason why a partition has no record at an offset."""
    start, end = p.start or 0, p.end or 0
    if offset < start:
        return BadInput(f"The record at offset {offset} has been deleted.", seen=f"the log starts at offset {start}")
    there = f"offsets {start} to {end - 1}" if end > start else f"the log is empty, and goes on at offset {end}"
    return BadInput(f"There is no record at offset {offset} yet." if end else "There is no record yet.", seen=there)
