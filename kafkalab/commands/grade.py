"""``kafkalab grade``: run the notebooks that learners handed in, show their points, and write the reports."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kafkalab.cluster import local
from kafkalab.errors import BadInput
from kafkalab.exercises.result import MARKS
from kafkalab.grading import report
from kafkalab.grading.grade import grade
from kafkalab.grading.report import GradeReport, NotebookGrade
from kafkalab.grading.roster import find, read
from kafkalab.grading.run import Options
from kafkalab.home import make_dir
from kafkalab.progressbar import bar


def run(
    notebooks: Sequence[Path],
    options: Options | None = None,
    *,
    roster: Path | None = None,
    out: Path | None = None,
    resume: bool = False,
) -> GradeReport:
    """Grade files, folders and patterns; with ``out``, write the reports into that folder after each notebook.

    :param resume: keep the grades that an earlier run wrote there, for the files that have not changed.
    :raises BadInput: a notebook, the roster, the cases or a folder cannot be used; nothing has been run then.
    """
    options = options or Options()
    files = find(notebooks)
    learners = read(roster) if roster is not None else ()
    if resume and out is None:
        raise BadInput("There is nothing to resume.", do="Give the folder of the earlier reports: --out FOLDER.")
    known = report.read(out) if resume and out is not None else []
    if out is not None:
        make_dir(out, "--out")
    with bar("Kafka") as progress:
        local.rehearse(options.mode, progress)  # once, before several clusters want it at the same time
    with bar("Grading") as progress:
        return grade(
            files,
            options,
            roster=learners,
            known=known,
            each=lambda so_far: report.write(so_far, out) if out is not None else None,
            progress=progress,
        )


def verdict(graded: GradeReport, fail_under: float | None) -> tuple[int, list[str]]:
    """Return the exit code, and sentences that say why it is not 0.

    1: a notebook could not be run. 3: a learner has fewer points, in all labs together, than ``fail_under``.
    """
    failed = [one.notebook for one in graded.notebooks if one.failed]
    if failed:
        return 1, [f"Could not be run: {', '.join(failed)}. Run the command again with --resume to try them again."]
    below = [one for one in graded.standings() if fail_under is not None and one.points < fail_under]
    said = [
        f"{one.learner.name} has {one.points} points, fewer than the {fail_under:g} of --fail-under." for one in below
    ]
    return (3 if below else 0), said


def rows(graded: NotebookGrade) -> tuple[str, list[list[str]]]:
    """Return the title and the rows of a table: question, outcome, points, reason."""
    found = [[q.exercise, f"{MARKS[q.outcome]} {q.outcome}", f"{q.points}", q.reason] for q in graded.questions]
    found += [["", "noticed", "", sentence] for sentence in graded.noticed]
    found += [["", "stopped", "", sentence] for sentence in graded.stopped]
    name = f"{graded.learner.name} · {graded.notebook}" if graded.learner else graded.notebook
    return f"{name}: {graded.points} of {graded.out_of}", found


def afterwards(graded: GradeReport, out: Path | None) -> list[str]:
    """Return the sentences below the tables: which learners handed in nothing, and where the reports are."""
    said = [f"{one.name}: not handed in" for one in graded.missing]
    return said if out is None else [*said, f"The reports: {out / 'index.html'}"]
