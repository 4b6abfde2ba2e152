"""What grades a notebook is out of the notebook's reach, and one hand-in costs no other; none of it needs a cluster."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from kafkalab.checks.grade_pipe import opened, signed
from kafkalab.checks.grade_run import Run, _take

#: Root may look into every process; what is to be shown is what an ordinary user may.
AS_ANYBODY = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []

#: Grades a file, with a stand-in for the process that runs it: a grandchild that tries what a notebook's cell can try.
GRADES = """
import ctypes, os, subprocess, sys
from pathlib import Path
from kafkalab.checks import grade
from kafkalab.checks.grade_run import Run

CELL = '''
import os
up = int(open(f"/proc/{os.getppid()}/stat").read().rpartition(")")[2].split()[1])
tries = {"memory": ("mem", os.O_RDWR), "environment": ("environ", os.O_RDONLY)}
tries |= {f"descriptor {n}": (f"fd/{n}", os.O_WRONLY) for n in range(3, 12)}
for name, (file, how) in tries.items():
    try:
        os.close(os.open(f"/proc/{up}/{file}", how))
        print("open:", name)
    except OSError:
        pass
'''
CHILD = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {CELL!r}], check=True)"

def run(*args, **options):
    pipe = os.pipe()
    tried = subprocess.run([sys.executable, "-c", CHILD], capture_output=True, text=True, check=True)
    print(tried.stdout, end="")
    return Run()

grade.run = run
grade.grade([Path(sys.argv[1])])
print("afterwards:", ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))
"""


def test_no_hand_in_can_look_into_the_process_that_keeps_the_points(tmp_path: Path) -> None:
    blank = tmp_path / "00.ipynb"
    blank.write_text('{"nbformat": 4, "cells": [], "metadata": {"kafkalab": {"lab": "00"}}}')
    done = subprocess.run(
        [*AS_ANYBODY, sys.executable, "-c", GRADES, str(blank)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["afterwards: 1"]


def test_the_first_result_counts_and_a_second_is_told() -> None:
    found = Run()
    for points in (0, 2):
        _take(found, {"question": {"points": points}, "exercise": "00.1"}, lambda at, of: None)
    assert found.questions == {"00.1": {"points": 0}}
    assert found.reported == ["A second result came for 00.1; the first one counts."]


def test_what_somebody_else_wrote_into_a_pipe_accuses_nobody() -> None:
    assert opened(b"key", signed(b"key", {"done": True}).strip()) == {"done": True}
    said = opened(b"key", signed(b"other", {"done": True}).strip())["reported"]
    assert "was not believed" in said
    assert "graded at the same time" in said
