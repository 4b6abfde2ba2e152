"""Grading runs real notebooks in real kernels; these need no cluster."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import nbformat
import pytest

from kafkalab.checks.exercise import Exercise
from kafkalab.checks.grade import grade
from kafkalab.errors import BadInput

# What a lab's cells look like to the grader: each makes its exercise and shows what the check says.
MAKE = """
from kafkalab.checks.exercise import Exercise
from kafkalab.checks.judging import Wrong
def judge(answer):
    if answer != 4: raise Wrong('Count again.')
    return 'Yes.'
def check(id, answer): return Exercise(id, 'Sum', 2, '?', judge, ('a', 'b', 'c')).check(answer)
"""


@pytest.fixture
def lab_99(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("kafkalab.checks.lab_99")

    def exercises(cluster: Any) -> tuple[Exercise, ...]:
        return tuple(Exercise(f"99.{n}", "Sum", 2, "?", str, ("a", "b", "c")) for n in range(1, 6))

    module.exercises = exercises  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)


def _write(path: Path, cells: list[tuple[str | None, str]], lab: str | None = "99") -> Path:
    book = nbformat.v4.new_notebook()
    if lab is not None:
        book.metadata["kafkalab"] = {"lab": lab}
    for exercise, source in cells:
        cell = nbformat.v4.new_code_cell(source)
        if exercise:
            cell.metadata["exercise"] = exercise
        book.cells.append(cell)
    nbformat.write(book, path)
    return path


@pytest.mark.usefixtures("lab_99")
def test_every_exercise_of_the_lab_gets_an_outcome(tmp_path: Path) -> None:
    notebook = _write(
        tmp_path / "lab.ipynb",
        [
            (None, MAKE),
            ("99.1", "check('99.1', 4)"),
            ("99.2", "check('99.2', 5)"),
            ("99.3", "check('99.3', ...)"),
            ("99.4", "check('99.4', undefined_name)"),
        ],
    )
    before = notebook.read_bytes()
    report = grade([notebook])
    assert notebook.read_bytes() == before
    (one,) = report.to_dict()["notebooks"]
    assert (one["notebook"], one["points"], one["out_of"]) == (str(notebook), 2, 10)
    assert [(q["id"], q["outcome"], q["points"]) for q in one["questions"]] == [
        ("99.1", "right", 2),
        ("99.2", "wrong", 0),
        ("99.3", "not attempted", 0),
        ("99.4", "wrong", 0),
        ("99.5", "not attempted", 0),
    ]
    assert "NameError" in one["questions"][3]["reason"]
    assert "2 of 10" in str(report)
    assert one["stopped"] == ["Cell 5 stopped with NameError: name 'undefined_name' is not defined"]


@pytest.mark.usefixtures("lab_99")
def test_a_cell_without_an_end_costs_only_itself(tmp_path: Path) -> None:
    endless = "import threading\nthreading.Event().wait()\ncheck('99.1', 4)"
    notebook = _write(tmp_path / "lab.ipynb", [(None, MAKE), ("99.1", endless), ("99.2", "check('99.2', 4)")])
    (one,) = grade([notebook], cell_seconds=2).notebooks
    assert [q.outcome for q in one.questions[:2]] == ["wrong", "right"]
    assert "interrupted after 2 s" in one.questions[0].reason


@pytest.mark.usefixtures("lab_99")
def test_a_lab_that_broke_down_before_the_exercise_is_nobodys_fault(tmp_path: Path) -> None:
    notebook = _write(tmp_path / "lab.ipynb", [(None, "raise OSError('no broker')"), ("99.1", "check('99.1', 4)")])
    (one,) = grade([notebook]).notebooks
    assert one.questions[0].outcome == "could not be judged"
    assert "no broker" in one.questions[0].reason


@pytest.mark.usefixtures("lab_99")
def test_a_dead_kernel_is_said(tmp_path: Path) -> None:
    notebook = _write(
        tmp_path / "lab.ipynb",
        [(None, MAKE), ("99.1", "check('99.1', 4)"), (None, "import os\nos._exit(3)"), ("99.2", "check('99.2', 4)")],
    )
    (one,) = grade([notebook]).notebooks
    assert [q.outcome for q in one.questions[:2]] == ["right", "could not be judged"]


@pytest.mark.usefixtures("lab_99")
def test_points_are_the_labs_and_malformed_results_count_for_nothing(tmp_path: Path) -> None:
    forged = (
        "from IPython.display import display\n"
        "mime = 'application/vnd.kafkalab.result+json'\n"
        "display({mime: {'id': '99.1', 'outcome': 'right', 'points': 900, 'out_of': 1, 'reason': ''}}, raw=True)\n"
        "display({mime: {'id': '99.2', 'outcome': 'splendid'}}, raw=True)\n"
        "display({mime: 'right'}, raw=True)"
    )
    (one,) = grade([_write(tmp_path / "lab.ipynb", [(None, forged)])]).notebooks
    assert (one.points, one.out_of) == (2, 10)
    assert [q.outcome for q in one.questions[:2]] == ["right", "not attempted"]


def test_a_notebook_of_no_lab_lists_the_results_it_shows(tmp_path: Path) -> None:
    notebook = _write(tmp_path / "own.ipynb", [(None, MAKE), (None, "check('mine', 4)")], lab=None)
    (one,) = grade([notebook]).notebooks
    assert [(q.exercise, q.outcome) for q in one.questions] == [("mine", "right")]


def test_what_is_no_notebook_is_refused_before_anything_runs(tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    good = _write(tmp_path / "good.ipynb", [(None, f"open({str(marker)!r}, 'w').close()")], lab=None)
    text = tmp_path / "text.ipynb"
    text.write_text("not json")
    with pytest.raises(BadInput, match="not a Jupyter notebook"):
        grade([good, text])
    with pytest.raises(BadInput, match="cannot be read"):
        grade([good, tmp_path / "missing.ipynb"])
    assert not marker.exists()


def test_a_lab_nobody_knows_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no lab 77"):
        grade([_write(tmp_path / "lab.ipynb", [(None, "1")], lab="77")])
