"""The Backend contract: what runs the nodes of a cluster must do, and what it may leave out.

A backend must start every node of a spec, wait until the *cluster itself* says it is up (its own cluster id, every
broker registered), stop all of them and leave nothing behind. It may lack faults: ``NodeState.verbs`` says for each
node which verbs it can carry out now, and a caller offers only those. A verb the backend lacks raises NotSupported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, Protocol

from kafkalab.progressbar import Report, silent
from kafkalab.state.model import NodeState, Verb

if TYPE_CHECKING:
    from kafkalab.cluster.spec import Mode, NodeSpec
    from kafkalab.state.log.log_dir import LogDir

BackendName = Literal["local", "docker", "fake"]


class StandIn(Protocol):
    """What answers in place of brokers in a backend that has none (``fake``); ``snapshot`` gives a Snapshot."""

    def snapshot(self) -> object:
        """The cluster as it is now: a :class:`kafkalab.state.model.Snapshot`."""

    def create_topic(
        self, name: str, partitions: int, replication: int | None, settings: Mapping[str, str] | None
    ) -> None:
        """Create a topic, or refuse as Kafka would."""

    def delete_topic(self, name: str) -> None:
        """Delete a topic, or refuse as Kafka would."""

    def reassign(self, replicas: Mapping[tuple[str, int], Sequence[int]]) -> None:
        """Put partitions, as (topic, number), on other brokers."""


class Backend(Protocol):
    """What :class:`kafkalab.handles.cluster.Cluster` asks of whatever runs its nodes."""

    #: "local", "docker", "fake", "external": what status and the learner call it.
    kind: str
    #: A few words for the top of a view: "local processes", "Docker containers", "somebody else's".
    label: str
    #: The id Kafka gave the cluster.
    cluster_id: str | None
    #: The nodes, once started; empty for somebody else's cluster.
    layout: tuple[NodeSpec, ...]
    #: None where there are real brokers to ask.
    stand_in: StandIn | None

    @property
    def owned(self) -> bool:
        """Whether the nodes end with this process, or at the latest with the next start."""

    @property
    def version(self) -> str:
        """Kafka's version; empty when not known."""

    @property
    def mode(self) -> Mode | None:
        """zookeeper or kraft; None when somebody else's cluster did not tell."""

    @property
    def bootstrap_servers(self) -> str:
        """``127.0.0.1:…,127.0.0.1:…``, as seen from this machine."""

    @property
    def zookeeper_connect(self) -> str:
        """Every ZooKeeper's address as seen from this machine; empty in KRaft mode."""

    def start(self, progress: Report = silent) -> None:
        """Bring every node up and wait for the cluster; on any failure leave nothing behind and raise StartFailed."""

    def stop(self) -> None:
        """End every node, brokers first and ZooKeeper last; idempotent. A throw-away cluster loses its data."""

    def reset(self, progress: Report = silent) -> None:
        """Every node anew on empty data and the same ports."""

    def nodes(self) -> tuple[NodeState, ...]:
        """Every node, quickly, without asking a broker."""

    def act(self, node: str, verb: Verb) -> None:
        """Carry out a verb on a node and return when it has taken effect; doing what is done already is no error."""

    def add_broker(self, rack: str | None = None) -> str:
        """Start one more broker in the running cluster, with the next free id; returns its name when registered."""

    def forget_broker(self, id: int) -> None:
        """End a broker for good and remove its data; its partitions have been moved away by then."""

    def log_tail(self, node: str, lines: int = 20) -> str:
        """The last lines of a node's log."""

    def log_dir(self, broker: int) -> LogDir | None:
        """The files of a broker's logs, whatever state it is in; None where they are out of reach."""
