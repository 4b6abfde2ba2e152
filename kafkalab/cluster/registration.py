"""Knows which of the starting brokers are up, by what they say of their own cluster."""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from kafkalab.cluster import probe
from kafkalab.cluster.ports import LOOPBACK
from kafkalab.cluster.spec import ClusterSpec, NodeSpec

#: Seconds for which a machine may be too busy to keep a starting broker's session alive.
BUSY = 60.0


class Registration:
    """Which of the starting brokers are up, by what *our* brokers answer.

    :param starting: the brokers that are waited for.
    :param cluster_id_of: the cluster id in a broker's own data, which says that the broker on its port is ours; None
        as long as it has written none.
    :param tail: the last lines of a node's log.
    """

    def __init__(
        self,
        spec: ClusterSpec,
        layout: Sequence[NodeSpec],
        starting: Sequence[NodeSpec],
        *,
        cluster_id_of: Callable[[NodeSpec], str | None],
        tail: Callable[[str, int], str],
    ) -> None:
        self.spec, self.layout, self.starting = spec, layout, starting
        self._cluster_id_of, self._tail = cluster_id_of, tail
        self._began = time.monotonic()
        self.up: set[int] = set()
        self.cluster_id: str | None = None
        self.last = "nothing yet"

    def concerned(self) -> list[NodeSpec]:
        """Nodes whose death means that waiting is in vain."""
        whole = len(self.starting) == sum(n.role == "broker" for n in self.layout)
        return list(self.layout if whole else self.starting)

    def still_registered(self, node: NodeSpec) -> bool:
        """Whether a node died only of its ZooKeeper session, or of its predecessor's, and is to be started again.

        A broker that was killed stays registered until its session times out, and Kafka 3.9 refuses to start beside it;
        if the session ends while it looks, it falls over its own feet (a NullPointerException in CheckedEphemeral). And
        on a machine so busy that a broker's own new session times out before it is up, the broker gives up.
        """
        if self.spec.mode != "zookeeper" or node.role != "broker":
            return False
        tail = self._tail(node.name, 60)
        waited = time.monotonic() - self._began
        return (
            waited < 3 * self.spec.session_timeout + 5 and _ended_by(tail, "NodeExistsException|CheckedEphemeral")
        ) or (waited < BUSY and _ended_by(tail, "SessionExpiredException"))

    def check(self) -> bool:
        """Ask each broker that is not up yet; true when all are, and each knows all the others."""
        wanted = {n.id: (LOOPBACK, n.port) for n in self.starting}
        for node in self.starting:
            if node.id in self.up:
                continue
            ours = self._cluster_id_of(node)
            if ours is None:
                self.last = f"{node.name} has not written its data yet"
                continue
            answer = probe.ask(LOOPBACK, node.port, 2.0)
            if isinstance(answer, str):
                self.last = answer
            elif answer.cluster_id != ours:
                self.last = f"port {node.port} belongs to another cluster ({answer.cluster_id}, not {ours})"
            elif any(answer.brokers.get(id) != at for id, at in wanted.items()):
                self.last = f"{node.name} knows the brokers {sorted(answer.brokers)}"
            else:
                self.up.add(node.id)
                self.cluster_id = ours
        return len(self.up) == len(self.starting)


def _ended_by(tail: str, words: str) -> bool:
    """Whether a log tells of this in its last run; each begins with Kafka's version."""
    return bool(re.search(rf"(?:{words})(?![\s\S]*Kafka version: )", tail))


def cluster_id_on_disk(data: Path) -> str | None:
    """The cluster id in a broker's own meta.properties."""
    with contextlib.suppress(OSError):
        return cluster_id_in((data / "meta.properties").read_text())
    return None


def cluster_id_in(meta_properties: str) -> str | None:
    """The cluster id in the text of a meta.properties."""
    for line in meta_properties.splitlines():
        if line.startswith("cluster.id="):
            return line.partition("=")[2].strip() or None
    return None
