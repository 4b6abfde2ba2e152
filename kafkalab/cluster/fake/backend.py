"""A cluster in memory, for unit tests and for reading lessons without Java: Kafka's rules without Kafka.

No process, no socket, no thread, no disk. What Kafka does after a time-out it does at once, luck (who is elected, where
replicas go) is always the same, and records have no content. It answers as Kafka would within these limits, and says in
its label, its addresses and its cluster id that it is not real.
"""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import TYPE_CHECKING

from kafkalab.cluster.backend import NodeState, StandIn, State, Verb
from kafkalab.cluster.fake import snapshot
from kafkalab.cluster.fake.consumers import FakeConsumers
from kafkalab.cluster.spec import ClusterSpec, Mode, NodeSpec, lay_out, one_more
from kafkalab.errors import BadInput, NodeFailed, NotSupported, Unreachable
from kafkalab.progress import Report, silent

if TYPE_CHECKING:
    from kafkalab.state.model import Snapshot

#: What a verb makes of a node.
_AFTER: dict[Verb, State] = {
    "stop": "stopped",
    "kill": "stopped",
    "pause": "paused",
    "resume": "running",
    "start": "running",
    "cut": "cut",
    "join": "running",
}
#: From which states it does so; from any other it changes nothing.
_FROM: dict[Verb, tuple[State, ...]] = {
    "stop": ("running", "paused", "cut"),
    "kill": ("running", "paused", "cut"),
    "pause": ("running",),
    "resume": ("paused",),
    "start": ("stopped", "paused", "cut"),
    "cut": ("running",),
    "join": ("cut",),
}


