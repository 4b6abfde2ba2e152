"""The local backend: every node is a JVM process of its own on this machine, under one supervisor."""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
import re
import shutil
import signal
import uuid
from collections.abc import Mapping
from pathlib import Path

from kafkalab.cluster import jvm, kraft, preflight, properties, supervisor
from kafkalab.cluster.folder import ClusterFolder, clean_abandoned
from kafkalab.cluster.interrupts import undisturbed
from kafkalab.cluster.jars import jar_set
from kafkalab.cluster.java import can_write_archives, environment, find_java, with_archive, writing
from kafkalab.cluster.net import holder, is_free
from kafkalab.cluster.owned import STOP_GRACE, OwnedNodes
from kafkalab.cluster.spec import ClusterSpec, NodeSpec
from kafkalab.errors import BadInput, KafkalabError, NodeFailed, NotSupported, StartFailed, WaitTimeout
from kafkalab.home import make_dir
from kafkalab.progressbar import Report, silent
from kafkalab.state.log.segments import LocalLogDir
from kafkalab.state.model import Mode, NodeState, State, Verb
from kafkalab.state.watch import Capabilities
from kafkalab.waiting import wait_until

log = logging.getLogger(__name__)

#: Seconds the nodes get to end in order when the whole cluster stops; they usually take one or two.
END_GRACE = 8.0
PORT_STOLEN = re.compile(r"Address already in use|Socket server failed to bind")


