"""A cluster in memory, for unit tests and for reading lessons without Java: Kafka's rules without Kafka.

It has no process, socket, thread or file. It does at once what Kafka does after a timeout, makes the same choice every
time where Kafka relies on luck (who is elected, where replicas go), and its records have no content. Within these
limits it answers as Kafka would. Its label, its addresses and its cluster id say that it is not real.
"""

from __future__ import annotations

import time
import uuid
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from kafkalab.cluster.backend import Backend
from kafkalab.cluster.fake.brokers import OFFSETS_TOPIC, FakeConsumers
from kafkalab.cluster.fake.groups import FakeGroup
from kafkalab.cluster.fake.kafka import FakePartition
from kafkalab.cluster.spec import ClusterSpec, Mode, NodeSpec, lay_out, one_more
from kafkalab.errors import BadInput, NodeFailed, NotSupported, Unreachable
from kafkalab.progressbar import Report, silent
from kafkalab.state.model import Broker, NodeState, State, Verb
from kafkalab.state.watch import Capabilities

if TYPE_CHECKING:
    from kafkalab.state.model import Group, Partition, Quorum, Snapshot

# --- Makes a Snapshot of the fake's brokers, as :mod:`kafkalab.state.capture` makes one of real brokers.


#: Host of brokers and of members of groups; there is no such host.
HOST = "fake"


def take(fake: FakeConsumers) -> Snapshot:
    """Return a snapshot of the cluster; what cannot be known is None, and ``problems`` says why."""
    from kafkalab.state.model import Broker, Snapshot, Topic

    problems = [f"broker {id} is registered but does not answer" for id in sorted(fake.registered - fake.answering)]
    quorum = _quorum(fake)
    if quorum is None:
        problems.append("the leader of the KRaft quorum could not be found out, so the controller is unknown")
    elif quorum.problem:
        problems.append(quorum.problem)
    brokers = tuple(
        Broker(n.id, HOST, n.id, n.id in fake.registered, n.rack) for n in fake.layout if n.role == "broker"
    )
    topics: dict[str, list[Partition]] = {name: [] for name in sorted(fake.topics)}
    for p in fake.partitions:
        topics[p.topic].append(_partition(fake, p))
    groups = tuple(_group(fake, group, problems) for group in fake.groups)
    problems += _unknown_offsets(fake)
    return Snapshot(
        fake.cluster_id,
        fake.spec.mode,
        fake.controller,
        time.time(),
        brokers,
        tuple(Topic(name, tuple(partitions), name == OFFSETS_TOPIC) for name, partitions in topics.items()),
        groups,
        quorum,
        tuple(problems),
    )


def _partition(fake: FakeConsumers, p: FakePartition) -> Partition:
    from kafkalab.state.model import Partition

    known = p.leader in fake.answering
    start, end = (p.start, p.high) if known else (None, None)
    return Partition(p.topic, p.partition, p.leader, p.replicas, p.isr, start, end, p.epoch)


def _unknown_offsets(fake: FakeConsumers) -> list[str]:
    reasons = Counter(
        "no leader" if p.leader is None else f"their leader, broker {p.leader}, does not answer"
        for p in fake.partitions
        if p.leader not in fake.answering
    )
    return [
        f"{n} {'partition has' if n == 1 else 'partitions have'} unknown offsets: {why}" for why, n in reasons.items()
    ]


def _group(fake: FakeConsumers, group: FakeGroup, problems: list[str]) -> Group:
    from kafkalab.state.model import Group, GroupOffset, Member

    coordinator = fake.coordinator(group.id)
    if coordinator not in fake.answering:
        who = "no coordinator at the moment"
        if coordinator is not None:
            who = f"the coordinator, broker {coordinator}, does not answer"
        problems.append(f"group {group.id}: {who}")
        return Group(group.id, "Unknown", coordinator)
    ends = {(p.topic, p.partition): p.high for p in fake.partitions if p.leader in fake.answering}
    pairs = sorted({pair for m in group.members for pair in m.holds} | group.committed.keys())
    offsets = []
    for pair in pairs:
        at, end = group.committed.get(pair), ends.get(pair)
        offsets.append(GroupOffset(*pair, at, None if at is None or end is None else end - at))
    members = tuple(
        Member(m.id, m.client_id, HOST, m.holds) for m in sorted(group.members, key=lambda member: member.id)
    )
    # A group without members has no assignor, because no member has proposed one.
    assignor = group.assignor if members else ""
    return Group(group.id, group.state, coordinator, members, tuple(offsets), assignor)


def _quorum(fake: FakeConsumers) -> Quorum | None:
    """Return the state of the quorum that keeps the metadata; None when no KRaft voter can be asked."""
    from kafkalab.state.model import Quorum, QuorumNode

    voters, able = fake.voters, fake.able_voters
    if voters.kind == "kraft" and not able:
        return None
    nodes = []
    for id in voters.ids:
        role = None
        if voters.leader is not None and id in able:
            role = "leader" if id == voters.leader else "follower"
            if voters.kind == "zookeeper" and len(voters.ids) == 1:
                role = "standalone"
        lag = 0 if voters.kind == "kraft" and role else None
        nodes.append(QuorumNode(id, role, id in able, lag=lag))
    if voters.kind == "kraft" and voters.leader is not None:
        watching = sorted(n.id for n in fake.layout if n.role == "broker" and not n.is_voter)
        for id in watching:
            here = id in fake.answering
            nodes.append(QuorumNode(id, "observer" if here else None, here, lag=0 if here else None))
    epoch = voters.epoch if voters.leader is not None else None
    return Quorum(voters.kind, voters.leader, epoch, tuple(nodes))