class FakeBackend(FakeConsumers):
    """A cluster that is not there. See :class:`kafkalab.cluster.backend.Backend`.

    Besides the backend's verbs it takes what clients do to a real cluster: :meth:`produce`, :meth:`join`, :meth:`poll`,
    :meth:`commit`, :meth:`leave`, :meth:`elect_preferred`, :meth:`delete_records`, :meth:`reassign`.

    :param throw_away: whether :meth:`stop` forgets topics and groups; if not, this object keeps them for another start.
    """

    kind = "fake"
    label = "in memory, not real"
    version = "model"

    def __init__(self, spec: ClusterSpec, *, throw_away: bool = True) -> None:
        super().__init__(spec)
        self.throw_away = throw_away
        self._started = False
        # It answers in place of brokers itself.
        self.stand_in: StandIn | None = self

    @property
    def owned(self) -> bool:
        """It ends with its process."""
        return True

    @property
    def mode(self) -> Mode:
        """zookeeper or kraft."""
        return self.spec.mode

    @property
    def bootstrap_servers(self) -> str:
        """One name for each broker, to which nobody can connect."""
        return ",".join(f"{snapshot.HOST}:{n.id}" for n in self.layout if n.role == "broker")

    @property
    def zookeeper_connect(self) -> str:
        """Empty: there is none that a tool could ask."""
        return ""

    # lifecycle

    def start(self, progress: Report = silent) -> None:
        """Every node runs, at once."""
        with self._lock:
            if self._started:
                return
            if self.cluster_id is None:
                self.layout = tuple(_nowhere(n) for n in lay_out(self.spec, _no_port))
                self.cluster_id = f"fake-{uuid.uuid4().hex[:12]}"
                self._stories.clear()
                self._forget_everything()
            self._started = True
            self._states = {n.name: "running" for n in self.layout}
            self._tell("this is a model in memory: no broker runs here")
            self._settle()
            progress(1, 1, "a model in memory: nothing is started")

    def stop(self) -> None:
        """Every node stops; a throw-away cluster forgets everything."""
        with self._lock:
            if not self._started:
                return
            self._catch_up()
            self._states = {n.name: "stopped" for n in self.layout}
            self._started = False
            self._registered, self._controller = frozenset(), None
            self._voters = replace(self._voters, leader=None)
            if self.throw_away:
                self._forget_everything()
                self.cluster_id = None

    def reset(self, progress: Report = silent) -> None:
        """As new: no topics, no groups, every node running."""
        with self._lock:
            self._running_at_all()
            self.stop()
            self.cluster_id = None
            self.start(progress)

    # nodes

    def nodes(self) -> tuple[NodeState, ...]:
        """Every node as it is."""
        with self._lock:
            return tuple(NodeState(n.name, n.role, n.id, self._states[n.name], severable=True) for n in self.layout)

    def act(self, node: str, verb: Verb) -> None:
        """Carry out a verb, and everything that follows from it; doing what is done already is no error."""
        with self._lock:
            spec = next((n for n in self.layout if n.name == node), None)
            if spec is None:
                raise NodeFailed(f"There is no node {node!r}.", do="Nodes: " + ", ".join(self._states))
            state = self._states[node]
            if verb in ("pause", "resume", "cut", "join") and state == "stopped":
                raise NodeFailed(f"{node} is stopped and cannot {_PASSIVE.get(verb, verb)}.", do="Start it first.")
            if verb == "pause" and state == "cut":
                raise NodeFailed(f"{node} is cut off the network and cannot pause.", do="Join it first.")
            if verb == "cut" and state == "paused":
                raise NodeFailed(f"{node} is paused and cannot be cut off.", do="Resume it first.")
            self._running_at_all()
            if state in _FROM[verb]:
                self._change(spec, state, verb)

    def _change(self, node: NodeSpec, state: State, verb: Verb) -> None:
        broker = node.id if node.role == "broker" else None
        # A controlled shutdown needs a controller, and a broker that can talk to it.
        orderly = verb == "stop" and state == "running" and (broker is None or self._can_change)
        self._catch_up(None if orderly or broker is None else broker)
        self._stories[node.name].append(f"{verb}: {node.name} was {state}")
        if orderly:
            self._settle(leaving=broker)
        if verb in ("stop", "kill") and broker is not None and not orderly:
            self._unclean.add(broker)
        self._states[node.name] = _AFTER[verb]
        self._settle()

    def add_broker(self, rack: str | None = None) -> str:
        """One more broker, with the next id; it holds nothing yet."""
        with self._lock:
            self._running_at_all()
            node = _nowhere(one_more(self.spec, self.layout, _no_port, rack))
            self.layout = (*self.layout, node)
            self._states[node.name] = "running"
            self._settle()
            return node.name

    def forget_broker(self, id: int) -> None:
        """End a broker for good; its partitions have been moved away by then."""
        with self._lock:
            node = next((n for n in self.layout if n.role == "broker" and n.id == id), None)
            if node is None:
                raise NodeFailed(f"There is no broker {id}.", do="Nodes: " + ", ".join(self._states))
            if held := [p.name for p in self.partitions if id in p.replicas]:
                raise BadInput(f"Broker {id} still holds replicas.", seen=", ".join(held[:5]), do="Move them first.")
            self.act(node.name, "stop")
            self.layout = tuple(n for n in self.layout if n is not node)
            del self._states[node.name]
            self._registered -= {id}
            self._unclean.discard(id)

    def log_tail(self, node: str, lines: int = 20) -> str:
        """What happened in the model while that node ran."""
        return "\n".join(list(self._stories.get(node, ()))[-lines:])

    def log_dir(self, broker: int) -> None:
        """There are no records, and so no files."""
        raise NotSupported(
            "This cluster is a model in memory: it has no records, and so no bytes.",
            do="Start a real one: Cluster(brokers=3).",
        )

    # what is asked instead of brokers

    def snapshot(self) -> Snapshot:
        """The cluster as it is now; Unreachable when no broker answers."""
        with self._lock:
            self._reached()
            return snapshot.take(self)

    def _reached(self) -> None:
        if not self._brokers:
            states = ", ".join(f"{name} is {state}" for name, state in self._states.items()) or "it is not started"
            raise Unreachable(
                f"No broker tells of the cluster at {self.bootstrap_servers or self.spec.name}.",
                seen=states,
                do="start a broker",
            )

    def _running_at_all(self) -> None:
        if not self._started:
            raise NodeFailed(f"The cluster {self.spec.name!r} is not running.", do="Start it: cluster.start()")


_PASSIVE: dict[Verb, str] = {"cut": "be cut off"}


def _no_port(wanted: int | None) -> int:
    return 0


def _nowhere(node: NodeSpec) -> NodeSpec:
    """The node with its id in place of ports: it has none."""
    return replace(node, port=node.id, controller_port=node.id if node.is_voter else None)
