"""Lab 21's cases: nobody can know them, and each misconception fails on them whatever was drawn."""

from __future__ import annotations

from kafkalab.course.lab_21.exercises import _late, _speeds


def test_speeds_are_drawn_anew_and_tell_misconceptions_apart() -> None:
    drawn = [_speeds() for _ in range(200)]
    assert len({str(case) for case, _ in drawn}) == len(drawn)
    for case, limit in drawn:
        assert any(speed == limit for *_, speed in case)
        assert all(speed < 200 for *_, speed in case)
        fast = [(truck, record, speed) for record, truck, _, speed in case if speed > limit]
        slow = [speed for *_, speed in case if speed < limit]
        assert slow and 0.0 in slow
        one = [speed for truck, _, speed in fast if truck == fast[0][0]]
        assert len(one) == 2 and max(one) == one[0]


def test_late_reports_are_drawn_anew_and_tell_misconceptions_apart() -> None:
    for _ in range(200):
        rows = [row for batch in _late() for row in batch]
        newest = {truck: record for record, truck, minute, _ in sorted(rows, key=lambda row: row[2])}
        by_arrival = {truck: record for record, truck, *_ in rows}
        by_name = {truck: record for record, truck, *_ in sorted(rows)}
        by_name_down = {truck: record for record, truck, *_ in sorted(rows, reverse=True)}
        assert len(newest) == 3
        assert sum(by_arrival[truck] != newest[truck] for truck in newest) == 2
        assert by_name != newest
        assert by_name_down != newest
