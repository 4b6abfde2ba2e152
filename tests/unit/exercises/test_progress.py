"""Progress as it is kept, as the widget shows it, and as the command lists it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kafkalab import cli
from kafkalab.course.lab_00 import exercises as lab_00_exercises
from kafkalab.exercises import lab as exercises_lab
from kafkalab.exercises import progress
from kafkalab.exercises.course import LABS, course
from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.judging import Wrong, whole_number
from kafkalab.exercises.progress import Store
from kafkalab.exercises.result import Outcome, Result
from kafkalab.views.progress.picture import blocks
from kafkalab.views.progress.view import ProgressView
from kafkalab.views.static import to_text
from tests.support.html import Page

Exercises = tuple[Exercise, ...]
LABS_FOLDER = Path(__file__).resolve().parents[3] / "labs"


def judge(answer: object) -> str:
    if whole_number(answer, "A number") != 7:
        raise Wrong("It is another one.")
    return "Seven."


@pytest.fixture
def exercises() -> Exercises:
    return tuple(Exercise(f"00.{n}", f"Question <{n}>", n, "?", judge, ("", "", "")) for n in (1, 2))


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Progress is kept in a home of the test's own."""
    monkeypatch.setenv("KAFKALAB_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("KAFKALAB_PROGRESS", raising=False)
    monkeypatch.setattr(progress, "notes", [])
    return tmp_path / "home"


def signs(view: ProgressView) -> list[str]:
    return [line.strip()[0] for line in repr(view).splitlines() if " 00." in line]


def test_every_check_is_kept_and_the_widget_follows(kept: Path, exercises: Exercises) -> None:
    first, second = exercises
    view = exercises_lab.shown("00", exercises)
    sent: list[object] = []
    view.send = sent.append  # type: ignore[method-assign,assignment]
    assert signs(view) == ["○", "○"]
    for exercise, answer in ((first, 6), (first, 7), (second, "seven")):
        exercise.check(answer)
    assert signs(view) == ["✓", "✗"]
    assert len(sent) == 3
    for words in ("00.1 Question <1>  right at try 2", "Lab 00 · Start here: 1 of 3 points"):
        assert words in repr(view)
    assert ["✓ 00.1 Question <1>", "right at try 2", "1 of 1"] in Page(view.to_html()).rows
    first.check(8)
    for shown in (repr(view), exercises_lab.score(exercises)):
        assert "was right at try 2; the last answer was not" in shown and "1 of 3 points" in shown
    assert {id: one.outcome for id, one in Store().read().items()} == {"00.1": "right", "00.2": "wrong"}
    view.close()


def test_a_kernel_that_is_new_shows_what_was_kept_and_what_comes_next(kept: Path, exercises: Exercises) -> None:
    exercises[1].check(7)
    drawn = exercises_lab.drawn("00", lab_00_exercises.exercises(None))
    assert drawn["exercises"][1]["outcome"] == "right"
    here, following, *_, last = drawn["labs"]
    assert (here["here"], here["words"], last["words"]) == (True, f"2 of {here['out_of']} points", "not begun")
    assert f"Next: {following['number']} " in to_text(blocks(drawn))
    assert "Next: " not in to_text(blocks(exercises_lab.drawn(last["number"], ())))


def test_what_is_not_kept_is_known_to_this_kernel_and_said(
    kept: Path, exercises: Exercises, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept.mkdir()
    (kept / "progress.json").write_text("{")
    exercises[0].check(7)
    assert "It starts again from zero" in repr(exercises_lab.shown("00", exercises))
    for words, off in (("cannot be read: Not a directory.", ""), ("Not kept", "off")):
        shutil.rmtree(kept, ignore_errors=True)
        kept.touch() if not off else kept.unlink()  # a file where the folder should be
        monkeypatch.setenv("KAFKALAB_PROGRESS", off)
        assert exercises[0].check(7).outcome == "right"
        view = exercises_lab.shown("00", exercises)
        assert signs(view) == ["✓", "○"] and words in repr(view)
    assert not kept.exists()


def test_the_course_is_the_labs_there_are() -> None:
    numbers = [one.number for one in course()]
    assert numbers == sorted(numbers) == list(LABS)
    assert {path.name for path in LABS_FOLDER.glob("[0-9][0-9]*_*.ipynb")} == {lab["notebook"] for lab in LABS.values()}


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr("sys.argv", ["kafkalab", "progress", *arguments])
    with pytest.raises(SystemExit) as end:
        cli.main()
    return int(end.value.code or 0)


def test_the_command_lists_and_forgets(
    kept: Path, exercises: Exercises, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    exercises[0].check(7)
    assert run(monkeypatch, "--json", "00") == 0
    (lab,) = json.loads(capsys.readouterr().out)["labs"]
    assert (lab["exercises"][0]["outcome"], lab["points"]) == ("right", 1)
    for arguments, code, words in (
        ((), 0, "00 Start here"),
        (("00",), 0, "✓ right"),
        (("99",), 2, "no lab 99"),
        (("--forget", "00"), 0, "Forgotten: 1 exercise of lab 00."),
    ):
        assert run(monkeypatch, *arguments) == code
        assert words in "".join(capsys.readouterr())
    assert Store().read() == {}
    (kept / "progress.json").unlink()
    (kept / "progress.json").mkdir()
    assert run(monkeypatch) == 1
    assert "cannot be read" in capsys.readouterr().err


# the file

KEPT = b'{"outcome": "right", "points": %d, "out_of": 1, "tries": 1, "first_right": 1}'
FILE = b'{"version": %d, "exercises": {"02.1": ' + KEPT + b"}}"
WRITE = """
import sys
from pathlib import Path
from kafkalab.exercises.exercise import Result
from kafkalab.exercises.progress import Store
for number in range(1, 31):
    Store(Path(sys.argv[1])).add(Result(f"{sys.argv[2]}.{number}", "right", 1, 1, ""))
"""


def result(outcome: Outcome, id: str = "02.1", out_of: int = 2) -> Result:
    return Result(id, outcome, out_of if outcome == "right" else 0, out_of, "because")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "home" / "progress.json")


def test_the_best_stays_and_tries_are_counted_up_to_the_first_right_one(store: Store) -> None:
    outcomes: tuple[Outcome, ...] = ("not attempted", "wrong", "could not be judged", "wrong", "right")
    for outcome in outcomes:
        store.add(result(outcome))
    kept = store.read()["02.1"]
    assert (kept.outcome, kept.points, kept.out_of, kept.tries) == ("right", 2, 2, 3)
    assert kept.first_right is not None and kept.first_right > 1_700_000_000
    store.add(result("wrong"))
    assert store.read()["02.1"] == kept
    store.add(result("right", "03.1"))
    assert (store.forget("02"), set(store.read())) == (1, {"03.1"})
    assert (store.forget(), store.read(), store.forget()) == (1, {}, 0)


def test_what_is_kept_and_when_the_file_is_written(store: Store) -> None:
    for one in (result("not attempted"), *(result("right", id) for id in ("", "2.1", "00.x", "../../etc.1", "02.1\n"))):
        store.add(one)
    assert not store.path.exists(), "nothing of what was not tried, or is no exercise of a lab"
    store.add(result("right"))
    before = store.path.stat()
    store.add(result("right"))  # a notebook that is run again
    assert (store.path.stat().st_ino, store.path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_two_notebooks_at_once_lose_nothing(store: Store) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", WRITE, store.path, lab]) for lab in ("02", "03")]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    assert set(store.read()) == {f"{lab}.{number}" for lab in ("02", "03") for number in range(1, 31)}
    assert sorted(path.name for path in store.path.parent.iterdir()) == ["progress.json", "progress.lock"]


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\xfe not text", FILE % (9, 1), FILE % (1, -1)],
    ids=["empty", "no text", "version", "points"],
)
def test_a_broken_file_is_set_aside_with_a_sentence(store: Store, content: bytes) -> None:
    store.path.parent.mkdir()
    store.path.write_bytes(content)
    assert store.read() == {}
    (aside,) = store.path.parent.glob("progress-broken-*.json")
    assert aside.read_bytes() == content
    assert str(aside) in store.note
    again = Store(store.path)
    again.add(result("right"))
    assert (again.read()["02.1"].outcome, again.note) == ("right", "")
