"""The trucks on the map: their last positions, the picture that is drawn of them, and its static form."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypedDict

import numpy as np
import numpy.typing as npt

from kafkalab.errors import BadInput
from kafkalab.history.tracks.logs import Reported
from kafkalab.state.changes import many
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

#: A truck's last report: degrees, km/h, degrees clockwise from north; NaN is not known.
TRUCK = np.dtype([("latitude", float), ("longitude", float), ("speed", float), ("heading", float), ("partition", int)])
_UNKNOWN = np.array((np.nan, np.nan, np.nan, np.nan, NO_PARTITION), TRUCK)

#: A row of the picture, as views/map/trucks.ts reads it: ten-thousandths of a degree (11 m) in three bytes each, the
#: lowest first, tenths of km/h, two degrees; the last number of a field, and -1 for the geofence, is not known.
ROW = np.dtype([("place", "i1", (2, 3)), ("speed", "<u2"), ("heading", "u1"), ("partition", "<u2"), ("fence", "i1")])


class Picture(TypedDict):
    """The trucks on the map; ``rows`` is base64 of a few bytes for each of ``ids``.

    A thousand trucks that move ten times a second are so many that a text for each would keep the page busy.
    ``at`` is the Unix time of the newest report in a recording.
    """

    title: str
    ids: list[str]
    rows: str
    fences: list[Fence]
    unplaced: int
    at: float | None


class Trucks:
    """The last report of every truck, in the order in which the trucks were first seen.

    ``table`` has a row of :data:`TRUCK` for each of ``ids``. ``unplaced`` counts rows that were no place on Earth.
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget every truck."""
        self.ids: list[str] = []
        self.table = np.empty(0, TRUCK)
        self.unplaced = 0
        self._place: dict[str, int] = {}
        self._last: list[object] = []
        self._last_at = np.empty(0, int)

    def show(self, reports: Mapping[str, Reported]) -> None:
        """Take these trucks in place of all others."""
        self.clear()
        self.ids = list(reports)
        self.table = np.array(
            [(r.latitude, r.longitude, r.speed, r.heading, r.partition) for r in reports.values()], TRUCK
        )

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
        named = list(truck_ids)
        n = len(named)
        columns = {name: _column(name, values, n) for name, values in told.items() if values is not None}
        placed = (np.abs(columns["latitude"]) <= 90) & (np.abs(columns["longitude"]) <= 180)
        if not placed.all():
            self.unplaced += n - int(placed.sum())
            named = [id for id, ok in zip(named, placed.tolist(), strict=True) if ok]
            columns = {name: column[placed] for name, column in columns.items()}
        place = self._place
        if named != self._last:  # most callers name the same trucks each time
            self._last = named
            self._last_at = np.array([place.setdefault(str(id), len(place)) for id in named], int)
        if (new := len(place) - len(self.ids)) > 0:
            self.ids = list(place)
            self.table = np.concatenate([self.table, np.full(new, _UNKNOWN)])
        for name, column in columns.items():
            self.table[name][self._last_at] = column

    def inside(self, fences: Fences) -> npt.NDArray[np.int16]:
        """Return the number of the fence that each truck is in."""
        return fences.of(self.table["latitude"], self.table["longitude"])

    def drawn(self, fences: Fences, title: str, at: float | None) -> Picture:
        """Return the whole picture; ``at`` is a Unix time, None for a map that shows no recording."""
        trucks, rows = self.table, np.empty(len(self.table), ROW)
        for i, degrees in enumerate(("latitude", "longitude")):
            rows["place"][:, i] = np.rint(10_000 * trucks[degrees]).astype("<i4").view("i1").reshape(-1, 4)[:, :3]
        # Rounded down, so that the page calls the same trucks moving.
        speed, heading = np.clip(np.floor(10 * trucks["speed"]), 0, 65534), np.rint(trucks["heading"] / 2) % 180
        rows["speed"] = np.where(np.isnan(speed), 65535, speed)
        rows["heading"] = np.where(np.isnan(heading), 255, heading)
        rows["partition"] = np.where(trucks["partition"] == NO_PARTITION, 65535, trucks["partition"])
        rows["fence"] = self.inside(fences)
        return {
            "title": title, "ids": self.ids, "rows": b64encode(rows.tobytes()).decode(), "fences": fences.drawn,
            "unplaced": self.unplaced, "at": at,
        }  # fmt: skip

    def summary(self) -> str:
        """Return the map in a sentence, for readers who cannot see it."""
        if not self.ids:
            return "No trucks yet."
        partitions = len(set(self.table["partition"].tolist()) - {NO_PARTITION})
        words = [many(len(self.ids), "truck") + (f" in {many(partitions, 'partition')}" if partitions else "")]
        speed = self.table["speed"]
        if not np.isnan(speed).all():
            top, moving = int(np.nanargmax(speed)), int((speed >= STILL).sum())
            words.append(f"{moving} moving, the fastest {shorten(self.ids[top])} at {speed[top]:.0f} km/h")
        if self.unplaced:
            words.append(f"{many(self.unplaced, 'report')} without a place on Earth")
        return "; ".join(words) + "."


def _column(name: str, values: npt.ArrayLike, n: int) -> npt.NDArray[Any]:
    try:
        column = np.asarray(values, np.float64)
    except (TypeError, ValueError) as error:
        raise BadInput(f"{name} must be numbers.", seen=str(error), do="Give one number for each truck.") from error
    if column.shape != (n,):
        raise BadInput(f"{name} needs one number for each truck.", seen=f"shape {column.shape} for {n} trucks")
    if name != "partition":
        finite = np.isfinite(column)
        return column if finite.all() else np.where(finite, column, np.nan)
    good = (column >= 0) & (column <= LAST_PARTITION) & (column == np.floor(column))
    if not good.all():
        raise BadInput("A partition is a whole number from 0.", seen=f"partition {column[~good][0]}")
    return column.astype(int)


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
    numbers = trucks.inside(fences) if colour_by == "geofence" else trucks.table["partition"]
    found = []
    for number in sorted(set(numbers.tolist()), key=lambda number: (number < 0, number)):
        speeds = trucks.table["speed"][numbers == number]
        moving = speeds[speeds >= STILL]
        name = fences.name(number) if colour_by == "geofence" else _partition_name(number)
        found.append(Count(name, len(speeds), len(moving), float(moving.mean()) if len(moving) else None))
    return found


def _partition_name(partition: int) -> str:
    return "not known" if partition == NO_PARTITION else f"P{partition} ({shape_name(partition)})"


def blocks(trucks: Trucks, title: str, colour_by: ColourBy, fences: Fences) -> list[Block]:
    """Return a summary, the groups by what the marks show, and the first trucks."""
    found: list[Block] = [Para(f"{shorten(title, 200)}: {trucks.summary()}", "strong")]
    if trucks.ids:
        groups = [(shorten(name, 40), *n, _whole(mean)) for name, *n, mean in counts(trucks, colour_by, fences)]
        rows = [
            (shorten(id), f"{lat:.3f}, {lon:.3f}", _whole(speed), f"P{partition}" if partition >= 0 else "")
            for id, (lat, lon, speed, _, partition) in zip(trucks.ids, trucks.table.tolist(), strict=True)
        ]
        found.append(Table((colour_by.capitalize(), "Trucks", "Moving", "Mean km/h"), groups))
        found.append(Table(("Truck", "Latitude, longitude", "km/h", "Partition"), rows, most=_MOST))
    return found


def _whole(speed: float | None) -> str:
    return "" if speed is None or speed != speed else f"{speed:.0f}"
