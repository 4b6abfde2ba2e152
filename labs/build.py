"""Makes a lab from its one source: the learner's notebook, the solved one, and the solutions.

    python labs/build.py             write what changed
    python labs/build.py 02 03       the same of these labs only
    python labs/build.py --check     write nothing; exit 1 and name what is stale

A source is a Python file in jupytext's percent format, with some marks of our own:

- ``# <solution>`` … ``# </solution>`` around what the learner is to write. In the learner's
  notebook it becomes ``...``, or what the opening line says: ``# <solution blank="leader = ...">``.
- ``# <output>`` … ``# </output>`` at the end of a cell: what it prints, the same on every machine.
  It is stored in the solved notebook, and compared when the tests run that.
- ``{{exercise 00.1}}`` in prose: the title, the points and the question, as the check has them.
- ``exercise="00.1"`` on the line that opens a cell: the cell in which that exercise is answered. Its
  last line, ``q1.check(answer)``, becomes a cell of its own that JupyterLab does not let be edited.
- ``covers="id other-id"``: the statements (labs/statements/NN.toml) that the cell shows or judges.
- ``picture="name"``: labs/pictures/NN-name.svg, once it was taken (labs/pictures.py), is what the
  learner's notebook shows under the cell until it is run.
- ``part="finale"``: the heading of the part in which something fails.

The first mention of each term of labs/glossary.md in a lab is linked to it.

A source whose name does not begin with a lab's number, such as the gallery, has no exercises: it
makes one notebook.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import jupytext
import nbformat

LABS = Path(__file__).resolve().parent
sys.path.insert(0, str(LABS))

import course_map  # noqa: E402
from cell_names import Names  # noqa: E402
from glossary_terms import linked  # noqa: E402

from kafkalab.commands.lab import picture  # noqa: E402
from kafkalab.exercises.course import exercises_of  # noqa: E402

COURSE = LABS.parent / "kafkalab" / "course"
PICTURES = LABS / "pictures"

_SOLUTION = re.compile(
    r'^(?P<indent> *)# <solution(?: blank="(?P<blank>[^"]*)")?>\n(?P<code>.*?)^ *# </solution>\n?',
    re.DOTALL | re.MULTILINE,
)
_OUTPUT = re.compile(r"^# <output>\n(?P<text>.*?)^# </output>\n?", re.DOTALL | re.MULTILINE)
_PREDICTION = re.compile(r" = Prediction[.(]")
_PLACE = re.compile(r"\{\{exercise (\d\d\.\d+)\}\}")
_CHECK = re.compile(r"^q\d+\.check\(.*\)$", re.MULTILINE)
#: What a source says of its cells, and no notebook repeats.
_OURS = {"lines_to_next_cell", "covers", "picture", "part"}


def build(source: Path) -> dict[Path, str]:
    """What a source makes: file → its text."""
    book = jupytext.read(source, fmt="py:percent")
    name = f"{source.stem}.ipynb"
    if not re.match(r"\d\d_", source.stem):
        return {LABS / name: _notebook(source.stem, book, {}, solved=False)}
    number = source.stem[:2]
    questions = _questions(number)
    solutions = {cell.metadata["exercise"]: _shown(cell.source) for cell in book.cells if "exercise" in cell.metadata}
    if solutions.keys() != questions.keys():
        raise SystemExit(f"{source.name}: answers {sorted(solutions)}, and the checks ask {sorted(questions)}")
    return {
        LABS / name: _notebook(number, book, questions, solved=False),
        LABS / "solutions" / name: _notebook(number, book, questions, solved=True),
        COURSE / f"lab_{number}" / "solutions.json": _json(solutions),
    }


def _questions(number: str) -> dict[str, Any]:
    return {exercise.id: exercise for exercise in exercises_of(number)(None)}


def _json(value: Any) -> str:
    return json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _notebook(number: str, book: Any, questions: dict[str, Any], *, solved: bool) -> str:
    made = nbformat.v4.new_notebook()
    made.metadata = {
        "kafkalab": {"lab": number},
        "kernelspec": {
            "display_name": "Python 3 (ipykernel)",
            "language": "python",
            "name": "python3",
        },
        "language_info": {"name": "python", "file_extension": ".py", "mimetype": "text/x-python"},
    }
    names = Names(number)
    mentioned: set[str] = set()
    glossary = "../glossary.md" if solved else "glossary.md"
    for at, cell in enumerate(book.cells, 1):
        if cell.cell_type == "markdown":
            prose = _PLACE.sub(lambda m: _asked(questions[m[1]]), cell.source)
            if questions:
                prose = linked(prose, mentioned, glossary)
            new = nbformat.v4.new_markdown_cell(prose)
            new.metadata = _metadata(cell)
            new.id = names.of(cell)
            made.cells.append(new)
        else:
            made.cells.extend(_code(cell, at, names, questions, solved=solved))
    nbformat.validate(made)
    return nbformat.writes(made, version=4) + "\n"


def _code(cell: Any, at: int, names: Names, questions: dict[str, Any], *, solved: bool) -> list[Any]:
    """The cells that a cell of code makes: one, or an answer and its check."""
    code, printed = _split(cell.source)
    metadata = _metadata(cell)
    if _PREDICTION.search(code):
        # Collapsed, because what it shows says all there is in it; the first line stays.
        code = f"# A prediction\n{code}"
        metadata["jupyter"] = {"source_hidden": True}
    check = None
    if "exercise" in metadata:
        code, check = _parted(code, metadata["exercise"])
        metadata["points"] = questions[metadata["exercise"]].points
    # Two empty lines around a function are for files; a cell is short.
    text = re.sub(r"\n{3,}", "\n\n", (_solved if solved else _blank)(code).strip("\n"))
    new = nbformat.v4.new_code_cell(text)
    new.id = names.of(cell)
    still = PICTURES / f"{names.number}-{cell.metadata.get('picture')}.svg"
    if solved and printed:
        # nbval compares nothing in a cell whose execution count is null.
        new.execution_count = at
        new.outputs = [nbformat.v4.new_output("stream", name="stdout", text=printed)]
        metadata["tags"] = [*metadata.get("tags", ()), "nbval-check-output"]
    elif not solved and "picture" in cell.metadata and still.is_file():
        # Under nbval a cell that has outputs must have been run.
        new.execution_count = at
        new.outputs = [nbformat.v4.new_output("display_data", data=picture(still.read_text(encoding="utf-8")))]
    # Last, because the cell keeps a copy.
    new.metadata = metadata
    if check is None:
        return [new]
    asks = nbformat.v4.new_code_cell(check)
    asks.id = names.of_check(metadata["exercise"])
    asks.metadata = {"check": metadata["exercise"], "deletable": False, "editable": False}
    return [new, asks]


def _metadata(cell: Any) -> dict[str, Any]:
    return {key: value for key, value in cell.metadata.items() if key not in _OURS}


def _parted(code: str, exercise: str) -> tuple[str, str]:
    """The cell of an answer, and the line that checks it."""
    found = _CHECK.findall(code)
    if len(found) != 1 or not code.rstrip().endswith(found[0]):
        raise SystemExit(f"{exercise}: the last line of its cell, and only that, is q….check(…)")
    return code.rstrip().removesuffix(found[0]), found[0]


def _split(code: str) -> tuple[str, str]:
    """A cell's code, and what it prints."""
    found = _OUTPUT.search(code + "\n")
    if found is None:
        return code, ""
    printed = re.sub(r"^# ?", "", found["text"], flags=re.MULTILINE)
    return _OUTPUT.sub("", code + "\n"), printed


