"""Lab 02a's judges without a cluster: what each misconception is told."""

from __future__ import annotations

from kafkalab.course.lab_02a.exercises import why_miscounted, why_not_since, why_not_the_newest

#: A log that begins at 2.
LOG = {offset: f"v{offset}" for offset in range(2, 9)}


def test_what_is_said_of_values_that_are_not_the_newest() -> None:
    for words, *offsets in (
        ("the newest first", 8, 7, 6),
        ("these are the oldest", 2, 3, 4),
        ("it returned all", *LOG),
        ("it returned 2. It should return 3: the last", 7, 8),
        ("in another order", 7, 6, 8),
        ("not the last 3", 5, 6, 7),
        ("one too many. Where does the log end offset point to?", 5, 6, 7, 8),
    ):
        assert words in why_not_the_newest(0, [LOG[offset] for offset in offsets], LOG, 3)


def test_what_is_said_of_a_number_that_was_not_written() -> None:
    for count, words in {30: "longest partition", 5: "how many keys", 4: "how many partitions", 60: "twice"}.items():
        assert words in why_miscounted(count, [20, 30, 3, 0])
    assert "count already" in why_miscounted(50, [20, 30, 3, 0])
    assert "Are all partitions in it?" in why_miscounted(23, [20, 30, 3, 0])


def test_what_is_said_of_an_offset_that_is_not_the_first_from_a_time_on() -> None:
    times = [1000, 2000, 3000]
    assert "an offset" in why_not_since(2000, 1, 0, times, 2000)
    assert "log end offset" in why_not_since(0, 3, 0, times, 4000)
    assert "Offset 1 counts, too" in why_not_since(2, 1, 0, times, 2000)
    assert "has the time 2000" in why_not_since(0, 1, 0, times, 1500)
