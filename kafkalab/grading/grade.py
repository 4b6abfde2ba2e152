"""grade: run the notebooks that learners handed in, each beside a cluster of its own, and judge them from outside."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from kafkalab.errors import KafkalabError
from kafkalab.exercises.course import exercises_of
from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.result import Result
from kafkalab.grading.judge import Cases
from kafkalab.grading.limits import Limits
from kafkalab.grading.report import GradeReport, Learner, NotebookGrade
from kafkalab.grading.restore import FOLDERS, Book, NoNotebook, Restored, lab_of, labs, original, read, restore, traces
from kafkalab.grading.roster import Roster
from kafkalab.grading.run import Run, readable, run
from kafkalab.progressbar import Report, silent

# --- Seal: notices when files of kafkalab itself change while a notebook runs, which no honest notebook does.


_PACKAGE = Path(__file__).resolve().parent.parent
_KINDS = (".py", ".json", ".ipynb")

#: A file's times of change (mtime and ctime, ns) and its size. If one of them differs, the file was written to.
_Look = tuple[int, int, int]


#: Folders that are watched: the packages that judge, and the labs.
_JUDGES = (*(_PACKAGE / room for room in ("course", "exercises", "grading")), *FOLDERS)


class Seal:
    """The state of the files that judge, as they were when grading began.

    It only reports changes: in a checkout, the owner may be working on these files.
    """

    def __init__(self, folders: tuple[Path, ...] = _JUDGES) -> None:
        self._folders = folders
        self._files = self._looks()

    def broken(self) -> list[str]:
        """Return a sentence, in a list, if files have changed since the last call."""
        now = self._looks()
        changed = sorted(path.name for path in now.keys() | self._files if now.get(path) != self._files.get(path))
        self._files = now
        if not changed:
            return []
        shown = ", ".join(changed[:5]) + (f" and {len(changed) - 5} more" if len(changed) > 5 else "")
        return [
            f"Some of kafkalab's own files changed while the notebook ran: {shown}. If you did not change them, "
            "install kafkalab again."
        ]

    def _looks(self) -> dict[Path, _Look]:
        found: dict[Path, _Look] = {}
        for folder in self._folders:
            for path in folder.rglob("*"):
                if path.suffix in _KINDS and path.is_file():
                    state = path.stat()
                    found[path] = (state.st_mtime_ns, state.st_ctime_ns, state.st_size)
        return found


__all__ = ["GradeReport", "Limits", "NotebookGrade", "grade"]


@dataclass(slots=True)
class _Job:
    """A hand-in: the facts about its file, and the steps to run. ``problem``: why nothing is run."""

    path: Path
    problem: str = ""
    lab: str = ""
    title: str = ""
    restored: Restored | None = None
    reported: list[str] = field(default_factory=list)
    learner: Learner | None = None
    whose: str = ""
    sha256: str = ""


def grade(
    notebooks: Sequence[str | Path],
    *,
    limits: Limits | None = None,
    cases: Path | None = None,
    mode: str = "zookeeper",
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
    :param jobs: number of notebooks that run side by side.
    :param roster: the learners of the class.
    :param known: grades of an earlier run; a file that has not changed since is not run again, unless it failed.
    :param each: called with the report so far whenever a notebook has been graded.
    :raises BadInput: the cases are not in order; nothing has been run then.
    :raises KafkalabError: the grading was interrupted.
    """
    originals = {lab: original(path) for lab, path in labs().items()}
    titles = {lab: path.stem for lab, path in labs().items()}
    todo = [_prepare(Path(path), originals, titles) for path in notebooks]
    missing = _tell_whose(todo, roster) if roster is not None else ()
    earlier = {(one.notebook, one.sha256): one for one in known if one.sha256 and not one.failed}
    hidden = {job.lab: Cases.read(cases, job.lab) for job in todo if job.lab}
    if cases is not None:
        Cases.read(cases, "00")  # a path that is no folder is reported before anything runs
    work = _Work(limits or Limits(), hidden, mode, progress, sum(_length(job) for job in todo))
    graded: dict[int, NotebookGrade] = {}
    lock = threading.Lock()

    def so_far() -> GradeReport:
        return GradeReport(tuple(graded[at] for at in sorted(graded)), missing)

    def one(at: int) -> None:
        job = todo[at]
        before = earlier.get((str(job.path), job.sha256))
        found = work.again(job, before) if before is not None else work.grade(job)
        with lock:
            graded[at] = found
            each(so_far())

    readable_before = readable(False)
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        try:
            for _ in pool.map(one, range(len(todo))):
                pass
        except BaseException:
            work.cancelled.set()
            pool.shutdown(cancel_futures=True)
            raise
        finally:
            readable(readable_before)
    return so_far()


def _length(job: _Job) -> int:
    return len(job.restored.steps) if job.restored is not None else 1


