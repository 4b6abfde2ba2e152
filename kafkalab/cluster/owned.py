"""OwnedNodes: the base of the backends that run nodes. It has a folder that remembers, and waits for brokers."""

from __future__ import annotations

import contextlib
import re
import time
from abc import abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path

from kafkalab.cluster import probe
from kafkalab.cluster.backend import Backend
from kafkalab.cluster.folder import ClusterFolder
from kafkalab.cluster.interrupts import heed
from kafkalab.cluster.jars import jar_set
from kafkalab.cluster.net import LOOPBACK
from kafkalab.cluster.spec import ClusterSpec, Mode, NodeSpec
from kafkalab.errors import BadInput, NodeFailed, StartFailed, WaitTimeout
from kafkalab.state.model import NodeState
from kafkalab.state.watch import Capabilities
from kafkalab.waiting import wait_until

# --- Knows which of the starting brokers are up, by what they say of their own cluster.


#: Seconds for which a machine may be too busy to keep a starting broker's session alive.
BUSY = 60.0


class Registration:
    """Which of the starting brokers are up, by what *our* brokers answer.

    :param starting: the brokers that are waited for.
    :param cluster_id_of: the cluster id in a broker's own data, which says that the broker on its port is ours; None
        as long as it has written none.
    :param tail: the last lines of a node's log.
    """

    def __init__(
        self,
        spec: ClusterSpec,
        layout: Sequence[NodeSpec],
        starting: Sequence[NodeSpec],
        *,
        cluster_id_of: Callable[[NodeSpec], str | None],
        tail: Callable[[str, int], str],
    ) -> None:
        self.spec, self.layout, self.starting = spec, layout, starting
        self._cluster_id_of, self._tail = cluster_id_of, tail
        self._began = time.monotonic()
        self.up: set[int] = set()
        self.cluster_id: str | None = None
        self.last = "nothing yet"

    def concerned(self) -> list[NodeSpec]:
        """Nodes whose death means that waiting is in vain."""
        whole = len(self.starting) == sum(n.role == "broker" for n in self.layout)
        return list(self.layout if whole else self.starting)

    def still_registered(self, node: NodeSpec) -> bool:
        """Whether a node died only of its ZooKeeper session, or of its predecessor's, and is to be started again.

        A broker that was killed stays registered until its session times out, and Kafka 3.9 refuses to start beside it;
        if the session ends while it looks, it falls over its own feet (a NullPointerException in CheckedEphemeral). And
        on a machine so busy that a broker's own new session times out before it is up, the broker gives up.
        """
        if self.spec.mode != "zookeeper" or node.role != "broker":
            return False
        tail = self._tail(node.name, 60)
        waited = time.monotonic() - self._began
        return (
            waited < 3 * self.spec.session_timeout + 5 and _ended_by(tail, "NodeExistsException|CheckedEphemeral")
        ) or (waited < BUSY and _ended_by(tail, "SessionExpiredException"))

    def check(self) -> bool:
        """Ask each broker that is not up yet; true when all are, and each knows all the others."""
        wanted = {n.id: (LOOPBACK, n.port) for n in self.starting}
        for node in self.starting:
            if node.id in self.up:
                continue
            ours = self._cluster_id_of(node)
            if ours is None:
                self.last = f"{node.name} has not written its data yet"
                continue
            answer = probe.ask(LOOPBACK, node.port, 2.0)
            if isinstance(answer, str):
                self.last = answer
            elif answer.cluster_id != ours:
                self.last = f"port {node.port} belongs to another cluster ({answer.cluster_id}, not {ours})"
            elif any(answer.brokers.get(id) != at for id, at in wanted.items()):
                self.last = f"{node.name} knows the brokers {sorted(answer.brokers)}"
            else:
                self.up.add(node.id)
                self.cluster_id = ours
        return len(self.up) == len(self.starting)


def _ended_by(tail: str, words: str) -> bool:
    """Whether a log tells of this in its last run; each begins with Kafka's version."""
    return bool(re.search(rf"(?:{words})(?![\s\S]*Kafka version: )", tail))


def cluster_id_on_disk(data: Path) -> str | None:
    """The cluster id in a broker's own meta.properties."""
    with contextlib.suppress(OSError):
        return cluster_id_in((data / "meta.properties").read_text())
    return None


def cluster_id_in(meta_properties: str) -> str | None:
    """The cluster id in the text of a meta.properties."""
    for line in meta_properties.splitlines():
        if line.startswith("cluster.id="):
            return line.partition("=")[2].strip() or None
    return None


#: Seconds; generous, for a machine that is busy with other things. Waiting ends as soon as the cluster says so.
START_DEADLINE = 120.0
#: What a broker gets to hand over its partitions after SIGTERM. One whose ZooKeeper is gone would wait for ever.
STOP_GRACE = 15.0
#: What a system says of a full disk.
FULL = "No space left on device"


