"""Lab: the object that a notebook's set-up cell creates and its clean-up cell tidies up."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kafkalab.exercises import progress
from kafkalab.exercises.course import course as every_lab
from kafkalab.exercises.course import exercises_of
from kafkalab.exercises.exercise import Exercise, Method
from kafkalab.exercises.progress import Kept
from kafkalab.exercises.result import MARKS
from kafkalab.exercises.topics import tidy
from kafkalab.views.progress import picture

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster
    from kafkalab.views.progress.view import ProgressView

# --- The learner's progress in this lab and in the others, as text and as a widget.


def score(exercises: Sequence[Exercise]) -> str:
    """Return the points so far as text: a line for each exercise, and the sum, as in the widget of :func:`shown`."""
    kept = progress.read()
    there = [_exercise(one, kept.get(one.id)) for one in exercises]
    lines = []
    for exercise, one in zip(exercises, there, strict=True):
        # Print "right" without the number of tries, so that a second run of a notebook prints the same text.
        later = one["outcome"] == "right" and exercise.said and exercise.said[-1].outcome == "wrong"
        words = one["words"] if later else one["outcome"]
        lines.append(f"{MARKS[one['outcome']]} {one['id']} {one['title']}: {words}")
    points, out_of = points_of(there)
    return "\n".join([*lines, f"{points} of {out_of} points"])


def shown(lab: str, exercises: Sequence[Exercise], *, course: bool = False) -> ProgressView:
    """Return a small widget with these exercises and the progress in each lab; each check in this kernel updates it.

    :param lab: the number of the lab that the exercises belong to: "02".
    :param course: whether it is the page of the course: each lab with its minutes and what you can do afterwards.
    """
    from kafkalab.views.progress.view import ProgressView

    view = ProgressView(lambda: drawn(lab, exercises, course=course))
    progress.views.add(view)
    return view


def drawn(lab: str, exercises: Sequence[Exercise], *, course: bool = False) -> picture.Picture:
    """Return the data of the widget."""
    kept = progress.read()
    here = [_exercise(one, kept.get(one.id)) for one in exercises]
    labs: list[picture.Lab] = []
    for known in every_lab():
        own = here if known.number == lab else [_exercise(one, kept.get(one.id)) for one in known.exercises]
        points, out_of = points_of(own)
        begun = any(one["outcome"] != "not attempted" for one in own)
        words = f"all {out_of} points" if points == out_of else f"{points} of {out_of} points"
        labs.append({
            "number": known.number, "title": known.title, "notebook": known.notebook, "minutes": known.minutes,
            "can": known.can, "points": points, "out_of": out_of, "words": words if begun else "not begun",
            "here": known.number == lab,
        })  # fmt: skip
    note = progress.notes[-1] if progress.notes else ""
    return {"course": course, "exercises": here, "labs": labs, "kept": progress.on(), "note": note}


def points_of(exercises: Iterable[Mapping[str, Any]]) -> tuple[int, int]:
    """Return the points of all these exercises, and how many there are to be had."""
    all_of = list(exercises)
    return sum(one["points"] for one in all_of), sum(one["out_of"] for one in all_of)


def _exercise(exercise: Exercise, kept: Kept | None) -> picture.Exercise:
    """Return the state of an exercise: the better of the stored result and the results in this kernel."""
    here = Kept("not attempted", 0, exercise.points)
    for result in exercise.said:
        here = here.and_then(result, 0.0)
    best = kept or here
    if best.better(here) != best.outcome:
        best = here  # the progress file lacks it, so use what this kernel knows
    last = exercise.said[-1].outcome if exercise.said else None
    return {
        "id": exercise.id, "title": exercise.title, "outcome": best.outcome, "points": best.earned,
        "out_of": exercise.points, "words": _words(best, last),
    }  # fmt: skip


def _words(best: Kept, last: str | None) -> str:
    """Return the state of an exercise in a few words."""
    if best.outcome == "right":
        words = "right" if best.tries <= 1 else f"right at try {best.tries}"
        return f"was {words}; the last answer was not" if last == "wrong" else words
    if best.outcome == "wrong":
        return "not right yet" + (f", {best.tries} tries" if best.tries > 1 else "")
    return best.outcome


class Lab:
    """A lab on the running cluster, or on a new one in this kernel if none is running.

    Creating it starts every node that is down, and removes the topics and groups that an earlier run left: all whose
    name begins with :attr:`prefix`. Creating it a second time changes nothing.

    :param number: the lab's number: "02".
    :param mode: the mode of the cluster, if one must be started.
    :raises BadInput: there is no such lab.
    :raises WaitTimeout: a broker does not come back, or a replica does not get back in sync, within a minute.
    """

    def __init__(self, number: str, *, mode: Any = None) -> None:
        from kafkalab.handles.cluster import Cluster

        self.number = number
        exercises = exercises_of(number)
        self.cluster: Cluster = Cluster.lab(mode)
        tidy(self.cluster, prefix=self.prefix)
        self.exercises: tuple[Exercise, ...] = exercises(self.cluster)

    name_in_labs = "lab"

    @property
    def prefix(self) -> str:
        """The prefix of the names of this lab's topics and groups."""
        return f"lab{self.number}-"

    def tidy(self) -> None:
        """Start the nodes that are down, and delete this lab's topics and groups; idempotent.

        Views of the cluster keep their last picture, so that a notebook that was run to its end still shows what its
        text describes.
        """
        views = sys.modules.get("kafkalab.views.live")
        if views is not None:
            views.freeze_all(self.cluster)
        tidy(self.cluster, prefix=self.prefix)

    @Method
    def score(self) -> str:
        """Return the points so far as text: a line for each exercise, and the sum. A right answer keeps its points."""
        return score(self.exercises)

    @Method
    def course(self) -> Any:
        """Return the page of the course: each lab with its minutes, what you can do afterwards, and how far you are."""
        return shown(self.number, self.exercises, course=True)

    @Method
    def progress(self) -> Any:
        """Return a small widget with the progress in this lab and in the others."""
        return shown(self.number, self.exercises)

    def __repr__(self) -> str:
        return f"<Lab {self.number} on {self.cluster!r}>"
