"""The fleet: what must hold for every seed, at every moment."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kafkalab.errors import BadInput
from kafkalab.sources.fleet import EARTH_KM, START, Fleet, angle_between, roads, unit_vectors
from kafkalab.sources.report import Report

seeds = st.integers(min_value=0, max_value=50)
moments = st.floats(min_value=0, max_value=60 * 86400)
some = settings(max_examples=8)


@some
@given(seeds, moments)
def test_the_same_seed_is_the_same_fleet_of_any_size(seed: int, t: float) -> None:
    one = list(Fleet(20, seed=seed).reports(t, t + 60))
    assert one == list(Fleet(20, seed=seed).reports(t, t + 60))
    assert one != list(Fleet(20, seed=seed + 1).reports(t, t + 60))
    assert Fleet(3, seed=seed).position(2, t) == Fleet(30, seed=seed).position(2, t)


@some
@given(seeds, st.integers(0, 10_000), st.floats(0.001, 3600))
def test_every_truck_reports_exactly_once_a_period(seed: int, first: int, period: float) -> None:
    fleet = Fleet(15, seed=seed, period=period)
    length = round(period * 1000) / 1000
    reports = list(fleet.reports(first * length, (first + 4) * length))
    per_period = Counter((r.truck_id, (r.time - START) // round(period * 1000)) for r in reports)
    assert per_period == {(truck, first + n): 1 for truck in fleet.truck_ids for n in range(4)}
    assert len({r.record_id for r in reports}) == len(reports)
    assert [r.time for r in reports] == sorted(r.time for r in reports)


@some
@given(seeds, moments, st.lists(st.floats(0, 100), min_size=1, max_size=6))
def test_pieces_of_time_join_without_a_gap_or_an_overlap(seed: int, since: float, cuts: list[float]) -> None:
    fleet = Fleet(25, seed=seed)
    whole = list(fleet.reports(since, since + 100))
    exactly = [(r.time - START) / 1000 for r in whole[5:8]]
    edges = sorted([since, *(since + c for c in cuts), *exactly, since + 100])
    assert [r for a, b in pairwise(edges) for r in fleet.reports(a, b)] == whole


@some
@given(seeds, moments)
def test_trucks_go_along_the_roads_as_fast_and_where_they_say(seed: int, t: float) -> None:
    fleet, step = Fleet(100, seed=seed), 5.0
    a, b = fleet.at(t), fleet.at(t + step)
    here, there = unit_vectors(a.latitude, a.longitude), unit_vectors(b.latitude, b.longitude)
    km = EARTH_KM * angle_between(here, there)
    covered = km / (step / 3600)
    assert np.all(covered <= 130)
    assert np.all((a.speed_kmh >= 0) & (a.speed_kmh <= 90))
    assert np.all((a.heading_deg >= 0) & (a.heading_deg < 360))
    # A truck that turns at a city or halts within the step may differ; those are few.
    assert np.mean(np.abs(covered - (a.speed_kmh + b.speed_kmh) / 2) < 0.5) > 0.97
    going = (a.speed_kmh > 30) & (b.speed_kmh > 30) & (km > 0.005)
    east = (b.longitude - a.longitude) * np.cos(np.radians(a.latitude))  # so near, the Earth is flat
    off = (np.degrees(np.arctan2(east, b.latitude - a.latitude)) - a.heading_deg + 180) % 360 - 180
    assert np.mean(np.abs(off[going]) < 0.5) > 0.97
    network = roads()
    ends = network.vectors[np.array(network.links)]
    length = angle_between(ends[:, 0], ends[:, 1])
    detour = [np.min(angle_between(p, ends[:, 0]) + angle_between(p, ends[:, 1]) - length) for p in here[:50]]
    assert EARTH_KM * max(detour) < 0.01


def test_a_report_says_where_the_truck_is_and_travels_as_json() -> None:
    for report in Fleet(12).reports(100, 140):
        at = Fleet(12).position(int(report.truck_id[1:]), (report.time - START) / 1000)
        assert (report.latitude, report.longitude) == pytest.approx((at.latitude, at.longitude), abs=1e-5)
        assert report.speed_kmh == pytest.approx(at.speed_kmh, abs=0.06)
        assert Report(**json.loads(report.value)) == report
        assert report.key == report.truck_id.encode()


def test_what_cannot_be_a_fleet_is_refused() -> None:
    for wrong in ({"trucks": 0}, {"trucks": -1}, {"period": 0}, {"period": float("nan")}):
        with pytest.raises(BadInput):
            Fleet(**wrong)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="before its start"):
        Fleet(1).reports(-1, 1)
    with pytest.raises(BadInput, match="no truck 5"):
        Fleet(5).position(5, 0)
