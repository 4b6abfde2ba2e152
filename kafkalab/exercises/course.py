"""Course: the list of labs in their order, and the exercises of each; both are defined in ``kafkalab/course``."""

from __future__ import annotations

import importlib
import json
import re
from contextlib import suppress
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final

from kafkalab.errors import BadInput
from kafkalab.exercises.exercise import Exercise

#: The labs by number: ``notebook`` is the file's name, ``title`` the lab's title, ``minutes`` how long it takes,
#: ``can``: what one can do afterwards; ``after``: the labs it builds on. `make labs` makes it of the heads of the labs.
LABS: Final[dict[str, dict[str, Any]]] = json.loads(
    resources.files("kafkalab.course").joinpath("labs.json").read_text(encoding="utf-8")
)


@dataclass(frozen=True, slots=True)
class CourseLab:
    """One lab: its number ("02"), what :data:`LABS` says of it, and its exercises to read, without a cluster."""

    number: str
    notebook: str
    title: str
    minutes: int
    can: str
    exercises: tuple[Exercise, ...]


def course() -> tuple[CourseLab, ...]:
    """Return the labs, first to last."""
    found = []
    for number, lab in LABS.items():
        # A lab with an error in it, such as one being written, must not hide the progress in the others.
        with suppress(Exception):
            exercises = exercises_of(number)(None)
            found.append(CourseLab(number, lab["notebook"], lab["title"], lab["minutes"], lab["can"], exercises))
    return tuple(found)


def exercises_of(number: str) -> Any:
    """Return the function that makes a lab's exercises for a cluster (None: exercises that can only be read).

    :raises BadInput: there is no such lab.
    """
    if re.fullmatch(r"\d\d[a-z]?", number):
        name = f"kafkalab.course.lab_{number}"
        try:
            return importlib.import_module(f"{name}.exercises").exercises
        except ModuleNotFoundError as error:
            if error.name != name:
                raise
    raise BadInput(f"There is no lab {number}.", do="Update kafkalab, or open the notebook that came with it.")
