"""Moment: everything a recording knows of its cluster at one moment, in the form that views need.

Each part is made when it is first read, from the track that its docstring names (docs/decisions/0007 lists all tracks).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from kafkalab.history.facts import Facts
from kafkalab.state.model import Event, NodeState, Snapshot

_NODE = frozenset(NodeState.__dataclass_fields__)


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

    def __repr__(self) -> str:
        return f"<Moment {self.at:.1f} s after the beginning>"

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
        # A later release may record more fields of a node.
        return tuple(NodeState(**{k: v for k, v in node.items() if k in _NODE}) for node in found.values())

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """The events up to this moment, oldest first, without the chatty kinds. Track ``events``."""
        return tuple(Event(**event) for event in self.facts.items("events", self.at))


# --- Checks of the shape of plain JSON: a recording may be damaged, and anybody may have made it.


#: A shape: a type; a list with the one shape of all elements; a mapping of field names to shapes (other fields may be
#: there too), or of :class:`str` alone to the shape of all values; a tuple of shapes, one of which fits; None; or a
#: function that checks the value.
Shape = Any

#: Limit for the size of a number: nothing that is recorded is as large, and larger numbers overflow somewhere.
_LARGEST = 2**63


def fits(value: Any, shape: Shape) -> bool:
    """Return whether ``value`` has the given shape."""
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
        # Compared this way, NaN is refused too.
        return isinstance(value, kinds) and not isinstance(value, bool) and -_LARGEST < value < _LARGEST
    if isinstance(shape, type):
        return isinstance(value, shape)
    return bool(shape(value))


def is_place(value: Any) -> bool:
    """Return whether the value is ``[topic, partition]``."""
    return isinstance(value, list) and len(value) == 2 and fits(value[0], str) and fits(value[1], int)


def snapshot_of(moment: Moment) -> Snapshot | None:
    """Return a moment's snapshot; None if there is none or the recorded one is malformed."""
    try:
        return moment.snapshot
    except (LookupError, TypeError, ValueError, AttributeError):
        return None


def nodes_of(moment: Moment) -> tuple[NodeState, ...]:
    """Return a moment's nodes; an empty tuple if the recorded ones are malformed."""
    try:
        return moment.nodes
    except (LookupError, TypeError, ValueError, AttributeError):
        return ()
