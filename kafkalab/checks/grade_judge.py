"""Judges one notebook's answers, in a process that the notebook does not run in."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import TYPE_CHECKING

from kafkalab.checks.exercise import OUTCOMES, Exercise, Result
from kafkalab.checks.grade_cases import Cases
from kafkalab.checks.grade_kernel import Kernel, KernelGone, TooSlow
from kafkalab.checks.grade_restore import Step
from kafkalab.checks.grade_wire import Malformed
from kafkalab.checks.judging import Wrong, is_blank
from kafkalab.errors import KafkalabError

if TYPE_CHECKING:
    from kafkalab.cluster.cluster import Cluster

#: Seconds for a check that runs in the kernel itself: some start a stream.
_INSIDE = 300.0


@dataclass(slots=True)
class Judging:
    """What is known of a notebook while it runs.

    ``untouched``: exercises that nobody answered. ``errors``: the step at which a cell stopped, and with what.
    ``reported``: sentences for the instructor.
    """

    cluster: Cluster
    exercises: Mapping[str, Exercise]
    steps: Sequence[Step]
    untouched: frozenset[str]
    cases: Cases
    errors: dict[int, str] = field(default_factory=dict)
    reported: list[str] = field(default_factory=list)

    def judge(self, at: int, kernel: Kernel | None, gone: str) -> Result:
        """What the answer checked at a step is worth, as the kernel and the cluster are now.

        :param gone: why there is no kernel, where there is none.
        """
        step = self.steps[at]
        exercise = self.exercises[step.checks]
        if kernel is None or not kernel.is_alive:
            return self._without_kernel(exercise, gone if kernel is None else kernel.gone)
        try:
            answer = kernel.value(step.expression)
        except Wrong as no:
            return self._without_answer(at, exercise, step.expression, str(no))
        except TooSlow as slow:
            return exercise.told("wrong", f"Looking at `{step.expression}` {slow}.")
        except KernelGone as end:
            return self._without_kernel(exercise, str(end))
        except Malformed:
            self.reported.append(f"The notebook hid its answer to {exercise.id}, or made one that nobody can read.")
            return exercise.told("wrong", "The answer cannot be read.")
        if exercise.where == "kernel" and not is_blank(answer):
            result = self._inside(exercise, kernel, step.expression)
        else:
            result = exercise.check(answer)
        if result.outcome == "right":
            result = self.cases.judge(exercise, answer, self.cluster) or result
        if result.outcome == "could not be judged":
            self._tell_of_nodes(exercise.id)
        return result

    def _without_kernel(self, exercise: Exercise, gone: str) -> Result:
        if exercise.id in self.untouched:
            return exercise.told("not attempted", "Its cell is as it was given.")
        return exercise.told("could not be judged", gone)

    def _without_answer(self, at: int, exercise: Exercise, expression: str, raised: str) -> Result:
        """The expression has no value; whose fault that is."""
        if exercise.id in self.untouched:
            return exercise.told("not attempted", "There is no answer.")
        own = [n for n in range(at) if self.steps[n].answers == exercise.id or self.steps[n].learners]
        for n, error in sorted(self.errors.items()):
            if n < at and n not in own:
                # A lab that broke down before the exercise is not the answer's fault.
                return exercise.told("could not be judged", f"A cell of the lab stopped before: {error}")
        since = max((n for n in range(at) if self.steps[n].answers == exercise.id), default=at)
        stopped = [error for n, error in sorted(self.errors.items()) if since <= n < at]
        if stopped:
            return exercise.told("wrong", f"The cell stopped with {stopped[0]}")
        return exercise.told("wrong", f"`{expression}` {raised}")

    def _inside(self, exercise: Exercise, kernel: Kernel, expression: str) -> Result:
        """Judge in the kernel, with a copy of kafkalab that the notebook has not touched; see docs/grading.md."""
        word = secrets.token_hex(16)
        request = {
            "exercise": exercise.id,
            "expression": expression,
            "cluster": self.cluster.name,
            "word": word,
            "package": str(resources.files("kafkalab")),
        }
        snippet = resources.files("kafkalab.checks").joinpath("grade_within.py").read_text(encoding="utf-8")
        run = f"exec(compile({snippet!r}, 'grade_within.py', 'exec', dont_inherit=True), own)"
        asked = f"(lambda own: ({run}, own['judged'](globals(), {request!r}))[1])({{'__name__': 'within'}})"
        try:
            digits = kernel.run(f"_kafkalab_said = {asked}", "_kafkalab_said", _INSIDE)
            said = json.loads(bytes.fromhex(digits.strip("'\"")))
        except KernelGone as end:
            return self._without_kernel(exercise, str(end))
        except TooSlow as slow:
            return exercise.told("wrong", f"The check of `{expression}` {slow}.")
        except (Malformed, ValueError, RecursionError):
            said = None
        match said:
            case {"word": str(given), "outcome": str(outcome), "reason": str(reason), "changed": []} if (
                secrets.compare_digest(given, word) and outcome in OUTCOMES
            ):
                return exercise.told(outcome, reason[:2000])
            case {"changed": [*changed]} if changed:
                self.reported.append(f"The notebook had changed what Python is made of: {str(changed)[:300]}.")
        return exercise.told("could not be judged", "The check was disturbed from within the notebook.")

    def _tell_of_nodes(self, exercise: str) -> None:
        try:
            down = [node.name for node in self.cluster.nodes() if node.state != "running"]
        except (KafkalabError, OSError):
            self.reported.append(f"When {exercise} was judged, the cluster itself was gone.")
            return
        if down:
            self.reported.append(f"When {exercise} was judged, these were not running: {', '.join(down)}.")
