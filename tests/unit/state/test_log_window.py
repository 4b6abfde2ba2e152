"""Bytes of a fetch → records and the offsets they cover: holes, batches cut at both ends, what cannot be decoded."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from kafka.record.default_records import DefaultRecordBatchBuilder

from kafkalab.state.log_window import PREVIEW, LogRecord, Window, read, shown_bytes


def batch(
    base: int, *records: tuple[int, bytes | None, bytes | None], codec: int = 0, last: int | None = None
) -> bytes:
    """A v2 batch as a broker stores it: (offset, key, value) from ``base`` on; ``last``: its last offset."""
    builder = DefaultRecordBatchBuilder(2, codec, False, -1, -1, -1, 1 << 20)
    for offset, key, value in records:
        builder.append(offset - base, 1000 + offset, key, value, [("h", b"\xff")])
    data = bytearray(builder.build())
    data[0:8] = base.to_bytes(8, "big")
    if last is not None:
        data[23:27] = (last - base).to_bytes(4, "big")
    return bytes(data)


def test_records_and_the_holes_between_them() -> None:
    data = batch(10, (10, b"a", b"1"), (12, b"b", None), last=14) + batch(20, (20, None, b"3"))
    window = read(data, 11, 100)
    assert (window.start, window.end) == (11, 21)
    assert [(r.offset, r.key, r.value) for r in window.records] == [(12, "b", None), (20, None, "3")]
    assert window.records[0].headers == (("h", "\\xff"),)
    assert window.records[0].timestamp == 1012
    # What lies between two batches was compacted away; it is covered too.
    assert (read(data, 11, 17).end, read(data, 11, 17).records[-1].offset) == (17, 12)
    assert len(read(b"", 5, 9)) == 0


def test_what_is_packed_is_read_and_what_cannot_be_decoded_is_there_all_the_same() -> None:
    for codec, name in enumerate(["none", "gzip", "snappy", "lz4"]):
        data = batch(7, (7, b"k", b"v" * 90), (8, b"k", b"v" * 90), codec=codec)
        assert [r.codec for r in read(data, 0, 9).records] == [name] * 2
        broken = data[:70] + bytes(20) + data[90:]
        window = read(broken, 7, 100)
        assert (window.start, window.end, len(window.records)) == (7, 9, 2)
        assert name == "none" or [r.kind for r in window.records] == ["unreadable"] * 2


@given(st.binary(max_size=2000), st.integers(2, 200))
def test_a_preview_is_short_and_says_what_is_no_text(data: bytes, limit: int) -> None:
    shown = shown_bytes(data, limit)
    assert shown is not None and len(shown) <= limit
    assert shown_bytes(None) is None
    assert shown_bytes("é".encode() + b"\xc3\x28") == "é\\xc3("
    assert shown_bytes("€".encode() * 1000) == "€" * (PREVIEW - 1) + "…"


def test_a_tail_grows_at_one_end_and_is_eaten_at_the_other() -> None:
    def window(start: int, end: int) -> Window:
        return Window(start, end, tuple(LogRecord(o, "record") for o in range(start, end)))

    grown = window(0, 5).then(window(5, 8), 6)
    assert (grown.start, grown.end, [r.offset for r in grown.records]) == (2, 8, [2, 3, 4, 5, 6, 7])
    assert grown.since(4) == window(4, 8)
    assert grown.until(6) == window(2, 6)
    # A gap: what stood before it says nothing of what is between.
    assert window(0, 5).then(window(50, 52), 10) == window(50, 52)
    same = window(0, 5)
    assert same.since(0) is same and same.until(5) is same
