"""Consumer groups on the fake's brokers: members join, read, commit and leave. Nothing here is real."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from kafkalab.cluster.fake import groups
from kafkalab.cluster.fake.assignors import ASSIGNORS, Assignor, Pair
from kafkalab.cluster.fake.brokers import OFFSETS_TOPIC
from kafkalab.cluster.fake.groups import FakeGroup, FakeMember
from kafkalab.cluster.fake.placement import place
from kafkalab.cluster.fake.records import FakeRecords
from kafkalab.cluster.properties import LESSON_SPEED
from kafkalab.errors import BadInput, RefusedByKafka


class FakeConsumers(FakeRecords):
    """The fake's brokers with groups of the classic protocol."""

    def join(self, group: str, client_id: str, topics: Sequence[str], assignor: Assignor = "range") -> str:
        """A consumer joins a group, which rebalances; returns its member id.

        :param topics: what it subscribes to; a topic that does not exist yet is taken up when it is created.
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
                    f"The group {group!r} did not take {client_id!r}.",
                    seen=f"InconsistentGroupProtocolError: its members use {found.assignor}",
                    do=f"Join with assignor={found.assignor!r}.",
                )
            self._groups[group], id = groups.joined(found, client_id, topics, self._sizes())
            self._tell(f"{client_id} joined the group {group}, generation {self._groups[group].generation}")
            return id

    def leave(self, group: str, member: str) -> None:
        """A member leaves its group, by itself or because it was not heard of any more."""
        with self._lock:
            found, _ = self._member(group, member)
            self._groups[group] = groups.left(found, member, self._sizes())
            self._tell(f"{member} left the group {group}, generation {self._groups[group].generation}")

    def poll(self, group: str, member: str, limit: int = 500) -> dict[Pair, range]:
        """The offsets a member reads next of each partition it holds, ``limit`` records in all; it goes on from there.

        It begins where its group committed last, else with the first record. Only what is below the high watermark is
        read, and nothing of a partition without a leader.
        """
        with self._lock:
            self._catch_up()
            found, mine = self._member(group, member)
            read: dict[Pair, range] = {}
            for at in mine.holds:
                p = self._partitions[at]
                if p.leader not in self._brokers:
                    continue
                next_one = mine.positions.get(at, found.committed.get(at, p.start))
                first = next_one if p.start <= next_one <= p.high else p.start
                if taken := range(first, min(p.high, first + limit)):
                    read[at] = taken
                    limit -= len(taken)
            self._groups[group] = groups.moved_to(found, member, {at: r.stop for at, r in read.items()})
            return read

    def commit(self, group: str, member: str, offsets: Mapping[Pair, int] | None = None) -> None:
        """Commit offsets for a member; by default how far it has read."""
        with self._lock:
            found, mine = self._member(group, member)
            self._groups[group] = groups.committed(found, mine.positions if offsets is None else offsets)

    def coordinator(self, group: str) -> int | None:
        """The broker that coordinates a group: it leads the group's partition of __consumer_offsets; None: nobody."""
        size = self._sizes().get(OFFSETS_TOPIC)
        return None if not size else self._partitions[OFFSETS_TOPIC, groups.java_hash(group) % size].leader

    def _member(self, group: str, member: str) -> tuple[FakeGroup, FakeMember]:
        found = self._coordinated(group)
        mine = found.member(member) if found else None
        if found is None or mine is None:
            raise RefusedByKafka(f"The group {group!r} has no member {member!r}.", seen="UnknownMemberIdError")
        return found, mine

    def _coordinated(self, group: str) -> FakeGroup | None:
        """The group, if there is one; refuses while its coordinator cannot be asked."""
        self._reached()
        if self.coordinator(group) not in self._brokers:
            raise RefusedByKafka(f"Nobody coordinates the group {group!r} now.", seen="CoordinatorNotAvailableError")
        return self._groups.get(group)

    def _offsets_topic(self) -> None:
        """Kafka makes its topic for committed offsets when the first group asks for a coordinator."""
        self._reached()
        if OFFSETS_TOPIC in self._topics:
            return
        size = int(self.spec.settings.get("offsets.topic.num.partitions", LESSON_SPEED["offsets.topic.num.partitions"]))
        copies = int(self.spec.settings.get("offsets.topic.replication.factor", min(3, self.spec.brokers)))
        able = sorted(self._registered)
        if len(able) < copies and self.spec.mode == "kraft":
            # KRaft places replicas also on brokers that are down, if it has to; they copy when they are back.
            able += sorted(n.id for n in self.layout if n.role == "broker" and n.id not in self._registered)
        if len(able) < copies:
            raise RefusedByKafka(
                "Nobody coordinates groups yet.",
                seen=f"CoordinatorNotAvailableError: {OFFSETS_TOPIC} needs {copies} brokers, {len(able)} alive",
                do="Start more brokers.",
            )
        self._make(OFFSETS_TOPIC, place(able, size, copies, self._racks()), {})
