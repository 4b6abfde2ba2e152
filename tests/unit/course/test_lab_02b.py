"""Lab 02b's judges without a cluster: what each misconception is told, and that nobody's fault is nobody's fault."""

from __future__ import annotations

from kafkalab.course.lab_02a.logs import KEYS
from kafkalab.course.lab_02b.exercises import why_miscounted

#: Partition → (log start, log end): 9 + 0 + 3 + 0 can be read.
SPANS = {0: (11, 20), 1: (30, 30), 2: (0, 3), 3: (0, 0)}


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
