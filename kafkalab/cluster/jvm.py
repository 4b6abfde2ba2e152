"""The command line of a node's JVM."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from kafkalab.cluster import properties
from kafkalab.cluster.java import Java
from kafkalab.cluster.spec import ClusterSpec, NodeSpec
from kafkalab.profile import profile

MAIN = {
    "zookeeper": "org.apache.zookeeper.server.quorum.QuorumPeerMain",
    "broker": "kafka.Kafka",
    "controller": "kafka.Kafka",
}

#: Out of memory: end, rather than limp; the supervisor sees it and the log says why.
SAFETY = ("-XX:+ExitOnOutOfMemoryError", "-Djava.net.preferIPv4Stack=true", "-Djava.awt.headless=true")


@dataclass(frozen=True, slots=True)
class Style:
    """How the JVMs of a cluster are set: heaps of brokers and ZooKeepers, and flags for all."""

    broker_heap: tuple[str, ...]
    zookeeper_heap: tuple[str, ...]
    flags: tuple[str, ...]


#: Start fast and stay small: these JVMs live for a lesson.
LESSON = Style(
    broker_heap=("-Xms64m", "-Xmx192m"),
    zookeeper_heap=("-Xms32m", "-Xmx96m"),
    flags=(
        # One collector thread instead of a pool; heaps this small are collected in milliseconds.
        "-XX:+UseSerialGC",
        # The optimising compiler's threads would fight the brokers for two cores and hardly pay off in minutes.
        "-XX:TieredStopAtLevel=1",
        "-XX:ReservedCodeCacheSize=48m",
        # No memory-mapped statistics file that nobody reads.
        "-XX:-UsePerfData",
    ),
)

#: The same for a machine with 1 to 2 GB: KAFKALAB_PROFILE=small.
SMALL = replace(LESSON, broker_heap=("-Xms32m", "-Xmx96m"), zookeeper_heap=("-Xms16m", "-Xmx48m"))

#: What Kafka's own start scripts set; only `kafkalab bench` starts clusters so, to compare.
STOCK = Style(
    broker_heap=("-Xmx1G", "-Xms1G"),
    zookeeper_heap=("-Xmx512M", "-Xms512M"),
    flags=(
        "-server",
        "-XX:+UseG1GC",
        "-XX:MaxGCPauseMillis=20",
        "-XX:InitiatingHeapOccupancyPercent=35",
        "-XX:+ExplicitGCInvokesConcurrent",
        "-XX:MaxInlineLevel=15",
        "-Dcom.sun.management.jmxremote=true",
        "-Dcom.sun.management.jmxremote.authenticate=false",
        "-Dcom.sun.management.jmxremote.ssl=false",
    ),
)


def chosen() -> Style:
    """The style of this process's profile."""
    return SMALL if profile() == "small" else LESSON


def command(
    java: Java,
    spec: ClusterSpec,
    node: NodeSpec,
    settings: Path,
    log_config: Path,
    style: Style,
    sharing: tuple[str, ...] = (),
) -> list[str]:
    """What to run for a node; the class path comes by the environment, so that `ps` stays readable."""
    logging = "-Dlog4j.configuration=" if spec.mode == "zookeeper" else "-Dlog4j2.configurationFile="
    return [
        str(java.executable),
        *(style.zookeeper_heap if node.role == "zookeeper" else style.broker_heap),
        *style.flags,
        *SAFETY,
        *sharing,
        f"{logging}{log_config.as_uri()}",
        f"-Dkafkalab.node={node.name}",
        MAIN[node.role],
        str(settings),
    ]


def log_config(spec: ClusterSpec) -> str:
    """The logging configuration that the Kafka of this mode reads."""
    return properties.LOG4J_1 if spec.mode == "zookeeper" else properties.LOG4J_2
