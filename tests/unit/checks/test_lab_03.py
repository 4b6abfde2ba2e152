"""Lab 03's checks that need no cluster: bytes for any reader, a header's facts, room, a schema that grows."""

from __future__ import annotations

import json
import math
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from kafkalab.checks import lab_03
from kafkalab.checks.judging import Wrong
from kafkalab.checks.lab_03_batches import ROOM, all_there, facts_of, taken
from kafkalab.checks.lab_03_disk import batches_in
from kafkalab.checks.lab_03_schemas import OLD
from kafkalab.state.record_batch import Batch
from kafkalab.state.record_varint import UnreadableBatch
from tests.integration.lab_answers import accept, accept_solution, refuse_the_rest, reject
from tests.unit.state.batches import encoded

NOBODY: Any = None
FIELDS = OLD["fields"]


# 03.1 bytes for any reader


def test_03_1_bytes_for_any_reader() -> None:
    exercise = lab_03.exercises(NOBODY)[0]
    refuse_the_rest(exercise)
    accept_solution(exercise, "encode", json=json)


def test_03_1_other_ways_are_right_too() -> None:
    exercise = lab_03.exercises(NOBODY)[0]

    def by_hand(report: dict[str, Any]) -> bytearray:
        tamed = {k: None if isinstance(v, float) and math.isnan(v) else v for k, v in report.items()}
        return bytearray(json.dumps(tamed, ensure_ascii=False, indent=1), "utf-8")

    accept(exercise, by_hand)


def without_nan(report: dict[str, Any]) -> dict[str, Any]:
    return {name: None if value != value else value for name, value in report.items()}


def test_03_1_misconceptions() -> None:
    reject(
        lab_03.exercises(NOBODY)[0],
        {
            "returned text": lambda r: json.dumps(without_nan(r)),
            "how Python prints a dict": lambda r: str(r).encode(),
            "is a pickle": pickle.dumps,
            "raised UnicodeEncodeError": lambda r: json.dumps(without_nan(r), ensure_ascii=False).encode("ascii"),
            "JSON has no such thing": lambda r: json.dumps(r).encode(),
            "stops at byte 0": lambda r: json.dumps(without_nan(r), ensure_ascii=False).encode("utf-16"),
            "In which encoding": lambda r: json.dumps(without_nan(r), ensure_ascii=False).encode("latin-1"),
            "is gone": lambda r: json.dumps({k: v for k, v in without_nan(r).items() if v is not None}).encode(),
            "came back as '": lambda r: json.dumps({k: str(v) for k, v in r.items()}).encode(),
            "odometer_mm went in as": lambda r: json.dumps(
                {k: float(v) if type(v) is int else v for k, v in without_nan(r).items()}
            ).encode(),
            "was not a number, and should travel as null": lambda r: json.dumps(
                {k: 0.0 if v != v else v for k, v in r.items()}
            ).encode(),
            "a list out of it": lambda r: json.dumps([*without_nan(r).items()]).encode(),
            "a field that was not in it": lambda r: json.dumps({**without_nan(r), "by": "me"}).encode(),
            "A JSON reader stops": lambda r: b"",
            "Does it end with `return`?": lambda r: print(end=""),
        },
    )


# 03.2 what a header says

VALUE = b"the same in every record, so that it packs well"


def batch(codec: int, count: int, base: int, *, stamped_by_broker: bool = False) -> Batch:
    raw = bytearray(encoded(*[(None, VALUE, ())] * count, codec=codec, base=base))
    raw[22] |= 0x08 if stamped_by_broker else 0
    return Batch.read(bytes(raw))


BATCHES = [batch(codec, 20 + codec, 1000 * codec, stamped_by_broker=True) for codec in range(5)]
NAMES = ["none", "gzip", "snappy", "lz4", "zstd"]


def answer(
    base: Callable[[bytes], object] = lambda raw: int.from_bytes(raw[:8], "big"),
    records: Callable[[bytes], object] = lambda raw: int.from_bytes(raw[57:61], "big"),
    codec: Callable[[bytes], object] = lambda raw: NAMES[raw[22] & 7],
) -> Callable[[bytes], dict[str, object]]:
    return lambda raw: {"base_offset": base(raw), "records": records(raw), "codec": codec(raw)}


def test_03_2_the_facts_of_batches() -> None:
    assert facts_of(answer(), BATCHES) == "5 batches, of none, gzip, snappy, lz4, zstd."


@pytest.mark.parametrize(
    "words, given",
    [
        ("highest byte first", answer(base=lambda raw: int.from_bytes(raw[:8], "little"))),
        ("begins at offset 1000", answer(base=lambda raw: 0)),
        ("a delta counts from 0", answer(records=lambda raw: int.from_bytes(raw[23:27], "big"))),
        ("highest byte first", answer(records=lambda raw: int.from_bytes(raw[57:61], "little"))),
        ("holds 20 records", answer(records=lambda raw: len(raw))),
        ("the codec's number", answer(codec=lambda raw: raw[22] & 7)),
        ("all of the attributes", answer(codec=lambda raw: raw[22])),
        ("raised IndexError", answer(codec=lambda raw: NAMES[raw[22]])),
        ("The codec of a batch is gzip", answer(codec=lambda raw: "none")),
        ("'codec' is missing", lambda raw: {"base_offset": int.from_bytes(raw[:8], "big"), "records": 20}),
        ("A dict is asked for, and this is a tuple", lambda raw: (0, 20, "none")),
    ],
)
def test_03_2_misconceptions(words: str, given: Any) -> None:
    with pytest.raises(Wrong, match=words):
        facts_of(given, BATCHES)


