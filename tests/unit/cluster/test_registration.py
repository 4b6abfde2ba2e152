"""Which ends of a starting broker are no reason to give up: those that its ZooKeeper sessions bring about."""

from __future__ import annotations

import pytest

from kafkalab.cluster.registration import Registration
from kafkalab.cluster.spec import ClusterSpec, NodeSpec

BROKER = NodeSpec("broker", 101, 20101)
ZOOKEEPER = NodeSpec("zookeeper", 1, 20001)
FATAL = "INFO Kafka version: 3.9.2\nERROR Exiting Kafka due to fatal exception during startup.\n"


def started_again(log: str, mode: str = "zookeeper", node: NodeSpec = BROKER) -> bool:
    spec = ClusterSpec("c", mode=mode, brokers=1, zookeepers=int(mode == "zookeeper"))
    waiting = Registration(
        spec, (ZOOKEEPER, BROKER), (BROKER,), cluster_id_of=lambda node: None, tail=lambda name, lines: log
    )
    return waiting.still_registered(node)


@pytest.mark.parametrize(
    "why",
    [
        "org.apache.zookeeper.KeeperException$NodeExistsException: KeeperErrorCode = NodeExists",
        "java.lang.NullPointerException\n\tat kafka.zk.KafkaZkClient$CheckedEphemeral.getAfterNodeExists",
        "org.apache.zookeeper.KeeperException$SessionExpiredException: KeeperErrorCode = Session expired for /feature",
    ],
)
def test_a_broker_that_died_of_a_session_is_started_again(why):
    assert started_again(FATAL + why)
    assert not started_again(FATAL + why, mode="kraft")
    assert not started_again(FATAL + why, node=ZOOKEEPER)
    # That was an earlier run; the last one ended of something else.
    assert not started_again(FATAL + why + "\n" + FATAL + "ConfigException: Invalid value")


@pytest.mark.parametrize(
    "log", ["", FATAL, FATAL + "org.apache.kafka.common.KafkaException: Socket server failed to bind"]
)
def test_any_other_end_is_one(log):
    assert not started_again(log)
