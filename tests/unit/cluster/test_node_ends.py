"""Why a node ended, read off its log: the line that says so, and the ends that are no reason to give up."""

from __future__ import annotations

from kafkalab.cluster.owned import Registration, telling
from kafkalab.cluster.spec import ClusterSpec, NodeSpec

BROKER = NodeSpec("broker", 101, 20101)
ZOOKEEPER = NodeSpec("zookeeper", 1, 20001)
FATAL = "INFO Kafka version: 3.9.2\nERROR Exiting Kafka due to fatal exception during startup.\n"


def started_again(log: str, mode: str = "zookeeper", node: NodeSpec = BROKER) -> bool:
    spec = ClusterSpec("c", mode=mode, brokers=1, zookeepers=int(mode == "zookeeper"))
    waiting = Registration(spec, (BROKER,), lambda name, lines: log, None)
    return waiting.still_registered(node)


def test_a_broker_that_died_of_its_zookeeper_session_is_started_again():
    for why in (
        "org.apache.zookeeper.KeeperException$NodeExistsException: KeeperErrorCode = NodeExists",
        "java.lang.NullPointerException\n\tat kafka.zk.KafkaZkClient$CheckedEphemeral.getAfterNodeExists",
        "org.apache.zookeeper.KeeperException$SessionExpiredException: KeeperErrorCode = Session expired for /feature",
    ):
        assert started_again(FATAL + why)
        # The second is that of an earlier run; the last one ended of something else.
        for log in (FATAL, FATAL + why + "\n" + FATAL + "ConfigException: Invalid value"):
            assert not started_again(log)
    assert not started_again(FATAL + why, mode="kraft") and not started_again(FATAL + why, node=ZOOKEEPER)


BEGIN = "INFO Registered `kafka:type=kafka.Log4jController` MBean (kafka.utils.Log4jControllerRegistration$)\n"
EXITING = "ERROR Exiting Kafka due to fatal exception (kafka.Kafka$)\n"
NO_META = "java.lang.RuntimeException: No readable meta.properties files found."
NO_SPACE = "java.io.IOException: No space left on device"


def test_the_line_that_tells():
    for log, why in (
        (BEGIN + "ERROR of yesterday\n" + BEGIN + "INFO x\n" + EXITING + NO_META + "\n\tat org.apache…", NO_META),
        (BEGIN + "ERROR Error while writing\n" + NO_SPACE + "\n" + EXITING, NO_SPACE),
        ("Error: Unable to initialize\nlast words", "last words"),
        ("", "its log is empty"),
    ):
        assert telling(log) == why
