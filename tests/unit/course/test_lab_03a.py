"""Lab 03a's checks that need no cluster: a header's facts, and room."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from kafkalab.course.lab_03a.exercises import ROOM, all_there, facts_of, taken
from kafkalab.exercises.judging import Wrong
from kafkalab.state.log.batch import Batch
from tests.unit.state.batches import encoded

# 03a.4 what a header says

VALUE = b"the same in every record, so that it packs well"
NAMES = ["none", "gzip", "snappy", "lz4", "zstd"]


def batch(codec: int, count: int, base: int) -> Batch:
    raw = bytearray(encoded(*[(None, VALUE, ())] * count, codec=codec, base=base))
    raw[22] |= 0x08  # stamped by the broker
    return Batch.read(bytes(raw))


BATCHES = [batch(codec, 20 + codec, 1000 * codec) for codec in range(5)]


def answer(
    base: Callable[[bytes], object] = lambda raw: int.from_bytes(raw[:8], "big"),
    records: Callable[[bytes], object] = lambda raw: int.from_bytes(raw[57:61], "big"),
    codec: Callable[[bytes], object] = lambda raw: NAMES[raw[22] & 7],
) -> Callable[[bytes], dict[str, object]]:
    return lambda raw: {"base_offset": base(raw), "records": records(raw), "codec": codec(raw)}


def test_03a_4_misconceptions() -> None:
    assert facts_of(answer(), BATCHES) == "5 batches, of none, gzip, snappy, lz4, zstd."
    misconceptions: dict[str, Any] = {
        "highest byte first": answer(base=lambda raw: int.from_bytes(raw[:8], "little")),
        "begins at offset 1000": answer(base=lambda raw: 0),
        "a delta counts from 0": answer(records=lambda raw: int.from_bytes(raw[23:27], "big")),
        "holds 20 records": answer(records=lambda raw: len(raw)),
        "The codec of a batch is gzip": answer(codec=lambda raw: "none"),
        "the codec's number": answer(codec=lambda raw: raw[22] & 7),
        "'codec' is missing": lambda raw: {"base_offset": int.from_bytes(raw[:8], "big"), "records": 20},
        "A dict is asked for, and this is a tuple": lambda raw: (0, 20, "none"),
    }
    for words, given in misconceptions.items():
        with pytest.raises(Wrong, match=words):
            facts_of(given, BATCHES)


# 03a.5 little room: what lies on a disk; the whole of it is judged on a cluster


def test_03a_5_says_what_takes_the_room() -> None:
    assert "40 batches" in taken([batch(4, 12, 0)] * 40)
    with pytest.raises(Wrong, match=r"There are 1\.0 records in a batch"):
        taken([batch(0, 1, n) for n in range(500)])
    with pytest.raises(Wrong, match="More than 50,000"):
        taken([batch(4, 12, 0)] * 2000)
    with pytest.raises(Wrong, match="full, and nothing is compressed"):
        taken([batch(0, ROOM // len(VALUE), 0)])


def test_03a_5_wants_every_record_as_it_was_given() -> None:
    given = [(b"k%d" % n, b"v%d" % n) for n in range(5)]
    all_there([*given], given)
    for words, there in {
        "4 of 5 records had arrived": given[:4],
        "10 are in the topic": given * 2,
        "The value at offset 1 is not the one": [given[0], given[2], given[1], *given[3:]],
        "The key at offset 0 is None": [(None, value) for _, value in given],
    }.items():
        with pytest.raises(Wrong, match=words):
            all_there([*there], given)
