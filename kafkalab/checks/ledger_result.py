"""What a ledger came to: counts of record ids, and the ids behind each count."""

from __future__ import annotations

from dataclasses import dataclass, fields
from html import escape
from typing import Any

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
    - ``out_of_order``: ids that lie, in one partition, behind a record of the same key that was sent after them. Only
      records whose key the ledger was told are judged; of several copies the first counts.
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
    out_of_order: int = 0
    out_of_order_ids: tuple[str, ...] = ()

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
            ("out of order", self.out_of_order, self.out_of_order_ids),
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
