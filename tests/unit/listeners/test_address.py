"""What a user types for a bootstrap server, and what kind of host that is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kafkalab.commands.listeners.address import Address, parse
from kafkalab.errors import BadInput


@pytest.mark.parametrize(
    "text, found",
    [
        ("localhost:9092", [Address("localhost", 9092)]),
        (" a:1 , b.example:65535,", [Address("a", 1), Address("b.example", 65535)]),
        ("[::1]:9092", [Address("::1", 9092)]),
        ("a:1,a:1", [Address("a", 1)]),
    ],
)
def test_addresses_are_read(text: str, found: list[Address]) -> None:
    assert parse(text) == found


@pytest.mark.parametrize(
    "text, advice",
    [
        ("", "host:port"),
        (" , ", "host:port"),
        ("localhost", "localhost:9092"),
        (":9092", "localhost:9092"),
        ("localhost:", "number"),
        ("localhost:kafka", "number"),
        ("localhost:0", "65535"),
        ("localhost:65536", "65535"),
        ("PLAINTEXT://kafka:9092", "Write kafka:9092"),
        ("http://kafka:8080/", "Write kafka:8080"),
        ("kafka:9092/topic", "nothing else"),
        ("a:1;b:2", "number"),
        ("::1:9092", "brackets"),
        ("a:1,b", "b:9092"),
    ],
)
def test_what_is_no_address_is_refused_with_advice(text: str, advice: str) -> None:
    with pytest.raises(BadInput) as e:
        parse(text)
    assert advice in e.value.do


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        found = parse(text)
    except BadInput:
        return
    assert found
    assert parse(",".join(map(str, found))) == found


@pytest.mark.parametrize(
    "host, kind",
    [
        ("0.0.0.0", "everywhere"),
        ("::", "everywhere"),
        ("LOCALHOST", "loopback"),
        ("127.0.1.1", "loopback"),
        ("::1", "loopback"),
        ("172.17.0.2", "docker"),
        ("172.31.255.1", "docker"),
        ("172.32.0.1", "public"),
        ("192.168.1.7", "private"),
        ("10.1.2.3", "private"),
        ("fe80::1", "private"),
        ("8.8.8.8", "public"),
        ("kafka", "word"),
        ("broker-101", "word"),
        ("kafka-0.kafka.svc.cluster.local", "cluster"),
        ("host.docker.internal", "cluster"),
        ("kafka.example.com", "name"),
    ],
)
def test_kinds_of_hosts(host: str, kind: str) -> None:
    assert Address(host, 9092).kind == kind
