"""The notebooks in the repository are what their sources make, and hold nothing of anybody's machine."""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import symtable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[3]


def number_of(source: Path) -> str:
    return source.stem.partition("_")[0]


ALL = sorted((ROOT / "labs" / "source").glob("*.py"))
#: The labs; what else there is, such as the gallery, asks for nothing.
SOURCES = [source for source in ALL if re.match(r"\d\d[a-z]?_", source.stem)]

every_lab = pytest.mark.parametrize("source", SOURCES, ids=number_of)


@pytest.fixture(scope="module")
def build() -> ModuleType:
    spec = importlib.util.spec_from_file_location("labs_build", ROOT / "labs" / "build.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def notebook(source: Path, *, solved: bool = False) -> Any:
    """Only to be read."""
    folder = ROOT / "labs" / "solutions" if solved else ROOT / "labs"
    return nbformat.read(folder / f"{source.stem}.ipynb", as_version=4)  # type: ignore[no-untyped-call]


def stale(made: dict[Path, str]) -> list[str]:
    return [path.name for path, text in made.items() if path.read_text(encoding="utf-8") != text]


def code_of(book: Any) -> list[Any]:
    return [cell for cell in book.cells if cell.cell_type == "code"]


@pytest.mark.parametrize("source", ALL, ids=lambda source: source.stem)
def test_what_is_committed_is_what_the_source_makes(build: ModuleType, source: Path) -> None:
    made = build.build(source)
    assert len(made) == (3 if source in SOURCES else 1)
    assert stale(made) == [], "run `make labs`"
    for path, text in made.items():
        # A picture's base64 may have such letters by chance, but never after a sign that is not its own.
        assert not re.search(r"(?<![A-Za-z0-9+/])/(home|root|tmp|work|Users|usr|var)/\w", text), path.name


def test_no_notebook_lacks_its_source() -> None:
    assert {path.stem for path in (ROOT / "labs" / "solutions").glob("*.ipynb")} == {one.stem for one in SOURCES}
    assert {path.stem for path in (ROOT / "labs").glob("*.ipynb")} == {one.stem for one in ALL}


@every_lab
def test_only_answers_are_blank_and_their_checks_are_locked(source: Path) -> None:
    cells, solved = notebook(source).cells, notebook(source, solved=True).cells
    assert [cell.id for cell in cells] == [cell.id for cell in solved]
    asked = [at for at, cell in enumerate(cells) if "exercise" in cell.metadata]
    assert 2 <= len(asked) <= 7
    # The solved ones lie in a folder of their own.
    there = [cell.source.replace("](../gloss", "](gloss") for cell in solved]
    assert asked == [at for at, cell in enumerate(cells) if cell.source != there[at]]
    assert sum("check" in cell.metadata for cell in cells) == len(asked)
    for answer, check, helps in [cells[at : at + 3] for at in asked]:
        lab, number = answer.metadata["exercise"].split(".")
        assert "..." in answer.source
        assert answer.metadata["points"] >= 1
        assert check.metadata == {"check": f"{lab}.{number}", "deletable": False, "editable": False}
        assert re.fullmatch(rf"q{number}\.check\(.+\)", check.source)
        assert (answer.id, check.id) == (f"lab{lab}-answer-{number}", f"lab{lab}-check-{number}")
        assert (helps.source, helps.id) == (f"# q{number}.hint()\n# q{number}.solution()", f"lab{lab}-help-{number}")
    everything = json.dumps(notebook(source))
    assert [mark for mark in ("<solution", "</solution", "<output", "</output", "{{") if mark in everything] == []


@every_lab
def test_outputs_are_pictures_or_what_is_compared(source: Path) -> None:
    blank, solved = code_of(notebook(source)), code_of(notebook(source, solved=True))
    assert all((cell.execution_count is not None) == bool(cell.outputs) for cell in blank)
    shown = [output["data"] for cell in blank for output in cell.outputs]
    assert all(set(data) == {"text/html", "text/plain"} for data in shown)
    compared = ["nbval-check-output" in cell.metadata.get("tags", []) for cell in solved]
    assert sum(compared) >= 5
    # Without an execution count nbval would compare nothing, and say nothing of it.
    assert [cell.execution_count is not None for cell in solved] == compared == [bool(cell.outputs) for cell in solved]


@every_lab
def test_a_learners_notebook_carries_pictures(source: Path) -> None:
    named = re.findall(r'^# %%.* picture="([^"]+)"', source.read_text(encoding="utf-8"), re.MULTILINE)
    assert 3 <= len(set(named)) == len(named)
    shown = [output["data"]["text/html"] for cell in code_of(notebook(source)) for output in cell.outputs]
    assert len(shown) == len(named)
    for html in shown:
        # One for light pages and one for dark ones, whose text is said, and whose right end is not cut off in any page.
        words = re.findall(
            r'<img class="kl-still-(?:light|dark)" alt="([^"]+)" style="[^"]*max-width:100%;height:auto"', html
        )
        assert len(words) == 2 and words[0] == words[1]
        assert len(words[0].split()) >= 4, words[0]
        assert "\ufffd" not in words[0]
        assert len(html) < 500_000
    taken = {path.stem for path in (ROOT / "labs" / "pictures").glob(f"{number_of(source)}-*.txt")}
    assert taken == {f"{number_of(source)}-{name}" for name in named}
    images = {path.name for path in (ROOT / "labs" / "pictures").glob(f"{number_of(source)}-*.webp")}
    assert images == {f"{name}.{theme}.webp" for name in taken for theme in ("light", "dark")}


@every_lab
def test_the_form_of_a_lab(source: Path) -> None:
    number, book = number_of(source), notebook(source)
    assert book.metadata["kafkalab"]["lab"] == number
    assert len({cell.id for cell in book.cells}) == len(book.cells)
    first, setup = book.cells[:2]
    assert first.source.startswith(f"# {number} · ")
    assert all(f"**You {word}**" in first.source for word in ("will", "learn", "need"))
    assert f'lab = Lab("{number}")' in setup.source
    tagged = [(tag, cell.source) for cell in book.cells for tag in cell.metadata.get("tags", ())]
    assert [tag for tag, _ in tagged] == ["set-up", "progress", "clean-up"]
    assert "lab.tidy()" in tagged[-1][1]
    text = "\n".join(cell.source for cell in book.cells)
    asked = [cell for cell in book.cells if re.search(r"= Prediction[.(]", cell.source)]
    verdicts = [cell for cell in book.cells if ".compare(" in cell.source]
    assert 3 <= len(asked) == len(verdicts)
    assert all(cell.metadata["jupyter"] == {"source_hidden": True} for cell in [*asked, *verdicts])
    assert not re.search(r"\bsleep\(", text)
    assert "lab.score()" in text


@every_lab
def test_topics_and_groups_have_the_labs_prefix(source: Path) -> None:
    """So that the clean-up finds them. Names come as the first argument, or as group_id."""
    named = []
    for call in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(call, ast.Call):
            asked = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
            given = call.args if asked in {"create_topic", "KafkaConsumer"} else []
            given = [*given, *(keyword.value for keyword in call.keywords if keyword.arg == "group_id")]
            named += [one.value for one in given if isinstance(one, ast.Constant) and one.value is not None]
    assert [name for name in named if not str(name).startswith(f"lab{number_of(source)}-")] == []


@every_lab
def test_an_answer_is_used_by_nothing_but_its_check(source: Path) -> None:
    """So a lab goes on the same whether an exercise was answered or left blank."""
    code = code_of(notebook(source, solved=True))
    for at, answer in enumerate(code):
        if exercise := answer.metadata.get("exercise"):
            bound, _ = globals_of(answer.source)
            for cell in code[at + 1 :]:
                rebound, loaded = globals_of(cell.source)
                assert cell.metadata.get("check") == exercise or not bound & loaded - rebound, (answer.id, cell.id)


def globals_of(source: str) -> tuple[set[str], set[str]]:
    """The names a cell binds, and those it loads, also in functions."""
    bound, loaded = set(), set()
    tables = [top := symtable.symtable(source, "cell", "exec")]
    while tables:
        table = tables.pop()
        tables += table.get_children()
        for symbol in table.get_symbols():
            if table is top and (symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()):
                bound.add(symbol.get_name())
            if symbol.is_referenced() and (table is top or symbol.is_global()):
                loaded.add(symbol.get_name())
    return bound, loaded


def test_the_courses_map_is_made_of_the_labs_and_every_statement_is_shown_and_judged(build: ModuleType) -> None:
    assert stale(build.course_map.build(SOURCES)) == [], "run `make labs`"
    for source in SOURCES:
        statements = build.course_map.statements_of(source)
        assert len(statements) >= 3
        assert [one.id for one in statements if not one.shown or not one.judged] == []
        told = {f"lab{number_of(source)}-{id}" for one in statements for ids in one.shown.values() for id in ids}
        assert told <= {cell.id for cell in notebook(source).cells}


def test_the_list_of_labs_and_the_figures_of_lessons_are_made_of_the_labs_heads(build: ModuleType) -> None:
    made = build.course(SOURCES)
    assert stale(made) == [] and len(made) == 3, "run `make labs`"
    assert "afterwards you can" in made[ROOT / "README.md"]


def test_a_source_that_does_not_fit_its_exercises_is_refused(build: ModuleType, tmp_path: Path) -> None:
    source = tmp_path / "00_other.py"
    source.write_text('# %% [markdown] covers="no-such-thing"\n# Hello\n\n# %% exercise="00.9"\nq9.check(...)\n')
    with pytest.raises(SystemExit, match=r"00\.9"):
        build.build(source)
    with pytest.raises(build.course_map.Unknown, match="no-such-thing"):
        build.course_map.statements_of(source)
