"""The Docker backend: every node is a container, in the cluster's own network, with ports on loopback only."""

from __future__ import annotations

import contextlib
import functools
import io
import os
import signal
import subprocess
import tarfile
import uuid
import weakref
from collections.abc import Mapping
from typing import Any

from kafkalab.cluster import jvm, probe, properties, supervisor
from kafkalab.cluster.docker import engine, guard
from kafkalab.cluster.docker.engine import speaking, together
from kafkalab.cluster.folder import ClusterFolder, clean_abandoned
from kafkalab.cluster.interrupts import undisturbed
from kafkalab.cluster.net import CONTROLLER_PORT, LOOPBACK, OUTSIDE_PORT, ZOOKEEPER_PORT, Containers
from kafkalab.cluster.owned import START_DEADLINE, STOP_GRACE, OwnedNodes
from kafkalab.cluster.spec import ClusterSpec, NodeSpec
from kafkalab.errors import KafkalabError, NodeFailed, StartFailed
from kafkalab.progressbar import Report
from kafkalab.state.log.segments import LogDir, is_segment
from kafkalab.state.model import NodeState, Role, State, Verb
from kafkalab.waiting import wait_until

# --- What a container of a node may do and use; docker/compose.yaml says the same.

DATA = "/data"
#: User and group under whose ids a node runs.
USER = "1000:1000"
#: The folder that a node may write besides its data. Compression libraries unpack themselves there and run from there,
#: which Docker forbids in a tmpfs without ``exec``.
TMPFS = {"/tmp": "exec,size=64m,mode=1777"}
#: Memory limit of a container in bytes, about twice a lesson's need; the engine ends a node that exceeds it, no other.
MEMORY: dict[Role, int] = {"broker": 512 * 2**20, "controller": 384 * 2**20, "zookeeper": 256 * 2**20}
#: Maximum number of threads in a container, of which a broker runs about 80; a runaway node must not use them all up.
PIDS = 512
#: Limits of the output that the engine keeps of a node, so that a cluster that runs for weeks does not fill the disk.
LOGS: dict[str, Any] = {"Type": "json-file", "Config": {"max-size": "10m", "max-file": "2"}}
#: After a cut, connections that were open lead nowhere, and neither end is told. Kafka's own timeouts (30 s) are too
#: long for a lesson; these are as long as a follower may lag.
HEALING = {"replica.socket.timeout.ms": "10000", "controller.socket.timeout.ms": "10000"}

#: Seconds the brokers get to shut down when the whole cluster stops; they usually take one or two.
GRACE = 8
#: Exit code of a container that was killed: 128 + SIGKILL.
KILLED = 137


def _run_in(client: Any, container: str, script: str, *args: str) -> tuple[int, bytes]:
    """Run a script in a running container; return its exit code and what it printed."""
    asked = client.api.exec_create(container, ["bash", "-c", script, "bash", *args], stderr=False)
    printed = client.api.exec_start(asked["Id"])
    return client.api.exec_inspect(asked["Id"])["ExitCode"], printed


