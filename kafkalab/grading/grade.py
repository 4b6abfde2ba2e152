"""grade: run the notebooks that learners handed in, each beside a cluster of its own, and judge them from outside."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from kafkalab.exercises.course import exercises_of
from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.result import OUTCOMES, Result
from kafkalab.grading.report import GradeReport, Learner, NotebookGrade
from kafkalab.grading.restore import Book, NoNotebook, Restored, lab_of, labs, original, read, restore, traces
from kafkalab.grading.roster import owner
from kafkalab.grading.run import Options, Run, run, try_sandbox
from kafkalab.grading.runner import Cases
from kafkalab.progressbar import Report, silent


@dataclass(slots=True)
class _Job:
    """A hand-in: its grade, as far as it is known, and what to run; ``None`` if it is no notebook of a lab."""

    grade: NotebookGrade
    restored: Restored | None = None

    @property
    def exercises(self) -> tuple[Exercise, ...]:
        """The exercises of its lab."""
        return exercises_of(self.grade.lab)(None) if self.grade.lab else ()

    @property
    def length(self) -> int:
        """The number of its steps, for the progress."""
        return len(self.restored.steps) if self.restored is not None else 1

    def unjudged(self, why: str) -> None:
        """Tell that none of it can be judged."""
        self.grade.questions = tuple(one.told("could not be judged", why) for one in self.exercises)
        self.grade.stopped = (why,)


def grade(
    notebooks: Sequence[str | Path],
    options: Options | None = None,
    *,
    roster: Sequence[Learner] = (),
    known: Iterable[NotebookGrade] = (),
    each: Callable[[GradeReport], None] = lambda so_far: None,
    progress: Report = silent,
) -> GradeReport:
    """Run each notebook's answers in the lab's own notebook, with a fresh kernel and cluster; judge from outside.

    Nothing that a notebook displays counts, and its file is not changed. A file that is no notebook gets a grade, too.
    If a notebook cannot be run, even at the second try, its grade says so (``failed``), and the others go on.

    :param roster: the learners of the class.
    :param known: grades of an earlier run; a file that has not changed since is not run again, unless it failed.
    :param each: called with the report so far whenever a notebook has been graded.
    :raises BadInput: the cases are not in order; nothing has been run then.
    :raises KafkalabError: no sandbox can be made here, or the grading was interrupted.
    """
    options = options or Options()
    if options.isolate:
        try_sandbox()
    originals = {lab: original(path) for lab, path in labs().items()}
    todo = [_prepare(Path(path), originals) for path in notebooks]
    missing = _tell_whose(todo, roster) if roster else ()
    earlier = {(one.notebook, one.sha256): one for one in known if one.sha256 and not one.failed}
    cases = {lab: Cases.read(options.cases, lab) for lab in {"00", *(job.grade.lab for job in todo)}}
    graded: set[int] = set()
    lock, cancelled = threading.Lock(), threading.Event()
    done, total = 0, sum(job.length for job in todo)

    def tell(steps: int, job: _Job) -> None:
        nonlocal done
        with lock:
            done += steps
            progress(min(done, total), total, Path(job.grade.notebook).name)

    def so_far() -> GradeReport:
        return GradeReport(tuple(todo[at].grade for at in sorted(graded)), missing)

    def one(at: int) -> None:
        job = todo[at]
        before = earlier.get((job.grade.notebook, job.grade.sha256))
        if before is None and (restored := job.restored) is not None:
            _run(
                job,
                restored,
                lambda: run(restored, job.grade.lab, options, cases[job.grade.lab], cancelled, lambda: tell(1, job)),
                cancelled,
            )
        else:
            tell(job.length, job)
        if before is not None:
            for name in ("questions", "stopped", "reported", "seconds"):
                setattr(job.grade, name, getattr(before, name))
        with lock:
            graded.add(at)
            each(so_far())

    with ThreadPoolExecutor(max_workers=options.jobs) as pool:
        try:
            for _ in pool.map(one, range(len(todo))):
                pass
        except BaseException:
            cancelled.set()
            pool.shutdown(cancel_futures=True)
            raise
    return so_far()


def _prepare(path: Path, originals: dict[str, Book]) -> _Job:
    try:
        book = read(path)
        lab = lab_of(book, path.name, originals)
        named = f" (it names the lab {book.lab!r})" if book.lab else ""
        problem = "" if lab else f"This is not a notebook of a lab that can be graded{named}."
    except NoNotebook as no:
        book, problem = Book(()), str(no)
        lab = lab_of(book, path.name, originals)
    job = _Job(NotebookGrade(str(path), lab=lab, sha256=book.sha256))
    if problem:
        job.unjudged(problem)
        return job
    job.restored = restore(originals[lab], book)
    reported = [*traces(originals[lab], job.restored, {one.id: one.solution().code for one in job.exercises})]
    if book.lab and book.lab != lab:
        reported.insert(0, f"The notebook says it is lab {book.lab[:20]!r}, but its cells are those of lab {lab}.")
    job.grade.reported = (*reported, *job.restored.reported)
    job.grade.answers = job.restored.answers
    return job


def _tell_whose(jobs: list[_Job], roster: Sequence[Learner]) -> tuple[Learner, ...]:
    """Give each hand-in its learner; return the learners without a hand-in."""
    by: dict[tuple[Learner, str], list[NotebookGrade]] = {}
    for one in (job.grade for job in jobs):
        one.learner = owner(roster, Path(one.notebook), one.title)
        if one.learner is None:
            one.whose = "The roster does not tell whose file this is: its name fits no learner, or several."
        else:
            by.setdefault((one.learner, one.lab), []).append(one)
    for (learner, lab), several in by.items():
        if lab and len(several) > 1:
            files = ", ".join(one.notebook for one in several)
            for one in several:
                one.whose = f"Lab {lab} was handed in {len(several)} times by {learner.name}: {files}."
    there = {learner for learner, _ in by}
    return tuple(learner for learner in roster if learner not in there)


def _run(job: _Job, restored: Restored, run_it: Callable[[], Run], cancelled: threading.Event) -> None:
    """Run a hand-in, and grade it; a second time if nothing of it had run at the first."""
    began = time.monotonic()
    for last in (False, True):
        try:
            found = run_it()
            break
        except Exception as error:  # whatever one hand-in does, the others are graded
            if cancelled.is_set():
                raise
            if last:
                job.unjudged(f"The notebook could not be run: {' '.join(str(error).split())}"[:1000])
                job.grade.failed = True
                return
    job.grade.questions = tuple(_question(one, found, restored) for one in job.exercises)
    job.grade.stopped = tuple(found.stopped)
    job.grade.reported += tuple(found.reported)
    job.grade.seconds = time.monotonic() - began


def _question(exercise: Exercise, found: Run, restored: Restored) -> Result:
    """Return the result of an exercise, with the lab's points; an exercise that was not judged gets one as well."""
    match found.questions.get(exercise.id):
        case {"outcome": outcome, "reason": str(reason)} if outcome in OUTCOMES:
            return exercise.told(outcome, reason)
    if exercise.id in restored.untouched:
        return exercise.told("not attempted", "There is no answer: its cell is unchanged or missing.")
    why = found.stopped[-1] if found.stopped else "The notebook ended before it reached this check."
    return exercise.told("could not be judged", why)
