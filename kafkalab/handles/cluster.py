"""Cluster: a Kafka cluster as one object, which starts it, breaks it, repairs it, queries it and shows it."""

from __future__ import annotations

import os
import uuid
import weakref
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from kafkalab.cluster.interrupts import heed, heeded
from kafkalab.errors import NoSuchNode, NotSupported, Unreachable, WaitTimeout
from kafkalab.progressbar import bar, silent
from kafkalab.state.model import DONE, MODE_NAMES, NodeState, State, Verb, called
from kafkalab.waiting import wait_until

if TYPE_CHECKING:
    from kafkalab.cluster import tools
    from kafkalab.cluster.backend import Backend, BackendName, Captures
    from kafkalab.handles.recording import Recording
    from kafkalab.state.log.segments import LogDir
    from kafkalab.state.model import Mode, Snapshot
    from kafkalab.state.watch import Capabilities, Watcher
    from kafkalab.views.cluster.view import ClusterView


class Node:
    """A handle on a broker, a ZooKeeper server or a controller; its verbs return when they have taken effect."""

    def __init__(self, cluster: Cluster, name: str) -> None:
        self._cluster = cluster
        self.name = name

    def _now(self) -> NodeState:
        return next(n for n in self._cluster.nodes() if n.name == self.name)

    @property
    def id(self) -> int:
        """The node's id: 101, 102… for brokers, 1, 2… for ZooKeepers and for controllers of their own."""
        return self._now().id

    @property
    def state(self) -> State:
        """The state of its process (running, paused, stopped, cut or unknown), whatever the cluster believes."""
        return self._now().state

    @property
    def port(self) -> int | None:
        """The port on loopback that clients connect to; None when it has none."""
        return self._now().port

    @property
    def container(self) -> str | None:
        """The id of its container, in Docker."""
        return self._now().container

    @property
    def pid(self) -> int | None:
        """Its process id while it runs."""
        return self._now().pid

    def _do(self, verb: Verb) -> Node:
        self._cluster.act(self.name, verb)
        return self

    def stop(self) -> Node:
        """Send SIGTERM: the node hands its partitions over and ends (a controlled shutdown)."""
        return self._do("stop")

    def kill(self) -> Node:
        """Send SIGKILL: the node ends at once, and the cluster finds out when its session times out."""
        return self._do("kill")

    def pause(self) -> Node:
        """Send SIGSTOP: the node stands still with all connections open, like a machine that hangs."""
        return self._do("pause")

    def resume(self) -> Node:
        """Send SIGCONT: the node goes on where it stood still."""
        return self._do("resume")

    def cut(self) -> Node:
        """Cut the node off the network: it runs, but neither other nodes nor clients reach it. Containers only."""
        return self._do("cut")

    def join(self) -> Node:
        """Put the node back on the network; return when the cluster has registered it again."""
        return self._do("join")

    def start(self) -> Node:
        """Start the node again on its old data; return when the cluster has registered it.

        Without a majority of the voters no node can be registered; then it returns when the node listens.
        """
        return self._do("start")

    def log(self, lines: int = 20) -> str:
        """Return the last lines of its log."""
        return self._cluster.log_tail(self.name, lines)

    def __repr__(self) -> str:
        return f"<{self.name} {self.state}, port {self.port}>"


#: Name of the cluster that `make lab` and `kafkalab up` start, and that the labs use when it is running.
LAB = "lab"
#: Default address for Cluster.connect(): Kafka's usual port, and that of docker/compose.yaml.
USUAL = "127.0.0.1:9092"


