"""Topics on the fake's brokers: created, deleted, moved, and led by their preferred leaders again."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from kafkalab.cluster import topics
from kafkalab.cluster.fake import kafka
from kafkalab.cluster.fake.brokers import FakeBrokers
from kafkalab.cluster.fake.groups import without_topic
from kafkalab.cluster.fake.placement import place
from kafkalab.cluster.fake.settings import min_insync
from kafkalab.errors import BadInput, RefusedByKafka


class FakeTopics(FakeBrokers):
    """What an administrator does with topics."""

    def create_topic(
        self, name: str, partitions: int = 1, replication: int | None = None, settings: Mapping[str, str] | None = None
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
        # Names of metrics have "_" for ".", so that two topics must differ in more than that.
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
        """Put partitions, as (topic, number), on other brokers; their data are there when this returns."""
        with self._lock:
            self._changing("Kafka did not move the replicas.")
            for at, held in replicas.items():
                p = self._partition(*at)
                if p.leader is None or not self._registered & set(held):
                    raise RefusedByKafka(f"The replicas of {p.name} cannot move.", seen="nobody to copy from, or to")
                self._partitions[at] = self._told(p, kafka.moved(p, held, self._registered))
            self._settle()

    def elect_preferred(self, topic: str | None = None) -> None:
        """A preferred leader election, of one topic or of all: Kafka holds one by itself every five minutes."""
        with self._lock:
            self._changing("Kafka did not elect preferred leaders.")
            if topic is not None:
                self._known(topic)
            for at, p in self._partitions.items():
                if topic in (None, at[0]):
                    self._partitions[at] = self._told(p, kafka.preferred(p, self._registered))
