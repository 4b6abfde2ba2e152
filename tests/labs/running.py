"""Runs notebooks under nbval, in a kernel of their own, and says how long each cell took."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import nbformat

from kafkalab import Cluster

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Run:
    """A notebook that was run: what nbval printed, and its cells with the seconds that each took."""

    told: str
    cells: list[tuple[Any, float]]

    def seconds(self) -> float:
        """Of the lab's own cells; not of those that a test has added."""
        return sum(seconds for cell, seconds in self.cells if "added" not in cell.metadata)

    def slowest(self, count: int = 6) -> str:
        """The slowest of the lab's own cells, a line each."""
        own = [(seconds, cell) for cell, seconds in self.cells if "added" not in cell.metadata]
        own.sort(key=lambda pair: -pair[0])
        return "\n".join(f"{seconds:5.1f} s  {cell.id}: {cell.source[:60]!r}" for seconds, cell in own[:count])


def left_behind(cluster: Cluster) -> list[str]:
    """Topics and labs' groups that a notebook made and did not remove."""
    snapshot = cluster.snapshot()
    topics = [topic.name for topic in snapshot.topics if not topic.internal]
    return topics + [group.group_id for group in snapshot.groups if group.group_id.startswith("lab")]


def running(cluster: Cluster) -> list[str]:
    """The nodes that run."""
    return [node.name for node in cluster.nodes() if node.state == "running"]


def notebook(path: Path) -> Any:
    """A notebook as it lies there."""
    return nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]


def run_solved(lab: Path, scratch: Path) -> Run:
    """Run every cell of a lab, each answer first left blank, which its check must say, then wrong in today's third
    of the ways of tests/labs/wrong, and then given, which is right.

    Nothing but its check uses an answer (tests/unit/course holds the labs to that), so what comes after a blank one is
    what comes after one that was given. Fails with what nbval printed.
    """
    solved, blank = notebook(lab.parent / "solutions" / lab.name), notebook(lab)
    blanks = {cell.metadata["exercise"]: cell for cell in blank.cells if "exercise" in cell.metadata}
    checks = {cell.metadata["check"]: cell.source for cell in solved.cells if "check" in cell.metadata}
    assert len(blanks) >= 2 and blanks.keys() == checks.keys()
    cells = []
    for cell in solved.cells:
        if exercise := cell.metadata.get("exercise"):
            cells += [_added(blanks[exercise].source), _added(f'assert {checks[exercise]}.outcome == "not attempted"')]
            number, _, question = exercise.partition(".")
            cells.append(_added(_WRONG.format(exercise=exercise, lab=number, number=question)))
        cells.append(cell)
        if exercise := cell.metadata.get("check"):
            asked, _, answer = cell.source.strip().removesuffix(")").partition(".check(")
            cells.append(_added(f'assert {asked}.said[-1].outcome == "right", {asked}.said[-1]'))
            # Lab 00's are graded whole (test_grading.py).
            if not exercise.startswith("00"):
                cells.append(
                    _added(f"import tests.support.answers as _answers\n_answers.accept_graded({asked}, {answer})")
                )
    solved.cells = cells
    nbformat.write(solved, scratch / lab.name)  # type: ignore[no-untyped-call]
    return run_notebook(scratch / lab.name, scratch)


#: What an exercise has no answers for that need a cluster, tests/unit/course/test_labs.py has tried.
_WRONG = """
import tests.labs.wrong.lab_{lab} as _wrong
if "{exercise}" in _wrong.ON_CLUSTER:
    _wrong.ON_CLUSTER["{exercise}"](cluster).of_today().tried_with(q{number})
"""


def _added(source: str) -> Any:
    return nbformat.v4.new_code_cell(source, metadata={"added": True})  # type: ignore[no-untyped-call]


def run_notebook(path: Path, scratch: Path) -> Run:
    """Run every cell of a notebook; fails with what nbval printed."""
    # nbval runs every cell, and compares what it prints where the notebook says what that is. Settings of its own: what
    # this project asks of its tests (warnings are errors) is not asked of a notebook.
    (scratch / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-c", str(scratch / "pytest.ini"), "--rootdir", str(path.parent)]
    options = ["--nbval-lax", "--nbval-current-env", "--nbval-cell-timeout=300", "-p", "no:cacheprovider", "-q"]
    seen = [f"--junitxml={scratch / 'cells.xml'}", str(path)]
    ended = subprocess.run([*command, *options, *seen], capture_output=True, text=True, cwd=scratch, check=False)
    assert ended.returncode == 0, ended.stdout[-6000:] + ended.stderr[-2000:]
    code = [cell for cell in notebook(path).cells if cell.cell_type == "code"]
    took = {
        int(re.findall(r"\d+", case.attrib["name"])[-1]): float(case.attrib["time"])
        for case in ElementTree.parse(scratch / "cells.xml").iter("testcase")
    }
    assert sorted(took) == [*range(len(code))], "a cell was not run"
    return Run(ended.stdout, [(cell, took[at]) for at, cell in enumerate(code)])
