"""The fake's brokers together: topics, records, consumer groups, and what happens when nodes come and go.

Nothing here is real: there is no process, socket, disk or time. What Kafka does after a while, it does here at once.
"""

from __future__ import annotations

import re
import threading
from collections import defaultdict, deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from kafkalab.cluster import topics
from kafkalab.cluster.fake import groups, kafka
from kafkalab.cluster.fake.groups import ASSIGNORS, Assignor, FakeGroup, FakeMember, Pair, rebalanced, without_topic
from kafkalab.cluster.fake.kafka import FakePartition, place
from kafkalab.cluster.properties import LESSON_SPEED
from kafkalab.cluster.spec import ClusterSpec, Mode, NodeSpec
from kafkalab.errors import BadInput, NotSupported, RefusedByKafka
from kafkalab.progressbar import Report, silent
from kafkalab.state.model import State

# --- The settings of a topic that the fake understands, and those that it only checks for their names.


# fmt: off
#: The settings that Kafka accepts for a topic; some exist in 3.9 only, some in 4 only.
TOPIC_SETTINGS = frozenset((
    "cleanup.policy", "compression.gzip.level", "compression.lz4.level", "compression.type",
    "compression.zstd.level", "delete.retention.ms", "file.delete.delay.ms", "flush.messages", "flush.ms",
    "follower.replication.throttled.replicas", "index.interval.bytes", "leader.replication.throttled.replicas",
    "local.retention.bytes", "local.retention.ms", "max.compaction.lag.ms", "max.message.bytes",
    "message.downconversion.enable", "message.format.version", "message.timestamp.after.max.ms",
    "message.timestamp.before.max.ms", "message.timestamp.difference.max.ms", "message.timestamp.type",
    "min.cleanable.dirty.ratio", "min.compaction.lag.ms", "min.insync.replicas", "preallocate",
    "remote.log.copy.disable", "remote.log.delete.on.disable", "remote.storage.enable", "retention.bytes",
    "retention.ms", "segment.bytes", "segment.index.bytes", "segment.jitter.ms", "segment.ms",
    "unclean.leader.election.enable",
))
# fmt: on


def min_insync(topic: str, asked: Mapping[str, str], brokers: Mapping[str, str]) -> int:
    """Return ``min.insync.replicas`` of a new topic, from its own settings or the brokers'.

    :raises RefusedByKafka: Kafka does not know a setting, or does not accept its value.
    :raises NotSupported: unclean leader election is on; it loses committed records, and the fake does not do that.
    """
    for name in asked:
        if name not in TOPIC_SETTINGS:
            raise _refused(topic, f"Unknown topic config name: {name}")
    both = {**brokers, **asked}
    if str(both.get("unclean.leader.election.enable", "false")).lower() == "true":
        raise NotSupported(
            "The model in memory has no unclean leader elections.", do="Try one on a real cluster: Cluster(brokers=3)."
        )
    value = str(both.get("min.insync.replicas", "1"))
    if not value.isdigit() or int(value) < 1:
        raise _refused(topic, f"Invalid value {value} for configuration min.insync.replicas")
    return int(value)


def _refused(topic: str, why: str) -> RefusedByKafka:
    return RefusedByKafka(f"Kafka did not create {topic!r}.", seen=f"InvalidConfigurationError: {why}")


# --- The fake's quorum: a ZooKeeper ensemble or KRaft's voters, and the leader they elect. Pure functions.


@dataclass(frozen=True, slots=True)
class Voters:
    """The voters' ids, their leader (None: no majority), the leader's epoch, and the last leader there was.

    When several voters could win, luck decides in Kafka; here the choice is always the same. In ZooKeeper it is the
    highest id (as in a real one whose servers all know the same), in KRaft the next id after the last leader.
    """

    kind: Mode
    ids: tuple[int, ...]
    leader: int | None = None
    epoch: int = 0
    last: int = 0


def voted(voters: Voters, answering: Collection[int]) -> Voters:
    """Return the voters after an election, if one was due."""
    able = [id for id in voters.ids if id in answering]
    if 2 * len(able) <= len(voters.ids):
        return replace(voters, leader=None)
    if voters.leader in able:
        return voters
    later = [id for id in able if id > voters.last]
    leader = max(able) if voters.kind == "zookeeper" else (later or able)[0]
    # A single ZooKeeper holds no elections, so it has no epoch to count.
    epoch = 0 if voters.kind == "zookeeper" and len(voters.ids) == 1 else voters.epoch + 1
    return replace(voters, leader=leader, epoch=epoch, last=leader)


