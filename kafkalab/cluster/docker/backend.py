"""The Docker backend: every node is a container, in the cluster's own network, with ports on loopback only."""

from __future__ import annotations

import contextlib
import functools
import time
import weakref
from collections.abc import Mapping, Sequence
from typing import Any

from kafkalab.cluster import folder, jvm, kraft, properties
from kafkalab.cluster.docker import engine, options, owner
from kafkalab.cluster.docker.containers import Containers
from kafkalab.cluster.docker.engine import IMAGE_GONE, PORT_STOLEN, together
from kafkalab.cluster.docker.guard import Guard
from kafkalab.cluster.docker.nodes import DockerNodes
from kafkalab.cluster.docker.owner import (
    BOOT,
    CLUSTER,
    FOLDER,
    HOME,
    NOBODY,
    OWNER,
    THROW_AWAY,
    boot_id,
    home_id,
    one,
    remove,
    same_names,
    this_process,
)
from kafkalab.cluster.folder import ClusterFolder
from kafkalab.cluster.interrupts import heed, undisturbed
from kafkalab.cluster.net import PortBook, is_free
from kafkalab.cluster.spec import ClusterSpec, NodeSpec, lay_out, on_new_ports, one_more
from kafkalab.errors import BadInput, KafkalabError, NodeFailed, StartFailed, WaitTimeout
from kafkalab.progressbar import Report, silent
from kafkalab.state.model import State
from kafkalab.waiting import wait_until

# --- Shuts down all brokers of a cluster: each closes its data, and none waits for others that end as well.


#: Seconds the brokers get to shut down; they usually take one or two.
GRACE = 8.0
#: Extra time for brokers that have closed their data and only wait for one another.
LINGER = 0.25  # seconds


def end_brokers(containers: Containers, layout: Sequence[NodeSpec]) -> None:
    """Send SIGTERM to all brokers at once; return when they have ended or closed their data, or after :data:`GRACE`.

    All at once, because the last one alone would have no broker to hand its partitions over to. ZooKeeper and KRaft's
    controllers need no orderly shutdown: what they know is on disk before they tell anyone.
    """
    states = _states(containers)
    if not _orderly(states, layout):
        return  # a broker would wait for minutes, because it finds no controller that lets it shut down
    # A paused node must run again, because the others may hand their partitions over to it.
    paused = [name for name, state in states.items() if state == "paused"]
    together(functools.partial(containers.resume, name) for name in paused)
    brokers = [n for n in layout if n.role == "broker" and states.get(n.name, "stopped") != "stopped"]
    with contextlib.suppress(NodeFailed):  # one may have ended this very moment
        together(functools.partial(containers.terminate, n.name) for n in brokers)
    closed_since: float | None = None

    def ended() -> bool:
        nonlocal closed_since
        now = _states(containers)
        left = [n for n in brokers if now.get(n.name, "stopped") != "stopped"]
        # In KRaft the quorum's leader waits 5 s for a successor, in vain when all end.
        if closed_since is None and all(n.is_voter and containers.has_closed(n.name) for n in left):
            closed_since = time.monotonic()
        return not left or (closed_since is not None and time.monotonic() - closed_since > LINGER)

    with contextlib.suppress(WaitTimeout):
        wait_until(ended, GRACE, "the brokers to close their data")


def _states(containers: Containers) -> dict[str, State]:
    return {name: state for name, (state, _) in containers.states().items()}


def _orderly(states: dict[str, State], layout: Sequence[NodeSpec]) -> bool:
    """Return whether enough ZooKeepers, or KRaft voters, are there for an orderly shutdown of the brokers."""
    voters = [n.name for n in layout if n.is_voter or n.role == "zookeeper"]
    there = [name for name in voters if states.get(name) in ("running", "paused")]
    return 2 * len(there) > len(voters)


