"""A cluster in memory, for unit tests and for reading lessons without Java: Kafka's rules without Kafka.

It has no process, socket, thread, file or record: only nodes, topics, groups, and who leads what. It does at once what
Kafka does after a timeout, and makes the same choice every time where Kafka relies on luck (who is elected, where
replicas go). Its label, its addresses and its cluster id say that it is not real.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from kafkalab.cluster import topics
from kafkalab.cluster.backend import Backend
from kafkalab.cluster.spec import ClusterSpec, NodeSpec, lay_out, one_more
from kafkalab.errors import BadInput, NodeFailed, NotSupported, RefusedByKafka, Unreachable
from kafkalab.progressbar import Report, silent
from kafkalab.state import model
from kafkalab.state.model import Broker, Mode, NodeState, Partition, Snapshot, State, Verb
from kafkalab.state.watch import Capabilities

#: Host of brokers and of members of groups; there is no such host.
HOST = "fake"


def _no_port(wanted: int | None) -> int:
    return 0


# --- One partition: pure functions of frozen data.


def settled(p: Partition, registered: Collection[int]) -> Partition:
    """Return the partition after the controller has done all that is to be done, and every follower has caught up.

    The ISR keeps the last replica that was in sync, which alone may lead again.
    """
    last = (p.leader,) if p.leader in p.isr else p.isr[-1:]
    isr = tuple(b for b in p.isr if b in registered) or last
    leader = p.leader
    if leader not in registered:
        leader = next((b for b in p.replicas if b in isr and b in registered), None)
    if leader is not None:
        isr += tuple(b for b in p.replicas if b in registered and b not in isr)
    return replace(p, leader=leader, isr=isr, leader_epoch=(p.leader_epoch or 0) + (leader != p.leader))


def place(brokers: Sequence[int], partitions: int, replication: int) -> list[tuple[int, ...]]:
    """Return the replicas of each partition, the preferred leader first: round robin, without a look at racks."""
    size = len(brokers)
    return [tuple(brokers[(first + i) % size] for i in range(replication)) for first in range(partitions)]


# --- The backend.

#: For each verb the states in which it has an effect, and the state after it.
VERBS: dict[Verb, tuple[tuple[State, ...], State]] = {
    "stop": (("running", "paused", "cut"), "stopped"),
    "kill": (("running", "paused", "cut"), "stopped"),
    "pause": (("running",), "paused"),
    "resume": (("paused",), "running"),
    "start": (("stopped", "paused", "cut"), "running"),
    "cut": (("running",), "cut"),
    "join": (("cut",), "running"),
}


@dataclass(frozen=True, slots=True)
class FakeCapture:
    """Takes snapshots of the model; they can be believed at once, and include brokers that are down."""

    snapshot: Callable[[], Snapshot]
    doubting = False

    def __call__(self) -> Snapshot:
        """Return the model as it is now; raise Unreachable when no broker answers."""
        return self.snapshot()

    def close(self) -> None:
        """Do nothing: there is no connection."""


class FakeBackend(Backend):
    """A cluster that is only a model in memory. See :class:`kafkalab.cluster.backend.Backend`.

    Besides the backend's methods it has :meth:`assign`, and ``groups``, into which a test puts what a snapshot shows.

    :param throw_away: whether :meth:`stop` forgets topics and groups; if not, this object keeps them for another start.
    """

    kind = "fake"
    label = "in memory, not real"
    version = "model"
    capabilities = Capabilities(clients=False)
    owned = True
    #: Empty, because there is no ZooKeeper that a tool could ask.
    zookeeper_connect = ""

    def __init__(self, spec: ClusterSpec, *, throw_away: bool = True) -> None:
        self.spec, self.throw_away = spec, throw_away
        self._started = False
        # A view's watcher reads in its own thread, while a button acts in another.
        self._lock = threading.RLock()
        self._forget_everything()

    def _forget_everything(self) -> None:
        self._states: dict[str, State] = {n.name: "stopped" for n in self.layout}
        self._topics: dict[str, list[Partition]] = {}
        self.groups: dict[str, model.Group] = {}
        self._registered: frozenset[int] = frozenset()
        self._controller: int | None = None
        #: The voter that leads the ZooKeeper ensemble or the KRaft quorum (None: no majority), and its epoch.
        self._leader: int | None = None
        self._epoch = 0

    @property
    def mode(self) -> Mode:
        """zookeeper or kraft."""
        return self.spec.mode

    @property
    def bootstrap_servers(self) -> str:
        """One address for each broker, to which no client can connect."""
        return ",".join(f"{HOST}:{n.id}" for n in self.layout if n.role == "broker")

    # lifecycle

    def start(self, progress: Report = silent) -> None:
        """Start every node, at once."""
        with self._lock:
            if self._started:
                return
            if self.cluster_id is None:
                self.layout = lay_out(self.spec, _no_port)
                self.cluster_id = f"fake-{uuid.uuid4().hex[:12]}"
                self._forget_everything()
            self._started = True
            self._states = {n.name: "running" for n in self.layout}
            self._settle()
            progress(1, 1, "a model in memory: nothing is started")

    def stop(self) -> None:
        """Stop every node; a throw-away cluster forgets everything."""
        with self._lock:
            if not self._started:
                return
            self._states = {n.name: "stopped" for n in self.layout}
            self._started = False
            self._registered, self._controller, self._leader = frozenset(), None, None
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
            if (verb, state) in (("pause", "cut"), ("cut", "paused")):
                raise NodeFailed(f"{node} is {state}, so you cannot {verb} it.", do="Start it first.")
            self._running_at_all()
            effective, after = VERBS[verb]
            if state not in effective:
                return
            # A controlled shutdown needs a controller, and a broker that can talk to it.
            if verb == "stop" and state == "running" and spec.role == "broker" and self._can_change:
                self._settle(leaving=spec.id)
            self._states[node] = after
            self._settle()

    def add_broker(self, rack: str | None = None) -> str:
        """Add a broker with the next id and return its name; it holds no replicas yet."""
        with self._lock:
            self._running_at_all()
            node = one_more(self.spec, self.layout, _no_port, rack)
            self.layout = (*self.layout, node)
            self._states[node.name] = "running"
            self._settle()
            return node.name

    def forget_broker(self, id: int) -> None:
        """Remove a broker for good."""
        with self._lock:
            name = f"broker-{id}"
            self.act(name, "stop")
            self.layout = tuple(n for n in self.layout if n.name != name)
            del self._states[name]
            self._registered -= {id}

    def log_tail(self, node: str, lines: int = 20) -> str:
        """Return the one line that each node has."""
        return "this is a model in memory: no broker runs here"

    def log_dir(self, broker: int) -> None:
        """Raise NotSupported: there are no records, and so no files."""
        raise NotSupported(
            "This cluster is only a model in memory, so it has no files to read.",
            do="Start a real one: Cluster(brokers=3).",
        )

    # topics and groups

    def create_topic(
        self,
        name: str,
        partitions: int = 1,
        replication: int | None = None,
        settings: Mapping[str, str] | None = None,
        progress: Report = silent,
    ) -> None:
        """Create a topic, or refuse as Kafka would; its settings have no effect."""
        with self._lock:
            topics.check_name(name)
            self._reached()
            copies = min(3, len(self._registered)) if replication is None else replication
            topics.check_shape(partitions, copies, len(self._registered))
            self.assign(name, place(sorted(self._registered), partitions, copies))

    def assign(self, name: str, replicas: Sequence[Sequence[int]]) -> None:
        """Create a topic with these replicas of partition 0, 1, …, the preferred leader first."""
        with self._lock:
            self._changing(f"Kafka did not create {name!r}.")
            if name in self._topics:
                raise RefusedByKafka(f"The topic {name!r} exists already.", do="Delete it first, or take another name.")
            self._topics[name] = [
                settled(Partition(name, i, held[0], tuple(held), tuple(held), leader_epoch=0), self._registered)
                for i, held in enumerate(replicas)
            ]

    def delete_topic(self, name: str) -> None:
        """Delete a topic, or refuse as Kafka would."""
        with self._lock:
            topics.check_name(name)
            self._changing(f"Kafka did not delete {name!r}.")
            if name not in self._topics:
                raise BadInput(f"There is no topic {name!r}.", do="cluster.snapshot() lists all topics.")
            del self._topics[name]

    def reassign(self, replicas: Mapping[tuple[str, int], Sequence[int]]) -> None:
        """Move partitions, as (topic, number), to other brokers; their data is there when this returns."""
        with self._lock:
            self._changing("Kafka did not move the replicas.")
            for (topic, number), held in replicas.items():
                p = self._topics[topic][number]
                if p.leader is None or not self._registered & set(held):
                    raise RefusedByKafka(f"{topic}-{number} cannot move.", seen="no broker to copy from or to")
                at = replace(p, replicas=tuple(held), isr=tuple(b for b in held if b in self._registered))
                at = replace(at, leader=p.leader if p.leader in held else None)
                self._topics[topic][number] = settled(at, self._registered)

    # what happens

    @property
    def answering(self) -> frozenset[int]:
        """The brokers that run and can be reached."""
        return frozenset(n.id for n in self.layout if n.role == "broker" and self._states[n.name] == "running")

    def _votes(self, node: NodeSpec) -> bool:
        return node.role == "zookeeper" if self.spec.mode == "zookeeper" else node.is_voter

    @property
    def voters(self) -> tuple[int, ...]:
        """Ids of the nodes that vote on who leads the ensemble or the quorum."""
        return tuple(n.id for n in self.layout if self._votes(n))

    @property
    def _able_voters(self) -> frozenset[int]:
        return frozenset(n.id for n in self.layout if self._votes(n) and self._states[n.name] == "running")

    @property
    def _can_change(self) -> bool:
        """Whether metadata can be written: there is a controller, and a majority behind it."""
        return self._leader is not None and self._controller is not None

    def _settle(self, leaving: int | None = None) -> None:
        """Update everything that depends on which nodes run and can be reached.

        Without a majority of the voters nothing changes: brokers stay registered and lead what they led.

        :param leaving: a broker that is shutting down and hands its partitions over first.
        """
        able = self._able_voters
        if 2 * len(able) <= len(self.voters):
            self._leader = None
        elif self._leader not in able:
            # Luck decides in Kafka; with ZooKeeper the highest id wins among servers that all know the same.
            self._leader = max(able) if self.mode == "zookeeper" else min(able)
            self._epoch += 1
        if self._leader is not None:
            self._registered = self.answering - {leaving}
        if self.mode == "kraft":
            self._controller = self._leader
        elif self._leader is not None and self._controller not in self._registered:
            # With ZooKeeper the brokers race for it; here the lowest id wins. Without a majority, nobody notices.
            self._controller = min(self._registered, default=None)
        if self._can_change:
            for partitions in self._topics.values():
                partitions[:] = [settled(p, self._registered) for p in partitions]

    def _running_at_all(self) -> None:
        if not self._started:
            raise NodeFailed(f"The cluster {self.spec.name!r} is not running.", do="Start it: cluster.start()")

    def _reached(self) -> None:
        """Raise Unreachable unless some broker answers."""
        if not self.answering:
            states = ", ".join(f"{name} is {state}" for name, state in self._states.items()) or "it is not started"
            raise Unreachable(
                f"No broker gave any information about the cluster at {self.bootstrap_servers or self.spec.name}.",
                seen=states,
                do="start a broker",
            )

    def _changing(self, what: str) -> None:
        """Raise RefusedByKafka while there is no controller that can change metadata."""
        self._reached()
        if not self._can_change:
            who = "ZooKeepers" if self.mode == "zookeeper" else "controllers"
            raise RefusedByKafka(
                what,
                seen="RequestTimedOutError: no controller can change anything now",
                do=f"A majority of the {who} must run.",
            )

    # snapshots

    def capture(self) -> FakeCapture:
        """Return an object that takes snapshots of the model."""
        return FakeCapture(self.snapshot)

    def snapshot(self) -> Snapshot:
        """Return the cluster as it is now; raise Unreachable when no broker answers."""
        with self._lock:
            self._reached()
            silent = sorted(self._registered - self.answering)
            problems = [f"broker {id} is registered but does not answer" for id in silent]
            quorum = self._quorum()
            if quorum is None:
                problems.append("the leader of the KRaft quorum could not be found out, so the controller is unknown")
            elif quorum.problem:
                problems.append(quorum.problem)
            found = [model.Topic(name, tuple(map(self._partition, ps))) for name, ps in sorted(self._topics.items())]
            return Snapshot(
                self.cluster_id,
                self.mode,
                self._controller,
                time.time(),
                self.expected_brokers(),
                tuple(found),
                tuple(group for _, group in sorted(self.groups.items())),
                quorum,
                tuple(problems),
            )

    def expected_brokers(self) -> tuple[Broker, ...]:
        """Return the brokers that the cluster is meant to have, and which of them are registered."""
        brokers = (n for n in self.layout if n.role == "broker")
        return tuple(Broker(n.id, HOST, n.id, n.id in self._registered, n.rack) for n in brokers)

    def _partition(self, p: Partition) -> Partition:
        end = 0 if p.leader in self.answering else None
        # The last replica in sync stays in the ISR with ZooKeeper; in KRaft it leaves it, too.
        isr = () if p.leader is None and self.mode == "kraft" else p.isr
        return replace(p, isr=isr, start=end, end=end)

    def _quorum(self) -> model.Quorum | None:
        """Return the state of the quorum that keeps the metadata; None when no KRaft voter can be asked."""
        able, leader, kraft = self._able_voters, self._leader, self.mode == "kraft"
        if kraft and not able:
            return None
        nodes = []
        for id in self.voters:
            role = None
            if leader is not None and id in able:
                alone = not kraft and len(self.voters) == 1
                role = "standalone" if alone else "leader" if id == leader else "follower"
            nodes.append(model.QuorumNode(id, role, id in able, lag=0 if kraft and role else None))
        if kraft and leader is not None:
            watching = [n.id for n in self.layout if n.role == "broker" and not n.is_voter and n.id in self.answering]
            nodes += [model.QuorumNode(id, "observer", True, lag=0) for id in watching]
        return model.Quorum(self.mode, leader, self._epoch if leader is not None else None, tuple(nodes))
