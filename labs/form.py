"""The form of a lesson: its figures beside their budget, and where a lab breaks a rule.

    python labs/form.py              the table of all labs, and what is not in order
    python labs/form.py 02 03        the same of these labs only

The head of a lab's source, under ``kafkalab:``, says what the build cannot know:

- ``title``: of the lab, in the list of labs;
- ``can``: what you can do after it, a verb first, for the list of labs;
- ``after``: the labs that it builds on;
- ``memory``: what its cluster and its kernel need;
- ``seconds``: how long its cells run on two cores, measured by `make labs-test`;
- ``big``: its exercises that take five minutes rather than two;
- ``teaches``: the standard calls, each made in a cell that the learner sees: ``KafkaConsumer.seek``, or
  ``kafka-topics --create`` for a tool and its option.
"""

from __future__ import annotations

import ast
import builtins
import json
import re
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import jupytext

LABS = Path(__file__).resolve().parent
sys.path.insert(0, str(LABS))

from cell_names import number_of  # noqa: E402

from kafkalab.exercises.course import exercises_of  # noqa: E402

#: Words a minute, and minutes for an exercise and for a big one.
READING, SMALL, BIG = 200, 2, 5

#: What a lesson must keep: name → (least, most), None for no limit.
BUDGET: dict[str, tuple[float | None, float | None]] = {
    "words": (None, 1500),
    "lines": (None, 180),
    "longest": (None, 12),
    "exercises": (5, 7),
    "first": (None, 400),
    "words a line": (8, None),
    "you/we": (20, None),
    "rounds": (None, 5),
    "names": (None, 6),
}

#: Turns of phrase that nobody says to a colleague, each with what to write instead.
BANNED = {
    r"\b(?:who|what|which|when|where)(?:so)?ever\b": "name the person or the thing",
    r"\bnobody\b|\bno one\b|\bsomebody\b": "name who does it",
    r"\bmend(?:s|ed|ing)?\b": "fix, repair",
    r"\bshall\b": "should, will",
    r"\bso many\b": "give the number",
    r"\bin vain\b": "not",
    r"\bis to be had\b|\bto be had\b": "say what there is",
    r"\bhence\b|\bthereof\b|\bwherein\b|\bheed\w*\b|\blest\b|\bunless told otherwise\b": "plain English",
    r"(?:^|[.:!?]\s+)Who (?:needs|has|wants|writes|reads|sends)\b[^?]*\.": "if you need …",
    r"\bfor who\b|\bto who\b": "for a reader that …",
    r"\bHad (?:you|we|it|they)\b|\bWere (?:you|we|it|they)\b[^?]*\.": "if you had …",
    r"(?:^|[.:!?]\s+)What (?:has|is|was|came|comes|stays) [^?]*\.(?:\s|$)": "begin with the subject",
    r"\bMark that\b|\bNote well\b": "look at",
    r"\bstroll\w*\b|\bin this life of\b|\bNothing of it\b|\bof all the rest\b": "plain English",
}

#: The parts of kafkalab that a lesson may import: public names, streams, and the props of its own lab.
_MAY = re.compile(
    r"kafkalab|kafkalab\.streams(?:\.\w+)?|kafkalab\.course\.members|kafkalab\.course\.lab_\w+\.(?!exercises\b)\w+"
)


