"""Record batches taken apart: against kafka-python's encoder, with every codec, and with any bytes at all."""

from __future__ import annotations

import contextlib
import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kafkalab.state.log.batch import (
    CODECS,
    HEADER_SIZE,
    Batch,
    UnreadableBatch,
    decompress,
    read_varint,
)
from kafkalab.state.log.tree import explain_varint, header_fields, packed_field, record_fields
from tests.unit.state.batches import encoded

some_bytes = st.none() | st.binary(max_size=80)
records = st.tuples(some_bytes, some_bytes, st.lists(st.tuples(st.text(max_size=9), some_bytes), max_size=3))


def write_varint(number: int) -> bytes:
    """The bytes of a number; the inverse of read_varint, for 64-bit numbers."""
    raw = (number << 1) ^ (number >> 63)
    found = bytearray()
    while raw > 0x7F:
        found.append(raw & 0x7F | 0x80)
        raw >>= 7
    found.append(raw)
    return bytes(found)


@settings(max_examples=60)
@given(st.lists(records, min_size=1, max_size=5), st.sampled_from(list(CODECS)), st.integers(0, 2**62))
def test_what_was_encoded_is_found_again(
    given_: list[tuple[bytes, bytes, list[tuple[str, bytes]]]], codec: int, base: int
) -> None:
    batch = Batch.read(encoded(*given_, codec=codec, base=base, producer=(9, 2, 70)))
    # What would be longer when packed, kafka-python leaves unpacked.
    assert batch.header.codec_name in (CODECS[codec], "none")
    assert batch.computed_crc == batch.header.crc
    assert (batch.header.producer_id, batch.header.producer_epoch, batch.header.base_sequence) == (9, 2, 70)
    for i, (record, (key, value, headers)) in enumerate(zip(batch.records, given_, strict=True)):
        found = [((k.of(batch.section) or b"").decode(), v.of(batch.section)) for k, v in record.headers]
        assert (record.key.of(batch.section), record.value.of(batch.section), found) == (key, value, headers)
        assert (record.offset, record.timestamp) == (base + i, 1_763_000_000_000 + 7 * i)
    if batch.header.codec_name == "none":
        fields = [*header_fields(batch), *(f for r in batch.records for f in record_fields(batch, r, HEADER_SIZE))]
        ends = [0, *itertools.accumulate(f.size for f in fields)]
        assert [f.at for f in fields] == ends[:-1], "fields cover every byte once"
        assert ends[-1] == len(batch.data)


def test_fields_say_what_the_bytes_mean() -> None:
    one = encoded((b"T0001", b"x" * 300, [("h", None)]), codec=4, base=40, transactional=True, producer=(7, 1, 5))
    batch = Batch.read(one)
    fields = {f.id: f for f in (*header_fields(batch), *record_fields(batch, batch.records[0]))}
    values = [fields[id].value for id in ("base_offset", "key", "header0_value_length")]
    assert values == ["40", "T0001", "null"]
    bits = {b.name: b.says for b in fields["attributes"].bits}
    assert bits["compression codec"] == "zstd"
    assert "2025-11-13 02:13:20.000 UTC" in fields["base_timestamp"].meaning
    assert "1·1011000 0·0000100" in fields["value_length"].steps
    damaged = Batch.read(one[:-1] + bytes([one[-1] ^ 1]))
    assert [next(f for f in header_fields(b) if f.id == "crc").right for b in (batch, damaged)] == [True, False]


@given(st.integers(-(2**63), 2**63 - 1))
def test_varints_there_and_back(number: int) -> None:
    data = write_varint(number)
    assert read_varint(b"\xff" + data, 1) == (number, 1 + len(data))
    assert explain_varint(data).endswith(f"= {number}".replace("-", "−"))
    with pytest.raises(UnreadableBatch):
        read_varint(data[:-1], 0)


@given(st.binary(max_size=200), st.data(), st.sampled_from(list(CODECS)))
def test_any_bytes_and_damaged_ones_give_a_batch_or_a_clear_error(
    any_bytes: bytes, data: st.DataObject, codec: int
) -> None:
    whole = bytearray(encoded((b"T0001", b"value " * 9, [("h", b"v")]), (None, b"", []), codec=codec))
    for _ in range(data.draw(st.integers(1, 3))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    for one in (any_bytes, bytes(whole[: data.draw(st.integers(0, len(whole)))]), b"", bytes(100)):
        with contextlib.suppress(UnreadableBatch):  # any other exception is a fault
            batch = Batch.read(one)
            _ = (header_fields(batch), packed_field(batch), [record_fields(batch, r) for r in batch.records])


def test_what_is_no_whole_batch_says_so() -> None:
    one = encoded((b"T0001", b"x", []), (None, None, []))
    old, other = (one[:16] + magic + one[17:] for magic in (b"\x01", b"\x07"))
    not_one = "not a record batch"
    for data, said in ((one[:30], "middle"), (one[:-1], "middle"), (old, not_one), (other, not_one)):
        with pytest.raises(UnreadableBatch, match=said):
            Batch.read(data)


def test_what_is_not_packed_or_unpacks_to_very_much_is_refused() -> None:
    for codec in (1, 2, 3, 4):
        packed = Batch.read(encoded((None, bytes(500_000), []), codec=codec)).data[HEADER_SIZE:]
        for data, number, limit in ((packed, codec, 100_000), (b"\xff" * 30, codec, 1 << 30), (packed, 6, 1 << 30)):
            with pytest.raises(UnreadableBatch):
                decompress(number, data, limit=limit)
