"""What a recording knows of logs at any moment: elections take back, retention eats, what was left out is blank."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kafkalab.errors import NotSupported
from kafkalab.history.moment import Moment
from kafkalab.history.tracks.logs import RecordedBatches, Stretch, logs_at, standing
from tests.unit.history.recorded_logs import TOPIC, LogTape, two_leaders


def keys(moment: Moment, p: int = 0) -> dict[int, str | None]:
    """Offset → key of all that the tail of a partition shows."""
    return {r.offset: r.key if r.kind == "record" else r.kind for r in logs_at(moment, TOPIC).tails()[p].window.records}


def test_an_election_takes_back_what_was_not_committed_and_going_back_shows_it_again() -> None:
    recording = two_leaders().recording
    first = {0: "a", 1: "b", 2: "c", 3: None}
    expected: dict[float, tuple[int, int, dict[int, str | None]]] = {
        0.5: (0, 0, {}),
        1: (4, 4, first),
        3: (4, 6, {**first, 4: "x", 5: "y"}),
        4.5: (4, 4, first),  # the new leader has not said anything of them
        5: (4, 7, {**first, 4: "d", 5: "e", 6: "f"}),
        8: (7, 7, {2: "c", 3: None, 4: "d", 5: "e", 6: "f"}),
    }
    for at in [*expected, *reversed(expected)]:
        moment = recording.at(at)
        end = logs_at(moment, TOPIC).ends[0]
        assert (end.high, end.end, keys(moment)) == expected[at], at


def test_what_was_left_out_or_never_recorded_is_blank_and_what_compaction_took_is_a_hole() -> None:
    tape = LogTape()
    tape.batch(1, 10, "a", "b")
    tape.batch(1, 15, "c")  # handed out at once: what was between is gone
    tape.left_out(2, 16, 30)
    tape.batch(3, 30, "d")
    tape.batch(4, 33, "e")  # nobody knows what was between
    tape.cluster(5, (0, 36))
    logs = logs_at(tape.recording.at(5), TOPIC)
    tail = logs.tails()[0]
    assert (tail.window.start, tail.window.end) == (0, 36)
    assert [r.offset for r in tail.window.records] == [10, 11, 15, 30, 33]
    assert tail.blank == ((0, 10), (16, 30), (31, 33), (34, 36))
    part = logs.window(0, 12, 18)
    assert ([r.offset for r in part.window.records], part.blank) == ([15], ((16, 18),))
    assert logs.window(0, 50, 60).window.end == 36
    assert len(logs.window(7, 0, 5).window) == 0


def test_a_log_of_an_earlier_topic_of_that_name_or_without_a_leader_is_not_shown() -> None:
    tape = LogTape()
    tape.batch(1, 0, "a", "b", "c")
    tape.cluster(1, (0, 3))
    tape.cluster(2)
    tape.deleted(2)
    tape.cluster(3, (0, 0))
    tape.batch(4, 0, "z")
    tape.cluster(4, (0, 1))
    tape.cluster(5, (None, None), leader=None)
    first = {0: "a", 1: "b", 2: "c"}
    assert [keys(tape.recording.at(at)) for at in (1, 3, 4, 1)] == [first, {}, {0: "z"}, first]
    assert logs_at(tape.recording.at(2), TOPIC).tails() == {}
    assert logs_at(tape.recording.at(5), TOPIC).ends == {}


def test_a_batch_is_found_with_those_beside_it_also_in_a_recording_that_goes_on() -> None:
    tape = LogTape()
    tape.batch(0.5, 0, "a", "b")
    data = tape.batch(1, 2, "c", "d", codec=1)
    tape.left_out(2, 4, 9)
    tape.cluster(2, (0, 9))
    assert logs_at(tape.recording.at(9), TOPIC).ends[0].end == 9
    tape.batch(3, 9, "e")
    assert keys(tape.recording.at(2)) == dict(enumerate("abcd"))
    assert logs_at(tape.recording.at(9), TOPIC).ends[0].end == 10
    source = RecordedBatches(logs_at(tape.recording.at(2), TOPIC), 0)
    found = source.find(3)
    assert found is not None and found.batch.data == data
    assert (found.broker, found.segment, found.next) == (101, "", None)
    assert found.previous is not None and (found.previous.base, found.previous.last) == (0, 1)
    with pytest.raises(NotSupported, match="more records came"):
        source.find(5)
    with pytest.raises(NotSupported, match="offset 12"):
        source.find(12)


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 8), st.integers(0, 3)), max_size=60), st.randoms())
def test_every_moment_is_what_playing_it_from_the_beginning_gives(
    items: list[tuple[int, int, int]], chance: random.Random
) -> None:
    # Base, length, epoch; as an honest cluster and a dishonest file may give them.
    told = [Stretch(1, epoch, base, base + length, f"{i}") for i, (base, length, epoch) in enumerate(items)]
    log: dict[int, str | None] = {}
    for count, new in enumerate(told, 1):
        log = {o: n for o, n in log.items() if o < new.base} | dict.fromkeys(range(new.base, new.next), new.data)
        start = chance.randint(0, 20)
        valid = standing(told[:count], start, start + 20)
        found = {o: stretch.data for stretch, first, last in valid for o in range(first, last)}
        assert found == {o: n for o, n in log.items() if start <= o < start + 20}