#: State of a node after each verb.
_AFTER: dict[Verb, State] = {
    "stop": "stopped",
    "kill": "stopped",
    "pause": "paused",
    "resume": "running",
    "start": "running",
    "cut": "cut",
    "join": "running",
}
#: States in which a verb has an effect; in any other state it changes nothing.
_FROM: dict[Verb, tuple[State, ...]] = {
    "stop": ("running", "paused", "cut"),
    "kill": ("running", "paused", "cut"),
    "pause": ("running",),
    "resume": ("paused",),
    "start": ("stopped", "paused", "cut"),
    "cut": ("running",),
    "join": ("cut",),
}


class FakeCapture:
    """Takes snapshots of the model; they can be believed at once, and include brokers that are down."""

    expected_brokers: tuple[Broker, ...] = ()
    doubting = False

    def __init__(self, snapshot: Callable[[], Snapshot]) -> None:
        self._snapshot = snapshot

    def __call__(self) -> Snapshot:
        """Return the model as it is now; raise Unreachable when no broker answers."""
        return self._snapshot()

    def close(self) -> None:
        """Do nothing: there is no connection."""


class FakeBackend(FakeConsumers, Backend):
    """A cluster that is only a model in memory. See :class:`kafkalab.cluster.backend.Backend`.

    Besides the backend's methods it has some for what clients do to a real cluster: :meth:`produce`, :meth:`join`,
    :meth:`poll`, :meth:`commit`, :meth:`leave`, :meth:`elect_preferred`, :meth:`delete_records`, :meth:`reassign`.

    :param throw_away: whether :meth:`stop` forgets topics and groups; if not, this object keeps them for another start.
    """

    kind = "fake"
    label = "in memory, not real"
    version = "model"
    capabilities = Capabilities(clients=False)

    def __init__(self, spec: ClusterSpec, *, throw_away: bool = True) -> None:
        super().__init__(spec)
        self.throw_away = throw_away
        self._started = False

    @property
    def owned(self) -> bool:
        """True, because it ends with its process."""
        return True

    @property
    def mode(self) -> Mode:
        """zookeeper or kraft."""
        return self.spec.mode

    @property
    def bootstrap_servers(self) -> str:
        """One address for each broker, to which no client can connect."""
        return ",".join(f"{HOST}:{n.id}" for n in self.layout if n.role == "broker")

    @property
    def zookeeper_connect(self) -> str:
        """Empty, because there is no ZooKeeper that a tool could ask."""
        return ""

    # lifecycle

    def start(self, progress: Report = silent) -> None:
        """Start every node, at once."""
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
        """Stop every node; a throw-away cluster forgets everything."""
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
        """Make the cluster as new: no topics, no groups, every node running."""
        with self._lock:
            self._running_at_all()
            self.stop()
            self.cluster_id = None
            self.start(progress)

    # nodes

    def nodes(self) -> tuple[NodeState, ...]:
        """Return the state of every node."""
        with self._lock:
            return tuple(NodeState(n.name, n.role, n.id, self._states[n.name], severable=True) for n in self.layout)

    def act(self, node: str, verb: Verb) -> None:
        """Carry out a verb and everything that follows from it; a verb that has already taken effect is no error."""
        with self._lock:
            spec = next((n for n in self.layout if n.name == node), None)
            if spec is None:
                raise NodeFailed(f"There is no node {node!r}.", do="Nodes: " + ", ".join(self._states))
            state = self._states[node]
            if verb in ("pause", "resume", "cut", "join") and state == "stopped":
                raise NodeFailed(f"{node} is stopped, so you cannot {verb} it.", do="Start it first.")
            if verb == "pause" and state == "cut":
                raise NodeFailed(f"{node} is cut off from the network, so you cannot pause it.", do="Join it first.")
            if verb == "cut" and state == "paused":
                raise NodeFailed(f"{node} is paused, so you cannot cut it off.", do="Resume it first.")
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
        """Add a broker with the next id and return its name; it holds no replicas yet."""
        with self._lock:
            self._running_at_all()
            node = _nowhere(one_more(self.spec, self.layout, _no_port, rack))
            self.layout = (*self.layout, node)
            self._states[node.name] = "running"
            self._settle()
            return node.name

    def forget_broker(self, id: int) -> None:
        """Remove a broker for good; raise BadInput when it still holds replicas."""
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
        """Return the last lines about what happened in the model while that node ran."""
        return "\n".join(list(self._stories.get(node, ()))[-lines:])

    def log_dir(self, broker: int) -> None:
        """Raise NotSupported: there are no records, and so no files."""
        raise NotSupported(
            "This cluster is only a model in memory, so it has no files to read.",
            do="Start a real one: Cluster(brokers=3).",
        )

    # what is asked instead of brokers

    def capture(self) -> FakeCapture:
        """Return an object that takes snapshots of the model."""
        return FakeCapture(self.snapshot)

    def snapshot(self) -> Snapshot:
        """Return the cluster as it is now; raise Unreachable when no broker answers."""
        with self._lock:
            self._reached()
            return take(self)

    def _reached(self) -> None:
        if not self.answering:
            states = ", ".join(f"{name} is {state}" for name, state in self._states.items()) or "it is not started"
            raise Unreachable(
                f"No broker gave any information about the cluster at {self.bootstrap_servers or self.spec.name}.",
                seen=states,
                do="start a broker",
            )

    def _running_at_all(self) -> None:
        if not self._started:
            raise NodeFailed(f"The cluster {self.spec.name!r} is not running.", do="Start it: cluster.start()")


def _no_port(wanted: int | None) -> int:
    return 0


def _nowhere(node: NodeSpec) -> NodeSpec:
    """Return the node with its id in place of its ports, because it has none."""
    return replace(node, port=node.id, controller_port=node.id if node.is_voter else None)
