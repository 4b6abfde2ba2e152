"""MetadataView: a cluster's metadata, in ZooKeeper's tree or in KRaft's log, and how it changes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

from kafkalab.errors import BadInput, NotSupported
from kafkalab.history.moment import Moment
from kafkalab.state.metadata.znodes import ZnodeUpdate
from kafkalab.state.model import Verb, called, verb_of
from kafkalab.state.watch import Update
from kafkalab.views.live import LiveView, Subject, split_subject
from kafkalab.views.metadata.picture import Picture, blocks
from kafkalab.views.metadata.side import RecordedSide, Side


class MetadataView(LiveView):
    """ZooKeeper's tree with its watches as they fire, or KRaft's quorum and its log; or two clusters side by side.

    A ZooKeeper is read by one client that all views of it share, and never written to. KRaft's log is read on demand.
    Two recordings side by side each show the moment at which their own playhead stands.

    :param sources: one cluster or recording, or two, to compare what the same failure does to them.
    :param zookeeper: ``host:port`` of the ZooKeeper of an external cluster, which does not say where it is.
    :param presenter: everything larger, for a projector.
    """

    NAME = "metadata"
    BLOCKS = staticmethod(blocks)

    def __init__(self, *sources: Subject, zookeeper: str | None = None, presenter: bool = False) -> None:
        if not 1 <= len(sources) <= 2:
            raise BadInput(
                "A MetadataView shows one cluster, or two side by side.",
                seen=f"{len(sources)} given",
                do="MetadataView(cluster), or MetadataView(zookeeper_cluster, kraft_cluster)",
            )
        self._sides = [self._side_of(subject, zookeeper if i == 0 else None) for i, subject in enumerate(sources)]
        #: Ends what feeds the second side; the first is fed as every view is.
        self._second: Callable[[], None] | None = None
        super().__init__(sources[0], presenter=presenter)

    def _side_of(self, subject: Subject, zookeeper: str | None) -> Side:
        source, recording = split_subject(subject)
        if recording is not None:
            return RecordedSide(recording)
        side = Side(source, zookeeper, self._heard_znodes)
        if source is not None:
            side.remember(source.watcher().latest, source.watcher().events)
        return side

    # What the page asks for

    def do_open(self, message: dict[str, Any]) -> None:
        """List a node's children; the message is ``{"side", "path"}``."""
        self._side(message).open(str(message.get("path")))
        self._rewant(message)

    def do_select(self, message: dict[str, Any]) -> None:
        """Show a node in full; the message is ``{"side", "path"}``."""
        self._side(message).select(str(message.get("path")))
        self._rewant(message)

    def do_log(self, message: dict[str, Any]) -> None:
        """Read KRaft's metadata log; the message is ``{"side"}``."""
        side = self._side(message)
        with self._lock:
            if side.reading:
                return
            side.reading = True
            self.fault("")
        try:
            records = side.read_log()
            with self._lock:
                side.learn_records(records)
        finally:
            side.reading = False
            self.redraw()

    def do_act(self, message: dict[str, Any]) -> None:
        """Apply a verb to a node, by its name or as "controller", in each cluster: ``{"target", "verb"}``."""
        verb = verb_of(message.get("verb"))
        if verb is None:
            raise BadInput("A node has no such action.", seen=repr(message.get("verb")))
        clusters = [side for side in self._sides if side.source is not None]
        if not clusters:
            raise NotSupported("This is a recording: nothing in it can be changed.")
        self.fault("")
        todo = []
        with self._lock:
            for side in clusters:
                node = side.target(str(message.get("target")))
                if node is not None and verb in node.verbs and node.name not in side.busy:
                    side.busy[node.name] = verb
                    todo.append((side, node.name))
            self.redraw()
        threads = [threading.Thread(target=self._act, args=(side, node, verb), daemon=True) for side, node in todo]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _act(self, side: Side, node: str, verb: Verb) -> None:
        source = side.source
        assert source is not None
        self.attempt(lambda: source.act(node, verb), f"could not {verb} {called(node)}: ")
        with self._lock:
            side.busy.pop(node, None)
            self.redraw()

    def _side(self, message: Mapping[str, Any]) -> Side:
        number = message.get("side", 0)
        return self._sides[number if number in range(len(self._sides)) else 0]

    def _rewant(self, message: Mapping[str, Any]) -> None:
        with self._lock:
            self._side(message).want()
            self.redraw()

    # What feeds it

    def _heard_znodes(self, side: Side, update: ZnodeUpdate) -> None:
        with self._lock:
            side.heard_znodes(update)
            self.redraw()

    def _start_feed(self) -> None:
        with self._lock:
            for side in self._sides:
                side.wakes()
            for side in self._sides[1:]:
                if isinstance(side, RecordedSide):
                    self._second = side.recording.playhead.subscribe(self._moved_second)
                    self._moved_second()
                elif side.source is not None:
                    self._second = side.source.watcher().subscribe(self._heard_second)

    def _stop_feed(self) -> None:
        with self._lock:
            second, self._second = self._second, None
            for side in self._sides:
                side.rests()
        if second is not None:
            second()

    def _heard(self, update: Update) -> None:
        super()._heard(update)
        self._sides[0].heard(update)

    def _heard_second(self, update: Update) -> None:
        with self._lock:
            self._sides[1].heard(update)
            self.redraw()

    def _has_looked(self) -> bool:
        return super()._has_looked() and all(side.znodes or not side.watched for side in self._sides)

    def _show(self, moment: Moment) -> None:
        for side in self._sides:
            if isinstance(side, RecordedSide) and side.recording.facts is moment.facts:
                side.show(moment)

    def _moved_second(self) -> None:
        with self._lock:
            side = self._sides[1]
            assert isinstance(side, RecordedSide)
            self.attempt(lambda: side.show(side.recording.moment()))
            self.redraw()

    def _drawn(self) -> Picture:
        return {"sides": {str(i): side.drawn() for i, side in enumerate(self._sides)}}
