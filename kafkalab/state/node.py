"""Node: one process of a cluster, what it is now, and what can be done to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Role = Literal["broker", "controller", "zookeeper"]
#: ``cut``: it runs, but is off the network.
State = Literal["running", "paused", "stopped", "cut", "unknown"]
Verb = Literal["stop", "kill", "pause", "resume", "start", "cut", "join"]
#: What a learner did, as it is told among what happened.
DONE: dict[Verb, str] = {
    "stop": "you stopped {}",
    "kill": "you killed {}",
    "pause": "you paused {}",
    "resume": "you resumed {}",
    "start": "you started {}",
    "cut": "you cut {} off the network",
    "join": "you joined {} to the network again",
}


def called(node: str) -> str:
    """A node's name as it is said: "broker 102" for ``broker-102``."""
    return node.replace("-", " ", 1)


def verb_of(word: object) -> Verb | None:
    """The verb a word names; None when it is none."""
    return next((verb for verb in DONE if verb == word), None)


#: Which verbs make sense in which state; views offer exactly these.
VERBS: dict[State, tuple[Verb, ...]] = {
    "running": ("stop", "kill", "pause", "cut"),
    "paused": ("resume", "kill"),
    "stopped": ("start",),
    "cut": ("join", "kill"),
    "unknown": (),
}


@dataclass(frozen=True, slots=True)
class NodeState:
    """A node as its backend sees it, from the process or the container alone: no broker is asked.

    ``name`` is unique in the cluster: ``broker-101``, ``zookeeper-1``, ``controller-1``. ``port`` is where clients
    connect, on loopback. ``severable``: whether this backend can cut it off the network.
    """

    name: str
    role: Role
    id: int
    state: State
    port: int | None = None
    pid: int | None = None
    container: str | None = None
    severable: bool = False

    @property
    def verbs(self) -> tuple[Verb, ...]:
        """What can be done to it now."""
        return tuple(v for v in VERBS[self.state] if v != "cut" or self.severable)
