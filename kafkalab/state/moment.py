"""Moment: everything a recording knows of its cluster at one moment, as the views want it.

Each part is made when it is first asked for, from the tracks named beside it (docs/decisions/0007 lists all tracks).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from kafkalab.cluster.backend import NodeState
from kafkalab.state.event import Event
from kafkalab.state.facts import Facts
from kafkalab.state.model import Snapshot

if TYPE_CHECKING:
    from kafkalab.state.recorded_log import LogsAt
    from kafkalab.state.recorded_trucks import Reported

_NODE = frozenset(NodeState.__dataclass_fields__)


class Moment:
    """A recording's cluster at one moment.

    :param facts: what was recorded.
    :param at: seconds since the recording began.
    :param began: when that was, Unix seconds.
    """

    def __init__(self, facts: Facts, at: float, began: float) -> None:
        self.facts = facts
        self.at = at
        self.began = began

    def __repr__(self) -> str:
        return f"<Moment {self.at:.1f} s after the beginning>"

    @property
    def unix(self) -> float:
        """The moment in Unix seconds."""
        return self.began + self.at

    @cached_property
    def snapshot(self) -> Snapshot | None:
        """The last snapshot before it; None before the first. Track ``snapshot``."""
        found = self.facts.value("snapshot", self.at)
        return None if found is None else Snapshot.from_dict(found)

    @cached_property
    def nodes(self) -> tuple[NodeState, ...]:
        """The nodes as their processes were. Track ``nodes``: by name, as NodeState's fields."""
        found: Mapping[str, Any] = self.facts.value("nodes", self.at) or {}
        # A later release may tell more of a node.
        return tuple(NodeState(**{k: v for k, v in node.items() if k in _NODE}) for node in found.values())

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """What had happened by then, oldest first, without the chatty kinds. Track ``events``."""
        return tuple(Event(**event) for event in self.facts.items("events", self.at))

    def logs(self, topic: str) -> LogsAt:
        """The logs of a topic, as far as they were recorded by then. Tracks ``batches/TOPIC/PARTITION``."""
        from kafkalab.state.recorded_log import recorded_logs

        return recorded_logs(self.facts, topic).at(self)

    def trucks(self, topic: str) -> Mapping[str, Reported]:
        """Where each truck had last reported from, by its id. Tracks ``batches/TOPIC/PARTITION``."""
        from kafkalab.state.recorded_trucks import recorded_trucks

        return recorded_trucks(self.facts, topic).at(self.at)
