"""Records in the fake's partitions: written, acknowledged or not, fetched, lost, deleted. They have no content."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from kafkalab.cluster.fake import kafka
from kafkalab.cluster.fake.topics import FakeTopics
from kafkalab.errors import BadInput, RefusedByKafka


@dataclass(frozen=True, slots=True)
class Sent:
    """Records that a leader took: the offset of the first, how many, and the epoch of the leader that took them."""

    topic: str
    partition: int
    offset: int
    count: int
    epoch: int


class FakeRecords(FakeTopics):
    """What producers do."""

    def produce(self, topic: str, partition: int, count: int = 1, acks: Literal["all", -1, 0, 1] = "all") -> Sent:
        """Write records without content; RefusedByKafka where the producer would get an error in the end.

        :param acks: with ``"all"`` every replica in sync holds them when this returns. With 1 only the leader does:
            the followers fetch them with whatever happens next, unless that is the leader's death.
        """
        with self._lock:
            p = self._partition(topic, partition)
            if count < 1 or acks not in ("all", -1, 0, 1):
                raise BadInput(f"{count} records with acks={acks!r} cannot be sent.", do='acks is "all", 1 or 0.')
            self._led(p, f"Kafka did not take the records for {p.name}.")
            if acks in ("all", -1) and len(p.isr) < p.needed:
                raise RefusedByKafka(
                    f"Kafka did not take the records for {p.name}.",
                    seen=f"NotEnoughReplicasError: {len(p.isr)} in sync, min.insync.replicas is {p.min_isr}",
                    do="Start the brokers that are down, or send with acks=1 and risk the records.",
                )
            sent = Sent(topic, partition, p.log(p.leader or 0).end, count, p.epoch)
            p = kafka.appended(p, count)
            if acks in ("all", -1):
                p = kafka.raised(kafka.fetched(p, self._brokers))
            self._partitions[topic, partition] = p
            if acks in ("all", -1) and p.high < sent.offset + count:
                raise RefusedByKafka(
                    f"Kafka did not acknowledge the records for {p.name}.",
                    seen="RequestTimedOutError: a broker in the ISR is silent, and nobody can take it off the ISR",
                    do="A majority of the controllers, or of the ZooKeepers, must run.",
                )
            return sent

    def replicate(self) -> None:
        """Let every follower fetch what its leader has: what in Kafka goes on all the time."""
        with self._lock:
            self._catch_up()

    def kept(self, sent: Sent) -> bool:
        """Whether all of these records are still there: the leader holds them, or without one whoever may lead next."""
        with self._lock:
            p = self._partition(sent.topic, sent.partition)
            last = () if p.last_leader is None else (p.last_leader,)
            who = [p.leader] if p.leader is not None else [*p.isr, *p.eligible] or [*last]
            ends = (sent.offset, sent.offset + sent.count - 1)
            return all(p.log(b).holds(offset, sent.epoch) for b in who for offset in ends)

    def delete_records(self, topic: str, partition: int, before: int) -> None:
        """Delete the records before an offset, as retention does."""
        with self._lock:
            p = self._partition(topic, partition)
            self._led(p, f"Kafka did not delete records of {p.name}.")
            if not 0 <= before <= p.high:
                raise RefusedByKafka(
                    f"Kafka did not delete records of {p.name}.",
                    seen=f"OffsetOutOfRangeError: {before} is not between {p.start} and {p.high}",
                )
            self._partitions[topic, partition] = replace(p, start=max(p.start, before))
