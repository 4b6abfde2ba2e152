"""All brokers of the fake as one: topics, records, consumer groups, and what becomes of them when nodes come and go.

Nothing here is real: no process, no socket, no disk, no time. Whatever Kafka does after a while, it does at once here.
"""

from __future__ import annotations

import threading
from collections import defaultdict, deque

from kafkalab.cluster.backend import State
from kafkalab.cluster.fake import kafka
from kafkalab.cluster.fake.groups import FakeGroup, rebalanced
from kafkalab.cluster.fake.kafka import FakePartition
from kafkalab.cluster.fake.quorum import Voters, voted
from kafkalab.cluster.spec import ClusterSpec, NodeSpec
from kafkalab.errors import BadInput, RefusedByKafka

OFFSETS_TOPIC = "__consumer_offsets"
#: Lines kept of each node's story.
KEPT = 500


class FakeBrokers:
    """The cluster without its processes; :class:`kafkalab.cluster.fake.FakeBackend` adds those."""

    def __init__(self, spec: ClusterSpec) -> None:
        self.spec = spec
        self.layout: tuple[NodeSpec, ...] = ()
        self.cluster_id: str | None = None
        # A view's watcher looks from a thread of its own while a button acts on another.
        self._lock = threading.RLock()
        self._stories: dict[str, deque[str]] = defaultdict(lambda: deque(maxlen=KEPT))
        self._forget_everything()

    def _forget_everything(self) -> None:
        self._states: dict[str, State] = {n.name: "stopped" for n in self.layout}
        self._topics: dict[str, int] = {}
        self._partitions: dict[tuple[str, int], FakePartition] = {}
        self._groups: dict[str, FakeGroup] = {}
        self._registered: frozenset[int] = frozenset()
        #: Brokers that were killed: KRaft trusts their logs less when they come back.
        self._unclean: set[int] = set()
        role = "zookeeper" if self.spec.mode == "zookeeper" else None
        self._voters = Voters(
            self.spec.mode, tuple(n.id for n in self.layout if (n.role == role if role else n.is_voter))
        )
        self._controller: int | None = None

    # what is there

    def _running(self, *roles: str) -> frozenset[int]:
        """The ids of the nodes of these roles that run and can be reached."""
        return frozenset(n.id for n in self.layout if n.role in roles and self._states[n.name] == "running")

    @property
    def _brokers(self) -> frozenset[int]:
        return self._running("broker")

    @property
    def _can_change(self) -> bool:
        """Whether somebody can write metadata: there is a controller, and a majority behind it."""
        return self._voters.leader is not None and self._controller is not None

    def _able_voters(self) -> frozenset[int]:
        if self.spec.mode == "zookeeper":
            return self._running("zookeeper")
        return frozenset(n.id for n in self.layout if n.is_voter and self._states[n.name] == "running")

    @property
    def answering(self) -> frozenset[int]:
        """The brokers that run and can be reached."""
        return self._brokers

    @property
    def registered(self) -> frozenset[int]:
        """The brokers that the cluster counts among its own."""
        return self._registered

    @property
    def controller(self) -> int | None:
        """The controller's id; with ZooKeeper the last one known stays while the ensemble has no majority."""
        return self._controller

    @property
    def voters(self) -> Voters:
        """Who keeps the metadata."""
        return self._voters

    @property
    def able_voters(self) -> frozenset[int]:
        """The voters that run and can be reached."""
        return self._able_voters()

    @property
    def topics(self) -> tuple[str, ...]:
        """The names of all topics."""
        return tuple(self._topics)

    @property
    def partitions(self) -> tuple[FakePartition, ...]:
        """Every partition of every topic."""
        return tuple(self._partitions[at] for at in sorted(self._partitions))

    @property
    def groups(self) -> tuple[FakeGroup, ...]:
        """Every consumer group, by name."""
        return tuple(self._groups[id] for id in sorted(self._groups))

    # what happens

    def _settle(self, leaving: int | None = None) -> None:
        """Everything that follows from who runs and can be reached now.

        :param leaving: a broker that is shutting down and hands its partitions over first.
        """
        before = self._voters
        self._voters = voted(self._voters, self._able_voters())
        if self._voters != before and self.spec.mode == "kraft":
            leader = self._voters.leader
            self._tell(f"the active controller is {leader}, epoch {self._voters.epoch}" if leader else "no controller")
        if self._voters.leader is not None:
            self._register(leaving)
            self._choose_controller()
        elif self.spec.mode == "kraft":
            self._controller = None
        self._partitions = {
            at: self._told(p, kafka.settled(p, self._registered, self._brokers, self._can_change))
            for at, p in self._partitions.items()
        }

    def _register(self, leaving: int | None) -> None:
        now = frozenset(id for id in self._brokers if id != leaving)
        back = now - self._registered
        for id in sorted(back & self._unclean):
            self._partitions = {at: kafka.restarted_uncleanly(p, id) for at, p in self._partitions.items()}
        self._unclean -= back
        for id in sorted(self._registered ^ now):
            self._tell(f"broker {id} is {'registered' if id in back else 'no longer registered'}")
        self._registered = now

    def _choose_controller(self) -> None:
        if self.spec.mode == "kraft":
            self._controller = self._voters.leader
        elif self._controller not in self._registered:
            # With ZooKeeper the brokers race for it; here the lowest id wins.
            self._controller = min(self._registered, default=None)
            if self._controller is not None:
                self._tell(f"broker {self._controller} is the controller")

    def _told(self, before: FakePartition, after: FakePartition) -> FakePartition:
        if before.leader != after.leader:
            who = f"now {after.leader}" if after.leader is not None else "nobody"
            self._tell(f"the leader of {after.name} is {who}, epoch {after.epoch}")
        if set(before.isr) != set(after.isr):
            self._tell(f"in sync for {after.name}: {', '.join(map(str, after.isr)) or 'nobody'}")
        return after

    def _catch_up(self, but: int | None = None) -> None:
        """Followers fetch what there is, but from one leader: what happens next may come before they do."""
        self._partitions = {
            at: p if p.leader == but else kafka.raised(kafka.fetched(p, self._brokers))
            for at, p in self._partitions.items()
        }

    def _tell(self, text: str) -> None:
        """A line in the story of every node that runs."""
        for name, state in self._states.items():
            if state == "running":
                self._stories[name].append(text)

    # what can be asked for

    def _partition(self, topic: str, partition: int) -> FakePartition:
        self._known(topic)
        if (topic, partition) not in self._partitions:
            raise BadInput(f"{topic} has no partition {partition}.", do="cluster.snapshot() lists the ones there are.")
        return self._partitions[topic, partition]

    def _known(self, topic: str) -> None:
        if topic not in self._topics:
            raise BadInput(f"There is no topic {topic!r}.", do="cluster.snapshot() lists the ones there are.")

    def _reached(self) -> None:
        """Raise Unreachable unless some broker answers."""
        raise NotImplementedError

    def _changing(self, what: str) -> None:
        """Refuse what needs the controller while nobody is."""
        self._reached()
        if not self._can_change:
            who = "ZooKeepers" if self.spec.mode == "zookeeper" else "controllers"
            raise RefusedByKafka(
                what,
                seen="RequestTimedOutError: no controller can change anything now",
                do=f"A majority of the {who} must run.",
            )

    def _led(self, p: FakePartition, what: str) -> None:
        """Refuse what needs a partition's leader while it has none, or one that does not answer."""
        self._reached()
        if p.leader is None:
            waited = ", ".join(map(str, p.isr or p.eligible or (p.last_leader,)))
            raise RefusedByKafka(what, seen="LeaderNotAvailableError: nobody leads it", do=f"Start broker {waited}.")
        if p.leader not in self._brokers:
            raise RefusedByKafka(what, seen=f"RequestTimedOutError: its leader, broker {p.leader}, does not answer")

    def _racks(self) -> dict[int, str | None]:
        return {n.id: n.rack for n in self.layout if n.role == "broker"}

    def _sizes(self) -> dict[str, int]:
        sizes: dict[str, int] = defaultdict(int)
        for topic, _ in self._partitions:
            sizes[topic] += 1
        return sizes

    def _rebalance_readers(self, topic: str) -> None:
        sizes = self._sizes()
        self._groups = {
            id: rebalanced(g, sizes) if any(topic in m.topics for m in g.members) else g
            for id, g in self._groups.items()
        }