OFFSETS_TOPIC = "__consumer_offsets"
#: Maximum number of log lines kept for each node.
KEPT = 500


class FakeBrokers:
    """The cluster without its processes; :class:`kafkalab.cluster.fake.backend.FakeBackend` adds those."""

    def __init__(self, spec: ClusterSpec) -> None:
        self.spec = spec
        self.layout: tuple[NodeSpec, ...] = ()
        self.cluster_id: str | None = None
        # A view's watcher reads in its own thread, while a button acts in another.
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
        """Return the ids of the nodes of these roles that run and can be reached."""
        return frozenset(n.id for n in self.layout if n.role in roles and self._states[n.name] == "running")

    @property
    def _can_change(self) -> bool:
        """Whether metadata can be written: there is a controller, and a majority behind it."""
        return self._voters.leader is not None and self._controller is not None

    @property
    def answering(self) -> frozenset[int]:
        """The brokers that run and can be reached."""
        return self._running("broker")

    @property
    def registered(self) -> frozenset[int]:
        """The brokers that are registered in the cluster."""
        return self._registered

    @property
    def controller(self) -> int | None:
        """The controller's id; with ZooKeeper the last known one stays while the ensemble has no majority."""
        return self._controller

    @property
    def voters(self) -> Voters:
        """The quorum that keeps the metadata."""
        return self._voters

    @property
    def able_voters(self) -> frozenset[int]:
        """The voters that run and can be reached."""
        if self.spec.mode == "zookeeper":
            return self._running("zookeeper")
        return frozenset(n.id for n in self.layout if n.is_voter and self._states[n.name] == "running")

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
        """Update everything that depends on which nodes run and can be reached.

        :param leaving: a broker that is shutting down and hands its partitions over first.
        """
        before = self._voters
        self._voters = voted(self._voters, self.able_voters)
        if self._voters != before and self.spec.mode == "kraft":
            leader = self._voters.leader
            self._tell(f"the active controller is {leader}, epoch {self._voters.epoch}" if leader else "no controller")
        if self._voters.leader is not None:
            self._register(leaving)
            self._choose_controller()
        elif self.spec.mode == "kraft":
            self._controller = None
        self._partitions = {
            at: self._told(p, kafka.settled(p, self._registered, self.answering, self._can_change))
            for at, p in self._partitions.items()
        }

    def _register(self, leaving: int | None) -> None:
        now = frozenset(id for id in self.answering if id != leaving)
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
            who = f"now {after.leader}" if after.leader is not None else "now none"
            self._tell(f"the leader of {after.name} is {who}, epoch {after.epoch}")
        if set(before.isr) != set(after.isr):
            self._tell(f"in sync for {after.name}: {', '.join(map(str, after.isr)) or 'none'}")
        return after

    def _catch_up(self, but: int | None = None) -> None:
        """Let followers fetch from every leader except ``but``, which may fail before they get its last records."""
        self._partitions = {
            at: p if p.leader == but else kafka.raised(kafka.fetched(p, self.answering))
            for at, p in self._partitions.items()
        }

    def _tell(self, text: str) -> None:
        """Add a line to the log of every node that runs."""
        for name, state in self._states.items():
            if state == "running":
                self._stories[name].append(text)

    # what can be asked for

    def _partition(self, topic: str, partition: int) -> FakePartition:
        self._known(topic)
        if (topic, partition) not in self._partitions:
            raise BadInput(f"{topic} has no partition {partition}.", do="cluster.snapshot() lists the partitions.")
        return self._partitions[topic, partition]

    def _known(self, topic: str) -> None:
        if topic not in self._topics:
            raise BadInput(f"There is no topic {topic!r}.", do="cluster.snapshot() lists all topics.")

    def _reached(self) -> None:
        """Raise Unreachable unless some broker answers."""
        raise NotImplementedError

    def _changing(self, what: str) -> None:
        """Raise RefusedByKafka while there is no controller that can change metadata."""
        self._reached()
        if not self._can_change:
            who = "ZooKeepers" if self.spec.mode == "zookeeper" else "controllers"
            raise RefusedByKafka(
                what,
                seen="RequestTimedOutError: no controller can change anything now",
                do=f"A majority of the {who} must run.",
            )

    def _led(self, p: FakePartition, what: str) -> None:
        """Raise RefusedByKafka while a partition has no leader, or one that does not answer."""
        self._reached()
        if p.leader is None:
            waited = ", ".join(map(str, p.isr or p.eligible or (p.last_leader,)))
            raise RefusedByKafka(what, seen="LeaderNotAvailableError: it has no leader", do=f"Start broker {waited}.")
        if p.leader not in self.answering:
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


