"""Puts a lab back together: the lab's own cells in the lab's order, with the learner's answers in between."""

from __future__ import annotations

import ast
import hashlib
import json
import re
import warnings
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

# --- Reading of a hand-in, whatever it is, and of the lab that it belongs to.


#: Maximum size of a file that is read, in bytes. No lab comes near it.
MOST_BYTES = 64 * 2**20

_PACKAGE = Path(__file__).resolve().parent.parent
#: Folders of the learner's notebooks: beside the package in a checkout, inside the package in a wheel.
FOLDERS = (_PACKAGE.parent / "labs", _PACKAGE / "_labs")

LOCKED_TAGS = {"set-up": "set-up", "progress": "progress", "clean-up": "clean-up"}


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
        found = [name for tag, name in LOCKED_TAGS.items() if isinstance(tags, list) and tag in tags]
        return f"{found[0]} cell" if found else ""

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
        if path.is_dir():
            raise NoNotebook("This is a folder, not a notebook.")
        if not path.is_file():
            raise NoNotebook("There is no such file." if not path.exists() else "This is not an ordinary file.")
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise NoNotebook(
                f"The file has {size // 2**20} MB, but a notebook may have {MOST_BYTES // 2**20} MB at most."
            )
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
        raise NoNotebook("The file is not a notebook: it is not JSON, which is what Jupyter writes.") from None
    if not isinstance(whole, dict) or not isinstance(whole.get("nbformat"), int):
        raise NoNotebook("The file is not a notebook: it is JSON, but not in Jupyter's format.")
    if whole["nbformat"] != 4:
        whole = _upgraded(whole)
    cells = whole.get("cells")
    if not isinstance(cells, list):
        raise NoNotebook("The file is not a notebook: it has no list of cells.")
    metadata = whole.get("metadata")
    ours = metadata.get("kafkalab") if isinstance(metadata, dict) else None
    lab = _text(ours.get("lab")) if isinstance(ours, dict) else ""
    digest = hashlib.sha256(data).hexdigest()
    return Book(tuple(_cell(cell) for cell in cells if isinstance(cell, dict)), lab, digest)


