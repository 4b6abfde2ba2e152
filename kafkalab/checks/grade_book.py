"""Reads what was handed in, whatever it is, and says of which lab it is."""

from __future__ import annotations

import hashlib
import json
import re
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

#: No lab comes near it; what is larger is not read.
MOST_BYTES = 64 * 2**20

_PACKAGE = Path(__file__).resolve().parent.parent
#: Where the learner's notebooks are: in a checkout beside the package, in a wheel within it.
FOLDERS = (_PACKAGE.parent / "labs", _PACKAGE / "_labs")

LOCKED_TAGS = {"set-up": "set-up", "progress": "progress", "clean-up": "clean-up"}


class NoNotebook(Exception):
    """A file that cannot be run; the message is a sentence that says why."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell as it stands in a file. ``id`` is empty in files of a time when cells had none."""

    id: str
    kind: str
    source: str
    metadata: dict[str, Any] = field(default_factory=dict)

    @property
    def exercise(self) -> str:
        """Which exercise is answered here; empty for none."""
        return _text(self.metadata.get("exercise"))

    @property
    def check(self) -> str:
        """Which exercise is checked here; empty for none."""
        return _text(self.metadata.get("check"))

    @property
    def locked(self) -> str:
        """The name of a cell that is the lab's alone: the check of 02.1, set-up, progress, clean-up; or empty."""
        if self.check:
            return f"check of {self.check}"
        tags = self.metadata.get("tags")
        found = [name for tag, name in LOCKED_TAGS.items() if isinstance(tags, list) and tag in tags]
        return f"{found[0]} cell" if found else ""

    @property
    def said(self) -> str:
        """The source, for comparing: without what nobody sees."""
        return "\n".join(line.rstrip() for line in self.source.strip().splitlines())


@dataclass(frozen=True, slots=True)
class Book:
    """The cells of a notebook, and the lab that it says it is of. ``sha256``: of the file, where it came from one."""

    cells: tuple[Cell, ...]
    lab: str = ""
    sha256: str = field(default="", compare=False)


def read(path: Path) -> Book:
    """The notebook in a file.

    :raises NoNotebook: it is none, or cannot be read.
    """
    try:
        if path.is_dir():
            raise NoNotebook("This is a folder, not a notebook.")
        if not path.is_file():
            raise NoNotebook("There is no such file." if not path.exists() else "This is no ordinary file.")
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise NoNotebook(f"The file has {size // 2**20} MB; notebooks of up to {MOST_BYTES // 2**20} MB are read.")
        data = path.read_bytes()
    except OSError as error:
        raise NoNotebook(f"The file cannot be read: {error.strerror or error}.") from None
    if not data.strip():
        raise NoNotebook("The file is empty.")
    return _book(data)


def _book(data: bytes) -> Book:
    try:
        whole = json.loads(data)
    except (ValueError, RecursionError):
        raise NoNotebook("The file is no notebook: it does not hold what Jupyter writes (JSON).") from None
    if not isinstance(whole, dict) or not isinstance(whole.get("nbformat"), int):
        raise NoNotebook("The file is no notebook: it is JSON, but not of Jupyter's kind.")
    if whole["nbformat"] != 4:
        whole = _upgraded(whole)
    cells = whole.get("cells")
    if not isinstance(cells, list):
        raise NoNotebook("The file is no notebook: it has no list of cells.")
    metadata = whole.get("metadata")
    ours = metadata.get("kafkalab") if isinstance(metadata, dict) else None
    lab = _text(ours.get("lab")) if isinstance(ours, dict) else ""
    digest = hashlib.sha256(data).hexdigest()
    return Book(tuple(_cell(cell) for cell in cells if isinstance(cell, dict)), lab, digest)


def _upgraded(whole: dict[str, Any]) -> dict[str, Any]:
    """A notebook of an earlier format in today's."""
    import nbformat

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found: dict[str, Any] = nbformat.convert(nbformat.from_dict(whole), 4)  # type: ignore[no-untyped-call]
        return found
    except Exception as error:  # nbformat has several unrelated exceptions for it, and fails on what lacks its parts
        raise NoNotebook(
            f"A notebook of format {whole['nbformat']} that cannot be read ({type(error).__name__})."
        ) from None


def _cell(cell: dict[str, Any]) -> Cell:
    source = cell.get("source", "")
    if isinstance(source, list):
        source = "".join(line for line in source if isinstance(line, str))
    metadata = cell.get("metadata")
    return Cell(
        _text(cell.get("id")),
        _text(cell.get("cell_type")),
        source if isinstance(source, str) else "",
        metadata if isinstance(metadata, dict) else {},
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def labs(folders: Iterable[Path] = FOLDERS) -> dict[str, Path]:
    """The number of each lab that can be graded, and the notebook that its learners were given."""
    from kafkalab.checks.lab import exercises_of
    from kafkalab.errors import BadInput

    found: dict[str, Path] = {}
    for folder in folders:
        for path in sorted(folder.glob("[0-9][0-9]_*.ipynb")):
            try:
                exercises_of(path.name[:2])
            except BadInput:
                continue
            found.setdefault(path.name[:2], path)
    return found


@cache
def original(path: Path) -> Book:
    """A lab as its learners were given it."""
    return read(path)


def lab_of(book: Book, name: str, originals: dict[str, Book]) -> str:
    """Which lab a notebook is of, by its cells first: what it says of itself may be wrong. Empty: of none.

    :param name: of the file, for a notebook that says nothing at all.
    """
    handed = {cell.id for cell in book.cells if cell.id} | {
        f"exercise {cell.exercise}" for cell in book.cells if cell.exercise
    }
    shared = {
        lab: len(handed & ({cell.id for cell in its.cells} | {f"exercise {c.exercise}" for c in its.cells}))
        for lab, its in originals.items()
    }
    best = max(shared, key=lambda lab: (shared[lab], lab == book.lab), default="")
    if best and shared[best]:
        return best
    if book.lab in originals:
        return book.lab
    found = re.search(r"(?<!\d)(\d\d)(?!\d)", name)
    return found[1] if found and found[1] in originals else ""
