"""Two snapshots → what happened between them, as named events."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened.

    ``kind`` is a stable name for programs (leader_moved, isr_shrank, broker_down, …), ``text`` a sentence for people.
    ``at`` is Unix time in seconds, of the snapshot in which it was first seen.
    """

    at: float
    kind: str
    text: str
    topic: str | None = None
    partition: int | None = None
    broker: int | None = None
    group: str | None = None
