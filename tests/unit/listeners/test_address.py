"""What a user types for a bootstrap server, and what kind of host that is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kafkalab.commands.listeners.address import Address, parse
from kafkalab.errors import BadInput


def test_addresses_are_read() -> None:
    for text, found in {
        "localhost:9092": [("localhost", 9092)],
        " a:1 , b.example:65535,": [("a", 1), ("b.example", 65535)],
        "[::1]:9092": [("::1", 9092)],
        "a:1,a:1": [("a", 1)],
    }.items():
        assert parse(text) == [Address(*one) for one in found]


def test_what_is_no_address_is_refused_with_advice() -> None:
    for advice, texts in {
        "host:port": ["", " , "],
        "localhost:9092": ["localhost", ":9092"],
        "number": ["localhost:", "localhost:kafka", "a:1;b:2"],
        "65535": ["localhost:0", "localhost:65536"],
        "Write kafka:9092": ["PLAINTEXT://kafka:9092"],
        "Write kafka:8080": ["http://kafka:8080/"],
        "nothing else": ["kafka:9092/topic"],
        "brackets": ["::1:9092"],
        "b:9092": ["a:1,b"],
    }.items():
        for text in texts:
            with pytest.raises(BadInput) as e:
                parse(text)
            assert advice in e.value.do, text


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        found = parse(text)
    except BadInput:
        return
    assert found
    assert parse(",".join(map(str, found))) == found


def test_kinds_of_hosts() -> None:
    for kind, hosts in {
        "everywhere": ["0.0.0.0", "::"],
        "loopback": ["LOCALHOST", "127.0.1.1", "::1"],
        "docker": ["172.17.0.2", "172.31.255.1"],
        "public": ["172.32.0.1", "8.8.8.8"],
        "private": ["192.168.1.7", "10.1.2.3", "fe80::1"],
        "word": ["kafka", "broker-101"],
        "cluster": ["kafka-0.kafka.svc.cluster.local", "host.docker.internal"],
        "name": ["kafka.example.com"],
    }.items():
        assert {host: Address(host, 9092).kind for host in hosts} == dict.fromkeys(hosts, kind)
