"""Every byte of a batch by name: fields with their place, value, meaning, and encoding."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from kafkalab.state.changes import many
from kafkalab.state.log.batch import (
    CONTROL,
    DELETE_HORIZON,
    HEADER_SIZE,
    TIMESTAMP_TYPE,
    TRANSACTIONAL,
    Batch,
    Header,
    Record,
    Span,
    read_varint,
)

#: The subject of a field; views give each a colour and a sign.
Kind = Literal["place", "length", "check", "flags", "time", "producer", "key", "value", "header", "packed", "other"]

_INT = {1: "int8", 2: "int16, highest byte first", 4: "int32, highest byte first", 8: "int64, highest byte first"}


@dataclass(frozen=True, slots=True)
class Bits:
    """Some bits of a field: which ones ("0–2", 0 is the lowest), their value, their name, and what they mean."""

    bits: str
    value: str
    name: str
    says: str


@dataclass(frozen=True, slots=True)
class Field:
    """A named range of bytes. ``id`` is the same in all batches; ``at`` and ``size`` are bytes in the field's block.

    ``steps`` explains how the bytes give the value, where that is not obvious.
    """

    id: str
    name: str
    at: int
    size: int
    kind: Kind
    value: str
    meaning: str
    encoding: str
    steps: str = ""
    bits: tuple[Bits, ...] = ()
    #: Whether a checksum is right; None for fields that have no right or wrong.
    right: bool | None = None


def header_fields(batch: Batch) -> tuple[Field, ...]:
    """Return the 13 fields of a batch's header."""
    h = batch.header
    right = h.crc == batch.computed_crc
    appended = bool(h.attributes & TIMESTAMP_TYPE)
    rows: tuple[tuple[str, str, int, Kind, str, str], ...] = (
        ("base_offset", "base offset", 8, "place", str(h.base_offset),
         "Offset of the first record. The leader writes it when it appends the batch; the producer sent 0."),
        ("batch_length", "batch length", 4, "length", many(h.batch_length, "byte"),
         "How many bytes follow this field. Add the 12 bytes up to here to find where the next batch begins."),
        ("leader_epoch", "partition leader epoch", 4, "place", str(h.partition_leader_epoch),
         "The leader epoch of the append; each election of a leader begins a new one. A follower that comes back "
         "compares epochs, so that it cuts off what the new leader does not have."),
        ("magic", "magic", 1, "check", str(h.magic), "Version of the format. 2 since Kafka 0.11."),
        ("crc", "CRC-32C", 4, "check", f"0x{h.crc:08x} {'✓' if right else '✗'}",
         "Checksum over everything after it. The leader may rewrite the fields before it and needs no new checksum. "
         + (f"Computed from the bytes: 0x{batch.computed_crc:08x}, the same."
            if right else f"Computed from the bytes: 0x{batch.computed_crc:08x}. The bytes are damaged!")),
        ("attributes", "attributes", 2, "flags", f"0x{h.attributes & 0xFFFF:04x}",
         "Settings of the whole batch, bit by bit."),
        ("last_offset_delta", "last offset delta", 4, "place", str(h.last_offset_delta),
         f"Offset of the last record, counted from the base offset: {h.base_offset} + {h.last_offset_delta} = "
         f"{h.last_offset}."),
        ("base_timestamp", "base timestamp", 8, "time", _milliseconds(h.base_timestamp),
         "Time of the first record, in milliseconds since 1970: " + moment(h.base_timestamp)
         + (". But bit 6 of the attributes says: it is the delete horizon." if h.attributes & DELETE_HORIZON else ".")),
        ("max_timestamp", "max timestamp", 8, "time", _milliseconds(h.max_timestamp),
         f"The latest timestamp of all records: {moment(h.max_timestamp)}."
         + (" It is when the broker appended the batch, and it counts for every record." if appended else "")),
        ("producer_id", "producer id", 8, "producer", _none(h.producer_id),
         "The number that the broker gave to the idempotent producer. −1: the producer was not idempotent."),
        ("producer_epoch", "producer epoch", 2, "producer", _none(h.producer_epoch),
         "Raised when a producer with the same transactional id takes over, so that the older one is fenced off."),
        ("base_sequence", "base sequence", 4, "producer", _none(h.base_sequence),
         "Number of the first record among all that this producer sent to this partition. A batch that is sent twice "
         "has the same number both times, so the broker recognises it."),
        ("record_count", "record count", 4, "length", str(h.record_count), "How many records follow."),
    )  # fmt: skip
    fields, at = [], 0
    for id, name, size, kind, value, meaning in rows:
        encoding = "uint32, highest byte first" if id == "crc" else _INT[size]
        bits = attribute_bits(h) if id == "attributes" else ()
        fields.append(
            Field(id, name, at, size, kind, value, meaning, encoding, bits=bits, right=right if id == "crc" else None)
        )
        at += size
    return tuple(fields)


