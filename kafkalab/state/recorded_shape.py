"""Whether plain JSON has the shape it should have: a recording may have been made by anybody, or be damaged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kafkalab.cluster.backend import NodeState
from kafkalab.state.model import Snapshot
from kafkalab.state.moment import Moment

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
