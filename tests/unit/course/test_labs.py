"""What every lab's exercises have in common, and the wrong answers to those that are judged without a cluster."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from kafkalab.errors import Unreachable
from kafkalab.exercises import topics
from kafkalab.exercises.course import exercises_of
from kafkalab.exercises.exercise import Exercise
from kafkalab.state.log.murmur2 import partition_of
from tests.support.answers import Answers, raises

NOTEBOOKS = sorted((Path(__file__).parents[3] / "labs").glob("[0-9][0-9]*_*.ipynb"))
LABS = [path.stem.partition("_")[0] for path in NOTEBOOKS]


class Gone:
    """A cluster of which no broker answers."""

    bootstrap_servers = "127.0.0.1:1"

    def snapshot(self) -> Any:
        raise Unreachable("No broker answers at 127.0.0.1:1.")

    def wait_for(self, *args: Any, **kwargs: Any) -> Any:
        return self.snapshot()

    def create_topic(self, *args: Any, **kwargs: Any) -> None:
        self.snapshot()


GONE: Any = Gone()
every_exercise = pytest.mark.parametrize(
    "exercise", [one for lab in LABS for one in exercises_of(lab)(GONE)], ids=lambda exercise: exercise.id
)


def answers(exercise: Exercise, table: str) -> Any:
    """What tests/labs/wrong has for an exercise, if it has it in that table."""
    return vars(import_module(f"tests.labs.wrong.lab_{exercise.id.partition('.')[0]}")).get(table, {}).get(exercise.id)


@every_exercise
def test_wrong_answers_are_known_and_refused(exercise: Exercise) -> None:
    """Those to an exercise that needs a cluster are tried where its lab is run."""
    alone = answers(exercise, "ALONE")
    assert (alone is None) != (answers(exercise, "ON_CLUSTER") is None)
    if alone:
        alone().tried_with(exercise)


@every_exercise
def test_two_misconceptions_and_two_valid_forms_are_tried_at_least(exercise: Exercise) -> None:
    """Those that are made for a cluster are counted where its lab is run."""
    for table in ("ALONE", "ON_CLUSTER"):
        tried = answers(exercise, table)
        if isinstance(tried, Answers):
            assert len(tried.wrong) >= 2 and len(tried.right) >= 2


@every_exercise
def test_blanks_and_answers_of_another_kind(exercise: Exercise) -> None:
    assert exercise.check(...).outcome == "not attempted"
    for answer in (None, b"bytes", 3.5, True, [], (n for n in range(3)), object()):
        outcome = exercise.check(answer).outcome
        # What is judged in a notebook's kernel asks for its Spark first.
        assert outcome == "wrong" or (exercise.where, outcome) == ("kernel", "could not be judged"), answer
    assert len({exercise.hint(n).text for n in (1, 2, 3)}) == 3


@every_exercise
def test_a_cluster_that_is_gone_is_nobodys_mistake(exercise: Exercise, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(topics, "_REACH", 0.1)
    some_of_which_fit = [
        raises,
        101,
        "127.0.0.1:1",
        ["text"],
        {0: 1.5},
        partition_of,
        lambda keys, *_: keys,
        lambda record: b"all",
    ]
    outcomes = {exercise.check(answer).outcome for answer in some_of_which_fit}
    assert outcomes <= {"wrong", "could not be judged"}
    if exercise.where == "outside":
        assert ("could not be judged" in outcomes) == (answers(exercise, "ON_CLUSTER") is not None)
