"""Runs and judges one notebook in a process of its own: ``python -m kafkalab.grading.runner``.

:mod:`kafkalab.grading.run` starts it, perhaps in a sandbox, and gives it its task as a line of JSON on standard input.
It starts a cluster, runs the notebook's cells in a kernel, judges each answer at the place of its check, and writes
what it finds as lines of JSON to standard output. When its input closes, it ends everything.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from kafkalab.errors import BadInput, KafkalabError
from kafkalab.exercises.course import exercises_of
from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.judging import NotAttempted, Wrong, call, is_blank, listed, patience
from kafkalab.exercises.result import OUTCOMES, Result
from kafkalab.grading.kernel import Kernel, KernelGone, Limits, Stopped, TooSlow, descendants, end, remove
from kafkalab.grading.restore import Step
from kafkalab.grading.values import Malformed
from kafkalab.handles.cluster import Cluster

# --- Hidden cases: an instructor's further tests of an answer, beside the lab's own check. They never leave the grader.


#: The reason that a learner gets if a case fails and says nothing itself.
HIDDEN = "Your answer passes the lab's own check, but it fails one of your instructor's further cases."


@dataclass(frozen=True, slots=True)
class Cases:
    """The hidden cases of one lab: the text of a Python file with a function for each exercise.

    ``def judge_02_1(answer, cluster)`` raises ``Wrong("Try it with more partitions.")`` for a wrong answer.
    """

    code: str = ""

    @classmethod
    def read(cls, folder: Path | None, lab: str) -> Cases:
        """Read the cases of a lab from a folder (``cases_02.py``); without a folder there are none.

        :raises BadInput: the folder is missing, or its file cannot be used.
        """
        if folder is None:
            return cls()
        if not folder.is_dir():
            raise BadInput(f"{folder} is not a folder.", do="Give the folder with your cases: cases_02.py …")
        path = folder / f"cases_{lab}.py"
        try:
            found = cls(path.read_text(encoding="utf-8") if path.is_file() else "")
            found._names()
        except Exception as error:  # whatever the instructor's code does when it is loaded
            raise BadInput(f"{path} cannot be run.", seen=f"{type(error).__name__}: {error}") from error
        return found

    def _names(self) -> dict[str, Any]:
        names: dict[str, Any] = {"Wrong": Wrong, "call": partial(call, returns=False), "listed": listed}
        exec(compile(self.code, "the instructor's cases", "exec"), names)
        return names

    def judge(self, exercise: Exercise, answer: Any, cluster: Cluster) -> Result | None:
        """Try the cases on an answer that the lab's check found right; return None if it passes them too."""
        try:
            judge = self._names().get(f"judge_{exercise.id.replace('.', '_')}")
            if judge is not None:
                judge(answer, cluster)
        except (Wrong, NotAttempted) as no:
            return exercise.told("wrong", str(no) or HIDDEN)
        except Exception as error:
            why = error.what if isinstance(error, KafkalabError) else f"{type(error).__name__}: {error}"
            return exercise.told("could not be judged", f"The instructor's cases did not work: {why}")
        return None


# --- The runner of one notebook, which judges its answers.


#: Seconds that a check in the kernel itself may take: some start a stream.
_INSIDE = 300.0
#: What is said in isolation of an answer that its own kernel found right.
_OPEN = "The notebook's own kernel found this right, which is no proof: read the answer, and give the points yourself."