@dataclass(frozen=True)
class Lesson:
    """A lab's source: its head, and its cells as a learner gets them.

    ``cells``: (kind, text, metadata) of each; code without its solution, and without what it prints.
    """

    number: str
    head: dict[str, Any]
    cells: tuple[tuple[str, str, dict[str, Any]], ...]

    @classmethod
    def of(cls, source: Path) -> Lesson:
        """Read a source."""
        from build import learners_code

        number = number_of(source)
        questions = {one.id: one for one in exercises_of(number)(None)}
        book = jupytext.read(source, fmt="py:percent")
        cells = []
        for cell in book.cells:
            if cell.cell_type == "markdown":
                asked = re.sub(r"\{\{exercise (\S+)\}\}", lambda m: questions[m[1]].question, cell.source)
                cells.append(("prose", asked, dict(cell.metadata)))
            else:
                cells.append(("code", learners_code(cell.source), dict(cell.metadata)))
        return cls(number, dict(book.metadata.get("kafkalab", {})), tuple(cells))

    def prose(self) -> str:
        """All that is read, without code, tables' rules and marks."""
        return "\n\n".join(plain(text) for kind, text, _ in self.cells if kind == "prose")

    def seen(self) -> list[str]:
        """The cells of code that are open in the learner's notebook."""
        return [
            text
            for kind, text, metadata in self.cells
            if kind == "code" and not hidden(text, metadata) and lines_of(text)
        ]

    def exercises(self) -> list[str]:
        """Their ids, in the order in which they come."""
        return [metadata["exercise"] for _, _, metadata in self.cells if "exercise" in metadata]

    def minutes(self) -> int:
        """Reading, running and answering, rounded up to five."""
        big = set(self.head.get("big", ()))
        asked = sum(BIG if id in big else SMALL for id in self.exercises())
        minutes = self._read() / READING + self.head.get("seconds", 0) / 60 + asked
        return -5 * int(-minutes // 5)

    def _read(self) -> int:
        """The words that are read: of the prose, of open code, and of the questions of predictions."""
        asked = [text for kind, text, _ in self.cells if kind == "code" and re.search(r" = Prediction[.(]", text)]
        quoted = " ".join(word for text in asked for word in re.findall(r'"([^"]*)"', text))
        return sum(len(words_of(text)) for text in (self.prose(), quoted, *self.seen()))

    def figures(self) -> dict[str, float]:
        """Return the figures of a lesson that :data:`BUDGET` limits, by name."""
        words = words_of(self.prose())
        lines = [len(lines_of(code)) for code in self.seen()]
        you = sum(word.lower() in _YOU or word.lower().split("'")[0] in _YOU for word in words)
        headings = [
            line for kind, text, _ in self.cells if kind == "prose" for line in re.findall(r"^## \d.*", text, re.M)
        ]
        return {
            "words": len(words),
            "lines": sum(lines),
            "longest": max(lines, default=0),
            "exercises": len(self.exercises()),
            "first": self._before_the_first(),
            "words a line": round(len(words) / max(1, sum(lines)), 1),
            "you/we": round(1000 * you / max(1, len(words))),
            "rounds": len(headings),
            "names": len(self.imported()),
        }

    def _before_the_first(self) -> int:
        count = 0
        for kind, text, metadata in self.cells:
            if "exercise" in metadata:
                break
            count += len(words_of(plain(text))) if kind == "prose" else 0
        return count

    def imported(self) -> dict[str, str]:
        """The names of the project that its cells import → the module, as it is written."""
        found = {}
        for kind, text, _ in self.cells:
            if kind == "code":
                for node in ast.walk(ast.parse(_python(text))):
                    if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "kafkalab":
                        found.update({name.name: str(node.module) for name in node.names})
                    elif isinstance(node, ast.Import):
                        found.update({n.name: n.name for n in node.names if n.name.split(".")[0] == "kafkalab"})
        return found

    def faults(self) -> list[str]:
        """Return the rules that the lesson breaks, each with its place, as sentences."""
        said = []
        for name, value in self.figures().items():
            least, most = BUDGET[name]
            if least is not None and value < least:
                said.append(f"{name}: {value:g}, at least {least:g}")
            if most is not None and value > most:
                said.append(f"{name}: {value:g}, at most {most:g}")
        return [
            *said,
            *self._noisy(),
            *self._imports(),
            *self._taught(),
            *self._untaught(),
            *self._told(),
            *self._closed(),
            *self._phrases(),
        ]

    def _noisy(self) -> list[str]:
        """Cells that end with a request to the admin client, whose answer would fill a page."""
        said = []
        for code in self.seen():
            last = ast.parse(_python(code)).body[-1]
            if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
                called = ast.unparse(last.value.func)
                if called.startswith("admin.") and called != "admin.close":
                    said.append(f"a cell ends with {called}(…), whose answer fills a page")
        return said

    def _imports(self) -> list[str]:
        said = [f"imports {name} of {module}" for name, module in self.imported().items() if not _MAY.fullmatch(module)]
        for kind, text, metadata in self.cells:
            if kind == "code" and "set-up" in metadata.get("tags", ()):
                for line in text.splitlines():
                    if (
                        re.match(r"\s*(?:from|import) kafkalab", line)
                        and "#" not in line
                        and not line.rstrip().endswith("(")
                    ):
                        said.append(f"does not explain: {line.strip()}")
        return said

    def _taught(self) -> list[str]:
        teaches = self.head.get("teaches", [])
        said = [] if teaches else ["its head names nothing that it teaches"]
        called: set[str] = set()
        for code in self.seen():
            called |= calls_of(code)
        text = "\n".join(self.seen())
        for name in teaches:
            tool, _, option = name.partition(" ")
            if "-" in tool:
                there = tool in text and all(word in text for word in option.split())
            else:
                there = all(part in called for part in name.split("."))
            if not there:
                said.append(f"does not show {name} in an open cell")
        return said

    def _untaught(self) -> list[str]:
        """Names that a solution calls before the lab, or one that it builds on, has shown or asked for them."""
        solutions = LABS.parent / "kafkalab" / "course" / f"lab_{self.number}" / "solutions.json"
        solved = json.loads(solutions.read_text(encoding="utf-8")) if solutions.exists() else {}
        known = _PLAIN.union(*(names_in(number) for number in self.head.get("after", ())))
        said = []
        for kind, text, metadata in self.cells:
            known |= calls_of(text) if kind == "code" else quoted(text)
            if solution := solved.get(metadata.get("exercise")):
                tree = ast.parse(solution)
                own = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
                said += [f"{metadata['exercise']} needs {name}, untaught" for name in called(tree) - known - own]
        return said

    def _told(self) -> list[str]:
        """Between a prediction and its verdict the shipped notebook holds no picture and no table."""
        said, waiting = [], {}
        for kind, text, metadata in self.cells:
            if "picture" in metadata and not metadata.get("shows"):
                said.append(f"the picture {metadata['picture']} names no fact that it shows")
            for name in re.findall(r"^(\w+)\.compare\(", text, re.M) if kind == "code" else ():
                waiting.pop(name, None)
            if waiting:
                names = ", ".join(waiting)
                if "picture" in metadata:
                    said.append(f"the picture {metadata['picture']} stands before the verdict of {names}")
                if kind == "prose" and re.search(r"^\|.*\|$", text, re.M):
                    said.append(f"a table stands before the verdict of {names}")
            for name in re.findall(r"^(\w+) = Prediction[.(]", text, re.M) if kind == "code" else ():
                waiting[name] = True
        return [*said, *(f"{name} has no verdict" for name in waiting)]

    def _closed(self) -> list[str]:
        """Return what a lesson lacks of the parts that every one has towards its end, as sentences."""
        said = []
        after_finale: list[str] | None = None
        for _, _, metadata in self.cells:
            if metadata.get("part") == "finale":
                after_finale = []
            elif after_finale is not None and "exercise" in metadata:
                after_finale.append(metadata["exercise"])
        if not after_finale:
            said.append("its finale has nothing to repair: no exercise comes after part=finale")
        prose = "\n".join(text for kind, text, _ in self.cells if kind == "prose")
        wanted = ("**Why?**", "**You can now**", "**The words you own now", "**Where next?**")
        return [*said, *(f"it lacks {words}" for words in wanted if words not in prose)]

    def _phrases(self) -> list[str]:
        texts = [plain(text) for kind, text, _ in self.cells if kind == "prose"]
        return phrases_in("\n\n".join(texts))


#: What Python itself brings.
_PLAIN = frozenset(dir(builtins)).union(*(dir(one) for one in (str, bytes, dict, list, set, tuple, int, float)))


def called(tree: ast.AST) -> set[str]:
    """The names of what is called in it: of functions, and of methods without their object."""
    functions = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return {one.attr if isinstance(one, ast.Attribute) else getattr(one, "id", "") for one in functions} - {""}


def quoted(text: str) -> set[str]:
    """The names that prose has as code."""
    return set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]*)`", text))))


@cache
def names_in(number: str) -> frozenset[str]:
    """All names in a lab's code, and as code in its prose; with those of the labs that it builds on."""
    (source,) = (LABS / "source").glob(f"{number}_*.py")
    lesson = Lesson.of(source)
    found = (calls_of(text) if kind == "code" else quoted(text) for kind, text, _ in lesson.cells)
    return frozenset().union(*found, *(names_in(before) for before in lesson.head.get("after", ())))


_YOU = {"you", "your", "yours", "yourself", "we", "our", "us", "let's", "i", "you're", "you'll", "you've", "we'll"}


def phrases_in(text: str) -> list[str]:
    """The banned turns in a text, each with what to write instead."""
    return [
        f"{' '.join(found[0].split())[:60]!r}: {instead}"
        for turn, instead in BANNED.items()
        for found in re.finditer(turn, text, re.I if not turn.startswith("(?:^") else 0)
    ]


def plain(text: str) -> str:
    """Prose as it is read: without links' addresses, marks, and tables' rules."""
    text = re.sub(r"<[^>]+>", " ", text)
    text = re.sub(r"^\|[-| :]+\|$", "", text, flags=re.M)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    text = re.sub(r"\{\{.*?\}\}", "", text)
    return re.sub(r"[*_#|\[\]`>]", " ", text)


