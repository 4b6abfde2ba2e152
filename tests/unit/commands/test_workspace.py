"""The learner's folder of labs: filled, brought up to date, and never robbed of notes; JupyterLab in a Codespace."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kafkalab import KafkalabError
from kafkalab.commands.lab import RECORD, codespace, prepare
from kafkalab.grading.restore import carried_labs

FIRST, SECOND = "00_start_here.ipynb", "01_why_kafka.ipynb"


@pytest.fixture
def carried(tmp_path: Path) -> Path:
    """The labs as a package carries them, with what the authors keep beside them."""
    folder = tmp_path / "site-packages" / "kafkalab" / "_labs"
    for name in (FIRST, SECOND, f"solutions/{FIRST}", "glossary.md", "build.py", "pictures/00.svg", "source/00.py"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"{name}, edition 1")
    return folder


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    return tmp_path / "home" / "kafkalab-labs"


def files(folder: Path) -> dict[str, str]:
    found = {p.relative_to(folder).as_posix(): p.read_text() for p in folder.rglob("*") if p.is_file()}
    found.pop(RECORD, None)
    return found


def test_a_learner_gets_notebooks_and_glossary_and_keeps_the_notes_in_them(carried: Path, mine: Path):
    assert prepare(mine, carried) == []
    assert set(files(mine)) == {FIRST, SECOND, "glossary.md"}
    (mine / FIRST).write_text("MY NOTES")
    (mine / SECOND).unlink()
    (carried / FIRST).unlink()
    assert prepare(mine, carried) == [f"{SECOND} was missing, so you get a new copy."]
    assert (files(mine)[FIRST], files(mine)[SECOND]) == ("MY NOTES", f"{SECOND}, edition 1")


def test_an_upgrade_brings_new_editions_and_changes_nothing_of_the_learners(carried: Path, mine: Path):
    prepare(mine, carried)
    (mine / FIRST).write_text("MY NOTES")
    (carried / "02_new.ipynb").write_text("new")
    for name in (FIRST, SECOND):
        (carried / name).write_text(f"{name}, edition 2")
    news = prepare(mine, carried)
    assert [sentence.split()[0] for sentence in news] == [FIRST, SECOND]
    now = files(mine)
    assert (now[FIRST], now["00_start_here-2.ipynb"]) == ("MY NOTES", f"{FIRST}, edition 2")
    assert (now[SECOND], now["02_new.ipynb"]) == (f"{SECOND}, edition 2", "new")
    # Once: also when the package goes back and forth between two editions, until there is a third.
    for edition in (1, 2, 3):
        (carried / FIRST).write_text(f"{FIRST}, edition {edition}")
        assert bool(prepare(mine, carried)) == (edition == 3)
    assert files(mine)["00_start_here-3.ipynb"] == f"{FIRST}, edition 3"


def test_a_damaged_record_costs_no_notes(carried: Path, mine: Path):
    prepare(mine, carried)
    (mine / FIRST).write_text("MY NOTES")
    for damage in ("", "[]", '{"00_start_here.ipynb": 7}', "{"):
        (mine / RECORD).write_text(damage)
        prepare(mine, carried)
        assert files(mine)[FIRST] == "MY NOTES"
        assert prepare(mine, carried) == []


def test_a_folder_of_somebodys_own_notebooks_is_left_as_it_is(carried: Path, mine: Path):
    mine.mkdir(parents=True)
    (mine / "my_course.ipynb").write_text("mine")
    prepare(mine, carried)
    assert files(mine) == {"my_course.ipynb": "mine"}


def test_a_folder_that_cannot_be_written_is_a_sentence(carried: Path, tmp_path: Path):
    (tmp_path / "file").touch()
    with pytest.raises(KafkalabError, match="cannot be written") as caught:
        prepare(tmp_path / "file" / "labs", carried)
    assert "KAFKALAB_LABS" in caught.value.do


def test_every_link_of_the_real_labs_leads_to_a_file_in_the_folder(mine: Path):
    prepare(mine, carried_labs())
    assert files(mine)[FIRST] == (carried_labs() / FIRST).read_text()
    broken = {
        (page, link)
        for page, text in files(mine).items()
        for link in re.findall(r"\]\((?!https?:|#|data:|attachment:)([^)#\s]+)[^)]*\)", text)
        if not (mine / page).parent.joinpath(link).resolve().is_relative_to(mine)
        or not (mine / page).parent.joinpath(link).exists()
    }
    assert not broken


THERE = {"CODESPACES": "true", "CODESPACE_NAME": "fluffy-x7", "GITHUB_CODESPACES_PORT_FORWARDING_DOMAIN": "app.example"}


def test_one_origin_is_allowed_and_none_elsewhere() -> None:
    for said, port in (("", 8888), ("--port 9999", 9999), ("--no-browser --port=9999", 9999)):
        allowed = f"--ServerApp.allow_origin=https://fluffy-x7-{port}.app.example"
        assert codespace(said.split(), THERE) == [allowed, "--ServerApp.port_retries=0"]
    for elsewhere in ({}, {**THERE, "CODESPACES": "false"}, {"CODESPACES": "true"}):
        assert codespace([], elsewhere) == []
