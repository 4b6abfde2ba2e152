"""What was handed in is read as what it is, and the lab is put back together around the answers."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kafkalab.exercises.course import exercises_of
from kafkalab.grading.restore import (
    MOST_BYTES,
    Book,
    Cell,
    NoNotebook,
    Restored,
    lab_of,
    labs,
    original,
    read,
    restore,
    traces,
)

SET_UP = Cell("lab99-set-up", "code", "q1 = q2 = 1", {"tags": ["set-up"]})
TRY = Cell("lab99-aaaa", "code", "try_it()")
ASK = Cell("lab99-text", "markdown", "Answer:")
ANSWER = Cell("lab99-answer-1", "code", "x = ...", {"exercise": "99.1"})
CHECK = Cell("lab99-check-1", "code", "q1.check(x)", {"check": "99.1"})
SECOND = Cell("lab99-answer-2", "code", "def f(n):\n    ...", {"exercise": "99.2"})
CHECK_2 = Cell("lab99-check-2", "code", "q2.check(f)", {"check": "99.2"})
CLEAN = Cell("lab99-clean-up", "code", "lab.tidy()", {"tags": ["clean-up"]})
LAB = Book((SET_UP, TRY, ASK, ANSWER, CHECK, SECOND, CHECK_2, CLEAN), "99")


def changed(cell: Cell, source: str) -> Cell:
    return Cell(cell.id, cell.kind, source, cell.metadata)


def mine(source: str) -> Cell:
    return Cell("", "code", source)


def put(*cells: Cell) -> Restored:
    return restore(LAB, Book(cells))


def sources(restored: Restored) -> list[str]:
    return [step.source for step in restored.steps]


def test_as_it_was_given() -> None:
    found = put(*LAB.cells)
    assert sources(found) == [cell.source for cell in LAB.cells if cell.kind == "code"]
    assert (found.reported, found.untouched) == ((), {"99.1", "99.2"})
    assert [(s.checks, s.expression) for s in found.steps if s.checks] == [("99.1", "x"), ("99.2", "f")]
    # Without ids, cells are known by what they are for and by what they say.
    bare = [Cell("", cell.kind, cell.source, cell.metadata) for cell in LAB.cells]
    bare[3] = Cell("", "code", "x = 5", {"exercise": "99.1"})
    found = put(*bare)
    assert found.reported == ()
    assert sources(found)[2:4] == ["x = 5", "q1.check(x)"]


def test_answers_and_own_cells_stay_where_they_were() -> None:
    given = (SET_UP, changed(TRY, "try_that()"), mine("a"), ASK, changed(ANSWER, "x = 1"), mine("x += 1"), CHECK)
    found = put(*given, SECOND, CHECK_2, CLEAN, mine("z"))
    assert sources(found)[:6] == ["q1 = q2 = 1", "try_that()", "a", "x = 1", "x += 1", "q1.check(x)"]
    assert sources(found)[-1] == "z"
    assert (found.reported, found.untouched) == ((), {"99.2"})
    assert found.answers == {"99.1": "x = 1\n\nx += 1", "99.2": "def f(n):\n    ..."}
    assert [step.learners for step in found.steps][:6] == [False, True, True, True, True, False]


def test_locked_cells_are_the_labs() -> None:
    faked = changed(CHECK, "print('right')")
    found = put(changed(SET_UP, "q1 = Mine()"), TRY, ASK, ANSWER, faked, SECOND, CLEAN)
    assert sources(found) == sources(put(*LAB.cells))
    assert found.reported == (
        "The set-up cell had been changed, so the lab's own was run instead.",
        "The check of 99.1 had been changed, so the lab's own was run instead.",
        "The check of 99.2 was missing; it was put back.",
    )


def test_what_is_no_change() -> None:
    """A blank at the end of a line, cells in another order (which is told), no cell at all."""
    whole = sources(put(*LAB.cells))
    assert put(changed(SET_UP, "q1 = q2 = 1  \n"), *LAB.cells[1:]).reported == ()
    found = put(*reversed(LAB.cells))
    assert sources(found) == whole and len(found.reported) == 1
    assert found.reported[0].startswith("Some of the lab's cells had been moved")
    found = put()
    assert sources(found) == whole and found.untouched == {"99.1", "99.2"}


def test_a_new_cell_in_place_of_a_lost_answer_cell_counts_and_a_second_check_does_not() -> None:
    found = put(SET_UP, TRY, ASK, mine("x = 4"), CHECK, SECOND, CHECK_2, CLEAN)
    assert sources(found)[2:5] == ["x = ...", "x = 4", "q1.check(x)"]
    assert found.untouched == {"99.2"}
    assert found.reported == ("No cell was marked as the answer to 99.1, so the code in its place was used.",)
    found = put(*LAB.cells, Cell("other", "code", "q1.check(1)", {"check": "99.1"}))
    assert "Another cell was marked as the check of 99.1" in found.reported[0]
    assert [step.checks for step in found.steps if step.checks] == ["99.1", "99.2"]


def test_what_is_no_notebook_says_why(tmp_path: Path) -> None:
    path = tmp_path / "it.ipynb"
    broken = (
        b"\x89PNG",
        b"[" * 100_000,
        b"[1, 2]",
        b'{"nbformat": 4, "cells": 7}',
        b'{"nbformat": 3, "worksheets": 8}',
    )
    for content, why in ((b"  \n", "empty"), *((content, "not a notebook") for content in broken)):
        path.write_bytes(content)
        with pytest.raises(NoNotebook, match=why):
            read(path)
    os.truncate(path, MOST_BYTES + 1)
    os.mkfifo(tmp_path / "pipe")
    for it, why in (
        (path, "MB"),
        (tmp_path, "ordinary"),
        (tmp_path / "pipe", "ordinary"),
        (path / "no", "no such file"),
    ):
        with pytest.raises(NoNotebook, match=why):
            read(it)


def test_a_lab_is_known_by_its_cells_whatever_it_says() -> None:
    other = Book((Cell("lab98-set-up", "code", "1"),), "98")
    known = {"98": other, "99": LAB}
    assert lab_of(Book(LAB.cells, "98"), "x.ipynb", known) == "99"
    assert lab_of(Book((), "98"), "99.ipynb", known) == "98"
    assert lab_of(Book((), "77"), "ada_99.ipynb", known) == "99"
    assert lab_of(Book((), "../etc"), "x2099.ipynb", known) == ""


# what an instructor is told of the code

SOLUTION = "def f(n):\n    found = n + 1\n    return found"
COPIED = "The answer to {} is the solution that kafkalab comes with."


def told(answer: str, *more: str, solution: str = SOLUTION) -> list[str]:
    set_up = changed(SET_UP, "from kafkalab.exercises.topics import read_all\nimport os")
    check = changed(CHECK_2, "q2.check(f)\n# q2.hint()\n# q2.solution()")
    lab = Book((set_up, SECOND, Cell("lab99-ways", "code", "# q2.solution()"), check), "99")
    book = Book((set_up, changed(SECOND, answer), *map(mine, more), check))
    return traces(lab, restore(lab, book), {"99.2": solution})


def test_a_copy_of_the_solution_is_told_however_it_is_dressed() -> None:
    copied = [COPIED.format("99.2")]
    assert told(SOLUTION) == copied
    assert told("# all my own work\ndef f(n):\n  found=n+1 # !\n  return(found)\n", "f(3)") == copied
    assert told(SOLUTION.replace("found", "sum_")) == []
    short = "def f(n):\n    return n + 1"
    assert told(short, solution=short) == []


def test_what_no_answer_needs_is_told_with_its_cell() -> None:
    for code, words in (
        ("f = exec(q1.solution().code)", ["exec", "solution"]),
        ("get_ipython().run_cell = 3", ["get_ipython"]),
        ("%%bash\ncat /proc/1/environ", ["/proc"]),
        ("from kafkalab.course import lab_00", ["kafkalab.course"]),
        ("from kafkalab.exercises.topics import read_all\n%time f(3)\n!ls", []),
        ("def f(:", []),
        (f"x = {' + '.join(['1'] * 1000)}\nexec(x)", ["exec"]),
    ):
        assert told("f = 3", code) == [f"`{word}` is used in cell 3." for word in words], code


# the labs themselves


@pytest.mark.parametrize("number", labs())
def test_each_lab_can_be_graded_and_its_solutions_are_known(number: str) -> None:
    path = labs()[number]
    lab, solved = original(path), read(path.parent / "solutions" / path.name)
    exercises = exercises_of(number)(None)
    found = restore(lab, lab)
    assert found.reported == ()
    assert sorted(found.untouched) == [one.id for one in exercises]
    judged = sorted((step.checks, step.expression != "") for step in found.steps if step.checks)
    assert judged == [(one.id, True) for one in exercises]
    assert lab_of(lab, "", {n: original(p) for n, p in labs().items()}) == number
    solutions = {one.id: one.solution().code for one in exercises}
    assert traces(lab, found, solutions) == []
    told = traces(lab, restore(lab, solved), solutions)
    assert set(told) <= {COPIED.format(id) for id in solutions}
    assert number != "02" or len(told) == 4