def attribute_bits(h: Header) -> tuple[Bits, ...]:
    """Return the attributes of a batch, bit by bit, the lowest first."""

    def one(mask: int, position: int, name: str, on: str, off: str) -> Bits:
        set = bool(h.attributes & mask)
        return Bits(str(position), str(int(set)), name, on if set else off)

    return (
        Bits("0–2", f"{h.codec:03b}", "compression codec", h.codec_name),
        one(TIMESTAMP_TYPE, 3, "timestamp type", "LogAppendTime, set by the broker", "CreateTime, set by the producer"),
        one(TRANSACTIONAL, 4, "transactional", "part of a transaction", "not part of a transaction"),
        one(CONTROL, 5, "control batch", "a transaction's marker", "ordinary records"),
        one(DELETE_HORIZON, 6, "delete horizon", "base timestamp is the delete horizon", "not set"),
        Bits("7–15", f"{h.attributes >> 7 & 0x1FF:09b}", "unused", "" if not h.attributes >> 7 & 0x1FF else "set!"),
    )


def packed_field(batch: Batch) -> Field:
    """Return the compressed records, which are one block of bytes in the batch, as one field."""
    h, size = batch.header, len(batch.data) - HEADER_SIZE
    return Field(
        "packed", "compressed records", HEADER_SIZE, size, "packed", f"{size} bytes of {h.codec_name}",
        f"All {h.record_count} records in one block. The producer packed them, brokers store and send them as they "
        "are, and the consumer unpacks them.",
        f"{h.codec_name}; unpacked {len(batch.section)} bytes",
    )  # fmt: skip


def record_fields(batch: Batch, record: Record, shift: int = 0) -> tuple[Field, ...]:
    """Return the fields of one record. ``shift`` is where the records section begins in its block."""
    h, data, fields = batch.header, batch.section, []
    at = record.at

    def add(
        id: str, name: str, end: int, kind: Kind, value: str, meaning: str, encoding: str = "zigzag varint"
    ) -> None:
        nonlocal at
        steps = explain_varint(data[at:end]) if encoding == "zigzag varint" else ""
        fields.append(Field(id, name, at + shift, end - at, kind, value, meaning, encoding, steps))
        at = end

    def add_sized(id: str, name: str, span: Span, kind: Kind, meaning: str, content: str = "") -> None:
        said = "null" if span.size < 0 else many(span.size, "byte")
        null = " −1 means null: there is none." if span.size < 0 else ""
        add(f"{id}_length", f"{name} length", span.at, "length", said, f"How many bytes the {name} has.{null}")
        if span.size > 0:
            bytes_ = data[span.at : span.at + span.size]
            add(id, name, span.at + span.size, kind, content or text_of(bytes_), meaning, _text_encoding(bytes_))

    add("record_length", "record length", record.body, "length", many(record.size - (record.body - record.at), "byte"),
        "How many bytes of this record follow.")  # fmt: skip
    add("record_attributes", "record attributes", at + 1, "flags", str(record.attributes), "Unused so far.", "int8")
    delta, end = read_varint(data, at)
    appended = bool(h.attributes & TIMESTAMP_TYPE)
    add("timestamp_delta", "timestamp delta", end, "time", f"{delta} ms",
        (f"Counted from the base timestamp: {moment(record.timestamp)}." if h.base_timestamp >= 0 else "No timestamp.")
        + (f" But the max timestamp counts instead: {moment(h.max_timestamp)}." if appended else ""))  # fmt: skip
    delta, end = read_varint(data, at)
    add("offset_delta", "offset delta", end, "place", str(delta),
        f"Counted from the base offset: {h.base_offset} + {delta} = {record.offset}.")  # fmt: skip
    if h.control:
        add_sized("key", "key", record.key, "key", "A marker's version and type.", _marker(record.key.of(data)))
        add_sized("value", "value", record.value, "value", "A marker's version and its coordinator's epoch.")
    else:
        add_sized("key", "key", record.key, "key", "The producer hashed these bytes to choose the partition.")
        add_sized("value", "value", record.value, "value", "The content of the record. Kafka never looks into it.")
    _, end = read_varint(data, at)
    add("header_count", "header count", end, "length", str(len(record.headers)), "How many headers follow.")
    for i, (name, content) in enumerate(record.headers):
        add_sized(f"header{i}_key", f"header {i} key", name, "header", "A header's name.")
        add_sized(
            f"header{i}_value", f"header {i} value", content, "header", "A header's value: bytes, like any value."
        )
    return tuple(fields)


