"""Reports of grading: one notebook's points and remarks, the whole class, its tables and its pages."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from kafkalab.exercises.course import exercises_of
from kafkalab.exercises.result import MARKS, Result, inline

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
        """The learner's name, or the file's if no learner is known."""
        return self.learner.name if self.learner else self.notebook.rpartition("/")[2]

    @property
    def noticed(self) -> tuple[str, ...]:
        """Everything that the instructor should know, as sentences."""
        return (*filter(None, [self.whose]), *self.reported)

    def to_dict(self) -> dict[str, Any]:
        """Return the grade as plain JSON."""
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
        missing = [{"name": one.name, "id": one.id, "email": one.email} for one in self.missing]
        return {"notebooks": [n.to_dict() for n in self.notebooks], "not_handed_in": missing}

    def to_csv(self) -> str:
        """Return a CSV for spreadsheets and course systems, with a row for each notebook.

        Each question has a column with its points and one with its outcome. Missing learners get a row of zeros.
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
        """Return a standing for each learner and each file without one; of a lab's hand-ins, the best one counts."""
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
        """Return a CSV for gradebooks, with a row for each learner: who, points, points possible, a column per lab."""
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
    """Put an apostrophe before a learner's text that a spreadsheet would take for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in tuple("=+-@\t\r") else value


# --- Pages of a graded class: an index, and a page for each notebook, which its learner may get as a single file.


_STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --dim: #57606a; --paper: #fff; --line: #d0d7de; --code: #f6f8fa;
  --right: #1a6b34; --wrong: #a32020; --open: #57606a; --unclear: #7a4d00; --link: #0b57b0; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --dim: #9aa5b1; --paper: #0d1117; --line: #30363d;
  --code: #161b22; --right: #5fd38d; --wrong: #ff9a92; --open: #9aa5b1; --unclear: #e7b35a; --link: #7ab8ff; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 52rem;
  margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.1rem; margin: 0; } a { color: var(--link); }
.sum { font-size: 1.1rem; margin: .3rem 0 1.5rem; color: var(--dim); } .sum b { color: var(--ink); }
section { border: 1px solid var(--line); border-left-width: 5px; border-radius: 6px; padding: .8rem 1rem;
  margin: 1rem 0; break-inside: avoid; }
section p { margin: .4rem 0 0; } header { display: flex; gap: 1rem; justify-content: space-between; flex-wrap: wrap; }
.right { border-left-color: var(--right); } .wrong { border-left-color: var(--wrong); }
.not-attempted { border-left-color: var(--open); } .could-not-be-judged { border-left-color: var(--unclear); }
.right .word { color: var(--right); } .wrong .word { color: var(--wrong); } .word { font-weight: 600; }
.not-attempted .word { color: var(--open); } .could-not-be-judged .word { color: var(--unclear); }
pre { background: var(--code); border: 1px solid var(--line); border-radius: 6px; padding: .6rem .8rem;
  overflow-x: auto; font: 14px/1.45 ui-monospace, monospace; }
code { font-family: ui-monospace, monospace; font-size: .92em; }
summary { cursor: pointer; color: var(--dim); margin-top: .5rem; }
.table { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .35rem .7rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
@media print { body { margin: 0; max-width: none; } pre { white-space: pre-wrap; overflow-wrap: anywhere; }
  :root { --ink: #000; --dim: #333; --paper: #fff; --line: #999; --code: #fff; --right: #1a6b34; --wrong: #a32020;
  --open: #333; --unclear: #7a4d00; } }
"""


def write(report: GradeReport, folder: Path) -> list[Path]:
    """Write the pages and the index into an existing folder; return their paths."""
    names = _names(report)
    written = []
    for graded, name in zip(report.notebooks, names, strict=True):
        written.append(folder / name)
        written[-1].write_text(page(graded), encoding="utf-8")
    written.append(folder / "index.html")
    written[-1].write_text(index(report, names), encoding="utf-8")
    return written


