"""Before servers that are no brokers: real sockets on loopback, each with a small server of that kind behind it."""

from __future__ import annotations

import socket
import ssl
import struct
from collections.abc import Callable

from kafkalab.commands.listeners.answer import recognise
from kafkalab.commands.listeners.way import Hop, follow
from kafkalab.commands.listeners.words import Address
from tests.support.servers import hangs_up, is_silent, server

HOST = "127.0.0.1"


def last(port: int, timeout: float = 2.0) -> Hop:
    """The hop that failed, all before it having held."""
    hops = follow([Address(HOST, port)], timeout)
    assert [hop.ok for hop in hops] == [True] * (len(hops) - 1) + [False]
    assert hops[-1].why
    assert hops[-1].do
    return hops[-1]


def greets_as_ssh(s: socket.socket) -> None:
    s.sendall(b"SSH-2.0-OpenSSH_9.2\r\n")
    is_silent(s)


def answering(answer: bytes) -> Callable[[socket.socket], None]:
    def behave(s: socket.socket) -> None:
        s.recv(1000)
        s.sendall(answer)

    return behave


def test_each_is_told_from_a_broker():
    for behave, seen, why in (
        (hangs_up, "hangs up at once", "Docker's proxy"),
        (is_silent, "says nothing within 0.5 s", "paused"),
        (greets_as_ssh, "SSH", "another program"),
        (answering(b"HTTP/1.1 400 Bad Request\r\nServer: nginx\r\n\r\n"), "a web server answers here (nginx)", "HTTP"),
        (answering(b"-ERR unknown command\r\n"), "Redis", "another program"),
        # It knows of versions and of nothing else: a controller of KRaft has no topics to tell of.
        (answering(struct.pack(">iihihhh", 16, 1, 0, 1, 18, 0, 4)), "KRaft controller", "controller"),
        # As long as it says, with the right number.
        (answering(struct.pack(">i", 12) + b"\0\0\0\1" + b"\xff" * 8), "something else answers", "another program"),
    ):
        with server(behave) as port:
            hop = last(port, 0.5 if behave is is_silent else 2.0)
        assert hop.step == "protocol"
        assert seen in hop.seen and why in hop.why
    for said, seen in (
        (b"srvr is not executed because it is not in the whitelist.", "ZooKeeper"),
        (b"\x15\x03\x03\x00\x02\x02\x50", "TLS"),
        (b"AMQP\x00\x00\x09\x01", "AMQP"),
    ):
        found = recognise(said)
        assert found is not None and seen in found.seen
    assert recognise(b"hello") is None


def test_a_tls_server_that_is_not_kafka():
    # Without a certificate it can agree with nobody, and says so in TLS.
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)

    def talks_tls(s: socket.socket) -> None:
        with context.wrap_socket(s, server_side=True):
            pass

    with server(talks_tls) as port:
        hop = last(port)
    assert hop.seen.startswith("a TLS listener")
    assert "security.protocol=SSL" in hop.do


def test_nobody_listens_and_a_name_that_is_none():
    with socket.socket() as s:
        s.bind((HOST, 0))  # held, and not listened on
        hop = last(s.getsockname()[1])
    assert hop.step == "connection" and "refused" in hop.seen
    # Names under .invalid never resolve (RFC 2606); the first needs no name server to be wrong.
    for host in ("a..b", "kafka.invalid"):
        hop = follow([Address(host, 9092)])[-1]
        assert (hop.step, hop.ok) == ("name", False)
        assert "is unknown here" in hop.seen
