"""A cell of the durability matrix: how many records one setting kept and lost, and why. Pure functions and data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, product
from typing import Any, Literal

from kafkalab.errors import BadInput
from kafkalab.experiments.ledger import LedgerResult
from kafkalab.views.durability.picture import ACKS, BROKERS_UP, FAULTS, MIN_INSYNC, Spell, name

Acks = Literal["0", "1", "all"]
#: The leader's failure: its process is killed and comes back with its log, or its disk is lost and the log with it.
Fault = Literal["killed", "disk lost"]
State = Literal["not run", "running", "done", "not possible"]


@dataclass(frozen=True, slots=True, order=True)
class Setting:
    """The setting of a cell: acks, min.insync.replicas, the number of brokers up, and the leader's failure."""

    acks: Acks
    min_insync: int
    brokers_up: int
    fault: Fault

    @property
    def name(self) -> str:
        """A short unique name, with which the cell's record ids begin: ``a1-m2-u3-k``."""
        return name(self.acks, self.min_insync, self.brokers_up, self.fault)


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell and its result; without a ``ledger`` it was not run yet, and ``why`` may say why it cannot be.

    What is lost of each spell is known to :meth:`to_dict` alone.
    """

    setting: Setting
    state: State = "not run"
    ledger: LedgerResult | None = None
    spells: tuple[Spell, ...] = ()
    why: str = ""

    @property
    def refused(self) -> int:
        """Number of records sent and not acknowledged; the producer has an error for each."""
        return sum(spell["sent"] - spell["acknowledged"] for spell in self.spells)

    @property
    def error(self) -> str | None:
        """Name of the first error that the producer got; None if it got none."""
        return next((told["error"] for spell in self.spells for told in spell["errors"]), None)

    def to_dict(self, most_ids: int | None = None) -> dict[str, Any]:
        """Return the cell as plain JSON; counts are None before they are known. ``most_ids``: most lost ids to list."""
        # Before the logs are read no record is seen, but that does not mean that it is lost.
        sent, read = self.ledger, self.ledger if self.state == "done" else None
        ids = read.lost_ids if read else ()
        ends = list(accumulate(spell["sent"] for spell in self.spells))
        below = [sum(_number(id) < end for id in ids) for end in ends]
        lost = [found - before for found, before in zip(below, [0, *below], strict=False)]
        return {
            "acks": self.setting.acks,
            "min_insync": self.setting.min_insync,
            "brokers_up": self.setting.brokers_up,
            "fault": self.setting.fault,
            "state": self.state,
            "sent": sent and sent.sent,
            "acknowledged": sent and sent.acknowledged,
            "refused": None if sent is None else self.refused,
            "error": self.error,
            **{name: getattr(read, name, None) for name in ("seen", "lost", "duplicated")},
            "lost_ids": list(ids[:most_ids]),
            "lost_words": _in_rows(ids),
            "spells": [{**spell, "lost": n} for spell, n in zip(self.spells, lost, strict=True)],
            "why": self.why,
        }


def _number(id: str) -> int:
    """Return the number at the end of a record id."""
    return int(id.rpartition("-")[2])


def _in_rows(ids: Sequence[str]) -> str:
    """Return ids as text, with consecutive ones joined (``a1-m2-u3-k-0100 … 0149``) and commas between the rows."""
    rows: list[list[str]] = []
    for id in sorted(ids):
        if rows and _number(id) == _number(rows[-1][-1]) + 1:
            rows[-1].append(id)
        else:
            rows.append([id])
    return ", ".join(row[0] if len(row) == 1 else f"{row[0]} … {row[-1].rpartition('-')[2]}" for row in rows)


def chosen(
    acks: object = None, min_insync: object = None, brokers_up: object = None, fault: object = None
) -> list[Setting]:
    """Return the chosen settings, in the order of the picture; each argument is a value, several, or None for all.

    :raises BadInput: for a value that the matrix does not have.
    """
    several = acks if isinstance(acks, (list, tuple, set)) else [acks]
    texts = None if acks is None else ["all" if str(one) == "-1" else str(one) for one in several]
    picked = product(
        _picked("brokers_up", brokers_up, BROKERS_UP),
        _picked("acks", texts, ACKS),
        _picked("min_insync", min_insync, MIN_INSYNC),
        _picked("fault", fault, tuple(FAULTS)),
    )
    return [Setting(a, m, k, f) for k, a, m, f in picked]


def _picked(what: str, given: object, all_of: Sequence[Any]) -> list[Any]:
    if given is None:
        return list(all_of)
    several = list(given) if isinstance(given, (list, tuple, set)) else [given]
    if not several or any(one not in all_of for one in several):
        offered = ", ".join(map(repr, all_of))
        raise BadInput(f"The matrix has no {what}={given!r}.", do=f"Choose from {offered}, or leave it out.")
    return [one for one in all_of if one in several]


# --- The reason for a cell's outcome, in Kafka's terms, worked out from the counts.


_ELR = (
    "The leader came back, but did not lead again: KRaft elected a replica that was in sync until the ISR fell below "
    "min.insync.replicas. Records that came after that were never committed, so they are lost."
)


def why(cell: Cell) -> str:
    """Return the reason for a cell's outcome in a few sentences; before it is done, the ``why`` that it has."""
    if cell.state != "done" or cell.ledger is None:
        return cell.why
    return {"0": _zero, "1": _one, "all": _all}[cell.setting.acks](cell, cell.ledger.lost)


def _zero(cell: Cell, lost: int) -> str:
    said = "With acks=0 the leader does not answer: a record counts as acknowledged once it is in a socket."
    if cell.setting.brokers_up > 1:
        lost_are = "those that no follower had fetched yet, and those that the leader never read"
        return f"{said} The lost records are {lost_are}."
    if cell.setting.fault == "disk lost":
        return f"{said} The leader's log was the only copy."
    if lost > cell.spells[-1]["sent"]:  # more than those sent to the leader when it stood still
        return f"{said} {_ELR}"
    return f"{said} The leader's log outlived its process; only records that were still on their way to it are lost."


def _one(cell: Cell, lost: int) -> str:
    if cell.setting.brokers_up > 1:
        return (
            "With acks=1 the leader acknowledges on its own: records that no follower had fetched yet died with it. "
            "min.insync.replicas plays no part in it."
        )
    if cell.setting.fault == "disk lost":
        return "The leader acknowledged alone, and its log was the only copy."
    if lost:
        return f"The leader acknowledged alone. {_ELR}"
    return (
        "The leader acknowledged alone, and its log outlived its process: a kill does not clear the page cache. "
        "That is luck, not a promise."
    )


def _all(cell: Cell, lost: int) -> str:
    up, least = cell.setting.brokers_up, cell.setting.min_insync
    if up < least:
        return (
            f"The ISR has {up}, min.insync.replicas={least}: the leader refuses to write. "
            "It acknowledges nothing, so no acknowledged record can be lost."
        )
    if up > 1:
        return "Every replica in the ISR has all acknowledged records, and one of these replicas was elected leader."
    alone = "acks=all waits for the ISR, and only the leader was in the ISR: min.insync.replicas=1 allows that."
    return f"{alone} {'Its log was the only copy.' if lost else 'Its log outlived its process.'}"
