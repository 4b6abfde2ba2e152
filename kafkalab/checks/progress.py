"""Progress: what the checks said so far, kept on this machine, and shown at the end of each lab.

Nothing of an answer is kept, and nothing leaves the machine. ``KAFKALAB_PROGRESS=off`` keeps nothing at all.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakSet

from kafkalab.checks.exercise import MARKS
from kafkalab.checks.progress_store import Kept, Progress, Store

if TYPE_CHECKING:
    from kafkalab.checks.exercise import Exercise, Result
    from kafkalab.views.progress_view import ProgressView

log = logging.getLogger(__name__)

_NOTHING: Final = "not attempted"
#: The widgets that are shown now; each check draws them anew.
_views: WeakSet[Any] = WeakSet()
#: What was last found wrong with the file, for the widgets to say.
_notes: list[str] = []


def on() -> bool:
    """Whether progress is kept: unless ``KAFKALAB_PROGRESS`` says off, no, false or 0."""
    return os.environ.get("KAFKALAB_PROGRESS", "").strip().lower() not in ("off", "no", "false", "0")


def remember(result: Result) -> None:
    """Keep what a check said, and show it where progress is shown; never raises, nor keeps anybody waiting for long."""
    try:
        if on():
            store = Store()
            try:
                store.add(result)
            finally:
                _note(store.note)
    except Exception as error:
        # A full or read-only disk must not stop a lab; the widget says that what it shows is not kept.
        _note(f"Your progress is not kept. {error}".splitlines()[0])
        log.debug("the progress of %s was not kept: %s", result.exercise, error)
    for view in list(_views):
        try:
            view.redraw()
        except Exception:
            log.debug("progress could not be drawn", exc_info=True)


def score(exercises: Sequence[Exercise]) -> str:
    """The points so far, in text: a line for each exercise, and the sum; the same that :func:`shown` shows."""
    kept = _read()
    there = [_exercise(one, kept.get(one.id)) for one in exercises]
    lines = []
    for exercise, one in zip(exercises, there, strict=True):
        # "right" alone where it is right now: at which try is nothing that a second run of a notebook should print.
        later = one["outcome"] == "right" and exercise.said and exercise.said[-1].outcome == "wrong"
        words = one["words"] if later else one["outcome"]
        lines.append(f"{MARKS[one['outcome']]} {one['id']} {one['title']}: {words}")
    points, out_of = (sum(one[name] for one in there) for name in ("points", "out_of"))
    return "\n".join([*lines, f"{points} of {out_of} points"])


def shown(lab: str, exercises: Sequence[Exercise]) -> ProgressView:
    """A small widget: these exercises, and how far each lab of the course is. It follows the checks of this kernel.

    :param lab: the number of the lab that the exercises belong to: "02".
    """
    from kafkalab.views.progress_view import ProgressView

    view = ProgressView(lambda: drawn(lab, exercises))
    _views.add(view)
    return view


def drawn(lab: str, exercises: Sequence[Exercise]) -> dict[str, Any]:
    """What the widget is drawn from, as plain JSON; see :mod:`kafkalab.views.progress_view`."""
    from kafkalab.checks.progress_course import course

    kept = _read()
    here = [_exercise(one, kept.get(one.id)) for one in exercises]
    labs = []
    for known in course():
        own = here if known.number == lab else [_exercise(one, kept.get(one.id)) for one in known.exercises]
        labs.append({**_sum(own), "number": known.number, "title": known.title, "notebook": known.notebook})
    at = next((i for i, one in enumerate(labs) if one["number"] == lab), None)
    following = None if at is None or at + 1 == len(labs) else labs[at + 1]
    return {
        "lab": lab,
        "title": "" if at is None else labs[at]["title"],
        "notebook": "" if at is None else labs[at]["notebook"],
        "exercises": here,
        **_sum(here),
        "labs": [{**one, "here": one["number"] == lab} for one in labs],
        "next": following and {name: following[name] for name in ("number", "title", "notebook")},
        "kept": on(),
        "note": _notes[-1] if _notes else "",
    }


def _read() -> Progress:
    if not on():
        return {}
    store = Store()
    kept = store.read()
    _note(store.note)
    return kept


def _note(note: str) -> None:
    if note:
        _notes[:] = [note]


def _exercise(exercise: Exercise, kept: Kept | None) -> dict[str, Any]:
    """An exercise as it stands: the best of what is kept and of what was checked in this kernel."""
    here = Kept(_NOTHING, 0, exercise.points)
    for result in exercise.said:
        here = here.and_then(result, 0.0)
    best = kept or here
    if best.better(here) != best.outcome:
        best = here  # it could not be kept: what this kernel knows must do
    return {**best.told(exercise), "words": _words(best, exercise.said[-1].outcome if exercise.said else None)}


def _words(best: Kept, last: str | None) -> str:
    """How it went, in a few words."""
    if best.outcome == "right":
        words = "right" if best.tries <= 1 else f"right at try {best.tries}"
        return f"was {words}; the last answer was not" if last == "wrong" else words
    if best.outcome == "wrong":
        return "not right yet" + (f", {best.tries} tries" if best.tries > 1 else "")
    return best.outcome


def _sum(exercises: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Points of all, and how far that is in words."""
    points, out_of = sum(one["points"] for one in exercises), sum(one["out_of"] for one in exercises)
    if all(one["outcome"] == _NOTHING for one in exercises):
        words = "not begun"
    else:
        words = f"all {out_of} points" if points == out_of else f"{points} of {out_of} points"
    return {"points": points, "out_of": out_of, "words": words}
