"""grade: run the notebooks that learners handed in, each beside a cluster of its own, and judge them from outside."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from kafkalab.exercises.course import exercises_of
from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.result import OUTCOMES, Result
from kafkalab.grading.kernel import Limits
from kafkalab.grading.report import GradeReport, Learner, NotebookGrade
from kafkalab.grading.restore import Book, NoNotebook, Restored, lab_of, labs, original, read, restore, traces
from kafkalab.grading.roster import Roster
from kafkalab.grading.run import Run, run, sandbox
from kafkalab.grading.runner import Cases
from kafkalab.progressbar import Report, silent


@dataclass(slots=True)
class _Job:
    """A hand-in: what is known of it before it is run, and what to run; ``None`` if it is no notebook of a lab."""

    known: NotebookGrade
    restored: Restored | None = None

    @property
    def exercises(self) -> tuple[Exercise, ...]:
        """The exercises of its lab."""
        return exercises_of(self.known.lab)(None) if self.known.lab else ()

    @property
    def length(self) -> int:
        """The number of its steps, for the progress."""
        return len(self.restored.steps) if self.restored is not None else 1


def grade(
    notebooks: Sequence[str | Path],
    *,
    limits: Limits | None = None,
    cases: Path | None = None,
    mode: str = "zookeeper",
    isolate: bool = False,
    jobs: int = 1,
    roster: Roster | None = None,
    known: Iterable[NotebookGrade] = (),
    each: Callable[[GradeReport], None] = lambda so_far: None,
    progress: Report = silent,
) -> GradeReport:
    """Run each notebook's answers in the lab's own notebook, with a fresh kernel and cluster; judge from outside.

    Nothing that a notebook displays counts, and its file is not changed. A file that is no notebook gets a grade, too.
    If a notebook cannot be run, even at the second try, its grade says so (``failed``), and the others go on.

    :param limits: limits of each notebook.
    :param cases: a folder of hidden cases.
    :param mode: mode of the clusters.
    :param isolate: whether each notebook is run in a sandbox: :func:`kafkalab.grading.run.sandbox`.
    :param jobs: number of notebooks that run side by side.
    :param roster: the learners of the class.
    :param known: grades of an earlier run; a file that has not changed since is not run again, unless it failed.
    :param each: called with the report so far whenever a notebook has been graded.
    :raises BadInput: the cases are not in order; nothing has been run then.
    :raises KafkalabError: no sandbox can be made here, or the grading was interrupted.
    """
    if isolate:
        sandbox()
    originals = {lab: original(path) for lab, path in labs().items()}
    todo = [_prepare(Path(path), originals) for path in notebooks]
    missing = _tell_whose(todo, roster) if roster is not None else ()
    earlier = {(one.notebook, one.sha256): one for one in known if one.sha256 and not one.failed}
    hidden = {lab: Cases.read(cases, lab) for lab in {"00", *(job.known.lab for job in todo)}}
    graded: dict[int, NotebookGrade] = {}
    lock, cancelled = threading.Lock(), threading.Event()
    done, total = 0, sum(job.length for job in todo)

    def tell(steps: int, job: _Job) -> None:
        nonlocal done
        with lock:
            done += steps
            progress(min(done, total), total, Path(job.known.notebook).name)

    def run_it(job: _Job, restored: Restored) -> Run:
        return run(
            restored,
            job.known.lab,
            limits=limits or Limits(),
            cases=hidden[job.known.lab],
            mode=mode,
            isolate=isolate,
            cancelled=cancelled,
            progress=lambda at, of: tell(1, job),
        )

    def one(at: int) -> None:
        job = todo[at]
        before = earlier.get((job.known.notebook, job.known.sha256))
        if before is not None or job.restored is None:
            tell(job.length, job)
        if before is not None:
            job.known = replace(
                job.known,
                questions=before.questions,
                stopped=before.stopped,
                reported=before.reported,
                seconds=before.seconds,
            )
        elif job.restored is not None:
            job.known = _run(job, job.restored, run_it, cancelled)
        with lock:
            graded[at] = job.known
            each(GradeReport(tuple(graded[at] for at in sorted(graded)), missing))

    with ThreadPoolExecutor(max_workers=jobs) as pool:
        try:
            for _ in pool.map(one, range(len(todo))):
                pass
        except BaseException:
            cancelled.set()
            pool.shutdown(cancel_futures=True)
            raise
    return GradeReport(tuple(graded[at] for at in sorted(graded)), missing)


def _prepare(path: Path, originals: dict[str, Book]) -> _Job:
    try:
        book = read(path)
        lab = lab_of(book, path.name, originals)
        named = f" (it names the lab {book.lab!r})" if book.lab else ""
        problem = "" if lab else f"This is not a notebook of a lab that can be graded{named}."
    except NoNotebook as no:
        book, problem = Book(()), str(no)
        lab = lab_of(book, path.name, originals)
    job = _Job(NotebookGrade(str(path), lab=lab, title=labs()[lab].stem if lab else "", sha256=book.sha256))
    if problem:
        job.known = _unjudged(job, problem)
        return job
    job.restored = restore(originals[lab], book)
    reported = [*traces(originals[lab], job.restored, {one.id: one.solution().code for one in job.exercises})]
    if book.lab and book.lab != lab:
        reported.insert(0, f"The notebook says it is lab {book.lab[:20]!r}, but its cells are those of lab {lab}.")
    job.known = replace(job.known, reported=(*reported, *job.restored.reported), answers=job.restored.answers)
    return job


def _unjudged(job: _Job, why: str) -> NotebookGrade:
    questions = tuple(one.told("could not be judged", why) for one in job.exercises)
    return replace(job.known, questions=questions, stopped=(why,))


def _tell_whose(jobs: list[_Job], roster: Roster) -> tuple[Learner, ...]:
    """Give each hand-in its learner; return the learners without a hand-in."""
    by: dict[tuple[Learner, str], list[_Job]] = {}
    for job in jobs:
        learner = roster.owner(Path(job.known.notebook), job.known.title)
        whose = "" if learner else "The roster does not tell whose file this is: its name fits no learner, or several."
        job.known = replace(job.known, learner=learner, whose=whose)
        if learner is not None:
            by.setdefault((learner, job.known.lab), []).append(job)
    for (learner, lab), several in by.items():
        if lab and len(several) > 1:
            files = ", ".join(job.known.notebook for job in several)
            for job in several:
                whose = f"Lab {lab} was handed in {len(several)} times by {learner.name}: {files}."
                job.known = replace(job.known, whose=whose)
    return roster.without(learner for learner, _ in by)


def _run(
    job: _Job, restored: Restored, run_it: Callable[[_Job, Restored], Run], cancelled: threading.Event
) -> NotebookGrade:
    """Run a hand-in, and return its grade; a second time if nothing of it had run at the first."""
    began = time.monotonic()
    for last in (False, True):
        try:
            found = run_it(job, restored)
            break
        except Exception as error:  # whatever one hand-in does, the others are graded
            if cancelled.is_set():
                raise
            if last:
                why = f"The notebook could not be run: {' '.join(str(error).split())}"[:1000]
                return replace(_unjudged(job, why), failed=True)
    return replace(
        job.known,
        questions=tuple(_question(one, found, restored) for one in job.exercises),
        stopped=tuple(found.stopped),
        reported=(*job.known.reported, *found.reported),
        seconds=time.monotonic() - began,
    )


def _question(exercise: Exercise, found: Run, restored: Restored) -> Result:
    """Return the result of an exercise, with the lab's points; an exercise that was not judged gets one as well."""
    match found.questions.get(exercise.id):
        case {"outcome": outcome, "reason": str(reason)} if outcome in OUTCOMES:
            return exercise.told(outcome, reason)
    if exercise.id in restored.untouched:
        return exercise.told("not attempted", "There is no answer: its cell is unchanged or missing.")
    why = found.stopped[-1] if found.stopped else "The notebook ended before it reached this check."
    return exercise.told("could not be judged", why)
