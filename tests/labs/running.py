"""Runs notebooks under nbval, in a kernel of their own, and says which cells passed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import nbformat

from kafkalab import Cluster

ROOT = Path(__file__).resolve().parents[2]


def left_behind(cluster: Cluster) -> list[str]:
    """Topics that a notebook made and did not remove."""
    return [topic.name for topic in cluster.snapshot().topics if not topic.internal]


def groups_left(cluster: Cluster) -> list[str]:
    """Groups of labs that a notebook made and did not remove."""
    return [group.group_id for group in cluster.snapshot().groups if group.group_id.startswith("lab")]


def run_solved(lab: Path, scratch: Path) -> None:
    """Run every cell of a lab, each answer first left blank, which its check must say, and then given.

    Nothing but its check uses an answer (tests/unit/checks holds the labs to that), so what comes after a blank one is
    what comes after one that was given. Fails with what nbval printed.
    """
    solved, blank = (
        nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
        for path in (lab.parent / "solutions" / lab.name, lab)
    )
    blanks = {cell.metadata["exercise"]: cell for cell in blank.cells if "exercise" in cell.metadata}
    checks = {cell.metadata["check"]: cell.source for cell in solved.cells if "check" in cell.metadata}
    assert len(blanks) >= 2 and blanks.keys() == checks.keys()
    cells = []
    for cell in solved.cells:
        if exercise := cell.metadata.get("exercise"):
            asserted = f'assert {checks[exercise]}.outcome == "not attempted"'
            cells += [nbformat.v4.new_code_cell(source) for source in (blanks[exercise].source, asserted)]
        cells.append(cell)
    solved.cells = cells
    path = scratch / lab.name
    nbformat.write(solved, path)  # type: ignore[no-untyped-call]
    run_notebook(path, scratch)


def run_notebook(notebook: Path, scratch: Path, *more: str) -> str:
    """Run every cell of a notebook; fails with what nbval printed, or returns it.

    :param more: options for pytest.
    """
    # nbval runs every cell, and compares what it prints where the notebook says what that is. Settings of its own: what
    # this project asks of its tests (warnings are errors) is not asked of a notebook.
    (scratch / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-c", str(scratch / "pytest.ini"), "--rootdir", str(notebook.parent)]
    options = ["--nbval-lax", "--nbval-current-env", "--nbval-cell-timeout=300", "-p", "no:cacheprovider", "-q"]
    ended = subprocess.run(
        [*command, *options, *more, str(notebook)], capture_output=True, text=True, cwd=scratch, check=False
    )
    assert ended.returncode == 0, ended.stdout[-6000:] + ended.stderr[-2000:]
    code = [cell for cell in nbformat.read(notebook, as_version=4).cells if cell.cell_type == "code"]  # type: ignore[no-untyped-call]
    passed = re.search(r"^(\d+) passed", ended.stdout, re.MULTILINE)
    assert passed is not None
    assert int(passed[1]) == len(code)
    return ended.stdout
