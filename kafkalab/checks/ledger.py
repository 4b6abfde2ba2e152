"""Ledger: what was sent, acknowledged and seen, counted by record id; so what was lost and what came twice."""

from __future__ import annotations

import threading
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, fields
from html import escape
from typing import Any

from kafkalab.errors import BadInput

_SHOWN = 8


@dataclass(frozen=True, slots=True)
class LedgerResult:
    """The account of a run. Every count is a number of distinct record ids; every list of ids is sorted.

    - ``sent``: ids handed to a producer.
    - ``acknowledged``: ids of which the broker said "I have it" (with the acks the producer asked for).
    - ``seen``: ids that came out at the other end.
    - ``lost``: acknowledged and never seen. A record that was sent and not acknowledged is not lost: nobody promised
      to keep it. It is ``unacknowledged``, and it may or may not be in the log.
    - ``duplicated``: ids that lie in the log at more than one position.
    - ``redelivered``: ids read again from a position already read (at-least-once reading); the log holds them once.
    - ``strangers``: ids seen that this ledger never sent: somebody else writes to the topic too.
    """

    sent: int
    acknowledged: int
    seen: int
    lost: int
    duplicated: int
    redelivered: int
    unacknowledged: int
    strangers: int
    lost_ids: tuple[str, ...] = ()
    duplicated_ids: tuple[str, ...] = ()
    redelivered_ids: tuple[str, ...] = ()
    unacknowledged_ids: tuple[str, ...] = ()
    stranger_ids: tuple[str, ...] = ()

    @property
    def clean(self) -> bool:
        """Nothing lost and nothing duplicated."""
        return not self.lost and not self.duplicated

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON: the counts, and the ids in lists."""
        out: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            out[field.name] = list(value) if isinstance(value, tuple) else value
        return out

    def _rows(self) -> list[tuple[str, int, tuple[str, ...]]]:
        """The lines shown: the rare ones only when there is something to say."""
        always = [
            ("sent", self.sent, ()),
            ("acknowledged", self.acknowledged, ()),
            ("seen", self.seen, ()),
            ("lost", self.lost, self.lost_ids),
            ("duplicated", self.duplicated, self.duplicated_ids),
        ]
        rare = [
            ("read again", self.redelivered, self.redelivered_ids),
            ("not acknowledged", self.unacknowledged, self.unacknowledged_ids),
            ("seen, sent by others", self.strangers, self.stranger_ids),
        ]
        return always + [row for row in rare if row[1]]

    def __str__(self) -> str:
        return "\n".join(f"{name:<20} {count:>9}  {_some(ids)}".rstrip() for name, count, ids in self._rows())

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))

    def _repr_html_(self) -> str:
        # The mark is a word beside the number: colour alone says nothing to some readers.
        marks = {"lost": self.lost == 0, "duplicated": self.duplicated == 0}
        body = "".join(
            f"<tr><th scope='row' style='text-align:left'>{escape(name)}</th>"
            f"<td style='text-align:right'>{count}{_mark(marks.get(name))}</td>"
            f"<td style='text-align:left'>{escape(_some(ids))}</td></tr>"
            for name, count, ids in self._rows()
        )
        return f"<table><caption style='text-align:left'>Ledger, by record id</caption><tbody>{body}</tbody></table>"


def _mark(good: bool | None) -> str:
    return "" if good is None else " ✓" if good else " ✗"


def _some(ids: tuple[str, ...]) -> str:
    more = len(ids) - _SHOWN
    return ", ".join(ids[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


class Ledger:
    """Counts records by id; safe to call from any thread.

    A *position* is anything hashable that says where in the log a record lies, normally ``(partition, offset)``, or
    ``(topic, partition, offset)`` when several topics are read. Kafka gives every stored record its own, so two
    positions for one id mean two records in the log: a duplicate, written by a retry or by an application that sent
    twice. One position seen twice is the same stored record read again, which a restarted reader may do without harm;
    it is counted apart. A sighting without a position cannot be told from a second record, so it counts as one.

    Callbacks may arrive in any order: an acknowledgement before ``sent`` returns is fine.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sent: set[str] = set()
        self._acknowledged: set[str] = set()
        # The first position of an id is kept by itself; few ids ever have a second one, so sets are made only then.
        self._first: dict[str, Hashable] = {}
        self._others: dict[str, set[Hashable]] = {}
        self._again: set[str] = set()

    def sent(self, record_id: str) -> None:
        """The record was handed to a producer."""
        with self._lock:
            self._sent.add(record_id)

    def acknowledged(self, record_id: str) -> None:
        """The broker acknowledged the record."""
        with self._lock:
            self._acknowledged.add(record_id)

    def seen(self, record_id: str, position: Hashable = None) -> None:
        """The record came out, at ``position`` of the log when that is known."""
        with self._lock:
            self._see(record_id, position)

    def seen_many(self, record_ids: Iterable[str], positions: Iterable[Hashable] | None = None) -> None:
        """Several records came out; ``positions``, when given, holds one for each.

        :raises BadInput: when there are not as many positions as ids; nothing is counted then.
        """
        ids = list(record_ids)
        places: list[Hashable] = [None] * len(ids) if positions is None else list(positions)
        if len(places) != len(ids):
            raise BadInput(
                "Every record id needs its position.",
                seen=f"{len(ids)} ids and {len(places)} positions",
                do="Give one (partition, offset) for each id, in the same order, or leave positions out.",
            )
        with self._lock:
            for record_id, position in zip(ids, places, strict=True):
                self._see(record_id, position)

    def _see(self, record_id: str, position: Hashable) -> None:
        place: Hashable = object() if position is None else position
        if record_id not in self._first:
            self._first[record_id] = place
        elif place == self._first[record_id] or place in self._others.get(record_id, ()):
            self._again.add(record_id)
        else:
            self._others.setdefault(record_id, set()).add(place)

    def result(self) -> LedgerResult:
        """The account so far; a ledger still being written to gives a consistent moment of it."""
        with self._lock:
            sent, acknowledged, seen = set(self._sent), set(self._acknowledged), set(self._first)
            duplicated, again = set(self._others), set(self._again)
        lost = acknowledged - seen
        unacknowledged = sent - acknowledged
        strangers = seen - sent
        return LedgerResult(
            sent=len(sent),
            acknowledged=len(acknowledged),
            seen=len(seen),
            lost=len(lost),
            duplicated=len(duplicated),
            redelivered=len(again),
            unacknowledged=len(unacknowledged),
            strangers=len(strangers),
            lost_ids=tuple(sorted(lost)),
            duplicated_ids=tuple(sorted(duplicated)),
            redelivered_ids=tuple(sorted(again)),
            unacknowledged_ids=tuple(sorted(unacknowledged)),
            stranger_ids=tuple(sorted(strangers)),
        )

    def __str__(self) -> str:
        return str(self.result())

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))

    def _repr_html_(self) -> str:
        return self.result()._repr_html_()
