"""The Backend contract: what runs the nodes of a cluster must do, and what it may leave out.

A backend must start every node of a spec, wait until the *cluster itself* says it is up (its own cluster id, every
broker registered), stop all of them and leave nothing behind. It says what it can do in ``capabilities``, and for each
node which verbs it can carry out now (``NodeState.verbs``): nobody asks which backend it is. A verb the backend lacks
raises NotSupported.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, Protocol

from kafkalab.cluster import topics
from kafkalab.cluster.net import LOOPBACK
from kafkalab.progressbar import Report, silent
from kafkalab.state.model import Broker, NodeState, Snapshot, Verb
from kafkalab.state.watch import Capabilities

if TYPE_CHECKING:
    from kafkalab.cluster.spec import Mode, NodeSpec
    from kafkalab.state.log.log_dir import LogDir

BackendName = Literal["local", "docker", "fake"]


class Captures(Protocol):
    """Takes snapshots; :class:`kafkalab.state.capture.Capture` is one."""

    #: Brokers the cluster is meant to have: those that are not there appear as not alive.
    expected_brokers: tuple[Broker, ...]

    def __call__(self) -> Snapshot:
        """A snapshot of now; Unreachable when no broker answers."""

    @property
    def doubting(self) -> bool:
        """Whether brokers answer and are not believed yet: soon they will be."""

    def close(self) -> None:
        """Let go of its connections."""


class Backend(ABC):
    """What :class:`kafkalab.Cluster` asks of whatever runs its nodes."""

    #: "local", "docker", "fake", "external": what status and the learner call it.
    kind: str
    #: A few words for the top of a view: "local processes", "Docker containers", "somebody else's".
    label: str
    #: What can be done with it.
    capabilities: Capabilities
    #: The id Kafka gave the cluster.
    cluster_id: str | None = None
    #: The nodes, once started; empty for somebody else's cluster.
    layout: tuple[NodeSpec, ...] = ()

    @property
    @abstractmethod
    def owned(self) -> bool:
        """Whether the nodes end with this process, or at the latest with the next start."""

    @property
    @abstractmethod
    def version(self) -> str:
        """Kafka's version; empty when not known."""

    @property
    @abstractmethod
    def mode(self) -> Mode | None:
        """zookeeper or kraft; None when somebody else's cluster did not tell."""

    @property
    @abstractmethod
    def bootstrap_servers(self) -> str:
        """``127.0.0.1:…,127.0.0.1:…``, as seen from this machine."""

    @property
    @abstractmethod
    def zookeeper_connect(self) -> str:
        """Every ZooKeeper's address as seen from this machine; empty in KRaft mode."""

    # lifecycle

    def prepare(self, progress: Report = silent) -> None:  # noqa: B027  (most have nothing to prepare)
        """What makes this and every later start on this machine quicker; done once, and costs nothing afterwards."""

    @abstractmethod
    def start(self, progress: Report = silent) -> None:
        """Bring every node up and wait for the cluster; on any failure leave nothing behind and raise StartFailed."""

    @abstractmethod
    def stop(self) -> None:
        """End every node, brokers first and ZooKeeper last; idempotent. A throw-away cluster loses its data."""

    @abstractmethod
    def reset(self, progress: Report = silent) -> None:
        """Every node anew on empty data and the same ports."""

    # nodes

    @abstractmethod
    def nodes(self) -> tuple[NodeState, ...]:
        """Every node, quickly, without asking a broker."""

    @abstractmethod
    def act(self, node: str, verb: Verb) -> None:
        """Carry out a verb on a node and return when it has taken effect; doing what is done already is no error."""

    @abstractmethod
    def add_broker(self, rack: str | None = None) -> str:
        """Start one more broker in the running cluster, with the next free id; returns its name when registered."""

    @abstractmethod
    def forget_broker(self, id: int) -> None:
        """End a broker for good and remove its data; its partitions have been moved away by then."""

    @abstractmethod
    def log_tail(self, node: str, lines: int = 20) -> str:
        """The last lines of a node's log."""

    @abstractmethod
    def log_dir(self, broker: int) -> LogDir | None:
        """The files of a broker's logs, whatever state it is in; None where they are out of reach."""

    # what brokers are asked: the same for all whose brokers are real

    def capture(self) -> Captures:
        """Something new that takes snapshots, for one thread."""
        from kafkalab.state.capture import Capture
        from kafkalab.state.metadata.quorum import ZookeeperQuorum

        servers = [(n.id, LOOPBACK, n.port) for n in self.layout if n.role == "zookeeper"]
        return Capture(
            self.bootstrap_servers,
            expected_brokers=self.expected_brokers(),
            mode=self.mode,
            quorum=ZookeeperQuorum(servers).ask if servers else None,
        )

    def expected_brokers(self) -> tuple[Broker, ...]:
        """The brokers that the cluster is meant to have; none for somebody else's."""
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
        """Put partitions, as (topic, number), on other brokers; they copy on after this returns."""
        topics.carry_out(self.bootstrap_servers, replicas)
