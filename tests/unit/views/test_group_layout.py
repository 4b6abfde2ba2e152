"""Where members stand beside partitions."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kafkalab.views.group_layout import layout


def parts(n: int) -> list[str]:
    return [f"t/{i}" for i in range(n)]


def test_a_member_stands_in_the_middle_of_what_it_holds() -> None:
    rows = layout(parts(4), ["A", "B"], {"B": ["t/0", "t/1"], "A": ["t/2", "t/3"]})
    # B holds the upper ones: above A, whatever their names.
    assert rows["B"] < rows["A"]
    assert (rows["B"], rows["A"]) == pytest.approx((0.3, 2.7))


def test_who_holds_nothing_stands_below_all_others() -> None:
    rows = layout(parts(2), ["A", "B", "C"], {"C": ["t/0"], "A": ["t/1"]})
    assert sorted(rows, key=rows.__getitem__) == ["C", "A", "B"]


def test_partitions_dealt_out_in_turn_do_not_crowd_their_members() -> None:
    members = [f"m{i:02}" for i in range(20)]
    rows = layout(parts(50), members, {m: parts(50)[i::20] for i, m in enumerate(members)})
    assert max(rows.values()) - min(rows.values()) > 30


def test_a_neighbour_is_swapped_where_that_takes_a_crossing_away() -> None:
    # On average A's are lower than B's one, and yet with B above A two pairs of lines would cross, now it is one.
    rows = layout(parts(9), ["A", "B"], {"A": ["t/0", "t/1", "t/8"], "B": ["t/2"]})
    assert rows["A"] < rows["B"]


@given(st.integers(0, 30), st.integers(0, 25), st.data())
def test_everybody_has_a_place_of_their_own_within_the_picture(n: int, m: int, data: st.DataObject) -> None:
    members = [f"m{i}" for i in range(m)]
    owners = data.draw(st.lists(st.sampled_from([*members, ""]), min_size=n, max_size=n))
    holds = {member: [p for p, owner in zip(parts(n), owners, strict=True) if owner == member] for member in members}
    rows = layout(parts(n), members, holds)
    heights = sorted(rows.values())
    assert set(rows) == set(members)
    assert all(b - a >= 1 - 1e-6 for a, b in itertools.pairwise(heights))
    assert all(-1e-6 <= h <= max(n, m) - 1 + 1e-6 for h in heights)
