"""The nodes of a cluster of containers: their states, the verbs, and waiting until a node is up."""

from __future__ import annotations

import contextlib
import socket
import tarfile
import time
from collections.abc import Callable, Iterator
from typing import IO, Any, cast

from kafkalab.cluster import probe
from kafkalab.cluster.docker import options
from kafkalab.cluster.docker.containers import Containers
from kafkalab.cluster.docker.engine import is_missing, speaking
from kafkalab.cluster.net import LOOPBACK
from kafkalab.cluster.owned import START_DEADLINE, STOP_GRACE, OwnedNodes
from kafkalab.cluster.spec import NodeSpec
from kafkalab.errors import KafkalabError, NodeFailed, StartFailed, WaitTimeout
from kafkalab.state.log.segments import LogDir, is_segment
from kafkalab.state.model import NodeState, State, Verb
from kafkalab.waiting import wait_until

# --- The files of a broker's logs: read by a command in its container, or copied out when the container does not run.


class ContainerLogDir:
    """The files of a broker's logs in its volume. See :class:`kafkalab.state.log.segments.LogDir`."""

    def __init__(self, client: Any, container: str) -> None:
        self._client = client
        self._container = container

    def segments(self, topic: str, partition: int) -> tuple[tuple[str, int], ...]:
        """Return the segment files of a partition, (name, bytes), oldest first."""
        folder = f"{options.DATA}/{topic}-{partition}"
        told = self._run("cd -- \"$1\" && stat -c '%s %n' -- *.log", folder)
        if told is not None:
            pairs = (line.split(" ", 1) for line in told.decode().splitlines())
            return tuple(sorted((name, int(size)) for size, name in pairs if is_segment(name)))
        with self._archive(folder) as archive:
            files = ((member.name.rpartition("/")[2], member.size) for member in archive or ())
            return tuple(sorted((name, size) for name, size in files if is_segment(name)))

    def read(self, topic: str, partition: int, segment: str, at: int, size: int) -> bytes:
        """Return ``size`` bytes of a segment, beginning at byte ``at``."""
        path = f"{options.DATA}/{topic}-{partition}/{segment}"
        told = self._run('tail -c +"$2" -- "$1" | head -c "$3"', path, str(at + 1), str(size))
        if told is not None:
            return told
        with self._archive(path) as archive:
            member = archive.next() if archive else None
            file = archive.extractfile(member) if archive and member else None
            if file is None:
                return b""
            file.read(at)
            return file.read(size)

    def _run(self, script: str, *args: str) -> bytes | None:
        """Return what a script in the container printed; None when it failed or the container does not run."""
        from docker.errors import APIError

        api = self._client.api
        with speaking("The broker's log could not be read."):
            try:
                command = ["bash", "-c", f"set -e; {script}", "bash", *args]
                asked = api.exec_create(self._container, command, stderr=False)
                printed = cast(bytes, api.exec_start(asked["Id"]))
                return printed if api.exec_inspect(asked["Id"])["ExitCode"] == 0 else None
            except APIError:
                return None  # stopped or paused: the engine itself can read its files

    @contextlib.contextmanager
    def _archive(self, path: str) -> Iterator[tarfile.TarFile | None]:
        """Yield a file or folder of the container as a tar archive, read as it arrives; None when it does not exist."""
        try:
            with speaking("The broker's log could not be read."):
                chunks, _ = self._client.api.get_archive(self._container, path)
        except NodeFailed as e:
            if e.__cause__ is None or not is_missing(e.__cause__):
                raise
            yield None
            return
        with tarfile.open(fileobj=cast("IO[bytes]", _Stream(chunks)), mode="r|") as archive:
            yield archive


