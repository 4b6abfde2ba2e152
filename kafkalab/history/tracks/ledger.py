"""Records a ledger that is followed: its account, whenever it has changed."""

from __future__ import annotations

import logging
import threading
import time
from typing import Any

from kafkalab.history.recording import Recording
from kafkalab.history.tracks.streams import free_name
from kafkalab.state.patch import diff

log = logging.getLogger(__name__)

TRACK = "ledger/"
#: Seconds between two looks, at least; and how much longer than a look took, so that counting costs next to nothing.
PERIOD, SHARE = 1.0, 25
#: So many ids of each sort are recorded.
IDS = 20


class LedgerRecorder:
    """Asks a ledger for its account on a thread of its own.

    :param ledger: a :class:`kafkalab.experiments.ledger.Ledger`, or whatever has ``result().to_dict()``. ``changes``,
        which grows, and ``counts(first)``, which is quick, are used where it has them.
    :param name: of its track; None: "ledger".
    """

    def __init__(self, recording: Recording, ledger: Any, name: str | None) -> None:
        self.name = free_name(recording, TRACK, name or "ledger")
        self._recording, self._began, self._ledger = recording, recording.header.began, ledger
        self._told: Any = None
        self._changes: int | None = None
        self._ended = threading.Event()
        self._look()
        self._thread = threading.Thread(target=self._run, name="kafkalab-record-ledger", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """The last account, and no more facts."""
        self._ended.set()
        self._thread.join(PERIOD)
        self._look()

    def _run(self) -> None:
        rest = PERIOD
        while not self._ended.wait(rest):
            begun = time.monotonic()
            try:
                self._look()
            except Exception:
                # What was recorded stays; one line in the log is enough.
                log.exception("the ledger %s is not recorded any more", self.name)
                return
            rest = max(PERIOD, SHARE * (time.monotonic() - begun))

    def _look(self) -> None:
        changes = getattr(self._ledger, "changes", None)
        if changes is not None and changes == self._changes:
            return
        self._changes = changes
        counts = getattr(self._ledger, "counts", None)
        account = cut(counts(IDS) if counts is not None else self._ledger.result().to_dict())
        ops = diff(self._told, account)
        if ops:
            self._recording.put(time.time() - self._began, TRACK + self.name, "set", ops)
            self._told = account
            self._recording.grown()


def cut(account: Any) -> Any:
    """The account with only the first few of each list of ids."""
    if isinstance(account, dict):
        return {name: cut(value) for name, value in account.items()}
    return [cut(one) for one in account[:IDS]] if isinstance(account, list | tuple) else account
