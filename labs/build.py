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
  last line, ``q1.check(answer)``, becomes a cell of its own that JupyterLab does not let be edited;
  below it comes a cell with the ways to a hint and to the solution, as comments.
- ``covers="id other-id"``: the statements (labs/statements/NN.toml) that the cell shows or judges.
- ``picture="name"``: labs/pictures/NN-name, once it was taken (labs/pictures.py), is what the
  learner's notebook shows under the cell until it is run. ``shows="2 of 3 brokers up | leader 101"``: what its words
  must say, so that it cannot show another moment than the one that the text speaks of.
- ``{{minutes}}``: how long the lab takes, which labs/form.py works out. It also says what the head of a source holds.
- ``part="finale"``: the heading of the part in which something fails.

A cell with a prediction, and one with its verdict, are collapsed, because they hold every answer.

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
import form  # noqa: E402
from cell_names import Names, number_of  # noqa: E402
from glossary_terms import linked  # noqa: E402
from still import picture  # noqa: E402

from kafkalab.exercises.course import exercises_of  # noqa: E402

COURSE = LABS.parent / "kafkalab" / "course"
PICTURES = LABS / "pictures"
README = LABS.parent / "README.md"
LESSONS = LABS.parent / "docs" / "lessons.md"

_SOLUTION = re.compile(
    r'^(?P<indent> *)# <solution(?: blank="(?P<blank>[^"]*)")?>\n(?P<code>.*?)^ *# </solution>\n?',
    re.DOTALL | re.MULTILINE,
)
_OUTPUT = re.compile(r"^# <output>\n(?P<text>.*?)^# </output>\n?", re.DOTALL | re.MULTILINE)
_PREDICTION = re.compile(r" = Prediction[.(]")
_VERDICT = re.compile(r"^\w+\.compare\(", re.MULTILINE)
_PLACE = re.compile(r"\{\{exercise (\d\d[a-z]?\.\d+)\}\}")
_CHECK = re.compile(r"^q\d+\.check\(.*\)$", re.MULTILINE)
#: What a source says of its cells, and no notebook repeats.
_OURS = {"lines_to_next_cell", "covers", "picture", "shows", "part"}


def build(source: Path) -> dict[Path, str]:
    """What a source makes: file → its text."""
    book = jupytext.read(source, fmt="py:percent")
    name = f"{source.stem}.ipynb"
    if not re.match(r"\d\d[a-z]?_", source.stem):
        return {LABS / name: _notebook(source, source.stem, book, {}, solved=False)}
    number = number_of(source)
    questions = _questions(number)
    solutions = {cell.metadata["exercise"]: _shown(cell.source) for cell in book.cells if "exercise" in cell.metadata}
    if solutions.keys() != questions.keys():
        raise SystemExit(f"{source.name}: answers {sorted(solutions)}, and the checks ask {sorted(questions)}")
    return {
        LABS / name: _notebook(source, number, book, questions, solved=False),
        LABS / "solutions" / name: _notebook(source, number, book, questions, solved=True),
        COURSE / f"lab_{number}" / "solutions.json": _json(solutions),
    }


def course(sources: list[Path]) -> dict[Path, str]:
    """Return the files that are made of all labs' heads: the list of labs, README's table, the figures of lessons."""
    lessons = [(source, form.Lesson.of(source)) for source in sources if re.match(r"\d\d[a-z]?_", source.stem)]
    listed = {
        lesson.number: {
            "notebook": f"{source.stem}.ipynb",
            **{name: lesson.head[name] for name in ("title", "can", "after", "memory")},
            "minutes": lesson.minutes(),
        }
        for source, lesson in lessons
    }
    rows = "".join(
        f"| [{number} · {lab['title']}](labs/{lab['notebook']}) | {lab['minutes']} | {lab['can']} |\n"
        for number, lab in listed.items()
    )
    head = "| lab | minutes | afterwards you can |\n|---|---|---|\n"
    marks = "(<!-- labs -->\n).*?(<!-- /labs -->)"
    readme = re.sub(marks, lambda m: f"{m[1]}{head}{rows}{m[2]}", README.read_text(encoding="utf-8"), flags=re.DOTALL)
    figures = _LESSONS + form.table([lesson for _, lesson in lessons])
    return {COURSE / "labs.json": _json(listed), README: readme, LESSONS: figures}


