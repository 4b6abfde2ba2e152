"""One cluster of a MetadataView as a recording tells of it: any moment, and nobody is asked."""

from __future__ import annotations

import logging
from bisect import bisect_right
from collections.abc import Iterable

from kafkalab.errors import NotSupported
from kafkalab.state.metadata_log import MetadataRecord
from kafkalab.state.moment import Moment
from kafkalab.state.recorded_metadata import RecordedMetadata
from kafkalab.state.recorded_shape import nodes_of, snapshot_of
from kafkalab.state.recording import Header, Recording
from kafkalab.state.znodes import IMPORTANT
from kafkalab.views.gantt_drawn import undrawn
from kafkalab.views.live import Drawn
from kafkalab.views.metadata_account import Account
from kafkalab.views.metadata_quorum import RECORDS_SHOWN
from kafkalab.views.metadata_side import Side

log = logging.getLogger(__name__)

#: So many nodes can be looked at in full without asking anybody: what a page without a kernel has.
IN_FULL = 60
_NO_TREE = "ZooKeeper's tree was not recorded: where it listens was not known to whoever recorded the cluster."


class RecordedSide(Side):
    """What a MetadataView knows of a recording, at the moment that is shown."""

    def __init__(self, recording: Recording) -> None:
        super().__init__(None, None, lambda update: None)
        self.recording = recording
        self._metadata = RecordedMetadata(recording.facts)
        self._account = Account(recording.facts, recording.header.began, self._metadata)
        self._at = 0.0
        self._moment: Moment | None = None

    @property
    def named(self) -> Header:
        """What says its name, its mode and Kafka's version."""
        return self.recording.header

    def show(self, moment: Moment) -> None:
        """From now on this moment is drawn."""
        self._moment = moment

    def _recall(self, moment: Moment) -> None:
        self.snapshot, self.nodes = snapshot_of(moment), nodes_of(moment)
        self.znodes = self._metadata.znodes(moment)
        self._at = moment.unix
        self._account.learn()

    def drawn(self, *, frozen: bool = False) -> Drawn:
        """Everything there is to draw of the moment; what cannot be drawn says so."""
        assert self._moment is not None
        try:
            self._recall(self._moment)
            found = super().drawn(frozen=True)
            found["lines"], found["actions"] = self._account.lines(self._at), self._account.time_lines(self._at)
            return found
        except Exception as error:
            # Whoever made the recording, a view of it goes on to the moments that can be drawn.
            log.debug("a moment of %r cannot be drawn", self.recording, exc_info=True)
            self.snapshot = None
            return {
                **self.head(), "kind": "", "recorded": True, "looked": True, "at": None, "error": undrawn(error),
                "controller": None, "quorum": None, "targets": {}, "lines": [], "actions": {},
            }  # fmt: skip

    def _drawn_log(self) -> Drawn:
        records, last = self._account.records, bisect_right(self._account.recorded_at, self._at)
        shown = {str(offset): drawn for offset, drawn in records[max(0, last - RECORDS_SHOWN) : last]}
        problem = "" if records else self._metadata.problem
        return {"reading": False, "at": None, "records": shown or None, "problem": problem}

    def _no_tree(self) -> str:
        return _NO_TREE

    def _in_full(self) -> Iterable[str]:
        ids = [path for path in self.znodes if path.startswith("/brokers/ids/")]
        always = [path for path in (*IMPORTANT, "/cluster/id", *ids) if path in self.znodes]
        rest = [path for path in self.znodes if path not in always]
        return dict.fromkeys([*self._details, *always, *rest[: max(0, IN_FULL - len(always))]])

    def open(self, path: str) -> None:
        """Everything that was recorded is listed already."""

    def see(self, paths: Iterable[str]) -> None:
        """Everything that was recorded is read already."""

    def read_log(self) -> tuple[MetadataRecord, ...]:
        """Nobody is asked."""
        raise NotSupported("This is a recording: its records are those that were read while it was made.")
