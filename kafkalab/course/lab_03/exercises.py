"""The exercises of lab 03, messages: encode for any reader, read a batch header, save disk space, evolve a schema."""

from __future__ import annotations

import copy
import io
import json
import math
from random import Random
from typing import TYPE_CHECKING, Any, Final

from kafkalab.course.lab_03.disk import batches_in, on_disk
from kafkalab.errors import KafkalabError, Unreachable
from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.judging import Wrong, call, function_needed, kind_of
from kafkalab.exercises.topics import passing_topic, read_all
from kafkalab.state.log.batch import Batch

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster

# --- Judges lab 03's exercise on bytes: a dict of awkward values must become JSON that any reader understands.


_DRIVERS = ("Zoë Ødegård", "Łukasz Żak", "Иван", "李娜", 'Ann "Red" O\'Hara', "back\\slash", "two\nlines", "🚚")
#: The first byte of every Python pickle of protocol 2 or later.
_PICKLE = b"\x80"


def encoded(answer: Any) -> str:
    """Judge 03.1 on random reports, with all the values that are known to go wrong."""
    random = Random()
    for report in [*map(_report, range(len(_DRIVERS)), [random] * len(_DRIVERS)), {}]:
        given = call(answer, dict(report))
        back = _read_json(given)
        for name, value in report.items():
            _same(name, value, back)
        extra = back.keys() - report.keys()
        if extra:
            raise Wrong(f"It came back with a field that was not in it: {sorted(extra)[0]!r}.")
    return "Names in any script, no value, below zero, beyond 64 bits, not a number: all came back as they were."


def _report(case: int, random: Random) -> dict[str, Any]:
    return {
        "truck_id": f"T{random.randrange(10_000):04}",
        "driver": _DRIVERS[case],
        "latitude": -random.uniform(0, 90),
        "odometer_mm": random.randrange(2**63, 2**70),
        "speed_kmh": math.nan if case % 2 else round(random.uniform(0, 120), 1),
        "note": None if case % 3 else "",
        "moving": bool(case % 2),
    }


def _read_json(given: Any) -> dict[str, Any]:
    """Return what a strict JSON reader gets from the bytes; raise Wrong if it cannot read them."""
    if isinstance(given, str):
        raise Wrong("It returned text. A producer takes bytes, and text has to be encoded first.")
    if not isinstance(given, bytes):
        raise Wrong(f"It should return bytes, and returned {kind_of(given)}.")
    if given[:1] == _PICKLE:
        raise Wrong("That is a pickle: only Python reads it, and whoever reads it runs what the sender put in.")
    try:
        text = given.decode()
    except UnicodeDecodeError as error:
        raise Wrong(f"A reader that expects UTF-8 stops at byte {error.start}. In which encoding is this?") from None
    try:
        back = json.loads(text, parse_constant=_refuse)
    except _NoNumber as no:
        raise Wrong(f"There is {no} in the text. Python writes and reads that, but JSON has no such thing.") from None
    except ValueError as error:
        if text.startswith("{'"):
            raise Wrong("That is how Python prints a dict. It looks like JSON, and no JSON reader takes it.") from None
        raise Wrong(f"A JSON reader stops: {error}.") from None
    if not isinstance(back, dict):
        raise Wrong(f"A JSON reader gets {kind_of(back)} out of it, and a dict went in.")
    return back


class _NoNumber(Exception):
    """NaN or Infinity in a text that claims to be JSON."""


def _refuse(constant: str) -> Any:
    raise _NoNumber(constant)


def _same(name: str, value: Any, back: dict[str, Any]) -> None:
    if name not in back:
        raise Wrong(f"The field {name!r}, which was {value!r}, is gone.")
    got = back[name]
    if isinstance(value, float) and math.isnan(value):
        if got is not None:
            raise Wrong(f"{name} was not a number, and should travel as null; it came back as {got!r}.")
    elif type(got) is not type(value) or got != value:
        raise Wrong(f"{name} went in as {value!r}, and came back as {got!r}.")


# --- Random truck reports for the judges of lab 03.


