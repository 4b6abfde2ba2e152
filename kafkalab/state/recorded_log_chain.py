"""One partition's log as it was recorded: which stretches of it stood at any moment.

A log is written at its end, and an election may take back what was beyond the high watermark: other records then come
for the same offsets. So the stretches that stand after n facts are a chain, each pointing to the one below it, and a
later fact only adds a link: every moment keeps its own chain, and none has to be made anew to go there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kafkalab.state.facts import Json

_LARGEST = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Stretch:
    """The offsets from ``base`` up to, not including, ``next``, as broker ``leader`` handed them out in ``epoch``.

    ``data`` is the batch in base64; None where it was left out. ``number``: of its fact, from 0. ``joined``: it was
    handed out together with the one below, so that of offsets between them there is nothing: compaction took it.
    """

    leader: int
    epoch: int
    base: int
    next: int
    data: str | None
    number: int
    joined: bool = False


class Chain:
    """The stretches of a partition, from the items of its track. Safe only for one thread at a time."""

    def __init__(self) -> None:
        self._items: list[Json] = []
        self._times: Sequence[float] = ()
        self._stretches: list[Stretch | None] = []
        #: After so many facts the end of the chain; -1: there is none.
        self._heads: list[int] = []
        self._below: list[int] = []
        # Some way down the chain, so that it can be gone down fast (a skew-binary list).
        self._jump: list[int] = []
        self._depth: list[int] = []

    def learn(self, items: list[Json], times: Sequence[float]) -> None:
        """Take in the items of the track and their times: those that were known and more; or all is made anew."""
        known = len(self._items)
        if len(items) < known or (known and items[known - 1] is not self._items[-1]):
            self.__init__()  # type: ignore[misc]
            known = 0
        self._times = times
        for item in items[known:]:
            self._add(item)
        self._items = items

    def head(self, count: int, since: int = 0) -> Stretch | None:
        """The last stretch that stands after ``count`` facts, without the first ``since`` of them."""
        i = self._heads[count - 1] if 0 < count <= len(self._heads) else -1
        return self._stretches[i] if i >= since and i >= 0 else None

    def standing(self, count: int, start: int, end: int, since: int = 0) -> list[tuple[Stretch, int, int]]:
        """What stands then of the offsets from ``start`` to ``end``, in their order: (stretch, from, to)."""
        found = []
        for stretch, first, last in self.newest_first(count, end, since):
            if last <= start:
                break
            found.append((stretch, max(first, start), last))
        return found[::-1]

    def newest_first(self, count: int, end: int, since: int = 0) -> Iterator[tuple[Stretch, int, int]]:
        """What stands then before ``end``, from the last stretch down, as :meth:`standing` gives it."""
        head = self.head(count, since)
        i, above = self._down(head.number if head is not None else -1, end), end
        while i >= since and i >= 0:
            stretch = self._stretches[i]
            assert stretch is not None
            # What a later one took over from its base on does not count.
            last = min(above, stretch.next)
            if stretch.base < last:
                yield stretch, stretch.base, last
            above, i = min(above, stretch.base), self._below[i]

    def _down(self, i: int, end: int) -> int:
        """From a link down to the first that begins before ``end``."""
        while i >= 0 and self._base(i) >= end:
            jump = self._jump[i]
            i = jump if jump >= 0 and self._base(jump) >= end else self._below[i]
        return i

    def _base(self, i: int) -> int:
        stretch = self._stretches[i]
        assert stretch is not None
        return stretch.base

    def _add(self, item: Json) -> None:
        number = len(self._stretches)
        stretch = stretch_of(item, number)
        head = self._heads[-1] if self._heads else -1
        self._stretches.append(stretch)
        below = head
        while stretch is not None and below >= 0 and self._base(below) >= stretch.base:
            other = self._stretches[below]
            assert other is not None
            if _same(stretch, other):
                stretch = None  # handed out once more: nothing changed
                break
            below = self._below[below]
        if stretch is None:
            self._heads.append(head)
            self._link(-1)
            return
        if below >= 0 and self._times[below] == self._times[number]:
            self._stretches[number] = replace(stretch, joined=True)
        self._heads.append(number)
        self._link(below)

    def _link(self, below: int) -> None:
        jump = below
        if below >= 0:
            over = self._jump[below]
            far = self._jump[over] if over >= 0 else -1
            if self._deep(below) - self._deep(over) == self._deep(over) - self._deep(far):
                jump = far
        self._below.append(below)
        self._jump.append(jump)
        self._depth.append(self._deep(below) + 1)

    def _deep(self, i: int) -> int:
        return self._depth[i] if i >= 0 else 0


def stretch_of(item: Json, number: int = 0) -> Stretch | None:
    """An item of the track; None for one that cannot be what it should."""
    if not isinstance(item, list) or len(item) < 5:
        return None
    leader, epoch, base, next_, data = item[:5]
    if not all(type(n) is int and -1 <= n <= _LARGEST for n in (leader, epoch, base, next_)) or not 0 <= base < next_:
        return None
    return Stretch(leader, epoch, base, next_, data, number) if data is None or isinstance(data, str) else None


def _same(a: Stretch, b: Stretch) -> bool:
    return (a.epoch, a.base, a.next, a.data) == (b.epoch, b.base, b.next, b.data)
