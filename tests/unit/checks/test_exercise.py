"""The frame of exercises: outcomes, blanks, hints, and what they show."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections import deque
from collections.abc import Iterator
from typing import Any

import pytest

from kafkalab.checks import judging
from kafkalab.checks.exercise import OUTCOMES, RESULT_MIME, Exercise, Result
from kafkalab.checks.judging import (
    BLANK,
    Elsewhere,
    NotAttempted,
    Wrong,
    call,
    is_blank,
    kind_of,
    listed,
    text,
    whole_number,
)
from kafkalab.checks.progress import score
from kafkalab.errors import BadInput, KafkalabError, Unreachable
from tests.integration.lab_answers import accept


def _four(answer: Any) -> str:
    if whole_number(answer, "The answer") != 4:
        raise Wrong("Count again.")
    return "Two and two."


def _exercise(judge: Any = _four) -> Exercise:
    return Exercise("99.1", "Sum", 2, "What is 2 + 2?", judge, ("Count.", "Count on fingers.", "It is even, below 5."))


@pytest.mark.parametrize(
    "answer, outcome, points",
    [(4, "right", 2), (5, "wrong", 0), (BLANK, "not attempted", 0), (None, "wrong", 0), ("4", "wrong", 0)],
)
def test_outcomes(answer: Any, outcome: str, points: int) -> None:
    result = _exercise().check(answer)
    assert (result.outcome, result.points, result.out_of) == (outcome, points, 2)
    assert result.reason


def test_nothing_given_is_not_attempted() -> None:
    assert _exercise().check().outcome == "not attempted"


def test_true_is_not_a_number() -> None:
    with pytest.raises(Wrong, match="True or False"):
        whole_number(True, "It")


@pytest.mark.parametrize("error", [Unreachable("No broker answers.", do="Start one."), OSError("refused"), KeyError(3)])
def test_a_check_that_cannot_see_blames_nobody(error: Exception) -> None:
    def judge(answer: Any) -> str:
        raise error

    result = _exercise(judge).check(4)
    assert result.outcome == "could not be judged"
    assert result.points == 0
    assert "Traceback" not in result.reason


def test_a_judge_may_find_that_nothing_was_tried() -> None:
    def judge(answer: Any) -> str:
        raise NotAttempted("No topic yet.")

    assert _exercise(judge).check("parcels").outcome == "not attempted"


def _empty() -> None: ...


def _passes() -> None:
    pass


def _documented(topic: str) -> None:
    """Read the topic."""


def _returns_none() -> None:
    return None


def _does() -> int:
    return 3


def _calls() -> None:
    threading.get_ident()


def _raises() -> None:
    raise ValueError("boom\nsecond line")


@pytest.mark.parametrize("answer", [..., _empty, _passes, _documented])
def test_blanks(answer: Any) -> None:
    assert is_blank(answer)


@pytest.mark.parametrize("answer", [None, 0, "", [], _does, _calls, _raises, lambda: None, print, int])
def test_not_blanks(answer: Any) -> None:
    assert not is_blank(answer)


def test_looking_for_a_blank_runs_nothing() -> None:
    class Tricky:
        def __getattr__(self, name: str) -> Any:
            raise RuntimeError(name)

    assert not is_blank(Tricky())


def test_call_gives_the_value_and_names_the_error() -> None:
    assert call(lambda a, b: a + b, 2, 3) == 5
    with pytest.raises(Wrong, match=r"^_raises raised ValueError: boom, in line \d+: `raise ValueError\("):
        call(_raises)
    with pytest.raises(Wrong, match="A function is asked for, and this is text"):
        call("text")  # type: ignore[arg-type]
    with pytest.raises(Wrong, match="SystemExit"):
        call(lambda: sys.exit(3))
    with pytest.raises(NotAttempted):
        call(lambda: ...)


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


def test_on_a_machine_that_is_too_busy_no_answer_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(Elsewhere):
        def __call__(self) -> None: ...

        def call(self, args: tuple[Any, ...], within: float) -> Any:
            release.wait(within)
            raise Wrong("slow had not returned")

    release = threading.Event()
    monkeypatch.setattr(judging, "patience", lambda: 8.0)
    for function in (release.wait, Slow()):
        with pytest.raises(KafkalabError, match="the machine is very busy"):
            call(function, within=0.01)
    release.set()
    with pytest.raises(Wrong, match="slow had not returned"):
        call(Slow(), within=60)


def test_the_commonest_mistakes_are_called_by_their_names() -> None:
    def prints() -> None:
        text("", "It")

    def yields() -> Iterator[str]:
        yield "a"

    async def waits() -> str:
        return "a"

    def helped() -> int:
        return int("no number")

    for words, answer in {
        "Does it end with `return`?": prints,
        "`yield` makes one: `return` the value": yields,
        "waits is `async`: the check calls it": waits,
        "in line 5: `return int(": helped,
        "this is the number 1.5: is there a `/` where `%` or `//` belongs?": lambda: 3 / 2,
        "this is a deque": lambda: deque(),
        "this is an object": lambda: object(),
    }.items():
        line = answer.__code__.co_firstlineno
        words = words.replace("line 5", f"line {line + 1}")
        with pytest.raises(Wrong) as no:
            (whole_number if "number" in words else text)(call(answer), "It")
        assert words in str(no.value)
    assert call(prints, returns=False) is None


def test_an_answer_may_run_an_event_loop_of_its_own() -> None:
    async def value() -> int:
        return 4

    async def kernel() -> None:
        accept(_exercise(lambda answer: _four(call(answer))), lambda: asyncio.run(value()))

    asyncio.run(kernel())


def test_lists() -> None:
    def endless() -> Iterator[int]:
        while True:
            yield 1

    def broken() -> Iterator[int]:
        yield 1
        raise ValueError("halfway")

    for fine in ((n for n in range(3)), deque([0, 1, 2]), {0: "a", 1: "b", 2: "c"}.keys(), range(3), {2, 1, 0}):
        assert listed(fine, "It", int) == [0, 1, 2]
    for mixed in ([1, None], [1, True], [1, "2"], [1, [2]]):
        with pytest.raises(Wrong, match="It is a list of whole numbers, and one of them is"):
            listed(mixed, "It", int)
    for bad in (None, "abc", b"abc", 3, {"a": 1}, endless(), broken()):
        with pytest.raises(Wrong):
            listed(bad, "It", most=50)


def test_words_for_kinds() -> None:
    assert text("a", "It") == "a"
    with pytest.raises(Wrong, match="It is text, and this is bytes"):
        text(b"a", "It")
    assert kind_of(_exercise()) == "an Exercise"


def test_hints_tell_more_each_time_and_stay_at_the_last() -> None:
    exercise = _exercise()
    told = [exercise.hint().text for _ in range(4)]
    assert told[:3] == ["Count.", "Count on fingers.", "It is even, below 5."]
    assert "`q1.solution()`" in told[3]
    assert exercise.hint().head == "There are no more hints"
    assert exercise.hint(1).text == "Count."
    with pytest.raises(BadInput, match="no hint 4"):
        exercise.hint(4)


def test_a_method_without_its_parentheses_says_what_to_type_and_gives_nothing_away() -> None:
    exercise = _exercise()
    for method, typed in (
        (exercise.hint, "q1.hint()"),
        (exercise.check, "q1.check(…)"),
        (exercise.solution, "q1.solution()"),
    ):
        assert repr(method) == f"Type the parentheses too: {typed}"
    assert "Count" not in repr(exercise)
    assert Exercise.check.__doc__ == exercise.check.__doc__


def test_who_is_stuck_learns_of_hints() -> None:
    exercise = _exercise()
    stuck = "Stuck? <code>q1.hint()</code>"
    assert stuck in exercise._repr_html_()
    wrong = exercise.check(5)
    assert stuck in wrong._repr_html_()
    assert "hint" not in wrong.reason
    assert stuck not in exercise.check(4)._repr_html_()


def test_an_exercise_without_a_stored_solution_shows_none() -> None:
    assert _exercise().solution().code == ""


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_a_result_shows_the_outcome_in_words_and_escapes_the_reason(outcome: Any) -> None:
    bundle = Result("99.1", outcome, 0, 2, "<img src=x>")._repr_mimebundle_()
    assert outcome in bundle["text/plain"]
    assert outcome in bundle["text/html"]
    assert "<img" not in bundle["text/html"]
    assert bundle[RESULT_MIME] == {
        "id": "99.1", "outcome": outcome, "points": 0, "out_of": 2, "reason": "<img src=x>",
    }  # fmt: skip


def test_notes_and_exercises_escape_too() -> None:
    exercise = Exercise("99.2", "<b>", 1, "<i>", _four, ("<u>", "b", "c"))
    assert "<i>" not in exercise._repr_html_()
    assert "<b>" not in exercise._repr_html_()
    assert "<u>" not in exercise.hint(1)._repr_html_()
    assert "1 point)" in str(exercise)
    named = Exercise("99.3", "t", 1, "Write `f(<a>)`.", _four, ("a", "b", "c"))
    assert "<code>f(&lt;a&gt;)</code>" in named._repr_html_()


def test_the_score_adds_up_and_a_right_answer_keeps_its_points() -> None:
    first, second, third = _exercise(), _exercise(), _exercise()
    first.check(5)
    first.check(4)
    second.check(5)
    told = ["✓ 99.1 Sum: right", "✗ 99.1 Sum: wrong", "○ 99.1 Sum: not attempted", "2 of 6 points"]
    assert score((first, second, third)).splitlines() == told
    first.check(6)
    assert score((first,)).splitlines() == ["✓ 99.1 Sum: was right at try 2; the last answer was not", "2 of 2 points"]
