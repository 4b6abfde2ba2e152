"""`make lab` tells what it fetches before it does, and shows how far it is where somebody looks on."""

from __future__ import annotations

import os
import pty
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def told(stderr: int) -> str:
    """What make would run to install the packages."""
    command = ["make", "--no-print-directory", "--dry-run", "--always-make", ".venv/.locked"]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=stderr, text=True, timeout=60, check=True)
    return done.stdout


def test_the_sizes_come_before_the_download_whose_progress_is_shown_at_a_terminal_alone() -> None:
    ours, theirs = pty.openpty()
    try:
        assert "--quiet" not in told(theirs)
    finally:
        os.close(ours)
        os.close(theirs)
    text = told(subprocess.DEVNULL)
    assert 0 < text.index("430 MB") < text.index("pip --disable-pip-version-check")
    assert "--quiet" in text
