"""Facts: the contents of a recording in memory, track by track, and the value of each track at any moment.

There are two sorts of track. A *state* has one value at a time, plain JSON, and is recorded as patches
(:mod:`kafkalab.state.patch`): the snapshot, the nodes, a group's history. A *list* only grows, item by item: events,
record batches, watches that fired. The first fact of a track decides its sort.
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from kafkalab.state.patch import Op, applied

#: Plain JSON.
Json = Any
#: ``set``: a patch of a state. ``add``: an item of a list.
Sort = Literal["set", "add"]

T = TypeVar("T")

#: Number of patches between two kept values of a state; going to a moment applies fewer patches than this.
KEPT_EVERY = 40


@dataclass(slots=True)
class _Track:
    sort: Sort
    at: list[float] = field(default_factory=list)
    #: The patches of a state, or the items of a list.
    told: list[Json] = field(default_factory=list)
    #: Values of a state: the one before each KEPT_EVERY-th patch, and the last one.
    kept: list[Json] = field(default_factory=list)
    last: Json = None
    #: The value that was asked for last: (number of patches applied, value).
    near: tuple[int, Json] = (0, None)


class Facts:
    """Tracks by name. Times are seconds since the recording began. Safe to use from any thread.

    The values it returns are shared: read them, never change them.
    """

    def __init__(self) -> None:
        self._tracks: dict[str, _Track] = {}
        self._lock = threading.RLock()
        self._seconds = 0.0
        self._kept: dict[Hashable, Any] = {}

    @property
    def seconds(self) -> float:
        """Time of the latest fact."""
        return self._seconds

    def tracks(self, begin: str = "") -> tuple[str, ...]:
        """Return the names of the tracks that start with ``begin``, sorted."""
        with self._lock:
            return tuple(sorted(name for name in self._tracks if name.startswith(begin)))

    def patch(self, track: str, at: float, ops: list[Op]) -> None:
        """Change a state. A time before its last patch counts as the time of that patch.

        :raises LookupError, TypeError, ValueError, AttributeError: the patch does not fit the state.
        """
        with self._lock:
            found = self._track(track, "set")
            after = applied(found.last, ops)
            if len(found.told) % KEPT_EVERY == 0:
                found.kept.append(found.last)
            self._tracks[track] = found
            found.told.append(ops)
            found.at.append(max(at, found.at[-1]) if found.at else at)
            found.last = after
            self._seconds = max(self._seconds, at)

    def add(self, track: str, at: float, item: Json) -> None:
        """Add an item to a list, in the order of time.

        :raises TypeError: the track is a state.
        """
        with self._lock:
            found = self._tracks[track] = self._track(track, "add")
            place = len(found.at) if not found.at or found.at[-1] <= at else bisect_right(found.at, at)
            found.at.insert(place, at)
            found.told.insert(place, item)
            self._seconds = max(self._seconds, at)

    def value(self, track: str, at: float = float("inf")) -> Json:
        """Return a state's value at a moment; None before its first patch, or if there is no such state."""
        with self._lock:
            found = self._tracks.get(track)
            if found is None or found.sort != "set":
                return None
            count = bisect_right(found.at, at)
            if count == len(found.told):
                return found.last
            begin, value = found.near
            kept = count // KEPT_EVERY * KEPT_EVERY
            if not kept <= begin <= count:
                begin, value = kept, found.kept[kept // KEPT_EVERY]
            for ops in found.told[begin:count]:
                value = applied(value, ops)
            found.near = (count, value)
            return value

    def items(self, track: str, at: float = float("inf"), after: float = float("-inf")) -> list[Json]:
        """Return the items of a list after one moment and up to another, oldest first."""
        with self._lock:
            found = self._tracks.get(track)
            if found is None or found.sort != "add":
                return []
            return found.told[bisect_right(found.at, after) : bisect_right(found.at, at)]

    def count(self, track: str, at: float = float("inf")) -> int:
        """Return the number of facts of a track up to a moment."""
        with self._lock:
            return bisect_right(self._times(track), at)

    def first(self, track: str) -> float | None:
        """Return the time of a track's first fact; None if it has none."""
        with self._lock:
            return next(iter(self._times(track)), None)

    def times(self, track: str) -> tuple[float, ...]:
        """Return the time of each fact of a track."""
        with self._lock:
            return tuple(self._times(track))

    def kept(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what ``make`` returns, made once for each key: readers of the facts share their caches here."""
        with self._lock:
            if key not in self._kept:
                self._kept[key] = make()
            found: T = self._kept[key]
            return found

    def __iter__(self) -> Iterator[tuple[float, str, Sort, Json]]:
        """Iterate over all facts, track by track: (at, track, sort, patch or item)."""
        with self._lock:
            every = [
                (at, name, track.sort, told)
                for name, track in self._tracks.items()
                for at, told in zip(track.at, track.told, strict=True)
            ]
        return iter(every)

    def _times(self, track: str) -> list[float]:
        found = self._tracks.get(track)
        return [] if found is None else found.at

    def _track(self, name: str, sort: Sort) -> _Track:
        found = self._tracks.get(name) or _Track(sort)
        if found.sort != sort:
            raise TypeError(f"the track {name[:60]!r} is used both as a list and as a state")
        return found


@dataclass(frozen=True, slots=True)
class Header:
    """The head of a recording: ``began`` in Unix seconds, and the cluster's name, label, mode, version and id."""

    began: float
    name: str = ""
    label: str = ""
    mode: str | None = None
    version: str = ""
    cluster_id: str | None = None
