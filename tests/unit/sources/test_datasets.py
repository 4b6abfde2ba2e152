"""The data files: found, whole, and true to what their README says."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from kafkalab.errors import BadInput
from kafkalab.home import dataset
from kafkalab.sources.fleet import roads


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
    assert 878 < network.km[ids["Berlin"], ids["Paris"]] < 1050, "878 km as the crow flies"


def test_a_file_is_looked_for_in_the_package_first_and_one_that_is_missing_is_named(tmp_path: Path) -> None:
    folders = (tmp_path / "a", tmp_path / "b")
    with pytest.raises(BadInput, match="Install kafkalab again"):
        dataset("europe_places.json", folders=folders)
    for folder in folders:
        folder.mkdir()
        (folder / "x.json").write_text(folder.name)
    assert dataset("x.json", folders=folders).read_text() == "a"
    with pytest.raises(BadInput):
        dataset("../pyproject.toml")
