"""Geofences: named areas on the truck map, and which trucks are inside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

import numpy as np
import numpy.typing as npt

from kafkalab.errors import BadInput
from kafkalab.views.map.geography import EARTH_KM, Floats, Projection

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


class Fence(TypedDict):
    """A geofence as it is drawn: ``ring`` is its outline in kilometres, east, north, east, north…"""

    name: str
    letter: str
    ring: list[float]


class Fences:
    """The fences of one map, on its projection. Where two overlap, a truck belongs to the first of them."""

    def __init__(self, fences: Sequence[Geofence], projection: Projection) -> None:
        self.fences = tuple(_checked(fences))
        self._projection = projection
        self._areas = [_Area(projection(*zip(*fence.corners, strict=True))) for fence in self.fences]
        self.drawn: list[Fence] = [
            {"name": fence.name, "letter": letter(i), "ring": np.round(area.ring, 2).ravel().tolist()}
            for i, (fence, area) in enumerate(zip(self.fences, self._areas, strict=True))
        ]

    def of(self, latitude: npt.ArrayLike, longitude: npt.ArrayLike) -> npt.NDArray[np.int16]:
        """Return the number of the fence that each place is in, or :data:`OUTSIDE`."""
        found = np.full(np.shape(latitude), OUTSIDE, np.int16)
        if self._areas:
            points = self._projection(latitude, longitude)
            for i in reversed(range(len(self._areas))):
                found[self._areas[i].inside(points)] = i
        return found

    def name(self, number: int) -> str:
        """Return the name of a fence with its letter, "A Bonn", or "outside"."""
        return "outside" if number == OUTSIDE else f"{letter(number)} {self.fences[number].name}"


class _Area:
    """The area inside a ring of projected corners."""

    def __init__(self, ring: Floats) -> None:
        from matplotlib.path import Path  # only a map with fences needs it

        self.ring, self._path, self._west, self._east = ring, Path(ring), ring[:, 0].min(), ring[:, 0].max()

    def inside(self, points: Floats) -> npt.NDArray[np.intp]:
        """Return the numbers of the points that are inside."""
        near = np.flatnonzero((points[:, 0] >= self._west) & (points[:, 0] <= self._east))
        return np.extract(self._path.contains_points(points[near]), near)


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
