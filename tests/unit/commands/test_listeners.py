"""Addresses as users type them, and advertised ones as they are seen from elsewhere, hop by hop."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kafkalab.commands.listeners.answer import Heard
from kafkalab.commands.listeners.way import Hop, Way, hopeless, judged, picture
from kafkalab.commands.listeners.words import Address, advertised, parse, split
from kafkalab.errors import BadInput


def test_addresses_are_read_or_refused_with_advice() -> None:
    found = [Address("a", 1), Address("b.example", 65535), Address("::1", 9092)]
    assert parse(" a:1 , b.example:65535,[::1]:9092,a:1,") == found
    for advice, texts in {
        "host:port": ["", " , "],
        "localhost:9092": ["localhost", ":9092"],
        "number": ["localhost:", "localhost:kafka", "a:1;b:2"],
        "65535": ["localhost:0", "localhost:65536"],
        "Write kafka:9092": ["PLAINTEXT://kafka:9092", "http://kafka:9092/"],
        "brackets": ["::1:9092"],
        "b:9092": ["a:1,b"],
    }.items():
        for text in texts:
            with pytest.raises(BadInput) as e:
                parse(text)
            assert advice in e.value.do, text


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(BadInput):
        found = parse(text)
        assert found and parse(",".join(map(str, found))) == found


CAME = Address("kafka.example.com", 9092)


def heard(ip: str = "192.0.2.7", own: int = 101, cluster: str = "ours", **settings: str) -> Heard:
    named = {key.replace("_", "."): value for key, value in settings.items()}
    return Heard(ip, cluster, 101, {101: Address("localhost", 9092)}, {101: 3, 102: 1}, own, named)


def via(found: Heard | None = None, address: Address = CAME) -> Way:
    return Way(address, (), found or heard())


def end(address: Address, found: Heard | None, step: str = "metadata", wrong: str = "") -> Way:
    ok = found is not None
    return Way(
        address, (Hop("connection", str(address), True, "accepts"), Hop(step, str(address), ok, "x")), found, wrong
    )


def test_addresses_that_lead_nowhere_whatever_listens_there() -> None:
    here, localhost = via(heard("127.0.0.1")), Address("localhost", 9092)
    for address, came, why in (
        (localhost, via(), "to itself"),
        (Address("0.0.0.0", 9092), here, "no client can connect"),
    ):
        assert hopeless(address, came)
        (hop,) = judged(101, address, via(), None, via())
        assert not hop.ok and why in hop.why
        assert "leads 3 of 4 partitions" in hop.seen
        assert "PLAINTEXT://kafka.example.com:9092" in hop.do
    # On the brokers' own machine localhost is a warning.
    assert not hopeless(localhost, here)
    hop = judged(101, localhost, here, end(localhost, heard("127.0.0.1")), here)[-1]
    assert hop.ok and "only because this is the broker's machine" in hop.why
    assert "kafka.example.com:9092" in hop.do


def test_who_answers_there() -> None:
    address = Address("other.example.com", 9092)
    hop = judged(101, address, via(), end(address, heard(cluster="theirs")), None)[-1]
    assert (hop.step, hop.ok) == ("identity", False)
    assert "another cluster, theirs" in hop.seen
    # A broker that does not tell who it is is believed.
    silent = Heard("192.0.2.7", "ours", 101, {102: address})
    hop = judged(102, address, via(), end(address, silent), None)[-1]
    assert hop.ok and "does not tell" in hop.seen


def test_the_only_listener_of_a_container_gets_a_second() -> None:
    address = Address("kafka", 9092)
    came = via(heard(advertised_listeners="PLAINTEXT://kafka:9092"), Address("127.0.0.1", 29092))
    hop = judged(101, address, came, end(address, None, "name", "name"), came)[-1]
    assert "without a dot" in hop.why
    assert "advertised.listeners=INSIDE://kafka:19092,OUTSIDE://127.0.0.1:29092" in hop.do
    assert "inter.broker.listener.name=INSIDE" in hop.do
    for host, wrong, words in (
        ("172.31.255.1", "unreachable", "Docker bridge"),
        ("kafka-0.kafka.svc", "name", "Kubernetes"),
        ("ip-10-0-0-1.example.com", "name", "own host name"),
        ("kafka.example.com", "refused", "the port is not"),
        ("b2.example.com", "silent", "firewall"),
    ):
        assert words in advertised(Address(host, 9093), CAME, wrong)


def test_one_of_several_listeners_is_changed() -> None:
    assert split("A://h:1, B://:2,C://[::1]:3,nonsense") == {"A": ("h", 1), "B": ("", 2), "C": ("::1", 3)}
    address = Address("10.0.0.5", 9092)
    listeners = "IN://10.0.0.5:19092,OUT://10.0.0.5:9092"
    came = via(heard(advertised_listeners=listeners, inter_broker_listener_name="IN"))
    hop = judged(101, address, came, end(address, None, "connection", "silent"), came)[-1]
    assert "private address" in hop.why
    set_it = "advertised.listeners=IN://10.0.0.5:19092,OUT://kafka.example.com:9092\n"
    assert set_it in hop.do
    drawn = picture([Hop("name", "a:1", True, "fine"), hop], 60)
    assert drawn.startswith("a:1\n  └─ ✓ name") and "broker 101 advertises 10.0.0.5:9092\n" in drawn
    assert set_it in drawn, "what is to be copied is not broken"
    assert drawn.endswith("1 of 2 hops fail.")
