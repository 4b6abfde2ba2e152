"""Which brokers hold which partition of a new topic: Kafka's own round robin, from a fixed start, not a random one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def place(
    brokers: Sequence[int], partitions: int, replication: int, racks: Mapping[int, str | None]
) -> tuple[tuple[int, ...], ...]:
    """The replicas of each partition, the preferred leader first.

    Leaders go round the brokers; followers are shifted by one more with each round, so that the partitions one broker
    leads are not all followed by the same other. If every broker has a rack, a partition is in as many racks as it can.
    """
    spread = all(racks.get(b) is not None for b in brokers)
    ring = _alternated(brokers, racks) if spread else tuple(sorted(brokers))
    count = len({racks[b] for b in brokers}) if spread else 1
    return tuple(
        _replicas(ring, partition, replication, racks if spread else {}, count) for partition in range(partitions)
    )


def _replicas(
    ring: Sequence[int], partition: int, replication: int, racks: Mapping[int, str | None], count: int
) -> tuple[int, ...]:
    size = len(ring)
    first, shift = partition % size, partition // size * count
    held, step = [ring[first]], 0
    while len(held) < replication:
        # Kafka's formula: neighbours of the leader, the nearest one moving on with the shift.
        broker = ring[(first + 1 + (shift + step) % (size - 1)) % size]
        step += 1
        here = {racks.get(b) for b in held}
        if broker not in held and (not racks or racks[broker] not in here or len(here) == count):
            held.append(broker)
    return tuple(held)


def _alternated(brokers: Sequence[int], racks: Mapping[int, str | None]) -> tuple[int, ...]:
    """The brokers in an order in which neighbours are in different racks where that can be."""
    rows = [sorted(b for b in brokers if racks[b] == rack) for rack in sorted({str(racks[b]) for b in brokers})]
    turns = max(map(len, rows))
    return tuple(row[i] for i in range(turns) for row in rows if i < len(row))
