"""Ids for the cells of a notebook, which stay when other cells come or go."""

from __future__ import annotations

from hashlib import sha1
from pathlib import Path
from typing import Any


def number_of(source: Path) -> str:
    """The number of a lab from the name of its source or notebook: "02a"."""
    return source.stem.partition("_")[0]


class Names:
    """The ids of one notebook.

    :param number: the lab's number, or the name of a notebook that is none.
    """

    def __init__(self, number: str) -> None:
        self.number = number
        self._stem = f"lab{number}" if number[:1].isdigit() else number
        self._given: set[str] = set()

    def of(self, cell: Any) -> str:
        """By what the cell is for, else by what it says."""
        tags = cell.metadata.get("tags", ())
        known = [tag for tag in ("set-up", "clean-up", "progress") if tag in tags]
        if "exercise" in cell.metadata:
            return self._once(f"{self._stem}-answer-{cell.metadata['exercise'].split('.')[1]}")
        if known:
            return self._once(f"{self._stem}-{known[0]}")
        said = f"{cell.cell_type}\n{cell.source}"
        return self._once(f"{self._stem}-{sha1(said.encode(), usedforsecurity=False).hexdigest()[:8]}")

    def of_check(self, exercise: str) -> str:
        """Of the cell that checks an exercise."""
        return self._once(f"{self._stem}-check-{exercise.split('.')[1]}")

    def of_help(self, exercise: str) -> str:
        """Of the cell below it, with the ways to a hint and to the solution."""
        return self._once(f"{self._stem}-help-{exercise.split('.')[1]}")

    def _once(self, name: str) -> str:
        unique, count = name, 1
        while unique in self._given:
            count += 1
            unique = f"{name}-{count}"
        self._given.add(unique)
        return unique
