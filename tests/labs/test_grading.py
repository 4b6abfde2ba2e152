"""Prepared hand-ins earn exactly the points that were meant, the next one starts clean, and nothing is left."""

from __future__ import annotations

import csv
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.labs.hand_ins import CORE, REST, ROUGH, HandIn, forgeries, write
from tests.labs.running import ROOT

pytestmark = pytest.mark.timeout(900)

LIMITS = ("--cell-seconds", "8", "--memory", "600", "--disk", "150")
OUTCOMES = {"r": "right", "w": "wrong", "n": "not attempted", "c": "could not be judged"}

Grade = Callable[..., tuple[Any, Path]]

# Whose is what: by id, by file, by name; and Nobody handed in nothing.
ROSTER = """name,id,email,file
Ada Perfect,01,ada@example.org,
Grace Forger,g7,,02-fakes.ipynb
Picture,,,
Nobody,99,,
"""

# The hidden cases of this instructor take no name with an underscore.
CASES = """
def judge_00_5(answer, cluster):
    if "_" in answer or cluster.snapshot().topic(answer) is None:
        raise Wrong("")
"""


@pytest.fixture
def scratch() -> Iterator[Path]:
    """A short path, since the sockets of clusters lie below it."""
    with tempfile.TemporaryDirectory(prefix="g-") as folder:
        for name in ("in", "t", "cases"):
            (Path(folder) / name).mkdir()
        yield Path(folder)


@pytest.fixture
def grade(scratch: Path) -> Grade:
    """Grades hand-ins, each as it was meant to be: what was said, and where it was written. Nothing is left of them."""
    (scratch / "roster.csv").write_text(ROSTER)
    (scratch / "cases" / "cases_00.py").write_text(CASES)

    def run(hand_ins: tuple[HandIn, ...], *options: str) -> tuple[Any, Path]:
        write(hand_ins, scratch / "in")
        command = [sys.executable, "-m", "kafkalab", "grade", "in", "--json", "--jobs", "2", *options]
        command += ["--out", "out", "--roster", "roster.csv", "--cases", "cases"]
        environment = {**os.environ, "TMPDIR": str(scratch / "t")}
        environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        ended = subprocess.run(command, cwd=scratch, env=environment, capture_output=True, text=True, check=False)
        assert ended.returncode == 0, ended.stderr[-4000:]
        said = json.loads(ended.stdout)
        found = {Path(one["notebook"]).stem: one for one in said["notebooks"]}
        for one in hand_ins:
            as_meant(one, found[one.name])
            assert (scratch / "in" / f"{one.name}.ipynb").read_bytes() == one.content
        assert [path.name for path in (scratch / "t").glob("klg-*")] == []
        assert [p.pid for p in psutil.process_iter(["cmdline"]) if "98765.4321" in (p.info["cmdline"] or [])] == []
        assert [*Path(os.environ["KAFKALAB_HOME"]).glob("clusters/grade-*")] == []
        return said, scratch / "out"

    return run


def as_meant(one: HandIn, found: dict[str, Any]) -> None:
    assert [question["outcome"] for question in found["questions"]] == [OUTCOMES[letter] for letter in one.earns], found
    assert found["points"] == one.points == sum(question["points"] for question in found["questions"]), found
    assert found["out_of"] == (9 if one.earns else 0), found
    told = json.dumps(found, ensure_ascii=False)
    assert [words for words in one.says if words not in told] == [], told
    assert [words for words in one.never if words in " ".join(found["reported"])] == [], told


def test_hand_ins_earn_what_was_meant_and_the_reports_say_the_same(grade: Grade) -> None:
    said, out = grade(CORE)
    assert json.loads((out / "grades.json").read_text()) == said
    rows = list(csv.DictReader((out / "grades.csv").read_text(encoding="utf-8-sig").splitlines()))
    assert {(row["name"], row["points"], row["00.1 outcome"]) for row in rows} == {
        ("Ada Perfect", "9", "right"),
        ("Grace Forger", "2", "not attempted"),
        ("Picture", "0", ""),
        ("Nobody", "0", "not handed in"),
    }
    assert len([*out.glob("*.html")]) == 1 + len(CORE)
    assert said["not_handed_in"] == [{"name": "Nobody", "id": "99", "email": ""}]


@pytest.mark.parametrize(
    "hand_ins",
    [
        pytest.param(ROUGH, id="rough", marks=pytest.mark.deep),
        pytest.param(REST, id="rest", marks=pytest.mark.nightly),
    ],
)
def test_a_rough_hand_in_costs_only_itself(hand_ins: tuple[HandIn, ...], grade: Grade) -> None:
    grade(hand_ins, *LIMITS)


@pytest.mark.deep
@pytest.mark.skipif(sys.platform != "linux", reason="bubblewrap needs Linux")
def test_forgeries_earn_nothing_in_isolation(grade: Grade, scratch: Path) -> None:
    with socket.create_server(("0.0.0.0", 0)) as server:
        grade(
            forgeries(scratch, server.getsockname()[1], socket.gethostbyname(socket.gethostname())),
            *LIMITS,
            "--isolate",
        )
        server.setblocking(False)
        with pytest.raises(BlockingIOError):
            server.accept()
