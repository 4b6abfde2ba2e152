"""Orders: the same for every cut of time, and three of four lead to where the truck will be."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from kafkalab.course.lab_23b.desk import NEAR_KM, Order, Orders
from kafkalab.sources.fleet import EARTH_KM, START, Fleet, angle_between, unit_vectors

FLEET = Fleet(25)
some = settings(max_examples=8)


def km(fleet: Fleet, order: Order, moments: np.ndarray) -> np.ndarray:
    """Return the distances of the order's truck from its place, at some moments."""
    truck = fleet.truck_ids.index(order.truck_id)
    positions = [fleet.position(truck, t) for t in moments.tolist()]
    here = unit_vectors(np.array([p.latitude for p in positions]), np.array([p.longitude for p in positions]))
    place = unit_vectors(np.array([order.latitude]), np.array([order.longitude]))
    return EARTH_KM * np.asarray(angle_between(here, place))


@some
@given(st.integers(0, 50), st.floats(0, 86_400), st.lists(st.floats(0, 3000), max_size=4))
def test_pieces_of_time_join_without_a_gap_or_an_overlap(seed: int, since: float, cuts: list[float]) -> None:
    orders = Orders(FLEET, seed=seed)
    whole = list(orders.between(since, since + 3000))
    edges = sorted([since, *(since + cut for cut in cuts), (whole[3].time - START) / 1000, since + 3000])
    assert [one for a, b in pairwise(edges) for one in orders.between(a, b)] == whole
    assert [one.time for one in whole] == sorted(one.time for one in whole)
    assert len({one.order_id for one in whole}) == len(whole)
    assert set(Counter(one.truck_id for one in whole).values()) <= {5}


def test_three_of_four_lead_to_a_place_where_the_truck_will_be_and_the_others_to_none_that_it_can_reach() -> None:
    orders = list(Orders(FLEET).between(0, 6000))
    reached = 0
    for order in orders:
        t = (order.time - START) / 1000
        nearest = km(FLEET, order, np.arange(t, t + 601, 20)).min()
        assert nearest < NEAR_KM / 2 or nearest > 20 * NEAR_KM, order
        reached += nearest < NEAR_KM
    assert len(orders) == 250 and 0.65 < reached / len(orders) < 0.85


def test_an_order_travels_as_json() -> None:
    order, *_ = Orders(FLEET).between(0, 600)
    assert Order(**json.loads(order.value)) == order and order.key == order.truck_id.encode()
