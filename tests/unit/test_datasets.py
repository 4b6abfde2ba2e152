"""The data files: found, whole, and true to what their README says."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from kafkalab.errors import BadInput
from kafkalab.sources.data import dataset
from kafkalab.sources.roads import roads

LAND = {"Berlin": (13.4, 52.5), "Madrid": (-3.7, 40.4), "Bucharest": (26.1, 44.4), "Corsica": (9.0, 42.2)}
SEA = {"North Sea": (3.0, 56.0), "Biscay": (-5.0, 46.0), "Mediterranean": (5.0, 40.5), "Adriatic": (17.0, 42.8)}


def inside(longitude: float, latitude: float, rings: list[list[float]]) -> bool:
    odd = False
    for ring in rings:
        points = np.array(ring).reshape(-1, 2)
        for (x1, y1), (x2, y2) in zip(points, np.roll(points, -1, axis=0), strict=True):
            if (y1 > latitude) != (y2 > latitude) and longitude < x1 + (latitude - y1) * (x2 - x1) / (y2 - y1):
                odd = not odd
    return odd


def test_the_outline_is_of_europe_small_and_says_where_it_is_from() -> None:
    path = dataset("europe_outline.json")
    assert path.stat().st_size < 150_000
    outline = json.loads(path.read_text())
    assert "Natural Earth" in outline["source"]
    assert outline["licence"] == "public domain"
    assert all(len(line) % 2 == 0 and len(line) >= 4 for line in outline["land"] + outline["borders"])
    assert {name for name, place in (LAND | SEA).items() if inside(*place, outline["land"])} == LAND.keys()


def test_every_city_can_be_reached_from_every_other() -> None:
    network = roads()
    assert np.all(np.isfinite(network.km))
    ids = {c.name: i for i, c in enumerate(network.cities)}
    way = network.way(ids["Lisbon"], ids["Stockholm"])
    assert (way[0], way[-1]) == (ids["Lisbon"], ids["Stockholm"])
    assert ids["Copenhagen"] in way
    legs = [network.km[a, b] for a, b in pairwise(way)]
    assert sum(legs) == pytest.approx(network.km[way[0], way[-1]])
    assert all((min(a, b), max(a, b)) in set(network.links) for a, b in pairwise(way))
    # 878 km as the crow flies; roads between cities cannot be shorter, and should not be much longer.
    assert 878 < network.km[ids["Berlin"], ids["Paris"]] < 1050


def test_each_data_file_stands_in_the_readme() -> None:
    readme = dataset("README.md").read_text()
    files = [p.name for p in dataset("README.md").parent.glob("*.*") if p.name != "README.md"]
    assert files
    assert all(f"`{name}`" in readme for name in files)


def test_a_file_is_looked_for_in_the_package_first_and_one_that_is_missing_is_named(tmp_path: Path) -> None:
    folders = (tmp_path / "a", tmp_path / "b")
    with pytest.raises(BadInput) as error:
        dataset("europe_places.json", folders=folders)
    assert "Install kafkalab again" in error.value.do
    for folder in folders:
        folder.mkdir()
        (folder / "x.json").write_text(folder.name)
    assert dataset("x.json", folders=folders).read_text() == "a"
    with pytest.raises(BadInput, match="no dataset") as error:
        dataset("../pyproject.toml")
    assert "europe_places.json" in error.value.seen
