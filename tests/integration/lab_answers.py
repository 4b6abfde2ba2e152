"""What tests do with an exercise of a lab: accept its solution, refuse misconceptions and wrong kinds."""

from __future__ import annotations

from typing import Any

from kafkalab.checks.exercise import Exercise
from kafkalab.checks.grade_inside import answer as answered
from kafkalab.checks.grade_wire import read


def raises(*args: Any) -> Any:
    """An answer with a mistake in it."""
    raise RuntimeError("a mistake of mine")


def nowhere(request: Any, within: float) -> Any:
    """Where nothing more is to be asked."""
    raise AssertionError(request)


def through(value: Any) -> Any:
    """An answer as it arrives at a grader."""
    names = {"value": value}

    def ask(request: Any, within: float) -> Any:
        return read(answered(names, dict(request)), "value", ask)

    return ask({"do": "value", "expression": "value"}, 1)


WRONG_KINDS = [None, "text", b"bytes", 3.5, True, [], (n for n in range(3)), raises, object(), int]


def reject(exercise: Exercise, answers: dict[str, Any]) -> None:
    """Each answer is wrong, for a reason that holds the given words."""
    for words, answer in answers.items():
        result = exercise.check(answer)
        assert (result.outcome, result.points) == ("wrong", 0), result
        assert words in result.reason, result.reason


def accept(exercise: Exercise, *answers: Any) -> None:
    """Each answer is right, in the learner's notebook and when it is graded."""
    for answer in answers:
        for given in (answer, through(answer)) if exercise.where == "outside" else (answer,):
            result = exercise.check(given)
            assert (result.outcome, result.points) == ("right", exercise.points), result


def accept_solution(exercise: Exercise, name: str, **namespace: Any) -> None:
    """The solution that the exercise shows is right when it is run."""
    code = exercise.solution().code
    exec(code, namespace)
    accept(exercise, namespace[name])


def refuse_the_rest(exercise: Exercise) -> None:
    """The blank is not attempted, answers of the wrong kind are wrong, and there are three hints."""
    assert exercise.check(...).outcome == "not attempted"
    for answer in WRONG_KINDS:
        assert exercise.check(answer).outcome == "wrong", answer
    told = {exercise.hint(n).text for n in (1, 2, 3)}
    assert len(told) == 3
