"""The columns behind the map: upserts, packing, counts, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kafkalab.errors import BadInput
from kafkalab.views.truck_table import NO_PARTITION, TruckTable

rows = st.lists(
    st.tuples(st.sampled_from("abcdefg"), st.floats(-90, 90), st.floats(-180, 180), st.integers(0, 9)), max_size=30
)


def unpack(data: bytes) -> tuple[np.ndarray, ...]:
    n = len(data) // 18
    floats = np.frombuffer(data, "<f4", count=4 * n).reshape(4, n)
    return (*floats, np.frombuffer(data, "<u2", offset=16 * n))


@settings(max_examples=40)
@given(st.lists(rows, max_size=5))
def test_each_truck_is_where_it_was_last_seen(batches: list[list[tuple[str, float, float, int]]]) -> None:
    table, last = TruckTable(), {}
    for batch in batches:
        table.update([r[0] for r in batch], [r[1] for r in batch], [r[2] for r in batch], [r[3] for r in batch])
        last.update({r[0]: r[1:] for r in batch})
    latitude, longitude, _, _, partition = unpack(table.pack())
    assert set(table.ids) == set(last)
    for i, truck in enumerate(table.ids):
        assert (latitude[i], longitude[i]) == (np.float32(last[truck][0]), np.float32(last[truck][1]))
        assert partition[i] == last[truck][2]


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


def test_the_callers_list_may_change_afterwards() -> None:
    table, ids = TruckTable(), ["a", "b"]
    table.update(ids, [1, 2], [0, 0])
    ids.append("c")
    table.update(ids, [5, 6, 7], [0, 0, 0])
    assert table.latitude.tolist() == [5, 6, 7]


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


def test_counts_and_the_sentence() -> None:
    table = TruckTable()
    table.update(["a", "b", "c"], [1, 2, 3], [0, 0, 0], [4, 2, 4], speed=[80, 0, 60])
    first, second = table.partitions()
    assert (first.partition, first.trucks, first.moving, first.mean_kmh) == (2, 1, 0, None)
    assert (second.partition, second.trucks, second.moving, second.mean_kmh) == (4, 2, 2, 70)
    assert table.summary() == "3 trucks in 2 partitions; 2 moving, the fastest a at 80 km/h."
    table.clear()
    assert (table.pack(), table.summary()) == (b"", "No trucks yet.")
