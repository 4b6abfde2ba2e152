"""The Backend contract: what runs the nodes of a cluster must do, and what it may leave out.

A backend must start every node of a spec, wait until the *cluster itself* says it is up (its own cluster id, every
broker registered), stop all of them and leave nothing behind. It may lack faults: ``actions()`` says for each node
which verbs it can carry out now, and a caller offers only those. A verb the backend lacks raises NotSupported.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

Role = Literal["broker", "controller", "zookeeper"]
State = Literal["running", "paused", "stopped", "unknown"]
Verb = Literal["stop", "kill", "pause", "resume", "start"]

#: Which verbs make sense in which state; views offer exactly these.
VERBS: dict[State, tuple[Verb, ...]] = {
    "running": ("stop", "kill", "pause"),
    "paused": ("resume", "kill"),
    "stopped": ("start",),
    "unknown": (),
}


@dataclass(frozen=True, slots=True)
class NodeState:
    """A node as its backend sees it, from the process or the container alone: no broker is asked.

    ``name`` is unique in the cluster: ``broker-101``, ``zookeeper-1``, ``controller-1``. ``port`` is where clients
    connect, on loopback.
    """

    name: str
    role: Role
    id: int
    state: State
    port: int | None = None
    pid: int | None = None
    container: str | None = None

    @property
    def verbs(self) -> tuple[Verb, ...]:
        """What can be done to it now."""
        return VERBS[self.state]


class Backend(Protocol):
    """What :class:`kafkalab.cluster.cluster.Cluster` asks of whatever runs its nodes."""

    #: A few words for the top of a view: "local processes", "Docker", "somebody else's".
    label: str

    def start(self) -> None:
        """Bring every node up and wait for the cluster; on any failure leave nothing behind and raise StartFailed."""

    def stop(self) -> None:
        """End every node, brokers first and ZooKeeper last; idempotent."""

    def nodes(self) -> tuple[NodeState, ...]:
        """Every node, quickly, without the network."""

    def act(self, node: str, verb: Verb) -> None:
        """Carry out a verb on a node and return when it has taken effect."""

    def log_tail(self, node: str, lines: int = 20) -> str:
        """The last lines of a node's log."""
