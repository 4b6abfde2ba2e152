"""What was handed in is read as what it is, and the lab is put back together around the answers."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import nbformat
import pytest

from kafkalab.checks.grade_book import MOST_BYTES, Book, Cell, NoNotebook, lab_of, labs, original, read
from kafkalab.checks.grade_restore import Restored, restore
from kafkalab.checks.lab import exercises_of

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


def test_answers_and_own_cells_stay_where_they_were() -> None:
    given = (SET_UP, changed(TRY, "try_that()"), mine("a"), ASK, changed(ANSWER, "x = 1"), mine("x += 1"), CHECK)
    found = put(*given, SECOND, CHECK_2, CLEAN, mine("z"))
    assert sources(found)[:6] == ["q1 = q2 = 1", "try_that()", "a", "x = 1", "x += 1", "q1.check(x)"]
    assert sources(found)[-1] == "z"
    assert (found.reported, found.untouched) == ((), {"99.2"})
    assert found.answers == {"99.1": "x = 1\n\nx += 1", "99.2": "def f(n):\n    ..."}
    assert [step.learners for step in found.steps][:6] == [False, True, True, True, True, False]


def test_locked_cells_are_the_labs_and_what_was_done_to_them_is_told() -> None:
    faked = changed(CHECK, "print('right')")
    found = put(changed(SET_UP, "q1 = Mine()"), TRY, ASK, ANSWER, faked, SECOND, CLEAN)
    assert sources(found) == sources(put(*LAB.cells))
    assert found.reported == (
        "The set-up cell had been changed; the lab's own was run.",
        "The check of 99.1 had been changed; the lab's own was run.",
        "The check of 99.2 was missing; it was put back.",
    )


def test_a_space_at_the_end_of_a_line_is_no_change() -> None:
    assert put(changed(SET_UP, "q1 = q2 = 1  \n"), *LAB.cells[1:]).reported == ()


def test_cells_in_another_order_run_in_the_labs() -> None:
    found = put(*reversed(LAB.cells))
    assert sources(found) == sources(put(*LAB.cells))
    assert len(found.reported) == 1
    assert found.reported[0].startswith("7 of the lab's cells stood elsewhere")


def test_a_new_cell_in_place_of_a_lost_answer_cell_counts() -> None:
    found = put(SET_UP, TRY, ASK, mine("x = 4"), CHECK, SECOND, CHECK_2, CLEAN)
    assert sources(found)[2:5] == ["x = ...", "x = 4", "q1.check(x)"]
    assert found.untouched == {"99.2"}
    assert found.reported == ("No cell was marked as the answer to 99.1; the code in its place was taken for it.",)


def test_cells_without_ids_are_known_by_what_they_are_for_and_by_what_they_say() -> None:
    bare = [Cell("", cell.kind, cell.source, cell.metadata) for cell in LAB.cells]
    bare[3] = Cell("", "code", "x = 5", {"exercise": "99.1"})
    found = put(*bare)
    assert found.reported == ()
    assert sources(found)[2:4] == ["x = 5", "q1.check(x)"]


def test_a_second_check_counts_for_nothing_and_is_told() -> None:
    second = Cell("other", "code", "q1.check(1)", {"check": "99.1"})
    found = put(*LAB.cells, second)
    assert "Another cell called itself the check of 99.1" in found.reported[0]
    assert [step.checks for step in found.steps if step.checks] == ["99.1", "99.2"]


def test_nothing_at_all_is_a_blank_hand_in() -> None:
    found = put()
    assert sources(found) == sources(put(*LAB.cells))
    assert found.untouched == {"99.1", "99.2"}


@pytest.mark.parametrize(
    "content, why",
    [
        (b"", "empty"),
        (b"  \n", "empty"),
        (b"\x89PNG\r\n\x1a\n\x00\xff", "JSON"),
        (b'{"cells": ', "JSON"),
        (b"[" * 100_000, "JSON"),
        (b"[1, 2]", "not of Jupyter's kind"),
        (b'{"nbformat": 4}', "no list of cells"),
        (b'{"nbformat": 4, "cells": 7}', "no list of cells"),
        (b'{"nbformat": 3, "worksheets": 8}', "format 3"),
        (b'{"nbformat": 99, "cells": []}', "format 99"),
    ],
)
def test_what_is_no_notebook_says_why(tmp_path: Path, content: bytes, why: str) -> None:
    path = tmp_path / "it.ipynb"
    path.write_bytes(content)
    with pytest.raises(NoNotebook, match=why):
        read(path)


def test_folders_pipes_giants_and_nothing_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "folder.ipynb").mkdir()
    os.mkfifo(tmp_path / "pipe.ipynb")
    with (tmp_path / "giant.ipynb").open("wb") as giant:
        giant.truncate(MOST_BYTES + 1)
    for name, why in (("folder", "folder"), ("pipe", "ordinary"), ("giant", "MB"), ("nothing", "no such file")):
        with pytest.raises(NoNotebook, match=why):
            read(tmp_path / f"{name}.ipynb")


def test_odd_cells_are_read_as_far_as_they_go(tmp_path: Path) -> None:
    cells: list[Any] = [7, {"cell_type": "code", "source": ["a\n", "b", 3], "metadata": None}, {"id": 4, "source": {}}]
    path = tmp_path / "it.ipynb"
    path.write_text(json.dumps({"nbformat": 4, "cells": cells, "metadata": {"kafkalab": "?"}}))
    assert read(path) == Book((Cell("", "code", "a\nb", {}), Cell("", "", "", {})))


def test_a_notebook_of_format_3_is_brought_up_to_date(tmp_path: Path) -> None:
    old = nbformat.v3.new_notebook(
        worksheets=[nbformat.v3.new_worksheet(cells=[nbformat.v3.new_code_cell(input="x = 1")])]
    )
    path = tmp_path / "it.ipynb"
    path.write_text(json.dumps(old))
    assert [(cell.kind, cell.source) for cell in read(path).cells] == [("code", "x = 1")]


def test_a_lab_is_known_by_its_cells_whatever_it_says() -> None:
    other = Book((Cell("lab98-set-up", "code", "1"),), "98")
    known = {"98": other, "99": LAB}
    assert lab_of(Book(LAB.cells, "98"), "x.ipynb", known) == "99"
    assert lab_of(Book((), "98"), "99.ipynb", known) == "98"
    assert lab_of(Book((), "77"), "ada_99.ipynb", known) == "99"
    assert lab_of(Book((), "../etc"), "x2099.ipynb", known) == ""


@pytest.mark.parametrize("number, path", sorted(labs().items()))
def test_each_lab_can_be_graded(number: str, path: Path) -> None:
    lab = original(path)
    found = restore(lab, lab)
    exercises = [exercise.id for exercise in exercises_of(number)(None)]
    assert found.reported == ()
    assert sorted(found.untouched) == exercises
    assert sorted((step.checks, step.expression != "") for step in found.steps if step.checks) == [
        (id, True) for id in exercises
    ]
    assert lab_of(lab, "", {n: original(p) for n, p in labs().items()}) == number
