"""The order of records: which came into the log after one of the same key that had been sent later."""

from __future__ import annotations

from collections.abc import Hashable, Iterator


class Lane:
    """The records of one key in one partition: by id, the lowest offset it has there, and when it was sent.

    A record is *out of order* when another of the lane that was sent after it lies before it. So of a, b, c in the log
    as b, c, a it is a, the one that came late.

    Offsets usually come rising, as a reader reads; each is then judged at once. What comes otherwise is judged when it
    is asked for.
    """

    __slots__ = ("_in_order", "_last", "_late", "_places", "_top")

    def __init__(self) -> None:
        self._places: dict[str, tuple[int, int]] = {}
        self._late: dict[str, None] = {}
        self._in_order = True
        #: The highest offset so far, and the latest number among the records up to it.
        self._last = self._top = -1

    def put(self, record_id: str, offset: int, number: int) -> None:
        """The record, sent as the ``number``-th, lies at ``offset``; of several copies the first one counts."""
        known = self._places.get(record_id)
        if known is not None and known[0] <= offset:
            return
        self._places[record_id] = (offset, number)
        if known is not None or offset <= self._last:
            self._in_order = False
            return
        self._last = offset
        if self._in_order:
            self._judge(record_id, number)

    def _judge(self, record_id: str, number: int) -> None:
        if number < self._top:
            self._late[record_id] = None
        else:
            self._top = number

    def late(self) -> dict[str, None]:
        """The ids that are out of order, in the order of the log."""
        if not self._in_order:
            self._late, self._top, self._in_order = {}, -1, True
            for record_id, (_, number) in sorted(self._places.items(), key=lambda item: item[1][0]):
                self._judge(record_id, number)
        return self._late


class Lanes:
    """A lane for every key and partition."""

    def __init__(self) -> None:
        self._lanes: dict[tuple[Hashable, Hashable], Lane] = {}
        #: Those that may have something out of order: the others need not be asked again.
        self._suspects: dict[Lane, None] = {}

    def put(self, record_id: str, key: Hashable, position: Hashable, number: int) -> None:
        """Take in a record, if its position says where it lies: ``(…, partition, offset)``."""
        if not isinstance(position, tuple) or len(position) < 2 or not isinstance(position[-1], int):
            return
        at = (key, position[:-1])
        lane = self._lanes.get(at)
        if lane is None:
            lane = self._lanes[at] = Lane()
        lane.put(record_id, position[-1], number)
        if lane._late or not lane._in_order:
            self._suspects[lane] = None

    def late(self) -> Iterator[str]:
        """Every id that is out of order in some partition; one of two partitions may come twice."""
        for lane in list(self._suspects):
            found = lane.late()
            if not found:
                del self._suspects[lane]
            yield from found

    def late_ids(self) -> dict[str, None]:
        """The same, each once."""
        return dict.fromkeys(self.late())
