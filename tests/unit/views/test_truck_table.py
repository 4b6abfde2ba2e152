"""The columns behind the map, its geofences, and what a truck's mark can say."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kafkalab.errors import BadInput
from kafkalab.views.map import view as map_view
from kafkalab.views.map.geography import geography
from kafkalab.views.map.looks import NO_SPEED, OUTSIDE, SPEED_EDGES, Fences, Geofence, counts, groups
from kafkalab.views.map.table import NO_PARTITION, TruckTable
from kafkalab.views.map.view import TruckMap


def unpack(data: bytes) -> tuple[np.ndarray, ...]:
    n = len(data) // 18
    floats = np.frombuffer(data, "<f4", count=4 * n).reshape(4, n)
    return (*floats, np.frombuffer(data, "<u2", offset=16 * n))


@settings(max_examples=40)
@given(
    st.lists(
        st.lists(st.tuples(st.sampled_from("abcde"), st.floats(-90, 90), st.integers(0, 9)), max_size=20), max_size=5
    )
)
def test_each_truck_is_where_it_was_last_seen(batches: list[list[tuple[str, float, int]]]) -> None:
    table, last = TruckTable(), {}
    for batch in batches:
        ids, latitudes, partitions = ([row[i] for row in batch] for i in range(3))
        table.update(ids, latitudes, [2 * latitude for latitude in latitudes], partitions)
        last.update({id: (np.float32(latitude), np.float32(2 * latitude), p) for id, latitude, p in batch})
    latitude, longitude, _, _, partition = unpack(table.pack())
    assert dict(zip(table.ids, zip(latitude, longitude, partition, strict=True), strict=True)) == last


def test_what_is_not_said_stays_as_it_was_or_unknown() -> None:
    table = TruckTable()
    table.update(["a", "b"], [1, 2], [3, 4], [5, 6], speed=[70, 0])
    table.update(["b"], [2.5], [4.5])
    _, _, speed, heading, partition = unpack(table.pack())
    assert speed.tolist() == [70, 0]
    assert np.isnan(heading).all()
    assert partition.tolist() == [5, 6]
    table.update(["c"], [0], [0])
    assert unpack(table.pack())[4][2] == NO_PARTITION


def test_a_row_without_a_place_on_earth_is_counted_and_not_drawn() -> None:
    for latitude, longitude in ((float("nan"), 0), (91, 0), (0, 181), (None, 1)):
        table = TruckTable()
        table.update(["a", "b"], [latitude, 50], [longitude, 10], [0, 1], [1, 2], [3, 4])
        assert (table.ids, table.unplaced, table.partition.tolist()) == (("b",), 1, [1]), (latitude, longitude)
        assert "1 report without a place" in table.summary()


def test_columns_that_do_not_fit_are_refused_and_change_nothing() -> None:
    table = TruckTable()
    for column, wrong in (
        ("latitude", [[1.0], ["north", "south"]]),
        ("partition", [[0, -1], [0, 65535], [0, 1.5]]),
        ("speed", [[[1.0], [2.0]]]),
    ):
        for values in wrong:
            with pytest.raises(BadInput):
                table.update(["a", "b"], **{"latitude": [1, 2], "longitude": [3, 4], column: values})  # type: ignore[arg-type]
    assert len(table) == 0


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


def test_groups_by_speed_as_the_page_divides_it_and_by_fence() -> None:
    script = (Path(map_view.__file__).parent / "looks.ts").read_text()
    edges = re.search(r"SPEED_EDGES = \[([\d, ]+)\]", script)
    assert edges and tuple(map(int, edges[1].split(","))) == SPEED_EDGES
    table = TruckTable()
    speed = [0, 0.9, 30, SPEED_EDGES[1], SPEED_EDGES[2] + 1, 200, float("nan")]
    table.update(list("abcdefg"), [52.5] * 7, [13.4] * 7, None, speed)
    fences = Fences([BERLIN], geography().projection)
    assert groups(table, "speed", fences).tolist() == [0, 0, 1, 2, 3, 4, NO_SPEED]
    assert [c.name.split()[0] for c in counts(table, "speed", fences)] == ["stands", "under", "60", "70", "80", "not"]
    (berlin,) = counts(table, "geofence", fences)
    assert (berlin.name, berlin.trucks, berlin.moving) == ("A Berlin", 7, 4)
