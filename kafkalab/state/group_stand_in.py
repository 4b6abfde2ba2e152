"""A group of a cluster that is only a model in memory, which has no coordinator that could be asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kafkalab.errors import KafkalabError
from kafkalab.state.connections import NoAnswer
from kafkalab.state.group_history import Look
from kafkalab.state.group_log import Reason
from kafkalab.state.model import Group
from kafkalab.state.offsets_topic import GroupRecord


class StandInGroup:
    """Looks at a group through snapshots. See :class:`kafkalab.state.group_trace.Asks`.

    :param snapshot: takes one, quickly.
    """

    def __init__(self, snapshot: Callable[[], Any], group: str) -> None:
        self._snapshot = snapshot
        self._group = group

    def look(self) -> tuple[Look, list[tuple[float, GroupRecord]]]:
        """The group now."""
        try:
            snapshot = self._snapshot()
        except KafkalabError as error:
            raise NoAnswer(str(error)) from error
        return Look(snapshot.at, snapshot.group(self._group) or Group(self._group, "Dead", None)), []

    def session(self) -> float | None:
        """Nothing times out in a model without a clock."""
        return None

    def why_gone(self, member_id: str) -> Reason | None:
        """It keeps no log."""
        return None

    def close(self) -> None:
        """There is nothing to close."""