_LESSONS = """# The figures of the lessons

Made by `make labs`; `python labs/form.py 02` prints them for one lab, with what is not in order. Words are those of the
prose, with the questions of exercises. Lines and the longest cell count code that a learner sees open, without
comments. *First* is the number of words before the first exercise. *You/we* is how often a lesson speaks to its reader
in 1000 words, and *names* how many names of kafkalab it imports. Minutes are reading (200 words a minute), running, and
two minutes for an exercise, five for a big one.

"""


def _questions(number: str) -> dict[str, Any]:
    return {exercise.id: exercise for exercise in exercises_of(number)(None)}


def _json(value: Any) -> str:
    return json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _notebook(source: Path, number: str, book: Any, questions: dict[str, Any], *, solved: bool) -> str:
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
    minutes = form.Lesson.of(source).minutes() if questions else 0
    mentioned: set[str] = set()
    glossary = "../glossary.md" if solved else "glossary.md"
    for at, cell in enumerate(book.cells, 1):
        if cell.cell_type == "markdown":
            prose = _PLACE.sub(lambda m: _asked(questions[m[1]]), cell.source)
            if "{{minutes}}" in prose:
                prose = prose.replace("{{minutes}}", str(minutes))
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
    elif _VERDICT.search(code):
        # Its code holds every possible answer.
        code = f"# The verdict\n{code}"
        metadata["jupyter"] = {"source_hidden": True}
    check = None
    if "exercise" in metadata:
        code, check = _parted(code, metadata["exercise"])
        metadata["points"] = questions[metadata["exercise"]].points
    # Two empty lines around a function are for files; a cell is short.
    text = re.sub(r"\n{3,}", "\n\n", (_solved if solved else _blank)(code).strip("\n"))
    new = nbformat.v4.new_code_cell(text)
    new.id = names.of(cell)
    still = f"{names.number}-{cell.metadata.get('picture')}"
    if solved and printed:
        # nbval compares nothing in a cell whose execution count is null.
        new.execution_count = at
        new.outputs = [nbformat.v4.new_output("stream", name="stdout", text=printed)]
        metadata["tags"] = [*metadata.get("tags", ()), "nbval-check-output"]
    elif not solved and "picture" in cell.metadata and (PICTURES / f"{still}.txt").is_file():
        if missing := unshown(cell.metadata.get("shows", ""), (PICTURES / f"{still}.txt").read_text(encoding="utf-8")):
            # It is left out, which a test notices; the solved notebook is needed to take it again.
            print(f"{still} does not show {missing!r}: make pictures ARGS={names.number}", file=sys.stderr)
        else:
            # Under nbval a cell that has outputs must have been run.
            new.execution_count = at
            new.outputs = [nbformat.v4.new_output("display_data", data=picture(PICTURES, still))]
    # Last, because the cell keeps a copy.
    new.metadata = metadata
    if check is None:
        return [new]
    asks = nbformat.v4.new_code_cell(check)
    asks.id = names.of_check(metadata["exercise"])
    asks.metadata = {"check": metadata["exercise"], "deletable": False, "editable": False}
    name = check.partition(".")[0]
    helps = nbformat.v4.new_code_cell(f"# {name}.hint()\n# {name}.solution()")
    helps.id = names.of_help(metadata["exercise"])
    helps.metadata = {"help": metadata["exercise"]}
    return [new, asks, helps]


def unshown(shows: str, said: str) -> str:
    """The first thing that a picture should show, and that is not in its words; empty if there is none."""
    wanted = [" ".join(one.split()) for one in shows.split("|")]
    return next((one for one in wanted if one not in " ".join(said.split())), "")


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


def learners_code(code: str) -> str:
    """A cell's code as the learner gets it."""
    return _blank(_split(code)[0])


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
    chosen = [s for s in sources if not wanted or s.stem in wanted or number_of(s) in wanted]
    if not chosen or not all(re.match(r"\w", argument) for argument in wanted):
        print(__doc__, file=sys.stderr)
        return 2
    made = [item for source in chosen for item in build(source).items()]
    if not wanted:
        made += [*course_map.build(sources).items(), *course(sources).items()]
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
