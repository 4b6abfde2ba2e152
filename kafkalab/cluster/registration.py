"""Knows which of the starting brokers are up, by what they say of their own cluster."""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Sequence
from pathlib import Path

from kafkalab.cluster import probe
from kafkalab.cluster.folder import ClusterFolder
from kafkalab.cluster.ports import LOOPBACK
from kafkalab.cluster.spec import ClusterSpec, NodeSpec


class Registration:
    """Which of the starting brokers are up, by what *our* brokers answer: their data says which cluster is ours."""

    def __init__(
        self, spec: ClusterSpec, layout: Sequence[NodeSpec], folder: ClusterFolder, starting: Sequence[NodeSpec]
    ) -> None:
        self.spec, self.layout, self.folder, self.starting = spec, layout, folder, starting
        self._patience = time.monotonic() + 3 * spec.session_timeout + 5
        self.up: set[int] = set()
        self.cluster_id: str | None = None
        self.last = "nothing yet"

    def concerned(self) -> list[NodeSpec]:
        """Nodes whose death means that waiting is in vain."""
        whole = len(self.starting) == self.spec.brokers
        return list(self.layout if whole else self.starting)

    def still_registered(self, node: NodeSpec) -> bool:
        """Whether a node died only because its predecessor's ZooKeeper session still holds its place.

        A broker that was killed stays registered until its session times out, and Kafka 3.9 refuses to start beside it;
        if the session ends while it looks, it falls over its own feet (a NullPointerException in CheckedEphemeral).
        """
        if self.spec.mode != "zookeeper" or node.role != "broker" or time.monotonic() > self._patience:
            return False
        tail = self.folder.tail(node.name, 60)
        return bool(re.search(r"(?:NodeExistsException|CheckedEphemeral)(?![\s\S]*Kafka version: )", tail))

    def check(self) -> bool:
        """Ask each broker that is not up yet; true when all are, and each knows all the others."""
        wanted = {n.id: (LOOPBACK, n.port) for n in self.starting}
        for node in self.starting:
            if node.id in self.up:
                continue
            ours = cluster_id_on_disk(self.folder.data(node))
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


def cluster_id_on_disk(data: Path) -> str | None:
    """The cluster id in a broker's own meta.properties."""
    with contextlib.suppress(OSError):
        for line in (data / "meta.properties").read_text().splitlines():
            if line.startswith("cluster.id="):
                return line.partition("=")[2].strip()
    return None
