"""What kafka-python leaves open is closed for it; without that each of these ends in a warning, which is an error."""

from __future__ import annotations

import socket

import pytest
from kafka.errors import KafkaConnectionError
from kafka.net.inet import create_connection
from kafka.net.selector import NetworkSelector

LOOPBACK = "127.0.0.1"


def test_a_client_closed_while_it_connects():
    with socket.create_server((LOOPBACK, 0)) as server:
        net = NetworkSelector()
        net.call_soon(create_connection(net, *server.getsockname()))
        net.drain()  # it has begun, and waits
        net.close()


def test_a_client_closed_with_something_unsent():
    with socket.create_server((LOOPBACK, 0)) as server:
        net = NetworkSelector()
        sock = net.run(create_connection, net, *server.getsockname())
        net.close()
        assert sock.fileno() == -1


def test_a_connection_that_is_refused():
    with socket.create_server((LOOPBACK, 0)) as server:
        closed = server.getsockname()
    net = NetworkSelector()
    with pytest.raises(KafkaConnectionError):
        net.run(create_connection, net, *closed)
    net.close()
