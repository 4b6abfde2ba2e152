"""The embedded backend: every node a JVM process of its own on this machine, under one supervisor."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import time
from collections.abc import Callable, Mapping, Sequence

from kafkalab.cluster import archive, jvm, kraft, probe, properties, supervised
from kafkalab.cluster.backend import NodeState, State, Verb
from kafkalab.cluster.folder import ClusterFolder, clean_abandoned
from kafkalab.cluster.jars import jar_set
from kafkalab.cluster.java import find_java
from kafkalab.cluster.ports import LOOPBACK, PortBook, holder, is_free
from kafkalab.cluster.registration import Registration
from kafkalab.cluster.spec import ClusterSpec, NodeSpec, lay_out
from kafkalab.errors import BadInput, KafkalabError, NodeFailed, StartFailed, WaitTimeout
from kafkalab.progress import Report, silent
from kafkalab.waiting import wait_until

#: Seconds; generous, for a machine that is busy with other things. Waiting ends as soon as the cluster says so.
START_DEADLINE = 120.0
#: What a broker gets to hand over its partitions after SIGTERM. One whose ZooKeeper is gone would wait for ever.
STOP_GRACE = 15.0
PORT_STOLEN = re.compile(r"Address already in use|Socket server failed to bind")


class LocalBackend:
    """Runs the nodes of a spec as child processes of a supervisor. See :class:`kafkalab.cluster.backend.Backend`.

    ``throw_away``: stop removes the data (the logs are kept). ``detached``: the nodes outlive this process.
    """

    label = "local processes"
    #: How its JVMs and brokers are set; `kafkalab bench` compares with Kafka's own.
    style: jvm.Style = jvm.LESSON
    speed: Mapping[str, str] = properties.LESSON_SPEED

    def __init__(self, spec: ClusterSpec, folder: ClusterFolder, *, throw_away: bool, detached: bool) -> None:
        self.spec = spec
        self.folder = folder
        self.throw_away = throw_away
        self.detached = detached
        self.layout: tuple[NodeSpec, ...] = ()
        self.cluster_id: str | None = None
        self._supervised: supervised.Supervised | None = None

    @classmethod
    def attach(cls, folder: ClusterFolder) -> LocalBackend:
        """The backend of a cluster that somebody else's process runs."""
        spec, nodes, more = folder.read()
        if not supervised.is_alive(folder.path):
            raise BadInput(
                f"The cluster {folder.name!r} is not running.", do=f"Start it: kafkalab up --name {folder.name}"
            )
        backend = cls(spec, folder, throw_away=more["throw_away"], detached=True)
        backend.layout, backend.cluster_id = nodes, more.get("cluster_id")
        backend._supervised = supervised.Supervised(folder.path)
        return backend

    @property
    def version(self) -> str:
        """Kafka's version."""
        return jar_set(self.spec.mode).version("kafka-clients")

    # lifecycle

    def start(self, progress: Report = silent) -> None:
        """Bring all nodes up; returns when every broker says that every broker is registered with our cluster id."""
        if self._supervised is not None:
            return
        clean_abandoned()
        if self.folder.alive:
            raise StartFailed(
                f"A cluster named {self.folder.name!r} is running already.",
                do=f"Use it: Cluster.attach({self.folder.name!r}). Or end it: kafkalab down --name {self.folder.name}",
            )
        java = find_java()
        classpath = jar_set(self.spec.mode).classpath(progress)
        fresh = not self.folder.path.exists()
        self.folder.make()
        for attempt in (1, 2, 3):
            try:
                with self.folder.starting():
                    self._start_once(str(java.executable), classpath, progress)
                return
            except BaseException as e:  # Ctrl-C too: nothing may be left behind
                self._abandon(fresh)
                chosen = self.spec.port is not None or self.spec.zookeeper_port is not None
                if attempt < 3 and fresh and not chosen and isinstance(e, StartFailed) and PORT_STOLEN.search(e.log):
                    # Somebody took a port between our probe and the node's bind: other ports, once more.
                    self.folder.make()
                    continue
                if isinstance(e, OSError) and not isinstance(e, KafkalabError):
                    raise StartFailed(
                        f"The cluster's folder {self.folder.path} cannot be written.",
                        seen=f"{type(e).__name__}: {e.strerror or e}",
                        do="Free some space, or set KAFKALAB_HOME to a folder on another disk.",
                    ) from e
                raise

    def _start_once(self, java: str, classpath: str, progress: Report) -> None:
        total = self.spec.brokers + 1
        progress(0, total, "preparing the nodes")
        self._prepare(classpath)
        self._supervised = supervised.Supervised(self.folder.path)
        self._supervised.launch(owned=not self.detached, keep_logs=self.folder.kept_logs if self.throw_away else None)
        for node in self.layout:
            self._spawn(node)
        progress(1, total, "waiting for the brokers")
        brokers = [n for n in self.layout if n.role == "broker"]
        self._wait_registered(brokers, lambda up: progress(1 + up, total, f"{up} of {len(brokers)} brokers registered"))
        self.folder.write(self.spec, self.layout, throw_away=self.throw_away, cluster_id=self.cluster_id)

    def _prepare(self, classpath: str) -> None:
        """Ports, settings, storage: everything that needs no process."""
        kept = self._kept_layout()
        # The ports of an earlier run are kept if they can be: open notebooks and terminals remember them.
        kept_ports = [p for node in kept for p in node.ports]
        keep = bool(kept) and (self.spec.port is not None or all(map(is_free, kept_ports)))
        with PortBook() as book:
            if keep:
                for port in kept_ports:
                    book.take(port)
            self.layout = kept if keep else lay_out(self.spec, book.take)
        if self.spec.mode == "kraft":
            self.cluster_id = self.cluster_id or kraft.new_cluster_id()
        self.folder.write(self.spec, self.layout, throw_away=self.throw_away, cluster_id=self.cluster_id)
        (self.folder.path / "logging.properties").write_text(jvm.log_config(self.spec))
        for node in self.layout:
            data = self.folder.data(node)
            data.mkdir(parents=True, exist_ok=True)
            if node.role == "zookeeper":
                settings = properties.zookeeper(self.spec, node, self.layout, str(data))
            else:
                settings = properties.broker(self.spec, node, self.layout, str(data), self.speed)
            self.folder.settings(node).write_text(properties.render(settings))
            if node.role == "zookeeper":
                (data / "myid").write_text(f"{node.id}\n")
            elif self.spec.mode == "kraft":
                assert self.cluster_id is not None
                checkpoint = kraft.bootstrap_checkpoint(find_java(), classpath, self.version, self.spec, self.layout)
                kraft.format_storage(data, self.cluster_id, node.id, checkpoint)

    def _kept_layout(self) -> tuple[NodeSpec, ...]:
        """The nodes of an earlier run on this folder, which keep their ports: clients remember them."""
        if not (self.folder.path / "cluster.json").exists():
            return ()
        spec, nodes, more = self.folder.read()
        if spec != self.spec:
            raise BadInput(
                f"The cluster {self.folder.name!r} exists already, in another shape.",
                seen=f"{spec.brokers} brokers, {spec.mode}; asked for: {self.spec.brokers} brokers, {self.spec.mode}",
                do=f"Take another name, or remove the old one: kafkalab down --remove --name {self.folder.name}",
            )
        self.cluster_id = more.get("cluster_id")
        return nodes

    def _abandon(self, fresh: bool) -> None:
        """After a failed start: no process, and no folder that was not there before."""
        client, self._supervised = self._supervised, None
        if client is not None:
            with contextlib.suppress(KafkalabError):
                client.ask("end", order=[], grace=0, remove=False)
            with contextlib.suppress(OSError, Exception):
                client.close()
        if fresh:
            self.folder.remove()

    def stop(self) -> None:
        """End every node: brokers first, the controller after the others have handed over, ZooKeeper last."""
        # A throw-away cluster has nothing to hand over to anybody; its data goes with it.
        self._end(0.0 if self.throw_away else STOP_GRACE / 3, remove=self.throw_away)

    def _end(self, grace: float, remove: bool) -> None:
        client, self._supervised = self._supervised, None
        if client is None:
            return
        brokers = [n for n in self.layout if n.role == "broker"]
        with contextlib.suppress(NodeFailed):  # its supervisor may have ended already
            controller = self._controller(brokers) if grace else None
            first = [n.name for n in brokers if n.id != controller]
            last = [n.name for n in brokers if n.id == controller]
            client.ask("end", order=[first, last], grace=grace, remove=remove)
        client.close()
        wait_until(lambda: not supervised.is_alive(self.folder.path), 10, "the supervisor to end", period=0.01)

    def _controller(self, brokers: Sequence[NodeSpec]) -> int | None:
        for node in brokers:
            if isinstance(answer := probe.ask(LOOPBACK, node.port, 0.5), probe.Answer):
                return answer.controller
        return None

    def reset(self, progress: Report = silent) -> None:
        """End every node, remove all data, start again on the same ports."""
        self._client()  # says so if it is not running
        throw_away, self.throw_away = self.throw_away, False
        try:
            self._end(0.0, remove=False)
            shutil.rmtree(self.folder.path / "data", ignore_errors=True)
            self.cluster_id = None
            self.folder.write(self.spec, self.layout, throw_away=throw_away, cluster_id=None)
        finally:
            self.throw_away = throw_away
        self.start(progress)

    # nodes

    def nodes(self) -> tuple[NodeState, ...]:
        """Every node as its process is."""
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
        spec = next((n for n in self.layout if n.name == node), None)
        state = next((n for n in self.nodes() if n.name == node), None)
        if spec is None or state is None:
            raise NodeFailed(f"There is no node {node!r}.", do="Nodes: " + ", ".join(n.name for n in self.layout))
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
            if node.role == "zookeeper" or not self._majority():
                # Alone it can do no more than listen: an ensemble or a quorum without a majority registers nobody.
                self._wait_listening(node)
            else:
                self._wait_registered([node])
        except (StartFailed, WaitTimeout) as e:
            raise NodeFailed(f"{node.name} did not come back.", seen=e.seen, do=e.do, log=e.log) from e

    def _majority(self) -> bool:
        """Whether enough controllers run to register a broker; in ZooKeeper mode that is ZooKeeper's business."""
        voters = {n.name for n in self.layout if n.controller_port is not None}
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
        self._client().ask("spawn", name=node.name, argv=argv, env=environment, log=str(self.folder.log(node.name)))

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
        waiting = Registration(self.spec, self.layout, self.folder, starting)
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
