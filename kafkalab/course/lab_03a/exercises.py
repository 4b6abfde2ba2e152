"""The exercises of lab 03a: bytes for any reader, headers to pass on, a batch's header, and a topic to make smaller."""

from __future__ import annotations

import json
import math
from random import Random
from typing import TYPE_CHECKING, Any, Final

from kafkalab.course.lab_03a.disk import batches_in, bytes_of
from kafkalab.errors import KafkalabError, Unreachable
from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.judging import Wrong, all_arrived, call, function_needed, kind_of
from kafkalab.exercises.topics import passing_topic, read_all
from kafkalab.state.log.batch import Batch

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster

# --- Judges of bytes: a speed, and a dict of awkward values that must become JSON that any reader understands.


_DRIVERS = ("Zoë Ødegård", "Łukasz Żak", "Иван", "李娜", 'Ann "Red" O\'Hara', "back\\slash", "two\nlines", "🚚")
#: The first byte of every Python pickle of protocol 2 or later.
_PICKLE = b"\x80"


def as_bytes(answer: Any) -> str:
    """Judge 03a.1 on random speeds, and on some whose text is special."""
    for speed in (0.0, -0.5, round(Random().uniform(1, 120), 1), round(Random().uniform(1, 120), 3)):
        said = call(answer, speed)
        wanted = str(speed).encode()
        if isinstance(said, str):
            raise Wrong("It returned text. A producer takes bytes, and text has to be encoded first.")
        if not isinstance(said, bytes):
            raise Wrong(f"It should return bytes, and returned {kind_of(said)}.")
        if said == wanted:
            continue
        if len(said) in (4, 8) and any(byte < 32 or byte > 126 for byte in said):
            raise Wrong(
                f"For {speed} it returned the {len(said)} bytes of a number. The text is asked for: {wanted!r}."
            )
        if said in (repr(wanted).encode(), b"%r" % str(speed), f'"{speed}"'.encode()):
            raise Wrong(f"It returned {said!r}: quotes have become part of the text.")
        raise Wrong(f"For {speed} it returned {said[:40]!r}, and not {wanted!r}.")
    return "Also for 0 and below."


def encoded(answer: Any) -> str:
    """Judge 03a.2 on random reports, with all the values that are known to go wrong."""
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
        raise Wrong("That is a pickle: only Python reads it, and a reader runs what the sender put in.")
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


# --- Judges lab 03a's exercises on batches: three facts from a batch's header, and a topic that needs little space.


#: Number of records given to the learner's producer, and the limit in bytes for them on the leader's disk.
RECORDS: Final = 500
ROOM: Final = 50_000

_FACTS: Final = ("base_offset", "records", "codec")
_CODECS: Final = (None, "gzip", "snappy", "lz4", "zstd")


def facts(cluster: Cluster, answer: Any) -> str:
    """Judge 03a.4 on new batches that a broker has just written."""
    function_needed(answer)
    return facts_of(answer, _fresh(cluster))


def facts_of(answer: Any, batches: list[Batch]) -> str:
    """Judge 03a.4 on these batches."""
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
    topic = f"lab03a-exercise-2-{random.getrandbits(32):08x}"
    cluster.create_topic(topic, settings={"message.timestamp.type": "LogAppendTime"})
    try:
        for codec in codecs:
            # So many records that their number cannot be confused with a codec's number or with the attributes.
            _send(cluster.bootstrap_servers, topic, codec, random.randrange(20, 200))
        batches = batches_in(bytes_of(cluster, topic))
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
    """Judge 03a.5 by the batches on the leader's disk afterwards."""
    function_needed(answer)
    given = as_records(unseen(RECORDS, Random()))
    with passing_topic(cluster, "lab03a-exercise-3", partitions=1) as topic:
        call(answer, cluster.bootstrap_servers, topic, list(given), within=120, returns=False)
        there = [(record.key, record.value) for record in read_all(cluster.bootstrap_servers, topic)]
        all_there(there, given)
        batches = batches_in(bytes_of(cluster, topic))
    return taken(batches)


def all_there(there: list[tuple[bytes | None, bytes | None]], given: list[tuple[bytes, bytes]]) -> None:
    """Judge whether a topic holds exactly the given records, each (key, value), in their order."""
    all_arrived(len(there), len(given), "records")
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


