"""Moment: everything a recording knows of its cluster at one moment, as the views want it.

Each part is made when it is first asked for, from the tracks named beside it (docs/decisions/0007 lists all tracks).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from kafkalab.history.facts import Facts
from kafkalab.state.event import Event
from kafkalab.state.model import NodeState, Snapshot

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


# --- Checks of the shape of plain JSON: anybody may have made a recording, or it is damaged.


#: A shape: a type; a list of one shape (of all elements); a mapping of fields to theirs (more may be there), or of
#: :class:`str` alone to the shape of all values; a tuple of shapes, one of which fits; None; or a function that judges.
Shape = Any

#: No number that is recorded is so large; larger ones overflow somewhere.
_LARGEST = 2**63


def fits(value: Any, shape: Shape) -> bool:
    """Whether ``value`` has that shape."""
    if isinstance(shape, Mapping):
        if not isinstance(value, dict):
            return False
        if str in shape:
            return all(fits(inner, shape[str]) for inner in value.values())
        return all(name in value and fits(value[name], inner) for name, inner in shape.items())
    if isinstance(shape, list):
        return isinstance(value, list) and all(fits(inner, shape[0]) for inner in value)
    if isinstance(shape, tuple):
        return any(fits(value, one) for one in shape)
    if shape is None:
        return value is None
    if shape is float or shape is int:
        kinds = (int, float) if shape is float else int
        # No other comparison is false for what is not a number.
        return isinstance(value, kinds) and not isinstance(value, bool) and -_LARGEST < value < _LARGEST
    if isinstance(shape, type):
        return isinstance(value, shape)
    return bool(shape(value))


def is_place(value: Any) -> bool:
    """Whether it is ``[topic, partition]``."""
    return isinstance(value, list) and len(value) == 2 and fits(value[0], str) and fits(value[1], int)


def snapshot_of(moment: Moment) -> Snapshot | None:
    """A moment's snapshot; None where what was recorded cannot be one."""
    try:
        return moment.snapshot
    except (LookupError, TypeError, ValueError, AttributeError):
        return None


def nodes_of(moment: Moment) -> tuple[NodeState, ...]:
    """A moment's nodes; none where what was recorded cannot be any."""
    try:
        return moment.nodes
    except (LookupError, TypeError, ValueError, AttributeError):
        return ()
