"""The metadata log without brokers: batches told apart by their bytes."""

from __future__ import annotations

from kafkalab.state.metadata.log import telling

NO_OP = b"\x14\x00\x00\x00\x01\x08\x01\x14\x00\x00\x00"


def batch(offset: int, records: bytes, count: int = 1) -> bytes:
    """A v2 batch as far as it is looked at: base offset, length, magic, number of records, records."""
    rest = bytes(4) + b"\x02" + bytes(40) + count.to_bytes(4) + records
    return offset.to_bytes(8) + len(rest).to_bytes(4) + rest


def test_batches_of_an_empty_record_are_left_out_and_a_half_written_one_ends_it() -> None:
    telling_ones = [batch(1, b"something"), batch(3, NO_OP, count=2), batch(4, b"\x14 other")]
    segment = telling_ones[0] + batch(2, NO_OP) + telling_ones[1] + telling_ones[2]
    assert list(telling(segment)) == telling_ones
    assert list(telling(segment[:-1])) == telling_ones[:-1]
    assert list(telling(b"\x00" * 200)) == []
