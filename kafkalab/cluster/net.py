"""Where nodes listen and how they find each other: on this machine's loopback, or in a network of containers. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from kafkalab.cluster.ports import LOOPBACK
from kafkalab.cluster.spec import NodeSpec

#: Inside a container every node of a role listens on the same ports.
OUTSIDE_PORT, INSIDE_PORT, CONTROLLER_PORT = 9092, 19092, 9093
ZOOKEEPER_PORT, PEER_PORT, ELECTION_PORT = 2181, 2888, 3888


@dataclass(frozen=True, slots=True)
class Listeners:
    """A broker's listeners, in Kafka's notation; ``inter_broker`` names the one the brokers use among themselves."""

    listeners: tuple[str, ...]
    advertised: tuple[str, ...]
    inter_broker: str

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the listeners."""
        return tuple(text.partition("://")[0] for text in self.listeners)


class Net(Protocol):
    """How the nodes of a cluster listen and reach each other."""

    @property
    def bind(self) -> str:
        """The address ZooKeeper binds."""

    def broker(self, node: NodeSpec) -> Listeners:
        """A broker's listeners for clients and other brokers."""

    def controller_listener(self, node: NodeSpec) -> str:
        """Where a KRaft controller listens for voters and brokers."""

    def controller_address(self, node: NodeSpec) -> str:
        """How others reach that."""

    def zookeeper_port(self, node: NodeSpec) -> int:
        """Where a ZooKeeper listens for clients."""

    def zookeeper_address(self, node: NodeSpec) -> str:
        """How brokers reach that."""

    def zookeeper_peer(self, node: NodeSpec) -> str:
        """``host:peer port:election port`` for the other servers of the ensemble."""


class Local:
    """Every node on this machine, on ports of its own, on loopback only."""

    bind = LOOPBACK

    def broker(self, node: NodeSpec) -> Listeners:
        """One listener serves clients and brokers."""
        plaintext = (f"PLAINTEXT://{LOOPBACK}:{node.port}",)
        return Listeners(plaintext, plaintext, "PLAINTEXT")

    def controller_listener(self, node: NodeSpec) -> str:
        """On loopback."""
        return f"CONTROLLER://{LOOPBACK}:{node.controller_port}"

    def controller_address(self, node: NodeSpec) -> str:
        """On loopback."""
        return f"{LOOPBACK}:{node.controller_port}"

    def zookeeper_port(self, node: NodeSpec) -> int:
        """Its own."""
        return node.port

    def zookeeper_address(self, node: NodeSpec) -> str:
        """On loopback."""
        return f"{LOOPBACK}:{node.port}"

    def zookeeper_peer(self, node: NodeSpec) -> str:
        """On loopback."""
        return f"{LOOPBACK}:{node.peer_port}:{node.election_port}"


@dataclass(frozen=True, slots=True)
class Containers:
    """Every node a container with a name of its own on a common network; clients come by a port published on loopback.

    A client outside is told the published address and one inside the container's name: two listeners, since a broker
    advertises to each client the address of the listener the client came by.

    :param host: the name by which the others reach a node.
    """

    host: Callable[[NodeSpec], str] = lambda node: node.name
    bind: str = "0.0.0.0"

    def broker(self, node: NodeSpec) -> Listeners:
        """OUTSIDE for clients on the host, INSIDE for brokers and clients in the network."""
        listeners = (f"OUTSIDE://{self.bind}:{OUTSIDE_PORT}", f"INSIDE://{self.bind}:{INSIDE_PORT}")
        advertised = (f"OUTSIDE://{LOOPBACK}:{node.port}", f"INSIDE://{self.host(node)}:{INSIDE_PORT}")
        return Listeners(listeners, advertised, "INSIDE")

    def controller_listener(self, node: NodeSpec) -> str:
        """On every interface of its container."""
        return f"CONTROLLER://{self.bind}:{CONTROLLER_PORT}"

    def controller_address(self, node: NodeSpec) -> str:
        """By name."""
        return f"{self.host(node)}:{CONTROLLER_PORT}"

    def zookeeper_port(self, node: NodeSpec) -> int:
        """The usual one."""
        return ZOOKEEPER_PORT

    def zookeeper_address(self, node: NodeSpec) -> str:
        """By name."""
        return f"{self.host(node)}:{ZOOKEEPER_PORT}"

    def zookeeper_peer(self, node: NodeSpec) -> str:
        """By name."""
        return f"{self.host(node)}:{PEER_PORT}:{ELECTION_PORT}"


LOCAL = Local()