def _prepare(path: Path, originals: dict[str, Book], titles: dict[str, str]) -> _Job:
    try:
        book = read(path)
    except NoNotebook as no:
        lab = lab_of(Book(()), path.name, originals)
        return _Job(path, str(no), lab, titles.get(lab, ""))
    lab = lab_of(book, path.name, originals)
    if not lab:
        said = f" (it names the lab {book.lab!r})" if book.lab else ""
        return _Job(path, f"This is not a notebook of a lab that can be graded{said}.")
    restored = restore(originals[lab], book)
    job = _Job(path, "", lab, titles[lab], restored, sha256=book.sha256)
    if book.lab and book.lab != lab:
        job.reported.append(f"The notebook says it is lab {book.lab[:20]!r}, but its cells are those of lab {lab}.")
    solutions = {one.id: one.solution().code for one in exercises_of(lab)(None)}
    job.reported += traces(originals[lab], restored, solutions)
    return job


def _tell_whose(jobs: list[_Job], roster: Roster) -> tuple[Learner, ...]:
    """Give each hand-in its learner; return the learners without a hand-in."""
    by: dict[tuple[Learner, str], list[_Job]] = {}
    for job in jobs:
        job.learner = roster.owner(job.path, job.title)
        if job.learner is None:
            job.whose = "The roster does not tell whose file this is: its name fits no learner, or more than one."
        else:
            by.setdefault((job.learner, job.lab), []).append(job)
    for (learner, lab), several in by.items():
        if lab and len(several) > 1:
            files = ", ".join(str(job.path) for job in several)
            for job in several:
                job.whose = f"Lab {lab} was handed in {len(several)} times by {learner.name}: {files}."
    return roster.without(learner for learner, _ in by)


class _Work:
    """The grading of all hand-ins, one after another or several side by side."""

    def __init__(self, limits: Limits, cases: dict[str, Cases], mode: str, progress: Report, total: int) -> None:
        self._limits, self._cases, self._mode = limits, cases, mode
        self._progress, self._total, self._done = progress, total, 0
        self._lock = threading.Lock()
        self._seal = Seal()
        self.cancelled = threading.Event()

    def again(self, job: _Job, before: NotebookGrade) -> NotebookGrade:
        """Return the grade that a hand-in got in an earlier run."""
        self._tell(_length(job), job.path.name)
        answers = job.restored.answers if job.restored is not None else {}
        return replace(before, title=job.title, answers=answers, learner=job.learner, whose=job.whose)

    def grade(self, job: _Job) -> NotebookGrade:
        """Run a hand-in, and return its grade."""
        exercises: tuple[Exercise, ...] = exercises_of(job.lab)(None) if job.lab else ()
        began = time.monotonic()
        if job.restored is None:
            self._tell(1, job.path.name)
            questions = tuple(one.told("could not be judged", job.problem) for one in exercises)
            return _graded(job, questions, (job.problem,))
        try:
            found = self._run(job, job.restored)
        except (KafkalabError, OSError) as error:
            if self.cancelled.is_set():
                raise
            why = f"The notebook could not be run: {' '.join(str(error).split())}"[:1000]
            questions = tuple(one.told("could not be judged", why) for one in exercises)
            return replace(_graded(job, questions, (why,)), failed=True)
        with self._lock:
            found.reported += self._seal.broken()
        questions = tuple(_question(one, found, job.restored) for one in exercises)
        reported = (*job.reported, *job.restored.reported, *found.reported)
        return replace(
            _graded(job, questions, tuple(found.stopped)), reported=reported, seconds=time.monotonic() - began
        )

    def _run(self, job: _Job, restored: Restored) -> Run:
        def once() -> Run:
            return run(
                restored,
                job.lab,
                limits=self._limits,
                cases=self._cases[job.lab],
                mode=self._mode,
                cancelled=self.cancelled,
                progress=lambda at, of: self._tell(1, job.path.name),
            )

        try:
            return once()
        except (KafkalabError, OSError):
            if self.cancelled.is_set():
                raise
        return once()  # nothing of the notebook had run yet

    def _tell(self, steps: int, what: str) -> None:
        with self._lock:
            self._done += steps
            self._progress(min(self._done, self._total), self._total, what)


def _graded(job: _Job, questions: tuple[Result, ...], stopped: tuple[str, ...]) -> NotebookGrade:
    answers = job.restored.answers if job.restored is not None else {}
    return NotebookGrade(
        str(job.path),
        questions,
        stopped,
        job.lab,
        job.title,
        answers=answers,
        learner=job.learner,
        whose=job.whose,
        sha256=job.sha256,
    )


def _question(exercise: Exercise, found: Run, restored: Restored) -> Result:
    """Return the result of an exercise, with the lab's points; an exercise that was not judged gets one as well."""
    match found.questions.get(exercise.id):
        case {
            "outcome": ("right" | "wrong" | "not attempted" | "could not be judged") as outcome,
            "reason": str(reason),
        }:
            return Result(exercise.id, outcome, exercise.points if outcome == "right" else 0, exercise.points, reason)
    if exercise.id in restored.untouched:
        return exercise.told("not attempted", "There is no answer: its cell is unchanged or missing.")
    why = found.stopped[-1] if found.stopped else "The notebook ended before it reached this check."
    return exercise.told("could not be judged", why)
