"""Ledger: counts the records sent, acknowledged and seen, by id, to find those lost, duplicated or out of order."""

from __future__ import annotations

import threading
from collections.abc import Collection, Hashable, Iterable
from dataclasses import dataclass, fields
from itertools import islice
from typing import TYPE_CHECKING, Any

from kafkalab.errors import BadInput
from kafkalab.views.ledger.picture import IDS, blocks, drawn
from kafkalab.views.static import Block, to_html, to_text

if TYPE_CHECKING:
    from kafkalab.views.ledger.view import LedgerView


class _Lane:
    """The records of one key in one partition: for each id its lowest offset, and its number in the order of sending.

    A record is *out of order* when it lies behind another record of the lane that was sent after it. If a, b and c were
    sent in this order and lie in the log as b, c, a, then a is out of order: it came late.

    A reader usually reports rising offsets, and each of these is judged at once. If an offset is lower than one before
    it, the whole lane is judged again the next time somebody asks.
    """

    __slots__ = ("_known", "_last", "_late", "_top")

    def __init__(self) -> None:
        self._known: dict[str, tuple[int, int]] = {}
        #: The ids that came late, in the order of the log; None: to be judged again.
        self._late: dict[str, None] | None = {}
        #: The highest offset so far, and the highest sending number among the records up to it.
        self._last = self._top = -1

    def put(self, record_id: str, offset: int, number: int) -> bool:
        """Add the ``number``-th record sent; of several copies the first counts. Return whether any may be late."""
        known = self._known.get(record_id)
        if known is None or offset < known[0]:
            self._known[record_id] = (offset, number)
            if known is not None or offset <= self._last:
                self._late = None
            elif self._late is not None:
                self._judge(self._late, record_id, offset, number)
        return self._late != {}

    def late(self) -> dict[str, None]:
        """Return the ids that are out of order."""
        if self._late is None:
            self._late, self._last, self._top = {}, -1, -1
            for record_id, (offset, number) in sorted(self._known.items(), key=lambda item: item[1][0]):
                self._judge(self._late, record_id, offset, number)
        return self._late

    def _judge(self, late: dict[str, None], record_id: str, offset: int, number: int) -> None:
        self._last = offset
        if number < self._top:
            late[record_id] = None
        else:
            self._top = number