# --- Topics on the fake's brokers: create, delete and move them, and let the preferred leaders lead again.


class FakeTopics(FakeBrokers):
    """The fake's brokers with what an administrator does with topics."""

    def create_topic(
        self,
        name: str,
        partitions: int = 1,
        replication: int | None = None,
        settings: Mapping[str, str] | None = None,
        progress: Report = silent,
    ) -> None:
        """Create a topic, or refuse as Kafka would."""
        with self._lock:
            topics.check_name(name)
            topics.check_shape(partitions, 1 if replication is None else replication, 10_000)
            self._reached()
            copies = min(3, len(self._registered)) if replication is None else replication
            topics.check_shape(partitions, copies, len(self._registered))
            self._make(name, place(sorted(self._registered), partitions, copies, self._racks()), settings or {})

    def assign(self, name: str, replicas: Sequence[Sequence[int]], settings: Mapping[str, str] | None = None) -> None:
        """Create a topic with these replicas of partition 0, 1, …, the preferred leader first."""
        with self._lock:
            topics.check_name(name)
            self._reached()
            known = {n.id for n in self.layout if n.role == "broker"}
            for held in replicas:
                if not held or len(set(held)) < len(held) or not known.issuperset(held):
                    raise BadInput(
                        f"{list(held)} cannot be the replicas of a partition.", seen=f"brokers {sorted(known)}"
                    )
            self._make(name, replicas, settings or {})

    def _make(self, name: str, replicas: Sequence[Sequence[int]], settings: Mapping[str, str]) -> None:
        if name in self._topics:
            raise RefusedByKafka(f"The topic {name!r} exists already.", do="Delete it first, or choose another name.")
        # Kafka writes "_" for "." in names of metrics, so two topics must differ in more than that.
        alike = [t for t in self._topics if re.sub(r"[._]", "_", t) == re.sub(r"[._]", "_", name)]
        if alike:
            why = f"InvalidTopicError: Topic '{name}' collides with existing topics: {', '.join(alike)}"
            raise RefusedByKafka(f"Kafka did not create {name!r}.", seen=why)
        min_isr = min_insync(name, settings, self.spec.settings)
        self._changing(f"Kafka did not create {name!r}.")
        self._topics[name] = min_isr
        for i, held in enumerate(replicas):
            self._partitions[name, i] = kafka.created(
                name, i, held, self._registered, min_isr, self.spec.mode == "kraft"
            )
        self._tell(f"the topic {name} was created")
        self._rebalance_readers(name)

    def delete_topic(self, name: str) -> None:
        """Delete a topic, or refuse as Kafka would."""
        with self._lock:
            topics.check_name(name)
            self._reached()
            self._known(name)
            self._changing(f"Kafka did not delete {name!r}.")
            del self._topics[name]
            self._partitions = {at: p for at, p in self._partitions.items() if at[0] != name}
            self._groups = {id: without_topic(g, name) for id, g in self._groups.items()}
            self._tell(f"the topic {name} was deleted")
            self._rebalance_readers(name)

    def reassign(self, replicas: Mapping[tuple[str, int], Sequence[int]]) -> None:
        """Move partitions, as (topic, number), to other brokers; their data is there when this returns."""
        with self._lock:
            self._changing("Kafka did not move the replicas.")
            for at, held in replicas.items():
                p = self._partition(*at)
                if p.leader is None or not self._registered & set(held):
                    raise RefusedByKafka(f"The replicas of {p.name} cannot move.", seen="no broker to copy from or to")
                self._partitions[at] = self._told(p, kafka.moved(p, held, self._registered))
            self._settle()

    def elect_preferred(self, topic: str | None = None) -> None:
        """Hold a preferred leader election, for one topic or all; Kafka holds one by itself every five minutes."""
        with self._lock:
            self._changing("Kafka did not elect preferred leaders.")
            if topic is not None:
                self._known(topic)
            for at, p in self._partitions.items():
                if topic in (None, at[0]):
                    self._partitions[at] = self._told(p, kafka.preferred(p, self._registered))


