"""The Backend contract: what a backend, which runs the nodes of a cluster, must do and what it may leave out.

A backend must start every node of a spec, wait until the *cluster itself* says that it is up (its own cluster id, every
broker registered), stop all nodes and leave nothing behind. Its ``capabilities`` say what it can do, and each node says
which verbs it can carry out now (``NodeState.verbs``), so that no caller needs to know which backend it is. What the
backend lacks raises NotSupported: without more, nothing can be done to nodes, as in somebody else's cluster.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, Protocol

from kafkalab.cluster import topics
from kafkalab.cluster.net import LOOPBACK
from kafkalab.errors import NotSupported
from kafkalab.progressbar import Report, silent
from kafkalab.state.model import Broker, NodeState, Snapshot, Verb
from kafkalab.state.watch import Capabilities

if TYPE_CHECKING:
    from kafkalab.cluster.spec import NodeSpec
    from kafkalab.state.log.segments import LogDir
    from kafkalab.state.model import Mode

BackendName = Literal["local", "docker", "fake"]


class Captures(Protocol):
    """Takes snapshots; :class:`kafkalab.state.capture.Capture` is one."""

    def __call__(self) -> Snapshot:
        """Return a snapshot of the cluster now; raise Unreachable when no broker answers."""

    @property
    def doubting(self) -> bool:
        """Whether brokers answer, but are not believed yet; they will be soon."""

    def close(self) -> None:
        """Close its connections."""


class Backend(ABC):
    """Base class of the backends, through which a :class:`kafkalab.Cluster` reaches its nodes."""

    #: Name of the backend for status and for the learner: "local", "docker", "fake" or "external".
    kind: str
    #: A few words that describe it at the top of a view: "local processes", "Docker containers", "somebody else's".
    label: str
    #: What can be done with it.
    capabilities: Capabilities
    #: Kafka's id of the cluster; None until it is known.
    cluster_id: str | None = None
    #: Specs of the nodes, once started; empty for an external cluster.
    layout: tuple[NodeSpec, ...] = ()

    @property
    @abstractmethod
    def owned(self) -> bool:
        """Whether the nodes end with this process, or at the latest when the next cluster starts."""

    @property
    @abstractmethod
    def version(self) -> str:
        """Kafka's version; empty when not known."""

    @property
    @abstractmethod
    def mode(self) -> Mode | None:
        """Mode of Kafka, zookeeper or kraft; None for an external cluster, whose mode is not known."""

    @property
    @abstractmethod
    def bootstrap_servers(self) -> str:
        """Addresses of the brokers as seen from this machine: ``127.0.0.1:…,127.0.0.1:…``."""

    @property
    @abstractmethod
    def zookeeper_connect(self) -> str:
        """Addresses of the ZooKeepers as seen from this machine; empty in KRaft mode."""

    # lifecycle

    def prepare(self, progress: Report = silent) -> None:  # noqa: B027  (most have nothing to prepare)
        """Do once what makes this and every later start on this machine quicker; further calls cost nothing."""

    @abstractmethod
    def start(self, progress: Report = silent) -> None:
        """Start every node and wait for the cluster; on any failure leave nothing behind and raise StartFailed."""

    @abstractmethod
    def stop(self) -> None:
        """Stop every node, brokers first and ZooKeeper last; idempotent. A throw-away cluster loses its data."""

    def reset(self, progress: Report = silent) -> None:
        """Start every node again on empty data and the same ports."""
        raise _not_ours("remove all data")

    # nodes

    def nodes(self) -> tuple[NodeState, ...]:
        """Return the state of every node, quickly and without asking a broker."""
        return ()

    def act(self, node: str, verb: Verb) -> None:
        """Apply a verb to a node and return when it has taken effect; applying it twice is no error."""
        raise _not_ours(f"{verb} {node}")

    def add_broker(self, rack: str | None = None) -> str:
        """Start one more broker in the running cluster, with the next id; return its name once it is registered."""
        raise _not_ours("add a broker")

    def forget_broker(self, id: int) -> None:
        """Stop a broker for good and remove its data; the caller has moved its partitions away before."""
        raise _not_ours(f"remove broker {id}")

    def log_tail(self, node: str, lines: int = 20) -> str:
        """Return the last lines of a node's log; empty when it is out of reach."""
        return ""

    def log_dir(self, broker: int) -> LogDir | None:
        """Return the files of a broker's logs, whatever state the broker is in; None when they are out of reach."""
        return None

    # requests to brokers: the same for all backends with real brokers

    def capture(self) -> Captures:
        """Return a new object that takes snapshots, for one thread."""
        from kafkalab.state.capture import Capture
        from kafkalab.state.metadata.quorum import ZookeeperQuorum

        servers = [(n.id, LOOPBACK, n.port) for n in self.layout if n.role == "zookeeper"]
        return Capture(
            self.bootstrap_servers,
            expected_brokers=self.expected_brokers,
            mode=self.mode,
            quorum=ZookeeperQuorum(servers).ask if servers else None,
        )

    def expected_brokers(self) -> tuple[Broker, ...]:
        """Return the brokers that the cluster is meant to have; none for an external cluster."""
        return tuple(Broker(n.id, LOOPBACK, n.port, False, n.rack) for n in self.layout if n.role == "broker")

    def create_topic(
        self,
        name: str,
        partitions: int = 1,
        replication: int | None = None,
        settings: Mapping[str, str] | None = None,
        progress: Report = silent,
    ) -> None:
        """Create a topic and wait until every partition has a leader."""
        topics.create(self.bootstrap_servers, name, partitions, replication, settings, progress)

    def delete_topic(self, name: str) -> None:
        """Delete a topic and wait until it is gone."""
        topics.delete(self.bootstrap_servers, name)

    def reassign(self, replicas: Mapping[tuple[str, int], Sequence[int]]) -> None:
        """Move partitions, given as (topic, number), to other brokers; the copying goes on after this returns."""
        topics.carry_out(self.bootstrap_servers, replicas)


def _not_ours(what: str) -> NotSupported:
    return NotSupported(
        f"kafkalab cannot {what}: it did not start this cluster.", do="Start one of your own: Cluster(brokers=3)."
    )
