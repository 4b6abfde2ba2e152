"""The notebooks in the repository are what their sources make, and hold nothing of anybody's machine."""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import symtable
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
def test_the_learners_notebook_has_blanks_and_nothing_but_pictures(source: Path) -> None:
    book = notebook(source)
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    assert all((cell.execution_count is not None) == bool(cell.outputs) for cell in code)
    shown = [output for cell in code for output in cell.outputs]
    assert all(set(output["data"]) == {"text/html", "text/plain"} for output in shown)
    exercises = [cell for cell in code if "exercise" in cell.metadata]
    assert 2 <= len(exercises) <= 4
    for cell in exercises:
        assert "..." in cell.source
        assert cell.metadata["points"] >= 1
    everything = json.dumps(book)
    for mark in ("<solution", "</solution", "<output", "</output", "{{"):
        assert mark not in everything


@pytest.mark.parametrize("source", SOURCES, ids=lambda p: p.stem)
def test_every_answer_is_followed_by_a_check_that_is_locked(source: Path) -> None:
    cells = notebook(source).cells
    asked = [at for at, cell in enumerate(cells) if "exercise" in cell.metadata]
    for at in asked:
        id = cells[at].metadata["exercise"]
        check = cells[at + 1]
        number = id.split(".")[1]
        assert check.metadata == {"check": id, "deletable": False, "editable": False}
        assert re.fullmatch(rf"q{number}\.check\(.+\)", check.source)
        assert (cells[at].id, check.id) == (f"lab{id[:2]}-answer-{number}", f"lab{id[:2]}-check-{number}")
    assert sum("check" in cell.metadata for cell in cells) == len(asked)


@pytest.mark.parametrize("source", [s for s in SOURCES if s.stem[:2] != "21"], ids=lambda p: p.stem)
def test_the_learners_notebook_carries_pictures(source: Path) -> None:
    named = re.findall(r'^# %%.* picture="([^"]+)"', source.read_text(encoding="utf-8"), re.MULTILINE)
    assert 3 <= len(set(named)) == len(named)
    shown = [o["data"] for cell in notebook(source).cells for o in cell.get("outputs", [])]
    assert len(shown) == len(named)
    for data in shown:
        # In a page that nbconvert makes of it too: its text is said, and its right end is not cut off.
        alternative = re.match(r'<img alt="([^"]+)" style="max-width:100%;height:auto" src="data:', data["text/html"])
        assert alternative is not None
        assert len(alternative[1].split()) >= 4, alternative[1]
        assert "\ufffd" not in alternative[1]
        assert len(data["text/html"]) < 250_000
    taken = {path.stem for path in (ROOT / "labs" / "pictures").glob(f"{source.stem[:2]}-*.svg")}
    assert taken == {f"{source.stem[:2]}-{name}" for name in named}


@pytest.mark.parametrize(
    "picture, words",
    [
        ("00-cluster", "3 of 3 brokers up"),
        ("00-without-102", "2 of 3 brokers up"),
        ("00-without-102", "broker 102  down"),
        ("00-time-line", ">♛"),
    ],
)
def test_a_picture_shows_what_its_text_speaks_of(picture: str, words: str) -> None:
    svg = (ROOT / "labs" / "pictures" / f"{picture}.svg").read_text(encoding="utf-8")
    assert words in svg


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
    assert f'lab = Lab("{source.stem[:2]}")' in setup.source
    text = "\n".join(cell.source for cell in book.cells)
    asked = re.findall(r"= Prediction[.(]", text)
    assert len(asked) >= 3
    assert len(asked) == text.count(".compare(")
    assert not re.search(r"\bsleep\(", text)
    assert "lab.score()" in text
    assert [tag for cell in book.cells for tag in cell.metadata.get("tags", ())] == ["set-up", "progress", "clean-up"]
    clean_up = next(cell for cell in book.cells if "clean-up" in cell.metadata.get("tags", ()))
    assert "lab.tidy()" in clean_up.source
    (finale,) = re.findall(r'^# %% \[markdown\].* part="finale".*\n# (.*)', source.read_text(), re.MULTILINE)
    assert re.match(r"## \d+ · ", finale)


@pytest.mark.parametrize("source", SOURCES, ids=lambda p: p.stem)
def test_one_idea_a_cell_and_no_walls_of_text(source: Path) -> None:
    for cell in notebook(source).cells:
        if cell.cell_type == "markdown":
            prose = re.sub(r"\|.*\||\]\([^)]*\)|```.*?```", " ", cell.source, flags=re.DOTALL)
            assert len(prose.split()) <= 190, cell.source[:80]
        elif "exercise" not in cell.metadata and "set-up" not in cell.metadata.get("tags", ()):
            assert len(cell.source.splitlines()) <= 34, cell.source[:80]


