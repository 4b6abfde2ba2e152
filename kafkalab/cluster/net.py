"""Networks: the addresses where nodes listen and find each other, on loopback or among containers; and free ports."""

from __future__ import annotations

import contextlib
import random
import socket
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol

from kafkalab.cluster.spec import NodeSpec
from kafkalab.errors import StartFailed

# --- Ports on loopback: free ones, and who holds one that is not free.


LOOPBACK = "127.0.0.1"
#: Where free ports are looked for: below those that systems give to outgoing connections, any of which could hold a
#: broker's port at the moment when it starts again.
QUIET_PORTS = range(20_000, 32_000)


class PortBook:
    """Takes ports and holds them, so that none is given twice, until the book is closed and their nodes bind them."""

    def __init__(self) -> None:
        self._held: list[socket.socket] = []

    def take(self, wanted: int | None = None) -> int:
        """A free port, or the wanted one; StartFailed says who holds it."""
        if wanted is None:
            for candidate in random.Random().sample(QUIET_PORTS, 50):
                with contextlib.suppress(StartFailed):
                    return self._hold(candidate)
        return self._hold(wanted)

    def _hold(self, wanted: int | None) -> int:
        s = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        # As Kafka itself does: without it, connections in TIME_WAIT would make a free port look taken.
        s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            s.bind((LOOPBACK, wanted or 0))
            s.listen(1)
        except OSError as e:
            s.close()
            raise StartFailed(
                f"Port {wanted} cannot be used.",
                seen=f"{e.strerror}; {holder(wanted) if wanted else ''}",
                do="End what holds it, choose another port, or give none: kafkalab then takes free ones.",
            ) from e
        self._held.append(s)
        port: int = s.getsockname()[1]
        return port

    def __enter__(self) -> PortBook:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        for s in self._held:
            s.close()


def is_free(port: int) -> bool:
    """Whether a server could listen on the port now."""
    try:
        with PortBook() as book:
            book.take(port)
    except StartFailed:
        return False
    return True


def holder(port: int) -> str:
    """A few words on who listens on a port, where the system tells."""
    import psutil

    try:
        for c in psutil.net_connections(kind="tcp"):
            if c.status == psutil.CONN_LISTEN and c.laddr and c.laddr.port == port:
                if c.pid is None:
                    break
                process = psutil.Process(c.pid)
                command = " ".join(process.cmdline())[:80]
                return f"held by {process.name()} (pid {c.pid}): {command}"
    except (psutil.Error, OSError):
        pass
    return "the system does not tell by whom"


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
