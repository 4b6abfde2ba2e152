"""The nodes of a local cluster, one by one: what their processes are, and what is done to them."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import time
from collections.abc import Callable, Sequence
from typing import Any

from kafkalab.cluster import archive, jvm, supervised
from kafkalab.cluster.backend import NodeState, State, Verb
from kafkalab.cluster.folder import ClusterFolder
from kafkalab.cluster.jars import jar_set
from kafkalab.cluster.java import find_java
from kafkalab.cluster.ports import holder, is_free
from kafkalab.cluster.registration import Registration, cluster_id_on_disk
from kafkalab.cluster.spec import NodeSpec
from kafkalab.cluster.wire import OverTheWire
from kafkalab.errors import BadInput, NodeFailed, NotSupported, StartFailed, WaitTimeout
from kafkalab.waiting import wait_until

#: Seconds; generous, for a machine that is busy with other things. Waiting ends as soon as the cluster says so.
START_DEADLINE = 120.0
#: What a broker gets to hand over its partitions after SIGTERM. One whose ZooKeeper is gone would wait for ever.
STOP_GRACE = 15.0


class LocalNodes(OverTheWire):
    """Child processes of one supervisor, by name: seen, signalled, started and waited for."""

    #: How its JVMs are set; `kafkalab bench` compares with Kafka's own.
    style: jvm.Style = jvm.LESSON
    folder: ClusterFolder
    throw_away: bool
    _supervised: supervised.Supervised | None = None
    _layout_read: int = 0
    #: The processes of the last start, to see that they are gone when it failed.
    _spawned: dict[str, Any]

    def nodes(self) -> tuple[NodeState, ...]:
        """Every node as its process is."""
        self._read_layout()
        found = self._client().ask("nodes")["nodes"] if self._supervised is not None else {}
        gone: dict[str, object] = {"state": "stopped", "pid": None}
        states: list[NodeState] = []
        for n in self.layout:
            seen = found.get(n.name, gone)
            state: State = seen["state"]
            states.append(NodeState(n.name, n.role, n.id, state, n.port, seen["pid"]))
        return tuple(states)

    def _read_layout(self) -> None:
        """Another process may have added or removed a broker meanwhile."""
        with contextlib.suppress(OSError, BadInput):
            changed = (self.folder.path / "cluster.json").stat().st_mtime_ns
            if self.layout and changed != self._layout_read:
                self.layout, self._layout_read = self.folder.read()[1], changed

    def act(self, node: str, verb: Verb) -> None:
        """Carry out a verb; doing what is done already is no error."""
        spec = next((n for n in self.layout if n.name == node), None)
        state = next((n for n in self.nodes() if n.name == node), None)
        if spec is None or state is None:
            raise NodeFailed(f"There is no node {node!r}.", do="Nodes: " + ", ".join(n.name for n in self.layout))
        if verb in ("cut", "join"):
            raise NotSupported(
                f"{node} cannot be asked to {verb}: local processes share one network, this machine's.",
                do='Pause it: to the others that looks alike. Or take containers: Cluster(backend="docker").',
            )
        if verb in ("pause", "resume") and state.state == "stopped":
            raise NodeFailed(f"{node} is stopped and cannot {verb}.", do="Start it first.")
        if verb == "start":
            if state.state == "stopped":
                self._start_node(spec)
            elif state.state == "paused":
                self._signal(node, signal.SIGCONT)
        elif verb == "pause":
            self._signal(node, signal.SIGSTOP)
            # The signal is sent; each thread of a JVM stands still a moment later.
            wait_until(lambda: _stands_still(state.pid), 10, f"{node} to stand still", period=0.005)
        elif verb == "resume":
            self._signal(node, signal.SIGCONT)
        elif state.state != "stopped":
            self._end_node(spec, verb)

    def _end_node(self, node: NodeSpec, verb: Verb) -> None:
        if verb == "stop":
            self._signal(node.name, signal.SIGTERM)
            with contextlib.suppress(WaitTimeout):
                self._wait_ended(node, STOP_GRACE)
                return
        # Killed on purpose, or deaf to SIGTERM: a broker without its ZooKeeper waits for it for ever.
        with contextlib.suppress(NodeFailed):
            self._signal(node.name, signal.SIGKILL)
        self._wait_ended(node, 10)

    def _start_node(self, node: NodeSpec) -> None:
        taken = [p for p in node.ports if not is_free(p)]
        if taken:
            raise NodeFailed(f"{node.name} cannot start: its port {taken[0]} is taken.", seen=holder(taken[0]))
        self._spawn(node)
        try:
            if node.role != "broker" or not self._majority():
                # Alone it can do no more than listen: an ensemble or a quorum without a majority registers nobody.
                self._wait_listening(node)
            else:
                self._wait_registered([node])
        except (StartFailed, WaitTimeout) as e:
            raise NodeFailed(f"{node.name} did not come back.", seen=e.seen, do=e.do, log=e.log) from e

    def _majority(self) -> bool:
        """Whether enough controllers run to register a broker; in ZooKeeper mode that is ZooKeeper's business."""
        voters = {n.name for n in self.layout if n.is_voter}
        running = [n for n in self.nodes() if n.name in voters and n.state == "running"]
        return not voters or 2 * len(running) > len(voters)

    def _wait_listening(self, node: NodeSpec) -> None:
        port = node.controller_port or node.port

        def listening() -> bool:
            if self._state(node) == "stopped":
                tail = self.log_tail(node.name)
                raise StartFailed(f"{node.name} ended while it was starting.", seen=_why(tail), log=tail)
            return not is_free(port)

        wait_until(listening, START_DEADLINE, f"{node.name} to listen", log=lambda: self.log_tail(node.name))

    def _wait_ended(self, node: NodeSpec, deadline: float) -> None:
        wait_until(
            lambda: self._state(node) == "stopped", deadline, f"{node.name} to end", period=0.02,
            log=lambda: self.log_tail(node.name),
        )  # fmt: skip

    def _state(self, node: NodeSpec) -> str:
        return next(n.state for n in self.nodes() if n.name == node.name)

    def _signal(self, node: str, number: signal.Signals) -> None:
        self._client().ask("signal", name=node, number=int(number))

    def _spawn(self, node: NodeSpec) -> None:
        java = find_java()
        log_config = self.folder.path / "logging.properties"
        argv = jvm.command(
            java, self.spec, node, self.folder.settings(node), log_config, self.style, self._sharing(node)
        )
        environment = {**os.environ, "CLASSPATH": jar_set(self.spec.mode).classpath()}
        log = str(self.folder.log(node.name))
        pid = self._client().ask("spawn", name=node.name, argv=argv, env=environment, log=log)["pid"]
        self._spawned[node.name] = _process(pid)

    def _sharing(self, node: NodeSpec) -> tuple[str, ...]:
        """JVM options on class-data archives."""
        return archive.use(find_java(), self.spec.mode, node.role) if self.style is jvm.LESSON else ()

    def _client(self) -> supervised.Supervised:
        if self._supervised is None:
            raise NodeFailed(f"The cluster {self.spec.name!r} is not running.", do="Start it: cluster.start()")
        return self._supervised

    def log_tail(self, node: str, lines: int = 20) -> str:
        """The last lines of a node's log, also after the cluster has gone."""
        return self.folder.tail(node, lines)

    # what the cluster says of itself

    def _wait_registered(self, starting: Sequence[NodeSpec], report: Callable[[int], None] = lambda up: None) -> None:
        """Wait until each starting broker answers as ours, with all of them registered; fail fast on a dead node."""
        waiting = Registration(
            self.spec,
            self.layout,
            starting,
            cluster_id_of=lambda node: cluster_id_on_disk(self.folder.data(node)),
            tail=self.log_tail,
        )
        end = time.monotonic() + START_DEADLINE

        def settled() -> bool:
            dead = [n for n in waiting.concerned() if self._state(n) == "stopped"]
            if dead and waiting.still_registered(dead[0]):
                self._spawn(dead[0])
            elif dead:
                raise StartFailed(
                    f"{dead[0].name} ended while it was starting.",
                    seen=_why(tail := self.log_tail(dead[0].name, 60)),
                    do=f"Its whole log: {self.folder.kept_logs if self.throw_away else self.folder.log(dead[0].name)}",
                    log="\n".join(tail.splitlines()[-20:]),
                )
            before = len(waiting.up)
            done = waiting.check()
            if len(waiting.up) > before:
                report(len(waiting.up))
            return done

        try:
            wait_until(settled, max(0.0, end - time.monotonic()), "the brokers to register", period=0.05)
        except WaitTimeout as e:
            late = next((n for n in starting if n.id not in waiting.up), starting[0])
            raise StartFailed(
                f"{late.name} did not register within {START_DEADLINE:g} s.",
                seen=waiting.last,
                do="The machine may be too busy or out of memory: fewer brokers, or try again.",
                log=self.log_tail(late.name),
            ) from e
        self.cluster_id = waiting.cluster_id


def _process(pid: int) -> Any:
    import psutil

    try:
        return psutil.Process(pid)
    except psutil.NoSuchProcess:
        return None


def _stands_still(pid: int | None) -> bool:
    import psutil

    try:
        return pid is None or psutil.Process(pid).status() in (psutil.STATUS_STOPPED, psutil.STATUS_TRACING_STOP)
    except psutil.NoSuchProcess:
        return True


def _why(tail: str) -> str:
    """The line of a log that most likely says why a node ended."""
    lines = tail.splitlines()
    telling = [line for line in lines if re.search(r"\b(FATAL|ERROR)\b|Exception|OutOfMemory|No space left", line)]
    return (telling[0] if telling else lines[-1] if lines else "its log is empty")[:300]
