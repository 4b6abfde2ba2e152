"""What a truck's mark shows, as in views/map/looks.ts: partition, class of speed, or geofence; and geofences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from kafkalab.errors import BadInput
from kafkalab.views.map.geography import EARTH_KM, Floats, Projection
from kafkalab.views.map.table import NO_PARTITION, TruckTable
from kafkalab.views.static import Block, Para, Table
from kafkalab.views.words import shape_name, shorten

# --- Geofences: named areas on the truck map, and which trucks are inside.


#: Maximum number of geofences on a map: each has its own letter.
MOST_FENCES = 26

#: Number of corners of a circle's outline.
_CORNERS = 72

#: Number that stands for "inside no fence".
OUTSIDE = -1


@dataclass(frozen=True, slots=True)
class Geofence:
    """A named area, given by its corners: ``Geofence("Ruhr", [(51.6, 6.6), (51.7, 7.6), (51.3, 7.4)])``.

    :param name: the text on the map.
    :param corners: latitude and longitude of at least three corners, in degrees; the edges are straight on the map.
    :raises BadInput: the name is empty, there are fewer than three corners, or one is no place on Earth.
    """

    name: str
    corners: tuple[tuple[float, float], ...]

    def __init__(self, name: str, corners: Sequence[Sequence[float]]) -> None:
        try:
            points = tuple((float(latitude), float(longitude)) for latitude, longitude in corners)
        except (TypeError, ValueError) as error:
            raise BadInput(
                f"The corners of the geofence {name!r} are not pairs of degrees.", seen=str(error), do=_HOW
            ) from error
        if not str(name).strip():
            raise BadInput("A geofence needs a name.", seen=repr(name), do=_HOW)
        if len(points) < 3:
            raise BadInput(f"The geofence {name!r} needs three corners or more.", seen=f"{len(points)}", do=_HOW)
        for latitude, longitude in points:
            if not (abs(latitude) <= 90 and abs(longitude) <= 180):
                raise BadInput(
                    f"A corner of the geofence {name!r} is no place on Earth.", seen=f"{latitude}, {longitude}"
                )
        object.__setattr__(self, "name", str(name))
        object.__setattr__(self, "corners", points)

    @classmethod
    def circle(cls, name: str, latitude: float, longitude: float, km: float) -> Geofence:
        """Return the area within ``km`` kilometres of a place.

        :raises BadInput: the name is empty, the place is not on Earth, or the radius is not between 0 and 5000 km.
        """
        if not 0 < km <= 5000:
            raise BadInput(f"The radius of the geofence {name!r} is between 0 and 5000 km.", seen=f"{km!r}")
        if not (abs(latitude) <= 90 and abs(longitude) <= 180):
            raise BadInput(
                f"The centre of the geofence {name!r} is no place on Earth.", seen=f"{latitude}, {longitude}"
            )
        way = np.linspace(0, 2 * np.pi, _CORNERS, endpoint=False)
        lat0, lon0, away = np.radians(latitude), np.radians(longitude), km / EARTH_KM
        lat = np.arcsin(np.sin(lat0) * np.cos(away) + np.cos(lat0) * np.sin(away) * np.cos(way))
        lon = lon0 + np.arctan2(np.sin(way) * np.sin(away) * np.cos(lat0), np.cos(away) - np.sin(lat0) * np.sin(lat))
        lon = (np.degrees(lon) + 540) % 360 - 180
        return cls(name, list(zip(np.degrees(lat).tolist(), lon.tolist(), strict=True)))


_HOW = (
    'Write Geofence("Ruhr", [(51.6, 6.6), (51.7, 7.6), (51.3, 7.4)]), or Geofence.circle("Berlin", 52.5, 13.4, km=40).'
)


class Fences:
    """The fences of one map, on its projection. Where two overlap, a truck belongs to the first of them."""

    def __init__(self, fences: Sequence[Geofence], projection: Projection) -> None:
        self.fences = tuple(_checked(fences))
        self._projection = projection
        self.rings: tuple[Floats, ...] = tuple(projection(*zip(*f.corners, strict=True)) for f in self.fences)

    def to_list(self) -> list[dict[str, Any]]:
        """Return plain JSON for the front end: name, letter, and flat outline (east, north, east…) in kilometres."""
        return [
            {"name": fence.name, "letter": letter(i), "ring": np.round(ring, 2).ravel().tolist()}
            for i, (fence, ring) in enumerate(zip(self.fences, self.rings, strict=True))
        ]

    def of(self, latitude: npt.ArrayLike, longitude: npt.ArrayLike) -> npt.NDArray[np.int16]:
        """Return the number of the fence that each place is in, or :data:`OUTSIDE`."""
        points = self._projection(latitude, longitude)
        found = np.full(len(points), OUTSIDE, np.int16)
        for i in reversed(range(len(self.rings))):
            found[inside(self.rings[i], points)] = i
        return found


def inside(ring: Floats, points: Floats) -> npt.NDArray[np.bool_]:
    """Return which points are inside a ring: a ray from them to the east crosses its edge an odd number of times.

    :param ring: of shape (n, 2); its last corner is joined to its first.
    :param points: of shape (m, 2).
    """
    x, y = points[:, 0], points[:, 1]
    odd = np.zeros(len(points), bool)
    for (x0, y0), (x1, y1) in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        if y0 == y1:
            continue
        crosses = (y0 > y) != (y1 > y)
        odd ^= crosses & (x < (x1 - x0) * (y - y0) / (y1 - y0) + x0)
    return odd


def letter(i: int) -> str:
    """Return the letter of a fence by its number: A, B, …"""
    return chr(ord("A") + i)


def _checked(fences: Sequence[Geofence]) -> Sequence[Geofence]:
    wrong = [fence for fence in fences if not isinstance(fence, Geofence)]
    if wrong:
        raise BadInput("That is no geofence.", seen=repr(wrong[0])[:200], do=_HOW)
    if len(fences) > MOST_FENCES:
        raise BadInput(f"A map has at most {MOST_FENCES} geofences: each has a letter.", seen=f"{len(fences)}")
    return fences


ColourBy = Literal["partition", "speed", "geofence"]

#: Speeds at which the classes after "stands still" begin, in km/h.
SPEED_EDGES = (1, 60, 70, 80)

#: Class of a speed that is not known.
NO_SPEED = -1


@dataclass(frozen=True, slots=True)
class Count:
    """Counts for one group of trucks: all, those that move, and the mean km/h of these (None when none moves)."""

    group: int
    name: str
    trucks: int
    moving: int
    mean_kmh: float | None


def groups(table: TruckTable, colour_by: ColourBy, fences: Fences) -> npt.NDArray[np.int_]:
    """Return the number of each truck's group: partition, class of speed (0: still), or geofence."""
    if colour_by == "speed":
        classes = np.searchsorted(SPEED_EDGES, table.speed, side="right")
        return np.where(np.isfinite(table.speed), classes, NO_SPEED).astype(int)
    if colour_by == "geofence":
        return fences.of(table.latitude, table.longitude).astype(int)
    return table.partition.astype(int)


