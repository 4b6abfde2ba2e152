"""Records KRaft's metadata log: copies its bytes now and then, and decodes them after a failure and at the end."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Any

from kafkalab.errors import KafkalabError
from kafkalab.state.metadata_log import MetadataRecord, decoded, log_dir_of, newest_segment
from kafkalab.state.patch import diff
from kafkalab.state.recorded_metadata import METADATA, READ, record_told
from kafkalab.state.recording import Recording
from kafkalab.state.watch import Update

log = logging.getLogger(__name__)

#: Seconds from one copy to the next, and after something happened: a cluster that is stopped may take its disks along.
COPIED_EVERY, COPIED_AFTER = 10.0, 1.0
#: Seconds after a failure, until all it led to has been written down; and from one decoding to the next, at least.
SETTLED, DECODED_EVERY = 5.0, 180.0
#: What the tool, a JVM, may take at most, seconds.
PATIENCE = 20.0
#: Of what was written before the recording began so many records are kept, and as many that name a topic.
EARLIER = 200
_FAILURES = frozenset({"broker_down", "broker_up", "controller_moved", "leader_lost", "leader_moved"})


class MetadataLogRecorder:
    """Copies a broker's newest segment on a thread of its own; Kafka's tool decodes it.

    :param cluster: has the brokers' disks, and the tool.
    """

    def __init__(self, cluster: Any, recording: Recording) -> None:
        self._cluster, self._recording, self._began = cluster, recording, recording.header.began
        self._segment = b""
        self._problem = ""
        self._last = -1
        self._decoded_at: float | None = None
        self._due: float | None = None
        self._copy_due = 0.0
        self._ended = False
        self._read: Any = None
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="kafkalab-record-metadata", daemon=True)
        self._unsubscribe: Callable[[], None] = cluster.watcher().subscribe(self._heard)
        self._thread.start()

    def stop(self) -> None:
        """Decode what is there by now; no more facts after that."""
        self._unsubscribe()
        with self._changed:
            self._ended = True
            self._changed.notify_all()
        self._thread.join(PATIENCE)
        if not self._thread.is_alive():
            self._copy()
            self._decode()

    @property
    def copied(self) -> bytes:
        """The bytes that were copied last."""
        return self._segment

    def _heard(self, update: Update) -> None:
        now = time.monotonic()
        with self._changed:
            if any(event.kind in _FAILURES for event in update.events):
                soonest = 0.0 if self._decoded_at is None else self._decoded_at + DECODED_EVERY
                self._due = self._due or max(now + SETTLED, soonest)
            if any(not event.chatty for event in update.events) or not self._segment:
                self._copy_due = min(self._copy_due, now + COPIED_AFTER)
                self._changed.notify_all()

    def _run(self) -> None:
        while not self._ended:
            now = time.monotonic()
            with self._changed:
                copy = self._copy_due <= now
                self._copy_due = now + COPIED_EVERY if copy else self._copy_due
            if copy:
                self._copy()
            with self._changed:
                due = self._due
                if due is None or due > now:
                    next = min(self._copy_due, due or self._copy_due)
                    if not self._ended and next > (now := time.monotonic()):
                        self._changed.wait(next - now)
                    continue
                self._due = None
            self._copy()
            if not self._ended:
                self._decode()

    def _copy(self) -> None:
        try:
            segment = newest_segment(log_dir_of(self._cluster, self._cluster.watcher().latest))
        except KafkalabError as error:
            self._problem = error.what
        except Exception as error:
            # What was copied before still stands.
            log.debug("the metadata log could not be copied", exc_info=True)
            self._problem = f"The metadata log could not be copied ({type(error).__name__})."
        else:
            # A broker that is taken away leaves nothing; what was copied before it went is more.
            self._segment, self._problem = segment or self._segment, ""

    def _decode(self) -> None:
        try:
            records = decoded(self._segment, self._tool)
            problem = "" if records else self._problem or "KRaft's log was not there to be read."
        except KafkalabError as error:
            records, problem = (), error.what
        except Exception as error:
            log.exception("the metadata log could not be decoded")
            records, problem = (), f"The metadata log could not be decoded ({type(error).__name__})."
        self._decoded_at = time.monotonic()
        for record in self._worth(records):
            self._recording.put(record.at - self._began, METADATA, "add", record_told(record))
        self._last = max([self._last, *(record.offset for record in records)])
        now = time.time()
        read = {"at": now, "problem": "" if self._last >= 0 else problem[:400]}
        self._recording.put(now - self._began, READ, "set", diff(self._read, read))
        self._read = read
        self._recording.grown()

    def _worth(self, records: tuple[MetadataRecord, ...]) -> list[MetadataRecord]:
        """The records that are new; of those from before the recording the last ones, and what names topics."""
        new = [record for record in records if record.offset > self._last]
        before = [record for record in new if record.at < self._began]
        named = [record for record in before if record.type == "TopicRecord"][-EARLIER:]
        kept = {record.offset for record in (*named, *before[-EARLIER:])}
        return [record for record in new if record.at >= self._began or record.offset in kept]

    def _tool(self, name: str, *args: str, timeout: float, **more: Any) -> str:
        found: str = self._cluster.tool(name, *args, timeout=min(timeout, PATIENCE), **more)
        return found