@pytest.mark.parametrize("source", [s for s in SOURCES if s.stem[:2] != "21"], ids=lambda p: p.stem)
def test_topics_and_groups_have_the_labs_prefix(source: Path) -> None:
    """So that the clean-up finds them. Names come as the first argument, or as group_id."""
    number = source.stem[:2]
    tree = ast.parse(source.read_text(encoding="utf-8"))
    named = []
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        asked = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if asked in {"create_topic", "KafkaConsumer"}:
            named += [arg.value for arg in call.args if isinstance(arg, ast.Constant)]
        named += [k.value.value for k in call.keywords if k.arg == "group_id" and isinstance(k.value, ast.Constant)]
    assert [name for name in named if name is not None and not name.startswith(f"lab{number}-")] == []


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
    assert compared >= 5


@pytest.mark.parametrize("source", SOURCES, ids=lambda p: p.stem)
def test_both_notebooks_of_a_lab_differ_only_in_the_answers(source: Path) -> None:
    blank, solved = notebook(source), notebook(source, solved=True)
    assert [c.id for c in blank.cells] == [c.id for c in solved.cells]
    for cell in solved.cells:
        # They lie in a folder of their own.
        cell.source = cell.source.replace("](../glossary.md", "](glossary.md")
    differ = [b for b, s in zip(blank.cells, solved.cells, strict=True) if b.source != s.source]
    assert all("exercise" in cell.metadata for cell in differ)
    assert len(differ) == sum("exercise" in cell.metadata for cell in blank.cells)


@pytest.mark.parametrize("source", SOURCES, ids=lambda p: p.stem)
def test_an_answer_is_used_by_nothing_but_its_check(source: Path) -> None:
    """So a lab goes on the same whether an exercise was answered or left blank."""
    code = [cell for cell in notebook(source, solved=True).cells if cell.cell_type == "code"]
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


def test_who_uses_what_is_seen_in_functions_too() -> None:
    assert globals_of("a = 1") == ({"a"}, set())
    assert globals_of("def f(b):\n    return a + b") == ({"f"}, {"a"})
    assert globals_of("import c\nprint(c, d)") == ({"c"}, {"c", "d", "print"})


@pytest.mark.parametrize("source", ALL, ids=lambda p: p.stem)
def test_nothing_tells_of_a_machine(source: Path) -> None:
    for solved in (False, True) if source in SOURCES else (False,):
        text = json.dumps(notebook(source, solved=solved))
        assert not re.search(r"/(home|root|tmp|work|Users|usr|var)/\w", text)


def test_the_courses_map_is_what_the_labs_make_and_every_statement_is_shown_and_judged(build: ModuleType) -> None:
    made = build.course_map.build(SOURCES)
    assert [path.name for path, text in made.items() if path.read_text(encoding="utf-8") != text] == [], (
        "run `make labs`"
    )
    lacking = [
        (statement.lab, statement.id)
        for source in SOURCES
        for statement in build.course_map.statements_of(source)
        if not statement.shown or not statement.judged
    ]
    assert lacking == []


@pytest.mark.parametrize("source", SOURCES, ids=lambda p: p.stem)
def test_the_cells_of_the_map_are_those_of_the_notebook(build: ModuleType, source: Path) -> None:
    there = {cell.id for cell in notebook(source).cells}
    told = {id for s in build.course_map.statements_of(source) for ids in s.shown.values() for id in ids}
    assert {f"lab{source.stem[:2]}-{id}" for id in told} <= there
    assert told


@pytest.mark.parametrize("source", SOURCES, ids=lambda p: p.stem)
def test_a_lab_has_statements(build: ModuleType, source: Path) -> None:
    assert len(build.course_map.statements_of(source)) >= 3


def test_a_cell_that_covers_what_nobody_says_is_refused(build: ModuleType, tmp_path: Path) -> None:
    source = tmp_path / "02_other.py"
    source.write_text('# %% [markdown] covers="no-such-thing"\n# Hello\n', encoding="utf-8")
    with pytest.raises(build.course_map.Unknown, match="no-such-thing"):
        build.course_map.statements_of(source)


def test_ids_stay_when_other_cells_come(build: ModuleType) -> None:
    cells = [nbformat.v4.new_markdown_cell(text) for text in ("one", "two", "one")]  # type: ignore[no-untyped-call]
    names, more = build.Names("02"), build.Names("02")
    before = [names.of(cell) for cell in cells]
    after = [more.of(cell) for cell in [cells[0], nbformat.v4.new_markdown_cell("new"), *cells[1:]]]  # type: ignore[no-untyped-call]
    assert before == [after[0], *after[2:]]
    assert len(set(after)) == 4


def test_a_check_that_is_not_the_last_line_is_refused(build: ModuleType) -> None:
    assert build._parted("x = 1\nq1.check(x)", "00.1") == ("x = 1\n", "q1.check(x)")
    for code in ("q1.check(x)\nx = 1", "x = 1", "q1.check(x)\nq1.check(x)"):
        with pytest.raises(SystemExit, match=r"00\.1"):
            build._parted(code, "00.1")


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
