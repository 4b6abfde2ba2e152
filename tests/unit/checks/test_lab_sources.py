"""The notebooks in the repository are what their sources make, and hold nothing of anybody's machine."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[3]
ALL = sorted((ROOT / "labs" / "source").glob("*.py"))
#: The labs; what else there is, such as the gallery, asks for nothing.
SOURCES = [source for source in ALL if re.match(r"\d\d_", source.stem)]


@pytest.fixture(scope="module")
def build() -> ModuleType:
    spec = importlib.util.spec_from_file_location("labs_build", ROOT / "labs" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def notebook(source: Path, *, solved: bool = False) -> Any:
    folder = ROOT / "labs" / "solutions" if solved else ROOT / "labs"
    return nbformat.read(folder / f"{source.stem}.ipynb", as_version=4)  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("source", ALL, ids=lambda p: p.stem)
def test_what_is_committed_is_what_the_source_makes(build: ModuleType, source: Path) -> None:
    made = build.build(source)
    assert len(made) == (3 if source in SOURCES else 1)
    stale = [path.name for path, text in made.items() if path.read_text(encoding="utf-8") != text]
    assert stale == [], "run `make labs`"


def test_no_notebook_lacks_its_source() -> None:
    stems = {source.stem for source in SOURCES}
    assert {"00_start_here", "21_first_stream"} <= stems
    assert {path.stem for path in (ROOT / "labs" / "solutions").glob("*.ipynb")} == stems
    assert {path.stem for path in (ROOT / "labs").glob("*.ipynb")} == {source.stem for source in ALL}


def test_the_gallery_has_no_outputs() -> None:
    code = [cell for cell in notebook(ROOT / "labs" / "source" / "gallery.py").cells if cell.cell_type == "code"]
    assert len(code) > 10
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code)


@pytest.mark.parametrize("source", SOURCES, ids=lambda p: p.stem)
def test_the_learners_notebook_has_blanks_and_no_outputs(source: Path) -> None:
    book = notebook(source)
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code)
    exercises = [cell for cell in code if "exercise" in cell.metadata]
    assert 2 <= len(exercises) <= 4
    for cell in exercises:
        assert "..." in cell.source
        assert re.search(r"^q\d+\.check\(", cell.source, re.MULTILINE)
    everything = json.dumps(book)
    for mark in ("<solution", "</solution", "<output", "</output", "{{"):
        assert mark not in everything


@pytest.mark.parametrize("source", SOURCES, ids=lambda p: p.stem)
def test_the_form_of_a_lab(source: Path) -> None:
    book = notebook(source)
    assert book.metadata["kafkalab"] == {"lab": source.stem[:2]}
    ids = [cell.id for cell in book.cells]
    assert len(set(ids)) == len(ids)
    first, setup = book.cells[:2]
    assert first.source.startswith(f"# {source.stem[:2]} · ")
    assert all(f"**You {word}**" in first.source for word in ("will", "learn", "need"))
    assert setup.metadata["jupyter"] == {"source_hidden": True}
    assert "set-up" in setup.metadata["tags"]
    text = "\n".join(cell.source for cell in book.cells)
    asked = re.findall(r"= Prediction[.(]", text)
    assert len(asked) >= 3
    assert len(asked) == text.count(".compare(")
    assert "## Clean up" in text
    assert not re.search(r"\bsleep\(", text)


@pytest.mark.parametrize("source", SOURCES, ids=lambda p: p.stem)
def test_the_solved_notebook_has_outputs_where_they_are_compared(source: Path) -> None:
    compared = 0
    for cell in notebook(source, solved=True).cells:
        if cell.cell_type != "code":
            continue
        told = "nbval-check-output" in cell.metadata.get("tags", [])
        # Without an execution count nbval would compare nothing, and say nothing of it.
        assert (cell.execution_count is not None) == told
        assert bool(cell.outputs) == told
        compared += told
    assert compared >= 3


def test_both_notebooks_of_a_lab_differ_only_in_the_answers() -> None:
    for source in SOURCES:
        blank, solved = notebook(source), notebook(source, solved=True)
        assert [c.id for c in blank.cells] == [c.id for c in solved.cells]
        differ = [b for b, s in zip(blank.cells, solved.cells, strict=True) if b.source != s.source]
        assert all("exercise" in cell.metadata for cell in differ)
        assert len(differ) == sum("exercise" in cell.metadata for cell in blank.cells)


def test_a_source_that_answers_what_is_not_asked_is_refused(build: ModuleType, tmp_path: Path) -> None:
    source = tmp_path / "00_other.py"
    source.write_text('# %% [markdown]\n# Hello\n\n# %% exercise="00.9"\nq9.check(...)\n', encoding="utf-8")
    with pytest.raises(SystemExit, match=r"00\.9"):
        build.build(source)


def test_marks_become_blanks_or_answers(build: ModuleType) -> None:
    code = "\n".join(
        [
            "def f(a):",
            "    # <solution>",
            "    return a",
            "    # </solution>",
            "",
            '# <solution blank="x = ...">',
            "x = f(1)",
            "# </solution>",
            "q1.check(x)",
        ]
    )
    assert build._blank(code).strip() == "def f(a):\n    ...\n\nx = ...\nq1.check(x)"
    assert build._solved(code).strip() == "def f(a):\n    return a\n\nx = f(1)\nq1.check(x)"
    assert build._shown(code) == "def f(a):\n    return a\n\nx = f(1)"
