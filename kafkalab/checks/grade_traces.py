"""Traces: what in a learner's own code its instructor may want to look at. It costs no points."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from kafkalab.checks.grade_book import Book
from kafkalab.checks.grade_restore import Restored

#: Solutions of fewer statements are what honest learners write as well.
_FEWEST = 3
#: Names that an answer has no use for: ways to the solutions, to the checks, and to what grades.
_NAMES = ("solution", "get_ipython", "getppid", "exec")
_IN_TEXT = re.compile(r"/proc\b|kafkalab[./]checks[./\w]*|checks/solutions")


def traces(lab: Book, restored: Restored, solutions: Mapping[str, str]) -> list[str]:
    """A sentence for each answer that is kafkalab's own solution, and for each word that no answer needs.

    What the lab's own cells say as well is no learner's doing.
    """
    said = [
        f"The answer to {id} is the solution that kafkalab comes with."
        for id, code in restored.answers.items()
        if _is_copied(code, solutions.get(id, ""))
    ]
    own = {word for cell in lab.cells if cell.kind == "code" for word in _words(cell.source)}
    found: dict[str, list[str]] = {}
    for step in restored.steps:
        if step.learners:
            for word in sorted(_words(step.source) - own):
                found.setdefault(word, []).append(str(step.number))
    return said + [f"`{word}` is used in cell {', '.join(numbers)}." for word, numbers in sorted(found.items())]


def _is_copied(code: str, solution: str) -> bool:
    there, shipped = _parsed(code), _parsed(solution)
    if sum(isinstance(node, ast.stmt) for node in ast.walk(shipped)) < _FEWEST:
        return False
    return {ast.unparse(one) for one in shipped.body} <= {ast.unparse(one) for one in there.body}


def _parsed(source: str) -> ast.Module:
    """The Python in a cell: without its comments, and without lines for IPython; empty where it is none."""
    try:
        return ast.parse(re.sub(r"^\s*[%!].*$", "", source, flags=re.MULTILINE))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


def _words(source: str) -> set[str]:
    shell = source if source.startswith("%%") else "\n".join(re.findall(r"^\s*[%!].*$", source, re.MULTILINE))
    return {*_IN_TEXT.findall(shell), *_words_of(_parsed(source))}


def _words_of(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) if name in _NAMES:
                yield name
            case ast.Constant(value=str(text)):
                yield from _IN_TEXT.findall(text)
            case ast.Import(names=names):
                yield from (one.name for one in names if one.name.startswith("kafkalab.checks"))
            case ast.ImportFrom(module="kafkalab.checks", names=names):
                yield from (f"kafkalab.checks.{one.name}" for one in names)
            case ast.ImportFrom(module=str(module)) if module.startswith("kafkalab.checks"):
                yield module
