"""Puts a lab back together: the lab's own cells in the lab's order, with the learner's answers in between."""

from __future__ import annotations

import ast
import hashlib
import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import nbformat

from kafkalab.errors import KafkalabError
from kafkalab.exercises.course import course

# --- Reading of a hand-in, whatever it is, and of the lab that it belongs to.


#: Maximum size of a file that is read, in bytes. No lab comes near it.
MOST_BYTES = 64 * 2**20

LOCKED_TAGS = ("set-up", "progress", "clean-up")


class NoNotebook(Exception):
    """A file that cannot be run; the message is a sentence that says why."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell in a notebook's file. ``id`` is empty in old files, because cells had no ids then."""

    id: str
    kind: str
    source: str
    metadata: dict[str, Any] = field(default_factory=dict)

    @property
    def exercise(self) -> str:
        """The exercise that is answered here; empty for none."""
        return _text(self.metadata.get("exercise"))

    @property
    def check(self) -> str:
        """The exercise that is checked here; empty for none."""
        return _text(self.metadata.get("check"))

    @property
    def locked(self) -> str:
        """The name of a cell that learners must not change ("check of 02.1", "set-up cell"); empty for the others."""
        if self.check:
            return f"check of {self.check}"
        tags = self.metadata.get("tags")
        return next((f"{tag} cell" for tag in LOCKED_TAGS if isinstance(tags, list) and tag in tags), "")

    @property
    def said(self) -> str:
        """The source for comparing: without the space around it and at the ends of its lines."""
        return "\n".join(line.rstrip() for line in self.source.strip().splitlines())


@dataclass(frozen=True, slots=True)
class Book:
    """The cells of a notebook. ``lab``: the lab that it names; ``sha256``: of its file, if it was read from one."""

    cells: tuple[Cell, ...]
    lab: str = ""
    sha256: str = field(default="", compare=False)


def read(path: Path) -> Book:
    """Read the notebook in a file.

    :raises NoNotebook: the file is no notebook, or cannot be read.
    """
    try:
        if not path.is_file():
            raise NoNotebook("This is not an ordinary file." if path.exists() else "There is no such file.")
        if path.stat().st_size > MOST_BYTES:
            raise NoNotebook(f"The file has more than {MOST_BYTES // 2**20} MB.")
        data = path.read_bytes()
    except OSError as error:
        raise NoNotebook(f"The file cannot be read: {error.strerror or error}.") from None
    if not data.strip():
        raise NoNotebook("The file is empty.")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            whole = nbformat.reads(data, as_version=4)  # type: ignore[no-untyped-call]
        cells, ours = tuple(_cell(cell) for cell in whole["cells"]), whole["metadata"].get("kafkalab")
    except Exception as error:  # nbformat has several unrelated exceptions for it, and fails on what lacks its parts
        why = type(error).__name__
        raise NoNotebook(f"The file is not a notebook, or not one that Jupyter has written ({why}).") from None
    return Book(cells, _text(ours.get("lab")) if isinstance(ours, dict) else "", hashlib.sha256(data).hexdigest())


def _cell(cell: Mapping[str, Any]) -> Cell:
    metadata = cell.get("metadata")
    source = _text(cell.get("source"))
    return Cell(_text(cell.get("id")), cell["cell_type"], source, dict(metadata) if isinstance(metadata, dict) else {})


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def carried_labs() -> Path:
    """Return the folder of the labs: beside the package in a checkout, inside the package in a wheel."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package.parent / "labs", package / "_labs"):
        if folder.is_dir():
            return folder
    raise KafkalabError(
        "kafkalab cannot find its labs.",
        seen=f"there is no folder {folder}",
        do="Install kafkalab again, or run it in a checkout.",
    )


def labs() -> dict[str, Path]:
    """Return number → the learners' notebook for each lab that can be graded."""
    return {lab.number: carried_labs() / lab.notebook for lab in course()}


@cache
def original(path: Path) -> Book:
    """Return a lab as its learners were given it."""
    return read(path)


def lab_of(book: Book, name: str, originals: dict[str, Book]) -> str:
    """Return the lab of a notebook, "" for none. Its cells count first, because the lab that it names may be wrong.

    :param name: name of the file, for a notebook in which nothing else tells.
    """
    handed = _names(book)
    shared = {lab: len(handed & _names(its)) for lab, its in originals.items()}
    best = max(shared, key=lambda lab: (shared[lab], lab == book.lab), default="")
    if best and shared[best]:
        return best
    if book.lab in originals:
        return book.lab
    found = re.search(r"(?<!\d)(\d\d(?:[a-z](?![a-z0-9]))?)(?!\d)", name)
    return found[1] if found and found[1] in originals else ""


