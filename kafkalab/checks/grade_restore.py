"""Puts a lab back together: its own cells in its own order, with what the learner wrote in between."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, field

from kafkalab.checks.grade_book import Book, Cell

_CHECK = re.compile(r"q\d+\.check\((?P<expression>.*)\)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Step:
    """A code cell that is run. ``number``: of the cell in what was handed in, from 1; 0 for one that was put back.

    ``answers``: the exercise it answers; ``checks``: the one whose answer, ``expression``, is judged here.
    ``locked``: what it is, where it is the lab's own whatever was handed in. ``learners``: the learner's code is in it.
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
    """What is run for what was handed in. ``answers``: exercise → the learner's own code for it.

    ``reported``: a sentence for each cell of the lab's own that was not as it had been given.
    ``untouched``: exercises whose cell is as it was given, or gone, with nothing of the learner's before the check.
    """

    steps: tuple[Step, ...]
    answers: dict[str, str]
    reported: tuple[str, ...]
    untouched: frozenset[str]


@dataclass(slots=True)
class _Slot:
    """A cell of the lab, what was handed in for it, and the learner's own cells after it: all with their numbers."""

    cell: Cell | None
    handed: Cell | None = None
    number: int = 0
    extras: list[tuple[int, Cell]] = field(default_factory=list)

    @property
    def source(self) -> str:
        """What is run: the lab's own where that is locked, or gone; else what was handed in."""
        assert self.cell is not None
        own = self.cell.locked or self.handed is None
        return self.cell.source if own or self.handed is None else self.handed.source


def restore(lab: Book, handed: Book) -> Restored:
    """The lab's own notebook with the answers of another.

    Cells are known by their id, else by what they are for, else by what they say.
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
    """The place in the lab of each of its cells that was handed in → its place there."""
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
    """Where the cell for an answer is gone, a cell that the learner made in its place comes after the empty one."""
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
    """The learner's code for each exercise, and which of them are untouched."""
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
            said.append(f"The {cell.locked} had been changed; the lab's own was run.")
        if handed is None and cell.locked:
            said.append(f"The {cell.locked} was missing; it was put back.")
        elif handed is None and cell.exercise in untouched:
            said.append(f"The cell for the answer to {cell.exercise} was missing; an empty one was put back.")
        elif handed is None and cell.exercise:
            said.append(f"No cell was marked as the answer to {cell.exercise}; the code in its place was taken for it.")
        elif handed is None:
            gone += 1
    if gone:
        said.append(f"{gone} of the lab's own cells {'was' if gone == 1 else 'were'} missing, and put back.")
    second = {cell.check for slot in slots for _, cell in slot.extras if cell.check}
    said += [f"Another cell called itself the check of {check}; it counted for nothing." for check in sorted(second)]
    return said


def _disorder(places: dict[int, int]) -> list[str]:
    """Whether cells stood in another order, and how many must have been moved at least."""
    ends: list[int] = []
    order = [places[at] for at in sorted(places)]
    for there in order:
        at = bisect_left(ends, there)
        ends[at : at + 1] = [there]
    moved = len(order) - len(ends)
    if not moved:
        return []
    return [f"{moved} of the lab's cells stood elsewhere than in the lab; all ran in the lab's own order."]