class _Stream:
    """Makes chunks of bytes readable as a file, once and from beginning to end."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = iter(chunks)
        self._left = b""

    def read(self, size: int) -> bytes:
        parts, have = [self._left], len(self._left)
        while have < size and (chunk := next(self._chunks, b"")):
            parts.append(chunk)
            have += len(chunk)
        data = b"".join(parts)
        self._left = data[size:]
        return data[:size]


class DockerNodes(OwnedNodes):
    """The nodes of a cluster, each a container: list them, end them, cut them off, start them and wait for them."""

    _containers: Containers | None = None

    def nodes(self) -> tuple[NodeState, ...]:
        """Return every node with the state of its container; "unknown" when the engine does not answer."""
        self._read_layout()
        found: dict[str, tuple[State, str]] = {}
        missing: State = "stopped"
        if self._containers is not None:
            try:
                found = self._containers.states()
            except NodeFailed:
                missing = "unknown"
        states = []
        for n in self.layout:
            state, container = found.get(n.name, (missing, None))
            # A dedicated controller has no clients, so its port is not published.
            port = None if n.role == "controller" else n.port
            states.append(NodeState(n.name, n.role, n.id, state, port, None, container, severable=True))
        return tuple(states)

    def act(self, node: str, verb: Verb) -> None:
        """Carry out a verb on a node; a verb that has already taken effect is no error."""
        containers = self._running()
        spec, found = self._find(node)
        state = found.state
        if state == "unknown":
            raise NodeFailed("The Docker engine does not answer.", do="Check whether it is running: `docker version`.")
        if state == "stopped":
            if verb == "start":
                self._start_node(spec)
            elif verb not in ("stop", "kill"):
                raise NodeFailed(f"{node} is stopped, so you cannot {verb} it.", do="Start it first.")
        elif verb == "stop":
            containers.stop(node, STOP_GRACE)
        elif verb == "kill":
            containers.kill(node)
        elif verb == "cut":
            if containers.is_connected(node):
                containers.cut(node)
        elif verb == "pause":
            if state != "paused":
                containers.pause(node)
        else:
            self._bring_back(spec, verb, state)

    def _bring_back(self, node: NodeSpec, verb: Verb, state: State) -> None:
        """Carry out resume or join, or start a node that is paused or cut off."""
        containers = self._running()
        if state == "paused" and verb in ("resume", "start"):
            containers.resume(node.name)
        if verb in ("join", "start") and not containers.is_connected(node.name):
            containers.join(node.name)
            if state != "paused" or verb == "start":
                self._wait_back(node)

    def _start_node(self, node: NodeSpec) -> None:
        containers = self._running()
        try:
            if node.name not in containers.states():  # somebody removed it by hand
                self._make(node)
            containers.start(node.name)
            if node.role != "broker" or not self._majority():
                # It can only listen: an ensemble or a quorum without a majority registers no node.
                self._wait_listening(node)
            else:
                self._wait_registered([node])
        except (StartFailed, WaitTimeout) as e:
            raise NodeFailed(f"{node.name} did not come back.", seen=e.seen or e.what, do=e.do, log=e.log) from e

    def _make(self, node: NodeSpec) -> None:
        raise NotImplementedError

    def _running(self) -> Containers:
        if self._containers is None:
            raise NodeFailed(f"The cluster {self.spec.name!r} is not running.", do="Start it: cluster.start()")
        return self._containers

    def log_tail(self, node: str, lines: int = 20) -> str:
        """Return the last lines of a node's log, also after the cluster has gone."""
        if self._containers is not None:
            with contextlib.suppress(KafkalabError):
                if (log := self._containers.log(node, lines)) is not None:
                    return log
        return self.folder.tail(node, lines)

    def log_dir(self, broker: int) -> LogDir | None:
        """Return the files of a broker's logs, in its volume; None when the cluster is not running."""
        if self._containers is None:
            return None
        return ContainerLogDir(self._containers.client, options.name(self.spec.name, f"broker-{broker}"))

    # what the cluster says of itself

    def _wait_listening(self, node: NodeSpec) -> None:
        containers = self._running()

        def listening() -> bool:
            if self._is_down(node):
                raise self._ended(node)
            return containers.listens(node)

        wait_until(
            listening, START_DEADLINE, f"{node.name} to listen", period=0.1, log=lambda: self.log_tail(node.name)
        )

    def _wait_back(self, node: NodeSpec) -> None:
        """Wait after a join until the other nodes, which may have given this one up, know it again.

        To ask the node itself is not enough: while it was cut off, it did not hear that the others had given it up.
        """
        running = [n for n in self.layout if n.name in {s.name for s in self.nodes() if s.state == "running"}]
        if node.role == "zookeeper":
            ensemble = [n for n in self.layout if n.role == "zookeeper"]
            if 2 * sum(n in running for n in ensemble) > len(ensemble):
                wait_until(lambda: _serves(node), START_DEADLINE, f"{node.name} to be in the ensemble again")
            return
        if node.role != "broker" or not self._majority():
            self._wait_listening(node)
            return
        others = [n for n in running if n.role == "broker" and n is not node]
        last = ""

        def known() -> bool:
            nonlocal last
            for asked in (node, *others):
                answer = probe.ask(LOOPBACK, asked.port, 2.0)
                if isinstance(answer, str):
                    last = answer
                elif node.id in answer.brokers:
                    continue
                else:
                    last = f"{asked.name} knows the brokers {sorted(answer.brokers)}"
                return False
            return True

        try:
            wait_until(known, START_DEADLINE, f"{node.name} to be registered again", seen=lambda: last)
        except WaitTimeout as e:
            raise NodeFailed(f"{node.name} did not come back.", seen=last, log=self.log_tail(node.name)) from e

    def _cluster_id_of(self) -> Callable[[NodeSpec], str | None]:
        """Return a function that gives a node's cluster id: in KRaft mode the one we chose, else that in its data."""
        containers, known = self._running(), dict[str, str]()
        looked = dict[str, float]()

        def ask(node: NodeSpec) -> str | None:
            if self.spec.mode == "kraft":
                return self.cluster_id
            # The engine copies a file out for each question, so we do not ask more often than needed.
            if node.name not in known and time.monotonic() - looked.get(node.name, 0.0) > 0.2:
                looked[node.name] = time.monotonic()
                if (id := containers.cluster_id(node.name)) is not None:
                    known[node.name] = id
            return known.get(node.name)

        return ask

    def _why_ended(self, node: NodeSpec) -> str:
        with contextlib.suppress(KafkalabError):
            return self._running().why_ended(node.name)
        return ""

    def _launch(self, node: NodeSpec) -> None:
        self._running().start(node.name)


def _serves(node: NodeSpec) -> bool:
    """Return whether a ZooKeeper serves clients: alone, or in an ensemble that has a leader."""
    with contextlib.suppress(OSError), socket.create_connection((LOOPBACK, node.port), 1.0) as connection:
        connection.sendall(b"srvr")
        with connection.makefile("rb") as answer:
            return b"\nMode: " in answer.read(4096)
    return False
