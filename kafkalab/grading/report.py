"""Reports of grading: one notebook's points and remarks, the whole class, its tables and its pages."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import jinja2

from kafkalab.errors import BadInput, KafkalabError
from kafkalab.exercises.course import LABS, exercises_of
from kafkalab.exercises.result import MARKS, Result, inline
from kafkalab.home import write_whole

_NOT_HANDED_IN = "not handed in"


@dataclass(frozen=True, slots=True)
class Learner:
    """A line of a roster."""

    name: str
    id: str = ""
    email: str = ""
    file: str = ""

    def to_dict(self) -> dict[str, str]:
        """Return who it is as plain JSON."""
        return {"name": self.name, "id": self.id, "email": self.email}


@dataclass(slots=True)
class NotebookGrade:
    """The grade of one notebook, with a :class:`Result` for each of its lab's exercises, answered or not.

    ``lab``: the lab's number; empty if unknown. ``stopped``: a sentence for each cell that ended with an error, or on
    why the file is not a notebook. ``reported``: sentences for the instructor, for example about changed cells.
    ``answers``: exercise → the learner's code. ``learner``: from the roster; ``whose``: a sentence if that is unclear.
    ``seconds``: how long it ran. ``sha256``: checksum of the file. ``failed``: True if the grader could not run it,
    which is not the notebook's fault.
    """

    notebook: str
    questions: tuple[Result, ...] = ()
    stopped: tuple[str, ...] = ()
    lab: str = ""
    reported: tuple[str, ...] = ()
    answers: dict[str, str] = field(default_factory=dict)
    learner: Learner | None = None
    seconds: float = 0.0
    whose: str = ""
    sha256: str = ""
    failed: bool = False

    @classmethod
    def from_dict(cls, said: dict[str, Any]) -> NotebookGrade:
        """Read what :meth:`to_dict` wrote, without the learner: the roster may have changed since."""
        return cls(
            said["notebook"],
            tuple(Result(q["id"], q["outcome"], q["points"], q["out_of"], q["reason"]) for q in said["questions"]),
            tuple(said["stopped"]),
            said["lab"] or "",
            reported=tuple(sentence for sentence in said["reported"] if sentence != said["whose"]),
            seconds=said["seconds"],
            sha256=said["sha256"],
            failed=said["failed"],
        )

    @property
    def points(self) -> int:
        """Points earned."""
        return sum(q.points for q in self.questions)

    @property
    def out_of(self) -> int:
        """Points that could be earned."""
        return sum(q.out_of for q in self.questions)

    @property
    def title(self) -> str:
        """The name of the lab's notebook: "00_start_here"; empty if the lab is unknown."""
        return Path(LABS.get(self.lab, {}).get("notebook", "")).stem

    @property
    def lab_name(self) -> str:
        """The lab in words: "00 start here"."""
        return self.title.replace("_", " ") or "no lab"

    @property
    def file(self) -> str:
        """The name of the file."""
        return Path(self.notebook).name

    @property
    def who(self) -> str:
        """The learner's name, or the file's if no learner is known."""
        return self.learner.name if self.learner else self.file

    @property
    def noticed(self) -> tuple[str, ...]:
        """Everything that the instructor should know, as sentences."""
        return (*filter(None, [self.whose]), *self.reported)

    def to_dict(self) -> dict[str, Any]:
        """Return the grade as plain JSON."""
        return {
            "notebook": self.notebook,
            "lab": self.lab or None,
            "learner": self.learner and self.learner.to_dict(),
            "points": self.points,
            "out_of": self.out_of,
            "questions": [q.to_dict() for q in self.questions],
            "stopped": list(self.stopped),
            "reported": list(self.noticed),
            "whose": self.whose,
            "seconds": round(self.seconds, 1),
            "sha256": self.sha256,
            "failed": self.failed,
        }


@dataclass(slots=True)
class Standing:
    """A learner's points in all labs that were graded together. ``labs``: lab → points, for each lab handed in.

    If no learner is known, ``learner`` has the file's name.
    """

    learner: Learner
    out_of: int
    labs: dict[str, int] = field(default_factory=dict)

    @property
    def points(self) -> int:
        """Sum of the points in all labs."""
        return sum(self.labs.values())