def test_batches_lie_one_behind_the_other() -> None:
    raw = b"".join(one.data for one in BATCHES)
    assert [one.data for one in batches_in(raw)] == [one.data for one in BATCHES]
    assert batches_in(b"") == []
    with pytest.raises(UnreadableBatch):
        batches_in(raw[:-1])


# 03.3 little room: what lies on a disk; the whole of it is judged on a cluster


def test_03_3_says_what_takes_the_room() -> None:
    assert "40 batches" in taken([batch(4, 12, 0)] * 40)
    with pytest.raises(Wrong, match=r"There are 1\.0 records in a batch"):
        taken([batch(0, 1, n) for n in range(500)])
    with pytest.raises(Wrong, match="full, and nothing is compressed"):
        taken([batch(0, ROOM // len(VALUE), 0)])
    incompressible = encoded(*[(None, bytes([n, 256 - n]) * 200, ()) for n in range(1, 200)], codec=1)
    packed = Batch.read(incompressible)
    with pytest.raises(Wrong, match=r"More than 50,000"):
        taken([packed] * (ROOM // packed.header.size + 1))


def test_03_3_wants_every_record_as_it_was_given() -> None:
    given = [(b"k%d" % n, b"v%d" % n) for n in range(5)]
    all_there([*given], given)
    for words, there in {
        "4 of 5 records had arrived": given[:4],
        "10 are in the topic": given * 2,
        "The value at offset 0 is not the one": [(key, value + b"!") for key, value in given],
        "The value at offset 1 is not the one": [given[0], given[2], given[1], *given[3:]],
        "The key at offset 0 is None": [(None, value) for _, value in given],
    }.items():
        with pytest.raises(Wrong, match=words):
            all_there([*there], given)


# 03.4 a schema that grows

FUEL = {"name": "fuel_l", "type": "double", "default": -1.0}


def schema(*changes: dict[str, Any] | None, name: str = "Report", kept: int = 6) -> dict[str, Any]:
    """The old schema up to a field, then these."""
    return {"type": "record", "name": name, "fields": [*FIELDS[:kept], *[f for f in changes if f is not None]]}


def instead(name: str, new: dict[str, Any]) -> dict[str, Any]:
    made = schema(FUEL)
    return {**made, "fields": [new if f["name"] == name else f for f in made["fields"]]}


def test_03_4_a_schema_that_grows() -> None:
    exercise = lab_03.exercises(NOBODY)[3]
    refuse_the_rest(exercise)
    accept_solution(exercise, "new_schema", V1=OLD)


@pytest.mark.parametrize(
    "new",
    [
        schema({"name": "fuel_l", "type": ["null", "double"], "default": None}),
        {**schema(), "fields": [FUEL, *reversed(FIELDS[:6])]},
        schema({"name": "fuel_l", "type": "double", "default": -1}),
        schema(FUEL, {"name": "driver", "type": "string", "default": "?"}),
    ],
)
def test_03_4_other_ways_are_right_too(new: dict[str, Any]) -> None:
    accept(lab_03.exercises(NOBODY)[3], new)


def test_03_4_misconceptions() -> None:
    reject(
        lab_03.exercises(NOBODY)[3],
        {
            "No default value for field fuel_l": schema({"name": "fuel_l", "type": "double"}),
            "no field 'fuel_l'": schema(),
            "Every old field is still there": schema(FUEL, kept=7),
            "No default value for field speed_kmh": {**schema(FUEL), "fields": [*FIELDS[:5], FIELDS[6], FUEL]},
            "cannot be read: Schema mismatch": instead("speed_kmh", {"name": "speed_kmh", "type": "string"}),
            "to a new reader": instead("time", {"name": "time", "type": "double"}),
            "No default value for field speed in": instead("speed_kmh", {"name": "speed", "type": "double"}),
            "With the old schema a new record cannot be read": instead(
                "speed_kmh", {"name": "speed", "type": "double", "aliases": ["speed_kmh"], "default": 0.0}
            ),
            "another name is another thing": schema(FUEL, name="ReportV2"),
            "Is it a double?": schema({"name": "fuel_l", "type": "float", "default": -1.0}),
            "does not take this schema": schema({"name": "fuel_l", "type": "number", "default": -1.0}),
            "must match schema type": schema({"name": "fuel_l", "type": "double", "default": None}),
            "The default of fuel_l is text": schema({"name": "fuel_l", "type": "double", "default": "0"}),
            "Which of the old fields": schema({**FUEL, "aliases": ["heading_deg"]}),
            "a list of fields": {"fuel_l": "double"},
            "A schema is a dict here": json.dumps(schema(FUEL)),
        },
    )
