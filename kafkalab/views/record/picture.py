"""The data that RecordView draws of a record and its batch: plain JSON, of limited size whatever the bytes are."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from typing import Literal, TypedDict, cast

from kafkalab.errors import KafkalabError
from kafkalab.state.changes import many
from kafkalab.state.log.batch import HEADER_SIZE, Batch, Record
from kafkalab.state.log.segments import Found
from kafkalab.state.log.tree import Field, Kind, header_fields, packed_field, record_fields, text_of
from kafkalab.views.cluster.picture import SIGNS, Part
from kafkalab.views.static import Block, Para, Table
from kafkalab.views.words import count, shorten

#: Number of bytes at the beginning and at the end of a field that are sent to the page.
HEAD, TAIL = 160, 48
#: Number of bytes that are shown of a record that is not the one looked at.
_GLIMPSE = 16
#: Maximum number of the batch's records that are drawn as cells, around the one looked at.
_CELLS = 60
#: Number of other records on either side whose first bytes are shown; the rest is summed up.
_NEIGHBOURS = 2

#: Kind of a field → its sign, and what that means; the page has the same file, and gives each kind a colour.
KINDS: dict[Kind, tuple[str, str]] = json.loads(files(__package__).joinpath("kinds.json").read_text(encoding="utf-8"))

#: How a replica's copy of the batch compares with the one that was read.
Compared = Literal["shown", "same", "differs", "missing", "unread"]
_COMPARED: dict[Compared, str] = {
    "shown": "read here",
    "same": "= the same bytes",
    "differs": "≠ other bytes!",
    "missing": "∅ does not have it",
    "unread": "out of reach",
}

#: Short names, which fit over a byte or two.
_SHORT = {
    "base_offset": "base offset", "batch_length": "length", "leader_epoch": "leader epoch", "magic": "v", "crc": "CRC",
    "attributes": "attrs", "last_offset_delta": "last Δ", "base_timestamp": "base timestamp",
    "max_timestamp": "max timestamp", "producer_id": "producer id", "producer_epoch": "epoch",
    "base_sequence": "sequence", "record_count": "count", "packed": "compressed records", "record_length": "len",
    "record_attributes": "attr", "timestamp_delta": "Δt", "offset_delta": "Δo", "key_length": "klen", "key": "key",
    "value_length": "vlen", "value": "value", "header_count": "hdr",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Copy:
    """A replica, and how its copy of the batch compares. ``part``: leader, follower, behind, down, as in every view."""

    broker: int
    part: Part
    copy: Compared


@dataclass(frozen=True, slots=True)
class Look:
    """The place where RecordView was told to look, and what it found there.

    ``start`` and ``end`` are the offsets the partition has, if they are known. ``error`` is why nothing was found.
    ``recorded``: it was found in a recording, which has the leader's copy only.
    """

    topic: str
    partition: int
    offset: int
    found: Found | None = None
    error: KafkalabError | None = None
    start: int | None = None
    end: int | None = None
    copies: Sequence[Copy] = ()
    recorded: bool = False


class Item(TypedDict):
    """A field: its first bytes in hexadecimal, how many are left out, and its last bytes.

    ``right``: whether a checksum is. ``goto``: the offset of the record that it stands for, if that is another one.
    """

    id: str
    name: str
    short: str
    at: int
    size: int
    kind: Kind
    value: str
    meaning: str
    encoding: str
    hex: str
    cut: int
    tail: str
    steps: str
    bits: list[dict[str, str]]
    right: bool | None
    goto: int | None


class ByteBlock(TypedDict):
    """Bytes that lie behind one another: the batch, or its records, unpacked."""

    title: str
    at: int
    items: list[Item]


class StripCell(TypedDict):
    """A record of the batch."""

    offset: int
    size: int
    key: str | None


class Strip(TypedDict):
    """Records of the batch, and how many there are before and after them."""

    cells: list[StripCell]
    before: int
    after: int


class Share(TypedDict):
    """Bytes of one sort."""

    part: str
    kind: Kind
    bytes: int


class Bar(TypedDict):
    """The shares of the bytes in one form of the batch."""

    bar: str
    bytes: int
    parts: list[Share]


class CopyOf(TypedDict):
    """A replica's copy of the batch, and the sign of the replica's part."""

    broker: int
    sign: str
    copy: Compared
    words: str


class Steps(TypedDict):
    """The offsets to which the steps lead; None for a step that leads nowhere."""

    previous: int | None
    next: int | None
    previous_batch: int | None
    next_batch: int | None


class Picture(TypedDict):
    """The picture of RecordView; ``read``: where the bytes are from, in words; ``facts`` about the batch.

    ``valid``: whether the checksum is right. Without a batch, ``blocks`` is empty, and ``trouble`` says why.
    """

    topic: str
    partition: int
    offset: int
    live: bool
    start: int | None
    end: int | None
    copies: list[CopyOf]
    read: str
    facts: list[str]
    valid: bool
    strip: Strip | None
    steps: Steps
    shares: list[Bar]
    blocks: list[ByteBlock]
    trouble: str
    note: str


def drawn(look: Look, *, live: bool = False) -> Picture:
    """Return what the page draws."""
    picture: Picture = {
        "topic": look.topic, "partition": look.partition, "offset": look.offset, "live": live,
        "start": look.start, "end": look.end,
        "copies": [
            {"broker": c.broker, "sign": SIGNS[c.part], "copy": c.copy, "words": _COMPARED[c.copy]} for c in look.copies
        ],
        "read": "", "facts": [], "valid": False, "strip": None,
        "steps": {"previous": None, "next": None, "previous_batch": None, "next_batch": None},
        "shares": [], "blocks": [], "trouble": "", "note": "",
    }  # fmt: skip
    if look.found is None:
        picture["trouble"] = look.error.said if look.error else ""
        return picture
    found, batch = look.found, look.found.batch
    picture["read"] = _words(found, look.recorded)
    try:
        records: Sequence[Record] = batch.records
    except KafkalabError as error:  # the header can still be read
        records, picture["trouble"] = (), f"{error.what} Seen: {error.seen}."
    chosen = next((r for r in records if r.offset >= look.offset), records[-1] if records else None)
    if chosen is not None and chosen.offset != look.offset:
        picture["note"] = f"There is no record at offset {look.offset}: compaction or a marker took its place."
        picture["offset"] = chosen.offset
    elif look.start is not None and look.offset < look.start:
        picture["note"] = (
            f"The log starts at offset {look.start}: no consumer is given this record any more. "
            "Its bytes are there until the whole segment is deleted."
        )
    elif look.end is not None and look.offset >= look.end:
        picture["note"] = f"The high watermark is {look.end}: no consumer is given this record before it is replicated."
    picture["valid"] = batch.header.crc == batch.computed_crc
    picture["facts"] = [*_facts(batch, records), "✓ CRC" if picture["valid"] else "✗ CRC: damaged"]
    picture["strip"] = _strip(batch, records, chosen)
    picture["steps"] = _steps(look, found, records, chosen)
    picture["shares"] = _shares(batch, records)
    picture["blocks"] = _blocks(found, records, chosen)
    return picture


def _words(found: Found, recorded: bool) -> str:
    if recorded:
        return f"as broker {found.broker}, the leader, handed it out when this was recorded"
    if found.broker < 0:
        return f"from {found.segment} in memory; no broker has these bytes"
    if found.segment:
        return f"from broker {found.broker}'s log segment {found.segment} at byte {found.at}"
    return f"from broker {found.broker}'s answer to a fetch (its disks cannot be read)"


def _facts(batch: Batch, records: Sequence[Record]) -> tuple[str, str]:
    """Return what the batch holds, and how it is compressed."""
    h = batch.header
    records_ = "1 record" if h.record_count == 1 else f"{count(h.record_count)} records"
    packed = "not compressed" if not h.codec else h.codec_name
    if h.codec and records:
        packed += f", {count(len(batch.section))} → {count(h.size - HEADER_SIZE)} bytes"
    return "control batch: a transaction's marker" if h.control else f"batch of {records_}", packed


def _steps(look: Look, found: Found, records: Sequence[Record], chosen: Record | None) -> Steps:
    offsets = [r.offset for r in records]
    h = found.batch.header
    before = [o for o in offsets if chosen and o < chosen.offset]
    after = [o for o in offsets if chosen and o > chosen.offset]
    earlier = found.previous.last if found.previous else None
    if earlier is None and not found.segment and h.base_offset > (look.start or 0):
        earlier = h.base_offset - 1  # a fetch does not tell what comes before
    later = found.next.base if found.next else None
    if later is None and look.end is not None and h.last_offset + 1 < look.end:
        later = h.last_offset + 1  # it exists, but did not fit into the answer to a fetch
    return {
        "previous": before[-1] if before else earlier,
        "next": after[0] if after else later,
        "previous_batch": earlier,
        "next_batch": later,
    }


def _strip(batch: Batch, records: Sequence[Record], chosen: Record | None) -> Strip:
    """Return the records of the batch as cells, at most :data:`_CELLS`, around the chosen one."""
    at = records.index(chosen) if chosen else 0
    first = max(0, min(at - _CELLS // 2, len(records) - _CELLS))
    cells: list[StripCell] = [
        {"offset": r.offset, "size": r.size, "key": _key(batch, r)} for r in records[first : first + _CELLS]
    ]  # fmt: skip
    return {"cells": cells, "before": first, "after": max(0, len(records) - first - _CELLS)}


def _key(batch: Batch, record: Record) -> str | None:
    key = record.key.of(batch.section)
    return None if key is None else text_of(key[:64], 64)


def _shares(batch: Batch, records: Sequence[Record]) -> list[Bar]:
    """Return how the bytes are shared out: of the batch as it lies in the log, and of its records unpacked."""
    h, unpacked = batch.header, sum(r.size for r in records)
    keys, values = sum(max(0, r.key.size) for r in records), sum(max(0, r.value.size) for r in records)
    headers = sum(max(0, k.size) + max(0, v.size) for r in records for k, v in r.headers)
    parts: list[Share] = [
        {"part": "keys", "kind": "key", "bytes": keys},
        {"part": "values", "kind": "value", "bytes": values},
        {"part": "headers", "kind": "header", "bytes": headers},
        {"part": "overhead", "kind": "length", "bytes": unpacked - keys - values - headers},
    ]
    inside = [share for share in parts if share["bytes"]]
    header: Share = {"part": "batch header", "kind": "place", "bytes": HEADER_SIZE}
    if not h.codec:
        return [{"bar": "in the log", "bytes": h.size, "parts": [header, *inside]}]
    packed: Share = {"part": h.codec_name, "kind": "packed", "bytes": h.size - HEADER_SIZE}
    bars: list[Bar] = [{"bar": "in the log", "bytes": h.size, "parts": [header, packed]}]
    return [*bars, {"bar": "unpacked", "bytes": len(batch.section), "parts": inside}] if records else bars


def _blocks(found: Found, records: Sequence[Record], chosen: Record | None) -> list[ByteBlock]:
    batch, size = found.batch, found.batch.header.size - HEADER_SIZE
    items = [_item(f, batch.data) for f in header_fields(batch)]
    where = f"as it lies in {found.segment}" if found.segment else "as it was handed out"
    title = f"The batch, {where}: {many(batch.header.size, 'byte')}"
    blocks: list[ByteBlock] = [{"title": title, "at": found.at, "items": items}]
    if not batch.header.codec:
        items += _section(batch, records, chosen, HEADER_SIZE)
    elif records:
        items.append(_item(packed_field(batch), batch.data))
        unpacked = f"Its records, unpacked: {many(len(batch.section), 'byte')}"
        blocks.append({"title": unpacked, "at": 0, "items": _section(batch, records, chosen, 0)})
    if size and not records:
        rest = Field("rest", "unreadable", HEADER_SIZE, size, "other", "", "", "bytes")
        torn = Field("packed", "compressed records", HEADER_SIZE, size, "packed", "", "They do not unpack.", "bytes")
        items.append(_item(torn if batch.header.codec else rest, batch.data))
    return blocks


def _section(batch: Batch, records: Sequence[Record], chosen: Record | None, shift: int) -> list[Item]:
    """Return the chosen record field by field, its neighbours at a glance, and the others summed up."""
    if chosen is None:
        return []
    at, section = records.index(chosen), batch.section
    near = range(at - _NEIGHBOURS, at + _NEIGHBOURS + 1)
    items = _summed(batch, records[: max(0, near.start)], shift, -1)
    for i in near:
        if i == at:
            items += [_item(f, section, shift) for f in record_fields(batch, chosen, shift)]
        elif 0 <= i < len(records):
            items.append(_other(batch, records[i], shift))
    return items + _summed(batch, records[near.stop :], shift, 0)


def _other(batch: Batch, record: Record, shift: int) -> Item:
    key = _key(batch, record)
    field = Field(
        f"record_{record.offset}", f"record at offset {record.offset}", record.at + shift, record.size, "other",
        "key null" if key is None else f"key {key}", "Another record of this batch.", many(record.size, 'byte'),
    )  # fmt: skip
    return _item(field, batch.section, shift, _GLIMPSE, 0, goto=record.offset)


def _summed(batch: Batch, records: Sequence[Record], shift: int, nearest: int) -> list[Item]:
    """Return one item for records that are not shown one by one; choosing it leads to the nearest of them."""
    if len(records) < 2:
        return [_other(batch, r, shift) for r in records]
    first, last = records[0], records[-1]
    size = last.at + last.size - first.at
    name = f"{len(records)} records, offsets {first.offset} to {last.offset}"
    field = Field(f"records_{first.offset}", name, first.at + shift, size, "other", "", "", many(size, "byte"))
    return [_item(field, batch.section, shift, 0, 0, goto=records[nearest].offset)]


def _item(
    field: Field, data: bytes, shift: int = 0, head: int = HEAD, tail: int = TAIL, goto: int | None = None
) -> Item:
    """Return a field with its bytes, but not the middle of many. ``shift``: ``at`` minus the position in data."""
    mine = data[field.at - shift : field.at - shift + field.size]
    cut = max(0, len(mine) - head - tail)
    # A gap of a few bytes would take as much room as the bytes themselves.
    cut = 0 if head and cut <= 32 else cut
    shown = {
        **asdict(field), "bits": [asdict(bits) for bits in field.bits], "short": _short(field), "goto": goto,
        "hex": (mine[:head] if cut else mine).hex(), "cut": cut, "tail": mine[len(mine) - tail :].hex() if cut else "",
    }  # fmt: skip
    return cast("Item", shown)


def _short(field: Field) -> str:
    if field.id in _SHORT:
        return _SHORT[field.id]
    if field.id.startswith("header"):
        name = "key" if "_key" in field.id else "value"
        return f"{name[0]}len" if field.id.endswith("_length") else name
    return field.name


# --- The picture as paragraphs and tables, for where no widget runs.


#: Number of bytes of a field that are shown.
_BYTES = 16


def blocks(picture: Picture) -> list[Block]:
    """Return where the bytes are from, a row per field of each block, and how the bytes are shared out."""
    offset = "newest record" if picture["offset"] < 0 else f"offset {picture['offset']}"
    title = Para(f"{shorten(picture['topic'], 200)}, partition {picture['partition']}, {offset}", "strong")
    if not picture["blocks"]:
        return [title, Para(shorten(picture["trouble"] or "not read yet", 500))]
    said = [picture["read"], ", ".join(picture["facts"]), picture["note"], picture["trouble"]]
    if picture["copies"]:
        said.append("copies: " + ", ".join(f"{c['sign']} {c['broker']} {c['words']}" for c in picture["copies"]))
    heads = ("Byte", "Bytes", "Field", "Value", "Meaning")
    tables = [Table(heads, [_field(i) for i in b["items"]], b["title"], html_only=1) for b in picture["blocks"]]
    shares = [
        f"{bar['bar']}, {bar['bytes']} bytes: " + ", ".join(f"{p['part']} {p['bytes']}" for p in bar["parts"])
        for bar in picture["shares"]
    ]
    return [title, *(Para(shorten(line, 500)) for line in said if line), *tables, Para(" · ".join(shares), "small")]


def _field(item: Item) -> tuple[object, ...]:
    bytes_ = bytes.fromhex(item["hex"])[:_BYTES].hex(" ")
    return (
        item["at"],
        f"{bytes_} …" if item["size"] > _BYTES else bytes_,
        f"{KINDS[item['kind']][0]} {shorten(item['name'], 60)}",
        shorten(item["value"], 120),
        shorten(item["meaning"], 240),
    )
