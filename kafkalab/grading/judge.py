"""Judges one notebook's answers, in a process that the notebook does not run in."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kafkalab.errors import BadInput, KafkalabError
from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.judging import NotAttempted, Wrong, call, is_blank, listed
from kafkalab.exercises.result import OUTCOMES, Result
from kafkalab.grading.kernel import Kernel, KernelGone, Malformed, TooSlow
from kafkalab.grading.restore import Step

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster

# --- Hidden cases: an instructor's further tests of an answer, beside the lab's own check. They never leave the grader.
#
# A folder of cases holds, for lab 02, ``02.json`` and ``cases_02.py``, or one of the two:
#
#     {"02.1": [{"args": ["a", 3], "returns": 1}, {"args": ["b", 3], "returns": 0}],
#      "02.2": [{"is": 7}]}
#
#     def judge_02_1(answer, cluster):
#         if call(answer, "a", 12) != 5:
#             raise Wrong("Try it with more partitions.")


#: The reason that a learner gets if a case fails. It does not tell the case itself.
HIDDEN = "Your answer passes the lab's own check, but it fails one of your instructor's further cases."


@dataclass(frozen=True, slots=True)
class Cases:
    """The hidden cases of one lab. ``plain``: the content of its JSON file; ``code``: the text of its Python file."""

    plain: dict[str, list[dict[str, Any]]]
    code: str = ""

    @classmethod
    def read(cls, folder: Path | None, lab: str) -> Cases:
        """Read the cases of a lab from a folder; without a folder there are none.

        :raises BadInput: the folder is missing, or one of its files cannot be used.
        """
        if folder is None:
            return cls({})
        if not folder.is_dir():
            raise BadInput(f"{folder} is not a folder.", do="Give the folder with your cases: 02.json, cases_02.py …")
        plain, code = folder / f"{lab}.json", folder / f"cases_{lab}.py"
        try:
            found = cls(
                _plain(plain) if plain.is_file() else {}, code.read_text(encoding="utf-8") if code.is_file() else ""
            )
            found.judges()
        except (OSError, ValueError) as error:
            raise BadInput(f"The cases in {folder} cannot be read.", seen=str(error)) from error
        except Exception as error:  # whatever the instructor's code does when it is loaded
            raise BadInput(f"{code} cannot be run.", seen=f"{type(error).__name__}: {error}") from error
        return found

    def judges(self) -> dict[str, Callable[[Any, Any], Any]]:
        """Return the functions in the Python file: exercise → function."""
        plain_call = partial(call, returns=False)
        names: dict[str, Any] = {"Wrong": Wrong, "call": plain_call, "listed": listed, "__name__": "cases"}
        exec(compile(self.code, "the instructor's cases", "exec"), names)
        return {
            name.removeprefix("judge_").replace("_", "."): judge
            for name, judge in names.items()
            if name.startswith("judge_") and callable(judge)
        }

    def judge(self, exercise: Exercise, answer: Any, cluster: Cluster) -> Result | None:
        """Try the cases on an answer that the lab's check found right; return None if it passes them too."""
        try:
            for case in self.plain.get(exercise.id, ()):
                _hold(case, answer)
            judge = self.judges().get(exercise.id)
            if judge is not None:
                judge(answer, cluster)
        except Wrong as no:
            return exercise.told("wrong", str(no) if str(no) else HIDDEN)
        except NotAttempted:
            return exercise.told("wrong", HIDDEN)
        except KafkalabError as error:
            return exercise.told("could not be judged", f"The instructor's cases did not work: {error.what}")
        except Exception as error:
            return exercise.told(
                "could not be judged", f"The instructor's cases did not work ({type(error).__name__}: {error})."
            )
        return None


