"""The command line of a node's JVM, and the class-data archives that speed up its start."""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass, replace
from pathlib import Path

from kafkalab.cluster.jars import jar_set
from kafkalab.cluster.java import Java, archives
from kafkalab.cluster.spec import ClusterSpec, NodeSpec
from kafkalab.home import profile
from kafkalab.state.model import Mode, Role

MAIN = {
    "zookeeper": "org.apache.zookeeper.server.quorum.QuorumPeerMain",
    "broker": "kafka.Kafka",
    "controller": "kafka.Kafka",
}

#: Options of every JVM. When it runs out of memory it ends, so that the supervisor sees it and the log says why.
SAFETY = ("-XX:+ExitOnOutOfMemoryError", "-Djava.net.preferIPv4Stack=true", "-Djava.awt.headless=true")


@dataclass(frozen=True, slots=True)
class Style:
    """JVM options of a cluster: the heaps of brokers (and controllers) and of ZooKeepers, and flags for all."""

    broker_heap: tuple[str, ...]
    zookeeper_heap: tuple[str, ...]
    flags: tuple[str, ...]


#: Options for lessons: these JVMs start fast and stay small, because they live only for a lesson.
LESSON = Style(
    broker_heap=("-Xms64m", "-Xmx192m"),
    zookeeper_heap=("-Xms32m", "-Xmx96m"),
    flags=(
        # One collector thread instead of a pool; heaps this small are collected in milliseconds.
        "-XX:+UseSerialGC",
        # The optimising compiler's threads would fight the brokers for two cores and hardly pay off in minutes.
        "-XX:TieredStopAtLevel=1",
        "-XX:ReservedCodeCacheSize=48m",
        # No memory-mapped file of statistics, because we do not read it.
        "-XX:-UsePerfData",
    ),
)

#: The same for a machine with 1 to 2 GB: KAFKALAB_PROFILE=small.
SMALL = replace(LESSON, broker_heap=("-Xms32m", "-Xmx96m"), zookeeper_heap=("-Xms16m", "-Xmx48m"))

#: Options that Kafka's own start scripts set; only `kafkalab bench` uses them, to compare.
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
    """Return the style that the profile of this process asks for."""
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
    """Return the command that runs a node; the class path is in the environment, so that `ps` stays readable."""
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


# --- Class-data archives: the classes of a broker, parsed once and mapped into memory by every later JVM.
#
# They save about a third of the processor time of a start, or of a call of one of Kafka's tools, and 30 MB of a
# cluster's memory.


def path(java: Java, mode: Mode, role: Role) -> Path:
    """Return the path of the archive for a role, whether the archive exists or not."""
    return archives() / f"{mode}-{role}-{_key(java, mode, jar_set(mode).classpath())}.jsa"


def roles(mode: Mode) -> tuple[Role, ...]:
    """Return the roles that have an archive of their own."""
    return ("zookeeper", "broker") if mode == "zookeeper" else ("broker",)


def made(java: Java, mode: Mode) -> bool:
    """Return whether every archive of a mode exists that this Java can make."""
    return hopeless(java, mode).exists() or all(path(java, mode, role).is_file() for role in roles(mode))


def hopeless(java: Java, mode: Mode) -> Path:
    """Return the path of a marker beside the archives, which says that this Java cannot make them: do not try again."""
    return path(java, mode, "broker").with_suffix(".none")


@functools.lru_cache(maxsize=8)
def _key(java: Java, mode: Mode, classpath: str) -> str:
    """Return a hash of the Java and the jars with their times, because the JVM refuses an archive of older jars."""
    stamps = [str(jar_set(mode).path(jar).stat().st_mtime_ns) for jar in jar_set(mode).jars]
    return hashlib.sha256("\n".join([java.text, str(java.home), classpath, *stamps]).encode()).hexdigest()[:16]
