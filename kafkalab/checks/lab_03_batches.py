"""Judges lab 03's exercises on batches: three facts from a batch's header, and a topic that takes little room."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, Final

from kafkalab.checks.judging import Wrong, call, function_needed, kind_of
from kafkalab.checks.lab_03_disk import batches_in, on_disk
from kafkalab.checks.lab_03_reports import as_records, unseen
from kafkalab.checks.topics import passing_topic, read_all
from kafkalab.errors import KafkalabError, Unreachable
from kafkalab.state.record_batch import Batch

if TYPE_CHECKING:
    from kafkalab.cluster.cluster import Cluster

#: Records given to the learner's producer, and the bytes that they may take on a disk.
RECORDS: Final = 500
ROOM: Final = 50_000

_FACTS: Final = ("base_offset", "records", "codec")
_CODECS: Final = (None, "gzip", "snappy", "lz4", "zstd")


def facts(cluster: Cluster, answer: Any) -> str:
    """Judge 03.2 on batches that a broker wrote a moment ago."""
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
            raise Wrong(f"{codec!r} is the codec's number; asked for is its name: {', '.join(map(str, _names()))}.")
        if codec == h.attributes:
            raise Wrong(
                f"{codec!r} is all of the attributes. The codec is in their lowest three bits only; the bit above "
                "tells whose clock set the timestamps."
            )
        raise Wrong(f"The codec of a batch is {h.codec_name}, and {codec!r} was returned.")


def _names() -> tuple[str, ...]:
    return tuple(codec or "none" for codec in _CODECS)


def _fresh(cluster: Cluster) -> list[Batch]:
    """A batch of each codec, of lengths nobody could know, in any order, from a topic with the broker's timestamps."""
    random = Random()
    codecs = random.sample(_CODECS, len(_CODECS))
    topic = f"lab03-exercise-2-{random.getrandbits(32):08x}"
    cluster.create_topic(topic, settings={"message.timestamp.type": "LogAppendTime"})
    try:
        for codec in codecs:
            # So many that no count could pass for a codec's number or for the attributes.
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
            # Until it is flushed: all of them are one batch then, however slow this machine is.
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
    """Judge 03.3 by what lies on the leader's disk afterwards."""
    function_needed(answer)
    given = as_records(unseen(RECORDS, Random()))
    with passing_topic(cluster, "lab03-exercise-3", partitions=1) as topic:
        call(answer, cluster.bootstrap_servers, topic, list(given), within=120, returns=False)
        there = [(record.key, record.value) for record in read_all(cluster.bootstrap_servers, topic)]
        all_there(there, given)
        batches = batches_in(on_disk(cluster, topic))
    return taken(batches)


def all_there(there: list[tuple[bytes | None, bytes | None]], given: list[tuple[bytes, bytes]]) -> None:
    """Judge whether a topic holds the (key, value) that were given, in their order, and nothing else."""
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
    """Judge the room that batches take."""
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
