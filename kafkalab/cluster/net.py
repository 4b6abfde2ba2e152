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

# --- Ports on loopback: free ones, and which process holds a port that is taken.


LOOPBACK = "127.0.0.1"
#: Range in which we look for free ports. It is below the ports that systems give to outgoing connections, because any
#: of those could hold a broker's port at the moment when the broker starts again.
QUIET_PORTS = range(20_000, 32_000)


class PortBook:
    """Holds ports until it is closed, so that none is given out twice; then the nodes bind them."""

    def __init__(self) -> None:
        self._held: list[socket.socket] = []

    def take(self, wanted: int | None = None) -> int:
        """Return a free port, or the wanted one; StartFailed says which process holds that."""
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
                do="End that process, choose another port, or give no port: kafkalab then takes free ones.",
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
    """Return whether a server could listen on the port now."""
    try:
        with PortBook() as book:
            book.take(port)
    except StartFailed:
        return False
    return True


def holder(port: int) -> str:
    """Return a few words on which process listens on a port, if the system tells."""
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
    return "held by a process that the system does not name"


#: Ports inside a container; they are the same for every node of a role.
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
        """Names of the listeners."""
        return tuple(text.partition("://")[0] for text in self.listeners)


class Net(Protocol):
    """Addresses on which the nodes of a cluster listen, and by which they reach each other."""

    @property
    def bind(self) -> str:
        """Address that ZooKeeper binds."""

    def broker(self, node: NodeSpec) -> Listeners:
        """Return a broker's listeners for clients and other brokers."""

    def controller_listener(self, node: NodeSpec) -> str:
        """Return the listener of a KRaft controller for voters and brokers."""

    def controller_address(self, node: NodeSpec) -> str:
        """Return the address by which other nodes reach a KRaft controller."""

    def zookeeper_port(self, node: NodeSpec) -> int:
        """Return the port on which a ZooKeeper listens for clients."""

    def zookeeper_address(self, node: NodeSpec) -> str:
        """Return the address by which brokers reach a ZooKeeper."""

    def zookeeper_peer(self, node: NodeSpec) -> str:
        """Return ``host:peer port:election port`` for the other servers of the ensemble."""


class Local:
    """Network of local processes: every node listens on ports of its own, on loopback only."""

    bind = LOOPBACK

    def broker(self, node: NodeSpec) -> Listeners:
        """Return one listener that serves both clients and brokers."""
        plaintext = (f"PLAINTEXT://{LOOPBACK}:{node.port}",)
        return Listeners(plaintext, plaintext, "PLAINTEXT")

    def controller_listener(self, node: NodeSpec) -> str:
        """Return the listener on loopback, with the node's own port."""
        return f"CONTROLLER://{LOOPBACK}:{node.controller_port}"

    def controller_address(self, node: NodeSpec) -> str:
        """Return the address on loopback, with the node's own port."""
        return f"{LOOPBACK}:{node.controller_port}"

    def zookeeper_port(self, node: NodeSpec) -> int:
        """Return the node's own port."""
        return node.port

    def zookeeper_address(self, node: NodeSpec) -> str:
        """Return the address on loopback, with the node's own port."""
        return f"{LOOPBACK}:{node.port}"

    def zookeeper_peer(self, node: NodeSpec) -> str:
        """Return the address on loopback, with the node's own two ports."""
        return f"{LOOPBACK}:{node.peer_port}:{node.election_port}"


@dataclass(frozen=True, slots=True)
class Containers:
    """Network of containers: nodes reach each other by name; clients on the host use ports published on loopback.

    A broker advertises to each client the address of the listener that the client used. It needs two listeners, because
    clients on the host must be told the published address and clients in the network the container's name.

    :param host: returns the name by which the other containers reach a node.
    """

    host: Callable[[NodeSpec], str] = lambda node: node.name
    bind: str = "0.0.0.0"

    def broker(self, node: NodeSpec) -> Listeners:
        """Return two listeners: OUTSIDE for clients on the host, INSIDE for brokers and clients in the network."""
        listeners = (f"OUTSIDE://{self.bind}:{OUTSIDE_PORT}", f"INSIDE://{self.bind}:{INSIDE_PORT}")
        advertised = (f"OUTSIDE://{LOOPBACK}:{node.port}", f"INSIDE://{self.host(node)}:{INSIDE_PORT}")
        return Listeners(listeners, advertised, "INSIDE")

    def controller_listener(self, node: NodeSpec) -> str:
        """Return the listener on every interface of the container."""
        return f"CONTROLLER://{self.bind}:{CONTROLLER_PORT}"

    def controller_address(self, node: NodeSpec) -> str:
        """Return the address with the container's name."""
        return f"{self.host(node)}:{CONTROLLER_PORT}"

    def zookeeper_port(self, node: NodeSpec) -> int:
        """Return the usual port, because every container has its own."""
        return ZOOKEEPER_PORT

    def zookeeper_address(self, node: NodeSpec) -> str:
        """Return the address with the container's name."""
        return f"{self.host(node)}:{ZOOKEEPER_PORT}"

    def zookeeper_peer(self, node: NodeSpec) -> str:
        """Return the address with the container's name and the usual ports."""
        return f"{self.host(node)}:{PEER_PORT}:{ELECTION_PORT}"


LOCAL = Local()