class Cluster:
    """A Kafka cluster: brokers 101, 102, … with ZooKeeper (Kafka 3.9) or KRaft (Kafka 4).

    It starts when it is made, and ends with its ``with`` block, with :meth:`stop`, or at the latest with this process.
    A cluster without a name is thrown away when it stops; one with a name keeps its topics for the next start.

    :param brokers: number of brokers, 1 to 20.
    :param mode: ``"zookeeper"`` or ``"kraft"``.
    :param zookeepers: number of servers in the ensemble (ZooKeeper mode): 1, 3 or 5.
    :param controllers: number of KRaft controllers as separate nodes: 1, 3 or 5; 0: the brokers are controllers too.
    :param racks: names given to the brokers in turn; replicas of a partition are then spread over racks.
    :param backend: ``"local"``: every node a process on this machine; ``"docker"``: every node a container;
            ``"fake"``: in memory, no Kafka at all, for reading and tests. None: ``KAFKALAB_BACKEND``, or else local.
    :param port: the first broker's port, the others follow; None: free ones are chosen. ``zookeeper_port`` likewise.
    :param session_timeout: seconds of silence after which a broker counts as dead; no failover after a kill is quicker.
    :param settings: further broker settings, by Kafka's names.
    :param detached: the cluster outlives this process, until ``kafkalab down``.
    :param throw_away: whether :meth:`stop` removes its data; None: only when the cluster has no name.
    """

    backend: Backend
    _watcher: Watcher | None = None
    _captures: dict[str, Captures]
    _recordings: tuple[Recording, ...] = ()

    def __init__(
        self,
        brokers: int = 3,
        mode: Mode = "zookeeper",
        *,
        zookeepers: int = 1,
        controllers: int = 0,
        racks: Sequence[str] = (),
        backend: BackendName | None = None,
        name: str | None = None,
        port: int | None = None,
        zookeeper_port: int | None = None,
        session_timeout: float = 3.0,
        settings: Mapping[str, str] | None = None,
        detached: bool = False,
        throw_away: bool | None = None,
        quiet: bool = False,
    ) -> None:
        # These are loaded only when a cluster is made, so that importing this class stays cheap.
        from kafkalab.cluster import backends
        from kafkalab.cluster.folder import ClusterFolder
        from kafkalab.cluster.spec import ClusterSpec

        spec = ClusterSpec(
            name=f"c-{uuid.uuid4().hex[:8]}" if name is None else name,
            mode=mode,
            brokers=brokers,
            zookeepers=0 if mode == "kraft" and zookeepers == 1 else zookeepers,
            controllers=controllers,
            racks=tuple(racks),
            port=port,
            zookeeper_port=zookeeper_port,
            session_timeout=session_timeout,
            settings={str(k): str(v) for k, v in (settings or {}).items()},
        )
        folder = ClusterFolder.of(spec.name)
        kind = backend or os.environ.get("KAFKALAB_BACKEND") or "local"
        throw = name is None if throw_away is None else throw_away
        self._set_up(backends.make(kind, spec, folder, throw_away=throw, detached=detached), spec.name, quiet)
        self.start()

    def _set_up(self, backend: Backend, name: str, quiet: bool = True) -> None:
        self.backend = backend
        self.name = name
        self._quiet = quiet
        self._captures = {}
        # An owned cluster ends when nothing refers to it any more; an attached or detached one goes on.
        self._finalizer = weakref.finalize(self, backend.stop) if backend.owned else None

    @classmethod
    def attach(cls, name: str = LAB) -> Cluster:
        """Return the running cluster of that name, started by another process (`kafkalab up`, `make lab`)."""
        from kafkalab.cluster import backends
        from kafkalab.cluster.folder import ClusterFolder

        cluster = cls.__new__(cls)
        cluster._set_up(backends.attach(ClusterFolder.of(name)), name)
        return cluster

    @classmethod
    def connect(cls, bootstrap_servers: str | None = None) -> Cluster:
        """Return somebody else's cluster, with which you can do everything but stop or break its nodes.

        :param bootstrap_servers: ``host:port``, several with commas; None: ``KAFKALAB_BOOTSTRAP_SERVERS``, or else
            127.0.0.1:9092, where the cluster of docker/compose.yaml listens.
        """
        from kafkalab.cluster.external import ExternalBackend

        servers = bootstrap_servers or os.environ.get("KAFKALAB_BOOTSTRAP_SERVERS") or USUAL
        backend = ExternalBackend(servers)
        backend.start()
        cluster = cls.__new__(cls)
        cluster._set_up(backend, servers)
        return cluster

    @classmethod
    def lab(cls, mode: Mode | None = None) -> Cluster:
        """Return the cluster for a lab: the running one (``KAFKALAB_CLUSTER`` names it, or else "lab"), or a new one.

        A new one ends with this kernel and has 3 brokers. Its mode is ``mode``, else ``KAFKALAB_MODE``, else ZooKeeper.
        """
        from kafkalab.cluster import backends
        from kafkalab.cluster.folder import ClusterFolder

        name = os.environ.get("KAFKALAB_CLUSTER") or LAB
        if backends.is_running(ClusterFolder.of(name)):
            return cls.attach(name)
        return cls(mode=mode or cast("Mode", os.environ.get("KAFKALAB_MODE") or "zookeeper"))

    # lifecycle

    def start(self) -> Cluster:
        """Start the cluster if it is not running (after :meth:`stop`, on the same data if it has a name)."""
        if self.capabilities.nodes:
            shown = nullcontext(silent) if self._quiet else bar(f"Kafka {self.backend.version}")
            with heeded(), shown as progress:
                self.backend.prepare(progress)
                self.backend.start(progress)
                try:
                    if self.zookeeper_connect:
                        from kafkalab.cluster import topics

                        topics.wait_known(self.zookeeper_connect, self.bootstrap_servers)
                    heed()
                except BaseException:  # a detached one would run on without the user knowing
                    self.backend.stop()
                    raise
            self._forget("own")  # a snapshot may have been tried while it was down
            if self._finalizer is not None and not self._finalizer.alive:
                self._finalizer = weakref.finalize(self, self.backend.stop)
        return self

    def stop(self) -> None:
        """Stop every node, and remove the data of a throw-away cluster. Idempotent. Somebody else's cluster goes on."""
        try:
            self._end_recordings()
        finally:
            self.backend.stop()
            self._look_away("The cluster was stopped.")

    def reset(self) -> Cluster:
        """Make the cluster as new: no topics, no groups, every node running, the same ports."""
        self.backend.reset()
        return self

    def __enter__(self) -> Cluster:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    # what it is

    @property
    def bootstrap_servers(self) -> str:
        """Every broker's address, ``127.0.0.1:…,127.0.0.1:…``: what a client needs to find the cluster."""
        return self.backend.bootstrap_servers

    @property
    def zookeeper_connect(self) -> str:
        """Every ZooKeeper's address; empty in KRaft mode."""
        return self.backend.zookeeper_connect

    @property
    def mode(self) -> Mode | None:
        """The mode, zookeeper or kraft; None when it is not known (somebody else's cluster)."""
        return self.backend.mode

    @property
    def cluster_id(self) -> str | None:
        """The id Kafka gave the cluster."""
        return self.backend.cluster_id

    @property
    def label(self) -> str:
        """A few words about what runs the nodes."""
        return self.backend.label

    @property
    def version(self) -> str:
        """Kafka's version; empty for somebody else's cluster."""
        return self.backend.version

    @property
    def capabilities(self) -> Capabilities:
        """The things that can be done with it: whether clients can connect, whether its nodes are ours."""
        return self.backend.capabilities

    # how it is looked at

    def snapshot(self) -> Snapshot:
        """Return the cluster as it is now; raise Unreachable when no broker answers."""
        capture = self._capture("own")

        def believed() -> Snapshot | None:
            try:
                return capture()
            except Unreachable:
                if not capture.doubting:
                    raise
                return None

        return cast("Snapshot", wait_until(believed, 60, "the brokers to know their topics again", period=0.2))

    def watcher(self) -> Watcher:
        """Return the watcher that all views of this cluster share."""
        from kafkalab.state.watch import Watcher

        if self._watcher is None:
            self._watcher = Watcher(self._capture("watcher"), nodes=self.backend.nodes)
        return self._watcher

    def wait_for(
        self, predicate: Callable[[Snapshot], Any], deadline: float = 30.0, what: str = "the condition to become true"
    ) -> Snapshot:
        """Wait until a snapshot satisfies the predicate; return it, or raise WaitTimeout after ``deadline`` seconds."""

        last: list[Snapshot] = []

        def found() -> Snapshot | None:
            last[:] = [self.snapshot()]
            return last[0] if predicate(last[0]) else None

        return cast("Snapshot", wait_until(found, deadline, what, period=0.1, seen=lambda: last[0].in_short()))

    def log_dir(self, broker: int) -> LogDir | None:
        """Return the files of a broker's logs; None where they are out of reach, on somebody else's disks.

        :raises NotSupported: the cluster is the model in memory, which has no bytes.
        """
        return self.backend.log_dir(broker)

    def view(self, topic: str | None = None, *, presenter: bool = False) -> ClusterView:
        """Return the live picture of the cluster, with a button for every fault.

        :param topic: the one topic to show at first.
        :param presenter: everything larger, for a projector.
        """
        from kafkalab.views.cluster.view import ClusterView

        return ClusterView(self, topic=topic, presenter=presenter)

    def record(
        self,
        path: str | Path | None = None,
        *,
        topics: Sequence[str] | None = None,
        groups: Sequence[str] | None = None,
    ) -> Recording:
        """Record what happens to the cluster, until ``recording.stop()`` or :meth:`Cluster.stop` ends the recording.

        :param path: the new file, such as ``election.kafkalab``; None: one in KAFKALAB_HOME's folder ``recordings``,
            named after the cluster and the time. No file is ever overwritten.
        :param topics: the topics whose record batches are recorded; None: all but Kafka's own.
        :param groups: the consumer groups that are followed closely; None: those with the most members.
        :raises BadInput: the file exists already, or cannot be created.
        """
        from kafkalab.handles.recording import Recording
        from kafkalab.history.recorder import record

        recording = record(self, path, topics=topics, groups=groups, kind=Recording)
        self._recordings = (*(r for r in self._recordings if r.going), recording)
        return recording

    def _capture(self, user: str) -> Captures:
        """Return what takes the snapshots for a user: this object ("own"), or the thread of the watcher ("watcher")."""
        if user not in self._captures:
            self._captures[user] = self.backend.capture()
        return self._captures[user]

    def _end_recordings(self) -> None:
        """End the recordings while the cluster is whole, so that they do not record how it is stopped."""
        recordings, self._recordings = self._recordings, ()
        if self._watcher is not None and any(recording.going for recording in recordings):
            self._watcher.note("you stopped the cluster")
        for recording in recordings:
            recording.stop()

    def _forget(self, user: str) -> None:
        """Close a capture and forget what it has seen; the next one asks at the ports the cluster then has."""
        capture = self._captures.pop(user, None)
        if capture is not None:
            capture.close()

    def _look_away(self, last_word: str) -> None:
        """Close the watcher and every connection."""
        watcher, self._watcher = self._watcher, None
        if watcher is not None:
            watcher.close(last_word=last_word)
        for user in list(self._captures):
            self._forget(user)

    # nodes

    def nodes(self) -> tuple[NodeState, ...]:
        """Return the state of every node's process; no broker is asked."""
        return self.backend.nodes()

    def act(self, node: str, verb: Verb) -> None:
        """Carry out a verb (stop, kill, pause, resume, start; in containers also cut, join) on the node of that name.

        Open views show it, and measure from here how long its consequences take.
        """
        if self._watcher is not None:
            self._watcher.note(DONE[verb].format(called(node)), node=node, verb=verb)
        try:
            self.backend.act(node, verb)
        finally:
            if self._watcher is not None:
                self._watcher.refresh()

    def log_tail(self, node: str, lines: int = 20) -> str:
        """Return the last lines of a node's log; empty for somebody else's cluster."""
        return self.backend.log_tail(node, lines)

    def node(self, name: str) -> Node:
        """Return the node of that name: ``broker-101``, ``zookeeper-1``."""
        names = [n.name for n in self.nodes()]
        if not names:
            raise NotSupported(
                f"kafkalab cannot stop, pause or inspect {called(name)}, because it did not start this cluster.",
                do="Start a cluster of your own, and you can break its nodes: Cluster(brokers=3).",
            )
        if name not in names:
            raise NoSuchNode(f"This cluster has no {called(name)}.", do="Its nodes: " + ", ".join(names))
        return Node(self, name)

    def broker(self, id: int) -> Node:
        """Return the broker with that id: 101, 102, …"""
        return self.node(f"broker-{id}")

    def zookeeper(self, id: int = 1) -> Node:
        """Return the ZooKeeper server with that id: 1, 2, …"""
        return self.node(f"zookeeper-{id}")

    def controller(self) -> Node:
        """Return the node that is the active controller now; wait up to 10 s while one is being elected."""
        try:
            id = self.wait_for(lambda s: s.controller is not None, 10, "an active controller").controller
        except WaitTimeout as e:
            raise NoSuchNode(
                "The cluster has no active controller now.", do="Check that enough nodes are running: cluster.nodes()"
            ) from e
        names = {n.name for n in self.nodes() if n.role != "zookeeper" and n.id == id}
        return self.node(next(iter(names), f"broker-{id}"))

    def add_broker(self, rack: str | None = None) -> Node:
        """Start one more broker in the running cluster; it holds nothing until replicas are moved to it."""
        return self.node(self.backend.add_broker(rack))

    def remove_broker(self, id: int) -> None:
        """Remove a broker for good: its replicas move to the others, then it ends and its data is removed.

        :raises BadInput: no broker is left to take a replica over; nothing has changed then.
        """
        from kafkalab.cluster import topics

        broker = self.broker(id)
        if any(n.is_voter and n.name == broker.name for n in self.backend.layout):
            raise NotSupported(
                f"Broker {id} cannot be removed: it votes in the metadata quorum, whose members are fixed when the "
                "cluster is created.",
                do="You can remove brokers that were added later. Or start with separate controllers: "
                'Cluster(mode="kraft", controllers=3).',
            )
        first = self.snapshot()
        plan = topics.plan(
            {(p.topic, p.partition): p.replicas for p in first.partitions()},
            id,
            [b.id for b in first.brokers if b.alive and b.id != id],
            {b.id: b.rack for b in first.brokers},
        )
        self.backend.reassign(plan)
        with nullcontext(silent) if self._quiet or not plan else bar(f"Moving {len(plan)} replicas") as progress:

            def moved(snapshot: Snapshot) -> bool:
                left = sum(id in p.replicas for p in snapshot.partitions())
                progress(len(plan) - left, len(plan), f"{left} to go")
                return left == 0

            self.wait_for(moved, 600, f"the replicas of broker {id} to move")
        self.backend.forget_broker(id)
        if self.mode == "kraft" and self.capabilities.clients:
            # In KRaft a broker stays registered, but fenced, until it is unregistered.
            self.tool("kafka-cluster", "unregister", "--id", str(id))
        self.wait_for(lambda s: s.broker(id) is None, 60, f"the cluster to forget broker {id}")

    # topics

    def create_topic(
        self, name: str, partitions: int = 1, replication: int | None = None, settings: Mapping[str, str] | None = None
    ) -> None:
        """Create a topic and wait until every partition has a leader.

        :param replication: copies of each partition; None: 3, or the number of brokers if there are fewer.
        :param settings: topic settings by Kafka's names, for example ``{"min.insync.replicas": "2"}``.
        """
        many = isinstance(partitions, int) and partitions >= 100
        with bar(f"Creating {name}") if many and not self._quiet else nullcontext(silent) as progress:
            self.backend.create_topic(name, partitions, replication, settings, progress)

    def delete_topic(self, name: str) -> None:
        """Delete a topic and wait until it is gone; raise BadInput for the topics that Kafka itself uses."""
        from kafkalab.cluster import topics

        topics.check_not_own(name)
        self.backend.delete_topic(name)

    # Kafka's own tools

    def tool(self, name: str, *args: str, input: str | None = None, timeout: float = 60.0) -> str:
        """Run one of Kafka's own tools, ``--bootstrap-server`` filled in, and return what it printed.

        >>> cluster.tool("kafka-topics", "--describe", "--topic", "trucks_gps")  # doctest: +SKIP
        """
        from kafkalab.cluster import tools

        return tools.run(name, args, self.where(), input=input, timeout=timeout)

    def path(self) -> Path:
        """Put Kafka's tools on PATH under their usual names, set up for this cluster; return their folder."""
        from kafkalab.cluster import tools
        from kafkalab.home import home_dir

        place = "".join(c if c.isalnum() or c in "-_" else "-" for c in self.name)[:60]
        named = ["--name", self.name] if self.capabilities.nodes else ["--bootstrap-servers", self.bootstrap_servers]
        folder = tools.write_launchers(home_dir() / "bin" / place, self.where().mode, named)
        parts = os.environ.get("PATH", "").split(os.pathsep)
        if str(folder) not in parts:
            os.environ["PATH"] = os.pathsep.join([str(folder), *parts])
        return folder

    def where(self) -> tools.Where:
        """Return what Kafka's own tools are told of this cluster."""
        if not self.capabilities.clients:
            raise NotSupported(
                "Kafka's tools need Kafka, and this cluster is only a model in memory.",
                do="Start a real one: Cluster(brokers=3).",
            )
        from kafkalab.cluster import tools

        return tools.Where(self.mode or "zookeeper", self.bootstrap_servers, self.zookeeper_connect)

    # how it shows itself

    def __repr__(self) -> str:
        nodes = self.nodes()
        up = sum(n.state == "running" for n in nodes)
        kind = MODE_NAMES.get(self.mode, "unknown mode")
        count = f"{up} of {len(nodes)} nodes running" if nodes else "its nodes are not kafkalab's"
        what = f"Kafka {self.version or '?'} with {kind}, {self.label}"
        return f"<Cluster {self.name}: {what}, {count}, {self.bootstrap_servers}>"

    def _repr_html_(self) -> str:
        from html import escape

        cells = ((n.name, n.state, n.port, n.pid or n.container or "") for n in self.nodes())
        rows = "".join("<tr>" + "".join(f"<td>{escape(str(c))}</td>" for c in row) + "</tr>" for row in cells)
        head = "".join(f"<th>{word}</th>" for word in ("node", "state", "port", "process"))
        table = f"<table><tr>{head}</tr>{rows}</table>" if rows else ""
        return f"<div><b>{escape(repr(self).strip('<>'))}</b>{table}</div>"