class LocalBackend(OwnedNodes[supervisor.Supervised]):
    """Runs the nodes of a spec as child processes of a supervisor. See :class:`kafkalab.cluster.backend.Backend`.

    ``throw_away``: :meth:`stop` removes the data, but not the logs. ``detached``: the nodes outlive this process.
    """

    kind = "local"
    capabilities = Capabilities(settings_files=True)
    label = "local processes"
    #: JVM options to use instead of the profile's; `kafkalab bench` sets Kafka's own, to compare.
    style: jvm.Style | None = None
    #: Brokers' settings that make Kafka quick enough for a lesson; `kafkalab bench` sets Kafka's defaults, to compare.
    speed: Mapping[str, str] = properties.LESSON_SPEED

    def _is_running(self) -> bool:
        return supervisor.is_alive(self.folder.path)

    def _connect(self) -> supervisor.Supervised:
        return supervisor.Supervised(self.folder.path)

    # lifecycle

    def prepare(self, progress: Report = silent) -> None:
        """Rehearse a start, once on this machine, so that later starts find their classes in an archive."""
        rehearse(self.spec.mode, progress)

    def _get_ready(self, progress: Report) -> None:
        clean_abandoned()
        self._not_running()  # fail early, before anything is fetched
        find_java()
        jar_set(self.spec.mode).ensure(progress)

    def _start(self, progress: Report) -> None:
        chosen = self.spec.port is not None or self.spec.zookeeper_port is not None
        for attempt in (1, 2, 3):
            try:
                return self._start_once(progress)
            except BaseException as e:  # Ctrl-C too: nothing may be left behind
                with undisturbed():
                    self._abandon()
                stolen = isinstance(e, StartFailed) and PORT_STOLEN.search(e.log)
                if attempt == 3 or chosen or not stolen:
                    raise
                # Another program took a port between our check and the node's bind: try once more with other ports.
                if self._on_trial:
                    shutil.rmtree(self.folder.path / "data", ignore_errors=True)

    def _start_once(self, progress: Report) -> None:
        progress(0, self.spec.brokers + 1, "preparing the nodes")
        self._prepare()
        log_config = properties.LOG4J_1 if self.spec.mode == "zookeeper" else properties.LOG4J_2
        (self.folder.path / "logging.properties").write_text(log_config)
        for node in self.layout:
            self._write_settings(node)
            self._prepare_storage(node)
        self._client = self._connect()
        self._client.launch(owned=not self.detached, keep_logs=self.folder.kept_logs if self.throw_away else None)
        for node in self.layout:
            self._launch(node)
        self._wait_for_brokers(progress)
        for node in self.layout:
            if node.role != "broker":  # the brokers needed only a majority of them
                self._wait_listening(node)
        self._write()

    def _check(self) -> None:
        preflight.judge(self.layout, preflight.look())
        self.folder.check_metadata(self.layout)

    def _write_settings(self, node: NodeSpec) -> None:
        data = self.folder.data(node)
        if node.role == "zookeeper":
            settings = properties.zookeeper(self.spec, node, self.layout, str(data))
        else:
            # Kafka splits log.dirs at commas. A node runs in the cluster's folder, so a path relative to it works too.
            place = data.relative_to(self.folder.path) if "," in str(data) else data
            settings = properties.broker(self.spec, node, self.layout, str(place), self.speed)
        self.folder.settings(node).write_text(properties.render(settings))

    def _prepare_storage(self, node: NodeSpec) -> None:
        """Create what a node expects in its data folder; KRaft storage that is already formatted is left alone."""
        data = self.folder.data(node)
        data.mkdir(parents=True, exist_ok=True)
        if node.role == "zookeeper":
            if not (data / "myid").exists():
                (data / "myid").write_text(f"{node.id}\n")
        elif self.spec.mode == "kraft":
            assert self.cluster_id is not None
            classpath = jar_set(self.spec.mode).classpath()
            checkpoint = kraft.bootstrap_checkpoint(find_java(), classpath, self.version, self.spec, self.layout)
            kraft.format_storage(data, self.cluster_id, node.id, checkpoint)

    def _make(self, node: NodeSpec) -> None:
        taken = [p for p in node.ports if not is_free(p)]
        if taken:
            raise NodeFailed(f"{node.name} cannot start: its port {taken[0]} is taken.", seen=holder(taken[0]))
        if not self.folder.settings(node).exists():  # a broker that is added to a running cluster
            preflight.judge([node], preflight.look())
            self._write_settings(node)
        self.folder.check_metadata(self.layout)
        self._prepare_storage(node)

    def _abandon(self) -> None:
        """Clean up after a failed start: end the supervisor and every node's process."""
        client, self._client = self._client, None
        if client is not None:
            client.abandon()

    def stop(self) -> None:
        """Stop every node in order, within a second or two; idempotent. A throw-away cluster loses its data."""
        # A throw-away cluster needs no orderly shutdown: its data is removed.
        self._end(0.0 if self.throw_away else END_GRACE, remove=self.throw_away)

    def _end(self, grace: float, remove: bool) -> None:
        """End all brokers at once, then KRaft's controllers and ZooKeeper, whose logs need no closing.

        All at once, because the last broker alone would wait for minutes: it would have no broker to hand partitions
        over to and, in KRaft, no majority that lets it go. Together they finish that before the first one is gone.
        """
        client = self._client
        if client is None:
            return
        with contextlib.suppress(NodeFailed):  # its supervisor may have ended already
            if grace and not self._majority("running", "paused"):
                # Without a majority, no controller lets a broker shut down: it would use up the grace in vain.
                grace = 0.0
            brokers = [n.name for n in self.layout if n.role == "broker"]
            client.ask("end", brokers=brokers, grace=grace, remove=remove, closed=self._closed())
        self._client = None
        client.close()
        wait_until(lambda: not supervisor.is_alive(self.folder.path), 10, "the supervisor to end", period=0.01)

    def _closed(self) -> dict[str, str]:
        """Return, for each broker that is a voter too, the file that shows that it has closed its logs.

        The quorum's leader waits 5 s for a successor before it ends, in vain when all end. We need not wait for it once
        every broker has closed its logs, because the leader writes metadata to disk before it tells any node.
        """
        combined = [n for n in self.layout if n.role == "broker" and n.is_voter]
        return {n.name: str(self.folder.data(n) / ".kafka_cleanshutdown") for n in combined}

    def _empty(self) -> None:
        self._end(0.0, remove=False)
        shutil.rmtree(self.folder.path / "data", ignore_errors=True)

    def _remove(self, node: NodeSpec) -> None:
        shutil.rmtree(self.folder.data(node), ignore_errors=True)
        self.folder.settings(node).unlink(missing_ok=True)

    def log_dir(self, broker: int) -> LocalLogDir:
        """Return the files of a broker's logs."""
        self._read_layout()
        path = next((self.folder.data(n) for n in self.layout if n.role == "broker" and n.id == broker), None)
        if path is None:
            raise BadInput(f"There is no broker {broker}.")
        return LocalLogDir(path)

    # one node

    def nodes(self) -> tuple[NodeState, ...]:
        """Return the state of every node's process."""
        self._read_layout()
        found = self._client.ask("nodes")["nodes"] if self._client is not None else {}
        seen = [found.get(n.name, {"state": "stopped", "pid": None}) for n in self.layout]
        return tuple(
            NodeState(n.name, n.role, n.id, its["state"], n.port, its["pid"])
            for n, its in zip(self.layout, seen, strict=True)
        )

    def act(self, node: str, verb: Verb) -> None:
        """Apply a verb to a node; cut and join are not supported, whatever its state."""
        if verb in ("cut", "join"):
            raise NotSupported(
                f"kafkalab cannot {verb} {node}: local processes share one network, this machine's.",
                do='Pause it: to the other nodes that looks the same. Or use containers: Cluster(backend="docker").',
            )
        super().act(node, verb)

    def _change(self, node: NodeSpec, state: State, verb: Verb) -> None:
        if verb == "pause":
            pid = self._find(node.name)[1].pid
            self._signal(node.name, signal.SIGSTOP)
            # The signal is sent, but it takes a moment until every thread of a JVM stands still.
            wait_until(lambda: _stands_still(pid), 10, f"{node.name} to stand still", period=0.005)
        elif verb == "resume" or (verb == "start" and state == "paused"):
            self._signal(node.name, signal.SIGCONT)
        elif verb in ("stop", "kill"):
            self._end_node(node, verb)

    def _end_node(self, node: NodeSpec, verb: Verb) -> None:
        if verb == "stop":
            self._signal(node.name, signal.SIGTERM)
            with contextlib.suppress(WaitTimeout):
                self._wait_ended(node, STOP_GRACE)
                return
        # The verb is kill, or the node ignores SIGTERM: a broker whose ZooKeeper is gone waits for it for ever.
        with contextlib.suppress(NodeFailed):
            self._signal(node.name, signal.SIGKILL)
        self._wait_ended(node, 10)

    def _listens(self, node: NodeSpec) -> bool:
        return not is_free(node.controller_port or node.port)

    def _wait_ended(self, node: NodeSpec, deadline: float) -> None:
        wait_until(
            lambda: self._is_down(node), deadline, f"{node.name} to end", period=0.02,
            log=lambda: self.log_tail(node.name),
        )  # fmt: skip

    def _signal(self, node: str, number: signal.Signals) -> None:
        self._running().ask("signal", name=node, number=int(number))

    def _launch(self, node: NodeSpec) -> None:
        settings, log_config = self.folder.settings(node), self.folder.path / "logging.properties"
        style = self.style or jvm.chosen()
        argv = jvm.command(find_java(), self.spec, node, settings, log_config, style, self._sharing(node))
        with_jars = environment(CLASSPATH=jar_set(self.spec.mode).classpath())
        log = str(self.folder.log(node.name))
        self._running().ask("spawn", name=node.name, argv=argv, env=with_jars, log=log)

    def _sharing(self, node: NodeSpec) -> tuple[str, ...]:
        """Return the JVM options for class-data archives."""
        return with_archive(jvm.path(find_java(), self.spec.mode, node.role)) if self.style is None else ()


