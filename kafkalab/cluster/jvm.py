"""The command line of a node's JVM."""

from __future__ import annotations

from pathlib import Path

from kafkalab.cluster import properties
from kafkalab.cluster.java import Java
from kafkalab.cluster.spec import ClusterSpec, NodeSpec

MAIN = {
    "zookeeper": "org.apache.zookeeper.server.quorum.QuorumPeerMain",
    "broker": "kafka.Kafka",
    "controller": "kafka.Kafka",
}

#: Start fast and stay small: these JVMs live for a lesson.
LESSON_SPEED = (
    # One collector thread instead of a pool; heaps this small are collected in milliseconds.
    "-XX:+UseSerialGC",
    # The optimising compiler's threads would fight the brokers for two cores and hardly pay off in minutes.
    "-XX:TieredStopAtLevel=1",
    "-XX:ReservedCodeCacheSize=48m",
    # No memory-mapped statistics file that nobody reads.
    "-XX:-UsePerfData",
)

#: Out of memory: end, rather than limp; the supervisor sees it and the log says why.
SAFETY = ("-XX:+ExitOnOutOfMemoryError", "-Djava.net.preferIPv4Stack=true", "-Djava.awt.headless=true")


def heap(node: NodeSpec) -> tuple[str, str]:
    """Initial and largest heap."""
    return ("-Xms32m", "-Xmx96m") if node.role == "zookeeper" else ("-Xms64m", "-Xmx192m")


def command(java: Java, spec: ClusterSpec, node: NodeSpec, settings: Path, log_config: Path, archive: Path | None) -> list[str]:
    """What to run for a node; the class path comes by the environment, so that `ps` stays readable."""
    logging = "-Dlog4j.configuration=" if spec.mode == "zookeeper" else "-Dlog4j2.configurationFile="
    # A class-data archive that does not fit this JVM or class path is passed over in silence.
    sharing = [f"-XX:SharedArchiveFile={archive}", "-Xshare:auto", "-Xlog:cds=off", "-Xlog:cds+dynamic=off"] if archive else []
    return [
        str(java.executable),
        *heap(node),
        *LESSON_SPEED,
        *SAFETY,
        *sharing,
        f"{logging}file:{log_config}",
        f"-Dkafkalab.node={node.name}",
        MAIN[node.role],
        str(settings),
    ]


def log_config(spec: ClusterSpec) -> str:
    """The logging configuration that the Kafka of this mode reads."""
    return properties.LOG4J_1 if spec.mode == "zookeeper" else properties.LOG4J_2