class DockerBackend(DockerNodes):
    """Runs the nodes of a spec as containers. See :class:`kafkalab.cluster.backend.Backend`.

    ``throw_away``: :meth:`stop` removes the data, but not the logs. ``detached``: the containers outlive this process;
    otherwise a guard removes them when this process ends.
    """

    kind = "docker"
    label = "Docker containers"
    #: The brokers' settings that make Kafka quick enough for a lesson.
    speed: Mapping[str, str] = properties.LESSON_SPEED

    def __init__(self, spec: ClusterSpec, folder: ClusterFolder, *, throw_away: bool, detached: bool) -> None:
        super().__init__(spec, folder, throw_away=throw_away, detached=detached)
        self._guard = Guard(folder.path)
        self._image = ""

    @classmethod
    def attach(cls, folder: ClusterFolder) -> DockerBackend:
        """Return the backend of a running cluster that another process started, or this kernel before its restart."""
        spec, nodes, more = folder.read()
        backend = cls(spec, folder, throw_away=more["throw_away"], detached=True)
        client = backend._connect()
        with engine.speaking(f"kafkalab could not ask Docker about the cluster {folder.name!r}."):
            found = one(client, folder.name)
        owner = found.label(OWNER)
        if not found.containers or owner is None or found.is_abandoned:
            raise BadInput(
                f"The cluster {folder.name!r} is not running.",
                do=f"Start it: kafkalab up --backend docker --name {folder.name}",
            )
        backend.layout, backend.cluster_id = nodes, more.get("cluster_id")
        backend._containers = Containers(client, spec.name, backend._labels(owner))
        return backend

    def _connect(self) -> Any:
        client = engine.connect()
        weakref.finalize(self, client.close)
        return client

    def _labels(self, owner: str) -> dict[str, str]:
        return {
            CLUSTER: self.spec.name,
            HOME: home_id(),
            FOLDER: str(self.folder.path),
            OWNER: owner,
            THROW_AWAY: "true" if self.throw_away else "false",
            BOOT: boot_id(),
        }

    # lifecycle

    def start(self, progress: Report = silent) -> None:
        """Start all nodes; return when every broker reports that all brokers are registered under our cluster id."""
        if self._containers is not None:
            return
        client = self._connect()
        with engine.speaking("The Docker engine could not be used.", StartFailed):
            self._make_room(client)
        try:
            with self.folder.starting() as self._on_trial:
                if one(client, self.folder.name).containers:  # another process started it since we looked
                    raise self._running_already()
                self._start_until_it_holds(client, progress)
        except OSError as e:
            if isinstance(e, KafkalabError):
                raise
            raise self._unwritable(e) from e
        finally:
            self._on_trial = False

    def _start_until_it_holds(self, client: Any, progress: Report) -> None:
        from kafkalab.cluster.docker import image

        for attempt in (1, 2, 3):
            with engine.speaking("The image of the nodes could neither be found nor built.", StartFailed):
                self._image = image.ensure(client, progress)
            try:
                return self._start_once(client, progress)
            except BaseException as e:  # Ctrl-C too: nothing may be left behind
                with undisturbed():
                    self._abandon(fresh=self._on_trial)
                if attempt == 3 or not isinstance(e, StartFailed) or not self._passes(e):
                    raise

    def _passes(self, e: StartFailed) -> bool:
        """Return whether a second attempt is likely to succeed."""
        # Since we looked, a port was taken (we choose another one) or the image was removed (we build it again).
        chosen = self.spec.port is not None or self.spec.zookeeper_port is not None
        return (PORT_STOLEN in e.seen and not chosen) or IMAGE_GONE in e.seen

    def _make_room(self, client: Any) -> None:
        """Clean up after dead owners; raise StartFailed when this cluster runs already or its names are taken."""
        owner.clean_abandoned(client)
        folder.clean_abandoned()
        if one(client, self.folder.name).is_being_cleared:
            wait_until(lambda: not self.folder.alive, 60, "Docker to remove the containers of the last run")
        found = one(client, self.folder.name)
        ours = found.folder.path == self.folder.path
        if ours and found.labels and not self.folder.path.exists() and not found.is_owned:
            # Its folder was removed by hand, and with it all knowledge of what these containers and volumes are.
            remove(client, found, data=True)
        elif self.folder.alive or (ours and found.containers and owner.is_running(self.folder)):
            raise self._running_already()
        elif ours and found.containers:
            remove(client, found, data=False)  # they are from before a reboot; new ones are made on the same data
        if taken := same_names(client, self.folder.name, self.folder):
            raise StartFailed(
                f"Docker already has containers for a cluster named {self.folder.name!r}, and they are not yours.",
                seen=", ".join(taken[:4]),
                do="Give this cluster another name. (They belong to another user, or to another KAFKALAB_HOME.)",
            )

    def _start_once(self, client: Any, progress: Report) -> None:
        total = self.spec.brokers + 1
        progress(0, total, "preparing the nodes")
        owner = NOBODY if self.detached else this_process()
        self._containers = Containers(client, self.spec.name, self._labels(owner))
        self._prepare()
        if not self.detached:
            self._guard.launch(throw_away=self.throw_away)
        self._containers.make_network()
        self._bring_up(progress)
        heed()

    def _bring_up(self, progress: Report) -> None:
        """Create and start every container, and wait for the cluster."""
        containers = self._running()
        total = sum(n.role == "broker" for n in self.layout)
        engine.together(functools.partial(self._make, n) for n in self.layout)
        engine.together(functools.partial(containers.start, n.name) for n in self.layout)
        progress(1, 1 + total, "waiting for the brokers")
        self._wait_registered(
            [n for n in self.layout if n.role == "broker"],
            lambda up: progress(1 + up, 1 + total, f"{up} of {total} brokers registered"),
        )
        self._write()

    def _make(self, node: NodeSpec) -> None:
        """Create a node's container, with its settings."""
        rendered = options.settings(self.spec, node, self.layout, self.speed)
        told = options.environment(self.spec, node, rendered, self.cluster_id, jvm.chosen())
        self._running().make(self._image, self.spec, node, told)

    def _write(self) -> None:
        """Write what other processes and later starts must know into the cluster's folder."""
        owner = self._running().labels[OWNER]
        self.folder.write(
            self.spec, self.layout, backend=self.kind, throw_away=self.throw_away, cluster_id=self.cluster_id,
            owner=owner,
        )  # fmt: skip

    def _prepare(self) -> None:
        """Choose the ports and write the cluster's file: everything that needs no container."""
        kept = self._kept_layout()
        # The ports of an earlier run are kept if they are free: open notebooks and terminals remember them.
        keep = bool(kept) and (self.spec.port is not None or all(is_free(n.port) for n in kept))
        with PortBook() as book:
            if keep:
                self.layout = kept
            else:
                self.layout = on_new_ports(kept, book.take) or lay_out(self.spec, book.take)
        if self.spec.mode == "kraft":
            self.cluster_id = self.cluster_id or kraft.new_cluster_id()
        self._write()

    def _kept_layout(self) -> tuple[NodeSpec, ...]:
        """Return the nodes of an earlier run on this folder, with the ports they had; empty when there was none."""
        if not (self.folder.path / "cluster.json").exists():
            return ()
        spec, nodes, more = self.folder.read()
        if spec != self.spec or self.folder.kind() != self.kind:
            raise BadInput(
                f"The cluster {self.folder.name!r} exists already, with other settings.",
                seen=f"{spec.brokers} brokers, {spec.mode}, {self.folder.kind()}; "
                f"you asked for: {self.spec.brokers} brokers, {self.spec.mode}, {self.kind}",
                do=f"Choose another name, or remove the old cluster: kafkalab down --remove --name {self.folder.name}",
            )
        self.cluster_id = more.get("cluster_id")
        return nodes

    def _abandon(self, fresh: bool) -> None:
        """Clean up after a failed start: remove the containers and, if the cluster is new, its data and file too."""
        containers, self._containers = self._containers, None
        if containers is not None:
            with contextlib.suppress(KafkalabError):
                containers.remove(data=fresh)
                self._guard.dismiss()
        if fresh:
            self.cluster_id = None
            (self.folder.path / "cluster.json").unlink(missing_ok=True)  # a second attempt takes other ports

    def stop(self) -> None:
        """Stop and remove all containers; idempotent. A throw-away cluster loses its data, others shut down cleanly."""
        containers = self._containers
        if containers is None:
            return
        if not self.throw_away:  # a throw-away cluster needs no orderly shutdown: its data is removed
            self._read_layout()
            end_brokers(containers, self.layout)
        containers.remove(data=self.throw_away)
        self._containers = None
        self._guard.dismiss()
        if self.throw_away:
            self.folder.remove()
        containers.client.close()

    def reset(self, progress: Report = silent) -> None:
        """Start every node again on empty data and the same ports; the cluster keeps its owner."""
        from kafkalab.cluster.docker import image

        containers = self._running()
        self._read_layout()
        self._image = self._image or image.ensure(containers.client, progress)
        try:
            with self.folder.starting():
                containers.remove(data=True, network=False)
                self.cluster_id = kraft.new_cluster_id() if self.spec.mode == "kraft" else None
                self._write()
                self._bring_up(progress)
        except BaseException:
            self._abandon(fresh=False)
            raise

    # growing and shrinking

    def add_broker(self, rack: str | None = None) -> str:
        """Start one more broker; if that fails, the cluster stays as it was."""
        from kafkalab.cluster.docker import image

        containers = self._running()
        self._image = self._image or image.ensure(containers.client)
        self._read_layout()
        with PortBook() as book:
            node = one_more(self.spec, self.layout, book.take, rack)
        self.layout = (*self.layout, node)
        try:
            self._write()
            self._start_node(node)
        except BaseException:
            with contextlib.suppress(KafkalabError):
                self._drop(node)
            raise
        return node.name

    def _drop(self, node: NodeSpec) -> None:
        self.layout = tuple(n for n in self.layout if n.name != node.name)
        self._write()
        self._running().remove_node(node.name)
