"""Answers to a lab's exercises that are known to be wrong or right, and their check's word on each."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from kafka import KafkaConsumer, TopicPartition
from kafka.structs import OffsetAndMetadata

from kafkalab.exercises.course import exercises_of
from kafkalab.exercises.exercise import Exercise
from kafkalab.grading.values import answer as answered
from kafkalab.grading.values import read


@dataclass(frozen=True)
class Answers:
    """``wrong``: a word of the reason → the answer. ``right``: further forms. ``undo``: called afterwards.

    ``tries``: so often is each tried, where the reason depends on the case that happens to come first.
    """

    wrong: dict[str, Any]
    right: Sequence[Any] = ()
    undo: Callable[[], object] = lambda: None
    tries: int = 1

    def __call__(self, cluster: object = None) -> Answers:
        """Itself: where others are made for a cluster, these need not be."""
        return self

    def of_today(self) -> Answers:
        """With a third of the wrong answers, another one each day; with all where ``KAFKALAB_ANSWERS`` is "all"."""
        if os.environ.get("KAFKALAB_ANSWERS") == "all":
            return self
        day = date.today().toordinal()
        return replace(self, wrong={w: a for at, (w, a) in enumerate(self.wrong.items()) if (at + day) % 3 == 0})

    def tried_with(self, exercise: Exercise) -> None:
        """Fails unless the check finds each of them wrong for that reason, or right."""
        try:
            reject(exercise, self.wrong, self.tries)
            accept(exercise, *self.right)
        finally:
            self.undo()


def refused(cluster: Any, id: str, answer: Any, words: str) -> None:
    """The answer is wrong at this moment, for a reason that holds these words: for states that go on afterwards."""
    (exercise,) = [one for one in exercises_of(id.partition(".")[0])(cluster) if one.id == id]
    reject(exercise, {words: answer})


def committed(cluster: Any, group: str, topic: str, offset: int) -> None:
    """The group's committed offset in partition 0 of a topic is this one from now on."""
    place = TopicPartition(topic, 0)
    consumer = KafkaConsumer(bootstrap_servers=cluster.bootstrap_servers, group_id=group)
    consumer.assign([place])
    consumer.commit({place: OffsetAndMetadata(offset, "", -1)})
    consumer.close()


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


def reject(exercise: Exercise, answers: dict[str, Any], tries: int = 1) -> None:
    """Each answer is wrong, for a reason that holds the given words."""
    for words, answer in answers.items():
        results = [exercise.check(answer) for _ in range(tries)]
        assert {(result.outcome, result.points) for result in results} == {("wrong", 0)}, (words, results)
        assert any(words in result.reason for result in results), (words, results)


def accept(exercise: Exercise, *answers: Any) -> None:
    """Each answer is right, in the learner's notebook and when it is graded."""
    for answer in answers:
        result = exercise.check(answer)
        assert (result.outcome, result.points) == ("right", exercise.points), result
        accept_graded(exercise, answer)


def accept_graded(exercise: Exercise, answer: Any) -> None:
    """The answer is right when it is graded, unless that happens where it was given."""
    if exercise.where == "outside":
        result = exercise.check(through(answer))
        assert (result.outcome, result.points) == ("right", exercise.points), result
