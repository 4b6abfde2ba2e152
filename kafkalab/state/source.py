"""Source: a cluster as those who look at it want it, views and recorders; nothing of how it is started or ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from kafkalab.cluster.backend import NodeState, Verb
from kafkalab.state.watch import Watcher


class Source(Protocol):
    """What who looks at a cluster needs of it; :class:`kafkalab.Cluster` is one."""

    @property
    def name(self) -> str:
        """What the learner calls it."""

    @property
    def label(self) -> str:
        """Where its nodes run, in a few words."""

    @property
    def mode(self) -> str | None:
        """``zookeeper`` or ``kraft``; None when somebody else's cluster did not tell."""

    @property
    def version(self) -> str:
        """Of Kafka; "" when it is not known."""

    @property
    def bootstrap_servers(self) -> str:
        """As every client wants it."""

    def watcher(self) -> Watcher:
        """The one that all views of this cluster share."""

    def nodes(self) -> Sequence[NodeState]:
        """Every node, quickly; none for somebody else's cluster."""

    def act(self, node: str, verb: Verb) -> None:
        """Carry out a verb on a node, note it among what happened, and return when it has taken effect."""
