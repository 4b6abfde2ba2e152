"""Moment: everything a recording knows of its cluster at one moment, in the form that views need.

Each part is made when it is first read, from the track that its docstring names (docs/decisions/0007 lists all tracks).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from kafkalab.history.facts import Facts
from kafkalab.state.model import Event, NodeState, Snapshot


class Moment:
    """A recording's cluster at one moment.

    :param facts: the facts of the recording.
    :param at: seconds since the recording began.
    :param began: the recording's beginning, Unix seconds.
    """

    def __init__(self, facts: Facts, at: float, began: float) -> None:
        self.facts = facts
        self.at = at
        self.began = began

    @property
    def unix(self) -> float:
        """The moment in Unix seconds."""
        return self.began + self.at

    @cached_property
    def snapshot(self) -> Snapshot | None:
        """The newest snapshot at this moment; None before the first. Track ``snapshot``."""
        found = self.facts.value("snapshot", self.at)
        return None if found is None else Snapshot.from_dict(found)

    @cached_property
    def nodes(self) -> tuple[NodeState, ...]:
        """The nodes and the state of their processes. Track ``nodes``: node name → NodeState's fields."""
        found: Mapping[str, Any] = self.facts.value("nodes", self.at) or {}
        return tuple(NodeState(**node) for node in found.values())

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """The events up to this moment, oldest first, without the chatty kinds. Track ``events``."""
        return tuple(Event(**event) for event in self.facts.items("events", self.at))