def _names(book: Book) -> set[str]:
    """Return what a book's cells are known by: their ids, and the exercises that they answer."""
    return {name for cell in book.cells for name in (cell.id, cell.exercise and f"exercise {cell.exercise}") if name}


_CHECK = re.compile(r"q\d+\.check\((?P<expression>.*)\)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Step:
    """A code cell that is run. ``number``: of the cell in the hand-in, from 1; 0 for a cell that was put back.

    ``answers``: the exercise it answers; ``checks``: the exercise whose answer, ``expression``, is judged here.
    ``learners``: whether it holds the learner's code.
    """

    source: str
    number: int = 0
    answers: str = ""
    checks: str = ""
    expression: str = ""
    learners: bool = False


@dataclass(frozen=True, slots=True)
class Restored:
    """The steps that are run for a hand-in. ``answers``: exercise → the learner's own code for it.

    ``reported``: sentences about the lab's own cells that were changed, missing or moved.
    ``untouched``: exercises whose cell is unchanged or missing, without any code of the learner's before the check.
    """

    steps: tuple[Step, ...]
    answers: dict[str, str]
    reported: tuple[str, ...]
    untouched: frozenset[str]


@dataclass(slots=True)
class _Slot:
    """A cell of the lab, the cell handed in for it, and the learner's own code cells after it, with their numbers."""

    cell: Cell
    handed: Cell | None = None
    number: int = 0
    extras: list[tuple[int, Cell]] = field(default_factory=list)

    @property
    def source(self) -> str:
        """The code that is run: the lab's own if the cell is locked or missing, else what was handed in."""
        return self.cell.source if self.cell.locked or self.handed is None else self.handed.source


def restore(lab: Book, handed: Book) -> Restored:
    """Put the answers of a hand-in into the lab's own notebook.

    Cells are matched by their id, else by their exercise or check, else by their text.
    """
    places = _places(lab, handed)
    slots = _slots(lab, handed, places)
    steps: list[Step] = []
    answers: dict[str, str] = {}
    untouched: set[str] = set()
    current = ""
    for slot in slots:
        cell = slot.cell
        if cell.kind == "code":
            match = _CHECK.fullmatch(cell.source.strip()) if cell.check else None
            expression = match["expression"] if match else ""
            theirs = slot.source.strip() != cell.source.strip()
            steps.append(Step(slot.source, slot.number, cell.exercise, cell.check, expression, theirs))
        steps += [Step(extra.source, number, learners=True) for number, extra in slot.extras]
        if cell.check:
            current = ""
        if cell.exercise:
            current = cell.exercise
            answers[current] = slot.source.strip("\n") if slot.handed is not None else ""
            if slot.handed is None or slot.handed.said == cell.said:
                untouched.add(current)
        code = [extra.source.strip("\n") for _, extra in slot.extras if extra.source.strip()]
        if current and code:
            answers[current] = "\n\n".join([*filter(None, [answers[current]]), *code])
            untouched.discard(current)
    said = _faults(slots, untouched)
    order = [places[at] for at in sorted(places)]
    if order != sorted(order):
        said.append("Some of the lab's cells had been moved; all cells ran in the lab's own order.")
    return Restored(tuple(steps), answers, tuple(said), frozenset(untouched))


def _places(lab: Book, handed: Book) -> dict[int, int]:
    """Match the lab's cells with those of a hand-in: return place in the lab → place in the hand-in."""
    found: dict[int, int] = {}
    keys: tuple[Callable[[Cell], str], ...] = (
        lambda cell: cell.id,
        lambda cell: cell.exercise and f"exercise {cell.exercise}",
        lambda cell: cell.check and f"check {cell.check}",
        lambda cell: cell.said,
    )
    for key in keys:
        there: dict[tuple[str, str], list[int]] = {}
        for at, cell in enumerate(handed.cells):
            if at not in found.values() and key(cell):
                there.setdefault((cell.kind, key(cell)), []).append(at)
        for at, cell in enumerate(lab.cells):
            if at not in found and (same := there.get((cell.kind, key(cell)))):
                found[at] = same.pop(0)
    return found


def _slots(lab: Book, handed: Book, places: dict[int, int]) -> list[_Slot]:
    """Return a slot for each of the lab's cells, after an empty one for what the learner has put before them."""
    slots = [_Slot(Cell("", "", ""), Cell("", "", ""))]
    for at, cell in enumerate(lab.cells):
        number = places.get(at)
        slots.append(_Slot(cell) if number is None else _Slot(cell, handed.cells[number], number + 1))
    back = {there: at for at, there in places.items()}
    after = 0
    for there, cell in enumerate(handed.cells):
        if there in back:
            after = back[there] + 1
        elif cell.kind == "code":
            slots[after].extras.append((there + 1, cell))
    for at, slot in enumerate(slots):
        if slot.cell.exercise and slot.handed is None:
            # The cell for an answer is missing: the learner's new cells in its place come after the empty one.
            before = max(n for n in range(at) if slots[n].handed is not None)
            slot.extras, slots[before].extras = slots[before].extras + slot.extras, []
    return slots


def _faults(slots: list[_Slot], untouched: set[str]) -> list[str]:
    said: list[str] = []
    gone = 0
    for cell, handed in ((slot.cell, slot.handed) for slot in slots if slot.cell.kind == "code"):
        if handed is not None and cell.locked and handed.said != cell.said:
            said.append(f"The {cell.locked} had been changed, so the lab's own was run instead.")
        if handed is None and cell.locked:
            said.append(f"The {cell.locked} was missing; it was put back.")
        elif handed is None and cell.exercise in untouched:
            said.append(f"The cell for the answer to {cell.exercise} was missing; an empty one was put back.")
        elif handed is None and cell.exercise:
            said.append(f"No cell was marked as the answer to {cell.exercise}, so the code in its place was used.")
        elif handed is None and any(line and not line.startswith("#") for line in cell.source.splitlines()):
            gone += 1  # a cell of comments only, such as the one with the way to a hint, may be deleted
    if gone:
        said.append(f"{gone} of the lab's own cells {'was' if gone == 1 else 'were'} missing, and had to be put back.")
    second = {extra.check for slot in slots for _, extra in slot.extras if extra.check}
    return said + [f"Another cell was marked as the check of {check}; it was ignored." for check in sorted(second)]


# --- Traces: places in a learner's own code that the instructor may want to look at. They cost no points.


#: Minimum number of statements in a solution that counts as copied: honest learners write shorter ones as well.
_FEWEST = 3
#: Words that no answer needs: they lead to the solutions, to the checks, and to the grader.
_WORDS = re.compile(
    r"/proc\b|\bkafkalab[./](?:course|exercises|grading)\b[./\w]*|\bsolutions\.json|\b(?:solution|get_ipython|getppid|exec)\b"
)


def traces(lab: Book, restored: Restored, solutions: Mapping[str, str]) -> list[str]:
    """Return a sentence for each answer that is kafkalab's own solution, and for each word that no answer needs.

    Words that the lab's own cells use as well do not count.
    """
    said = [
        f"The answer to {id} is the solution that kafkalab comes with."
        for id, code in restored.answers.items()
        if _is_copied(code, solutions.get(id, ""))
    ]
    own = {word for cell in lab.cells if cell.kind == "code" for word in _words(cell.source)}
    found: dict[str, list[str]] = {}
    for step in (step for step in restored.steps if step.learners):
        for word in sorted(_words(step.source) - own):
            found.setdefault(word, []).append(str(step.number))
    return said + [f"`{word}` is used in cell {', '.join(numbers)}." for word, numbers in sorted(found.items())]


def _words(source: str) -> set[str]:
    body = [] if source.startswith("%%") else _parsed(source).body
    # Without comments.
    code = "\n".join(map(ast.unparse, body)) if body else re.sub(r"^\s*#.*$", "", source, flags=re.MULTILINE)
    return set(_WORDS.findall("\n".join([code, *re.findall(r"^\s*[%!].*$", source, re.MULTILINE)])))


def _is_copied(code: str, solution: str) -> bool:
    there, shipped = _parsed(code), _parsed(solution)
    if sum(isinstance(node, ast.stmt) for node in ast.walk(shipped)) < _FEWEST:
        return False
    return {ast.unparse(one) for one in shipped.body} <= {ast.unparse(one) for one in there.body}


def _parsed(source: str) -> ast.Module:
    """Parse the Python in a cell, without comments and lines for IPython; an empty module if it is not Python."""
    try:
        found = ast.parse(re.sub(r"^\s*[%!].*$", "", source, flags=re.MULTILINE))
        ast.unparse(found)  # which goes less deep than the parser
        return found
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])