def page(graded: NotebookGrade) -> str:
    """Return a learner's page: each question with its outcome, the reason, and the answer that was judged."""
    titles = {one.id: one.title for one in exercises_of(graded.lab)(None)} if graded.lab else {}
    parts = [
        f"<h1>{escape(graded.who)}</h1>",
        f'<p class="sum">{escape(_lab(graded))} · <b>{graded.points} of {graded.out_of} points</b></p>',
        *(_question(result, titles.get(result.exercise, ""), graded) for result in graded.questions),
        _list("What went wrong", graded.stopped),
        _list("Remarks", graded.noticed),
        f'<p class="sum">From {escape(graded.notebook.rpartition("/")[2])}</p>',
    ]
    return _document(f"{graded.who} · {_lab(graded)}", parts)


def index(report: GradeReport, names: list[str]) -> str:
    """Return the index page: every learner with their points, and a link to each notebook's page."""
    rows = [
        f'<tr><td><a href="{escape(name)}">{escape(graded.who)}</a></td><td>{escape(_lab(graded))}</td>'
        f'<td class="n">{graded.points}</td><td class="n">{graded.out_of}</td>'
        f"<td>{escape(_marks(graded))}</td><td>{'look at it' if graded.noticed or graded.stopped else ''}</td></tr>"
        for graded, name in zip(report.notebooks, names, strict=True)
    ]
    rows += [
        f'<tr><td>{escape(one.name)}</td><td></td><td class="n">0</td><td></td><td>not handed in</td><td></td></tr>'
        for one in report.missing
    ]
    points = '<th class="n">points</th><th class="n">of</th>'
    head = f"<tr><th>learner</th><th>lab</th>{points}<th>questions</th><th>remarks</th></tr>"
    legend = " · ".join(f"{mark} {outcome}" for outcome, mark in MARKS.items())
    table = f'<div class="table"><table><thead>{head}</thead><tbody>{"".join(rows)}</tbody></table></div>'
    return _document("Grades", ["<h1>Grades</h1>", f'<p class="sum">{escape(legend)}</p>', table, _inside(report)])


def _inside(report: GradeReport) -> str:
    """Return a sentence that names the exercises judged in the notebook's own kernel; empty if there are none."""
    labs = sorted({one.lab for one in report.notebooks if one.lab})
    ids = [one.id for lab in labs for one in exercises_of(lab)(None) if one.where == "kernel"]
    if not ids:
        return ""
    return (
        "<p>These exercises were judged in the notebook's own kernel, so read the code of their answers: "
        f"{escape(', '.join(ids))}.</p>"
    )


def _question(result: Result, title: str, graded: NotebookGrade) -> str:
    code = graded.answers.get(result.exercise, "")
    answer = f"<details open><summary>The answer</summary><pre>{escape(code[:20_000])}</pre></details>" if code else ""
    kind = result.outcome.replace(" ", "-")
    return (
        f'<section class="{kind}"><header><h2>{escape(result.exercise)} · {escape(title)}</h2>'
        f'<span><span class="word">{MARKS[result.outcome]} {result.outcome}</span> · '
        f"{result.points} of {result.out_of}</span></header><p>{inline(result.reason)}</p>{answer}</section>"
    )


def _list(title: str, sentences: tuple[str, ...]) -> str:
    if not sentences:
        return ""
    return f"<h2>{title}</h2><ul>{''.join(f'<li>{escape(one)}</li>' for one in sentences)}</ul>"


def _lab(graded: NotebookGrade) -> str:
    return graded.title.replace("_", " ") if graded.title else "no lab"


def _marks(graded: NotebookGrade) -> str:
    return " ".join(f"{MARKS[q.outcome]} {q.exercise}" for q in graded.questions)


def _names(report: GradeReport) -> list[str]:
    """Return a different file name for each page."""
    names: list[str] = []
    for graded in report.notebooks:
        stem = graded.notebook.rpartition("/")[2].removesuffix(".ipynb")
        wanted = f"{graded.who}-{stem}" if graded.learner else stem
        slug = re.sub(r"[^\w.]+", "-", wanted).strip("-.")[:80] or "notebook"
        taken = {name.lower() for name in names} | {"index.html"}
        number = 1
        while f"{slug}{f'-{number}' if number > 1 else ''}.html".lower() in taken:
            number += 1
        names.append(f"{slug}{f'-{number}' if number > 1 else ''}.html")
    return names


def _document(title: str, parts: list[str]) -> str:
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body><main>\n"
        + "\n".join(filter(None, parts))
        + "\n</main></body></html>\n"
    )
