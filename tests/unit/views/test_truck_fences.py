"""Geofences and what a truck's mark can say, in the kernel; and that the page says the same."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kafkalab.errors import BadInput
from kafkalab.views import truck_map
from kafkalab.views.geography import EARTH_KM, geography
from kafkalab.views.truck_fences import OUTSIDE, Fences, Geofence
from kafkalab.views.truck_looks import NO_SPEED, SPEED_EDGES, counts, groups
from kafkalab.views.truck_map import TruckMap
from kafkalab.views.truck_table import TruckTable

BERLIN = Geofence.circle("Berlin", 52.5, 13.4, 60)
SQUARE = Geofence("square", [(50, 9), (50, 12), (53, 12), (53, 9)])


def test_a_circle_holds_what_is_within_its_radius() -> None:
    some = np.random.default_rng(3)
    lat, lon = some.uniform(51, 54, 4000), some.uniform(11, 16, 4000)
    found = Fences([BERLIN], geography().projection).of(lat, lon) == 0
    a, b, c, d = map(np.radians, (52.5, 13.4, lat, lon))
    haversine = np.sin((c - a) / 2) ** 2 + np.cos(a) * np.cos(c) * np.sin((d - b) / 2) ** 2
    far = 2 * EARTH_KM * np.arcsin(np.sqrt(haversine))
    assert found[far < 59.5].all() and not found[far > 60.5].any()
    assert found.sum() > 100


def test_an_area_with_a_bay_and_the_first_of_two_that_overlap() -> None:
    bay = Geofence("bay", [(50, 9), (50, 12), (53, 12), (51, 10.5), (53, 9)])
    places = [(50.5, 10.5), (52.5, 10.5), (52.5, 11.8), (52.4, 13.4), (49.0, 10.5)]
    lat, lon = zip(*places, strict=True)
    assert Fences([bay, BERLIN], geography().projection).of(lat, lon).tolist() == [0, OUTSIDE, 0, 1, OUTSIDE]
    assert Fences([SQUARE, bay], geography().projection).of([50.5], [10.5]).tolist() == [0]
    assert Fences([], geography().projection).of(lat, lon).tolist() == [OUTSIDE] * 5
    assert Fences([BERLIN], geography().projection).of([], []).tolist() == []


def test_what_is_no_geofence_is_refused() -> None:
    areas: list[Any] = [[(1, 2), (3, 4)], [(1, 2), (3, 4), (91, 6)], [1, 2, 3], "abc"]
    for wrong in (
        *(partial(Geofence, "a", corners) for corners in areas),
        lambda: Geofence("", SQUARE.corners),
        lambda: Geofence.circle("a", 50, 10, 0),
        lambda: TruckMap(geofences=[("a", 1)]),  # type: ignore[list-item]
        lambda: TruckMap(geofences=[BERLIN] * 27),
        lambda: TruckMap().inside("Berlin"),
    ):
        with pytest.raises(BadInput):
            wrong()


def test_who_is_inside_is_said_and_fences_can_change() -> None:
    shown = TruckMap(geofences=[BERLIN])
    shown.update(["a", "b", "c"], [52.5, 48.1, 52.6], [13.4, 11.5, 13.3], [0, 1, 2], [80, 0, float("nan")])
    assert shown.inside("Berlin") == ("a", "c")
    shown.geofences = (Geofence.circle("München", 48.1, 11.5, 20),)
    assert [fence["name"] for fence in shown.fences] == ["München"]
    assert shown.inside("München") == ("b",)


def test_groups_by_speed_as_the_page_divides_it_and_by_fence() -> None:
    script = (Path(truck_map.__file__).parent / "static" / "map_looks.js").read_text()
    edges = re.search(r"SPEED_EDGES = \[([\d, ]+)\]", script)
    assert edges and tuple(map(int, edges[1].split(","))) == SPEED_EDGES
    table = TruckTable()
    speed = [0, 0.9, 30, SPEED_EDGES[1], SPEED_EDGES[2] + 1, 200, float("nan")]
    table.update(list("abcdefg"), [52.5] * 7, [13.4] * 7, None, speed)
    fences = Fences([BERLIN], geography().projection)
    assert groups(table, "speed", fences).tolist() == [0, 0, 1, 2, 3, 4, NO_SPEED]
    names = [c.name for c in counts(table, "speed", fences)]
    assert names == ["stands still", "under 60 km/h", "60 to 70 km/h", "70 to 80 km/h", "80 km/h or more", "not known"]
    (berlin,) = counts(table, "geofence", fences)
    assert (berlin.name, berlin.trucks, berlin.moving) == ("A Berlin", 7, 4)


def test_a_closed_map_is_silent() -> None:
    shown = TruckMap()
    shown.update(["a"], [50], [10])
    frame = shown.frame
    for _ in range(2):
        shown.close()
    shown.update(["a"], [51], [11])
    assert shown.frame == frame