def explain_varint(data: bytes) -> str:
    """Return step by step how the bytes of one zigzag varint give its number."""
    number, _ = read_varint(data, 0)
    bits = " ".join(f"{byte >> 7}·{byte & 0x7F:07b}" for byte in data)
    raw = sum((byte & 0x7F) << 7 * i for i, byte in enumerate(data))
    if len(data) == 1:
        joined = "the first bit is 0, so the number ends here"
    else:
        joined = "a first bit of 1 means that another byte follows; the lowest seven bits come first"
    half = f"{raw} is even: {raw} / 2" if raw % 2 == 0 else f"{raw} is odd: −({raw} + 1) / 2"
    return f"{bits}: {joined}. The groups of seven bits give {raw}. Zigzag: {half} = {number}".replace("= -", "= −")


def text_of(data: bytes, limit: int = 400) -> str:
    """Return bytes as readable text: UTF-8 where valid, other bytes as \\xNN; the middle of a long text is left out."""
    if len(data) > limit:
        half = limit // 2
        return f"{_decoded(data[:half])} … {len(data) - 2 * half} bytes … {_decoded(data[-half:])}"
    return _decoded(data)


#: Control characters, but for tabs and line ends.
CONTROLS = {code: f"\\x{code:02x}" for code in (*range(9), 11, 12, *range(14, 32), 127)}
_CONTROLS_AND_LINE_ENDS = CONTROLS | {9: "\\t", 10: "\\n", 13: "\\r"}


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "backslashreplace").translate(_CONTROLS_AND_LINE_ENDS)


def is_text(data: bytes) -> bool:
    """Return whether bytes are valid UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def moment(milliseconds: int) -> str:
    """Return milliseconds since 1970 as a date; "none" for −1, the bare number for dates that no calendar has."""
    if milliseconds == -1:
        return "none (−1)"
    try:
        at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=milliseconds)
    except OverflowError:
        return f"{milliseconds} ms, too far away for a date"
    return at.strftime("%Y-%m-%d %H:%M:%S.") + f"{at.microsecond // 1000:03d} UTC"


def _text_encoding(data: bytes) -> str:
    return "bytes of UTF-8 text" if is_text(data) else "bytes, not all of them UTF-8 text; the others show as \\xNN"


def _milliseconds(number: int) -> str:
    return _none(number) if number == -1 else f"{number} ms"


def _none(number: int) -> str:
    return "−1 (none)" if number == -1 else str(number)


def _marker(key: bytes | None) -> str:
    if key is None or len(key) < 4:
        return ""
    kind = int.from_bytes(key[2:4], "big", signed=True)
    return f"version {int.from_bytes(key[:2], 'big')}, type {kind}: {({0: 'ABORT', 1: 'COMMIT'}).get(kind, 'other')}"
