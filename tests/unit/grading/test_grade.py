"""Grading what cannot be run, whose it is, and the reports; none of it needs a cluster."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest

from kafkalab.errors import BadInput
from kafkalab.exercises.course import exercises_of
from kafkalab.exercises.result import Result
from kafkalab.grading import report as grading_report
from kafkalab.grading.grade import grade
from kafkalab.grading.report import GradeReport, Learner, NotebookGrade
from kafkalab.grading.roster import find, owner, read
from kafkalab.grading.runner import HIDDEN, Cases

ADA = Learner("Ada Lovelace", "17", "ada@x.org")
GRACE = Learner("Grace Hopper", "a-4")
HOSTILE = "<script>alert('x')</script>"


def test_what_is_no_notebook_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "photo.ipynb").write_bytes(b"\x89PNG")
    (tmp_path / "ada_00.ipynb").write_text("{}")
    unknown = {"nbformat": 4, "cells": [], "metadata": {"kafkalab": {"lab": "77"}}}
    (tmp_path / "other.ipynb").write_text(json.dumps(unknown))
    report = grade([tmp_path / f"{name}.ipynb" for name in ("photo", "ada_00", "other", "gone")])
    photo, ada, other, nothing = report.notebooks
    assert (photo.points, photo.out_of, photo.questions) == (0, 0, ())
    exercises = exercises_of("00")(None)
    assert [q.exercise for q in ada.questions] == [one.id for one in exercises]
    assert {q.outcome for q in ada.questions} == {"could not be judged"}
    assert (ada.points, ada.out_of) == (0, sum(one.points for one in exercises))
    for one, why in ((photo, "not a notebook"), (other, "'77'"), (nothing, "no such file")):
        assert why in one.stopped[0]


# the roster

LAB = "02_topics_partitions_offsets"
#: Of a lab's file the lab's number is no learner's: 02 is Grace's.
FILES = {
    Learner("Ada Lovelace", "17", "ada@x.org"): ["17_02", "ada@x.org", "LOVELACE, Ada", "ada_lovelace_02"],
    Learner("Grace Hopper", "02"): ["02_02", "Grace Hopper_9_file/02"],
    Learner("Linus Torvalds", "a-3"): ["hand_A-3", "linus_torvalds/02 Topics partitions-offsets (3)"],
    Learner("Ada Byron", "04"): ["ada_byron_02"],
    Learner("Max Lab", "05", "lab@x.org"): ["max_lab_02"],
    Learner("李娜", "06"): ["李娜_02"],
    Learner("Zoë Ødegård", "08"): ["zoe_odegard_02", "zoe_oedegaard_02", "ZOE\u0308_Ø\u0064egård_02"],
    Learner("Max Müller", "10"): ["mueller_max_02", "muller_max_02"],
    Learner("", "", "", "z.ipynb"): ["z"],
}
#: Nobody's, or more than one can be meant.
NOBODYS = ["2017", "hopper_02", "ada_02", "17 and a-3", "Grace Hopper_9_file/ada_lovelace", f"02/{LAB}-Copy1"]


def test_whose_a_file_is() -> None:
    for learner, files in {**FILES, None: NOBODYS}.items():
        for file in files:
            assert owner(tuple(FILES), Path("in") / f"{file}.ipynb", LAB) == learner, file


def test_a_roster_is_read_from_what_spreadsheets_write(tmp_path: Path) -> None:
    path = tmp_path / "class.csv"
    path.write_bytes('\ufeffID;"Name" ;Email\r\n17;Zoë Ü;z@x.org\r\n;;\r\n18;Bo;\r\n'.encode())
    zoe, bo = Learner("Zoë Ü", "17", "z@x.org"), Learner("Bo", "18")
    assert read(path) == (zoe, bo)
    for content in (b"", b"who,id\nBo,3\n", b"name,id\n", b"\xff\xfe", None):
        path.write_bytes(content) if content is not None else path.unlink()
        with pytest.raises(BadInput, match="roster"):
            read(path)


def test_files_folders_and_patterns_are_found_once(tmp_path: Path) -> None:
    for name in ("a/02.ipynb", "b/02.ipynb", "a/.ipynb_checkpoints/02-checkpoint.ipynb", "a/notes.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "b/odd.ipynb").mkdir()
    one, two, odd = tmp_path / "a/02.ipynb", tmp_path / "b/02.ipynb", tmp_path / "b/odd.ipynb"
    assert find([tmp_path]) == [one, two, odd]
    assert find([two, tmp_path / "*" / "02.ipynb"]) == [two, one]
    assert find([odd]) == [odd]
    with pytest.raises(BadInput, match="no notebook at"):
        find([tmp_path / "*.txt"])


# the reports


def _report() -> GradeReport:
    questions = (
        Result("00.1", "right", 2, 2, "Good `x`."),
        Result("00.2", "wrong", 0, 1, HOSTILE),
        Result("00.3", "not attempted", 0, 2, ""),
    )
    graded = NotebookGrade(f"in/{HOSTILE}/x.ipynb", questions, (HOSTILE,), "00", (HOSTILE,), {"00.1": HOSTILE}, ADA)
    formula = Learner("=cmd()", "+1")
    return GradeReport((graded, NotebookGrade("in/x.ipynb", questions, learner=formula, lab="00")), (GRACE,))


def test_pages_show_everything_and_run_nothing(tmp_path: Path) -> None:
    grading_report.write(_report(), tmp_path)
    written = sorted(tmp_path.glob("*.html"))
    assert [path.name for path in written] == ["Ada-Lovelace-x.html", "cmd-x.html", "index.html"]
    page, _, index = texts = [path.read_text(encoding="utf-8") for path in written]
    for text in texts:
        assert "<script" not in text and "http" not in text
        assert re.findall(r"(?:src|href)=\"(?!cmd|Ada)", text) == []
    assert page.count("&lt;script&gt;") == 4
    for words in (
        "2 of 5 points",
        "✓ right",
        "✗ wrong",
        "○ not attempted",
        "<code>x</code>",
        "color-scheme: light dark",
    ):
        assert words in page
    assert "00 start here" in page
    assert "no lab" in grading_report.page(NotebookGrade("in/photo.ipynb"))
    assert "Grace Hopper" in index and "not handed in" in index
    assert "own kernel" not in index
    half = NotebookGrade("in/half.ipynb", (Result("00.1", "wrong", 0, 1, "You say \ud800."),), lab="00")
    (tmp_path / "half").mkdir()
    grading_report.write(GradeReport((half,)), tmp_path / "half")
    assert "You say \\ud800." in (tmp_path / "half" / "half.html").read_text(encoding="utf-8")
    names = ["a/index.ipynb", "b/index.ipynb", "d/....ipynb", "e/Ada.ipynb", "f/ada.ipynb"]
    (tmp_path / "alike").mkdir()
    alike = tuple(NotebookGrade(name, (Result("21.2", "right", 3, 3, "Yes."),), lab="21") for name in names)
    grading_report.write(GradeReport(alike), tmp_path / "alike")
    written = [path.name.lower() for path in (tmp_path / "alike").glob("*.html")]
    assert len(set(written)) == len(written) == 6, "none overwrites another"
    assert (tmp_path / "alike" / "index.html").read_text(encoding="utf-8").count("own kernel") == 1, (
        "what is judged there is said once"
    )


def test_the_csv_has_a_row_a_notebook_the_gradebooks_the_best_of_each_lab_and_neither_formulas() -> None:
    rows = list(csv.DictReader(_report().to_csv().splitlines()))
    assert [tuple(row[name] for name in ("name", "id", "points", "00.1", "00.2 outcome")) for row in rows] == [
        ("Ada Lovelace", "17", "2", "2", "wrong"),
        ("'=cmd()", "'+1", "2", "2", "wrong"),
        ("Grace Hopper", "a-4", "0", "0", "not handed in"),
    ]

    def one(file: str, lab: str, points: int, learner: Learner | None) -> NotebookGrade:
        question = Result(f"{lab}.1", "right", points, 5 if lab == "00" else 7, "")
        return NotebookGrade(file, (question,), lab=lab, learner=learner)

    hand_ins = (
        *(one("a.ipynb", "00", 3, ADA), one("b.ipynb", "00", 4, ADA), one("c.ipynb", "04", 6, ADA)),
        *(one("d.ipynb", "00", 1, Learner("=cmd()")), one("in/e.ipynb", "04", 2, None)),
    )
    assert GradeReport(hand_ins, (GRACE,)).to_learners_csv().splitlines() == [
        "name,id,email,points,out of,00,04",
        "Ada Lovelace,17,ada@x.org,10,12,4,6",
        "'=cmd(),,,1,12,1,",
        "e.ipynb,,,2,7,,2",
        "Grace Hopper,a-4,,0,12,,",
    ]


# hidden cases


CASES = """
def judge_00_1(answer, cluster):
    if listed(call(answer, 2), "It") != [4, 6]:
        raise Wrong("")