class OwnedNodes(Backend):
    """Base of the backends whose nodes are ours; what they are made of is the subclass's business.

    ``throw_away``: stop removes the data (the logs are kept). ``detached``: the nodes outlive this process.
    """

    capabilities = Capabilities()
    _layout_read: int = 0
    #: Whether a start is under way that takes the cluster's folder away when it fails, and keeps its logs elsewhere.
    _on_trial = False

    def __init__(self, spec: ClusterSpec, folder: ClusterFolder, *, throw_away: bool, detached: bool) -> None:
        self.spec = spec
        self.folder = folder
        self.throw_away = throw_away
        self.detached = detached

    @property
    def owned(self) -> bool:
        """Whether the nodes end with this process."""
        return not self.detached

    @property
    def version(self) -> str:
        """Kafka's version."""
        return jar_set(self.spec.mode).version("kafka-clients")

    @property
    def mode(self) -> Mode:
        """zookeeper or kraft."""
        return self.spec.mode

    @property
    def bootstrap_servers(self) -> str:
        """Every broker's address, with commas between them."""
        return self._addresses("broker")

    @property
    def zookeeper_connect(self) -> str:
        """Every ZooKeeper's address; empty in KRaft mode."""
        return self._addresses("zookeeper")

    def _addresses(self, role: str) -> str:
        return ",".join(f"{LOOPBACK}:{n.port}" for n in self.layout if n.role == role)

    # what a subclass says

    @abstractmethod
    def _launch(self, node: NodeSpec) -> None:
        """Start what runs a node, and wait for nothing."""

    @abstractmethod
    def _cluster_id_of(self) -> Callable[[NodeSpec], str | None]:
        """What tells the cluster id in a broker's own data."""

    def _why_ended(self, node: NodeSpec) -> str:
        """Why what ran a node ended, where something but its log knows."""
        return ""

    @abstractmethod
    def _drop(self, node: NodeSpec) -> None:
        """Remove a node that has ended from the layout, and its data."""

    # what all have

    def _read_layout(self) -> None:
        """Another process may have added or removed a broker meanwhile."""
        with contextlib.suppress(OSError, BadInput):
            changed = (self.folder.path / "cluster.json").stat().st_mtime_ns
            if self.layout and changed != self._layout_read:
                self.layout, self._layout_read = self.folder.read()[1], changed

    def _find(self, node: str) -> tuple[NodeSpec, NodeState]:
        """A node by its name, as it was laid out and as it is."""
        state = next((n for n in self.nodes() if n.name == node), None)
        spec = next((n for n in self.layout if n.name == node), None)
        if spec is None or state is None:
            raise NodeFailed(f"There is no node {node!r}.", do="Nodes: " + ", ".join(n.name for n in self.layout))
        return spec, state

    def _is_down(self, node: NodeSpec) -> bool:
        return self._find(node.name)[1].state == "stopped"

    def _majority(self) -> bool:
        """Whether enough controllers run to register a broker; in ZooKeeper mode that is ZooKeeper's business."""
        voters = {n.name for n in self.layout if n.is_voter}
        running = [n for n in self.nodes() if n.name in voters and n.state == "running"]
        return not voters or 2 * len(running) > len(voters)

    def forget_broker(self, id: int) -> None:
        """End a broker for good and remove its data."""
        self._read_layout()
        spec, _ = self._find(f"broker-{id}")
        self.act(spec.name, "stop")
        self._drop(spec)

    def _wait_registered(self, starting: Sequence[NodeSpec], report: Callable[[int], None] = lambda up: None) -> None:
        """Wait until each starting broker answers as ours, with all of them registered; fail fast on a dead node."""
        waiting = Registration(
            self.spec, self.layout, starting, cluster_id_of=self._cluster_id_of(), tail=self.log_tail
        )

        def settled() -> bool:
            heed()
            down = {n.name for n in self.nodes() if n.state == "stopped"}
            dead = [n for n in waiting.concerned() if n.name in down]
            if dead and waiting.still_registered(dead[0]):
                self._launch(dead[0])
            elif dead:
                raise self._ended(dead[0])
            before = len(waiting.up)
            done = waiting.check()
            if len(waiting.up) > before:
                report(len(waiting.up))
            return done

        try:
            wait_until(settled, START_DEADLINE, "the brokers to register", period=0.05)
        except WaitTimeout as e:
            late = next((n for n in starting if n.id not in waiting.up), starting[0])
            raise StartFailed(
                f"{late.name} did not register within {START_DEADLINE:g} s.",
                seen=waiting.last,
                do="The machine may be too busy or out of memory: fewer brokers, or try again.",
                log=self.log_tail(late.name),
            ) from e
        self.cluster_id = waiting.cluster_id

    def _running_already(self) -> StartFailed:
        return StartFailed(
            f"A cluster named {self.folder.name!r} is running already.",
            do=f"Use it: Cluster.attach({self.folder.name!r}). Or end it: kafkalab down --name {self.folder.name}",
        )

    def _unwritable(self, e: OSError) -> StartFailed:
        return StartFailed(
            f"The cluster's folder {self.folder.path} cannot be written.",
            seen=f"{type(e).__name__}: {e.strerror or e}",
            do="Free some space, or set KAFKALAB_HOME to a folder on another disk.",
        )

    def _ended(self, node: NodeSpec) -> StartFailed:
        """Why a node ended that should have come up."""
        tail = self.log_tail(node.name, 400)
        kept = self.folder.kept_logs / f"{node.name}.log" if self._on_trial else self.folder.log(node.name)
        return StartFailed(
            f"{node.name} ended while it was starting.",
            seen=self._why_ended(node) or telling(tail),
            do=f"Its whole log: {kept}",
            log="\n".join(tail.splitlines()[-20:]),
        )


def telling(tail: str) -> str:
    """The line of a log that most likely says why a node ended: of its last run, and not one that says only that."""
    lines = re.split(r".*Registered .*Log4jController.* MBean.*\n?", tail)[-1].splitlines() or tail.splitlines()
    found = [line for line in lines if re.search(r"\b(FATAL|ERROR)\b|Exception|OutOfMemory|No space left", line)]
    found.sort(key=lambda line: (FULL not in line, bool(re.search("Exiting Kafka|Fatal error during", line))))
    return (found[0] if found else lines[-1] if lines else "its log is empty")[:300]
