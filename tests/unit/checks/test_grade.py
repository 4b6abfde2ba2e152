"""Grading what cannot be run, whose it is, and the reports; none of it needs a cluster."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

from kafkalab.checks import grade_page
from kafkalab.checks.exercise import Result
from kafkalab.checks.grade import grade
from kafkalab.checks.grade_cases import HIDDEN, Cases
from kafkalab.checks.grade_report import GradeReport, Learner, NotebookGrade
from kafkalab.checks.grade_roster import Roster, find
from kafkalab.checks.grade_seal import Seal
from kafkalab.checks.lab import exercises_of
from kafkalab.commands import grade as command
from kafkalab.errors import BadInput

ADA = Learner("Ada Lovelace", "17", "ada@x.org")
GRACE = Learner("Grace Hopper", "a-4")
ZOE = Learner("Zoë Ü", "", "", "z.ipynb")
CLASS = Roster((ADA, GRACE, ZOE))
HOSTILE = "<script>alert('x')</script>"


def test_what_is_no_notebook_is_graded_as_that_and_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "photo.ipynb").write_bytes(b"\x89PNG")
    (tmp_path / "ada_00.ipynb").write_text("{}")
    unknown = {"nbformat": 4, "cells": [], "metadata": {"kafkalab": {"lab": "77"}}}
    (tmp_path / "other.ipynb").write_text(json.dumps(unknown))
    names = ("photo.ipynb", "ada_00.ipynb", "other.ipynb", "gone.ipynb")
    photo, ada, other, nothing = grade([tmp_path / name for name in names]).notebooks
    assert (photo.points, photo.out_of, photo.questions) == (0, 0, ())
    assert "no notebook" in photo.stopped[0]
    exercises = exercises_of("00")(None)
    assert [q.exercise for q in ada.questions] == [one.id for one in exercises]
    assert {q.outcome for q in ada.questions} == {"could not be judged"}
    assert (ada.points, ada.out_of) == (0, sum(one.points for one in exercises))
    assert "'77'" in other.stopped[0]
    assert "no such file" in nothing.stopped[0]


def test_the_json_has_the_shape_that_stays(tmp_path: Path) -> None:
    (tmp_path / "00.ipynb").write_text("{}")
    (one,) = grade([tmp_path / "00.ipynb"]).to_dict()["notebooks"]
    assert {"notebook", "points", "out_of", "questions"} <= set(one)
    assert all(set(q) >= {"id", "outcome", "points", "reason"} for q in one["questions"])


# the roster


@pytest.mark.parametrize(
    "file, owner",
    [
        ("17_02.ipynb", ADA),
        ("2017.ipynb", None),
        ("hand_A-4.ipynb", GRACE),
        ("ada@x.org.ipynb", ADA),
        ("02-ada.ipynb", None),
        ("LOVELACE, Ada.ipynb", ADA),
        ("lovelace.ipynb", None),
        ("z.ipynb", ZOE),
        ("zoe u 3.ipynb", ZOE),
        ("17 and a-4.ipynb", None),
        ("Grace Hopper_9_file/02.ipynb", GRACE),
        ("Grace Hopper_9_file/ada_lovelace.ipynb", None),
        ("nobody.ipynb", None),
    ],
)
def test_whose_a_file_is(file: str, owner: Learner | None) -> None:
    assert CLASS.owner(Path("in") / file) == owner


LAB = "02_topics_partitions_offsets"
NUMBERED = (
    Learner("Ada Lovelace", "01", "ada@x.org"),
    Learner("Grace Hopper", "02", "grace@x.org"),
    Learner("Linus Torvalds", "03"),
    Learner("Ada Byron", "04", "ada.b@x.org"),
    Learner("Max Lab", "05", "lab@x.org"),
    Learner("李娜", "06"),
    Learner("Иван Петров", "07"),
    Learner("Zoë Ødegård", "08"),
    Learner("Łukasz Żak", "09"),
    Learner("Max Müller", "10"),
    Learner("Eva Strauß", "11"),
)


@pytest.mark.parametrize(
    "file, owner",
    [
        ("linus_torvalds_02.ipynb", "Linus Torvalds"),
        (f"linus_torvalds/{LAB}.ipynb", "Linus Torvalds"),
        ("linus_torvalds/02 Topics partitions-offsets (3).ipynb", "Linus Torvalds"),
        (f"02/{LAB}-Copy1.ipynb", None),
        ("02_02.ipynb", "Grace Hopper"),
        ("hopper_02.ipynb", None),
        ("ada_byron_02.ipynb", "Ada Byron"),
        ("ada_lovelace_02.ipynb", "Ada Lovelace"),
        ("ada_02.ipynb", None),
        ("grace_lab_02.ipynb", "Grace Hopper"),
        ("max_lab_02.ipynb", "Max Lab"),
        ("李娜_02.ipynb", "李娜"),
        ("Иван_Петров_02.ipynb", "Иван Петров"),
        ("zoe_odegard_02.ipynb", "Zoë Ødegård"),
        ("zoe_oedegaard_02.ipynb", "Zoë Ødegård"),
        ("ZOE\u0308_Ø\u0064egård_02.ipynb", "Zoë Ødegård"),
        ("lukasz_zak_02.ipynb", "Łukasz Żak"),
        ("mueller_max_02.ipynb", "Max Müller"),
        ("muller_max_02.ipynb", "Max Müller"),
        ("eva_strauss_02.ipynb", "Eva Strauß"),
    ],
)
def test_a_hand_in_of_a_numbered_class_goes_to_nobody_else(file: str, owner: str | None) -> None:
    found = Roster(NUMBERED).owner(Path("in") / file, LAB)
    assert (found.name if found else None) == owner


def test_a_roster_is_read_from_what_spreadsheets_write(tmp_path: Path) -> None:
    path = tmp_path / "class.csv"
    path.write_bytes("\ufeffID; Name ;Email\r\n17;Zoë Ü;z@x.org\r\n;;\r\n18;Bo;\r\n".encode())
    assert Roster.read(path).learners == (Learner("Zoë Ü", "17", "z@x.org"), Learner("Bo", "18"))
    assert Roster.read(path).without([Learner("Bo", "18")]) == (Learner("Zoë Ü", "17", "z@x.org"),)


@pytest.mark.parametrize("content", [b"", b"who,id\nBo,3\n", b"name,id\n", b"\xff\xfe"])
def test_a_roster_that_is_none_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "class.csv"
    path.write_bytes(content)
    with pytest.raises(BadInput, match="roster"):
        Roster.read(path)
    with pytest.raises(BadInput, match="cannot be read"):
        Roster.read(tmp_path / "gone.csv")


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
    graded = NotebookGrade(
        f"in/{HOSTILE}/x.ipynb", questions, (HOSTILE,), "00", "00_start_here", (HOSTILE,), {"00.1": HOSTILE}, ADA
    )
    formula = Learner("=cmd()", "+1")
    return GradeReport((graded, NotebookGrade("in/x.ipynb", questions, learner=formula, lab="00")), (GRACE,))


def test_pages_show_everything_and_run_nothing(tmp_path: Path) -> None:
    written = grade_page.write(_report(), tmp_path)
    assert [path.name for path in written] == ["Ada-Lovelace-x.html", "cmd-x.html", "index.html"]
    for path in written:
        text = path.read_text(encoding="utf-8")
        assert "<script" not in text
        assert re.findall(r"(?:src|href)=\"(?!cmd|Ada)", text) == []
        assert "http" not in text
    page = written[0].read_text(encoding="utf-8")
    assert page.count("&lt;script&gt;") == 4
    for words in ("2 of 5 points", "✓ right", "✗ wrong", "○ not attempted", "<code>x</code>", "color-scheme: dark"):
        assert words in page
    index = written[-1].read_text(encoding="utf-8")
    assert "Grace Hopper" in index and "not handed in" in index


def test_what_is_judged_in_the_kernel_is_said_once_and_suspects_nobody(tmp_path: Path) -> None:
    question = Result("21.2", "right", 3, 3, "Yes.")
    several = tuple(NotebookGrade(f"{name}.ipynb", (question,), lab="21") for name in "abc")
    index = grade_page.write(GradeReport(several), tmp_path)[-1].read_text(encoding="utf-8")
    assert index.count("read the code of these answers: 21.2, 21.3.") == 1
    assert "look at it" not in index
    other = grade_page.write(_report(), tmp_path)[-1].read_text(encoding="utf-8")
    assert "own kernel" not in other


def test_pages_of_the_same_name_do_not_overwrite_each_other(tmp_path: Path) -> None:
    names = ["a/index.ipynb", "b/index.ipynb", "c/INDEX.ipynb", "d/....ipynb"]
    written = grade_page.write(GradeReport(tuple(NotebookGrade(name) for name in names)), tmp_path)
    assert len({path.name.lower() for path in written}) == 5


def test_the_csv_has_a_row_a_notebook_and_no_formulas() -> None:
    rows = list(csv.DictReader(_report().to_csv().splitlines()))
    assert [(row["name"], row["points"], row["00.1"], row["00.2 outcome"]) for row in rows] == [
        ("Ada Lovelace", "2", "2", "wrong"),
        ("'=cmd()", "2", "2", "wrong"),
        ("Grace Hopper", "0", "0", "not handed in"),
    ]
    assert rows[1]["id"] == "'+1"


def test_gradebooks_get_a_row_a_learner_with_the_best_of_each_lab() -> None:
    def one(file: str, lab: str, points: int, learner: Learner | None) -> NotebookGrade:
        question = Result(f"{lab}.1", "right", points, 5 if lab == "00" else 7, "")
        return NotebookGrade(file, (question,), lab=lab, learner=learner)

    hand_ins = (
        one("a.ipynb", "00", 3, ADA),
        one("b.ipynb", "00", 4, ADA),
        one("c.ipynb", "04", 6, ADA),
        one("d.ipynb", "00", 1, Learner("=cmd()")),
        one("in/e.ipynb", "04", 2, None),
        one("in2/e.ipynb", "04", 1, None),
    )
    report = GradeReport(hand_ins, (GRACE,))
    assert report.to_learners_csv().splitlines() == [
        "name,id,email,points,out of,00,04",
        "Ada Lovelace,17,ada@x.org,10,12,4,6",
        "'=cmd(),,,1,12,1,",
        "e.ipynb,,,2,7,,2",
        "e.ipynb,,,1,7,,1",
        "Grace Hopper,a-4,,0,12,,",
    ]


def test_a_table_has_a_row_for_all_there_is_to_say() -> None:
    title, rows = command.rows(_report().notebooks[0])
    assert title.endswith("2 of 5")
    assert [row[1] for row in rows] == ["✓ right", "✗ wrong", "○ not attempted", "noticed", "stopped"]


# hidden cases, and the seal


def test_hidden_cases_object_without_giving_themselves_away(tmp_path: Path) -> None:
    (tmp_path / "00.json").write_text('{"00.1": [{"args": [2], "returns": [4, 6]}], "00.3": [{"is": 1}]}')
    (tmp_path / "cases_00.py").write_text(
        "def judge_00_2(answer, cluster):\n    if cluster != 'c' or answer != 5:\n        raise Wrong('Five.')\n"
    )
    cases = Cases.read(tmp_path, "00")
    first, second, third = exercises_of("00")(None)
    assert cases.judge(first, lambda n: (2 * n, 3 * n), None) is None  # type: ignore[arg-type]
    for wrong in (lambda n: [4, 7], lambda n: 1 / 0, lambda: 1, 3, lambda n: ...):
        found = cases.judge(first, wrong, None)  # type: ignore[arg-type]
        assert found is not None
        assert (found.outcome, found.points) == ("wrong", 0)
        assert "4" not in found.reason
    assert cases.judge(second, 5, "c") is None  # type: ignore[arg-type]
    told = cases.judge(second, 6, "c")  # type: ignore[arg-type]
    assert told is not None and told.reason == "Five."
    assert cases.judge(third, 1, None) is None  # type: ignore[arg-type]
    truth = cases.judge(third, True, None)  # type: ignore[arg-type]
    assert truth is not None and truth.reason == HIDDEN
    assert Cases.read(None, "00").judge(first, 3, None) is None  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "name, text",
    [
        ("00.json", "{"),
        ("00.json", "[]"),
        ("00.json", '{"00.1": 3}'),
        ("00.json", '{"00.1": [{"returns": 3}]}'),
        ("cases_00.py", "def judge("),
        ("cases_00.py", "1 / 0"),
    ],
)
def test_cases_that_cannot_be_used_are_said_before_anything_runs(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(BadInput):
        Cases.read(tmp_path, "00")
    with pytest.raises(BadInput, match="not a folder"):
        Cases.read(tmp_path / "gone", "00")


def test_the_seal_sees_a_file_that_changes_comes_or_goes(tmp_path: Path) -> None:
    (tmp_path / "lab_02.py").write_text("x")
    (tmp_path / "picture.png").write_text("x")
    seal = Seal((tmp_path,))
    assert seal.broken() == []
    (tmp_path / "lab_02.py").write_text("y")
    (tmp_path / "new.json").write_text("{}")
    (tmp_path / "picture.png").write_text("y")
    assert seal.broken() == [
        "Files of kafkalab itself changed while it ran: lab_02.py, new.json. If that was not you, install it anew."
    ]
    (tmp_path / "new.json").unlink()
    assert "new.json" in seal.broken()[0]
    assert seal.broken() == []
