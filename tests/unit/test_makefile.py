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


def test_pip_shows_its_progress_at_a_terminal_and_is_quiet_in_a_log():
    ours, theirs = pty.openpty()
    try:
        assert "--quiet" not in told(theirs)
    finally:
        os.close(ours)
        os.close(theirs)
    assert "--quiet" in told(subprocess.DEVNULL)


def test_the_sizes_come_before_the_download():
    text = told(subprocess.DEVNULL)
    assert 0 < text.index("430 MB") < text.index("pip --disable-pip-version-check")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert all(size in text and size in readme for size in ("430 MB", "1.4 GB", "104 MB"))
