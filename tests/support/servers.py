"""Servers on loopback that treat whoever connects as a test says."""

from __future__ import annotations

import socket
import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress


def hangs_up(s: socket.socket) -> None:
    """As Docker's proxy does when nothing listens in the container."""


def is_silent(s: socket.socket) -> None:
    """As a paused broker is."""
    while s.recv(1000):
        pass


@contextmanager
def server(behave: Callable[[socket.socket], None]) -> Iterator[int]:
    """Its port; ``behave`` is called with each connection, which is closed afterwards."""

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            with suppress(OSError):
                behave(self.request)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as listening:
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield listening.server_address[1]
        finally:
            listening.shutdown()
            thread.join()
