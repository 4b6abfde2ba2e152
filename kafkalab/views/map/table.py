"""TruckTable: the last position of every truck, in columns, so that a thousand trucks can be updated at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kafkalab.errors import BadInput
from kafkalab.history.tracks.logs import Reported
from kafkalab.views.words import shorten

#: Partition of a truck whose partition is not known.
NO_PARTITION = 65535

#: Speed below which a truck counts as standing still, in km/h.
STILL = 1.0


class TruckTable:
    """Columns with a row per truck, in the order in which the trucks were first seen.

    ``latitude`` and ``longitude`` (degrees), ``speed`` (km/h) and ``heading`` (degrees) are float32, NaN where unknown;
    ``partition`` is uint16, :data:`NO_PARTITION` where unknown. ``unplaced`` counts rows that were no place on Earth.
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget every truck."""
        self.ids: tuple[str, ...] = ()
        self.unplaced = 0
        self._rows: dict[str, int] = {}
        self._last: Sequence[object] = ()
        self._last_rows: npt.NDArray[np.intp] = np.empty(0, np.intp)
        self.latitude, self.longitude, self.speed, self.heading = (np.empty(0, np.float32) for _ in range(4))
        self.partition = np.empty(0, np.uint16)

    def __len__(self) -> int:
        return len(self.ids)

    def update(
        self,
        truck_ids: Sequence[object],
        latitude: npt.ArrayLike,
        longitude: npt.ArrayLike,
        partition: npt.ArrayLike | None = None,
        speed: npt.ArrayLike | None = None,
        heading: npt.ArrayLike | None = None,
    ) -> None:
        """Move these trucks, add new ones, and leave the others. If a truck is named twice, its last row counts.

        :raises BadInput: columns of different lengths, or a partition below 0 or above 65534; nothing is changed then.
        """
        n = len(truck_ids)
        lat, lon = _column("latitude", latitude, n), _column("longitude", longitude, n)
        fast = None if speed is None else _column("speed", speed, n)
        faces = None if heading is None else _column("heading", heading, n)
        parts = None if partition is None else _partitions(partition, n)
        with np.errstate(invalid="ignore"):
            placed = (np.abs(lat) <= 90) & (np.abs(lon) <= 180)
        if not placed.all():
            self.unplaced += int(n - placed.sum())
            truck_ids = [id for id, good in zip(truck_ids, placed.tolist(), strict=True) if good]
            lat, lon = lat[placed], lon[placed]
            fast, faces = (None if c is None else c[placed] for c in (fast, faces))
            parts = None if parts is None else parts[placed]
        rows = self._rows_of(truck_ids)
        self.latitude[rows], self.longitude[rows] = lat, lon
        if fast is not None:
            self.speed[rows] = fast
        if faces is not None:
            self.heading[rows] = faces
        if parts is not None:
            self.partition[rows] = parts

    def pack(self) -> bytes:
        """Return the columns one after another, 18 bytes a truck: latitude, longitude, speed, heading, partition."""
        little = [c.astype("<f4") for c in (self.latitude, self.longitude, self.speed, self.heading)]
        return b"".join(c.tobytes() for c in [*little, self.partition.astype("<u2")])

    @property
    def moving(self) -> npt.NDArray[np.bool_]:
        """One flag per truck: True when it is known to move."""
        with np.errstate(invalid="ignore"):
            moving: npt.NDArray[np.bool_] = self.speed >= STILL
        return moving

    def summary(self) -> str:
        """Return the map in a sentence, for readers who cannot see it."""
        if not self.ids:
            return "No trucks yet."
        known = len(set(self.partition.tolist()) - {NO_PARTITION})
        words = [_count(len(self), "truck") + (f" in {_count(known, 'partition')}" if known else "")]
        if np.isfinite(self.speed).any():
            top = int(np.nanargmax(self.speed))
            words.append(
                f"{int(self.moving.sum())} moving, the fastest {shorten(self.ids[top])} at {self.speed[top]:.0f} km/h"
            )
        if self.unplaced:
            words.append(f"{_count(self.unplaced, 'report')} without a place on Earth")
        return "; ".join(words) + "."

    def _rows_of(self, truck_ids: Sequence[object]) -> npt.NDArray[np.intp]:
        # Most callers name the same trucks each time; then one comparison is enough.
        if len(truck_ids) == len(self._last) and truck_ids == self._last:
            return self._last_rows
        names = [str(id) for id in truck_ids]
        new = [name for name in dict.fromkeys(names) if name not in self._rows]
        if new:
            self._rows.update({name: row for row, name in enumerate(new, start=len(self.ids))})
            self.ids += tuple(new)
            room = np.full(len(new), np.nan, np.float32)
            self.latitude, self.longitude, self.speed, self.heading = (
                np.concatenate([c, room]) for c in (self.latitude, self.longitude, self.speed, self.heading)
            )
            self.partition = np.concatenate([self.partition, np.full(len(new), NO_PARTITION, np.uint16)])
        self._last_rows = np.array([self._rows[name] for name in names], np.intp)
        self._last = tuple(truck_ids) if isinstance(truck_ids, tuple) else list(truck_ids)
        return self._last_rows


def _column(name: str, values: npt.ArrayLike, n: int) -> npt.NDArray[np.float64]:
    try:
        column = np.asarray(values, np.float64)
    except (TypeError, ValueError) as error:
        raise BadInput(f"{name} must be numbers.", seen=str(error), do="Give one number for each truck.") from error
    if column.shape != (n,):
        raise BadInput(f"{name} needs one number for each truck.", seen=f"shape {column.shape} for {n} trucks")
    return column


def _partitions(values: npt.ArrayLike, n: int) -> npt.NDArray[np.uint16]:
    column = _column("partition", values, n)
    with np.errstate(invalid="ignore"):
        good = (column >= 0) & (column < NO_PARTITION) & (column == np.floor(column))
    if not good.all():
        raise BadInput("A partition is a whole number from 0.", seen=f"partition {column[~good][0]}")
    return column.astype(np.uint16)


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"


# --- Trucks at a moment of a recording, as plain JSON that makes small patches, and as the map's own table.
#
# A page without a kernel draws the map from this::
#
#     {"ids": ["T0001", …], "rows": ["523401 134050 71 183 3", …], "unplaced": 0, "title", "at"}
#
# There is a row per truck, in the order of their first reports: latitude and longitude in ten-thousandths of a degree
# (11 m), km/h, degrees clockwise from north, partition. All are whole numbers, so that a truck that moved is one short
# string in a patch. ``at`` is the Unix time at which the last of them became known.


#: Number of a row's units in one degree.
UNITS = 10_000


def drawn(trucks: Mapping[str, Reported], title: str, at: float | None) -> dict[str, Any]:
    """Return the whole picture; ``at`` is a Unix time, None while there are no trucks."""
    return {
        "title": title, "ids": list(trucks), "rows": [row(t) for t in trucks.values()], "unplaced": 0, "at": at,
    }  # fmt: skip


def row(truck: Reported) -> str:
    """Return a truck's row, a short string."""
    latitude, longitude = round(truck.latitude * UNITS), round(truck.longitude * UNITS)
    return f"{latitude} {longitude} {round(truck.speed)} {round(truck.heading) % 360} {truck.partition}"


def table(trucks: Mapping[str, Reported]) -> TruckTable:
    """Return the table that the map in a notebook draws."""
    found, told = TruckTable(), trucks.values()
    found.update(
        list(trucks),
        [t.latitude for t in told],
        [t.longitude for t in told],
        [t.partition for t in told],
        [t.speed for t in told],
        [t.heading for t in told],
    )
    return found
