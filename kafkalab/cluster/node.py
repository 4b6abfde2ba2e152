"""One node of a cluster, in the learner's hand: stop it, kill it, pause it, start it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kafkalab.cluster.backend import NodeState, State, Verb

if TYPE_CHECKING:
    from kafkalab.cluster.cluster import Cluster


class Node:
    """A handle on a broker, a ZooKeeper server or a controller; verbs return when they have taken effect."""

    def __init__(self, cluster: Cluster, name: str) -> None:
        self._cluster = cluster
        self.name = name

    def _now(self) -> NodeState:
        return next(n for n in self._cluster.nodes() if n.name == self.name)

    @property
    def id(self) -> int:
        """Its id: 101, 102… for brokers, 1, 2… for ZooKeepers."""
        return self._now().id

    @property
    def state(self) -> State:
        """running, paused, stopped, or cut off the network: what its process is, whatever the cluster believes."""
        return self._now().state

    @property
    def port(self) -> int | None:
        """The port clients connect to, on loopback."""
        return self._now().port

    @property
    def container(self) -> str | None:
        """Its container's id, in Docker."""
        return self._now().container

    @property
    def pid(self) -> int | None:
        """Its process id while it runs."""
        return self._now().pid

    def _do(self, verb: Verb) -> Node:
        self._cluster.act(self.name, verb)
        return self

    def stop(self) -> Node:
        """SIGTERM: it hands its partitions over and ends (a controlled shutdown)."""
        return self._do("stop")

    def kill(self) -> Node:
        """SIGKILL: it is gone between two instructions; the cluster finds out when its session times out."""
        return self._do("kill")

    def pause(self) -> Node:
        """SIGSTOP: it stands still with all connections open, like a machine that hangs."""
        return self._do("pause")

    def resume(self) -> Node:
        """SIGCONT: it goes on where it stood."""
        return self._do("resume")

    def cut(self) -> Node:
        """Cut it off the network: it runs, and neither the others nor clients reach it. Containers only."""
        return self._do("cut")

    def join(self) -> Node:
        """Put it back on the network; returns when the cluster has registered it again."""
        return self._do("join")

    def start(self) -> Node:
        """Start it again on its old data; returns when the cluster has registered it.

        A KRaft node without a majority of the others can be registered by nobody: it returns when it listens.
        """
        return self._do("start")

    def log(self, lines: int = 20) -> str:
        """The last lines of its log."""
        return self._cluster.backend.log_tail(self.name, lines)

    def __repr__(self) -> str:
        return f"<{self.name} {self.state}, port {self.port}>"