class ContainerLogDir:
    """The files of a broker's logs in its volume. See :class:`kafkalab.state.log.segments.LogDir`.

    They are read by a command in the container. While it is stopped or paused, the engine copies them out.
    """

    def __init__(self, client: Any, container: str) -> None:
        self._client, self._container = client, container

    def segments(self, topic: str, partition: int) -> tuple[tuple[str, int], ...]:
        """Return the segment files of a partition, (name, bytes), oldest first."""
        place = f"{DATA}/{topic}-{partition}"
        told = self._run("cd -- \"$1\" && stat -c '%s %n' -- *.log", place)
        if told is None:
            sizes = {name: len(content) for name, content in self._copy(place).items()}
        else:
            sizes = {name: int(size) for size, name in (line.split(" ", 1) for line in told.decode().splitlines())}
        return tuple(sorted((name, size) for name, size in sizes.items() if is_segment(name)))

    def read(self, topic: str, partition: int, segment: str, at: int, size: int) -> bytes:
        """Return ``size`` bytes of a segment, beginning at byte ``at``."""
        path = f"{DATA}/{topic}-{partition}/{segment}"
        told = self._run('set -e; tail -c +"$2" -- "$1" | head -c "$3"', path, str(at + 1), str(size))
        return self._copy(path).get(segment, b"")[at : at + size] if told is None else told

    def _run(self, script: str, *args: str) -> bytes | None:
        """Return what a script in the container printed; None when it failed or the container does not run."""
        from docker.errors import APIError

        with speaking("The broker's log could not be read."), contextlib.suppress(APIError):
            code, printed = _run_in(self._client, self._container, script, *args)
            return printed if code == 0 else None
        return None

    def _copy(self, path: str) -> dict[str, bytes]:
        """Return the files at a path by name; empty when there are none."""
        from docker.errors import NotFound

        with speaking("The broker's log could not be read."):
            try:
                content = b"".join(self._client.api.get_archive(self._container, path)[0])
            except NotFound:
                return {}
        with tarfile.open(fileobj=io.BytesIO(content)) as archive:
            files = ((member.name.rpartition("/")[2], archive.extractfile(member)) for member in archive)
            return {name: file.read() for name, file in files if file is not None}


