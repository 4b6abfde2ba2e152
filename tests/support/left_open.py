"""A plugin of pytest that closes the sockets kafka-python leaves open, so that an unclosed one is a mistake of ours.

kafka-python leaves the socket of a connection that failed. When a client is closed, it leaves those that were still
connecting and those with something unsent. Python warns of each as it is collected, and here a warning is an error.
"""

from __future__ import annotations

import socket
import weakref
from typing import Any

from kafka.net.inet import KafkaNetSocket
from kafka.net.selector import NetworkSelector

_made: weakref.WeakKeyDictionary[NetworkSelector, weakref.WeakSet[socket.socket]] = weakref.WeakKeyDictionary()
_connect = KafkaNetSocket.sock_connect
_close = NetworkSelector.close


async def connect(self: KafkaNetSocket, net: NetworkSelector, sock: socket.socket, *args: Any, **kwargs: Any) -> Any:
    _made.setdefault(net, weakref.WeakSet()).add(sock)
    try:
        return await _connect(self, net, sock, *args, **kwargs)
    except BaseException:
        sock.close()
        raise


def close(self: NetworkSelector) -> None:
    _close(self)
    for sock in _made.pop(self, ()):
        sock.close()


def pytest_configure() -> None:
    """Let every client of kafka-python use these two."""
    KafkaNetSocket.sock_connect = connect
    NetworkSelector.close = close
