"""``kafkalab progress``: show what the checks said so far, lab by lab, or forget it."""

from __future__ import annotations

import time
from typing import Any

from kafkalab.errors import BadInput, KafkalabError
from kafkalab.exercises.course import CourseLab, course
from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.lab import points_of
from kafkalab.exercises.progress import Kept, Store
from kafkalab.exercises.result import MARKS
from kafkalab.state.changes import many


def told(lab: str | None = None) -> dict[str, Any]:
    """Return the progress in one lab or in all: the shape of ``kafkalab progress --json``.

    :raises BadInput: there is no such lab.
    :raises KafkalabError: the file of progress cannot be read.
    """
    labs = _labs(lab)
    store = Store()
    kept = store.read()
    if store.locked_out:
        raise KafkalabError(store.note, do="Fix its permissions, or set KAFKALAB_HOME to another folder.")
    said = []
    for one in labs:
        exercises = [_exercise(exercise, kept.get(exercise.id)) for exercise in one.exercises]
        points, out_of = points_of(exercises)
        entry = {"lab": one.number, "title": one.title, "points": points, "out_of": out_of, "exercises": exercises}
        said.append(entry)
    return {"labs": said, "note": store.note}


def forget(lab: str | None = None) -> str:
    """Forget the progress in one lab or in all; return a sentence on what was done.

    :raises BadInput: there is no such lab.
    :raises KafkalabError: the file cannot be written.
    """
    if lab is not None:
        _labs(lab)
    count = Store().forget(lab)
    where = "" if lab is None else f" of lab {lab}"
    return f"Forgotten: {many(count, 'exercise')}{where}."


def table(said: dict[str, Any]) -> tuple[str, list[str], list[list[str]]]:
    """Return a table's title, columns and rows: for one lab a row per exercise, for several a row of signs per lab."""
    labs = said["labs"]
    if len(labs) == 1:
        (one,) = labs
        title = f"Lab {one['lab']} · {one['title']}: {one['points']} of {one['out_of']} points"
        return title, ["exercise", "outcome", "points", "tries", "first right"], [_row(e) for e in one["exercises"]]
    most = max(len(one["exercises"]) for one in labs)
    lines = []
    for one in labs:
        signs = [MARKS[exercise["outcome"]] for exercise in one["exercises"]]
        blank = [""] * (most - len(signs))
        lines.append([f"{one['lab']} {one['title']}", *signs, *blank, f"{one['points']} of {one['out_of']}"])
    points, out_of = points_of(labs)
    columns = ["lab", *(str(at + 1) for at in range(most)), "points"]
    return f"{points} of {out_of} points", columns, lines


def _row(exercise: dict[str, Any]) -> list[str]:
    at = exercise["first_right"]
    return [
        f"{exercise['id']} {exercise['title']}",
        f"{MARKS[exercise['outcome']]} {exercise['outcome']}",
        f"{exercise['points']} of {exercise['out_of']}",
        str(exercise["tries"] or ""),
        "" if at is None else time.strftime("%Y-%m-%d %H:%M", time.localtime(at)),
    ]


def _exercise(exercise: Exercise, kept: Kept | None) -> dict[str, Any]:
    best = kept or Kept("not attempted", 0, exercise.points)
    return {
        "id": exercise.id, "title": exercise.title, "outcome": best.outcome, "points": best.earned,
        "out_of": exercise.points, "tries": best.tries, "first_right": best.first_right,
    }  # fmt: skip


def _labs(lab: str | None) -> list[CourseLab]:
    found = [one for one in course() if lab in (None, one.number)]
    if not found:
        there = ", ".join(one.number for one in course())
        raise BadInput(f"There is no lab {lab}.", do=f"Choose one of these: {there}")
    return found
