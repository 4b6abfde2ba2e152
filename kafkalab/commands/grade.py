"""``kafkalab grade``: run the notebooks that learners handed in, show their points, and write the reports."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

from kafkalab.cluster import local
from kafkalab.cluster.spec import Mode
from kafkalab.errors import BadInput, KafkalabError
from kafkalab.exercises.result import MARKS
from kafkalab.grading import report as grading_report
from kafkalab.grading.grade import grade
from kafkalab.grading.kernel import Limits
from kafkalab.grading.report import GradeReport, NotebookGrade
from kafkalab.grading.roster import Roster, find
from kafkalab.home import make_dir
from kafkalab.progressbar import bar


def run(
    notebooks: Sequence[Path],
    *,
    roster: Path | None = None,
    out: Path | None = None,
    resume: bool = False,
    cases: Path | None = None,
    limits: Limits | None = None,
    mode: Mode = "zookeeper",
    isolate: bool = False,
    jobs: int = 1,
) -> GradeReport:
    """Grade files, folders and patterns; with ``out``, write the reports into that folder after each notebook.

    :param isolate: run each in a sandbox.
    :param resume: keep the grades that an earlier run wrote there, for the files that have not changed.
    :raises BadInput: a notebook, the roster, the cases or a folder cannot be used; nothing has been run then.
    """
    files = find(notebooks)
    learners = Roster.read(roster) if roster is not None else None
    if resume and out is None:
        raise BadInput("There is nothing to resume.", do="Give the folder of the earlier reports: --out FOLDER.")
    known = earlier(out) if resume and out is not None else []
    if out is not None:
        make_dir(out, "--out")
    with bar("Kafka") as progress:
        local.rehearse(mode, progress)  # once, before several clusters want it at the same time
    with bar("Grading") as progress:
        return grade(
            files,
            limits=limits,
            cases=cases,
            mode=mode,
            isolate=isolate,
            jobs=jobs,
            roster=learners,
            known=known,
            each=lambda report: write(report, out) if out is not None else None,
            progress=progress,
        )


def earlier(folder: Path) -> list[NotebookGrade]:
    """Read the grades in a folder of reports; there are none if it holds no reports yet.

    :raises BadInput: they cannot be read.
    """
    path = folder / "grades.json"
    try:
        return [NotebookGrade.from_dict(one) for one in json.loads(path.read_text(encoding="utf-8"))["notebooks"]]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise BadInput(
            f"The grades in {path} cannot be read.",
            seen=f"{type(error).__name__}: {error}",
            do="Grade without --resume, or into another folder.",
        ) from None


def write(report: GradeReport, folder: Path) -> None:
    """Write the report as grades.json, grades.csv, learners.csv, a page for each notebook, and index.html."""
    try:
        # The file is replaced in one step, so that it is complete even after an interrupt.
        draft = folder / "grades.json.draft"
        draft.write_text(json.dumps(report.to_dict(), indent=1) + "\n", encoding="utf-8")
        os.replace(draft, folder / "grades.json")
        # With a byte order mark, by which spreadsheets recognise UTF-8.
        for name, table in (("grades", report.to_csv()), ("learners", report.to_learners_csv())):
            # An answer may hold half a character.
            (folder / f"{name}.csv").write_text(table, encoding="utf-8-sig", errors="backslashreplace")
        grading_report.write(report, folder)
    except OSError as error:
        raise KafkalabError(f"The reports cannot be written to {folder}.", seen=error.strerror or str(error)) from error


def verdict(report: GradeReport, fail_under: float | None) -> tuple[int, list[str]]:
    """Return the exit code, and sentences that say why it is not 0.

    1: a notebook could not be run. 3: a learner has fewer points, in all labs together, than ``fail_under``.
    """
    failed = [one.notebook for one in report.notebooks if one.failed]
    if failed:
        return 1, [f"Could not be run: {', '.join(failed)}. Run the command again with --resume to try them again."]
    below = [one for one in report.standings() if fail_under is not None and one.points < fail_under]
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


def afterwards(report: GradeReport, out: Path | None) -> list[str]:
    """Return the sentences below the tables: which learners handed in nothing, and where the reports are."""
    said = [f"{one.name}: not handed in" for one in report.missing]
    return said if out is None else [*said, f"The reports: {out / 'index.html'}"]
