"""Cluster: a real Kafka cluster as one object. Starts it, breaks it, heals it, asks it, shows it."""

from __future__ import annotations

import os
import uuid
import weakref
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, cast

from kafkalab.cluster import rehearsal, tools, topics
from kafkalab.cluster.backend import NodeState, Verb
from kafkalab.cluster.external import ExternalBackend
from kafkalab.cluster.folder import ClusterFolder
from kafkalab.cluster.local import LocalBackend
from kafkalab.cluster.node import Node
from kafkalab.cluster.ports import LOOPBACK
from kafkalab.cluster.spec import ClusterSpec, Mode
from kafkalab.errors import BadInput, NoSuchNode
from kafkalab.progress import bar, silent

if TYPE_CHECKING:
    from kafkalab.state.model import Snapshot
    from kafkalab.state.watch import Watcher
    from kafkalab.views.cluster_view import ClusterView

#: The cluster that `make lab` and `kafkalab up` start, and that the labs use when it is there.
LAB = "lab"


class Cluster:
    """A Kafka cluster: brokers 101, 102, … with ZooKeeper (Kafka 3.9) or KRaft (Kafka 4).

    It starts when it is made, and ends with its ``with`` block, with :meth:`stop`, or at the latest with this process.
    A cluster without a name is thrown away when it stops; one with a name keeps its topics for the next start.

    :param brokers: how many; 1 to 20.
    :param mode: ``"zookeeper"`` or ``"kraft"``.
    :param zookeepers: servers in the ensemble (ZooKeeper mode).
    :param backend: ``"local"``: every node a process on this machine.
    :param port: the first broker's port, the others follow; None: free ones are chosen. ``zookeeper_port`` likewise.
    :param session_timeout: seconds of silence after which a broker counts as dead: the floor of every failover.
    :param settings: further broker settings, by Kafka's names.
    :param detached: the cluster outlives this process, until ``kafkalab down``.
    :param throw_away: whether :meth:`stop` removes its data; by default that of a cluster without a name.
    """

    def __init__(
        self,
        brokers: int = 3,
        mode: Mode = "zookeeper",
        *,
        zookeepers: int = 1,
        backend: Literal["local"] = "local",
        name: str | None = None,
        port: int | None = None,
        zookeeper_port: int | None = None,
        session_timeout: float = 3.0,
        settings: Mapping[str, str] | None = None,
        data_dir: str | Path | None = None,
        detached: bool = False,
        throw_away: bool | None = None,
        quiet: bool = False,
    ) -> None:
        if backend != "local":
            raise BadInput(
                f"There is no backend {backend!r}.", do='This version knows backend="local" and Cluster.connect(…).'
            )
        spec = ClusterSpec(
            name=name or f"c-{uuid.uuid4().hex[:8]}",
            mode=mode,
            brokers=brokers,
            zookeepers=zookeepers if mode == "zookeeper" else 0,
            port=port,
            zookeeper_port=zookeeper_port,
            session_timeout=session_timeout,
            settings={str(k): str(v) for k, v in (settings or {}).items()},
        )
        folder = ClusterFolder.of(spec.name, Path(data_dir) if data_dir else None)
        self._set_up(
            LocalBackend(
                spec, folder, throw_away=name is None if throw_away is None else throw_away, detached=detached
            ),
            spec.name,
            quiet,
        )
        self.start()

    def _set_up(self, backend: LocalBackend | ExternalBackend, name: str, quiet: bool = True) -> None:
        self.backend = backend
        self.name = name
        self._quiet = quiet
        self._watcher: Watcher | None = None
        # An owned cluster that nobody refers to any more ends; an attached or detached one goes on.
        owned = isinstance(backend, LocalBackend) and not backend.detached
        self._finalizer = weakref.finalize(self, backend.stop) if owned else None

    @classmethod
    def attach(cls, name: str = LAB) -> Cluster:
        """The running cluster of that name, started by another process (`kafkalab up`, `make lab`)."""
        cluster = cls.__new__(cls)
        cluster._set_up(LocalBackend.attach(ClusterFolder.of(name)), name)
        return cluster

    @classmethod
    def connect(cls, bootstrap_servers: str) -> Cluster:
        """Somebody else's cluster: everything but the faults."""
        backend = ExternalBackend(bootstrap_servers)
        backend.start()
        cluster = cls.__new__(cls)
        cluster._set_up(backend, bootstrap_servers)
        return cluster

    @classmethod
    def lab(cls, mode: Mode | None = None) -> Cluster:
        """The cluster for a lab: the running one (``KAFKALAB_CLUSTER`` names it, else "lab"), or one of this kernel.

        A new one has ZooKeeper and brokers 101, 102 and 103, unless ``mode`` or ``KAFKALAB_MODE`` says otherwise.
        """
        name = os.environ.get("KAFKALAB_CLUSTER") or LAB
        if ClusterFolder.of(name).alive:
            return cls.attach(name)
        return cls(mode=mode or cast(Mode, os.environ.get("KAFKALAB_MODE") or "zookeeper"))

    # lifecycle

    def start(self) -> Cluster:
        """Start it if it is not running (after :meth:`stop`, on the same data if it has a name)."""
        if isinstance(self.backend, LocalBackend):
            with nullcontext(silent) if self._quiet else bar(f"Kafka {self.backend.version}") as progress:
                rehearsal.ensure(self.backend.spec.mode, progress)
                self.backend.start(progress)
            if self._finalizer is not None and not self._finalizer.alive:
                self._finalizer = weakref.finalize(self, self.backend.stop)
        return self

    def stop(self) -> None:
        """End every node; of a cluster without a name, remove the data. Idempotent. Somebody else's goes on."""
        watcher, self._watcher = self._watcher, None
        self.backend.stop()
        if watcher is not None:
            watcher.close(last_word="The cluster was stopped.")
        if self._capture is not None:
            self._capture.close()
            self._capture = None  # the next start may choose other ports

    def reset(self) -> Cluster:
        """Make it as new: no topics, no groups, every node running, the same ports."""
        if not isinstance(self.backend, LocalBackend):
            raise BadInput(
                "Somebody else's cluster is not ours to reset.", do="Delete your own topics: delete_topic(name)."
            )
        self.backend.reset()
        return self

    def __enter__(self) -> Cluster:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    # what it is

    @property
    def bootstrap_servers(self) -> str:
        """Every broker's address, ``127.0.0.1:…,127.0.0.1:…``: what a client needs to find the cluster."""
        if isinstance(self.backend, ExternalBackend):
            return ",".join(f"{host}:{port}" for host, port in self.backend.servers)
        return ",".join(f"{LOOPBACK}:{n.port}" for n in self.backend.layout if n.role == "broker")

    @property
    def zookeeper_connect(self) -> str:
        """Every ZooKeeper's address; empty in KRaft mode."""
        layout = self.backend.layout if isinstance(self.backend, LocalBackend) else ()
        return ",".join(f"{LOOPBACK}:{n.port}" for n in layout if n.role == "zookeeper")

    @property
    def mode(self) -> Mode | None:
        """zookeeper or kraft; None when somebody else's cluster did not tell."""
        return self.backend.spec.mode if isinstance(self.backend, LocalBackend) else self.backend.mode

    @property
    def cluster_id(self) -> str | None:
        """The id Kafka gave the cluster."""
        return self.backend.cluster_id

    @property
    def label(self) -> str:
        """What runs it, in a few words."""
        return self.backend.label

    @property
    def version(self) -> str:
        """Kafka's version; empty for somebody else's cluster."""
        return self.backend.version

    # nodes

    def nodes(self) -> tuple[NodeState, ...]:
        """Every node as its process is; no broker is asked."""
        return self.backend.nodes()

    def act(self, node: str, verb: Verb) -> None:
        """Carry out a verb (stop, kill, pause, resume, start) on a node by its name."""
        self.backend.act(node, verb)

    def node(self, name: str) -> Node:
        """The node of that name: ``broker-101``, ``zookeeper-1``."""
        names = [n.name for n in self.nodes()]
        if name not in names:
            what = "Its nodes: " + ", ".join(names) if names else "Nodes of somebody else's cluster cannot be touched."
            raise NoSuchNode(f"This cluster has no {name.replace('-', ' ')}.", do=what)
        return Node(self, name)

    def broker(self, id: int) -> Node:
        """The broker with that id: 101, 102, …"""
        return self.node(f"broker-{id}")

    def zookeeper(self, id: int = 1) -> Node:
        """The ZooKeeper server with that id: 1, 2, …"""
        return self.node(f"zookeeper-{id}")

    def controller(self) -> Node:
        """The node that is the active controller now."""
        id = self.snapshot().controller
        if id is None:
            raise NoSuchNode(
                "The cluster has no active controller now.", do="Are enough nodes running? cluster.nodes()"
            )
        return self.node(f"broker-{id}")

    # topics

    def create_topic(
        self, name: str, partitions: int = 1, replication: int | None = None, settings: Mapping[str, str] | None = None
    ) -> None:
        """Create a topic and wait until every partition has a leader.

        :param replication: copies of each partition; 3, or the number of brokers if there are fewer, when None.
        :param settings: topic settings by Kafka's names, for example ``{"min.insync.replicas": "2"}``.
        """
        topics.create(self.bootstrap_servers, name, partitions, replication, settings)

    def delete_topic(self, name: str) -> None:
        """Delete a topic and wait until it is gone."""
        topics.delete(self.bootstrap_servers, name)

    # state

    def snapshot(self) -> Snapshot:
        """The cluster as it is now."""
        return self._capture_once()

    def watcher(self) -> Watcher:
        """The one watcher all views of this cluster share."""
        from kafkalab.state.watch import Watcher

        if self._watcher is None:
            self._watcher = Watcher(self._new_capture())
        return self._watcher

    def wait_for(
        self, predicate: Callable[[Snapshot], Any], deadline: float = 30.0, what: str = "the cluster to get there"
    ) -> Snapshot:
        """Wait until a snapshot satisfies the predicate, and return it; WaitTimeout after ``deadline`` seconds."""
        from kafkalab.waiting import wait_until

        def found() -> Snapshot | None:
            snapshot = self.snapshot()
            return snapshot if predicate(snapshot) else None

        return cast("Snapshot", wait_until(found, deadline, what, period=0.1))

    def _new_capture(self) -> Any:
        from kafkalab.state.capture import Capture
        from kafkalab.state.model import Broker
        from kafkalab.state.quorum import zookeeper_quorum

        layout = self.backend.layout if isinstance(self.backend, LocalBackend) else ()
        expected = [Broker(n.id, LOOPBACK, n.port, False) for n in layout if n.role == "broker"]
        servers = [(n.id, LOOPBACK, n.port) for n in layout if n.role == "zookeeper"]
        return Capture(
            self.bootstrap_servers,
            expected_brokers=expected,
            mode=self.mode,
            quorum=(lambda: zookeeper_quorum(servers)) if servers else None,
        )

    def _capture_once(self) -> Snapshot:
        if self._capture is None:
            self._capture = self._new_capture()
        return cast("Snapshot", self._capture())

    _capture: Any = None

    def view(self) -> ClusterView:
        """The live picture of the cluster, with a button for every fault."""
        from kafkalab.views.cluster_view import ClusterView

        return ClusterView(self)

    # Kafka's own tools

    def tool(self, name: str, *args: str, input: str | None = None, timeout: float = 60.0) -> str:
        """Run one of Kafka's own tools, ``--bootstrap-server`` filled in, and return what it printed.

        >>> cluster.tool("kafka-topics", "--describe", "--topic", "trucks_gps")  # doctest: +SKIP
        """
        return tools.run(name, args, self._where(), input=input, timeout=timeout)

    def path(self) -> Path:
        """Put Kafka's tools on PATH under their usual names, aimed at this cluster; returns their folder."""
        from kafkalab.home import home_dir

        folder = tools.write_launchers(home_dir() / "bin" / self._safe_name(), self._where())
        parts = os.environ.get("PATH", "").split(os.pathsep)
        if str(folder) not in parts:
            os.environ["PATH"] = os.pathsep.join([str(folder), *parts])
        return folder

    def _safe_name(self) -> str:
        return "".join(c if c.isalnum() or c in "-_" else "-" for c in self.name)[:60]

    def _where(self) -> tools.Where:
        return tools.Where(self.mode or "zookeeper", self.bootstrap_servers, self.zookeeper_connect)

    # how it shows itself

    def __repr__(self) -> str:
        nodes = self.nodes()
        up = sum(n.state == "running" for n in nodes)
        kind = {"zookeeper": "ZooKeeper", "kraft": "KRaft", None: "unknown mode"}[self.mode]
        count = f"{up} of {len(nodes)} nodes running" if nodes else "its nodes are not ours"
        what = f"Kafka {self.version or '?'} with {kind}, {self.label}"
        return f"<Cluster {self.name}: {what}, {count}, {self.bootstrap_servers}>"

    def _repr_html_(self) -> str:
        from html import escape

        rows = "".join(
            f"<tr><td>{escape(n.name)}</td><td>{n.state}</td><td>{n.port}</td><td>{n.pid or ''}</td></tr>"
            for n in self.nodes()
        )
        table = f"<table><tr><th>node</th><th>state</th><th>port</th><th>pid</th></tr>{rows}</table>" if rows else ""
        return f"<div><b>{escape(repr(self).strip('<>'))}</b>{table}</div>"