def words_of(text: str) -> list[str]:
    """The words of a text."""
    return re.findall(r"[^\W\d_][\w'’-]*", text.replace("’", "'"))


def lines_of(code: str) -> list[str]:
    """The lines of code that are neither empty nor a comment alone."""
    return [line for line in code.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def hidden(code: str, metadata: dict[str, Any]) -> bool:
    """Whether a cell is collapsed in the learner's notebook."""
    told = re.search(r" = Prediction[.(]|^\w+\.compare\(", code, re.M)
    return bool(told) or bool(dict(metadata.get("jupyter", {})).get("source_hidden"))


def calls_of(code: str) -> set[str]:
    """Every name and attribute that a cell uses, and the words of its arguments."""
    found = set()
    for node in ast.walk(ast.parse(_python(code))):
        if isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.alias):
            found.add(node.name)
        elif isinstance(node, ast.keyword) and node.arg:
            found.add(node.arg)
    return found


def _python(code: str) -> str:
    return re.sub(r"^[!%].*$", "pass", code, flags=re.M)


def sentence_length(text: str) -> float:
    """Words a sentence, on average."""
    sentences = [one for one in re.split(r"[.!?:]\s", text) if len(words_of(one)) > 2]
    return round(sum(len(words_of(one)) for one in sentences) / max(1, len(sentences)), 1)


