"""OwnedNodes: the base of the backends that run nodes. It keeps a cluster's folder, and waits for brokers."""

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

# --- Finds out which of the starting brokers are up, from what they answer about their own cluster.


#: Seconds during which a starting broker may lose its own session because the machine is too busy.
BUSY = 60.0


class Registration:
    """Keeps track of which starting brokers are up, from what *our* brokers answer.

    :param starting: the brokers to wait for.
    :param cluster_id_of: returns the cluster id in a broker's own data, to check that the broker on its port is ours;
        None until the broker has written it. Without this function, whoever answers is ours.
    :param tail: returns the last lines of a node's log.
    """

    def __init__(
        self,
        spec: ClusterSpec,
        layout: Sequence[NodeSpec],
        starting: Sequence[NodeSpec],
        *,
        cluster_id_of: Callable[[NodeSpec], str | None] | None,
        tail: Callable[[str, int], str],
    ) -> None:
        self.spec, self.layout, self.starting = spec, layout, starting
        self._cluster_id_of, self._tail = cluster_id_of, tail
        self._began = time.monotonic()
        self.up: set[int] = set()
        self.cluster_id: str | None = None
        self.last = "nothing yet"

    def concerned(self) -> list[NodeSpec]:
        """Return the nodes whose death makes waiting pointless."""
        whole = len(self.starting) == sum(n.role == "broker" for n in self.layout)
        return list(self.layout if whole else self.starting)

    def still_registered(self, node: NodeSpec) -> bool:
        """Return whether a node died only because of a ZooKeeper session and should be started again.

        A killed broker stays registered until its session times out, and until then Kafka 3.9 refuses to start. If the
        session ends during that check, the new broker fails with a NullPointerException in CheckedEphemeral. And on a
        very busy machine, a broker gives up when its own new session times out before it is up.
        """
        if self.spec.mode != "zookeeper" or node.role != "broker":
            return False
        tail = self._tail(node.name, 60)
        waited = time.monotonic() - self._began
        return (
            waited < 3 * self.spec.session_timeout + 5 and _ended_by(tail, "NodeExistsException|CheckedEphemeral")
        ) or (waited < BUSY and _ended_by(tail, "SessionExpiredException"))

    def check(self) -> bool:
        """Ask each broker that is not up yet; return whether all are up and each knows all the others."""
        wanted = {n.id: (LOOPBACK, n.port) for n in self.starting}
        for node in self.starting:
            if node.id in self.up:
                continue
            ours = self._cluster_id_of(node) if self._cluster_id_of else ""
            if ours is None:
                self.last = f"{node.name} has not written its data yet"
                continue
            answer = probe.ask(LOOPBACK, node.port, 2.0)
            if isinstance(answer, str):
                self.last = answer
            elif ours and answer.cluster_id != ours:
                self.last = f"port {node.port} belongs to another cluster ({answer.cluster_id}, not {ours})"
            elif any(answer.brokers.get(id) != at for id, at in wanted.items()):
                self.last = f"{node.name} knows the brokers {sorted(answer.brokers)}"
            else:
                self.up.add(node.id)
                self.cluster_id = answer.cluster_id
        return len(self.up) == len(self.starting)


def _ended_by(tail: str, words: str) -> bool:
    """Return whether a log has these words (a pattern) in its last run; each run begins with Kafka's version."""
    return bool(re.search(rf"(?:{words})(?![\s\S]*Kafka version: )", tail))


def cluster_id_on_disk(data: Path) -> str | None:
    """Return the cluster id in a broker's own meta.properties; None when it cannot be read."""
    with contextlib.suppress(OSError):
        found = re.search(r"^cluster\.id=(.+)$", (data / "meta.properties").read_text(), flags=re.MULTILINE)
        return found[1].strip() if found else None
    return None


#: Seconds to wait for a start; generous, for a busy machine. Waiting ends as soon as the cluster says that it is up.
START_DEADLINE = 120.0
#: Seconds a broker gets to hand over its partitions after SIGTERM. Without its ZooKeeper it would wait for ever.
STOP_GRACE = 15.0
#: The system's message for a full disk.
FULL = "No space left on device"