def group_name(colour_by: ColourBy, group: int, fences: Fences) -> str:
    """Return the name of a group: "P3 (triangle)", "60 to 70 km/h", "A Bonn"."""
    if colour_by == "speed":
        return speed_name(group)
    if colour_by == "geofence":
        return "outside" if group == OUTSIDE else f"{letter(group)} {fences.fences[group].name}"
    return "not known" if group == NO_PARTITION else f"P{group} ({shape_name(group)})"


def speed_name(group: int) -> str:
    """Return the name of a class of speed."""
    if group == NO_SPEED:
        return "not known"
    if group == 0:
        return "stands still"
    if group == 1:
        return f"under {SPEED_EDGES[1]} km/h"
    if group == len(SPEED_EDGES):
        return f"{SPEED_EDGES[-1]} km/h or more"
    return f"{SPEED_EDGES[group - 1]} to {SPEED_EDGES[group]} km/h"


def counts(table: TruckTable, colour_by: ColourBy, fences: Fences) -> list[Count]:
    """Return a count for each group that has trucks, in order; trucks that belong to no group come last."""
    found = []
    own_groups, moving = groups(table, colour_by, fences), table.moving
    for group in sorted(set(own_groups.tolist()), key=lambda g: (g < 0 or g == NO_PARTITION, g)):
        own = own_groups == group
        driving = own & moving
        mean = float(table.speed[driving].mean()) if driving.any() else None
        name = group_name(colour_by, group, fences)
        found.append(Count(group, name, int(own.sum()), int(driving.sum()), mean))
    return found


# --- The map as paragraphs and tables: how many trucks each group has, and where the first of them are.


_HEADS: dict[ColourBy, str] = {"partition": "Partition", "speed": "Speed", "geofence": "Geofence"}
#: Maximum number of trucks in the table.
_MOST = 20


def blocks(table: TruckTable, title: str, colour_by: ColourBy, fences: Fences) -> list[Block]:
    """Return a summary, the groups by what the marks show, and the first trucks."""
    found: list[Block] = [Para(f"{shorten(title, 200)}: {table.summary()}", "strong")]
    rows = [
        (shorten(one.name, 40), one.trucks, one.moving, _whole(one.mean_kmh))
        for one in counts(table, colour_by, fences)
    ]
    if rows:
        columns = (table.ids, table.latitude, table.longitude, table.speed, table.partition)
        trucks = [
            (shorten(id), f"{at:.3f}, {on:.3f}", _whole(speed), "" if p == NO_PARTITION else f"P{p}")
            for id, at, on, speed, p in zip(*columns, strict=True)
        ]
        found.append(Table((_HEADS[colour_by], "Trucks", "Moving", "Mean km/h"), rows))
        found.append(Table(("Truck", "Latitude, longitude", "km/h", "Partition"), trucks, most=_MOST))
    return found


def _whole(speed: float | np.float32 | None) -> str:
    return "" if speed is None or np.isnan(speed) else f"{speed:.0f}"