class DockerBackend(OwnedNodes[Any]):
    """Runs the nodes of a spec as containers. See :class:`kafkalab.cluster.backend.Backend`.

    ``throw_away``: :meth:`stop` removes the data, but not the logs. ``detached``: the containers outlive this process;
    otherwise a guard removes them when this process ends.
    """

    kind = "docker"
    label = "Docker containers"
    up = "kafkalab up --backend docker"
    _guard: subprocess.Popen[bytes] | None = None
    _image = ""

    def __init__(self, spec: ClusterSpec, folder: ClusterFolder, *, throw_away: bool, detached: bool) -> None:
        super().__init__(spec, folder, throw_away=throw_away, detached=detached)
        # An id of this run, and the process whose end ends the cluster (None: detached).
        self._more = {"run": uuid.uuid4().hex, "owner": None if detached else os.getpid()}
        self._network = f"kafkalab-{spec.name}"

    def _is_running(self) -> bool:
        return guard.is_running(self.folder)

    def _connect(self) -> Any:
        client = engine.connect()
        weakref.finalize(self, client.close)
        return client

    def _name(self, node: str) -> str:
        """Return the name of a node's container, and of its volume."""
        return f"{self._network}-{node}"

    # lifecycle

    def _get_ready(self, progress: Report) -> None:
        from kafkalab.cluster.docker import image

        with contextlib.closing(engine.connect()) as client:
            guard.clean_abandoned()
            clean_abandoned()
            self._not_running()
            with speaking("The cluster's volumes could not be listed.", StartFailed):
                data = client.volumes.list(filters={"label": f"{guard.FOLDER}={self.folder.path}"})
            # In this order: a start writes the file before it makes the volumes.
            if data and not self.folder.said():
                raise self.folder.damaged(f"{self.folder.path / 'cluster.json'} cannot be read")
            self._image = image.ensure(client, progress)

    def _not_running(self) -> None:
        """Raise StartFailed when the cluster runs; wait while a guard removes the one of an owner that was killed."""
        import psutil

        owner = self.folder.said().get("owner")
        if owner and not psutil.pid_exists(owner):
            what = "Docker to remove the containers of the last run"
            wait_until(lambda: not supervisor.is_alive(self.folder.path), 60, what)
        super()._not_running()

    def _start(self, progress: Report) -> None:
        progress(0, self.spec.brokers + 1, "preparing the nodes")
        try:
            self._client = self._client or self._connect()
            with speaking("What was left of an earlier run could not be removed.", StartFailed):
                guard.remove(self._client, self.folder, data=self._on_trial)
            self._prepare()
            self._set_guard()
            with speaking(f"The network {self._network} could not be created.", StartFailed):
                self._client.networks.create(
                    self._network, driver="bridge", check_duplicate=True, labels={guard.FOLDER: str(self.folder.path)}
                )
            together(functools.partial(self._make, n) for n in self.layout)
            together(functools.partial(self._launch, n) for n in self.layout)
            self._wait_for_brokers(progress)
            self._write()
        except BaseException:  # Ctrl-C too: nothing may be left behind
            with undisturbed():
                self._abandon()
            raise

    def _set_guard(self) -> None:
        """Start the guard, unless the cluster is detached or one is on watch."""
        if self.detached or (self._guard is not None and self._guard.poll() is None):
            return
        with undisturbed():
            self._guard = supervisor.start_module("kafkalab.cluster.docker.guard", self.folder.path, {}, tied=True)
        supervisor.await_ready(self._guard, self.folder.path, "guard")

    def _abandon(self) -> None:
        """Clean up after a failed start: remove the containers and, if the cluster is new, its data too."""
        client, self._client = self._client, None
        if client is None:
            return
        with contextlib.suppress(KafkalabError), speaking("The containers could not be removed."):
            guard.remove(client, self.folder, data=self._on_trial)
            self._dismiss_guard()
        # If the engine did not obey, the guard goes on trying: its pipe is closed, as when its owner ends.
        self._reap_guard()

    def stop(self) -> None:
        """Stop and remove all containers; idempotent. A throw-away cluster loses its data, others shut down cleanly."""
        if self._client is None:
            return
        # When another process has stopped this cluster, the one that now has its name is somebody else's.
        if (self.folder.said() or self._more).get("run") == self._more["run"]:
            with speaking("The cluster's containers could not be removed."):
                if not self.throw_away:  # a throw-away cluster needs no orderly shutdown: its data is removed
                    self._end_brokers()
                guard.remove(self._client, self.folder, data=self.throw_away)
            self._dismiss_guard()
            if self.throw_away:
                self.folder.remove()
        self._reap_guard()
        self._client.close()
        self._client = None

    def _end_brokers(self) -> None:
        """Let all brokers close their data at once; the last one alone would have no broker to hand over to.

        ZooKeeper and KRaft's controllers need no orderly shutdown: what they know is on disk before they tell anyone.
        """
        api, states = self._running().api, {n.name: n.state for n in self.nodes()}
        # A paused node must run again, because the others may hand their partitions over to it.
        together(functools.partial(api.unpause, self._name(n)) for n, state in states.items() if state == "paused")
        brokers = [n.name for n in self.layout if n.role == "broker" and states[n.name] != "stopped"]
        if self._majority():  # else a broker would wait in vain, because no controller lets it shut down
            together(functools.partial(api.stop, self._name(n), timeout=GRACE) for n in brokers)

    def _dismiss_guard(self) -> None:
        """Tell the guard that the cluster was stopped in order, and wait until it has ended; works in any process."""
        lock = self.folder.path / "supervisor.lock"
        if self._guard is not None:
            self._guard.kill()  # it may have just been started, and not hold the lock yet
        with contextlib.suppress(OSError, ValueError):
            # As long as the lock is held, the pid in it is that of the holder.
            if supervisor.is_locked(lock):
                os.kill(int(lock.read_text()), signal.SIGUSR1)
        wait_until(lambda: not supervisor.is_locked(lock), 10, "the cluster's guard process to end", period=0.01)

    def _reap_guard(self) -> None:
        if self._guard is not None:
            assert self._guard.stdin is not None
            self._guard.stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._guard.wait(10)
            self._guard = None

    def _empty(self) -> None:
        with speaking("The cluster's data could not be removed."):
            guard.remove(self._running(), self.folder, data=True)

    def _remove(self, node: NodeSpec) -> None:
        with speaking(f"The container of {node.name} could not be removed."):
            guard.remove(self._running(), self.folder, data=True, node=node.name)

    # the containers

    def _found(self) -> dict[str, tuple[State, str]]:
        """Return the state of each node that has a container, and the container's short id, with one quick request."""
        with speaking("Docker could not list the cluster's containers."):
            found = self._running().api.containers(all=True, filters={"label": f"{guard.FOLDER}={self.folder.path}"})
        return {c["Labels"][guard.NODE]: (self._state(c), c["Id"][:12]) for c in found}

    def _state(self, found: Mapping[str, Any]) -> State:
        if found["State"] == "paused":
            return "paused"
        if found["State"] != "running":
            return "stopped"
        return "running" if self._network in found["NetworkSettings"]["Networks"] else "cut"

    def nodes(self) -> tuple[NodeState, ...]:
        """Return every node with the state of its container; "unknown" when the engine does not answer."""
        self._read_layout()
        found: dict[str, tuple[State, str]] = {}
        missing: State = "stopped"
        if self._client is not None:
            try:
                found = self._found()
            except NodeFailed:
                missing = "unknown"
        states = []
        for n in self.layout:
            state, id = found.get(n.name, (missing, None))
            # A dedicated controller has no clients, so its port is not published.
            port = None if n.role == "controller" else n.port
            states.append(NodeState(n.name, n.role, n.id, state, port, None, id, severable=True))
        return tuple(states)

    def _make(self, node: NodeSpec) -> None:
        """Create a node's container, and its volume unless that exists; nothing runs yet."""
        from kafkalab.cluster.docker import image

        client = self._running()
        if node.name in self._found():
            return
        self._image = self._image or image.ensure(client)
        name, net = self._name(node.name), Containers()
        if node.role == "zookeeper":
            settings = properties.zookeeper(self.spec, node, self.layout, DATA, net)
        else:
            speed = {**HEALING, **properties.LESSON_SPEED}
            settings = properties.broker(self.spec, node, self.layout, DATA, speed, net)
        style = jvm.chosen()
        heap = style.zookeeper_heap if node.role == "zookeeper" else style.broker_heap
        environment = {
            "KAFKALAB_NODE": node.name,
            "KAFKALAB_MODE": self.spec.mode,
            "KAFKALAB_SETTINGS": properties.render(settings),
            "KAFKALAB_JVM": " ".join((*heap, *style.flags)),
            "KAFKALAB_CLUSTER_ID": self.cluster_id or "",  # only KRaft's nodes are told
        }
        port = ZOOKEEPER_PORT if node.role == "zookeeper" else OUTSIDE_PORT
        labels = {guard.FOLDER: str(self.folder.path), guard.NODE: node.name}
        with speaking(f"The container of {node.name} could not be created.", StartFailed):
            volume = client.volumes.create(name, labels=labels)
            if volume.attrs["Labels"] != labels:
                what = f"Docker already has a volume {name}, of another user or another KAFKALAB_HOME."
                raise StartFailed(what, do="Give this cluster another name.")
            client.containers.create(
                self._image,
                name=name,
                hostname=node.name,
                environment=environment,
                labels=labels,
                # A dedicated controller has no clients.
                ports={} if node.role == "controller" else {f"{port}/tcp": (LOOPBACK, node.port)},
                volumes=[f"{name}:{DATA}"],
                network=self._network,
                networking_config={self._network: client.api.create_endpoint_config(aliases=[node.name])},
                user=USER,
                read_only=True,
                tmpfs=TMPFS,
                cap_drop=["ALL"],
                security_opt=["no-new-privileges"],
                mem_limit=MEMORY[node.role],
                memswap_limit=MEMORY[node.role],
                pids_limit=PIDS,
                # Health is checked from outside; a process in each container every two seconds would not tell more.
                healthcheck={"test": ["NONE"]},
                log_config=LOGS,
            )

    def _launch(self, node: NodeSpec) -> None:
        """Start a container, and connect it to the cluster's network again if it was cut off when it ended."""
        with speaking(f"{node.name} could not be started.", StartFailed):
            found = self._running().api.inspect_container(self._name(node.name))
            if self._network not in found["NetworkSettings"]["Networks"]:
                self._connect_to_network(node)
            self._running().api.start(self._name(node.name))

    def _connect_to_network(self, node: NodeSpec) -> None:
        self._running().api.connect_container_to_network(self._name(node.name), self._network, aliases=[node.name])

    def _change(self, node: NodeSpec, state: State, verb: Verb) -> None:
        if state == "unknown":
            raise NodeFailed("The Docker engine does not answer.", do="Check whether it is running: `docker version`.")
        with speaking(f"{node.name} could not be changed by {verb}."):
            self._change_container(node, state == "paused", verb)

    def _change_container(self, node: NodeSpec, paused: bool, verb: Verb) -> None:
        api, container = self._running().api, self._name(node.name)
        if paused and verb in ("stop", "kill", "resume", "start"):  # a frozen process cannot end
            api.unpause(container)
        if verb == "stop":
            api.stop(container, timeout=round(STOP_GRACE))
        elif verb == "kill":
            api.kill(container)
            api.wait(container)
        elif verb == "pause" and not paused:
            api.pause(container)
        elif verb in ("cut", "join", "start"):
            connected = self._network in api.inspect_container(container)["NetworkSettings"]["Networks"]
            if verb == "cut" and connected:
                api.disconnect_container_from_network(container, self._network)
            elif verb != "cut" and not connected:
                self._connect_to_network(node)
                if not paused or verb == "start":
                    self._wait_back(node)

    # what the cluster says of itself

    def _listens(self, node: NodeSpec) -> bool:
        """Return whether a node listens inside its container, even if it cannot be reached from outside."""
        port = CONTROLLER_PORT if node.is_voter else OUTSIDE_PORT if node.role == "broker" else ZOOKEEPER_PORT
        with speaking(f"kafkalab could not check whether {node.name} listens."):
            script = f"exec 3<>/dev/tcp/127.0.0.1/{port}"
            return _run_in(self._running(), self._name(node.name), script)[0] == 0

    def _wait_back(self, node: NodeSpec) -> None:
        """Wait after a join until the other brokers, which may have given this one up, know it again.

        To ask the node itself is not enough: while it was cut off, it did not hear that the others had given it up.
        """
        if node.role != "broker" or not self._majority():
            return self._wait_listening(node)
        running = {n.name for n in self.nodes() if n.state == "running"}
        asked = [n for n in self.layout if n.role == "broker" and n.name in running]

        def known() -> bool:
            answers = [probe.ask(LOOPBACK, n.port, 2.0) for n in asked]
            return all(not isinstance(answer, str) and node.id in answer.brokers for answer in answers)

        log = functools.partial(self.log_tail, node.name)
        wait_until(known, START_DEADLINE, f"{node.name} to be registered again", log=log)

    def _why_ended(self, node: NodeSpec) -> str:
        """Return what the engine knows about why a container ended; empty when it knows nothing."""

        def state() -> Any:
            return self._running().api.inspect_container(self._name(node.name))["State"]

        with contextlib.suppress(KafkalabError), speaking(f"The state of {node.name} could not be read."):
            if state()["ExitCode"] != KILLED:
                return str(state()["Error"] or "")
            # The engine learns why a container was killed a moment after it learns that it was killed.
            wait_until(lambda: state()["OOMKilled"], 1, "the engine to know why it ended")
            return "the engine ended it, because it used more memory than its container is allowed (OOM killed)"
        return ""

    def log_tail(self, node: str, lines: int = 20) -> str:
        """Return the last lines of a node's log, also after the cluster has gone."""
        if self._client is not None:
            with contextlib.suppress(KafkalabError), speaking(f"The log of {node} could not be read."):
                written = self._running().api.logs(self._name(node), tail=lines)
                return "\n".join(written.decode(errors="replace").splitlines()[-lines:])
        return super().log_tail(node, lines)

    def log_dir(self, broker: int) -> LogDir | None:
        """Return the files of a broker's logs, in its volume; None when the cluster is not running."""
        if self._client is None:
            return None
        return ContainerLogDir(self._client, self._name(f"broker-{broker}"))