def _stands_still(pid: int | None) -> bool:
    import psutil

    try:
        return pid is None or psutil.Process(pid).status() in (psutil.STATUS_STOPPED, psutil.STATUS_TRACING_STOP)
    except psutil.NoSuchProcess:
        return True


# --- The rehearsal: one start with one broker, so that all later starts find their classes in an archive.


class Rehearsal(LocalBackend):
    """A cluster whose JVMs, when they end, write an archive of the classes they used."""

    def _sharing(self, node: NodeSpec) -> tuple[str, ...]:
        return writing(self._draft(node))

    def _draft(self, node: NodeSpec) -> Path:
        return self.folder.path / f"{node.role}.jsa"

    def keep_archives(self) -> None:
        """End the nodes in order, so that each writes its archive, and move the archives to where starts find them."""
        for node in reversed(self.layout):
            self._signal(node.name, signal.SIGTERM)
            wait_until(lambda node=node: self._is_down(node), 60, f"{node.name} to write its archive")  # type: ignore[misc]
        java, ended = find_java(), self._running().ask("nodes")["nodes"]
        for node in self.layout:
            kept = jvm.path(java, self.spec.mode, node.role)
            if not self._draft(node).is_file():
                if ended[node.name]["returncode"] >= 0:  # negative: a signal ended it, perhaps for lack of memory
                    jvm.hopeless(java, self.spec.mode).touch()
                continue
            os.replace(self._draft(node), kept)
            for old in kept.parent.glob(f"{self.spec.mode}-{node.role}-*.jsa"):
                if old != kept:  # for another Java or for replaced jars: 50 MB that are never used again
                    old.unlink(missing_ok=True)


def rehearse(mode: Mode, progress: Report = silent) -> None:
    """Make the archives of a mode unless they exist. A rehearsal that fails costs only speed."""
    jar_set(mode).ensure(progress)
    java = find_java()
    if jvm.made(java, mode):
        return
    folder = make_dir(jvm.path(java, mode, "broker").parent, "KAFKALAB_CACHE")
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if jvm.made(java, mode):  # another process made them while we waited
            return
        if not can_write_archives(java):
            jvm.hopeless(java, mode).touch()
            return
        progress(0, 2, "rehearsing a start, once: later ones are quicker")
        # The rehearsal is on the cache's disk, so that its archives can be moved into place.
        name = f"rehearsal-{uuid.uuid4().hex[:8]}"
        spec = ClusterSpec(name, mode=mode, brokers=1, zookeepers=1 if mode == "zookeeper" else 0)
        rehearsal = Rehearsal(spec, ClusterFolder(folder / name), throw_away=True, detached=False)
        try:
            rehearsal.start()
            progress(1, 2, "rehearsing a start: writing down which classes it took")
            rehearsal.keep_archives()
        except (KafkalabError, OSError) as e:
            log.warning("The rehearsal of a start failed, so later starts are slower: %s", str(e).splitlines()[0])
        finally:
            rehearsal.stop()
