"""What came of grading: one notebook's points and what is to be said of it; all of them; and the tables of that."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, field
from typing import Any

from kafkalab.checks.exercise import Result

_NOT_HANDED_IN = "not handed in"


@dataclass(frozen=True, slots=True)
class Learner:
    """A line of a roster."""

    name: str
    id: str = ""
    email: str = ""
    file: str = ""


@dataclass(frozen=True, slots=True)
class NotebookGrade:
    """What one notebook earned; one :class:`Result` for each of its lab's exercises, answered or not.

    ``lab``: its number; empty where that cannot be told. ``stopped``: a sentence for each cell that ended with an
    error, and why it was no notebook. ``reported``: what the instructor should know: cells that had been changed …
    ``answers``: exercise → the learner's code. ``learner``: from the roster; ``whose``: a sentence where that is not
    plain. ``seconds``: how long it ran. ``sha256``: of the file. ``failed``: the grader could not run it, which is not
    the notebook's fault.
    """

    notebook: str
    questions: tuple[Result, ...] = ()
    stopped: tuple[str, ...] = ()
    lab: str = ""
    title: str = ""
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
    def who(self) -> str:
        """The learner's name, or the file's where nobody is known."""
        return self.learner.name if self.learner else self.notebook.rpartition("/")[2]

    @property
    def noticed(self) -> tuple[str, ...]:
        """All that the instructor should know."""
        return (*filter(None, [self.whose]), *self.reported)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON."""
        return {
            "notebook": self.notebook,
            "lab": self.lab or None,
            "learner": {"name": self.learner.name, "id": self.learner.id, "email": self.learner.email}
            if self.learner
            else None,
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
    """A learner's points in all labs that were graded together. ``labs``: lab → points, where something was handed in.

    ``learner`` has the file's name where nobody is known.
    """

    learner: Learner
    out_of: int
    labs: dict[str, int] = field(default_factory=dict)

    @property
    def points(self) -> int:
        """The sum of them."""
        return sum(self.labs.values())


@dataclass(frozen=True, slots=True)
class GradeReport:
    """What each notebook earned. ``missing``: who of the roster handed in nothing."""

    notebooks: tuple[NotebookGrade, ...]
    missing: tuple[Learner, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The JSON of ``kafkalab grade --json``."""
        missing = [{"name": one.name, "id": one.id, "email": one.email} for one in self.missing]
        return {"notebooks": [n.to_dict() for n in self.notebooks], "not_handed_in": missing}

    def to_csv(self) -> str:
        """A row for each notebook, as spreadsheets and course systems take it: who, points, and a column a question.

        A question's column holds its points; beside it, one with the outcome. Who handed in nothing has a row of zeros.
        """
        ids = sorted({q.exercise for one in self.notebooks for q in one.questions})
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        heads = [word for id in ids for word in (id, f"{id} outcome")]
        writer.writerow(["name", "id", "email", "notebook", "lab", "points", "out of", *heads, "to look at"])
        for one in self.notebooks:
            by_id = {q.exercise: q for q in one.questions}
            cells = [
                value for id in ids for value in ((by_id[id].points, by_id[id].outcome) if id in by_id else ("", ""))
            ]
            who = one.learner or Learner("")
            remarks = " ".join([*one.noticed, *one.stopped])
            row = [who.name, who.id, who.email, one.notebook, one.lab, one.points, one.out_of, *cells, remarks]
            writer.writerow([_harmless(value) for value in row])
        for nobody in self.missing:
            zeros = [value for _ in ids for value in (0, _NOT_HANDED_IN)]
            row = [nobody.name, nobody.id, nobody.email, "", "", 0, "", *zeros, _NOT_HANDED_IN]
            writer.writerow([_harmless(value) for value in row])
        return out.getvalue()

    def standings(self) -> list[Standing]:
        """One for each learner, and for each file of nobody; of several hand-ins of a lab the best one counts."""
        labs = {one.lab: one.out_of for one in self.notebooks if one.lab}
        whole = sum(labs.values())
        found: dict[Learner | str, Standing] = {}
        for one in self.notebooks:
            key = one.learner or one.notebook
            of = found.setdefault(key, Standing(one.learner or Learner(one.who), whole if one.learner else one.out_of))
            if one.lab:
                of.labs[one.lab] = max(one.points, of.labs.get(one.lab, 0))
        return [*found.values(), *(Standing(nobody, whole) for nobody in self.missing)]

    def to_learners_csv(self) -> str:
        """A row for each learner, as gradebooks take it: who, the sum of the points, out of, and a column a lab."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        labs = sorted({one.lab for one in self.notebooks if one.lab})
        writer.writerow(["name", "id", "email", "points", "out of", *labs])
        for one in self.standings():
            who = one.learner
            row = [who.name, who.id, who.email, one.points, one.out_of, *(one.labs.get(lab, "") for lab in labs)]
            writer.writerow([_harmless(value) for value in row])
        return out.getvalue()

    def __str__(self) -> str:
        lines = []
        for grade in self.notebooks:
            lines.append(f"{grade.notebook}: {grade.points} of {grade.out_of}")
            lines.extend(f"  {question}" for question in grade.questions)
            lines.extend(f"  {sentence}" for sentence in (*grade.stopped, *grade.noticed))
        return "\n".join([*lines, *(f"{one.name}: {_NOT_HANDED_IN}" for one in self.missing)])


def _harmless(value: Any) -> Any:
    """A spreadsheet takes a text that begins like this for a formula, and what is written here came from learners."""
    return f"'{value}" if isinstance(value, str) and value[:1] in tuple("=+-@\t\r") else value