class OwnedNodes(Backend):
    """Base of the backends whose nodes are ours; the subclass decides what a node runs in.

    ``throw_away``: stop removes the data, but not the logs. ``detached``: the nodes outlive this process.
    """

    capabilities = Capabilities()
    _layout_read: int = 0
    #: Whether a start is under way that, if it fails, removes the cluster's folder and keeps its logs elsewhere.
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
        """Mode of Kafka, zookeeper or kraft."""
        return self.spec.mode

    @property
    def bootstrap_servers(self) -> str:
        """Addresses of all brokers, separated by commas."""
        return self._addresses("broker")

    @property
    def zookeeper_connect(self) -> str:
        """Addresses of all ZooKeepers, separated by commas; empty in KRaft mode."""
        return self._addresses("zookeeper")

    def _addresses(self, role: str) -> str:
        return ",".join(f"{LOOPBACK}:{n.port}" for n in self.layout if n.role == role)

    # what a subclass provides

    @abstractmethod
    def _launch(self, node: NodeSpec) -> None:
        """Start what runs a node; wait for nothing."""

    def _cluster_id_of(self) -> Callable[[NodeSpec], str | None] | None:
        """Return a function that reads the cluster id in a broker's own data; None when no other can hold its port."""
        return None

    def _why_ended(self, node: NodeSpec) -> str:
        """Return why a node ended, if something other than its log tells; otherwise an empty text."""
        return ""

    @abstractmethod
    def _drop(self, node: NodeSpec) -> None:
        """Remove a node that has ended from the layout, and remove its data."""

    # what all of them share

    def _read_layout(self) -> None:
        """Read the layout again if its file has changed, because another process may have added or removed a broker."""
        with contextlib.suppress(OSError, BadInput):
            changed = (self.folder.path / "cluster.json").stat().st_mtime_ns
            if self.layout and changed != self._layout_read:
                self.layout, self._layout_read = self.folder.read()[1], changed

    def _find(self, node: str) -> tuple[NodeSpec, NodeState]:
        """Return a node's spec and its state now; raise NodeFailed when no node has that name."""
        state = next((n for n in self.nodes() if n.name == node), None)
        spec = next((n for n in self.layout if n.name == node), None)
        if spec is None or state is None:
            raise NodeFailed(f"There is no node {node!r}.", do="Nodes: " + ", ".join(n.name for n in self.layout))
        return spec, state

    def _is_down(self, node: NodeSpec) -> bool:
        return self._find(node.name)[1].state == "stopped"

    def _majority(self) -> bool:
        """Return whether enough controllers run to register a broker; in ZooKeeper mode ZooKeeper decides: true."""
        voters = {n.name for n in self.layout if n.is_voter}
        running = [n for n in self.nodes() if n.name in voters and n.state == "running"]
        return not voters or 2 * len(running) > len(voters)

    def forget_broker(self, id: int) -> None:
        """Stop a broker for good and remove its data."""
        self._read_layout()
        spec, _ = self._find(f"broker-{id}")
        self.act(spec.name, "stop")
        self._drop(spec)

    def _wait_registered(self, starting: Sequence[NodeSpec], report: Callable[[int], None] = lambda up: None) -> None:
        """Wait until each starting broker answers as ours and knows all of them; fail at once when a node has died."""
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
        """Return the error for a node that ended while it was starting, with the reason."""
        tail = self.log_tail(node.name, 400)
        kept = self.folder.kept_logs / f"{node.name}.log" if self._on_trial else self.folder.log(node.name)
        return StartFailed(
            f"{node.name} ended while it was starting.",
            seen=self._why_ended(node) or telling(tail),
            do=f"Its whole log: {kept}",
            log="\n".join(tail.splitlines()[-20:]),
        )


def telling(tail: str) -> str:
    """Return the line of a log's last run that most likely says why a node ended, and not only that it did."""
    lines = re.split(r".*Registered .*Log4jController.* MBean.*\n?", tail)[-1].splitlines() or tail.splitlines()
    found = [line for line in lines if re.search(r"\b(FATAL|ERROR)\b|Exception|OutOfMemory|No space left", line)]
    found.sort(key=lambda line: (FULL not in line, bool(re.search("Exiting Kafka|Fatal error during", line))))
    return (found[0] if found else lines[-1] if lines else "its log is empty")[:300]
