"""What the backends that run nodes have in common: a folder that remembers, and brokers that are waited for."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Sequence

from kafkalab.cluster.backend import NodeState, Verb
from kafkalab.cluster.folder import ClusterFolder
from kafkalab.cluster.registration import Registration
from kafkalab.cluster.spec import ClusterSpec, NodeSpec
from kafkalab.cluster.undisturbed import heed
from kafkalab.cluster.wire import OverTheWire
from kafkalab.errors import BadInput, NodeFailed, StartFailed, WaitTimeout
from kafkalab.waiting import wait_until

#: Seconds; generous, for a machine that is busy with other things. Waiting ends as soon as the cluster says so.
START_DEADLINE = 120.0
#: What a broker gets to hand over its partitions after SIGTERM. One whose ZooKeeper is gone would wait for ever.
STOP_GRACE = 15.0
#: What a system says of a full disk.
FULL = "No space left on device"


class OwnedNodes(OverTheWire):
    """Base of the backends whose nodes are ours; what they are made of is the subclass's business.

    ``throw_away``: stop removes the data (the logs are kept). ``detached``: the nodes outlive this process.
    """

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

    # what a subclass says

    def nodes(self) -> tuple[NodeState, ...]:
        """Every node as its process or container is."""
        raise NotImplementedError

    def act(self, node: str, verb: Verb) -> None:
        """Carry out a verb; doing what is done already is no error."""
        raise NotImplementedError

    def log_tail(self, node: str, lines: int = 20) -> str:
        """The last lines of a node's log, also after the cluster has gone."""
        raise NotImplementedError

    def _launch(self, node: NodeSpec) -> None:
        """Start what runs a node, and wait for nothing."""
        raise NotImplementedError

    def _cluster_id_of(self) -> Callable[[NodeSpec], str | None]:
        """What tells the cluster id in a broker's own data."""
        raise NotImplementedError

    def _why_ended(self, node: NodeSpec) -> str:
        """Why what ran a node ended, where something but its log knows."""
        return ""

    def _drop(self, node: NodeSpec) -> None:
        """Remove a node that has ended from the layout, and its data."""
        raise NotImplementedError

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
