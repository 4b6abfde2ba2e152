"""Topics that the judges of lab 02 make, whose logs no longer begin at 0; and what a topic is told to keep."""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from kafkalab.checks.topics import passing_topic, publish
from kafkalab.cluster.topics import asking
from kafkalab.errors import KafkalabError

if TYPE_CHECKING:
    from kafka import KafkaAdminClient

    from kafkalab.cluster.cluster import Cluster


#: So many different keys the records of a long log have.
KEYS: Final = 5


class Logs:
    """A topic made for one question.

    ``held`` is what can be read of it: partition → offset → value. ``gone`` says how many were cut off each log.
    """

    def __init__(self, cluster: Cluster, topic: str, sizes: Mapping[int, int], gone: Mapping[int, int]) -> None:
        self.cluster = cluster
        self.topic = topic
        self.gone = dict(gone)
        self.held: dict[int, dict[int, str]] = {partition: {} for partition in sizes}
        self._next = dict.fromkeys(sizes, 0)
        self.write(sizes)
        self._cut()

    def write(self, sizes: Mapping[int, int]) -> None:
        """Append so many records to each partition, by turns, as they would come in from outside."""
        turns = [partition for partition, size in sizes.items() for _ in range(size)]
        random.shuffle(turns)
        records: list[tuple[bytes | None, bytes | None, int | None]] = []
        for partition in turns:
            value = f"scan {uuid.uuid4().hex[:8]}"
            key = b"scanner-%d" % (self._next[partition] % KEYS)
            self.held[partition][self._next[partition]] = value
            self._next[partition] += 1
            records.append((key, value.encode(), partition))
        publish(self.cluster.bootstrap_servers, self.topic, records)

    def _cut(self) -> None:
        """Move the starts of the logs, as retention would, but now."""
        from kafka import TopicPartition

        cuts = {TopicPartition(self.topic, partition): first for partition, first in self.gone.items() if first}
        asking(self.cluster.bootstrap_servers, lambda admin: admin.delete_records(cuts))
        for partition, first in self.gone.items():
            for offset in range(first):
                del self.held[partition][offset]

    def end(self, partition: int) -> int:
        """The log end offset of a partition."""
        return self._next[partition]

    def place_of(self, value: str) -> tuple[int, int] | None:
        """Partition and offset of a value that can be read; None where there is none."""
        found = ((p, o) for p, log in self.held.items() for o, held in log.items() if held == value)
        return next(found, None)


@contextmanager
def logs(cluster: Cluster, sizes: Mapping[int, int], gone: Mapping[int, int]) -> Iterator[Logs]:
    """Such a topic, for a moment.

    :param sizes: partition → records written to it; of these, ``gone`` says how many are cut off again.
    """
    with passing_topic(cluster, "lab02-check", partitions=len(sizes)) as topic:
        yield Logs(cluster, topic, sizes, gone)


def groups_at(cluster: Cluster, topic: str) -> set[str]:
    """The groups that have something to do with a topic: committed offsets, or a member that reads it."""
    found = set()
    for group in cluster.snapshot().groups:
        held = {name for member in group.members for name, _ in member.partitions}
        if topic in held or any(offset.topic == topic for offset in group.offsets):
            found.add(group.group_id)
    return found


def settings_of(cluster: Cluster, topic: str) -> dict[str, str]:
    """Every setting of a topic as the brokers have it, their defaults included.

    :raises KafkalabError: the cluster cannot be asked.
    """
    from kafka.admin import ConfigResource

    def ask(admin: KafkaAdminClient) -> dict[str, str]:
        found = admin.describe_configs([ConfigResource("TOPIC", topic)], config_filter="all")
        settings = next((named[topic] for named in found.values() if topic in named), None)
        if not settings:
            raise KafkalabError(f"The cluster does not say what {topic!r} is set to.", do="Run the cell again.")
        return {key: str(entry["value"]) for key, entry in settings.items()}

    return asking(cluster.bootstrap_servers, ask)