def _hold(case: dict[str, Any], answer: Any) -> None:
    """Raise Wrong if an answer fails a case; the message does not say which case it was."""
    if "is" in case:
        if _plainly(answer) != _plainly(case["is"]):
            raise Wrong(HIDDEN)
        return
    try:
        given = call(answer, *case["args"], returns=False)
    except Wrong:
        raise Wrong(HIDDEN) from None
    if _plainly(given) != _plainly(case["returns"]):
        raise Wrong(HIDDEN)


def _plainly(value: Any) -> Any:
    """Make a value comparable with JSON: tuples become lists, and True is not equal to 1."""
    if isinstance(value, list | tuple):
        return [_plainly(one) for one in value]
    if isinstance(value, dict):
        return {str(key): _plainly(one) for key, one in value.items()}
    return ("bool", value) if isinstance(value, bool) else value


def _plain(path: Path) -> dict[str, list[dict[str, Any]]]:
    found = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(found, dict):
        raise ValueError(f"{path.name}: it must be a JSON object with the exercises' ids as keys")
    for id, cases in found.items():
        if not isinstance(cases, list):
            raise ValueError(f"{path.name}: {id} must have a list of cases")
        for case in cases:
            called = isinstance(case, dict) and "returns" in case and isinstance(case.get("args"), list)
            if not called and not (isinstance(case, dict) and "is" in case):
                raise ValueError(f'{path.name}: {id}: a case must be {{"args": […], "returns": …}} or {{"is": …}}')
    return found


#: Seconds that a check in the kernel itself may take: some start a stream.
_INSIDE = 300.0


@dataclass(slots=True)
class Judging:
    """The judge of one notebook, with everything that is known of it while it runs.

    ``untouched``: exercises without an answer. ``errors``: step → the error that stopped its cell.
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
        """Judge the answer that is checked at a step, with the kernel and the cluster as they are now.

        :param gone: the reason to give if there is no kernel.
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
            return exercise.told("wrong", f"The evaluation of `{step.expression}` {slow}.")
        except KernelGone as end:
            return self._without_kernel(exercise, str(end))
        except Malformed:
            self.reported.append(
                f"The answer to {exercise.id} could not be read. The notebook may have hidden it on purpose."
            )
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
            return exercise.told("not attempted", "There is no answer: its cell is unchanged or missing.")
        return exercise.told("could not be judged", gone)

    def _without_answer(self, at: int, exercise: Exercise, expression: str, raised: str) -> Result:
        """Return the result if the expression has no value: decide whether the answer or the lab is at fault."""
        if exercise.id in self.untouched:
            return exercise.told("not attempted", "There is no answer.")
        own = [n for n in range(at) if self.steps[n].answers == exercise.id or self.steps[n].learners]
        for n, error in sorted(self.errors.items()):
            if n < at and n not in own:
                # A lab that broke down before the exercise is not the answer's fault.
                return exercise.told("could not be judged", f"An earlier cell of the lab stopped: {error}")
        since = max((n for n in range(at) if self.steps[n].answers == exercise.id), default=at)
        stopped = [error for n, error in sorted(self.errors.items()) if since <= n < at]
        if stopped:
            return exercise.told("wrong", f"The cell stopped: {stopped[0]}")
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
        snippet = resources.files("kafkalab.grading.inside").joinpath("spark.py").read_text(encoding="utf-8")
        run = f"exec(compile({snippet!r}, 'spark.py', 'exec', dont_inherit=True), own)"
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
                self.reported.append(
                    f"The notebook had replaced parts of Python that checks rely on: {str(changed)[:300]}."
                )
        return exercise.told("could not be judged", "Something in the notebook disturbed the check.")

    def _tell_of_nodes(self, exercise: str) -> None:
        try:
            down = [node.name for node in self.cluster.nodes() if node.state != "running"]
        except (KafkalabError, OSError):
            self.reported.append(f"When {exercise} was judged, the cluster itself was gone.")
            return
        if down:
            self.reported.append(f"When {exercise} was judged, these nodes were not running: {', '.join(down)}.")
