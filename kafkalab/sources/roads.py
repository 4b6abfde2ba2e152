"""The road network the fleet drives on: real cities, and great circles between neighbouring ones."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from kafkalab.sources.data import dataset

Floats = npt.NDArray[np.float64]

#: The mean radius of the Earth, in kilometres.
EARTH_KM = 6371.0088


@dataclass(frozen=True, slots=True)
class City:
    """A city: latitude and longitude in degrees, population in people."""

    name: str
    country: str
    latitude: float
    longitude: float
    population: int


@dataclass(frozen=True, slots=True, eq=False)
class Roads:
    """Cities and the roads between neighbours.

    ``vectors``: (cities, 3), unit vectors from the Earth's centre. ``km``: (cities, cities), length of the shortest way
    along roads. ``onward``: (cities, cities), the next city on that way.
    """

    cities: tuple[City, ...]
    links: tuple[tuple[int, int], ...]
    vectors: Floats
    km: Floats
    onward: npt.NDArray[np.intp]

    def way(self, start: int, end: int) -> list[int]:
        """The cities passed on the shortest way, both ends included."""
        cities = [start]
        while cities[-1] != end:
            cities.append(int(self.onward[cities[-1], end]))
        return cities


@cache
def roads(region: str = "europe") -> Roads:
    """The network of a region, from ``datasets/REGION_places.json``; read once."""
    places = json.loads(dataset(f"{region}_places.json").read_text(encoding="utf-8"))
    cities = tuple(City(**city) for city in places["cities"])
    links = tuple((a, b) for a, b in places["roads"])
    vectors = unit_vectors(np.array([c.latitude for c in cities]), np.array([c.longitude for c in cities]))
    km, onward = _shortest(vectors, links)
    return Roads(cities, links, vectors, km, onward)


def unit_vectors(latitude: Floats, longitude: Floats) -> Floats:
    """Degrees, each of shape (n,), as unit vectors of shape (n, 3)."""
    lat, lon = np.radians(latitude), np.radians(longitude)
    return np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], axis=-1)


def angle_between(a: Floats, b: Floats) -> Floats:
    """Angles in radians between unit vectors of shape (…, 3); exact for near ones too, as arccos would not be."""
    cross = np.linalg.norm(np.cross(a, b), axis=-1)
    angle: Floats = np.arctan2(cross, np.sum(a * b, axis=-1))
    return angle


def _shortest(vectors: Floats, links: tuple[tuple[int, int], ...]) -> tuple[Floats, npt.NDArray[np.intp]]:
    """Floyd and Warshall's algorithm: the shortest way between every two cities, a pivot city at a time."""
    n = len(vectors)
    km = np.full((n, n), np.inf)
    onward = np.tile(np.arange(n), (n, 1))
    np.fill_diagonal(km, 0.0)
    a, b = np.array(links).T
    km[a, b] = km[b, a] = EARTH_KM * angle_between(vectors[a], vectors[b])
    for pivot in range(n):
        through = km[:, pivot, None] + km[pivot]
        shorter = through < km
        km = np.where(shorter, through, km)
        onward = np.where(shorter, onward[:, pivot, None], onward)
    return km, onward
