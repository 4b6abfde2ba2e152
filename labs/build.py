"""Makes a lab from its one source: the learner's notebook, the solved one, and the solutions.

    python labs/build.py             write what changed
    python labs/build.py --check     write nothing; exit 1 and name what is stale

A source is a Python file in jupytext's percent format, with some marks of our own:

- ``# <solution>`` … ``# </solution>`` around what the learner is to write. In the learner's
  notebook it becomes ``...``, or what the opening line says: ``# <solution blank="leader = ...">``.
- ``# <output>`` … ``# </output>`` at the end of a cell: what it prints, the same on every machine.
  It is stored in the solved notebook, and compared when the tests run that.
- ``{{exercise 00.1}}`` in prose: the title, the points and the question, as the check has them.
- ``exercise="00.1"`` on the line that opens a cell: the cell in which that exercise is answered.

A source whose name does not begin with a lab's number, such as the gallery, has no exercises: it
makes one notebook.
"""

from __future__ import annotations

import importlib
import json
import re
import sys
from pathlib import Path
from typing import Any

import jupytext
import nbformat

LABS = Path(__file__).resolve().parent
SOLUTIONS = LABS.parent / "kafkalab" / "checks" / "solutions"

_SOLUTION = re.compile(
    r'^(?P<indent> *)# <solution(?: blank="(?P<blank>[^"]*)")?>\n(?P<code>.*?)^ *# </solution>\n?',
    re.DOTALL | re.MULTILINE,
)
_OUTPUT = re.compile(r"^# <output>\n(?P<text>.*?)^# </output>\n?", re.DOTALL | re.MULTILINE)
_PREDICTION = re.compile(r" = Prediction[.(]")
_PLACE = re.compile(r"\{\{exercise (\d\d\.\d+)\}\}")


def build(source: Path) -> dict[Path, str]:
    """What a source makes: file → its text."""
    book = jupytext.read(source, fmt="py:percent")
    name = f"{source.stem}.ipynb"
    if not re.match(r"\d\d_", source.stem):
        return {LABS / name: _notebook(source.stem, book, {}, solved=False)}
    number = source.stem[:2]
    questions = _questions(number)
    solutions = {
        cell.metadata["exercise"]: _shown(cell.source)
        for cell in book.cells
        if "exercise" in cell.metadata
    }
    if solutions.keys() != questions.keys():
        raise SystemExit(
            f"{source.name}: answers {sorted(solutions)}, and the checks ask {sorted(questions)}"
        )
    return {
        LABS / name: _notebook(number, book, questions, solved=False),
        LABS / "solutions" / name: _notebook(number, book, questions, solved=True),
        SOLUTIONS / f"lab_{number}.json": json.dumps(
            solutions, indent=1, sort_keys=True, ensure_ascii=False
        )
        + "\n",
    }


def _questions(number: str) -> dict[str, Any]:
    module = importlib.import_module(f"kafkalab.checks.lab_{number}")
    return {exercise.id: exercise for exercise in module.exercises(None)}


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
    run = 0
    for at, cell in enumerate(book.cells):
        metadata = {
            key: value for key, value in cell.metadata.items() if key != "lines_to_next_cell"
        }
        if cell.cell_type == "markdown":
            new = nbformat.v4.new_markdown_cell(
                _PLACE.sub(lambda m: _asked(questions[m[1]]), cell.source)
            )
        else:
            run += 1
            code, printed = _split(cell.source)
            if _PREDICTION.search(code):
                # Collapsed, because what it shows says all there is in it; the first line stays.
                code = f"# A prediction\n{code}"
                metadata["jupyter"] = {"source_hidden": True}
            # Two empty lines around a function are for files; a cell is short.
            text = re.sub(r"\n{3,}", "\n\n", (_solved if solved else _blank)(code).strip("\n"))
            new = nbformat.v4.new_code_cell(text)
            if printed and solved:
                # nbval compares nothing in a cell whose execution count is null.
                new.execution_count = run
                new.outputs = [nbformat.v4.new_output("stream", name="stdout", text=printed)]
                metadata["tags"] = [*metadata.get("tags", ()), "nbval-check-output"]
        new.id = f"lab{number}-{at:03d}" if number.isdigit() else f"{number}-{at:03d}"
        new.metadata = metadata
        made.cells.append(new)
    nbformat.validate(made)
    return nbformat.writes(made, version=4) + "\n"


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
    return "\n".join(line for line in lines if not re.match(r"q\d+\.check\(", line)).strip("\n")


def _asked(exercise: Any) -> str:
    points = "1 point" if exercise.points == 1 else f"{exercise.points} points"
    return f"**{exercise.id} · {exercise.title}** ({points})\n\n{exercise.question}"


def main(arguments: list[str]) -> int:
    """Build every lab, or with --check say what building would change."""
    check = arguments == ["--check"]
    if arguments and not check:
        print(__doc__, file=sys.stderr)
        return 2
    stale = []
    for source in sorted((LABS / "source").glob("*.py")):
        for path, text in build(source).items():
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
