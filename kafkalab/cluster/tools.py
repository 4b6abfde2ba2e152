"""Runs Kafka's own command-line tools from the locked jars, under the names they have in Kafka's ``bin`` folder."""

from __future__ import annotations

import os
import shlex
import stat
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from kafkalab.cluster import jvm, properties
from kafkalab.cluster.jars import jar_set
from kafkalab.cluster.java import environment, find_java, with_archive
from kafkalab.errors import BadInput, ToolFailed
from kafkalab.home import cache_dir, make_dir
from kafkalab.state.model import Mode

_TOOLS = "org.apache.kafka.tools."


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: its main class in each Kafka (None: not in that one), and the option for the brokers' addresses."""

    zookeeper: str | None
    kraft: str | None
    bootstrap: str | None = "--bootstrap-server"

    def main(self, mode: Mode) -> str | None:
        """Return its main class in the Kafka of a mode; None when that Kafka does not have it."""
        return self.zookeeper if mode == "zookeeper" else self.kraft


def _same(main: str, bootstrap: str | None = "--bootstrap-server") -> Tool:
    return Tool(main, main, bootstrap)


TOOLS: dict[str, Tool] = {
    "kafka-acls": Tool("kafka.admin.AclCommand", _TOOLS + "AclCommand"),
    "kafka-broker-api-versions": Tool("kafka.admin.BrokerApiVersionsCommand", _TOOLS + "BrokerApiVersionsCommand"),
    "kafka-cluster": _same(_TOOLS + "ClusterTool"),
    "kafka-configs": _same("kafka.admin.ConfigCommand"),
    "kafka-console-consumer": _same(_TOOLS + "consumer.ConsoleConsumer"),
    "kafka-console-producer": Tool("kafka.tools.ConsoleProducer", _TOOLS + "ConsoleProducer"),
    "kafka-consumer-groups": _same(_TOOLS + "consumer.group.ConsumerGroupCommand"),
    "kafka-consumer-perf-test": _same(_TOOLS + "ConsumerPerformance"),
    "kafka-delete-records": _same(_TOOLS + "DeleteRecordsCommand"),
    "kafka-dump-log": Tool("kafka.tools.DumpLogSegments", _TOOLS + "DumpLogSegments", None),
    "kafka-features": _same(_TOOLS + "FeatureCommand"),
    "kafka-get-offsets": _same(_TOOLS + "GetOffsetShell"),
    "kafka-groups": Tool(None, _TOOLS + "GroupsCommand"),
    "kafka-leader-election": _same(_TOOLS + "LeaderElectionCommand"),
    "kafka-log-dirs": _same(_TOOLS + "LogDirsCommand"),
    "kafka-metadata-quorum": _same(_TOOLS + "MetadataQuorumCommand"),
    "kafka-producer-perf-test": _same(_TOOLS + "ProducerPerformance", None),
    "kafka-reassign-partitions": _same(_TOOLS + "reassign.ReassignPartitionsCommand"),
    "kafka-server-start": _same("kafka.Kafka", None),
    "kafka-storage": _same("kafka.tools.StorageTool", None),
    "kafka-topics": _same(_TOOLS + "TopicCommand"),
    "kafka-transactions": _same(_TOOLS + "TransactionsCommand"),
    "kafka-verifiable-consumer": _same(_TOOLS + "VerifiableConsumer"),
    "kafka-verifiable-producer": _same(_TOOLS + "VerifiableProducer"),
    "zookeeper-server-start": Tool("org.apache.zookeeper.server.quorum.QuorumPeerMain", None, None),
    "zookeeper-shell": Tool("org.apache.zookeeper.ZooKeeperMainWithTlsSupportForKafka", None, "-server"),
}