def _upgraded(whole: dict[str, Any]) -> dict[str, Any]:
    """Convert a notebook of another format to format 4."""
    import nbformat

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found: dict[str, Any] = nbformat.convert(nbformat.from_dict(whole), 4)  # type: ignore[no-untyped-call]
        return found
    except Exception as error:  # nbformat has several unrelated exceptions for it, and fails on what lacks its parts
        raise NoNotebook(
            f"The notebook is in format {whole['nbformat']} and cannot be read ({type(error).__name__})."
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
    """Return number → the learners' notebook for each lab that can be graded."""
    from kafkalab.errors import BadInput
    from kafkalab.exercises.course import exercises_of

    found: dict[str, Path] = {}
    for folder in folders:
        for path in sorted(folder.glob("[0-9][0-9]*_*.ipynb")):
            number = path.name.partition("_")[0]
            try:
                exercises_of(number)
            except BadInput:
                continue
            found.setdefault(number, path)
    return found


@cache
def original(path: Path) -> Book:
    """Return a lab as its learners were given it."""
    return read(path)


def lab_of(book: Book, name: str, originals: dict[str, Book]) -> str:
    """Return the lab of a notebook, "" for none. Its cells count first, because the lab that it names may be wrong.

    :param name: name of the file, for a notebook in which nothing else tells.
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
    found = re.search(r"(?<!\d)(\d\d(?:[a-z](?![a-z0-9]))?)(?!\d)", name)
    return found[1] if found and found[1] in originals else ""


_CHECK = re.compile(r"q\d+\.check\((?P<expression>.*)\)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Step:
    """A code cell that is run. ``number``: of the cell in the hand-in, from 1; 0 for a cell that was put back.

    ``answers``: the exercise it answers; ``checks``: the exercise whose answer, ``expression``, is judged here.
    ``locked``: its name if the lab's own code is run in any case. ``learners``: whether it holds the learner's code.
    """

    source: str
    number: int = 0
    answers: str = ""
    checks: str = ""
    expression: str = ""
    locked: str = ""
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
    """A cell of the lab, the cell handed in for it, and the learner's own cells after it, with their numbers."""

    cell: Cell | None
    handed: Cell | None = None
    number: int = 0
    extras: list[tuple[int, Cell]] = field(default_factory=list)

    @property
    def source(self) -> str:
        """The code that is run: the lab's own if the cell is locked or missing, else what was handed in."""
        assert self.cell is not None
        own = self.cell.locked or self.handed is None
        return self.cell.source if own or self.handed is None else self.handed.source


def restore(lab: Book, handed: Book) -> Restored:
    """Put the answers of a hand-in into the lab's own notebook.

    Cells are matched by their id, else by their exercise or check, else by their text.
    """
    places = _places(lab, handed)
    slots = _slots(lab, handed, places)
    _keep_new_answers(slots)
    steps: list[Step] = []
    for slot in slots:
        if slot.cell is not None and slot.cell.kind == "code":
            steps.append(_step(slot))
        steps += [Step(cell.source, number, learners=True) for number, cell in slot.extras if cell.kind == "code"]
    answers, untouched = _answers(slots)
    return Restored(tuple(steps), answers, (*_faults(slots, untouched), *_disorder(places)), untouched)


def _places(lab: Book, handed: Book) -> dict[int, int]:
    """Match the lab's cells with those of a hand-in: return place in the lab → place in the hand-in."""
    found: dict[int, int] = {}
    taken: set[int] = set()
    keys: tuple[Callable[[Cell], str], ...] = (
        lambda cell: cell.id,
        lambda cell: cell.exercise and f"exercise {cell.exercise}",
        lambda cell: cell.check and f"check {cell.check}",
        lambda cell: cell.said,
    )
    for key in keys:
        there: dict[tuple[str, str], list[int]] = {}
        for at, cell in enumerate(handed.cells):
            if at not in taken and key(cell):
                there.setdefault((cell.kind, key(cell)), []).append(at)
        for at, cell in enumerate(lab.cells):
            if at not in found and key(cell) and (same := there.get((cell.kind, key(cell)))):
                found[at] = same.pop(0)
                taken.add(found[at])
    return found


def _slots(lab: Book, handed: Book, places: dict[int, int]) -> list[_Slot]:
    slots = [_Slot(None)]
    for at, cell in enumerate(lab.cells):
        number = places.get(at)
        slots.append(_Slot(cell) if number is None else _Slot(cell, handed.cells[number], number + 1))
    back = {there: at for at, there in places.items()}
    after = 0
    for there, cell in enumerate(handed.cells):
        if there in back:
            after = back[there] + 1
        else:
            slots[after].extras.append((there + 1, cell))
    return slots


def _keep_new_answers(slots: list[_Slot]) -> None:
    """If the cell for an answer is missing, put the learner's new cells in its place after the empty one."""
    for at, slot in enumerate(slots):
        if slot.cell is None or not slot.cell.exercise or slot.handed is not None:
            continue
        before = at - 1
        while before > 0 and slots[before].handed is None:
            before -= 1
        for other in slots[before:at]:
            slot.extras += other.extras
            other.extras = []
        slot.extras.sort(key=lambda extra: extra[0])


def _step(slot: _Slot) -> Step:
    cell = slot.cell
    assert cell is not None
    if not cell.check:
        theirs = slot.source.strip() != cell.source.strip()
        return Step(slot.source, slot.number, answers=cell.exercise, locked=cell.locked, learners=theirs)
    match = _CHECK.fullmatch(cell.source.strip())
    expression = match["expression"] if match else ""
    return Step(cell.source, slot.number, checks=cell.check, expression=expression, locked=cell.locked)


def _answers(slots: list[_Slot]) -> tuple[dict[str, str], frozenset[str]]:
    """Return the learner's code for each exercise, and the exercises that are untouched."""
    answers: dict[str, str] = {}
    untouched: set[str] = set()
    current = ""
    for slot in slots:
        if slot.cell is not None and slot.cell.check:
            current = ""
        if slot.cell is not None and slot.cell.exercise:
            current = slot.cell.exercise
            answers[current] = slot.source.strip("\n") if slot.handed is not None else ""
            if slot.handed is None or slot.handed.said == slot.cell.said:
                untouched.add(current)
        code = [cell.source.strip("\n") for _, cell in slot.extras if cell.kind == "code" and cell.source.strip()]
        if current and code:
            answers[current] = "\n\n".join([*filter(None, [answers[current]]), *code])
            untouched.discard(current)
    return answers, frozenset(untouched)


def _faults(slots: list[_Slot], untouched: frozenset[str]) -> list[str]:
    said: list[str] = []
    gone = 0
    for slot in slots:
        cell, handed = slot.cell, slot.handed
        if cell is None or cell.kind != "code":
            continue
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
    second = {cell.check for slot in slots for _, cell in slot.extras if cell.check}
    said += [f"Another cell was marked as the check of {check}; it was ignored." for check in sorted(second)]
    return said


def _disorder(places: dict[int, int]) -> list[str]:
    """Return a sentence, in a list, if the cells were in another order: how many at least were moved."""
    ends: list[int] = []
    order = [places[at] for at in sorted(places)]
    for there in order:
        at = bisect_left(ends, there)
        ends[at : at + 1] = [there]
    moved = len(order) - len(ends)
    if not moved:
        return []
    return [f"{moved} of the lab's cells had been moved; all cells ran in the lab's own order."]


# --- Traces: places in a learner's own code that the instructor may want to look at. They cost no points.


#: Minimum number of statements in a solution that counts as copied: honest learners write shorter ones as well.
_FEWEST = 3
#: Names that no answer needs: they lead to the solutions, to the checks, and to the grader.
_NAMES = ("solution", "get_ipython", "getppid", "exec")
_ROOMS = ("course", "exercises", "grading")
_IN_TEXT = re.compile(rf"/proc\b|kafkalab[./](?:{'|'.join(_ROOMS)})\b[./\w]*|solutions\.json")


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
    for step in restored.steps:
        if step.learners:
            for word in sorted(_words(step.source) - own):
                found.setdefault(word, []).append(str(step.number))
    return said + [f"`{word}` is used in cell {', '.join(numbers)}." for word, numbers in sorted(found.items())]


def _is_copied(code: str, solution: str) -> bool:
    there, shipped = _parsed(code), _parsed(solution)
    if sum(isinstance(node, ast.stmt) for node in ast.walk(shipped)) < _FEWEST:
        return False
    return {ast.unparse(one) for one in shipped.body} <= {ast.unparse(one) for one in there.body}


def _parsed(source: str) -> ast.Module:
    """Parse the Python in a cell, without comments and lines for IPython; an empty module if it is not Python."""
    try:
        return ast.parse(re.sub(r"^\s*[%!].*$", "", source, flags=re.MULTILINE))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


def _is_ours(module: str) -> bool:
    """Return whether a module belongs to the packages that judge."""
    return any(f"{module}.".startswith(f"kafkalab.{room}.") for room in _ROOMS)


def _words(source: str) -> set[str]:
    shell = source if source.startswith("%%") else "\n".join(re.findall(r"^\s*[%!].*$", source, re.MULTILINE))
    return {*_IN_TEXT.findall(shell), *_words_of(_parsed(source))}


def _words_of(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) if name in _NAMES:
                yield name
            case ast.Constant(value=str(text)):
                yield from _IN_TEXT.findall(text)
            case ast.Import(names=names):
                yield from (one.name for one in names if _is_ours(one.name))
            case ast.ImportFrom(module=str(module), names=names) if _is_ours(module):
                yield from (f"{module}.{one.name}" for one in names) if module.count(".") == 1 else (module,)
