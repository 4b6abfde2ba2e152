"""LedgerView: the way of the records from sent to acknowledged to seen, and what became of the others."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any, ClassVar, Protocol

from kafkalab.errors import BadInput, NotSupported
from kafkalab.views.ledger.picture import IDS, MOST_IDS, Picture, blocks, drawn, handle
from kafkalab.views.live import LiveView

#: Seconds between two looks at the ledger's counter.
PERIOD = 0.35
#: Number of looks without a change after which records that were not seen count as lost.
QUIET_LOOKS = 8


class Counting(Protocol):
    """The ledger that the view shows, such as :class:`kafkalab.experiments.ledger.Ledger`."""

    @property
    def changes(self) -> int:
        """A number that grows whenever the ledger learns something."""

    def counts(self, first: int = 0) -> dict[str, Any]:
        """Return the counts, and the first few ids of each kind; fast, however much the ledger holds."""

    def fate(self, record_id: str) -> dict[str, Any]:
        """Return what became of one record, as plain JSON."""


class LedgerView(LiveView):
    """Sent → acknowledged → seen, and what is lost, duplicated or out of order. ``ledger.view()`` makes one.

    While a page shows it, it looks at the ledger's counter of changes a few times a second, and draws when it changed.

    :param ledger: the ledger that is shown; None for a still picture.
    :param topic: the records' topic, for the title.
    :param result: the result that a still picture shows.
    """

    NAME: ClassVar[str] = "ledger"
    BLOCKS = staticmethod(blocks)

    def __init__(
        self,
        ledger: Counting | None,
        *,
        topic: str | None = None,
        result: Mapping[str, Any] | None = None,
        presenter: bool = False,
    ) -> None:
        self._ledger = ledger
        self._topic = topic
        self._result = dict(result or {})
        self._moving = False
        super().__init__(None, presenter=presenter, live=ledger is not None)

    @classmethod
    def of(cls, result: Any, *, topic: str | None = None, presenter: bool = False) -> LedgerView:
        """Return a still picture of a result, or of its plain JSON (which may list fewer ids than it counts)."""
        plain = result if isinstance(result, Mapping) else result.to_dict()
        return cls(None, topic=topic, result=plain, presenter=presenter)

    def do_find(self, message: dict[str, Any]) -> None:
        """Send what became of a record; for an id that is shown cut, the shown beginning and digest are enough."""
        if self._ledger is None:
            raise NotSupported("This is a still picture: there is no ledger behind it.")
        asked = message.get("id")
        if not isinstance(asked, str) or not asked:
            raise BadInput("Type the id of a record.")
        self.fault("")
        fate = self._ledger.fate(asked)
        if not fate["seen"] and fate["sent"] is None and not fate["acknowledged"]:
            asked = self._whole(asked)
            fate = self._ledger.fate(asked)
        self.answer({"found": {**fate, "id": handle(asked), "positions": fate["positions"][:MOST_IDS]}})

    def _whole(self, shown: str) -> str:
        """Return the listed id that is shown like this, or the text itself when there is none."""
        assert self._ledger is not None
        counted = self._ledger.counts(MOST_IDS)
        return next((id for ids in IDS.values() for id in counted[ids] if handle(id) == shown), shown)

    def _drawn(self) -> Picture:
        if self._ledger is None:
            return drawn(self._result, topic=self._topic)
        return drawn(self._ledger.counts(MOST_IDS), topic=self._topic, live=True, moving=self._moving)

    def _start_feed(self) -> None:
        stop = threading.Event()
        self._leave = stop.set
        threading.Thread(target=self._follow, args=(stop,), name="kafkalab-ledger", daemon=True).start()

    def _follow(self, stop: threading.Event) -> None:
        """Draw when the ledger changed, and once more when it has come to rest."""
        assert self._ledger is not None
        drawn_at = self._ledger.changes
        quiet = QUIET_LOOKS
        self.redraw()  # draws what changed while no page showed it
        while not stop.wait(PERIOD):
            now = self._ledger.changes
            quiet = 0 if now != drawn_at else quiet + 1
            if now == drawn_at and (quiet != QUIET_LOOKS or not self._moving):
                continue
            drawn_at, self._moving = now, quiet < QUIET_LOOKS
            self.redraw()