def unseen(count: int, random: Random) -> list[dict[str, Any]]:
    """Return ``count`` random reports with the fields of the fleet's reports, each of a different truck."""
    begin = random.randrange(1_700_000_000_000, 1_900_000_000_000)
    return [
        {
            "record_id": f"{truck}-{random.randrange(100):06}",
            "truck_id": truck,
            "time": begin + n * 20_000 // count,
            "latitude": round(random.uniform(-60, 70), 5),
            "longitude": round(random.uniform(-180, 180), 5),
            "speed_kmh": round(random.uniform(0, 120), 1),
            "heading_deg": round(random.uniform(0.1, 359.9), 1),
        }
        for n, truck in enumerate(f"T{number:04}" for number in random.sample(range(10_000), count))
    ]


def as_records(reports: list[dict[str, Any]]) -> list[tuple[bytes, bytes]]:
    """Return reports as (key, value): the truck's id and the report as JSON."""
    return [(report["truck_id"].encode(), json.dumps(report).encode()) for report in reports]


# --- Judges lab 03's exercises on batches: three facts from a batch's header, and a topic that needs little space.


#: Number of records given to the learner's producer, and the limit in bytes for them on the leader's disk.
RECORDS: Final = 500
ROOM: Final = 50_000

_FACTS: Final = ("base_offset", "records", "codec")
_CODECS: Final = (None, "gzip", "snappy", "lz4", "zstd")


def facts(cluster: Cluster, answer: Any) -> str:
    """Judge 03.2 on new batches that a broker has just written."""
    function_needed(answer)
    return facts_of(answer, _fresh(cluster))


def facts_of(answer: Any, batches: list[Batch]) -> str:
    """Judge 03.2 on these batches."""
    for batch in batches:
        given = call(answer, batch.data)
        if not isinstance(given, dict):
            raise Wrong(f"A dict is asked for, and this is {kind_of(given)}.")
        missing = [name for name in _FACTS if name not in given]
        if missing:
            raise Wrong(f"{missing[0]!r} is missing in what it returned.")
        _compare(given, batch)
    return f"{len(batches)} batches, of {', '.join(batch.header.codec_name for batch in batches)}."


def _compare(given: dict[str, Any], batch: Batch) -> None:
    h, raw = batch.header, batch.data
    base, count, codec = (given[name] for name in _FACTS)
    if base != h.base_offset:
        if base == int.from_bytes(raw[:8], "little"):
            raise Wrong("The base offset was read from the wrong end: Kafka writes the highest byte first.")
        raise Wrong(f"A batch begins at offset {h.base_offset}, and {base!r} was returned.")
    if count != h.record_count or isinstance(count, bool):
        if count == h.last_offset_delta:
            raise Wrong(f"Offsets {base} to {h.last_offset} are {h.record_count} records: a delta counts from 0.")
        if count == int.from_bytes(raw[57:61], "little"):
            raise Wrong("The count of records was read from the wrong end: Kafka writes the highest byte first.")
        raise Wrong(f"A batch holds {h.record_count} records, and {count!r} was returned.")
    if codec != h.codec_name:
        if codec == h.codec:
            raise Wrong(f"{codec!r} is the codec's number. Return its name: {', '.join(map(str, _names()))}.")
        if codec == h.attributes:
            raise Wrong(
                f"{codec!r} is all of the attributes. The codec is in their lowest three bits only; the bit above "
                "tells whose clock set the timestamps."
            )
        raise Wrong(f"The codec of a batch is {h.codec_name}, and {codec!r} was returned.")


def _names() -> tuple[str, ...]:
    return tuple(codec or "none" for codec in _CODECS)


