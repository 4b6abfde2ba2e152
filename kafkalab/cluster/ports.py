"""Ports on loopback: free ones, and who holds one that is not free."""

from __future__ import annotations

import contextlib
import random
import socket
from types import TracebackType

from kafkalab.errors import StartFailed

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