def _solved(code: str) -> str:
    return _SOLUTION.sub(lambda m: m["code"], code + "\n")


def _blank(code: str) -> str:
    return _SOLUTION.sub(lambda m: f"{m['indent']}{m['blank'] or '...'}\n", code + "\n")


def _shown(code: str) -> str:
    """The solution as the check shows it: the whole cell without the line that checks."""
    lines = _solved(_split(code)[0]).strip("\n").splitlines()
    return "\n".join(line for line in lines if not _CHECK.match(line)).strip("\n")


def _asked(exercise: Any) -> str:
    points = "1 point" if exercise.points == 1 else f"{exercise.points} points"
    return f"**{exercise.id} · {exercise.title}** ({points})\n\n{exercise.question}"


def main(arguments: list[str]) -> int:
    """Build labs, or with --check say what building would change."""
    check = "--check" in arguments
    wanted = [argument for argument in arguments if argument != "--check"]
    sources = sorted((LABS / "source").glob("*.py"))
    chosen = [s for s in sources if not wanted or s.stem in wanted or s.stem[:2] in wanted]
    if not chosen or not all(re.match(r"\w", argument) for argument in wanted):
        print(__doc__, file=sys.stderr)
        return 2
    made = [item for source in chosen for item in build(source).items()]
    if not wanted:
        made += course_map.build(sources).items()
    stale = []
    for path, text in made:
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(path.relative_to(LABS.parent).as_posix())
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    for name in stale:
        print(f"out of date: {name}" if check else f"wrote {name}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
