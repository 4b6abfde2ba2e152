"""The frame of exercises: outcomes, blanks, hints, and what they show."""

from __future__ import annotations

import itertools
import sys
import threading
from collections import deque
from collections.abc import Iterator
from typing import Any

import pytest

from kafkalab.errors import BadInput, KafkalabError, Unreachable
from kafkalab.exercises import judging
from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.judging import BLANK, Elsewhere, NotAttempted, Wrong, call, is_blank, listed, text, whole_number
from kafkalab.exercises.result import OUTCOMES, RESULT_MIME, Result

HINTS = ("Count.", "Count on fingers.", "It is even, below 5.")


def _four(answer: Any) -> str:
    if whole_number(answer, "The answer") != 4:
        raise Wrong("Count again.")
    return "Two and two."


def _exercise(judge: Any = _four) -> Exercise:
    return Exercise("99.1", "Sum", 2, "What is 2 + 2?", judge, HINTS)


def test_outcomes() -> None:
    def judge(answer: Any) -> str:
        raise answer

    down = Unreachable("No broker answers.", do="Start one.")
    for outcome, points, judged_by, given in (
        ("right", 2, _four, [(4,)]),
        ("wrong", 0, _four, [(5,), (None,), ("4",), (True,)]),
        ("not attempted", 0, _four, [(), (BLANK,)]),
        ("not attempted", 0, judge, [(NotAttempted("No topic yet."),)]),
        # Of what the check cannot see nobody is blamed.
        ("could not be judged", 0, judge, [(down,), (OSError("refused"),), (KeyError(3),)]),
    ):
        for answers in given:
            result = _exercise(judged_by).check(*answers)
            assert (result.outcome, result.points, result.out_of) == (outcome, points, 2)
            assert result.reason and "Traceback" not in result.reason


def test_what_is_blank_is_seen_without_running_it() -> None:
    def documented(topic: str) -> None:
        """Read the topic."""

    for blank in (..., documented):
        assert is_blank(blank), blank
    for answer in (None, 0, "", [], lambda: None, print, int):
        assert not is_blank(answer), answer


def test_a_function_without_an_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "patience", lambda: 1.0)
    began: list[threading.Thread] = []

    def endless() -> None:
        began.append(threading.current_thread())
        while True:
            pass

    with pytest.raises(Wrong, match="had not returned"):
        call(endless, within=0.2)
    began[0].join(60)
    assert not began[0].is_alive()


def test_no_answer_is_wrong_on_a_busy_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(Elsewhere):
        def __call__(self) -> None: ...

        def call(self, args: tuple[Any, ...], within: float) -> Any:
            release.wait(within)
            raise Wrong("slow had not returned")

    release = threading.Event()

    def slow() -> None:
        # Never long outside of Python: Python 3.11 under a tracer stands still until this has taken its exception.
        while not release.wait(0.01):
            pass

    monkeypatch.setattr(judging, "patience", lambda: 8.0)
    for function in (slow, Slow("function")):
        with pytest.raises(KafkalabError, match="the machine is very busy"):
            call(function, within=0.01)
    release.set()
    with pytest.raises(Wrong, match="slow had not returned"):
        call(Slow("function"), within=60)


def test_the_commonest_mistakes_are_called_by_their_names() -> None:
    def prints() -> None:
        text("", "It")

    def yields() -> Iterator[str]:
        yield "a"

    async def waits() -> str:
        return "a"

    def fails() -> int:
        return int("no number")

    for words, answer in {
        "Does it end with `return`?": prints,
        "`yield` makes one: `return` the value": yields,
        "waits is `async`: the check calls it": waits,
        "fails raised ValueError: invalid literal": fails,
        f"in line {fails.__code__.co_firstlineno + 1}: `return int(": fails,
        "this is the number 1.5: is there a `/` where `%` or `//` belongs?": lambda: 3 / 2,
    }.items():
        with pytest.raises(Wrong) as no:
            (whole_number if "number" in words else text)(call(answer), "It")
        assert words in str(no.value)
    assert call(prints, returns=False) is None
    for answer, said in (("text", "The answer must be a function, and this is text"), (sys.exit, "SystemExit")):
        with pytest.raises(Wrong, match=said):
            call(answer)  # type: ignore[arg-type]
    with pytest.raises(NotAttempted):
        call(lambda: ...)


def test_lists_and_text() -> None:
    def broken() -> Iterator[int]:
        yield 1
        raise ValueError("halfway")

    for fine in ((n for n in range(3)), deque([0, 1, 2]), {0: "a", 1: "b", 2: "c"}.keys(), range(3), {2, 1, 0}):
        assert listed(fine, "It", int) == [0, 1, 2]
    for mixed in ([1, None], [1, True], [1, "2"], [1, [2]]):
        with pytest.raises(Wrong, match="It is a list of whole numbers, and one of them is"):
            listed(mixed, "It", int)
    for bad in (None, "abc", b"abc", 3, {"a": 1}, itertools.count(), broken()):
        with pytest.raises(Wrong):
            listed(bad, "It", most=50)


def test_hints_tell_more_each_time() -> None:
    exercise = _exercise()
    *told, last = [exercise.hint().text for _ in range(4)]
    assert told == list(HINTS) and "`q1.solution()`" in last
    assert exercise.hint(1).text == HINTS[0] and HINTS[0] in str(exercise.hint(1))
    with pytest.raises(BadInput, match="no hint 4"):
        exercise.hint(4)
    # Who is stuck learns of hints.
    for shown, stuck in ((exercise, True), (exercise.check(5), True), (exercise.check(4), False)):
        assert ("<code>q1.hint()</code>" in shown._repr_html_()) == stuck


def test_what_is_shown_is_escaped_and_says_the_outcome_in_words() -> None:
    for outcome in OUTCOMES:
        bundle = Result("99.1", outcome, 0, 2, "<img src=x>")._repr_mimebundle_()
        assert outcome in bundle["text/plain"] and outcome in bundle["text/html"]
        assert "<img" not in bundle["text/html"]
        assert bundle[RESULT_MIME]["outcome"] == outcome
    exercise = Exercise("99.2", "<b>", 1, "<i> `f(<a>)`", _four, ("<u>", "b", "c"))
    shown = exercise._repr_html_() + exercise.hint(1)._repr_html_()
    assert not any(tag in shown for tag in ("<b>", "<i>", "<u>", "<a>"))
    assert "<code>f(&lt;a&gt;)</code>" in shown and "1 point)" in str(exercise)
