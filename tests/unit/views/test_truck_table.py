"""The trucks behind the map, its geofences, and what is counted of them."""

from __future__ import annotations

from functools import partial
from math import isnan
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kafkalab.errors import BadInput
from kafkalab.history.tracks.logs import Reported
from kafkalab.views.map.geofences import OUTSIDE, Fences, Geofence
from kafkalab.views.map.geography import geography
from kafkalab.views.map.picture import NO_PARTITION, Trucks, counts
from kafkalab.views.map.view import TruckMap
from tests.unit.views.test_truck_map import rows as read

NONE = Fences([], geography().projection)


@settings(max_examples=40)
@given(
    st.lists(
        st.lists(st.tuples(st.sampled_from("abcde"), st.floats(-90, 90), st.integers(0, 9)), max_size=20), max_size=5
    )
)
def test_each_truck_is_where_it_was_last_seen(batches: list[list[tuple[str, float, int]]]) -> None:
    table, last = Trucks(), {}
    for batch in batches:
        ids, latitudes, partitions = ([row[i] for row in batch] for i in range(3))
        table.update(ids, latitudes, [2 * latitude for latitude in latitudes], partitions)
        last.update({id: (latitude, 2 * latitude, partition) for id, latitude, partition in batch})
    found = table.table[["latitude", "longitude", "partition"]].tolist()
    assert dict(zip(table.ids, found, strict=True)) == last
    assert table.drawn(NONE, "", None)["ids"] == list(last)


def test_what_is_not_said_stays_as_it_was_or_unknown() -> None:
    table = Trucks()
    table.update(["a", "b"], [1, 2], [3, 4], [5, 6], speed=[70, 0])
    table.update(["b"], [2.5], [4.5])
    a, b = table.table
    assert (a["speed"], b["speed"], a["partition"], b["partition"], b["latitude"]) == (70, 0, 5, 6, 2.5)
    assert isnan(a["heading"])
    table.update(["c"], [0], [0])
    assert table.table[2]["partition"] == NO_PARTITION
    berlin = Fences([BERLIN], geography().projection)
    rows = read(table.drawn(berlin, "", None))
    assert rows == [
        ([10000, 30000], 700, 255, 5, -1), ([25000, 45000], 0, 255, 6, -1), ([0, 0], 65535, 255, 65535, -1),
    ]  # fmt: skip
    table.update(["c"], [52.5], [-13.4], heading=[271.6], speed=[0.94])
    assert read(table.drawn(berlin, "", None))[2] == ([525000, -134000], 9, 136, 65535, -1)
    table.update(["c"], [52.5], [13.4], heading=[359.5], speed=[9999])
    assert read(table.drawn(berlin, "", None))[2] == ([525000, 134000], 65534, 0, 65535, 0)


def test_trucks_of_a_moment_take_the_place_of_all_others() -> None:
    table = Trucks()
    table.update(["a", "b"], [1, 2], [3, 4])
    for reports in ({"b": Reported(50, 10, 80, 90, 3)}, {}):
        table.show(reports)
        assert (table.ids, table.table.tolist()) == (list(reports), [(50, 10, 80, 90, 3)] * len(reports))
        assert len(read(table.drawn(NONE, "", None))) == len(reports)


def test_a_row_without_a_place_on_earth_is_counted_and_not_drawn() -> None:
    for latitude, longitude in ((float("nan"), 0), (91, 0), (0, 181), (None, 1)):
        table = Trucks()
        table.update(["a", "b"], [latitude, 50], [longitude, 10], [0, 1], [1, 2], [3, 4])
        assert (table.ids, table.unplaced) == (["b"], 1), (latitude, longitude)
        assert table.table.tolist() == [(50, 10, 2, 4, 1)]
        assert "1 report without a place" in table.summary()


def test_a_number_that_is_none_is_not_known() -> None:
    table = Trucks()
    table.update(["a", "b"], [1, 2], [3, 4], speed=[np.inf, 5], heading=[-np.inf, np.nan])
    assert isnan(table.table["speed"][0]) and np.isnan(table.table["heading"]).all()
    assert table.drawn(NONE, "", None)["ids"] == ["a", "b"], "and it is drawn without a warning"


def test_columns_that_do_not_fit_are_refused_and_change_nothing() -> None:
    table = Trucks()
    for column, wrong in (
        ("latitude", [[1.0], ["north", "south"]]),
        ("partition", [[0, -1], [0, 65535], [0, 1.5]]),
        ("speed", [[[1.0], [2.0]]]),
    ):
        for values in wrong:
            with pytest.raises(BadInput):
                table.update(["a", "b"], **{"latitude": [1, 2], "longitude": [3, 4], column: values})  # type: ignore[arg-type]
    assert not table.ids


BERLIN = Geofence.circle("Berlin", 52.5, 13.4, 60)


def test_a_circle_holds_what_is_within_its_radius() -> None:
    degree, across = 111.195, 111.195 * np.cos(np.radians(52.5))  # kilometres, northward and eastward
    for km, found in ((59.5, 0), (60.5, OUTSIDE)):
        lat, lon = 52.5 + km / degree * np.array([1, -1, 0, 0]), 13.4 + km / across * np.array([0, 0, 1, -1])
        assert Fences([BERLIN], geography().projection).of(lat, lon).tolist() == [found] * 4


def test_an_area_with_a_bay_and_the_first_of_two_that_overlap() -> None:
    square = Geofence("square", [(50, 9), (50, 12), (53, 12), (53, 9)])
    bay = Geofence("bay", [(50, 9), (50, 12), (53, 12), (51, 10.5), (53, 9)])
    places = [(50.5, 10.5), (52.5, 10.5), (52.5, 11.8), (52.4, 13.4), (49.0, 10.5)]
    lat, lon = zip(*places, strict=True)
    for fences, found in (
        ([bay, BERLIN], [0, OUTSIDE, 0, 1, OUTSIDE]),
        ([square, bay], [0, 0, 0, OUTSIDE, OUTSIDE]),
        ([], [OUTSIDE] * 5),
    ):
        assert Fences(fences, geography().projection).of(lat, lon).tolist() == found


def test_what_is_no_geofence_is_refused() -> None:
    areas: list[Any] = [[(1, 2), (3, 4)], [(1, 2), (3, 4), (91, 6)], [1, 2, 3], "abc"]
    for wrong in (
        *(partial(Geofence, "a", corners) for corners in areas),
        lambda: TruckMap(geofences=[("a", 1)]),  # type: ignore[list-item]
        lambda: TruckMap().inside("Berlin"),
    ):
        with pytest.raises(BadInput):
            wrong()


def test_trucks_are_counted_by_partition_and_by_fence() -> None:
    table = Trucks()
    speed = [0, 0.9, 30, 60, 71, 200, float("nan")]
    table.update(list("abcdefg"), [52.5] * 6 + [40], [13.4] * 7, None, speed)
    table.update(["a", "b"], [52.5] * 2, [13.4] * 2, [3, 0])
    fences = Fences([BERLIN], geography().projection)
    assert [(c.name, c.trucks) for c in counts(table, "partition", fences)] == [
        ("P0 (circle)", 1), ("P3 (triangle)", 1), ("not known", 5),
    ]  # fmt: skip
    berlin, outside = counts(table, "geofence", fences)
    assert (berlin.name, berlin.trucks, berlin.moving, berlin.mean_kmh) == ("A Berlin", 6, 4, 361 / 4)
    assert (outside.name, outside.trucks, outside.moving, outside.mean_kmh) == ("outside", 1, 0, None)
