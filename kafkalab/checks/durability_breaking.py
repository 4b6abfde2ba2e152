"""What the durability matrix does to brokers, and how it undoes it, whatever happens in between."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from kafkalab.cluster.backend import Verb
from kafkalab.errors import Unreachable
from kafkalab.waiting import wait_until

if TYPE_CHECKING:
    from kafkalab.cluster.cluster import Cluster
    from kafkalab.state.model import Snapshot


def await_snapshot(cluster: Cluster, predicate: Callable[[Snapshot], bool], deadline: float, what: str) -> Snapshot:
    """Wait for a snapshot like this; that no broker answers for a moment is part of what is done to them here.

    :raises WaitTimeout: after ``deadline`` seconds.
    """
    last: list[Unreachable] = []

    def found() -> Snapshot | None:
        try:
            snapshot = cluster.snapshot()
        except Unreachable as error:
            last[:] = [error]
            return None
        return snapshot if predicate(snapshot) else None

    snapshot = wait_until(found, deadline, what, period=0.1, seen=lambda: str(last[0]) if last else "")
    assert snapshot is not None  # wait_until returns what is true
    return snapshot


class Breaker:
    """Carries out verbs on brokers and knows which it has touched."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._touched: set[str] = set()

    def act(self, broker: int, verb: Verb) -> None:
        """stop, kill, pause, resume or start a broker."""
        name = f"broker-{broker}"
        self._touched.add(name)
        self._cluster.act(name, verb)

    def heal(self) -> None:
        """Resume what is paused and start what is down, of the brokers touched; returns when all are registered.

        :raises WaitTimeout: a broker does not come back within a minute.
        """
        undo: dict[str, Verb] = {"paused": "resume", "stopped": "start"}
        broken = [n for n in self._cluster.nodes() if n.name in self._touched and n.state in undo]
        for node in broken:
            self._cluster.act(node.name, undo[node.state])
        if broken:
            await_snapshot(
                self._cluster,
                lambda s: s.controller is not None and all(b.alive for b in s.brokers),
                60,
                "every broker to be back",
            )