def _fresh(cluster: Cluster) -> list[Batch]:
    """Return a batch of each codec, of random lengths, in random order, from a topic with LogAppendTime."""
    random = Random()
    codecs = random.sample(_CODECS, len(_CODECS))
    topic = f"lab03-exercise-2-{random.getrandbits(32):08x}"
    cluster.create_topic(topic, settings={"message.timestamp.type": "LogAppendTime"})
    try:
        for codec in codecs:
            # So many records that their number cannot be confused with a codec's number or with the attributes.
            _send(cluster.bootstrap_servers, topic, codec, random.randrange(20, 200))
        batches = batches_in(on_disk(cluster, topic))
    finally:
        cluster.delete_topic(topic)
    if [batch.header.codec_name for batch in batches] != [codec or "none" for codec in codecs]:
        raise KafkalabError(
            "The batches for this check did not arrive as they were sent.",
            seen=", ".join(f"{b.header.record_count} of {b.header.codec_name}" for b in batches),
        )
    return batches


def _send(bootstrap_servers: str, topic: str, codec: str | None, count: int) -> None:
    from kafka import KafkaProducer
    from kafka.errors import KafkaError

    try:
        producer = KafkaProducer(
            bootstrap_servers=bootstrap_servers,
            compression_type=codec,
            batch_size=1_000_000,
            # Wait for the flush, so that all records get into one batch even on a slow machine.
            linger_ms=60_000,
            allow_auto_create_topics=False,
        )
        try:
            sent = [producer.send(topic, b"the same in every record, so that it packs well") for _ in range(count)]
            producer.flush(timeout=30)
            for future in sent:
                future.get(timeout=30)
        finally:
            producer.close(timeout=5)
    except KafkaError as error:
        raise Unreachable("The batches for this check could not be sent.", seen=str(error)) from error


def thrifty(cluster: Cluster, answer: Any) -> str:
    """Judge 03.3 by the batches on the leader's disk afterwards."""
    function_needed(answer)
    given = as_records(unseen(RECORDS, Random()))
    with passing_topic(cluster, "lab03-exercise-3", partitions=1) as topic:
        call(answer, cluster.bootstrap_servers, topic, list(given), within=120, returns=False)
        there = [(record.key, record.value) for record in read_all(cluster.bootstrap_servers, topic)]
        all_there(there, given)
        batches = batches_in(on_disk(cluster, topic))
    return taken(batches)


def all_there(there: list[tuple[bytes | None, bytes | None]], given: list[tuple[bytes, bytes]]) -> None:
    """Judge whether a topic holds exactly the given records, each (key, value), in their order."""
    if len(there) < len(given):
        raise Wrong(
            f"{len(there)} of {len(given)} records had arrived when your function returned. A producer sends in the "
            "background: who waits for it?"
        )
    if len(there) > len(given):
        raise Wrong(f"{len(given)} records were given, and {len(there)} are in the topic.")
    for n, (found, wanted) in enumerate(zip(there, given, strict=True)):
        if found[1] != wanted[1]:
            raise Wrong(f"The value at offset {n} is not the one that was given: readers expect those very bytes.")
        if found[0] != wanted[0]:
            raise Wrong(f"The key at offset {n} is {found[0]!r}, and {wanted[0]!r} was given.")


def taken(batches: list[Batch]) -> str:
    """Judge the space that batches need on disk."""
    size, records = sum(b.header.size for b in batches), sum(b.header.record_count for b in batches)
    plain = sum(b.header.codec == 0 for b in batches)
    codecs = " and ".join(sorted({b.header.codec_name for b in batches}))
    seen = f"{size:,} bytes: {len(batches)} batches, {codecs}"
    if size < ROOM:
        return f"{seen}. That is {size / records:.0f} bytes a record."
    if records / len(batches) < 10:
        raise Wrong(
            f"{seen}. There are {records / len(batches):.1f} records in a batch: a batch is what is compressed, and in "
            "so small a one there is little that repeats."
        )
    if plain == len(batches):
        raise Wrong(f"{seen}. The batches are full, and nothing is compressed.")
    raise Wrong(f"{seen}. More than {ROOM:,}.")


# --- Judges lab 03's exercise on schemas: the new one must read old records, and old readers must read its records.


Schema = dict[str, Any]

