"""Lab 02's judges without a cluster: what each misconception is told, and that nobody's fault is nobody's fault."""

from __future__ import annotations

from typing import Any

from kafkalab.course.lab_02.exercises import KEYS, why_miscounted, why_not_the_newest
from kafkalab.exercises.moments import LogMoment
from kafkalab.views.log.view import LogView
from tests.unit.views.log_samples import TOPIC, snapshot, windows

#: A log that begins at 2.
LOG = {offset: f"v{offset}" for offset in range(2, 9)}
#: Partition → (log start, log end): 9 + 0 + 3 + 0 can be read.
SPANS = {0: (11, 20), 1: (30, 30), 2: (0, 3), 3: (0, 0)}


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


def test_what_is_said_of_a_count_that_is_none() -> None:
    for count, words in {
        53: "ever written, and 41 of them are gone",
        30: "how far the longest partition",
        41: "gone from the beginnings",
        10: "the one that the next record will get",
        9: "Are all partitions in it?",
        24: "counted twice",
    }.items():
        said = why_miscounted(count, SPANS, KEYS)
        assert said.startswith(f"it counted {count}, and 12 can be read.") and words in said


def test_a_moment_of_a_log_outlives_its_view() -> None:
    class Still:
        def snapshot(self) -> Any:
            return now

    now = snapshot()
    view = LogView.of(now, TOPIC, windows())
    moment, before, said = LogMoment(Still(), view), view.to_svg(), repr(view)
    view.close()
    assert (moment.to_svg(), repr(moment)) == (before, said)
