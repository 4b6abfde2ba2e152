"""The front end's files: joined from their sources, type-checked, tested by Node's own runner, harmless as written."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from kafkalab.views import live

FRONTEND = Path(__file__).resolve().parents[3] / "frontend"
FOLDER = Path(live.__file__).parent
BUNDLES = sorted(FOLDER.rglob("bundle.js"))


def node(*command: str) -> str:
    """Run one of the front end's tools (`make frontend` has put them there); what it said."""
    done = subprocess.run(command, cwd=FRONTEND, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_joined_files_are_what_their_sources_make() -> None:
    assert f"{2 * len(BUNDLES)} files are what their sources make" in node("node", "build.js", "--check")


def test_the_types_of_pictures_are_what_picture_py_says() -> None:
    node(sys.executable, "picture_types.py", "--check")


def test_the_types_are_right() -> None:
    node("node_modules/.bin/tsc", "--project", "tsconfig.json")


def test_the_front_ends_own_tests() -> None:
    said = node("npm", "test", "--silent", "--", "--test-reporter=tap")
    found = re.search(r"^# pass (\d+)$", said, re.MULTILINE)
    assert found and int(found[1]) > 0, said


def test_the_front_end_never_parses_data_as_html_and_loads_nothing() -> None:
    # What a topic holds must only ever become text.
    for path in (*FOLDER.rglob("*.ts"), *FOLDER.rglob("bundle.js")):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(", text), path.name
        assert not re.search(r"https?://(?!www\.w3\.org/)", text), path.name
    for path in FOLDER.rglob("*.css"):
        assert not re.search(r"@import|url\(", path.read_text(encoding="utf-8")), path.name
