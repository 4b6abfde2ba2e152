"""A StreamView in lines of text, and the words that its static forms share."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from kafkalab.views.stream_drawn import Drawn, newest
from kafkalab.views.svg import shorten

#: Signs of partitions, offsets and batches as in the live view.
_LANES_SHOWN = 32


def to_text(picture: Drawn) -> str:
    """Title, the newest batch's figures, and where each partition stands."""
    lines = [title(picture)]
    if picture["reason"]:
        lines.append(f"  ✕ {shorten(picture['reason'], 300)}")
    found = newest(picture)
    if found is None:
        return "\n".join([*lines, "  no batch has ended yet"])
    number, batch = found
    lines += [f"  {name:<12} {value}" for name, value in figures(number, batch)]
    lines += [f"  {key}  {words}" for key, words in lanes(picture, batch)[:_LANES_SHOWN]]
    if picture["unread"]:
        names = ", ".join(lane_name(picture, key) for key in picture["unread"])
        lines.append(f"  ✕ nobody reads {names}")
    return "\n".join(lines)


def title(picture: Drawn) -> str:
    """Name, how it stands, and its trigger."""
    name = f"Stream {shorten(picture['name'], 60)}" if picture["name"] else "Stream"
    return ", ".join(part for part in (name, picture["words"], picture["trigger"]["words"]) if part)


def figures(number: int, batch: dict[str, Any]) -> list[tuple[str, str]]:
    """Name and value of each figure of a batch."""
    phases = sorted(((ms, name) for name, ms in batch["phases"].items() if ms), reverse=True)[:3]
    rows = [
        ("batch", f"{number}, {of_day(batch['at'])} UTC, {duration(batch['ms'])}"),
        ("arriving", f"{batch['arriving']:,.0f} rows/s, {batch['rows']:,} in this batch"),
        ("can process", f"{batch['processed']:,.0f} rows/s"),
        ("time went to", ", ".join(f"{name} {duration(ms)}" for ms, name in phases)),
        ("behind", "not told" if batch["behind"] is None else f"{batch['behind']:,} records"),
    ]
    event = batch["event"]
    if event:
        rows.append(("watermark", watermark(batch)))
    if batch["late"] is not None:
        rows.append(("too late", f"{batch['late']:,} row{'' if batch['late'] == 1 else 's'} dropped"))
    if batch["state"]:
        total, size = total_of(batch, "total"), total_of(batch, "bytes")
        rows.append(("state", f"{total:,} rows, {bytes_(size)}"))
    return rows


def lanes(picture: Drawn, batch: dict[str, Any]) -> list[tuple[str, str]]:
    """Each lane's name, and what the batch read of it."""
    found = []
    for key, (start, end, latest) in batch["lanes"].items():
        read = f"…{end:,}" if start is None else f"{start:,} → {end:,}"
        waits = "" if latest is None else "read to the end" if latest <= end else f"{latest - end:,} wait"
        found.append((lane_name(picture, key), f"{read}  {waits}".rstrip()))
    return found


def lane_name(picture: Drawn, key: str) -> str:
    """``P3``, with the topic when there are several."""
    topics = {(lane["source"], lane["topic"]) for lane in picture["lanes"].values()}
    lane = picture["lanes"][key]
    return f"P{lane['partition']}" if len(topics) == 1 else f"{shorten(lane['topic'], 30)} P{lane['partition']}"


def watermark(batch: dict[str, Any]) -> str:
    """Where it stands, and how far behind the newest event time of the batch."""
    event = batch["event"]
    if not event or event["watermark"] is None:
        return "not known yet" if event else "none is set"
    words = f"{of_day(event['watermark'])} UTC"
    if event["max"] is not None:
        words += f", {lasting(event['max'] - event['watermark'])} behind the newest event"
    return words


def total_of(batch: dict[str, Any], name: str) -> int:
    """A figure of the state, over all operators."""
    return sum(operator[name] for operator in batch["state"])


def of_day(at: float) -> str:
    """Unix seconds as a time of day, UTC."""
    return datetime.fromtimestamp(at, UTC).strftime("%H:%M:%S")


def duration(ms: float) -> str:
    """Milliseconds for people: ``462 ms``, ``6.99 s``."""
    return f"{ms:.0f} ms" if ms < 1000 else f"{ms / 1000:.2f} s" if ms < 10_000 else lasting(ms / 1000)


def lasting(seconds: float) -> str:
    """Seconds for people: ``48 s``, ``1:10 min``, ``2:05 h``."""
    size, sign = abs(seconds), "−" if seconds < 0 else ""
    if size < 60:
        return f"{sign}{size:.3g} s"
    whole = round(size)
    if whole < 3600:
        return f"{sign}{whole // 60}:{whole % 60:02} min"
    return f"{sign}{whole // 3600}:{whole % 3600 // 60:02} h"


def bytes_(n: int) -> str:
    """``3.6 kB``."""
    for size, unit in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if n >= size:
            return f"{n / size:.1f} {unit}"
    return f"{n} B"