#: The schema in use when the exercise begins; the lab's notebook shows it.
OLD: Final[Schema] = {
    "type": "record",
    "name": "Report",
    "fields": [
        {"name": "record_id", "type": "string"},
        {"name": "truck_id", "type": "string"},
        {"name": "time", "type": "long"},
        {"name": "latitude", "type": "double"},
        {"name": "longitude", "type": "double"},
        {"name": "speed_kmh", "type": "double"},
        {"name": "heading_deg", "type": "double", "default": 0.0},
    ],
}
_ADDED: Final = "fuel_l"
_REPORTS: Final = 20


def evolved(answer: Any) -> str:
    """Judge 03.4 by writing random reports with each schema and reading them with the other."""
    new = _schema(answer)
    fields = {field["name"] for field in new["fields"]}
    random = Random()
    reports = unseen(_REPORTS, random)
    for report in reports:
        _old_to_new(report, new)
    if _ADDED not in fields:
        raise Wrong(f"It has no field {_ADDED!r}.")
    for report in reports:
        _new_to_old({**report, _ADDED: round(random.uniform(1, 900), 3)}, new)
    gone = [field["name"] for field in OLD["fields"] if field["name"] not in fields]
    if not gone:
        raise Wrong("Every old field is still there, and one has to go. Which can, and old readers do not mind?")
    return f"Old records read with the new schema, new ones with the old; {gone[0]} is gone, {_ADDED} is there."


def _schema(answer: Any) -> Schema:
    import fastavro

    if not isinstance(answer, dict):
        raise Wrong(f"A schema is a dict here, and this is {kind_of(answer)}.")
    if answer.get("type") != "record" or not isinstance(answer.get("fields"), list):
        raise Wrong('A schema of reports is a dict with `"type": "record"`, a name, and a list of fields.')
    try:
        fastavro.parse_schema(copy.deepcopy(answer))
    except Exception as error:  # any error here is caused by the answer
        raise Wrong(f"Avro does not take this schema: {type(error).__name__}: {_first_line(error)}") from None
    if answer.get("name") != OLD["name"]:
        raise Wrong(f"The record is called {answer.get('name')!r} now. To Avro another name is another thing.")
    return copy.deepcopy(answer)


def _old_to_new(report: dict[str, Any], new: Schema) -> None:
    try:
        back = _read(_write(report, OLD), OLD, new)
    except Exception as error:
        raise Wrong(
            f"With the new schema an old record cannot be read: {_first_line(error)}. What is a new reader to put "
            "where an old record has nothing?"
        ) from None
    for name, value in report.items():
        if name in back and (back[name] != value or type(back[name]) is not type(value)):
            raise Wrong(f"An old record's {name}, {value!r}, is {back[name]!r} to a new reader.")
    if _ADDED in back:
        _default(back[_ADDED], next(field for field in new["fields"] if field["name"] == _ADDED))


def _default(fuel: Any, field: Schema) -> None:
    """Judge the fuel that a new reader finds in an old record: it must be the field's default, and a number."""
    if fuel is not None and (isinstance(fuel, bool) or not isinstance(fuel, int | float)):
        raise Wrong(f"The default of {_ADDED} is {kind_of(fuel)}, and the default of a double is a number.")
    if fuel != field.get("default"):
        raise Wrong(
            f"An old record has no fuel, and a new reader finds {fuel!r} l in it. Which of the old fields does it take "
            "that from?"
        )


def _new_to_old(report: dict[str, Any], new: Schema) -> None:
    try:
        written = _write(report, new)
    except Exception as error:
        raise Wrong(f"A new report cannot be written with it: {_first_line(error)}.") from None
    if (fuel := _read(written, new, new)[_ADDED]) != report[_ADDED]:
        raise Wrong(f"{_ADDED} was written as {report[_ADDED]!r}, and read as {fuel!r}. Is it a double?")
    try:
        back = _read(written, new, OLD)
    except Exception as error:
        raise Wrong(
            f"With the old schema a new record cannot be read: {_first_line(error)}. An old reader knows no other "
            "names than its own, and has a default for one field only."
        ) from None
    kept = {field["name"] for field in new["fields"]}
    for field in OLD["fields"]:
        name = field["name"]
        if name in kept and back[name] != report[name]:
            raise Wrong(f"A new record's {name}, {report[name]!r}, is {back[name]!r} to an old reader.")


