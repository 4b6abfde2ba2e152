"""Topic names and shapes that Kafka refuses are refused before it is asked, with what to do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kafkalab.cluster.external import parse
from kafkalab.cluster.topics import check_name, check_shape
from kafkalab.errors import BadInput


@pytest.mark.parametrize("name", ["", ".", "..", "a b", "ä", "a/b", "x" * 250, "<img>", None, 3])
def test_names_kafka_does_not_allow(name):
    with pytest.raises(BadInput) as e:
        check_name(name)
    assert e.value.do


@given(st.from_regex(r"[A-Za-z0-9._-]{1,249}", fullmatch=True).filter(lambda s: s not in (".", "..")))
def test_names_kafka_allows(name):
    assert check_name(name) == name


@pytest.mark.parametrize(
    "partitions, replication", [(0, 1), (-1, 1), (1, 0), (1.5, 1), (True, 1), ("3", 1), (10_001, 1)]
)
def test_shapes_that_make_no_sense(partitions, replication):
    with pytest.raises(BadInput):
        check_shape(partitions, replication, 3)


def test_replication_above_the_brokers_says_how_many_there_are():
    with pytest.raises(BadInput) as e:
        check_shape(1, 4, 3)
    assert "3 of them alive" in e.value.seen
    check_shape(1, 3, 3)


@pytest.mark.parametrize("servers", ["", ",", "host", "host:", "host:0", "host:65536", "host:x", "http://host:1/x"])
def test_bootstrap_servers_that_are_none(servers):
    with pytest.raises(BadInput):
        parse(servers)


def test_bootstrap_servers_as_people_write_them():
    assert parse("a:1, b.c:9092,[::1]:3,") == [("a", 1), ("b.c", 9092), ("::1", 3)]
