"""A ledger that was recorded, at any moment of the recording."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from kafkalab.state.moment import Moment
from kafkalab.views.ledger_view import LedgerView

#: Where the results of ledgers lie: a state for each, under its name.
TRACK = "ledger/"


class RecordedLedger(LedgerView):
    """What a ledger counted by a moment; of no use on a page with a kernel, for it follows no playhead."""

    NAME: ClassVar[str] = "ledger_view"

    def __init__(self, name: str) -> None:
        self._name = name
        super().__init__(None, topic=name)

    def _show(self, moment: Moment) -> None:
        found = moment.facts.value(f"{TRACK}{self._name}", moment.at)
        self._result = dict(found) if isinstance(found, Mapping) else {}
