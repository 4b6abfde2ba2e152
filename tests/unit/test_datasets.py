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


def inside(longitude: float, latitude: float, rings: list[list[float]]) -> bool:
    odd = False
    for ring in rings:
        points = np.array(ring).reshape(-1, 2)
        for (x1, y1), (x2, y2) in zip(points, np.roll(points, -1, axis=0), strict=True):
            if (y1 > latitude) != (y2 > latitude) and longitude < x1 + (latitude - y1) * (x2 - x1) / (y2 - y1):
                odd = not odd
    return odd


@pytest.mark.parametrize(
    "longitude, latitude, land",
    [
        (13.4, 52.5, True),  # Berlin
        (-3.7, 40.4, True),  # Madrid
        (26.1, 44.4, True),  # Bucharest
        (9.0, 42.2, True),  # Corsica
        (3.0, 56.0, False),  # the North Sea
        (-5.0, 46.0, False),  # the Bay of Biscay
        (5.0, 40.5, False),  # the Mediterranean
        (17.0, 42.8, False),  # the Adriatic
    ],
)
def test_land_is_land_and_sea_is_sea(longitude: float, latitude: float, land: bool) -> None:
    outline = json.loads(dataset("europe_outline.json").read_text())
    assert inside(longitude, latitude, outline["land"]) is land


def test_the_outline_is_small_and_says_where_it_is_from() -> None:
    path = dataset("europe_outline.json")
    assert path.stat().st_size < 150_000
    outline = json.loads(path.read_text())
    assert "Natural Earth" in outline["source"]
    assert outline["licence"] == "public domain"
    assert all(len(line) % 2 == 0 and len(line) >= 4 for line in outline["land"] + outline["borders"])


def test_every_city_can_be_reached_from_every_other() -> None:
    network = roads()
    assert np.all(np.isfinite(network.km))
    ids = {c.name: i for i, c in enumerate(network.cities)}
    way = network.way(ids["Lisbon"], ids["Stockholm"])
    assert way[0] == ids["Lisbon"]
    assert way[-1] == ids["Stockholm"]
    assert "Copenhagen" in {network.cities[i].name for i in way}
    legs = [network.km[a, b] for a, b in pairwise(way)]
    assert sum(legs) == pytest.approx(network.km[way[0], way[-1]])
    assert all((min(a, b), max(a, b)) in set(network.links) for a, b in pairwise(way))


def test_a_known_distance() -> None:
    network = roads()
    ids = {c.name: i for i, c in enumerate(network.cities)}
    # 878 km as the crow flies; roads between cities cannot be shorter, and should not be much longer.
    assert 878 < network.km[ids["Berlin"], ids["Paris"]] < 1050


def test_each_data_file_stands_in_the_readme() -> None:
    readme = dataset("README.md").read_text()
    files = [p.name for p in dataset("README.md").parent.glob("*.*") if p.name != "README.md"]
    assert files
    assert all(f"`{name}`" in readme for name in files)


def test_a_dataset_that_is_not_there_is_refused_with_the_names_of_those_that_are() -> None:
    with pytest.raises(BadInput, match="no dataset called") as error:
        dataset("../pyproject.toml")
    assert "europe_places.json" in error.value.seen


def test_a_broken_installation_is_said_to_be_one(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as error:
        dataset("europe_places.json", folders=(tmp_path / "a", tmp_path / "b"))
    assert "Install kafkalab again" in error.value.do


def test_the_packaged_copy_comes_first(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.json").write_text(name)
    assert dataset("x.json", folders=(tmp_path / "a", tmp_path / "b")).read_text() == "a"
