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
    listed,
    text,
    whole_number,
)
from kafkalab.errors import BadInput, KafkalabError, Unreachable
from tests.support.answers import accept

HINTS = ("Count.", "Count on fingers.", "It is even, below 5.")


def _four(answer: Any) -> str:
    if whole_number(answer, "The answer") != 4:
        raise Wrong("Count again.")
    return "Two and two."


def _exercise(judge: Any = _four) -> Exercise:
    return Exercise("99.1", "Sum", 2, "What is 2 + 2?", judge, HINTS)


@pytest.mark.parametrize(
    "answers, outcome, points",
    [
        *(((4,), "right", 2), ((5,), "wrong", 0), ((None,), "wrong", 0), (("4",), "wrong", 0), ((True,), "wrong", 0)),
        *(((), "not attempted", 0), ((BLANK,), "not attempted", 0)),
    ],
)
def test_outcomes(answers: tuple[Any, ...], outcome: str, points: int) -> None:
    result = _exercise().check(*answers)
    assert (result.outcome, result.points, result.out_of) == (outcome, points, 2)
    assert result.reason


@pytest.mark.parametrize(
    "raised, outcome",
    [
        (Unreachable("No broker answers.", do="Start one."), "could not be judged"),
        (OSError("refused"), "could not be judged"),
        (KeyError(3), "could not be judged"),
        (NotAttempted("No topic yet."), "not attempted"),
    ],
)
def test_a_check_that_cannot_see_blames_nobody(raised: Exception, outcome: str) -> None:
    def judge(answer: Any) -> str:
        raise raised

    result = _exercise(judge).check(4)
    assert (result.outcome, result.points) == (outcome, 0)
    assert "Traceback" not in result.reason


def _empty() -> None: ...


def _passes() -> None:
    pass


def _documented(topic: str) -> None:
    """Read the topic."""


def _does() -> int:
    return 3


def _calls() -> None:
    threading.get_ident()


def _raises() -> None:
    raise ValueError("boom\nsecond line")


def test_what_is_blank_is_seen_without_running_it() -> None:
    class Tricky:
        def __getattr__(self, name: str) -> Any:
            raise RuntimeError(name)

    for blank in (..., _empty, _passes, _documented):
        assert is_blank(blank), blank
    for answer in (None, 0, "", [], _does, _calls, _raises, lambda: None, print, int, Tricky()):
        assert not is_blank(answer), answer


def test_call_gives_the_value_and_names_the_error() -> None:
    assert call(lambda a, b: a + b, 2, 3) == 5
    for answer, words in (
        (_raises, r"^_raises raised ValueError: boom, in line \d+: `raise ValueError\("),
        ("text", "A function is asked for, and this is text"),
        (lambda: sys.exit(3), "SystemExit"),
    ):
        with pytest.raises(Wrong, match=words):
            call(answer)  # type: ignore[arg-type]
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


def test_no_answer_is_wrong_on_a_busy_machine(monkeypatch: pytest.MonkeyPatch) -> None:
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
        "is a whole number, and this is True or False": lambda: True,
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


def test_lists_and_text() -> None:
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
    for answer, words in ((b"a", "bytes"), (_exercise(), "an Exercise")):
        with pytest.raises(Wrong, match=f"It is text, and this is {words}"):
            text(answer, "It")
    for bad in (None, "abc", b"abc", 3, {"a": 1}, endless(), broken()):
        with pytest.raises(Wrong):
            listed(bad, "It", most=50)


def test_hints_tell_more_each_time() -> None:
    exercise = _exercise()
    told = [exercise.hint().text for _ in range(4)]
    assert told[:3] == list(HINTS)
    assert "`q1.solution()`" in told[3] and HINTS[2] in told[3]
    assert exercise.hint().head == "There are no more hints"
    assert exercise.hint(1).text == HINTS[0]
    with pytest.raises(BadInput, match="no hint 4"):
        exercise.hint(4)
    assert exercise.solution().code == "", "there is none for an exercise of no lab"


def test_a_method_without_its_parentheses_says_what_to_type() -> None:
    exercise = _exercise()
    for name, typed in (("hint", "q1.hint()"), ("check", "q1.check(…)"), ("solution", "q1.solution()")):
        assert repr(getattr(exercise, name)) == f"Type the parentheses too: {typed}"
    assert HINTS[0] not in repr(exercise)
    assert Exercise.check.__doc__ == exercise.check.__doc__
    # Who is stuck learns of hints.
    stuck, wrong, right = "Stuck? <code>q1.hint()</code>", exercise.check(5), exercise.check(4)
    assert stuck in exercise._repr_html_() and stuck in wrong._repr_html_()
    assert "hint" not in wrong.reason and stuck not in right._repr_html_()


def test_what_is_shown_is_escaped_and_says_the_outcome_in_words() -> None:
    for outcome in OUTCOMES:
        bundle = Result("99.1", outcome, 0, 2, "<img src=x>")._repr_mimebundle_()
        assert outcome in bundle["text/plain"] and outcome in bundle["text/html"]
        assert "<img" not in bundle["text/html"]
        told = {"id": "99.1", "outcome": outcome, "points": 0, "out_of": 2, "reason": "<img src=x>"}
        assert bundle[RESULT_MIME] == told
    exercise = Exercise("99.2", "<b>", 1, "<i> `f(<a>)`", _four, ("<u>", "b", "c"))
    shown = exercise._repr_html_() + exercise.hint(1)._repr_html_()
    assert not any(tag in shown for tag in ("<b>", "<i>", "<u>", "<a>"))
    assert "<code>f(&lt;a&gt;)</code>" in shown
    assert "1 point)" in str(exercise)
