"""Facts: what a recording holds in memory, track by track, and what each track said at any moment.

There are two sorts of track. A *state* has one value at a time, plain JSON, and is told by patches
(:mod:`kafkalab.state.patch`): the snapshot, the nodes, a group's history. A *list* only grows, item by item: events,
record batches, watches that fired. Which sort a track is, its first fact says.
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

from kafkalab.errors import KafkalabError
from kafkalab.state.patch import Op, applied

#: What JSON knows.
Json = Any
#: ``set``: a patch of a state. ``add``: an item of a list.
Sort = Literal["set", "add"]

#: From one kept value of a state to the next, patches: what going to a moment may cost at most.
KEPT_EVERY = 40


class UnfitFact(KafkalabError):
    """A fact that cannot be taken: a patch that does not fit, or a list and a state under one name."""


@dataclass(slots=True)
class _Track:
    sort: Sort
    at: list[float] = field(default_factory=list)
    #: The patches of a state, or the items of a list.
    told: list[Json] = field(default_factory=list)
    #: Of a state: its value before each KEPT_EVERY-th patch, and its last.
    kept: list[Json] = field(default_factory=list)
    last: Json = None
    #: The value asked for last: (how many patches it is made of, it).
    near: tuple[int, Json] = (0, None)


class Facts:
    """Tracks by name. Times are seconds since the recording began. Safe to use from any thread.

    What it gives out is shared with others: it is looked at, never changed.
    """

    def __init__(self) -> None:
        self._tracks: dict[str, _Track] = {}
        self._lock = threading.RLock()
        self._seconds = 0.0

    @property
    def seconds(self) -> float:
        """The latest time of any fact."""
        return self._seconds

    def tracks(self, begin: str = "") -> tuple[str, ...]:
        """The names of the tracks that begin so, sorted."""
        with self._lock:
            return tuple(sorted(name for name in self._tracks if name.startswith(begin)))

    def patch(self, track: str, at: float, ops: list[Op], good: Callable[[Json, Json], bool] | None = None) -> Json:
        """A state changed; returns what it is now. A time before that of its last patch counts as that.

        :param good: judges what the state would become, beside what it is.
        :raises UnfitFact: the patch does not fit what the state is, or what comes of it is not good.
        """
        with self._lock:
            found = self._track(track, "set")
            try:
                after = applied(found.last, ops)
            except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
                raise UnfitFact(
                    f"A patch of {track[:60]!r} does not fit.", seen=f"{type(error).__name__}: {error}"[:200]
                ) from None
            if good is not None and not good(after, found.last):
                raise UnfitFact(f"What a patch makes of {track[:60]!r} cannot be.")
            if len(found.told) % KEPT_EVERY == 0:
                found.kept.append(found.last)
            self._tracks[track] = found
            found.told.append(ops)
            found.at.append(max(at, found.at[-1]) if found.at else at)
            found.last = after
            self._seconds = max(self._seconds, at)
            return after

    def add(self, track: str, at: float, item: Json) -> None:
        """A list grew. An item that is older than others takes its place among them.

        :raises UnfitFact: the track is a state.
        """
        with self._lock:
            found = self._tracks[track] = self._track(track, "add")
            place = len(found.at) if not found.at or found.at[-1] <= at else bisect_right(found.at, at)
            found.at.insert(place, at)
            found.told.insert(place, item)
            self._seconds = max(self._seconds, at)

    def value(self, track: str, at: float = float("inf")) -> Json:
        """What a state was at a moment; None before its first patch, or where there is no such track."""
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

    def items(self, track: str, at: float = float("inf"), since: float = float("-inf")) -> list[Json]:
        """The items of a list up to a moment and after ``since``, oldest first."""
        with self._lock:
            found = self._tracks.get(track)
            if found is None or found.sort != "add":
                return []
            return found.told[bisect_right(found.at, since) : bisect_right(found.at, at)]

    def count(self, track: str, at: float = float("inf")) -> int:
        """How many facts of a track there are up to a moment."""
        with self._lock:
            found = self._tracks.get(track)
            return 0 if found is None else bisect_right(found.at, at)

    def first(self, track: str) -> float | None:
        """When the first fact of a track was; None where there is none."""
        with self._lock:
            found = self._tracks.get(track)
            return found.at[0] if found is not None and found.at else None

    def times(self, track: str) -> tuple[float, ...]:
        """When each fact of a track was."""
        with self._lock:
            found = self._tracks.get(track)
            return () if found is None else tuple(found.at)

    def __iter__(self) -> Iterator[tuple[float, str, Sort, Json]]:
        """Every fact, track by track: (at, track, sort, patch or item)."""
        with self._lock:
            every = [
                (at, name, track.sort, told)
                for name, track in self._tracks.items()
                for at, told in zip(track.at, track.told, strict=True)
            ]
        return iter(every)

    def _track(self, name: str, sort: Sort) -> _Track:
        found = self._tracks.get(name) or _Track(sort)
        if found.sort != sort:
            raise UnfitFact(f"The track {name[:60]!r} is a list and a state at once.")
        return found


@dataclass(frozen=True, slots=True)
class Header:
    """What a recording says of itself: ``began`` in Unix seconds, and the cluster's name, label, mode and version."""

    began: float
    name: str = ""
    label: str = ""
    mode: str | None = None
    version: str = ""
    cluster_id: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON."""
        return asdict(self)


class Writes(Protocol):
    """Where facts go besides memory: a file."""

    path: Path
    #: Why it is not written any more, a sentence; "" while it is.
    problem: str

    def write(self, at: float, track: str, sort: Sort, told: Json, whole: Json = None) -> None:
        """One fact more; ``whole`` is what a state is after its patch."""

    def close(self) -> None:
        """No more facts."""
