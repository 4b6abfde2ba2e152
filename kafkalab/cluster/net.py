"""Networks: the addresses where nodes listen and find each other, on loopback or among containers; and free ports."""

from __future__ import annotations

import contextlib
import random
import socket
from collections.abc import Callable

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
                    return self.take(candidate)
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
        return int(s.getsockname()[1])

    def __enter__(self) -> PortBook:
        return self

    def __exit__(self, *_: object) -> None:
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


class Net:
    """Addresses on which nodes listen (``bind``) and reach each other: here on loopback, each with ports of its own."""

    bind = LOOPBACK

    def host(self, node: NodeSpec) -> str:
        """Return the host by which the other nodes reach a node."""
        return LOOPBACK

    def ports(self, node: NodeSpec) -> tuple[int, int, int, int]:
        """Return the ports of a node: for clients, for a KRaft controller, for a ZooKeeper's peers and elections."""
        return node.port, node.controller_port or 0, node.peer_port or 0, node.election_port or 0

    def listeners(self, node: NodeSpec) -> dict[str, tuple[str, str]]:
        """Return a broker's listeners: name → where it listens, and what it advertises. Brokers use the last one."""
        at = f"{LOOPBACK}:{node.port}"
        return {"PLAINTEXT": (at, at)}


class Containers(Net):
    """Network of containers: nodes reach each other by name; clients on the host use ports published on loopback.

    A broker advertises to each client the address of the listener that the client used. It needs two listeners, because
    clients on the host must be told the published address and clients in the network the container's name.

    :param host: returns the name by which the other containers reach a node.
    """

    bind = "0.0.0.0"

    def __init__(self, host: Callable[[NodeSpec], str] = lambda node: node.name) -> None:
        self._host = host

    def host(self, node: NodeSpec) -> str:
        """Return the name by which the other containers reach a node."""
        return self._host(node)

    def ports(self, node: NodeSpec) -> tuple[int, int, int, int]:
        """Return the usual ports, because every container has its own."""
        return ZOOKEEPER_PORT if node.role == "zookeeper" else OUTSIDE_PORT, CONTROLLER_PORT, PEER_PORT, ELECTION_PORT

    def listeners(self, node: NodeSpec) -> dict[str, tuple[str, str]]:
        """Return two listeners: OUTSIDE for clients on the host, INSIDE for brokers and clients in the network."""
        return {
            "OUTSIDE": (f"{self.bind}:{OUTSIDE_PORT}", f"{LOOPBACK}:{node.port}"),
            "INSIDE": (f"{self.bind}:{INSIDE_PORT}", f"{self.host(node)}:{INSIDE_PORT}"),
        }


LOCAL = Net()
