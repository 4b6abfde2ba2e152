"""The file of progress: the best of each exercise, two writers at once, files that are broken, disks that refuse."""

from __future__ import annotations

import fcntl
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kafkalab.checks.exercise import OUTCOMES, Outcome, Result
from kafkalab.checks.progress_store import Kept, Store
from kafkalab.errors import KafkalabError

FILE = """{"version": 1, "exercises": {
    "02.1": {"outcome": %s, "points": %d, "out_of": 1, "tries": 1, "first_right": 1}}}"""
WRITE = """
import sys
from pathlib import Path
from kafkalab.checks.exercise import Result
from kafkalab.checks.progress_store import Store
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


def test_what_is_kept_and_when_the_file_is_written(store: Store) -> None:
    for one in (result("not attempted"), *(result("right", id) for id in ("", "2.1", "00.x", "../../etc.1", "02.1\n"))):
        store.add(one)
    assert not store.path.exists(), "nothing of what was not tried, or is no exercise of a lab"
    store.add(result("right"))
    (kept,) = json.loads(store.path.read_text())["exercises"].values()
    assert kept.keys() == {"outcome", "points", "out_of", "tries", "first_right"}
    before = store.path.stat()
    store.add(result("right"))  # a notebook that is run again
    assert (store.path.stat().st_ino, store.path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_two_notebooks_at_once_lose_nothing(store: Store) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", WRITE, store.path, lab]) for lab in ("02", "03")]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    assert set(store.read()) == {f"{lab}.{number}" for lab in ("02", "03") for number in range(1, 31)}
    assert sorted(path.name for path in store.path.parent.iterdir()) == ["progress.json", "progress.lock"]


def test_who_never_lets_go_is_not_waited_for_without_end(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kafkalab.checks.progress_store.PATIENCE", 0.1)
    store.path.parent.mkdir()
    with store.path.with_suffix(".lock").open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(KafkalabError, match="another notebook"):
            store.add(result("right"))
    store.add(result("right"))
    assert store.read()["02.1"].outcome == "right"


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"\xff\xfe not text", b"[" * 100_000, b"{}", b'{"version": 9, "exercises": {}}'),
        b'{"version": 1, "exercises": {"02.1": {"outcome": "right"}}}',
        *((FILE % ('["right"]', 1)).encode(), (FILE % ('"right"', -1)).encode()),
    ],
    ids=range(8),
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


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(KafkalabError, match="cannot be written") as error:
        Store(tmp_path / "file" / "progress.json").add(result("right"))
    assert "KAFKALAB_HOME" in error.value.do


def test_a_lab_is_forgotten_and_the_others_are_not(store: Store) -> None:
    assert store.forget() == 0
    for id in ("02.1", "02.2", "03.1"):
        store.add(result("right", id))
    assert (store.forget("02"), set(store.read())) == (2, {"03.1"})
    assert (store.forget(), store.read()) == (1, {})


@given(st.lists(st.sampled_from(OUTCOMES), max_size=8))
def test_no_order_of_checks_takes_anything_back(outcomes: list[Outcome]) -> None:
    kept = Kept("not attempted", 0, 2)
    for outcome in outcomes:
        after = kept.and_then(result(outcome), 5.0)
        assert after.points >= kept.points and after.tries >= kept.tries
        assert (after.first_right is None) == (after.outcome != "right")
        kept = after
    assert (kept.outcome == "right") == ("right" in outcomes)
