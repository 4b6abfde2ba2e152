"""What every backend with real brokers on this machine has in common: how clients reach them."""

from __future__ import annotations

from kafkalab.cluster.backend import StandIn
from kafkalab.cluster.jars import jar_set
from kafkalab.cluster.ports import LOOPBACK
from kafkalab.cluster.spec import ClusterSpec, Mode, NodeSpec


class OverTheWire:
    """Base of the backends whose nodes are reached on loopback; see :class:`kafkalab.cluster.backend.Backend`."""

    spec: ClusterSpec
    layout: tuple[NodeSpec, ...] = ()
    cluster_id: str | None = None
    stand_in: StandIn | None = None

    @property
    def version(self) -> str:
        """Kafka's version."""
        return jar_set(self.spec.mode).version("kafka-clients")

    @property
    def mode(self) -> Mode | None:
        """zookeeper or kraft."""
        return self.spec.mode

    @property
    def bootstrap_servers(self) -> str:
        """Every broker's address, with commas between them."""
        return self._addresses("broker")

    @property
    def zookeeper_connect(self) -> str:
        """Every ZooKeeper's address; empty in KRaft mode."""
        return self._addresses("zookeeper")

    def _addresses(self, role: str) -> str:
        return ",".join(f"{LOOPBACK}:{n.port}" for n in self.layout if n.role == role)
