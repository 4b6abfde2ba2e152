"""Recordings made by hand, fact by fact, for the tests of views of a recording."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from kafkalab.handles.recording import Recording
from kafkalab.history.facts import Header
from kafkalab.state.model import DONE, Event, Snapshot, Verb, called
from kafkalab.state.patch import diff
from tests.unit.views.cluster_samples import nodes

BEGAN = 1_000_000.0


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

    def acted(self, at: float, verb: Verb, node: str) -> None:
        """What the learner did to a node."""
        told = Event(self.recording.header.began + at, "you", DONE[verb].format(called(node)), node=node, verb=verb)
        self.item(at, "events", asdict(told))

    def happened(self, at: float, kind: str, text: str, p: int | None = None, broker: int | None = None) -> None:
        """An event."""
        topic = "trucks_gps" if p is not None else None
        self.item(at, "events", asdict(Event(self.recording.header.began + at, kind, text, topic, p, broker)))


def cluster_tape(*snapshots: tuple[float, Snapshot]) -> Tape:
    """A cluster at these moments, of which all nodes run."""
    made = Tape(BEGAN)
    made.state(0.0, "nodes", {node.name: asdict(node) for node in nodes()})
    for at, snapshot in snapshots:
        made.state(at, "snapshot", replace(snapshot, at=BEGAN + at).to_dict())
    return made