@dataclass(frozen=True, slots=True)
class GradeReport:
    """The grades of all notebooks. ``missing``: the learners in the roster who handed in nothing."""

    notebooks: tuple[NotebookGrade, ...]
    missing: tuple[Learner, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON of ``kafkalab grade --json``."""
        return {
            "notebooks": [one.to_dict() for one in self.notebooks],
            "not_handed_in": [one.to_dict() for one in self.missing],
        }

    def to_csv(self) -> str:
        """Return a CSV for spreadsheets and course systems, with a row for each notebook.

        Each question has a column with its points and one with its outcome. Missing learners get a row of zeros.
        """
        ids = sorted({q.exercise for one in self.notebooks for q in one.questions})
        heads = [word for id in ids for word in (id, f"{id} outcome")]
        rows: list[list[Any]] = [["name", "id", "email", "notebook", "lab", "points", "out of", *heads, "to look at"]]
        for one in self.notebooks:
            by_id = {q.exercise: (q.points, q.outcome) for q in one.questions}
            cells = [value for id in ids for value in by_id.get(id, ("", ""))]
            who = one.learner or Learner("")
            remarks = " ".join([*one.noticed, *one.stopped])
            rows.append([*who.to_dict().values(), one.notebook, one.lab, one.points, one.out_of, *cells, remarks])
        zeros = [0, _NOT_HANDED_IN] * len(ids)
        rows += [[*one.to_dict().values(), "", "", 0, "", *zeros, _NOT_HANDED_IN] for one in self.missing]
        return _csv(rows)

    def standings(self) -> list[Standing]:
        """Return a standing for each learner and each file without one; of a lab's hand-ins, the best one counts."""
        whole = sum({one.lab: one.out_of for one in self.notebooks if one.lab}.values())
        found: dict[Learner | str, Standing] = {}
        for one in self.notebooks:
            key = one.learner or one.notebook
            of = found.setdefault(key, Standing(one.learner or Learner(one.who), whole if one.learner else one.out_of))
            if one.lab:
                of.labs[one.lab] = max(one.points, of.labs.get(one.lab, 0))
        return [*found.values(), *(Standing(nobody, whole) for nobody in self.missing)]

    def to_learners_csv(self) -> str:
        """Return a CSV for gradebooks, with a row for each learner: who, points, points possible, a column per lab."""
        labs = sorted({one.lab for one in self.notebooks if one.lab})
        rows = [
            [*one.learner.to_dict().values(), one.points, one.out_of, *(one.labs.get(lab, "") for lab in labs)]
            for one in self.standings()
        ]
        return _csv([["name", "id", "email", "points", "out of", *labs], *rows])


def _csv(rows: list[list[Any]]) -> str:
    """Return a CSV in which no text of a learner's is a formula: an apostrophe comes before it."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(
        [f"'{one}" if isinstance(one, str) and one[:1] in tuple("=+-@\t\r") else one for one in row] for row in rows
    )
    return out.getvalue()


# --- Pages of a graded class: an index, and a page for each notebook, which its learner may get as a single file.


_PAGES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).parent / "pages"), autoescape=True, trim_blocks=True
)
_PAGES.filters["inline"] = inline
_PAGES.globals["marks"] = MARKS


def write(report: GradeReport, folder: Path) -> None:
    """Write the report as grades.json, grades.csv, learners.csv, a page for each notebook, and index.html.

    :raises KafkalabError: they cannot be written.
    """
    by_name = _names(report)
    pages = {name: page(graded) for name, graded in by_name.items()}
    pages["index.html"] = _index(report, by_name)
    try:
        # Replaced in one step, so that it is complete even after an interrupt.
        write_whole(folder / "grades.json", json.dumps(report.to_dict(), indent=1) + "\n")
        # With a byte order mark, by which spreadsheets recognise UTF-8. An answer may hold half a character.
        for name, table in (("grades", report.to_csv()), ("learners", report.to_learners_csv())):
            (folder / f"{name}.csv").write_text(table, encoding="utf-8-sig", errors="backslashreplace")
        for name, text in pages.items():
            (folder / name).write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise KafkalabError(f"The reports cannot be written to {folder}.", seen=error.strerror or str(error)) from error


def read(folder: Path) -> list[NotebookGrade]:
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


def page(graded: NotebookGrade) -> str:
    """Return a learner's page: each question with its outcome, the reason, and the answer that was judged."""
    titles = {one.id: one.title for one in exercises_of(graded.lab)(None)} if graded.lab else {}
    return _PAGES.get_template("page.html").render(graded=graded, titles=titles)


def _index(report: GradeReport, pages: dict[str, NotebookGrade]) -> str:
    """Return the index page: every learner with their points, and a link to each notebook's page."""
    labs = sorted({one.lab for one in report.notebooks if one.lab})
    inside = [one.id for lab in labs for one in exercises_of(lab)(None) if one.where == "kernel"]
    return _PAGES.get_template("index.html").render(pages=pages, missing=report.missing, inside=inside)


def _names(report: GradeReport) -> dict[str, NotebookGrade]:
    """Return each notebook by the name of its page's file; no two names differ in their capitals alone."""
    found: dict[str, NotebookGrade] = {}
    taken = {"index"}
    for graded in report.notebooks:
        stem = graded.file.removesuffix(".ipynb")
        whose = f"{graded.who}-{stem}" if graded.learner else stem
        slug = name = re.sub(r"[^\w.]+", "-", whose).strip("-.")[:80] or "notebook"
        for number in count(2):
            if name.lower() not in taken:
                break
            name = f"{slug}-{number}"
        taken.add(name.lower())
        found[f"{name}.html"] = graded
    return found