def passed_on(cluster: Cluster, answer: Any) -> str:
    """Judge 03a.3 on random records, with no header, one, and two of the same name."""
    function_needed(answer)
    random = Random()
    sent = [
        (b"T%04d" % n, b"%d" % random.getrandbits(40), [("trace", b"%x" % random.getrandbits(16))] * (n % 3))
        for n in range(9)
    ]
    note = ("passed", b"geocoder")
    with passing_topic(cluster, "lab03a-from", 1) as begin, passing_topic(cluster, "lab03a-to", 1) as end:
        _write_with_headers(cluster, begin, sent)
        call(answer, cluster.bootstrap_servers, begin, end, within=60, returns=False)
        there = [(r.key, r.value, list(r.headers)) for r in read_all(cluster.bootstrap_servers, end)]
    all_there([one[:2] for one in there], [one[:2] for one in sent])
    for (key, _, headers), (_, _, before) in zip(there, sent, strict=True):
        if headers == before:
            raise Wrong(f"The record of {key.decode()} lacks the header {note[0]}: {note[1]!r}.")
        if note in headers and len(headers) <= len(before):
            raise Wrong(f"The record of {key.decode()} had {len(before)} headers, and lost some of them.")
        if headers != [*before, note]:
            raise Wrong(f"The record of {key.decode()} has the headers {headers}, and {[*before, note]} is asked for.")
    return f"{len(sent)} records with their headers, and one more each."


def _write_with_headers(cluster: Cluster, topic: str, records: list[tuple[bytes, bytes, Any]]) -> None:
    from kafka import KafkaProducer
    from kafka.errors import KafkaError

    try:
        with KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, acks="all") as producer:
            sent = [producer.send(topic, key=key, value=value, headers=headers) for key, value, headers in records]
            for future in sent:
                future.get(timeout=30)
    except KafkaError as error:
        raise Unreachable("The records for this check could not be sent.", seen=str(error)) from error


def exercises(cluster: Cluster) -> tuple[Exercise, ...]:
    """Return the five exercises, judged on this cluster."""
    return (
        Exercise(
            "03a.1",
            "A speed as bytes",
            1,
            "Write `as_bytes(speed)`: it returns the text of a number as bytes, for example `b'71.6'` for 71.6.",
            as_bytes,
            (
                "One of the two results in the cell above is what you need.",
                "`str(…)` makes text of a number, and text has `.encode()`.",
                "`return str(speed).encode()`",
            ),
        ),
        Exercise(
            "03a.2",
            "Bytes for any reader",
            1,
            "Write `encode(report)`: it turns a dict into the bytes of a JSON text in UTF-8, from which a reader in "
            "any language gets the same fields and values. One more thing: JSON has no word for a float that is not a "
            "number (`nan`, from a sensor without a signal). Send `null` for it, which is `None` in Python.",
            encoded,
            (
                "The cell above does two steps: from the dict to text, and from text to bytes. But first replace what "
                "JSON has no word for.",
                "`json.dumps` writes `NaN` for a float that is not a number. `nan` is the only value that is not equal "
                "to itself.",
                "`{name: None if value != value else value for name, value in report.items()}`, then "
                "`json.dumps(…).encode()`",
            ),
        ),
        Exercise(
            "03a.3",
            "Pass it on, with its headers",
            2,
            "Write `pass_on(bootstrap_servers, from_topic, to_topic)`: it sends each record of one topic to the other, "
            "in order, with its key, its value and its headers, and with one more header: `passed`, whose value is "
            "`b'geocoder'`. It returns when all have arrived.",
            lambda answer: passed_on(cluster, answer),
            (
                "A record that you read has `.headers`, a list of (name, value). `send` takes such a list.",
                '`[*record.headers, ("passed", b"geocoder")]` is the list with one more.',
                "A producer; for each record of `read_all(bootstrap_servers, from_topic)`: `producer.send(to_topic, "
                "key=record.key, value=record.value, headers=…)`; then `flush()` and `close()`.",
            ),
        ),
        Exercise(
            "03a.4",
            "What a header says",
            2,
            "Write `batch_facts(raw)`: it gets the bytes of one batch and returns a dict with its `base_offset`, its "
            "number of `records`, and the name of its `codec`: none, gzip, snappy, lz4 or zstd.",
            lambda answer: facts(cluster, answer),
            (
                "The table above has the place of each field. Press a field in the record's picture to see its bytes.",
                'The highest byte comes first: `int.from_bytes(raw[57:61], "big")`. Of the attributes, at bytes 21 and '
                "22, the codec is only the lowest three bits.",
                '`raw[22] & 0b111` is 0 for none, 1 gzip, 2 snappy, 3 lz4, 4 zstd; `int.from_bytes(raw[:8], "big")` is '
                'the base offset, and `int.from_bytes(raw[57:61], "big")` the number of records.',
            ),
        ),
        Exercise(
            "03a.5",
            "Little room",
            3,
            "Write `send_thriftily(bootstrap_servers, topic, records)`: it sends a list of (key, value), unchanged "
            f"and in this order, and returns when all have arrived. {RECORDS} reports must take less than "
            f"{ROOM:,} bytes on the leader's disk; Pavel's code takes more than twice as much.",
            lambda answer: thrifty(cluster, answer),
            (
                "A codec alone does little, and a full batch alone does little. Together they do much.",
                "A producer that waits for a receipt after each record sends batches of one. Wait once, at the end.",
                '`KafkaProducer(bootstrap_servers=…, compression_type="gzip", linger_ms=1000, batch_size=65_536)`; '
                "`send` all of them with their keys, then `flush()` and `close()`.",
            ),
        ),
    )