class Printed(str):
    """A tool's output. At the end of a cell, a notebook shows its lines unbroken, and wide ones scroll."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return f'<pre style="white-space:pre;overflow-x:auto;tab-size:4">{escape(self)}</pre>'

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True, slots=True)
class Where:
    """The cluster that a tool works on: its mode (which decides whose tools to run), its brokers, its ZooKeepers."""

    mode: Mode
    bootstrap_servers: str
    zookeeper_connect: str = ""


def arguments(name: str, args: Sequence[str], where: Where) -> tuple[str, list[str]]:
    """Return (main class, arguments) of a tool, with the addresses of the brokers filled in unless given. Pure."""
    known = TOOLS.get(name.removesuffix(".sh"))
    if known is None:
        raise BadInput(f"Kafka has no tool {name!r}, or kafkalab does not carry it.", do="Tools: " + ", ".join(TOOLS))
    main = known.main(where.mode)
    if main is None:
        other = "Kafka 4 (KRaft)" if where.mode == "zookeeper" else "Kafka 3.9 (ZooKeeper)"
        raise BadInput(f"{name} belongs to {other}; this cluster is the other kind.")
    given = [str(a) for a in args]
    if known.bootstrap == "--bootstrap-server" and not any(a.split("=")[0] in _places(name) for a in given):
        # In front, because some tools want it before their verb; only kafka-cluster wants it at the end.
        told = ["--bootstrap-server", where.bootstrap_servers]
        given = [*given, *told] if main.endswith("ClusterTool") else [*told, *given]
    elif known.bootstrap == "-server" and "-server" not in given:
        # As in Kafka's script, the server may come first, without its option.
        given = ["-server", *given] if given and ":" in given[0] else ["-server", where.zookeeper_connect, *given]
    return main, given


#: Options that tell a tool the addresses, or make them unnecessary; we add no addresses to a command with one.
_PLACES = ("--bootstrap-server", "--zookeeper", "--bootstrap-controller", "--version", "--help")


def _places(tool: str) -> tuple[str, ...]:
    """Return the options that tell a tool the addresses or make them unnecessary; in two, --broker-list means ids."""
    lists_ids = tool.removesuffix(".sh") in ("kafka-log-dirs", "kafka-reassign-partitions")
    return _PLACES if lists_ids else (*_PLACES, "--broker-list")


def command(name: str, args: Sequence[str], where: Where) -> tuple[list[str], dict[str, str]]:
    """Return the command line of a tool and the environment for it."""
    main, given = arguments(name, args, where)
    return [*_java(where.mode), main, *given], environment(CLASSPATH=jar_set(where.mode).classpath())


def run(name: str, args: Sequence[str], where: Where, *, input: str | None = None, timeout: float = 60.0) -> Printed:
    """Run a tool and return its output; if it fails, ToolFailed carries its messages.

    :param input: text for its standard input (a console producer's records).
    :param timeout: seconds; a tool that is still running then (a console consumer without an end) is ended: an error.
    """
    argv, env = command(name, args, where)
    try:
        done = subprocess.run(argv, env=env, input=input or "", capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired as e:
        printed = e.stdout.decode(errors="replace") if isinstance(e.stdout, bytes) else (e.stdout or "")
        raise ToolFailed(
            f"{name} was still running after {timeout:g} s and was ended.",
            seen=f"{len(printed.splitlines())} lines printed",
            do="Give it a limit (--max-messages N, --timeout-ms N), give a longer timeout=, or run it in a terminal.",
            log="\n".join(printed.splitlines()[-20:]),
        ) from e
    if done.returncode:
        said = (done.stdout + done.stderr).strip().splitlines()
        raise ToolFailed(
            f"{name} ended with {done.returncode}.",
            seen=said[0][:300] if said else "no output",
            log="\n".join(said[-20:]),
        )
    return Printed(done.stdout)


def write_launchers(folder: Path, mode: Mode, cluster: Sequence[str]) -> Path:
    """Write shell scripts with the tools' usual names (with and without .sh) into a folder for PATH; return it.

    :param cluster: the options of ``kafkalab tool`` that name the cluster.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name in (name for name, tool in TOOLS.items() if tool.main(mode) is not None):
        command = shlex.join([sys.executable, "-P", "-m", "kafkalab", "tool", *cluster, name])
        for script in (folder / name, folder / f"{name}.sh"):
            script.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
            script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return folder


def _java(mode: Mode) -> list[str]:
    """Return the start of a tool's command: a JVM that starts fast and keeps warnings apart from the results."""
    logging = "-Dlog4j.configuration=" if mode == "zookeeper" else "-Dlog4j2.configurationFile="
    config = cache_dir() / "tools" / f"logging-{mode}.properties"
    text = properties.TOOLS_LOG4J_1 if mode == "zookeeper" else properties.TOOLS_LOG4J_2
    if not config.exists() or config.read_text() != text:
        make_dir(config.parent, "KAFKALAB_CACHE")
        config.write_text(text)
    java = find_java()
    # The brokers' archive: it is for the same jars, and it holds most of a tool's classes.
    sharing = with_archive(jvm.path(java, mode, "broker"))
    speed = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xmx256m", *sharing]
    return [str(java.executable), *speed, "-Djava.net.preferIPv4Stack=true", f"{logging}{config.as_uri()}"]


def replace_process(name: str, args: Sequence[str], where: Where) -> None:
    """Replace this process by the tool, which then has the terminal's streams and signals and sets the exit code."""
    argv, env = command(name, args, where)
    sys.stdout.flush()
    os.execvpe(argv[0], argv, env)
