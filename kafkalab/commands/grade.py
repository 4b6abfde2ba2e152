"""``kafkalab grade``: run what learners handed in, report their points, and write the reports that are asked for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from kafkalab.checks import grade_page
from kafkalab.checks.exercise import MARKS
from kafkalab.checks.grade import GradeReport, Limits, NotebookGrade, grade
from kafkalab.checks.grade_roster import Roster, find
from kafkalab.cluster import rehearsal
from kafkalab.cluster.spec import Mode
from kafkalab.errors import KafkalabError
from kafkalab.home import make_dir
from kafkalab.progress import bar


def run(
    notebooks: Sequence[Path],
    *,
    roster: Path | None = None,
    out: Path | None = None,
    cases: Path | None = None,
    limits: Limits | None = None,
    mode: Mode = "zookeeper",
    jobs: int = 1,
) -> GradeReport:
    """Grade files, folders and patterns; with ``out``, grades.json, grades.csv and the pages are written there.

    :raises BadInput: something that was asked for is not there; nothing has been run then.
    """
    files = find(notebooks)
    known = Roster.read(roster) if roster is not None else Roster(())
    owners = known.owners(files)
    if out is not None:
        make_dir(out, "--out")
    with bar("Kafka") as progress:
        rehearsal.ensure(mode, progress)  # once, before several clusters want it at the same time
    with bar("Grading") as progress:
        graded = grade(
            files, limits=limits, cases=cases, mode=mode, jobs=jobs, learners=owners, progress=progress
        ).notebooks
    if roster is not None:
        graded = tuple(_nobodys(one) if one.learner is None else one for one in graded)
    report = GradeReport(graded, known.without(owners.values()))
    if out is not None:
        write(report, out)
    return report


def write(report: GradeReport, folder: Path) -> list[Path]:
    """The report as grades.json, grades.csv, a page for each notebook, and index.html."""
    try:
        (folder / "grades.json").write_text(json.dumps(report.to_dict(), indent=1) + "\n", encoding="utf-8")
        # With a mark at its beginning, by which spreadsheets know UTF-8.
        (folder / "grades.csv").write_text(report.to_csv(), encoding="utf-8-sig")
        return [folder / "grades.json", folder / "grades.csv", *grade_page.write(report, folder)]
    except OSError as error:
        raise KafkalabError(f"The reports cannot be written to {folder}.", seen=error.strerror or str(error)) from error


def rows(graded: NotebookGrade) -> tuple[str, list[list[str]]]:
    """A title and the rows of a table: question, outcome, points, reason."""
    found = [[q.exercise, f"{MARKS[q.outcome]} {q.outcome}", f"{q.points}", q.reason] for q in graded.questions]
    found += [["", "noticed", "", sentence] for sentence in graded.reported]
    found += [["", "stopped", "", sentence] for sentence in graded.stopped]
    name = f"{graded.learner.name} · {graded.notebook}" if graded.learner else graded.notebook
    return f"{name}: {graded.points} of {graded.out_of}", found


def _nobodys(graded: NotebookGrade) -> NotebookGrade:
    return replace(graded, reported=("Nobody of the roster can be told from the file's name.", *graded.reported))
