"""Topics for the judges of labs 02a and 02b, with random records in the partitions that they choose."""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from kafkalab.cluster.topics import asking
from kafkalab.exercises.topics import passing_topic, publish

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster

#: Maximum number of different keys in a topic made here.
KEYS: Final = 5


class Logs:
    """A topic made for one question.

    ``held``: the records that can be read, partition → offset → value. ``gone``: partition → number of records cut off
    the beginning of its log.
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
        """Append records to the partitions in random turns; ``sizes``: partition → number of records."""
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
        """Delete the first records of the logs now, as retention would later."""
        from kafka import TopicPartition

        cuts = {TopicPartition(self.topic, partition): first for partition, first in self.gone.items() if first}
        if not cuts:
            return
        asking(self.cluster.bootstrap_servers, lambda admin: admin.delete_records(cuts))
        for partition, first in self.gone.items():
            for offset in range(first):
                del self.held[partition][offset]

    def end(self, partition: int) -> int:
        """Return the log end offset of a partition."""
        return self._next[partition]

    def place_of(self, value: str) -> tuple[int, int] | None:
        """Return the partition and offset of a value; None if it cannot be read in the topic."""
        found = ((p, o) for p, log in self.held.items() for o, held in log.items() if held == value)
        return next(found, None)


@contextmanager
def logs(
    cluster: Cluster, prefix: str, sizes: Mapping[int, int], gone: Mapping[int, int] = MappingProxyType({})
) -> Iterator[Logs]:
    """Create a temporary topic, give its :class:`Logs` to the block, and delete it at the end.

    :param prefix: the lab's, with which the topic's name begins.
    :param sizes: partition → number of records written to it.
    :param gone: partition → number of these that are cut off again.
    """
    with passing_topic(cluster, f"{prefix}check", partitions=len(sizes)) as topic:
        yield Logs(cluster, topic, sizes, gone)
