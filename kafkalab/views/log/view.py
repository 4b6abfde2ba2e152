"""LogView: the logs of a topic, one lane per partition, with what every group has read of them."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from kafkalab.errors import BadInput, NotSupported, WaitTimeout
from kafkalab.history.moment import Moment
from kafkalab.history.tracks.logs import LogsAt, RecordedWindow, logs_at
from kafkalab.state.log.reader import LogReader, Window
from kafkalab.state.model import Snapshot
from kafkalab.state.watch import Update, shared
from kafkalab.views.live import LiveView, Subject, split_subject
from kafkalab.views.log.picture import KeySigns, Picture, TailCells, blocks, cell, drawn, tail
from kafkalab.views.static import Block
from kafkalab.waiting import wait_until

#: Maximum number of partitions, and of offsets in each, that the page may ask for at once.
LANES_ASKED, OFFSETS_ASKED = 48, 400


class LogView(LiveView):
    """A lane per partition: log start, records, high watermark, log end, committed offsets, consumers' positions.

    A live view reads the ends of the logs, and any other place the learner goes to, without disturbing consumers: it
    joins no group and commits nothing. Two views of one topic share that reader. A view of a recording shows what was
    recorded up to the moment shown, and marks the offsets that were not recorded.

    :param source: a cluster, or a recording; None for a picture that neither feeds: see :meth:`of`.
    :param topic: name of the topic whose logs are shown.
    :param presenter: everything larger, for a projector.
    """

    NAME = "log"

    def __init__(self, source: Subject, topic: str, *, presenter: bool = False) -> None:
        if not isinstance(topic, str) or not topic:
            raise BadInput(
                "A LogView needs the name of a topic.", seen=repr(topic), do='LogView(cluster, "trucks_gps")'
            )
        self.topic = topic
        self._keys = KeySigns()
        self._cells = TailCells(self._keys)
        self._followed: dict[str, Any] = {}
        self._windows: Mapping[int, Window] = {}
        self._logs: LogsAt | None = None
        self._kept: Picture | None = None
        cluster, _ = split_subject(source)
        # A cluster in memory has no logs to read, so the offsets in its snapshots are drawn.
        real = cluster is not None and cluster.capabilities.clients
        self._reader: LogReader | None = (
            shared(LogReader, cluster.bootstrap_servers, topic) if cluster is not None and real else None
        )
        super().__init__(source, presenter=presenter)

    @classmethod
    def of(cls, snapshot: Snapshot, topic: str, windows: Mapping[int, Window] | None = None) -> LogView:
        """Return a frozen picture of a snapshot, with the records of ``windows`` (partition → window) if given."""
        view = cls(None, topic)
        view._snapshot, view._windows = snapshot, windows or {}
        view.redraw()
        return view

    def moment(self, *groups: str) -> LogView:
        """Return a picture of this moment, which stays as it is when the topic goes on or is deleted.

        :param groups: the groups whose committed offsets it shows; without any, those of all groups.

        It waits until everything that the topic holds now is drawn; on a busy machine an incomplete picture is better
        than none after 15 seconds.
        """
        now = self._source.snapshot() if self._source is not None else None
        if now is not None:
            topic = now.topic(self.topic)
            ends = {p.partition: (p.start, p.end) for p in (topic.partitions if topic is not None else ())}
            with suppress(WaitTimeout):
                wait_until(lambda: self._is_complete(ends), 15, f"the picture of {self.topic} to be complete")
        with self._lock:
            kept = type(self)(None, self.topic)
            kept._snapshot, kept._kept = self._snapshot, {**self._drawn(), "at": None}
            if now is not None:  # the watcher may not have seen yet what was committed just before this call
                kept._kept["groups"] = drawn(now, self.topic)["groups"]
            if groups:
                kept._kept["groups"] = {name: at for name, at in kept._kept["groups"].items() if name in groups}
            kept.redraw()
        return kept

    def _is_complete(self, ends: Mapping[int, tuple[int | None, int | None]]) -> bool:
        """Return whether the picture has these partitions with their starts and ends, and the last records of each."""
        with self._lock:
            drawn = self._drawn()
        for p, (start, end) in ends.items():
            lane, tail = drawn["lanes"].get(str(p)), drawn["tails"].get(str(p))
            if lane is None or (lane["start"], lane["high"], lane["end"]) != (start, end, end):
                return False
            if start != end and (tail is None or tail["to"] != end):
                return False
        return True

    def follow(self, name: str, consumer: Any) -> LogView:
        """Draw where a consumer of this kernel reads next, under a name; with ``None`` as the consumer, stop that.

        :param consumer: a kafka-python ``KafkaConsumer``; only its own state is read, no broker is asked.
        :raises NotSupported: the view shows a recording, which has committed offsets but no consumers' positions.
        """
        if self._recording is not None:
            raise NotSupported("This is a recording: no consumer reads in it.", do="Its groups' offsets are drawn.")
        with self._lock:
            if consumer is None:
                self._followed.pop(name, None)
            else:
                self._followed[name] = consumer
            self.redraw()
        return self

    def do_look(self, message: dict[str, Any]) -> None:
        """Send the windows the page asks for: ``{"windows": {"0": [from, to], …}, "id"}``; the answer has that id."""
        asked = {
            int(p): (int(span[0]), min(int(span[1]), int(span[0]) + OFFSETS_ASKED))
            for p, span in list(dict(message.get("windows") or {}).items())[:LANES_ASKED]
        }
        if self._recording is not None:
            # The lock is held, so that the page never gets an earlier moment after it has drawn a later one.
            with self._lock:
                logs = logs_at(self._recording.moment(), self.topic)
                self._tell({p: logs.window(p, *span) for p, span in asked.items()}, message)
        else:
            found = self._reader.look(asked) if self._reader is not None else {}
            self._tell({p: RecordedWindow(window) for p, window in found.items()}, message)

    def _tell(self, found: Mapping[int, RecordedWindow], message: dict[str, Any]) -> None:
        windows = {
            str(p): tail(of.window, (cell(record, self._keys) for record in of.window.records), of.blank)
            for p, of in found.items()
        }
        self.answer({"windows": windows, "id": message.get("id")})

    def do_lanes(self, message: dict[str, Any]) -> None:
        """Read the ends of the logs of the partitions that the page shows: ``{"lanes": [0, 1, …]}``."""
        if self._reader is not None:
            self._reader.want(int(p) for p in list(message.get("lanes") or [])[:LANES_ASKED])

    # What LiveView asks of a view

    def _start_feed(self) -> None:
        if self._reader is not None:
            if self._snapshot is not None:
                self._reader.learn(self._snapshot)
            self._leave = self._reader.subscribe(self.redraw)

    def _heard(self, update: Update) -> None:
        super()._heard(update)
        if update.snapshot is not None and self._reader is not None:
            self._reader.learn(update.snapshot)

    def _has_looked(self) -> bool:
        topic = self._snapshot.topic(self.topic) if self._snapshot is not None else None
        if not super()._has_looked() or self._reader is None or topic is None:
            return super()._has_looked()
        return {p.partition for p in topic.partitions if p.leader is not None} <= self._reader.tails.ends.keys()

    def _show(self, moment: Moment) -> None:
        super()._show(moment)
        self._logs = logs_at(moment, self.topic)

    def _drawn(self) -> Picture:
        if self._kept is not None:
            return self._kept
        if self._logs is not None:
            recorded = self._logs.tails()
            return drawn(
                self._snapshot,
                self.topic,
                ends=self._logs.ends,
                tails={p: self._cells.of(p, of.window, of.blank) for p, of in recorded.items()},
                recorded=True,
            )
        tails = self._reader.tails if self._reader is not None else None
        windows = tails.windows if tails is not None and tails.windows else self._windows
        return drawn(
            self._snapshot,
            self.topic,
            ends=tails.ends if tails is not None else None,
            tails={p: self._cells.of(p, window) for p, window in windows.items()},
            positions={name: positions(consumer, self.topic) for name, consumer in self._followed.items()},
            error=self._error,
            frozen=self._source is None,
        )

    def _blocks(self, drawn: Picture) -> list[Block]:
        # Tables of a recording say its time. The page does not, because the recording's time stands beside it.
        recorded = self._logs is not None and self._snapshot is not None
        return blocks({**drawn, "at": self._snapshot.at} if recorded and self._snapshot else drawn)


def positions(consumer: Any, topic: str) -> dict[int, int]:
    """Return partition → the offset a kafka-python consumer will read next, for partitions that have a position.

    This reads the consumer's internal state while the consumer's own thread runs on, because its public ``position()``
    may wait for a broker.
    """
    for _ in range(3):
        try:
            held = list(consumer._subscription.assignment.items())
        except RuntimeError:
            continue  # its assignment changed meanwhile
        found = {tp.partition: state.position for tp, state in held if tp.topic == topic}
        return {p: int(position.offset) for p, position in found.items() if position is not None}
    return {}
