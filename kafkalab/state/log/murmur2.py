"""murmur2: the hash by which Kafka's producers turn a key into a number, with every step of it.

It is Austin Appleby's MurmurHash2 with Kafka's seed (``Utils.murmur2`` in Kafka's Java client). The same steps are in
``views/partitioner/murmur2.js``; both are tested with one list of examples.
"""

from __future__ import annotations

from dataclasses import dataclass

SEED = 0x9747B28C
M = 0x5BD1E995
_MASK = 0xFFFFFFFF
#: Mask by which Kafka removes the sign, because its hash is a signed number and no partition is negative.
POSITIVE = 0x7FFFFFFF


@dataclass(frozen=True, slots=True)
class Word:
    """One step, over four bytes of the key: the number ``k`` (lowest byte first), ``k`` mixed, and the new hash."""

    at: int
    k: int
    mixed: int
    hash: int


@dataclass(frozen=True, slots=True)
class Steps:
    """The whole calculation; all numbers are unsigned, of 32 bits.

    ``start`` is the seed XOR the length; ``tail`` is the hash after the one to three bytes that are left (None where
    none are); ``hash`` is the result after the final mixing.
    """

    start: int
    words: tuple[Word, ...]
    tail: int | None
    hash: int


def steps(key: bytes) -> Steps:
    """Return murmur2 of a key with all its steps."""
    start = hash = SEED ^ (len(key) & _MASK)
    words = []
    whole = len(key) & ~3
    for at in range(0, whole, 4):
        k = int.from_bytes(key[at : at + 4], "little")
        mixed = k * M & _MASK
        mixed = (mixed ^ mixed >> 24) * M & _MASK
        hash = (hash * M & _MASK) ^ mixed
        words.append(Word(at, k, mixed, hash))
    tail = None
    if left := key[whole:]:
        hash ^= int.from_bytes(left, "little")
        tail = hash = hash * M & _MASK
    hash ^= hash >> 13
    hash = hash * M & _MASK
    return Steps(start, tuple(words), tail, hash ^ hash >> 15)


def murmur2(key: bytes) -> int:
    """Return the hash of a key: 0 to 2³² − 1."""
    return steps(key).hash


def partition_of(key: bytes, partitions: int) -> int:
    """Return the partition that Kafka's producers choose for a key, in a topic with that many ``partitions``."""
    return (murmur2(key) & POSITIVE) % partitions
