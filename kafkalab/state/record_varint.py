"""Zigzag varints, in which Kafka's records write their small numbers: read, written, and explained bit by bit."""

from __future__ import annotations

from kafkalab.errors import KafkalabError


class UnreadableBatch(KafkalabError):
    """Bytes that are no record batch of today's format (v2), or only the beginning of one."""


def read_varint(data: bytes, at: int, most: int = 10) -> tuple[int, int]:
    """(number, position after it).

    :param most: bytes it may have: 5 for 32-bit numbers, 10 for 64-bit ones.
    :raises UnreadableBatch: the bytes end within it, or it is longer than that.
    """
    raw = shift = 0
    for i in range(most):
        if at + i >= len(data):
            raise UnreadableBatch("The bytes end within a number.", seen=f"{len(data)} bytes, a varint at byte {at}")
        byte = data[at + i]
        raw |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            return (raw >> 1) ^ -(raw & 1), at + i + 1
    raise UnreadableBatch(
        "A number has more bytes than any number of its kind.", seen=f"more than {most} bytes of a varint at byte {at}"
    )


def write_varint(number: int) -> bytes:
    """The bytes of a number; the inverse of :func:`read_varint`, for 64-bit numbers."""
    raw = (number << 1) ^ (number >> 63)
    found = bytearray()
    while raw > 0x7F:
        found.append(raw & 0x7F | 0x80)
        raw >>= 7
    found.append(raw)
    return bytes(found)


def explain_varint(data: bytes) -> str:
    """How the bytes of one varint say its number, step by step."""
    number, _ = read_varint(data, 0)
    bits = " ".join(f"{byte >> 7}·{byte & 0x7F:07b}" for byte in data)
    raw = sum((byte & 0x7F) << 7 * i for i, byte in enumerate(data))
    if len(data) == 1:
        joined = "the first bit is 0: the number ends here"
    else:
        joined = "a first bit of 1 says that more follows; lowest seven bits first"
    half = f"{raw} is even: {raw} / 2" if raw % 2 == 0 else f"{raw} is odd: −({raw} + 1) / 2"
    return f"{bits}: {joined}. The sevens give {raw}. Zigzag: {half} = {number}".replace("= -", "= −")
