"""The trucks on the map: their last positions, the picture that is drawn of them, and its static form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isnan, nan
from typing import Any, Literal, NamedTuple, TypedDict

import numpy as np
import numpy.typing as npt

from kafkalab.errors import BadInput
from kafkalab.history.tracks.logs import Reported
from kafkalab.views.map.geofences import Fence, Fences
from kafkalab.views.static import Block, Para, Table
from kafkalab.views.words import shape_name, shorten

#: The subject of a truck's mark.
ColourBy = Literal["partition", "geofence"]

#: Number that stands for a partition that is not known.
NO_PARTITION = -1
#: Maximum number of a partition.
LAST_PARTITION = 65534
#: Speed below which a truck counts as standing still, in km/h.
STILL = 1.0
#: Number of a row's units in one degree; one is 11 m.
UNITS = 10_000


class Picture(TypedDict):
    """The trucks on the map, one row each: "523401 134050 71 183 3 0".

    A row has latitude and longitude in ten-thousandths of a degree, km/h, degrees clockwise from north ("nan" where
    one is not known), partition and geofence (-1 for none). So a truck that moved is one short string in a patch.
    ``at`` is the Unix time of the newest report in a recording.
    """

    title: str
    ids: list[str]
    rows: list[str]
    fences: list[Fence]
    unplaced: int
    at: float | None


#: A truck of which nothing is known.
_UNKNOWN = Reported(nan, nan, nan, nan, NO_PARTITION)


def moves(truck: Reported) -> bool:
    """Return whether a truck is known to move."""
    return truck.speed >= STILL


class Trucks:
    """The last report of every truck, in the order in which the trucks were first seen; NaN is not known.

    ``unplaced`` counts rows that were no place on Earth.
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget every truck."""
        self.known: dict[str, Reported] = {}
        self.unplaced = 0

    def update(
        self,
        truck_ids: Sequence[object],
        latitude: npt.ArrayLike,
        longitude: npt.ArrayLike,
        partition: npt.ArrayLike | None = None,
        speed: npt.ArrayLike | None = None,
        heading: npt.ArrayLike | None = None,
    ) -> None:
        """Move these trucks, as :meth:`TruckMap.update` says. If a truck is named twice, its last row counts.

        :raises BadInput: columns of different lengths, or a number that is no partition; nothing is changed then.
        """
        told = {
            "latitude": latitude, "longitude": longitude, "partition": partition, "speed": speed, "heading": heading,
        }  # fmt: skip
        n = len(truck_ids)
        columns = {name: _column(name, values, n) for name, values in told.items() if values is not None}
        placed = (np.abs(columns["latitude"]) <= 90) & (np.abs(columns["longitude"]) <= 180)
        self.unplaced += n - int(placed.sum())
        for id, there, *values in zip(truck_ids, placed.tolist(), *(c.tolist() for c in columns.values()), strict=True):
            if there:
                known = self.known.get(str(id), _UNKNOWN)
                self.known[str(id)] = replace(known, **dict(zip(columns, values, strict=True)))

    def inside(self, fences: Fences) -> list[int]:
        """Return the number of the fence that each truck is in."""
        trucks = self.known.values()
        found: list[int] = fences.of([t.latitude for t in trucks], [t.longitude for t in trucks]).tolist()
        return found

    def drawn(self, fences: Fences, title: str, at: float | None) -> Picture:
        """Return the whole picture; ``at`` is a Unix time, None for a map that shows no recording."""
        rows = [
            f"{t.latitude * UNITS:.0f} {t.longitude * UNITS:.0f} {t.speed:.3g} {t.heading:.0f} {t.partition} {fence}"
            for t, fence in zip(self.known.values(), self.inside(fences), strict=True)
        ]
        return {
            "title": title, "ids": list(self.known), "rows": rows, "fences": fences.drawn,
            "unplaced": self.unplaced, "at": at,
        }  # fmt: skip

    def summary(self) -> str:
        """Return the map in a sentence, for readers who cannot see it."""
        if not self.known:
            return "No trucks yet."
        partitions = len({truck.partition for truck in self.known.values()} - {NO_PARTITION})
        words = [_count(len(self.known), "truck") + (f" in {_count(partitions, 'partition')}" if partitions else "")]
        if fast := {id: truck for id, truck in self.known.items() if not isnan(truck.speed)}:
            top, truck = max(fast.items(), key=lambda one: one[1].speed)
            moving = sum(map(moves, fast.values()))
            words.append(f"{moving} moving, the fastest {shorten(top)} at {truck.speed:.0f} km/h")
        if self.unplaced:
            words.append(f"{_count(self.unplaced, 'report')} without a place on Earth")
        return "; ".join(words) + "."


def _column(name: str, values: npt.ArrayLike, n: int) -> npt.NDArray[Any]:
    try:
        column = np.asarray(values, np.float64)
    except (TypeError, ValueError) as error:
        raise BadInput(f"{name} must be numbers.", seen=str(error), do="Give one number for each truck.") from error
    if column.shape != (n,):
        raise BadInput(f"{name} needs one number for each truck.", seen=f"shape {column.shape} for {n} trucks")
    if name != "partition":
        return column
    good = (column >= 0) & (column <= LAST_PARTITION) & (column == np.floor(column))
    if not good.all():
        raise BadInput("A partition is a whole number from 0.", seen=f"partition {column[~good][0]}")
    return column.astype(int)


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"


# --- The picture as paragraphs and tables: how many trucks each group has, and where the first of them are.


#: Maximum number of trucks in the table.
_MOST = 20


class Count(NamedTuple):
    """Counts for one group of trucks: all, those that move, and the mean km/h of these (None when none moves)."""

    name: str
    trucks: int
    moving: int
    mean_kmh: float | None


def counts(trucks: Trucks, colour_by: ColourBy, fences: Fences) -> list[Count]:
    """Return a count for each partition or geofence that has trucks, in order; trucks in none come last."""
    groups: dict[int, list[Reported]] = {}
    numbers = trucks.inside(fences) if colour_by == "geofence" else [t.partition for t in trucks.known.values()]
    for number, truck in zip(numbers, trucks.known.values(), strict=True):
        groups.setdefault(number, []).append(truck)
    found = []
    for number in sorted(groups, key=lambda number: (number < 0, number)):
        speeds = [truck.speed for truck in groups[number] if moves(truck)]
        mean = sum(speeds) / len(speeds) if speeds else None
        name = fences.name(number) if colour_by == "geofence" else _partition_name(number)
        found.append(Count(name, len(groups[number]), len(speeds), mean))
    return found


def _partition_name(partition: int) -> str:
    return "not known" if partition == NO_PARTITION else f"P{partition} ({shape_name(partition)})"


def blocks(trucks: Trucks, title: str, colour_by: ColourBy, fences: Fences) -> list[Block]:
    """Return a summary, the groups by what the marks show, and the first trucks."""
    found: list[Block] = [Para(f"{shorten(title, 200)}: {trucks.summary()}", "strong")]
    if trucks.known:
        groups = [(shorten(name, 40), *n, _whole(mean)) for name, *n, mean in counts(trucks, colour_by, fences)]
        rows = [
            (
                shorten(id),
                f"{t.latitude:.3f}, {t.longitude:.3f}",
                _whole(t.speed),
                f"P{t.partition}" if t.partition >= 0 else "",
            )
            for id, t in trucks.known.items()
        ]
        found.append(Table((colour_by.capitalize(), "Trucks", "Moving", "Mean km/h"), groups))
        found.append(Table(("Truck", "Latitude, longitude", "km/h", "Partition"), rows, most=_MOST))
    return found


def _whole(speed: float | None) -> str:
    return "" if speed is None or isnan(speed) else f"{speed:.0f}"
