"""A record and its batch as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from kafkalab.views.cluster_drawn import SIGNS, shown
from kafkalab.views.record_drawn import Drawn

_COPIES = {
    "shown": "read here",
    "same": "the same bytes",
    "differs": "other bytes",
    "missing": "has no copy of this batch",
    "unread": "out of reach",
}


def title(picture: Drawn) -> str:
    """What is looked at, in a line."""
    offset = "newest record" if picture["offset"] < 0 else f"offset {picture['offset']}"
    return f"{picture['topic']}, partition {picture['partition']}, {offset}"


def copy_words(broker: str, copy: Drawn) -> str:
    """A replica's copy in words: "♛ 101 read here"."""
    sign = next((s for part, s in SIGNS.items() if part == copy["part"]), "")
    return f"{sign} {broker} {_COPIES[copy['copy']]}"


def batch_words(picture: Drawn) -> str:
    """The batch in a line."""
    b = picture["batch"]
    packed = f", {b['codec']}" if b["codec"] != "none" else ", not compressed"
    what = "a transaction's marker" if b["control"] else f"{b['count']} record{'s' if b['count'] != 1 else ''}"
    valid = "checksum right" if b["valid"] else "CHECKSUM WRONG"
    return f"batch of offsets {b['base']} to {b['last']}: {what}, {b['size']} bytes{packed}, {valid}"


def fields(picture: Drawn) -> Iterator[tuple[str, Drawn]]:
    """(block's title, item) of every field that is drawn by itself."""
    for block in picture["blocks"]:
        for item in block["items"]:
            if item["kind"] != "other":
                yield block["title"], item


def hex_of(item: Drawn, most: int = 16) -> str:
    """A field's bytes, the first of them."""
    pairs = bytes.fromhex(item["hex"])[:most].hex(" ")
    return f"{pairs} …" if item["size"] > most else pairs


def to_text(picture: Drawn) -> str:
    """Title, where the bytes are from, and a line a field: position, bytes, name, value."""
    lines = [title(picture)]
    if picture["batch"] is None:
        return "\n".join([*lines, picture["trouble"] or "not looked at yet"])
    lines += [picture["read"]["words"], batch_words(picture)]
    lines += [picture["note"]] if picture["note"] else []
    lines += [picture["trouble"]] if picture["trouble"] else []
    if picture["copies"]:
        lines.append("copies: " + ", ".join(copy_words(b, c) for b, c in picture["copies"].items()))
    last = ""
    for block, item in fields(picture):
        if block != last:
            lines.append(f"{block}")
            last = block
        lines.append(f"  {item['at']:>5}  {hex_of(item, 8):<26}  {item['name']:<22}  {shown(item['value'], 60)}")
    return "\n".join(lines)
