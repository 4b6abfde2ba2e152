"""wait_until: returns what the condition said, or an error that tells how things stood."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import pytest

from kafkalab.errors import KafkalabError, WaitTimeout
from kafkalab.waiting import wait_until


def test_it_returns_the_first_truthy_answer():
    answers = itertools.chain([0, None, ""], itertools.count(7))
    assert wait_until(lambda: next(answers), 20, "a number", period=0.001) == 7


def test_the_condition_is_asked_at_least_once_and_last_at_the_deadline():
    asked = []
    with pytest.raises(WaitTimeout):
        wait_until(lambda: asked.append(1), 0, "nothing")
    assert asked == [1]


def test_the_error_says_what_was_awaited_what_was_seen_and_shows_the_log():
    with pytest.raises(WaitTimeout) as e:
        wait_until(lambda: 0, 0, "the moon", seen=lambda: "clouds", do="wait for wind", log=lambda: "line 1\nline 2")
    assert isinstance(e.value, TimeoutError)
    assert isinstance(e.value, KafkalabError)
    assert all(part in str(e.value) for part in ("the moon", "clouds", "wait for wind", "line 2"))
    for answer, seen in ((None, ""), (False, ""), (0, "0"), ([], "[]")):
        with pytest.raises(WaitTimeout) as e:
            wait_until(lambda answer=answer: answer, 0, "the moon")
        assert e.value.seen == seen


def test_what_takes_long_is_asked_less_often_but_never_less_than_a_third_as_often(monkeypatch):
    now, pauses = [0.0], []

    def sleep(seconds):
        pauses.append(seconds)
        now[0] += seconds

    monkeypatch.setattr("kafkalab.waiting.time", SimpleNamespace(monotonic=lambda: now[0], sleep=sleep))
    with pytest.raises(WaitTimeout):
        wait_until(lambda: False, 10, "what never comes", period=0.1)
    assert pauses[:5] == [0.1] * 5
    assert pauses == sorted(pauses[:-1]) + pauses[-1:]
    assert pauses[-2] == pytest.approx(0.3)
    assert sum(pauses) == pytest.approx(10)
