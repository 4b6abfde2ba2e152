"""Record batches made by kafka-python's own encoder: what the parser here is held to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from kafka.record.default_records import DefaultRecordBatchBuilder

Headers = Sequence[tuple[str, bytes | None]]


def encoded(
    *records: tuple[bytes | None, bytes | None, Headers],
    codec: int = 0,
    base: int = 0,
    at: int = 1_763_000_000_000,
    transactional: bool = False,
    producer: tuple[int, int, int] = (-1, -1, -1),
) -> bytes:
    """A batch of (key, value, headers); as a leader writes it, with its base offset."""
    builder = DefaultRecordBatchBuilder(2, codec, transactional, *producer, 1 << 30)
    for i, (key, value, headers) in enumerate(records):
        builder.append(i, at + 7 * i, key, value, headers)
    data = bytearray(cast(bytes, builder.build()))
    data[:8] = base.to_bytes(8, "big")
    return bytes(data)