def _write(report: dict[str, Any], schema: Schema) -> bytes:
    from fastavro import schemaless_writer

    out = io.BytesIO()
    schemaless_writer(out, copy.deepcopy(schema), report)
    return out.getvalue()


def _read(written: bytes, writer: Schema, reader: Schema) -> dict[str, Any]:
    from fastavro import schemaless_reader

    back = schemaless_reader(io.BytesIO(written), copy.deepcopy(writer), copy.deepcopy(reader))
    assert isinstance(back, dict)
    return back


def _first_line(error: Exception) -> str:
    said = str(error).strip().splitlines()
    return said[0][:200] if said else type(error).__name__


def exercises(cluster: Cluster) -> tuple[Exercise, Exercise, Exercise, Exercise]:
    """Return the four exercises, judged on this cluster."""
    return (
        Exercise(
            "03.1",
            "Bytes for any reader",
            1,
            "Write `encode(report)`: it turns a dict into the bytes of a JSON text in UTF-8, from which a reader in "
            "any language gets the same fields and values. JSON has no word for a float that is not a number (`nan`, "
            "from a sensor without a signal): let it travel as `null`.",
            encoded,
            (
                "Two steps: from the dict to text, and from text to bytes. `str()` does neither of them well.",
                "`json.dumps` makes the text, and writes `NaN` for a float that is not one. `nan` is the only value "
                "that is not equal to itself.",
                "`{name: None if value != value else value for name, value in report.items()}`, then "
                "`json.dumps(…).encode()`",
            ),
        ),
        Exercise(
            "03.2",
            "What a header says",
            2,
            "Write `batch_facts(raw)`: from the bytes of one batch, a dict with `base_offset`, the number of "
            "`records`, and the `codec` by its name: none, gzip, snappy, lz4 or zstd.",
            lambda answer: facts(cluster, answer),
            (
                "The table above has the place of each field. Press a field in the record view, and see its bytes.",
                'Numbers have the highest byte first: `int.from_bytes(raw[57:61], "big")`. Of the attributes, at bytes '
                "21 and 22, the codec is only the lowest three bits.",
                '`raw[22] & 0b111` is 0 for none, 1 gzip, 2 snappy, 3 lz4, 4 zstd; `int.from_bytes(raw[:8], "big")` is '
                'the base offset, and `int.from_bytes(raw[57:61], "big")` the number of records.',
            ),
        ),
        Exercise(
            "03.3",
            "Little room",
            2,
            "Write `send_thriftily(bootstrap_servers, topic, records)`: it sends a list of (key, value), in this "
            f"order, unchanged, and returns when all have arrived. {RECORDS} reports of trucks are to take less than "
            f"{ROOM:,} bytes on the leader's disk.",
            lambda answer: thrifty(cluster, answer),
            (
                "A codec alone does little, and a full batch alone does little. Together they do much.",
                "Whoever waits after each record for its receipt sends batches of one. Wait once, at the end.",
                '`KafkaProducer(bootstrap_servers=…, compression_type="gzip", linger_ms=1000, batch_size=65_536)`; '
                "`send` all of them with their keys, then `flush()` and `close()`.",
            ),
        ),
        Exercise(
            "03.4",
            "A schema that grows",
            2,
            "The depot wants to know the fuel that is left, and one of the old fields has to go to make room. Write "
            "`new_schema`, a dict like `V1`, with a field `fuel_l` (a double) more, and one of the old fields less. "
            "Old records must be readable with it, and records written with it must be readable by those who still "
            "have `V1`.",
            evolved,
            (
                "Read it from both sides. What does a new reader do with an old record, which has no fuel? What does "
                "an old reader do with a new record, which lacks a field?",
                "A field that is missing is filled with the reader's default. So a field may come if the new schema "
                "has a default for it, and go if the old one has.",
                '`{"name": "fuel_l", "type": "double", "default": -1.0}` comes. In `V1` one field has a default: that '
                "one goes.",
            ),
        ),
    )
