"""Prepared hand-ins earn exactly the points that were meant, the next one starts clean, and nothing is left."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.labs.hand_ins import GREEDY, ORDINARY, HandIn, write
from tests.labs.running import ROOT

pytestmark = pytest.mark.timeout(900)

# Root may look into every process; hand-ins are graded as an ordinary user's.
AS_ANYBODY = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []

OUTCOMES = {"r": "right", "w": "wrong", "n": "not attempted", "c": "could not be judged"}

# Whose is what: by id, by file, by name; and Nobody handed in nothing.
ROSTER = """name,id,email,file
Ada Perfect,01,ada@example.org,
Grace Blank,g7,,02-blank.ipynb
Half,,,
Nobody,99,,
"""

# The hidden cases of this instructor take no name with an underscore.
CASES = """
def judge_00_3(answer, cluster):
    if "_" in answer or cluster.snapshot().topic(answer) is None:
        raise Wrong("")
"""


@dataclass(frozen=True)
class Graded:
    code: int
    said: dict[str, Any]
    out: Path
    before: dict[str, bytes]
    folder: Path
    left: list[str]


def _grade(scratch: Path, hand_ins: tuple[HandIn, ...], *options: str) -> Graded:
    folder, temporary, out = scratch / "in", scratch / "t", scratch / "out"
    for one in (folder, temporary):
        one.mkdir()
    write(hand_ins, folder)
    (scratch / "roster.csv").write_text(ROSTER)
    (scratch / "cases").mkdir()
    (scratch / "cases" / "cases_00.py").write_text(CASES)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    command = [*AS_ANYBODY, sys.executable, "-m", "kafkalab", "grade", str(folder), "--json", "--jobs", "2"]
    command += ["--out", str(out), "--roster", str(scratch / "roster.csv"), "--cases", str(scratch / "cases"), *options]
    environment = {**os.environ, "TMPDIR": str(temporary)}
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr[-4000:]
    left = [path.name for path in temporary.iterdir() if path.name.startswith("klg-")]
    return Graded(ended.returncode, json.loads(ended.stdout), out, before, folder, left)


@pytest.fixture(scope="module")
def ordinary() -> Iterator[Graded]:
    # A short path, since the sockets of clusters lie below it.
    with tempfile.TemporaryDirectory(prefix="g-") as scratch:
        yield _grade(Path(scratch), ORDINARY)


@pytest.fixture(scope="module")
def greedy() -> Iterator[Graded]:
    with tempfile.TemporaryDirectory(prefix="g-") as scratch:
        yield _grade(Path(scratch), GREEDY, "--cell-seconds", "8", "--memory", "600", "--disk", "150")


def _as_meant(one: HandIn, graded: Graded) -> None:
    found = next(n for n in graded.said["notebooks"] if Path(n["notebook"]).stem == one.name)
    outcomes = [question["outcome"] for question in found["questions"]]
    assert outcomes == [OUTCOMES[letter] for letter in one.earns], found
    assert found["points"] == one.points == sum(question["points"] for question in found["questions"]), found
    assert found["out_of"] == (5 if one.earns else 0)
    told = json.dumps(found, ensure_ascii=False)
    for words in one.says:
        assert words in told
    for words in one.never:
        assert words not in " ".join(found["reported"])


@pytest.mark.parametrize("one", ORDINARY, ids=lambda one: one.name)
def test_a_hand_in_earns_what_was_meant(one: HandIn, ordinary: Graded) -> None:
    _as_meant(one, ordinary)


@pytest.mark.parametrize("one", GREEDY, ids=lambda one: one.name)
def test_a_greedy_hand_in_costs_only_itself(one: HandIn, greedy: Graded) -> None:
    _as_meant(one, greedy)


def test_nothing_is_left_and_nothing_that_was_handed_in_is_changed(ordinary: Graded, greedy: Graded) -> None:
    for graded in (ordinary, greedy):
        assert graded.left == []
        assert {path.name: path.read_bytes() for path in graded.folder.iterdir()} == graded.before
    assert [p.pid for p in psutil.process_iter(["cmdline"]) if "98765.4321" in (p.info["cmdline"] or [])] == []
    home = Path(os.environ["KAFKALAB_HOME"])
    assert [path.name for path in home.glob("clusters/grade-*")] == []


def test_the_reports_say_the_same(ordinary: Graded) -> None:
    assert json.loads((ordinary.out / "grades.json").read_text()) == ordinary.said
    rows = list(csv.DictReader((ordinary.out / "grades.csv").read_text(encoding="utf-8-sig").splitlines()))
    by_name = {row["name"]: row for row in rows if row["name"]}
    assert {name: row["points"] for name, row in by_name.items()} == {
        "Ada Perfect": "5",
        "Grace Blank": "0",
        "Half": "3",
        "Nobody": "0",
    }
    assert by_name["Half"]["00.1 outcome"] == "not attempted"
    assert by_name["Nobody"]["00.1 outcome"] == "not handed in"
    assert ordinary.said["not_handed_in"] == [{"name": "Nobody", "id": "99", "email": ""}]
    index = (ordinary.out / "index.html").read_text(encoding="utf-8")
    pages = [path for path in ordinary.out.glob("*.html") if path.name != "index.html"]
    assert len(pages) == len(ORDINARY)
    assert all(f'href="{path.name}"' in index for path in pages)


def test_somebody_elses_notebook_of_a_patched_kafkalab_does_not_outlive_it(ordinary: Graded) -> None:
    after = next(n for n in ordinary.said["notebooks"] if "09-scattered" in n["notebook"])
    assert not any("code of its own" in sentence for sentence in after["reported"])
