"""The exercises of lab 03, messages: bytes for any reader, a batch's facts, little room, a schema that grows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kafkalab.checks.exercise import Exercise
from kafkalab.checks.lab_03_batches import RECORDS, ROOM, facts, thrifty
from kafkalab.checks.lab_03_schemas import evolved
from kafkalab.checks.lab_03_values import encoded

if TYPE_CHECKING:
    from kafkalab.cluster.cluster import Cluster


def exercises(cluster: Cluster) -> tuple[Exercise, Exercise, Exercise, Exercise]:
    """The four exercises, judged on this cluster."""
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
