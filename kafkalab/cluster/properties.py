"""Turns a spec into the files that Kafka and ZooKeeper read. Pure; keys are sorted, so that files can be compared.

Settings differ from Kafka's defaults where a lesson needs it, and each has a comment with the reason. They trade
throughput and patience for quick starts and for failovers that one can watch. None changes what Kafka guarantees.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from kafkalab.cluster.net import LOCAL, LOOPBACK, Net
from kafkalab.cluster.spec import ClusterSpec, NodeSpec

#: Settings of every broker, in both modes, that make Kafka quick enough for a lesson.
LESSON_SPEED = {
    # A few clients, not hundreds: fewer threads start sooner and use less memory.
    "num.network.threads": "1",
    "num.io.threads": "2",
    "background.threads": "2",
    "num.recovery.threads.per.data.dir": "1",
    # The default of 128 MiB is allocated at once by each broker; topics here are small.
    "log.cleaner.dedupe.buffer.size": str(4 * 1024 * 1024),
    "log.cleaner.threads": "1",
    # 3 partitions are as instructive as 50 and are created in a fraction of the time.
    "offsets.topic.num.partitions": "3",
    "transaction.state.log.num.partitions": "3",
    # Do not wait 3 s for more members before the first assignment: a learner starts consumers by hand.
    "group.initial.rebalance.delay.ms": "0",
    # Let a learner choose a short session timeout, so that a dead consumer is soon noticed.
    "group.min.session.timeout.ms": "1000",
    # A follower that fetches nothing for 10 s leaves the ISR (default 30 s): a class can watch 10 s.
    "replica.lag.time.max.ms": "10000",
    # Kafka checks every 300 s whether the preferred leader should lead again; we keep that, because the labs show it.
    "auto.leader.rebalance.enable": "true",
    # Brokers share one disk with the learner: do not preallocate a 10 MiB index for each of a hundred segments.
    "log.index.size.max.bytes": str(1024 * 1024),
    # Retention is checked every 5 minutes by default; the lab on retention should not take as long.
    "log.retention.check.interval.ms": "10000",
    # The first check comes 30 s after a start by default; the lab should not wait for that either.
    "log.initial.task.delay.ms": "5000",
}


def broker(
    spec: ClusterSpec,
    node: NodeSpec,
    nodes: Sequence[NodeSpec],
    data: str,
    speed: Mapping[str, str] = LESSON_SPEED,
    net: Net = LOCAL,
) -> dict[str, str]:
    """Return the settings of one broker or KRaft controller; ``data`` is its log directory."""
    replication = str(min(3, spec.brokers))
    settings = {
        **speed,
        "broker.id" if spec.mode == "zookeeper" else "node.id": str(node.id),
        "log.dirs": data,
        # The internal topics survive the same failures as the user's topics.
        "offsets.topic.replication.factor": replication,
        "transaction.state.log.replication.factor": replication,
        "transaction.state.log.min.isr": str(max(1, min(3, spec.brokers) - 1)),
    }
    if node.rack is not None:
        settings["broker.rack"] = node.rack
    specific = _with_zookeeper if spec.mode == "zookeeper" else _with_kraft
    return {**settings, **specific(spec, node, nodes, net), **spec.settings}


def _with_zookeeper(spec: ClusterSpec, node: NodeSpec, nodes: Sequence[NodeSpec], net: Net) -> dict[str, str]:
    return {
        **_listeners(node, net),
        "zookeeper.connect": ",".join(f"{net.host(n)}:{net.ports(n)[0]}" for n in nodes if n.role == "zookeeper"),
        # No failover is quicker: the controller learns of a dead broker only when its session ends (default 18 s).
        "zookeeper.session.timeout.ms": str(_session(spec)),
        # The last broker of a cluster has no other to hand over to, and asks three times before it ends (default: 5 s
        # apart). Its ZooKeeper session ends with it, so partitions that it kept get another leader at once anyway.
        "controlled.shutdown.retry.backoff.ms": "100",
        # Brokers start at the same time as their ZooKeeper and wait for it.
        "zookeeper.connection.timeout.ms": "30000",
    }


def _with_kraft(spec: ClusterSpec, node: NodeSpec, nodes: Sequence[NodeSpec], net: Net) -> dict[str, str]:
    session = _session(spec)
    roles = [*(["broker"] if node.role == "broker" else []), *(["controller"] if node.is_voter else [])]
    voting = f"CONTROLLER://{net.bind}:{net.ports(node)[1]}"
    if node.role == "broker":
        listeners = _listeners(node, net)
        listeners["listeners"] += f",{voting}" if node.is_voter else ""
        listeners["listener.security.protocol.map"] += ",CONTROLLER:PLAINTEXT"
    else:
        listeners = {"listeners": voting, "listener.security.protocol.map": "CONTROLLER:PLAINTEXT"}
    return {
        **listeners,
        "process.roles": ",".join(roles),
        "controller.listener.names": "CONTROLLER",
        "controller.quorum.voters": ",".join(f"{n.id}@{net.host(n)}:{net.ports(n)[1]}" for n in nodes if n.is_voter),
        # No failover is quicker, as with ZooKeeper (default 9 s). Several heartbeats must fit into it.
        # We send even more: a broker that stops asks by heartbeat whether it may, and the majority may soon be gone.
        "broker.session.timeout.ms": str(session),
        "broker.heartbeat.interval.ms": str(max(100, session // 20)),
        # The voters notice by their fetches that the active controller is dead (default 2 s), and elect another one.
        "controller.quorum.fetch.timeout.ms": str(max(500, session // 2)),
        "controller.quorum.election.timeout.ms": "500",
        # The course leaves share groups out, but their state topic is kept as small as the other internal topics.
        "share.coordinator.state.topic.num.partitions": "3",
        "share.coordinator.state.topic.replication.factor": str(min(3, spec.brokers)),
        "share.coordinator.state.topic.min.isr": "1",
    }


def _listeners(node: NodeSpec, net: Net) -> dict[str, str]:
    found = net.listeners(node)
    return {
        "listeners": ",".join(f"{name}://{at}" for name, (at, _) in found.items()),
        "advertised.listeners": ",".join(f"{name}://{told}" for name, (_, told) in found.items()),
        "inter.broker.listener.name": list(found)[-1],
        "listener.security.protocol.map": ",".join(f"{name}:PLAINTEXT" for name in found),
    }


def _session(spec: ClusterSpec) -> int:
    """Return the milliseconds of silence after which a broker counts as dead."""
    return round(spec.session_timeout * 1000)


def zookeeper(
    spec: ClusterSpec, node: NodeSpec, nodes: Sequence[NodeSpec], data: str, net: Net = LOCAL
) -> dict[str, str]:
    """Return the settings of one ZooKeeper server."""
    settings = {
        "dataDir": data,
        "clientPort": str(net.ports(node)[0]),
        "clientPortAddress": net.bind,
        # ZooKeeper allows session timeouts of 2 to 20 ticks, so the tick must fit the brokers' session timeout.
        "tickTime": str(max(100, round(spec.session_timeout * 1000 / 6))),
        "maxClientCnxns": "0",
        # We do not need its HTTP server, which would listen on every interface.
        "admin.enableServer": "false",
        # The commands with which the views ask which server leads the ensemble.
        "4lw.commands.whitelist": "srvr,ruok",
        # Data must survive the end of a process, but not a power cut: waiting for the disk would only slow the start.
        "forceSync": "no",
    }
    ensemble = [n for n in nodes if n.role == "zookeeper"]
    if len(ensemble) > 1:
        settings |= {"initLimit": "60", "syncLimit": "20", "quorumListenOnAllIPs": str(net.bind != LOOPBACK).lower()}
        settings |= {f"server.{n.id}": ":".join(map(str, (net.host(n), *net.ports(n)[2:]))) for n in ensemble}
    return settings


def render(settings: Mapping[str, str]) -> str:
    """Return a Java properties file with sorted keys."""
    return "".join(f"{_escape(key)}={_escape(settings[key])}\n" for key in sorted(settings))


def _escape(text: str) -> str:
    """Escape a text for java.util.Properties, which reads Latin-1: other than ASCII becomes UTF-16 in ``\\u`` escapes.

    A backslash would escape, a line break would begin another setting, and a blank at the beginning would be dropped.
    """
    text = text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")
    text = f"\\{text}" if text.startswith((" ", "\t", "\f")) else text
    return "".join(c if c.isascii() else json.dumps(c)[1:-1] for c in text)


#: Logging of a node in Kafka 3.9, and below in Kafka 4: to standard output, which the supervisor keeps as its log.
#: Kafka 4 has a shutdown hook. It is off, because a node that is told to end would fall silent before it has ended.
LOG4J_1 = """log4j.rootLogger=INFO, stdout
log4j.appender.stdout=org.apache.log4j.ConsoleAppender
log4j.appender.stdout.layout=org.apache.log4j.PatternLayout
log4j.appender.stdout.layout.ConversionPattern=[%d] %p %m (%c)%n
log4j.logger.org.apache.zookeeper=WARN
log4j.logger.org.apache.zookeeper.server.quorum=INFO
log4j.logger.kafka.server.KafkaConfig=WARN
log4j.logger.org.apache.kafka.common.config=WARN
"""

LOG4J_2 = """shutdownHook=disable
rootLogger.level=INFO
rootLogger.appenderRef.stdout.ref=stdout
appender.stdout.type=Console
appender.stdout.name=stdout
appender.stdout.layout.type=PatternLayout
appender.stdout.layout.pattern=[%d] %p %m (%c)%n
logger.config.name=org.apache.kafka.common.config
logger.config.level=WARN
logger.server.name=kafka.server.KafkaConfig
logger.server.level=WARN
"""

#: Logging of the tools: warnings go to standard error, because their results go to standard output.
TOOLS_LOG4J_1 = LOG4J_1.replace("INFO, stdout", "WARN, stdout") + "log4j.appender.stdout.target=System.err\n"
TOOLS_LOG4J_2 = LOG4J_2.replace("rootLogger.level=INFO", "rootLogger.level=WARN") + (
    "appender.stdout.target=SYSTEM_ERR\n"
)
