"""Closes what kafka-python leaves open, so that an unclosed socket in a test run is a mistake of ours.

It leaves the socket of a connection that failed, and those that were still being made, or had something unsent, when
their client was closed. Python warns of each as it is collected, and to the tests a warning is an error.
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
    """A plugin of pytest."""
    KafkaNetSocket.sock_connect = connect
    NetworkSelector.close = close
