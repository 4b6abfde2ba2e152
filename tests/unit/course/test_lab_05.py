"""Lab 05 where no cluster is needed: the failing hop, settings of an extra listener, the calls."""

from __future__ import annotations

import logging
from types import SimpleNamespace
from typing import Any

import pytest

from kafkalab import Cluster
from kafkalab.course.lab_05.brokers import closed, opened
from kafkalab.course.lab_05.calls import Call, Calls, drawn

PLAIN = {
    "broker.id": "105",
    "listeners": "PLAINTEXT://127.0.0.1:9105",
    "advertised.listeners": "PLAINTEXT://127.0.0.1:9105",
    "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT",
}
VOTER = PLAIN | {
    "listeners": "PLAINTEXT://127.0.0.1:9105,CONTROLLER://127.0.0.1:9205",
    "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
}


@pytest.mark.parametrize("settings", [PLAIN, VOTER], ids=["broker", "voter"])
def test_a_door_is_opened_and_closed_without_a_trace(settings: dict[str, str]) -> None:
    liar, honest = (opened(settings, "127.0.0.1:9300", advertised) for advertised in ("127.0.0.1:7", None))
    assert liar["advertised.listeners"] == "PLAINTEXT://127.0.0.1:9105,CLIENTS://127.0.0.1:7"
    assert "advertised.listeners" not in honest
    for found in (liar, honest):
        assert found["listeners"].endswith(",CLIENTS://127.0.0.1:9300")
        assert closed(found) == settings
    assert closed(settings) == settings


def test_greetings_and_what_is_asked_again_at_once_are_not_drawn() -> None:
    made = [(103, "ApiVersions"), (103, "Metadata"), (101, "InitProducerId"), (101, "InitProducerId"), (102, "Produce")]
    calls = drawn([Call(broker, request, broker == 103) for broker, request in made])
    assert [(call.broker, call.request) for call in calls] == [made[1], made[2], made[4]]


def test_only_the_client_that_was_named_is_listened_to() -> None:
    broker = SimpleNamespace(id=101, host="127.0.0.1", port=9101)
    cluster: Any = SimpleNamespace(snapshot=lambda: SimpleNamespace(brokers=(broker,)))
    log = logging.getLogger("kafka.net.connection")
    before = (log.level, log.propagate, list(log.handlers))

    class MetadataRequest:
        pass

    def connection(client: str, node: object) -> Any:
        transport = SimpleNamespace(host_port=lambda: "127.0.0.1:9101<-5000")
        return SimpleNamespace(config={"client_id": client}, node_id=node, transport=transport)

    with Calls(cluster, "shop") as calls:
        log.debug("%s Request %d: %s", connection("shop", "bootstrap-0"), 1, MetadataRequest())
        log.debug("%s Request %d: %s", connection("other", 101), 1, MetadataRequest())
        log.error("%s: Connection lost: %s", connection("shop", 101), OSError("KafkaConnectionError: 111 ECONNREFUSED"))
    assert calls.made == [Call(101, "Metadata", True, at="127.0.0.1:9101"), Call(101, "", False, "ECONNREFUSED")]
    assert calls.bootstrap == [101]
    assert "no connection: ECONNREFUSED" in calls.to_svg()
    assert (log.level, log.propagate, log.handlers) == before


def test_a_moment_stays_when_the_cluster_goes_on() -> None:
    with Cluster(brokers=3, backend="fake") as cluster:
        cluster.create_topic("lab05-a", partitions=3)
        before = cluster.view("lab05-a").moment("All is well")
        drawn_then = before.to_html()
        cluster.broker(102).stop()
        after = cluster.view().moment("102 is down")
        assert before.to_html() == drawn_then
    assert "All is well" in drawn_then
    assert ("2 of 3 brokers up" in after.to_html(), "2 of 3 brokers up" in drawn_then) == (True, False)
