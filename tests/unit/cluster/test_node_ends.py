"""Why a node ended, read off its log: the line that says so, and the ends that are no reason to give up."""

from __future__ import annotations

import pytest

from kafkalab.cluster.owned import telling
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
def test_a_broker_that_died_of_its_zookeeper_session_is_started_again(why):
    assert started_again(FATAL + why)
    assert not started_again(FATAL + why, mode="kraft")
    assert not started_again(FATAL + why, node=ZOOKEEPER)
    # That was an earlier run; the last one ended of something else.
    assert not started_again(FATAL + why + "\n" + FATAL + "ConfigException: Invalid value")


def test_any_other_end_is_one():
    for log in ("", FATAL, FATAL + "org.apache.kafka.common.KafkaException: Socket server failed to bind"):
        assert not started_again(log)


BEGIN = "INFO Registered `kafka:type=kafka.Log4jController` MBean (kafka.utils.Log4jControllerRegistration$)\n"
EXITING = "ERROR Exiting Kafka due to fatal exception (kafka.Kafka$)\n"
NO_META = "java.lang.RuntimeException: No readable meta.properties files found."
NO_SPACE = "java.io.IOException: No space left on device"


@pytest.mark.parametrize(
    "log, why",
    [
        (BEGIN + EXITING + NO_META + "\n\tat org.apache…", NO_META),
        (BEGIN + "ERROR of yesterday\n" + BEGIN + "INFO x\n" + EXITING + NO_META, NO_META),
        (BEGIN + "ERROR Error while writing\n" + NO_SPACE + "\n" + EXITING, NO_SPACE),
        (BEGIN + EXITING, EXITING.strip()),
        ("Error: Unable to initialize\nlast words", "last words"),
        ("java.lang.OutOfMemoryError: x\n", "java.lang.OutOfMemoryError: x"),
        ("", "its log is empty"),
    ],
)
def test_the_line_that_tells(log, why):
    assert telling(log) == why
