"""The data that ProgressView draws, as plain JSON, and the same as paragraphs and tables."""

from __future__ import annotations

from typing import Final, Literal, TypedDict

from kafkalab.views.static import Block, Para, Table

Outcome = Literal["right", "wrong", "not attempted", "could not be judged"]

SIGNS: Final[dict[Outcome, str]] = {"right": "✓", "wrong": "✗", "not attempted": "○", "could not be judged": "?"}
_BAR: Final = 12


class Exercise(TypedDict):
    """An exercise, and in words how far the learner is with it."""

    id: str
    title: str
    outcome: Outcome
    points: int
    out_of: int
    words: str


class Lab(TypedDict):
    """A lab of the course, and in words how far the learner is; ``here``: it is the one that shows this."""

    number: str
    title: str
    notebook: str
    minutes: int
    can: str
    points: int
    out_of: int
    words: str
    here: bool


class Picture(TypedDict):
    """The picture of ProgressView; ``course``: the labs are its subject, and not this lab's exercises.

    ``kept``: whether the progress is stored; ``note``: what is wrong with that, or "".
    """

    course: bool
    exercises: list[Exercise]
    labs: list[Lab]
    kept: bool
    note: str


def blocks(drawn: Picture) -> list[Block]:
    """Return the exercises, if they are the subject, then the labs, the next lab, and where the progress is kept."""
    at = next(i for i, one in enumerate(drawn["labs"]) if one["here"])
    here, following = drawn["labs"][at], drawn["labs"][at + 1 : at + 2]
    head = f"Lab {here['number']} · {here['title']}: {here['points']} of {here['out_of']} points"
    found: list[Block] = [Para("The course" if drawn["course"] else head, "strong")]
    if not drawn["course"]:
        rows = [
            (f"{SIGNS[one['outcome']]} {one['id']} {one['title']}", one["words"], f"{one['points']} of {one['out_of']}")
            for one in drawn["exercises"]
        ]
        found.append(Table((), rows, "Exercises"))
    labs: list[tuple[str, ...]] = []
    for one in drawn["labs"]:
        full = round(_BAR * one["points"] / one["out_of"]) if one["out_of"] else 0
        more = (f"{one['minutes']} minutes; afterwards you can {one['can']}",) if drawn["course"] else ()
        name = f"{one['number']} {one['title']}{' (this lab)' if one['here'] else ''}"
        labs.append((name, f"{'█' * full}{'░' * (_BAR - full)}", one["words"], *more))
    found.append(Table((), labs, "The course"))
    found += [Para(f"Next: {one['number']} {one['title']} ({one['notebook']})") for one in following]
    kept = (drawn["note"] or "Kept on this machine only.") if drawn["kept"] else "Not kept: KAFKALAB_PROGRESS is off."
    return [*found, Para(kept)]
