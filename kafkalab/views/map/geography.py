"""Geography: the map under the trucks, an outline from datasets/ in projected kilometres."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from math import cos, radians, sin
from typing import Any

import numpy as np
import numpy.typing as npt

from kafkalab.home import dataset

Floats = npt.NDArray[np.float64]

EARTH_KM = 6371.0088


@dataclass(frozen=True, slots=True)
class Projection:
    """Lambert's azimuthal equal-area projection, centred at (``latitude``, ``longitude``), in degrees."""

    latitude: float
    longitude: float

    def __call__(self, latitude: npt.ArrayLike, longitude: npt.ArrayLike) -> Floats:
        """Project degrees, each of shape (n,), to kilometres east and north of the centre, of shape (n, 2)."""
        both = np.radians([np.asarray(latitude, float), np.asarray(longitude, float) - self.longitude])
        (sin_lat, sin_lon), (cos_lat, cos_lon) = np.sin(both), np.cos(both)
        sin_lat0, cos_lat0 = sin(radians(self.latitude)), cos(radians(self.latitude))
        towards = cos_lat * cos_lon
        # The point opposite the centre cannot be projected. No truck is there, so avoiding a division by 0 is enough.
        k = EARTH_KM * np.sqrt(2 / np.maximum(1 + sin_lat0 * sin_lat + cos_lat0 * towards, 1e-9))
        east, north = k * cos_lat * sin_lon, k * (cos_lat0 * sin_lat - sin_lat0 * towards)
        return np.stack([east, north], axis=-1)


@dataclass(frozen=True, slots=True, eq=False)
class Geography:
    """A projected map. Points are of shape (n, 2), in kilometres east and north of the projection's centre.

    ``frame`` is the visible rectangle (west, south, east, north); ``land`` has rings, ``borders`` and ``roads`` have
    lines, and ``cities`` has (name, population, point), the largest first.
    """

    projection: Projection
    frame: tuple[float, float, float, float]
    land: tuple[Floats, ...]
    borders: tuple[Floats, ...]
    roads: tuple[Floats, ...]
    cities: tuple[tuple[str, int, Floats], ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON for the front end, lines flat (east, north, east, north…); land and borders in whole km."""
        return {
            "projection": {"latitude": self.projection.latitude, "longitude": self.projection.longitude},
            "frame": list(self.frame),
            "land": [_flat(ring) for ring in self.land],
            "borders": [_flat(line) for line in self.borders],
            "roads": [_flat(line, 1) for line in self.roads],
            "cities": [[name, population, *_flat(point, 1)] for name, population, point in self.cities],
        }


def _flat(points: Floats, decimals: int = 0) -> list[float]:
    rounded = np.round(points, decimals).ravel()
    flat: list[float] = (rounded if decimals else rounded.astype(int)).tolist()
    return flat


@cache
def geography() -> Geography:
    """Return the map of Europe, from ``datasets/europe_outline.json`` and ``europe_places.json``, read once."""
    outline = json.loads(dataset("europe_outline.json").read_text(encoding="utf-8"))
    places = json.loads(dataset("europe_places.json").read_text(encoding="utf-8"))
    projection = Projection(outline["projection"]["latitude"], outline["projection"]["longitude"])
    west, south, east, north = outline["frame_km"]
    cities = places["cities"]
    at = projection([c["latitude"] for c in cities], [c["longitude"] for c in cities])
    return Geography(
        projection=projection,
        frame=(west, south, east, north),
        land=_projected(projection, outline["land"]),
        borders=_projected(projection, outline["borders"]),
        roads=tuple(at[[a, b]] for a, b in places["roads"]),
        cities=tuple((c["name"], c["population"], point) for c, point in zip(cities, at, strict=True)),
    )


def _projected(projection: Projection, lines: list[list[float]]) -> tuple[Floats, ...]:
    pairs = (np.array(line).reshape(-1, 2) for line in lines)
    return tuple(projection(p[:, 1], p[:, 0]) for p in pairs)