@dataclass(frozen=True, slots=True)
class LedgerResult:
    """The result of a run. Every count is a number of distinct record ids; every list of ids is sorted.

    - ``sent``: ids handed to a producer.
    - ``acknowledged``: ids of records that the broker acknowledged, at the acks level the producer asked for.
    - ``seen``: ids that a reader read from the log.
    - ``lost``: ids acknowledged and never seen. A record that was sent and not acknowledged is not lost, because the
      broker never promised to keep it. It is ``unacknowledged``, and it may or may not be in the log.
    - ``duplicated``: ids that lie in the log at more than one position.
    - ``redelivered``: ids read again from a position already read (at-least-once reading); the log holds them once.
    - ``strangers``: ids seen that this ledger never sent, because another program writes to the topic too.
    - ``out_of_order``: ids that lie, in one partition, behind a record of the same key that was sent after them. Only
      records sent with a key are judged; of several copies the first counts.
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

    def to_dict(self) -> dict[str, Any]:
        """Return the counts and the lists of ids as plain JSON."""
        found = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in found.items()}

    def _blocks(self) -> list[Block]:
        return blocks(drawn(self.to_dict()))

    def __repr__(self) -> str:
        return to_text(self._blocks())

    def _repr_html_(self) -> str:
        return to_html(self._blocks())


class Ledger:
    """Counts records by id; safe to call from any thread.

    A *position* is anything hashable that says where in the log a record lies, normally ``(partition, offset)``, or
    ``(topic, partition, offset)`` when several topics are read. Kafka gives every stored record its own position, so
    two positions for one id mean two records in the log: a duplicate, written by a retry or by an application that
    sent twice. One position seen twice is the same stored record read again, which a restarted reader may do without
    harm; it is counted apart. If a record is seen again without a position, it counts as another record.

    *Order* is judged where Kafka promises it: among the records of one key in one partition. The order of
    sending is the order of the calls of :meth:`sent` with that key, so one thread should send all records of a key. The
    order in the log is that of the offsets. An id is out of order when it lies behind one that was sent after it. The
    order of a record is not judged without a key, or without a position that ends in an offset.

    Callbacks may arrive in any order: an acknowledgement before ``sent`` returns is fine.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # The counts are kept up to date with each id, so that a picture of a hundred thousand records costs as little
        # as one of ten. A dictionary with None as values is a set that keeps its order, the oldest ids first.
        self._sent: dict[str, int] = {}
        self._keys: dict[str, Hashable] = {}
        self._acknowledged: set[str] = set()
        # The first position of an id is kept by itself. Few ids have a second one, and only those need a set.
        self._first: dict[str, Hashable] = {}
        self._others: dict[str, set[Hashable]] = {}
        self._again: dict[str, None] = {}
        self._lost: dict[str, None] = {}
        self._unacknowledged: dict[str, None] = {}
        self._strangers: dict[str, None] = {}
        self._lanes: dict[tuple[Hashable, Hashable], _Lane] = {}
        #: The lanes that may hold a record out of order; only these are asked.
        self._suspects: dict[_Lane, None] = {}
        #: Number of facts taken in so far; a view compares it with the last one to see whether anything changed.
        self.changes = 0

    def sent(self, record_id: str, key: Hashable = None) -> None:
        """Note that a record was handed to a producer; with a key, its order within that key is judged too."""
        with self._lock:
            self.changes += 1
            if record_id in self._sent:
                return
            number = self._sent[record_id] = len(self._sent)
            if record_id not in self._acknowledged:
                self._unacknowledged[record_id] = None
            self._strangers.pop(record_id, None)
            if key is not None:
                self._keys[record_id] = key
                for position in self._positions(record_id):
                    self._line_up(record_id, key, position, number)

    def acknowledged(self, record_id: str) -> None:
        """Note that the broker acknowledged a record."""
        with self._lock:
            self.changes += 1
            if record_id in self._acknowledged:
                return
            self._acknowledged.add(record_id)
            self._unacknowledged.pop(record_id, None)
            if record_id not in self._first:
                self._lost[record_id] = None

    def seen(self, record_id: str, position: Hashable = None) -> None:
        """Note that a record was read from the log; ``position``: where it lies, if that is known."""
        with self._lock:
            self._see(record_id, position)

    def seen_many(self, record_ids: Iterable[str], positions: Iterable[Hashable] | None = None) -> None:
        """Note that several records were read from the log; ``positions``, when given, holds one for each.

        :raises BadInput: when there are not as many positions as ids; nothing is counted then.
        """
        ids = list(record_ids)
        places: list[Hashable] = [None] * len(ids) if positions is None else list(positions)
        if len(places) != len(ids):
            raise BadInput(
                "Each record id needs one position.",
                seen=f"{len(ids)} ids and {len(places)} positions",
                do="Give one (partition, offset) for each id, in the same order, or leave positions out.",
            )
        with self._lock:
            for record_id, position in zip(ids, places, strict=True):
                self._see(record_id, position)

    def _see(self, record_id: str, position: Hashable) -> None:
        self.changes += 1
        place: Hashable = object() if position is None else position
        if record_id not in self._first:
            self._first[record_id] = place
            self._lost.pop(record_id, None)
            if record_id not in self._sent:
                self._strangers[record_id] = None
        elif place == self._first[record_id] or place in self._others.get(record_id, ()):
            self._again[record_id] = None
            return
        else:
            self._others.setdefault(record_id, set()).add(place)
        if record_id in self._keys:
            self._line_up(record_id, self._keys[record_id], place, self._sent[record_id])

    def _line_up(self, record_id: str, key: Hashable, position: Hashable, number: int) -> None:
        """Put a record into its lane if its position ends in a partition and an offset, ``(…, partition, offset)``."""
        if isinstance(position, tuple) and len(position) >= 2 and isinstance(position[-1], int):
            lane = self._lanes.get((key, position[:-1]))
            if lane is None:
                lane = self._lanes[key, position[:-1]] = _Lane()
            if lane.put(record_id, position[-1], number):
                self._suspects[lane] = None

    def _late(self) -> dict[str, None]:
        found: dict[str, None] = {}
        for lane in list(self._suspects):
            found |= lane.late()
            if not lane.late():
                del self._suspects[lane]
        return found

    def _positions(self, record_id: str) -> list[Hashable]:
        if record_id not in self._first:
            return []
        return [self._first[record_id], *self._others.get(record_id, ())]

    def counts(self, first: int = 0) -> dict[str, Any]:
        """Return the fields of :class:`LedgerResult` quickly, with only the oldest ``first`` ids in each list.

        The cost grows with the number of records out of order, not with the number of all records.
        """
        with self._lock:
            named: dict[str, Collection[str]] = {
                "lost": self._lost,
                "duplicated": self._others,
                "redelivered": self._again,
                "unacknowledged": self._unacknowledged,
                "strangers": self._strangers,
                "out_of_order": self._late(),
            }
            counted = {"sent": self._sent, "acknowledged": self._acknowledged, "seen": self._first, **named}
            lists = {IDS[name]: tuple(islice(ids, first)) for name, ids in named.items()}
            return {**{name: len(ids) for name, ids in counted.items()}, **lists}

    def result(self) -> LedgerResult:
        """Return the result so far, consistent even while other threads still add to the ledger."""
        found = self.counts(first=2**62)
        whole: dict[str, Any] = {k: tuple(sorted(v)) if isinstance(v, tuple) else v for k, v in found.items()}
        return LedgerResult(**whole)

    def fate(self, record_id: str) -> dict[str, Any]:
        """Return what became of one record, as plain JSON.

        ``sent``: its number in the order of sending, from 1, or None; ``key``: text, or None; ``acknowledged``,
        ``seen``, ``lost``, ``read_again``, ``out_of_order``: true or false; ``positions``: its places in the log, each
        as text, lowest first.
        """
        with self._lock:
            number, key, found = self._sent.get(record_id), self._keys.get(record_id), self._positions(record_id)
            places = sorted((p for p in found if isinstance(p, tuple)), key=_in_log_order)
            if isinstance(key, bytes):
                key = key.decode(errors="backslashreplace")
            return {
                "sent": None if number is None else number + 1,
                "key": None if key is None else str(key),
                "acknowledged": record_id in self._acknowledged,
                "seen": record_id in self._first,
                "lost": record_id in self._lost,
                "read_again": record_id in self._again,
                "out_of_order": record_id in self._late(),
                "positions": [_place(p) for p in places] + ["somewhere"] * (len(found) - len(places)),
            }

    def view(self, *, topic: str | None = None, presenter: bool = False) -> LedgerView:
        """Return the live picture: the records sent, acknowledged and seen, and those lost, duplicated or late.

        :param topic: the topic's name, for the title.
        """
        from kafkalab.views.ledger.view import LedgerView

        return LedgerView(self, topic=topic, presenter=presenter)

    def __repr__(self) -> str:
        return repr(self.result())

    def _repr_html_(self) -> str:
        return self.result()._repr_html_()


def _in_log_order(position: tuple[Any, ...]) -> tuple[str, int]:
    return repr(position[:-1]), position[-1] if position and isinstance(position[-1], int) else 0


def _place(position: tuple[Any, ...]) -> str:
    """Return a position as text: ``P3 offset 17``, or as it was given if it does not end in two numbers."""
    if len(position) >= 2 and all(isinstance(n, int) for n in position[-2:]):
        *before, partition, offset = position
        return " ".join([*map(str, before), f"P{partition}", f"offset {offset}"])
    return str(position)
