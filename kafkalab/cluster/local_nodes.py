"""The nodes of a local cluster, one by one: what their processes are, and what is done to them."""

from __future__ import annotations

import contextlib
import shutil
import signal
from collections.abc import Callable
from typing import Any

from kafkalab.cluster import archive, jvm, supervised
from kafkalab.cluster.backend import NodeState, State, Verb
from kafkalab.cluster.jars import jar_set
from kafkalab.cluster.java import environment, find_java
from kafkalab.cluster.owned import START_DEADLINE, STOP_GRACE, OwnedNodes
from kafkalab.cluster.ports import holder, is_free
from kafkalab.cluster.registration import cluster_id_on_disk
from kafkalab.cluster.spec import NodeSpec
from kafkalab.errors import NodeFailed, NotSupported, StartFailed, WaitTimeout
from kafkalab.waiting import wait_until


class LocalNodes(OwnedNodes):
    """Child processes of one supervisor, by name: seen, signalled, started and waited for."""

    #: How its JVMs are set, if not as the profile says; `kafkalab bench` compares with Kafka's own.
    style: jvm.Style | None = None
    _supervised: supervised.Supervised | None = None
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

    def act(self, node: str, verb: Verb) -> None:
        """Carry out a verb; doing what is done already is no error."""
        spec, state = self._find(node)
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
        try:
            self._restore_storage(node)
            self._launch(node)
            if node.role != "broker" or not self._majority():
                # Alone it can do no more than listen: an ensemble or a quorum without a majority registers nobody.
                self._wait_listening(node)
            else:
                self._wait_registered([node])
        except (StartFailed, WaitTimeout) as e:
            raise NodeFailed(f"{node.name} did not come back.", seen=e.seen, do=e.do, log=e.log) from e

    def _restore_storage(self, node: NodeSpec) -> None:
        """Prepare the storage of a node whose data is gone, if the others know enough to fill it again."""
        raise NotImplementedError

    def _why_ended(self, node: NodeSpec) -> str:
        """A full disk, on which a node may not even have written that into its log."""
        with contextlib.suppress(OSError):
            if shutil.disk_usage(self.folder.data(node)).free < 2**20:
                return f"the disk of {self.folder.data(node)} is full"
        return ""

    def _wait_listening(self, node: NodeSpec) -> None:
        port = node.controller_port or node.port

        def listening() -> bool:
            if self._is_down(node):
                raise self._ended(node)
            return not is_free(port)

        wait_until(listening, START_DEADLINE, f"{node.name} to listen", log=lambda: self.log_tail(node.name))

    def _wait_ended(self, node: NodeSpec, deadline: float) -> None:
        wait_until(
            lambda: self._is_down(node), deadline, f"{node.name} to end", period=0.02,
            log=lambda: self.log_tail(node.name),
        )  # fmt: skip

    def _signal(self, node: str, number: signal.Signals) -> None:
        self._client().ask("signal", name=node, number=int(number))

    def _launch(self, node: NodeSpec) -> None:
        java = find_java()
        log_config = self.folder.path / "logging.properties"
        argv = jvm.command(
            java,
            self.spec,
            node,
            self.folder.settings(node),
            log_config,
            self.style or jvm.chosen(),
            self._sharing(node),
        )
        with_jars = environment(CLASSPATH=jar_set(self.spec.mode).classpath())
        log = str(self.folder.log(node.name))
        pid = self._client().ask("spawn", name=node.name, argv=argv, env=with_jars, log=log)["pid"]
        self._spawned[node.name] = _process(pid)

    def _sharing(self, node: NodeSpec) -> tuple[str, ...]:
        """JVM options on class-data archives."""
        return archive.use(find_java(), self.spec.mode, node.role) if self.style is None else ()

    def _client(self) -> supervised.Supervised:
        if self._supervised is None:
            raise NodeFailed(f"The cluster {self.spec.name!r} is not running.", do="Start it: cluster.start()")
        return self._supervised

    def log_tail(self, node: str, lines: int = 20) -> str:
        """The last lines of a node's log, also after the cluster has gone."""
        return self.folder.tail(node, lines)

    def _cluster_id_of(self) -> Callable[[NodeSpec], str | None]:
        return lambda node: cluster_id_on_disk(self.folder.data(node))


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
