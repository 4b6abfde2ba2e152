"""Record batches made by kafka-python's own encoder, and a record that a broker wrote: what is read here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from kafka.record.default_records import DefaultRecordBatchBuilder

Headers = Sequence[tuple[str, bytes | None]]

#: A group of one member in __consumer_offsets, as 3.9 wrote it when its first generation had been shared out.
GENERATION_KEY = bytes.fromhex("0002000464617368")
GENERATION = bytes.fromhex(
    "00030008636f6e73756d657200000001000572616e6765002743312d32666139353466342d666430652d343433652d383062632d3036336436"
    "6462636635313700"
    "0001a1feb6a6a000000001002743312d32666139353466342d666430652d343433652d383062632d303633643664626366353137ffff00024331"
    "000a2f3132372e302e302e31000493e000000bb8000000120000000000010006747275636b73000000000000002600000000000100067472"
    "75636b73000000040000000000000001000000020000000300000000"
)


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
