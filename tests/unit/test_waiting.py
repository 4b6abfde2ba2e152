"""wait_until: returns what the condition said, or an error that tells how things stood."""

from __future__ import annotations

import itertools

import pytest

from kafkalab.errors import KafkalabError, WaitTimeout
from kafkalab.waiting import wait_until


def test_it_returns_the_first_truthy_answer():
    answers = itertools.chain([0, None, ""], itertools.count(7))
    assert wait_until(lambda: next(answers), 20, "a number", period=0.001) == 7


def test_the_error_says_what_was_awaited_what_was_seen_and_shows_the_log():
    with pytest.raises(WaitTimeout) as e:
        wait_until(lambda: 0, 0, "the moon", seen=lambda: "clouds", do="wait for wind", log=lambda: "line 1\nline 2")
    assert isinstance(e.value, TimeoutError) and isinstance(e.value, KafkalabError)
    assert all(part in str(e.value) for part in ("the moon", "clouds", "wait for wind", "line 2"))
    for answer, seen in ((None, ""), (False, ""), (0, "0"), ([], "[]")):
        with pytest.raises(WaitTimeout) as e:
            wait_until(iter([answer]).__next__, 0, "what is asked once at least, and last at the deadline")
        assert e.value.seen == seen
