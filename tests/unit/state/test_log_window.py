"""Bytes of a fetch → records and the offsets they cover: holes, batches cut at both ends, what cannot be decoded."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kafkalab.state.log.reader import PREVIEW, LogRecord, Window, read, shown_bytes
from tests.unit.state.batches import encoded


def batch(base: int, *records: tuple[bytes | None, bytes | None], last: int = 0, codec: int = 0) -> bytes:
    """As a broker stores it: (key, value) from ``base`` on; ``last``: its last offset, where compaction took some."""
    data = encoded(*((*one, [("h", b"\xff")]) for one in records), base=base, at=1000, codec=codec)
    return data[:23] + (last - base).to_bytes(4, "big") + data[27:] if last else data


def test_records_and_the_holes_between_them() -> None:
    data = batch(10, (b"a", b"1"), (b"b", None), last=14) + batch(20, (None, b"3"))
    window = read(data, 11, 100)
    assert (window.start, window.end) == (11, 21)
    assert [(r.offset, r.key, r.value) for r in window.records] == [(11, "b", None), (20, None, "3")]
    assert (window.records[0].headers, window.records[0].timestamp) == ((("h", "\\xff"),), 1007)
    # What lies between two batches was compacted away; it is covered too.
    assert (read(data, 11, 17).end, read(data, 11, 17).records[-1].offset) == (17, 11)
    assert len(read(b"", 5, 9)) == 0


def test_what_is_packed_is_read_and_what_cannot_be_decoded_is_there_all_the_same() -> None:
    for codec, name in enumerate(["none", "gzip", "snappy", "lz4"]):
        data = batch(7, (b"k", b"v" * 90), (b"k", b"v" * 90), codec=codec)
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
    assert shown_bytes("é\n".encode() + b"\xc3\x28\x18") == "é\n\\xc3(\\x18"
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