def judge_00_2(answer, cluster):
    if cluster != "c" or answer != 5:
        raise Wrong("Five.")

def judge_00_4(answer, cluster):
    return 1 / 0
"""


def test_hidden_cases_object_without_giving_themselves_away(tmp_path: Path) -> None:
    (tmp_path / "cases_00.py").write_text(CASES)
    cases = Cases.read(tmp_path, "00")
    first, second, third, fourth, *_ = exercises_of("00")(None)
    for exercise, answer in ((first, lambda n: (2 * n, 3 * n)), (second, 5), (third, 1)):
        assert cases.judge(exercise, answer, "c") is None  # type: ignore[arg-type]
    assert Cases.read(None, "00").judge(first, 3, None) is None  # type: ignore[arg-type]
    bad: list[tuple[Any, Any, str]] = [(second, 6, "Five."), (first, lambda n: [4, 7], HIDDEN), (first, 3, "function")]
    bad += [(first, lambda n: 1 / 0, "ZeroDivisionError"), (first, lambda n: ..., HIDDEN)]
    for exercise, answer, reason in bad:
        found = cases.judge(exercise, answer, "c")  # type: ignore[arg-type]
        assert found is not None and (found.outcome, found.points) == ("wrong", 0)
        assert reason in found.reason, found
    found = cases.judge(fourth, 1, "c")  # type: ignore[arg-type]
    assert found is not None and found.outcome == "could not be judged" and "ZeroDivisionError" in found.reason
    (tmp_path / "cases_00.py").write_text("def judge(")
    for folder in (tmp_path, tmp_path / "gone"):
        with pytest.raises(BadInput):
            Cases.read(folder, "00")
