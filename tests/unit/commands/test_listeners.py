"""The listener doctor: before servers that are no brokers, and how it judges the addresses that brokers advertise."""

from __future__ import annotations

import socket
import ssl
import struct
from collections.abc import Callable

from kafkalab.commands.listeners import Address, Heard, Hop, Way, follow, judged, listeners, picture
from tests.support.servers import hangs_up, is_silent, server

HOST = "127.0.0.1"


def last(port: int, timeout: float = 2.0) -> Hop:
    """The hop that failed, all before it having held."""
    hops = follow([(HOST, port)], timeout)
    assert [hop.ok for hop in hops] == [True] * (len(hops) - 1) + [False]
    assert hops[-1].why
    assert hops[-1].do
    return hops[-1]


def answering(answer: bytes) -> Callable[[socket.socket], None]:
    def behave(s: socket.socket) -> None:
        s.recv(1000)
        s.sendall(answer)

    return behave


def talks_tls(s: socket.socket) -> None:
    # Without a certificate it can agree with nobody, and says so in TLS.
    with ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).wrap_socket(s, server_side=True):
        pass


def test_what_answers_is_told_from_a_broker():
    other = "something answers there, but it is not a Kafka broker"
    for behave, seen, do in (
        (hangs_up, f"{other}: it closed the connection without an answer", "published port"),
        (is_silent, "nothing came back within 0.5 s", "resume"),
        (answering(b"HTTP/1.1 400 Bad Request\r\nServer: nginx\r\n\r\n"), other, "address of a broker"),
        # It knows of versions and of nothing else: a controller of KRaft has no topics to tell of.
        (answering(struct.pack(">iihihhh", 16, 1, 0, 1, 18, 0, 4)), other, "address of a broker"),
        # As long as it says, with the right number.
        (answering(struct.pack(">i", 12) + b"\0\0\0\1" + b"\xff" * 8), other, "address of a broker"),
        (talks_tls, "a TLS listener answers there", "security.protocol=SSL"),
    ):
        with server(behave) as port:
            hop = last(port, 0.5 if behave is is_silent else 2.0)
        assert hop.step == "protocol"
        assert seen in hop.seen and do in hop.do, hop


def test_nobody_listens_and_a_name_that_is_none():
    with socket.socket() as s:
        s.bind((HOST, 0))  # held, and not listened on
        hop = last(s.getsockname()[1])
    assert hop.step == "connection" and "refused" in hop.seen
    # Names under .invalid never resolve (RFC 2606); the first needs no name server to be wrong.
    for host in ("a..b", "kafka.invalid"):
        hop = follow([(host, 9092)])[-1]
        assert (hop.step, hop.ok) == ("name", False)
        assert "is unknown here" in hop.seen


CAME = Address("kafka.example.com", 9092)


def heard(own: int = 101, cluster: str = "ours", advertised: str = "") -> Heard:
    settings = {"advertised.listeners": advertised} if advertised else {}
    return Heard("192.0.2.7", cluster, {101: Address("localhost", 9092)}, {101: 3, 102: 1}, own, settings)


def via(found: Heard | None = None, address: Address = CAME) -> Way:
    return Way(address, (), found or heard())


def end(address: Address, found: Heard | None, step: str = "metadata") -> Way:
    accepts = Hop("connection", str(address), True, "accepts")
    return Way(address, (accepts, Hop(step, str(address), found is not None, "x")), found)  # type: ignore[arg-type]


def test_addresses_that_lead_nowhere() -> None:
    (hop,) = judged(101, Address("0.0.0.0", 9092), via(), None, via())
    assert not hop.ok and "every interface" in hop.why
    assert "leads 3 of 4 partitions" in hop.seen
    assert "PLAINTEXT://kafka.example.com:9092" in hop.do
    for host, why in (
        ("localhost", "client's own machine"),
        ("kafka", "without a dot"),
        ("172.31.255.1", "private address"),
        ("kafka.example.com", "the port 9093"),
        ("b2.example.com", "does not lead to this broker"),
    ):
        address = Address(host, 9093)
        hop = judged(101, address, via(), end(address, None, "connection"), via())[-1]
        assert not hop.ok and why in hop.why, host


def test_who_answers_there() -> None:
    address = Address("other.example.com", 9092)
    hop = judged(101, address, via(), end(address, heard(cluster="theirs")), None)[-1]
    assert (hop.step, hop.ok) == ("identity", False)
    assert "another cluster, theirs" in hop.seen
    hop = judged(102, address, via(), end(address, heard(own=101)), None)[-1]
    assert not hop.ok and "crossed" in hop.why
    # A broker that does not tell who it is is believed.
    silent = Heard("192.0.2.7", "ours", {102: address})
    hop = judged(102, address, via(), end(address, silent), None)[-1]
    assert hop.ok and "does not tell" in hop.seen


def test_one_of_several_listeners_is_changed_and_what_is_to_be_copied_is_not_broken() -> None:
    assert listeners({"listeners": "A://h:1, B://:2,C://[::1]:3,nonsense"}) == {
        "A": ("h", 1), "B": ("", 2), "C": ("::1", 3),
    }  # fmt: skip
    address = Address("10.0.0.5", 9092)
    came = via(heard(advertised="IN://10.0.0.5:19092,OUT://10.0.0.5:9092"))
    hop = judged(101, address, came, end(address, None, "connection"), came)[-1]
    set_it = "advertised.listeners=IN://10.0.0.5:19092,OUT://kafka.example.com:9092\n"
    assert set_it in hop.do
    drawn = picture([Hop("name", "a:1", True, "fine"), hop], 60)
    assert drawn.startswith("a:1\n  └─ ✓ name") and "broker 101 advertises 10.0.0.5:9092\n" in drawn
    assert set_it in drawn
    assert drawn.endswith("1 of 2 hops fail.")
