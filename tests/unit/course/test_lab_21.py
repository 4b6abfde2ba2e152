"""Lab 21's cases: nobody can know them, and each misconception fails on them whatever was drawn."""

from __future__ import annotations

from kafkalab.course.lab_21.exercises import _drives, _late, _speeds
from kafkalab.course.lab_21.trouble import Minute


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


def test_drives_are_drawn_anew_and_tell_misconceptions_apart() -> None:
    for _ in range(100):
        (rows,), moving = _drives()
        newest = {truck: speed for _, truck, _, speed in sorted(rows, key=lambda row: row[2])}
        assert {truck: speed for truck, speed in newest.items() if speed > 0} == moving and len(moving) == 2
        by_arrival = {truck: speed for _, truck, _, speed in rows}
        once = {truck for _, truck, _, speed in rows if speed > 0}
        assert len(once) == 4 and {t for t, speed in by_arrival.items() if speed > 0} != moving.keys()


def test_a_minute_has_trouble_of_every_kind_and_is_always_the_same() -> None:
    minute, again = Minute(), Minute()
    assert minute.first == again.first
    assert (len(minute.first), len(minute.bad)) == (3057, 60)
    assert (len(minute.late), len(minute.too_late), len(minute.twice)) == (3, 2, 5)
    assert sum(key is None for key, _, _ in minute.bad) == 12
    assert set(minute.twice) <= set(minute.first) and not set(minute.late) & set(minute.first)