# --- Records in the fake's partitions: written, acknowledged or not, fetched, lost, deleted. They have no content.


@dataclass(frozen=True, slots=True)
class Sent:
    """Records that a leader accepted: the first one's offset, their number, and the leader's epoch."""

    topic: str
    partition: int
    offset: int
    count: int
    epoch: int


class FakeRecords(FakeTopics):
    """The fake's brokers with the records that producers write."""

    def produce(self, topic: str, partition: int, count: int = 1, acks: Literal["all", -1, 0, 1] = "all") -> Sent:
        """Write records without content; raise RefusedByKafka where a producer would get an error in the end.

        :param acks: with ``"all"`` every in-sync replica has them when this returns. With 1 or 0 only the leader does.
            Then the followers fetch them at the next event, unless that event is the leader's death.
        """
        with self._lock:
            p = self._partition(topic, partition)
            if count < 1 or acks not in ("all", -1, 0, 1):
                raise BadInput(
                    f"{count} records with acks={acks!r} cannot be sent.",
                    do='Send at least 1, with acks="all", 1 or 0.',
                )
            self._led(p, f"Kafka did not accept the records for {p.name}.")
            if acks in ("all", -1) and len(p.isr) < p.needed:
                raise RefusedByKafka(
                    f"Kafka did not accept the records for {p.name}.",
                    seen=f"NotEnoughReplicasError: {len(p.isr)} in sync, min.insync.replicas is {p.min_isr}",
                    do="Start the brokers that are down, or send with acks=1 and risk losing the records.",
                )
            sent = Sent(topic, partition, p.log(p.leader or 0).end, count, p.epoch)
            p = kafka.appended(p, count)
            if acks in ("all", -1):
                p = kafka.raised(kafka.fetched(p, self.answering))
            self._partitions[topic, partition] = p
            if acks in ("all", -1) and p.high < sent.offset + count:
                raise RefusedByKafka(
                    f"Kafka did not acknowledge the records for {p.name}.",
                    seen="RequestTimedOutError: a broker in the ISR does not answer, and no controller can remove it",
                    do="A majority of the controllers, or of the ZooKeepers, must run.",
                )
            return sent

    def kept(self, sent: Sent) -> bool:
        """Return whether all these records are still there: on the leader, or without one on all that may lead next."""
        with self._lock:
            p = self._partition(sent.topic, sent.partition)
            last = () if p.last_leader is None else (p.last_leader,)
            who = [p.leader] if p.leader is not None else [*p.isr, *p.eligible] or [*last]
            ends = (sent.offset, sent.offset + sent.count - 1)
            return all(p.log(b).holds(offset, sent.epoch) for b in who for offset in ends)

    def delete_records(self, topic: str, partition: int, before: int) -> None:
        """Delete the records below an offset, as retention does."""
        with self._lock:
            p = self._partition(topic, partition)
            self._led(p, f"Kafka did not delete records of {p.name}.")
            if not 0 <= before <= p.high:
                raise RefusedByKafka(
                    f"Kafka did not delete records of {p.name}.",
                    seen=f"OffsetOutOfRangeError: {before} is not between {p.start} and {p.high}",
                )
            self._partitions[topic, partition] = replace(p, start=max(p.start, before))


# --- Consumer groups on the fake's brokers: members join, read, commit and leave. Nothing here is real.


