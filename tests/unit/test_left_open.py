"""left_open closes the sockets that kafka-python leaves: of a client that was closed, of a connection that failed."""

from __future__ import annotations

import socket

import pytest
from kafka.errors import KafkaConnectionError
from kafka.net.inet import create_connection
from kafka.net.selector import NetworkSelector
from kafka.net.transport import KafkaTCPTransport

from kafkalab.cluster.net import LOOPBACK


def test_a_client_closed_while_it_connects():
    with socket.create_server((LOOPBACK, 0)) as server:
        net = NetworkSelector()
        net.call_soon(create_connection(net, *server.getsockname()))
        net.drain()  # it has begun, and waits
        net.close()  # were the socket left open, Python would warn here, and the test fail


def test_a_client_closed_with_something_unsent():
    with socket.create_server((LOOPBACK, 0)) as server:
        net = NetworkSelector()
        sock = net.run(create_connection, net, *server.getsockname())
        transport = KafkaTCPTransport(net, sock)
        transport.write(b"x" * 50_000_000)  # more than lies ready for a server that reads nothing
        transport.close()
        assert sock.fileno() != -1, "it is kept open for what is unsent"
        net.close()
        assert sock.fileno() == -1


def test_a_connection_that_is_refused():
    with socket.create_server((LOOPBACK, 0)) as server:
        closed = server.getsockname()
    net = NetworkSelector()
    with pytest.raises(KafkaConnectionError):
        net.run(create_connection, net, *closed)
    net.close()
