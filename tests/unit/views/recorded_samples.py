"""Recordings made by hand, fact by fact, for the tests of views of a recording."""

from __future__ import annotations

from typing import Any

from kafkalab.state.patch import diff
from kafkalab.state.recording import Header, Recording


class Tape:
    """Puts facts on a recording that began at ``began`` (Unix seconds); times are seconds since then."""

    def __init__(self, began: float, mode: str = "zookeeper") -> None:
        self.recording = Recording(Header(began, "the lab", "3 brokers", mode, "3.9.2", "id"))
        self._states: dict[str, Any] = {}

    def state(self, at: float, track: str, value: Any) -> None:
        """What a state is from ``at`` on."""
        self.recording.put(at, track, "set", diff(self._states.get(track), value))
        self._states[track] = value

    def item(self, at: float, track: str, item: Any) -> None:
        """One item more on a list."""
        self.recording.put(at, track, "add", item)


#: What a stranger may have put where something else is meant.
NONSENSE: tuple[Any, ...] = (
    None,
    7,
    "<img src=x onerror=alert(1)>",
    [],
    [None],
    [[[]]],
    {},
    {"x": None},
    {"group": 3, "steps": [{}]},
    float("nan"),
    10**400,
    True,
)