class FakeConsumers(FakeRecords):
    """The fake's brokers with groups of the classic protocol."""

    def join(self, group: str, client_id: str, topics: Sequence[str], assignor: Assignor = "range") -> str:
        """Let a consumer join a group, which rebalances; return its member id.

        :param topics: the topics it subscribes to; one that does not exist yet is assigned once it is created.
        """
        with self._lock:
            if assignor not in ASSIGNORS:
                raise BadInput(f"There is no assignor {assignor!r} here.", do=f"Choose one of: {', '.join(ASSIGNORS)}.")
            self._offsets_topic()
            found = self._coordinated(group)
            if found is None or not found.members:
                found = replace(found or FakeGroup(group, assignor), assignor=assignor)
            if found.assignor != assignor:
                raise RefusedByKafka(
                    f"The group {group!r} did not accept {client_id!r}.",
                    seen=f"InconsistentGroupProtocolError: its members use {found.assignor}",
                    do=f"Join with assignor={found.assignor!r}.",
                )
            self._groups[group], id = groups.joined(found, client_id, topics, self._sizes())
            self._tell(f"{client_id} joined the group {group}, generation {self._groups[group].generation}")
            return id

    def leave(self, group: str, member: str) -> None:
        """Remove a member from its group, because it left or because it was not heard of any more."""
        with self._lock:
            found, _ = self._member(group, member)
            self._groups[group] = groups.left(found, member, self._sizes())
            self._tell(f"{member} left the group {group}, generation {self._groups[group].generation}")

    def poll(self, group: str, member: str, limit: int = 500) -> dict[Pair, range]:
        """Return the offsets a member reads next in each partition, at most ``limit`` in all, and move it past them.

        A member begins at the offset its group committed, or else at the first record. It reads only below the high
        watermark, and nothing from a partition whose leader does not answer.
        """
        with self._lock:
            self._catch_up()
            found, mine = self._member(group, member)
            read: dict[Pair, range] = {}
            for at in mine.holds:
                p = self._partitions[at]
                if p.leader not in self.answering:
                    continue
                next_one = mine.positions.get(at, found.committed.get(at, p.start))
                first = next_one if p.start <= next_one <= p.high else p.start
                if taken := range(first, min(p.high, first + limit)):
                    read[at] = taken
                    limit -= len(taken)
            self._groups[group] = groups.moved_to(found, member, {at: r.stop for at, r in read.items()})
            return read

    def commit(self, group: str, member: str, offsets: Mapping[Pair, int] | None = None) -> None:
        """Commit offsets for a member; by default those it has read up to."""
        with self._lock:
            found, mine = self._member(group, member)
            self._groups[group] = groups.committed(found, mine.positions if offsets is None else offsets)

    def coordinator(self, group: str) -> int | None:
        """Return the group's coordinator: the leader of its partition of __consumer_offsets, or None if it has none."""
        size = self._sizes().get(OFFSETS_TOPIC)
        return None if not size else self._partitions[OFFSETS_TOPIC, groups.java_hash(group) % size].leader

    def _member(self, group: str, member: str) -> tuple[FakeGroup, FakeMember]:
        found = self._coordinated(group)
        mine = found.member(member) if found else None
        if found is None or mine is None:
            raise RefusedByKafka(f"The group {group!r} has no member {member!r}.", seen="UnknownMemberIdError")
        return found, mine

    def _coordinated(self, group: str) -> FakeGroup | None:
        """Return the group, or None; raise RefusedByKafka while its coordinator does not answer."""
        self._reached()
        if self.coordinator(group) not in self.answering:
            raise RefusedByKafka(f"No broker coordinates the group {group!r} now.", seen="CoordinatorNotAvailableError")
        return self._groups.get(group)

    def _offsets_topic(self) -> None:
        """Create the topic for committed offsets, as Kafka does when a group first asks for a coordinator."""
        self._reached()
        if OFFSETS_TOPIC in self._topics:
            return
        size = int(self.spec.settings.get("offsets.topic.num.partitions", LESSON_SPEED["offsets.topic.num.partitions"]))
        copies = int(self.spec.settings.get("offsets.topic.replication.factor", min(3, self.spec.brokers)))
        able = sorted(self._registered)
        if len(able) < copies and self.spec.mode == "kraft":
            # KRaft also places replicas on brokers that are down, if it must; those copy the data when they are back.
            able += sorted(n.id for n in self.layout if n.role == "broker" and n.id not in self._registered)
        if len(able) < copies:
            raise RefusedByKafka(
                "No broker can coordinate groups yet.",
                seen=f"CoordinatorNotAvailableError: {OFFSETS_TOPIC} needs {copies} brokers, {len(able)} alive",
                do="Start more brokers.",
            )
        self._make(OFFSETS_TOPIC, place(able, size, copies, self._racks()), {})
