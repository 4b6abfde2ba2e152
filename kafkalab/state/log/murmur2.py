"""murmur2: the hash by which Kafka's producers turn a key into a number, and the partition that they choose by it.

It is Austin Appleby's MurmurHash2 with Kafka's seed. ``views/partitioner/murmur2.ts`` shows its steps.
"""

from __future__ import annotations

from kafka.partitioner import default

#: Mask by which Kafka removes the sign, because its hash is a signed number and no partition is negative.
POSITIVE = 0x7FFFFFFF


def murmur2(key: bytes) -> int:
    """Return the hash of a key: 0 to 2³² − 1."""
    return int(default.murmur2(key)) & 0xFFFFFFFF


def partition_of(key: bytes, partitions: int) -> int:
    """Return the partition that Kafka's producers choose for a key, in a topic with that many ``partitions``."""
    return (murmur2(key) & POSITIVE) % partitions