@dataclass(slots=True)
class Runner:
    """Runs and judges one notebook.

    ``untouched``: exercises without an answer. ``isolated``: whether what a kernel says of itself counts for nothing.
    ``say``: sends what is found to the process that started this one. ``errors``: step → the error that stopped its
    cell.
    """

    cluster: Cluster
    kernel: Kernel
    exercises: Mapping[str, Exercise]
    steps: Sequence[Step]
    untouched: frozenset[str]
    cases: Cases
    isolated: bool
    say: Callable[..., None]
    errors: dict[int, str] = field(default_factory=dict)

    @classmethod
    def start(cls, spec: Mapping[str, Any], say: Callable[..., None]) -> Runner:
        """Start the cluster and the kernel for a task of :mod:`kafkalab.grading.run`."""
        cluster = Cluster(name=spec["cluster"], mode=spec["mode"], throw_away=True, quiet=True)
        # The cluster runs by now, and so does not belong to the notebook.
        kernel = Kernel(Path(spec["folder"]), Limits(**spec["limits"]))
        return cls(
            cluster,
            kernel,
            {one.id: one for one in exercises_of(spec["lab"])(cluster)},
            [Step(**step) for step in spec["steps"]],
            frozenset(spec["untouched"]),
            Cases(spec["cases"]),
            spec["isolated"],
            say,
        )

    def run(self) -> None:
        """Run all cells, and judge all answers."""
        limits = self.kernel.limits
        self.kernel.start()
        began = time.monotonic()
        for at, step in enumerate(self.steps):
            self.say(step=at)
            if step.checks:
                self.say(question=self.judge(at).to_dict(), exercise=step.checks)
            elif step.source.strip():
                left = limits.notebook_seconds * patience() - (time.monotonic() - began)
                self._run_cell(at, step, max(1.0, min(limits.cell_seconds * patience(), left)))
        self.close()
        self.say(done=True)

    def close(self) -> None:
        """End the kernel and the processes that the notebook has left behind, then stop the cluster."""
        self.kernel.close()
        self.cluster.stop()
        # What a notebook had the cluster's own processes start.
        end(descendants)

    def _run_cell(self, at: int, step: Step, seconds: float) -> None:
        """Run a cell; keep and report the error that stopped it, in one line."""
        try:
            self.kernel.run(step.source, seconds)
            return
        except TooSlow:
            what = f"it was interrupted after {seconds:.0f} s"
        except (Stopped, KernelGone) as error:
            what = str(error)
        if what != self.kernel.gone or what not in self.errors.values():  # the latter is said once
            self.errors[at] = what
            self.say(stopped=f"{f'Cell {step.number}' if step.number else 'A cell of the lab'} stopped: {what}")

    def judge(self, at: int) -> Result:
        """Judge the answer that is checked at a step, with the kernel and the cluster as they are now."""
        step = self.steps[at]
        exercise = self.exercises[step.checks]
        try:
            answer = self.kernel.value(step.expression)
            if exercise.where == "kernel" and not is_blank(answer):
                result = self._inside(exercise, step.expression)
            else:
                result = exercise.check(answer)
        except Wrong as no:
            return self._without_answer(at, exercise, step.expression, str(no))
        except TooSlow as slow:
            return exercise.told("wrong", f"The evaluation of `{step.expression}` {slow}.")
        except KernelGone as gone:
            if exercise.id in self.untouched:
                return exercise.told("not attempted", "There is no answer: its cell is unchanged or missing.")
            return exercise.told("could not be judged", str(gone))
        except Malformed:
            self.say(reported=f"The answer to {exercise.id} could not be read. It may have been hidden on purpose.")
            return exercise.told("wrong", "The answer cannot be read.")
        if result.outcome == "right":
            result = self.cases.judge(exercise, answer, self.cluster) or result
        if result.outcome == "could not be judged":
            self._tell_of_nodes(exercise.id)
        return result

    def _without_answer(self, at: int, exercise: Exercise, expression: str, raised: str) -> Result:
        """Return the result if the expression has no value: decide whether the answer or the lab is at fault."""
        if exercise.id in self.untouched:
            return exercise.told("not attempted", "There is no answer.")
        since = max((n for n in range(at) if self.steps[n].answers == exercise.id), default=at)
        for n, error in sorted(self.errors.items()):
            if n < at and not (self.steps[n].answers == exercise.id or self.steps[n].learners):
                # A lab that broke down before the exercise is not the answer's fault.
                return exercise.told("could not be judged", f"An earlier cell of the lab stopped: {error}")
        stopped = [error for n, error in sorted(self.errors.items()) if since <= n < at]
        return exercise.told("wrong", f"The cell stopped: {stopped[0]}" if stopped else f"`{expression}` {raised}")

    def _inside(self, exercise: Exercise, expression: str) -> Result:
        """Let the notebook's kernel judge an answer that needs the kernel's own Spark; see docs/grading.md."""
        request = {"do": "check", "expression": expression, "exercise": exercise.id, "cluster": self.cluster.name}
        try:
            said = self.kernel.ask(request, _INSIDE * patience())
        except (Wrong, Malformed) as no:
            return exercise.told(
                "could not be judged", f"The check in the notebook's kernel could not finish. {no}".strip()
            )
        match said:
            case [str(outcome), str(reason)] if outcome in OUTCOMES:
                if self.isolated and outcome == "right":
                    # A notebook can make its own kernel say anything.
                    return exercise.told("could not be judged", f"{_OPEN} It said: {reason[:2000]}")
                return exercise.told(outcome, reason[:2000])
        return exercise.told("could not be judged", "Something in the notebook disturbed the check.")

    def _tell_of_nodes(self, exercise: str) -> None:
        try:
            down = [node.name for node in self.cluster.nodes() if node.state != "running"]
        except (KafkalabError, OSError):
            self.say(reported=f"When {exercise} was judged, the cluster itself was gone.")
            return
        if down:
            self.say(reported=f"When {exercise} was judged, these nodes were not running: {', '.join(down)}.")


# --- The process.


def _keep_apart() -> None:
    """Forbid this user's other processes to look into this one, and adopt all that its children leave behind."""
    if sys.platform == "linux":
        set_dumpable, set_child_subreaper = 4, 36
        libc = ctypes.CDLL(None, use_errno=True)
        libc.prctl(set_dumpable, 0, 0, 0, 0)
        libc.prctl(set_child_subreaper, 1, 0, 0, 0)


def main() -> None:
    """Do the task that standard input gives."""
    task, out = os.dup(0), os.dup(1)
    # Nothing that is started from here gets these two; what they print goes to the log.
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    _keep_apart()
    # A handler of its own, because a first process is sent only what it handles, and its children start with none.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: None)
    asked = os.fdopen(task, "rb", buffering=0)
    spec = json.loads(asked.readline())
    runners: list[Runner] = []

    def say(**what: Any) -> None:
        line = json.dumps(what).encode() + b"\n"
        with contextlib.suppress(BrokenPipeError):
            while line:
                line = line[os.write(out, line) :]

    def wait_for_the_end() -> None:
        asked.read()
        for runner in runners:
            with contextlib.suppress(Exception):
                runner.close()
        remove(Path(spec["folder"]))
        os._exit(3)

    threading.Thread(target=wait_for_the_end, name="grade-tie", daemon=True).start()
    try:
        runners.append(Runner.start(spec, say))
    except Exception as error:
        say(failed=str(error) or type(error).__name__)
        raise
    runners[0].run()


if __name__ == "__main__":
    main()
