"""murmur2, with which Kafka's producers turn a key into a number, and every step of it.

After Austin Appleby's MurmurHash2 with Kafka's seed (``Utils.murmur2`` in Kafka's Java client). The same steps are in
``views/partitioner/murmur2.js``; both are held to one list of examples.
"""

from __future__ import annotations

from dataclasses import dataclass

SEED = 0x9747B28C
M = 0x5BD1E995
_MASK = 0xFFFFFFFF
#: Kafka takes away the sign with this, since its hash is a signed number and no partition is negative.
POSITIVE = 0x7FFFFFFF


@dataclass(frozen=True, slots=True)
class Word:
    """What four bytes of the key do to the hash: read as ``k``, lowest byte first, mixed, and mixed into the hash."""

    at: int
    k: int
    mixed: int
    hash: int


@dataclass(frozen=True, slots=True)
class Steps:
    """The whole calculation: all numbers are unsigned, of 32 bits.

    ``start`` is the seed crossed with the length; ``tail`` the hash after the one to three bytes that are left (None
    where none are); ``hash`` the result after a last shaking.
    """

    start: int
    words: tuple[Word, ...]
    tail: int | None
    hash: int


def steps(key: bytes) -> Steps:
    """murmur2 of a key, with everything on the way."""
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
    """The hash of a key: 0 to 2³² − 1."""
    return steps(key).hash


def partition_of(key: bytes, partitions: int) -> int:
    """Where Kafka's producers put a record with that key in a topic of so many partitions."""
    return (murmur2(key) & POSITIVE) % partitions
