"""Runs a solved lab under nbval, in a kernel of its own, and says which cells passed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import nbformat


def run_solved(lab: Path, scratch: Path) -> None:
    """Run every cell of the solution of a lab; fails with what nbval printed."""
    solved = lab.parent / "solutions" / lab.name
    # nbval runs every cell, and compares what it prints where the notebook says what that is. Settings of its own: what
    # this project asks of its tests (warnings are errors) is not asked of a notebook.
    (scratch / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-c", str(scratch / "pytest.ini"), "--rootdir", str(solved.parent)]
    options = ["--nbval-lax", "--nbval-current-env", "--nbval-cell-timeout=300", "-p", "no:cacheprovider", "-q"]
    ended = subprocess.run([*command, *options, str(solved)], capture_output=True, text=True, cwd=scratch, check=False)
    assert ended.returncode == 0, ended.stdout[-6000:] + ended.stderr[-2000:]
    code = [cell for cell in nbformat.read(solved, as_version=4).cells if cell.cell_type == "code"]  # type: ignore[no-untyped-call]
    passed = re.search(r"^(\d+) passed", ended.stdout, re.MULTILINE)
    assert passed is not None
    assert int(passed[1]) == len(code)
