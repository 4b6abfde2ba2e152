"""Event: something that happened to the cluster, and the table of all kinds of events."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of event.

    ``means`` says in a sentence what happened. Views draw the event with ``sign`` and ``tone`` (you, bad, lead, warn,
    ok, plain), in the ``lane`` of a time line (you, brokers, partitions, groups). Where several events share one place,
    the one with the greatest ``weight`` is drawn.
    """

    means: str
    sign: str = "·"
    tone: str = "plain"
    lane: str = "partitions"
    weight: int = 0


def _kinds() -> dict[str, Kind]:
    table = json.loads(files("kafkalab.state").joinpath("events.json").read_text(encoding="utf-8"))
    return {name: Kind(**fields) for name, fields in table.items()}


#: Every kind of event, in the order in which events of one moment are listed: causes first. The front end has the same
#: table (``views/shared.js``).
KINDS = _kinds()
_OTHER = Kind("something else")


def kind_of(name: str) -> Kind:
    """Return the kind of that name, or a plain dot for a name that is not in the table."""
    return KINDS.get(name, _OTHER)


#: Kinds that come with nearly every snapshot while consumers work: listeners get them, but they are not kept.
CHATTY = frozenset({"committed"})


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened.

    ``kind`` is a stable name for programs (leader_moved, isr_shrank, broker_down, …: ``events.json``), ``text`` a
    sentence for people. ``at`` is Unix time in seconds, of the snapshot in which it was first seen: it happened before
    that. ``broker`` is the one the event is about: when a leader changes the new one, or the lost one. ``partition`` is
    None where one event sums up several partitions of a topic. ``node`` and ``verb`` say what the learner did to which
    node: "broker-102", "kill".
    """

    at: float
    kind: str
    text: str
    topic: str | None = None
    partition: int | None = None
    broker: int | None = None
    group: str | None = None
    node: str | None = None
    verb: str | None = None

    @property
    def chatty(self) -> bool:
        """Whether it comes so often that a list for people should leave it out."""
        return self.kind in CHATTY