def table(lessons: list[Lesson]) -> str:
    """The figures of labs beside their budget, as Markdown."""
    limits = {
        name: f"≥ {least:g}" if most is None else f"≤ {most:,g}" if least is None else f"{least:g}–{most:g}"
        for name, (least, most) in BUDGET.items()
    }
    heads = ["lab", *BUDGET, "minutes", "words a sentence"]
    rows = [heads, ["---"] * len(heads), ["*budget*", *limits.values(), "", ""]]
    for lesson in lessons:
        figures = [f"{value:,g}" for value in lesson.figures().values()]
        rows.append([lesson.number, *figures, str(lesson.minutes()), str(sentence_length(lesson.prose()))])
    return "\n".join("| " + " | ".join(row) + " |" for row in rows) + "\n"


def main(arguments: list[str]) -> int:
    """Print the table, and the faults of each lab; exit 1 if there are any."""
    sources = sorted((LABS / "source").glob("[0-9][0-9]*_*.py"))
    lessons = [Lesson.of(s) for s in sources if not arguments or number_of(s) in arguments]
    if not lessons:
        print(__doc__, file=sys.stderr)
        return 2
    print(table(lessons))
    wrong = False
    for lesson in lessons:
        faults = lesson.faults()
        wrong |= bool(faults)
        if faults:
            print("\n".join(f"{lesson.number}: {fault}" for fault in faults))
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
