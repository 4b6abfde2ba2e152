"""The checkout as these tests read it: its files, its modules, and who imports whom."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

ROOT = Path(__file__).resolve().parents[2]

Where = Literal["module", "function", "typing"]


@dataclass(frozen=True)
class Import:
    """``importer`` imports ``imported`` (both dotted), on ``line``: at the top, in a function, or for types alone."""

    importer: str
    imported: str
    line: int
    where: Where


def own_files() -> list[Path]:
    """Every file that git tracks or would take in."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    return [path for name in names if name and (path := ROOT / name).is_file()]


def modules(root: Path = ROOT, package: str = "kafkalab") -> dict[str, Path]:
    """Dotted name → file, for each module of the package under ``root``."""
    found: dict[str, Path] = {}
    for path in sorted((root / package).rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def parsed(path: Path) -> ast.Module:
    """A file's syntax tree."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


@cache
def walked(path: Path) -> list[ast.AST]:
    """Everything in a file's syntax tree."""
    return list(ast.walk(parsed(path)))


@cache
def _imports(name: str, path: Path, known: frozenset[str]) -> list[Import]:
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    return [Import(name, target, line, where) for target, line, where in _walk(parsed(path), package, known, "module")]


def imports(name: str, path: Path, known: dict[str, Path]) -> list[Import]:
    """Every import that the module ``name`` makes, wherever it stands in the file."""
    return _imports(name, path, frozenset(known))


def _walk(node: ast.AST, package: str, known: frozenset[str], where: Where) -> Iterator[tuple[str, int, Where]]:
    for child in ast.iter_child_nodes(node):
        inside = where
        match child:
            case ast.Import():
                yield from ((alias.name, child.lineno, where) for alias in child.names)
            case ast.ImportFrom():
                yield from ((target, child.lineno, where) for target in _from(child, package, known))
            case ast.Call(args=[ast.Constant(value=str(target)), *_]) if _is_import_module(child.func):
                yield target, child.lineno, where
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                inside = "function"
            case ast.If(test=ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING")):
                inside = "typing"
            case _:
                pass
        yield from _walk(child, package, known, inside)


def _from(node: ast.ImportFrom, package: str, known: frozenset[str]) -> list[str]:
    base = node.module or ""
    if node.level:
        above = package.split(".")[: len(package.split(".")) - node.level + 1]
        base = ".".join([*above, *([node.module] if node.module else [])])
    # `from kafkalab.cluster import jars` imports the module jars, not a name of the package.
    return [full if (full := f"{base}.{alias.name}") in known else base for alias in node.names]


def _is_import_module(function: ast.expr) -> bool:
    return getattr(function, "attr", getattr(function, "id", "")) in {"import_module", "__import__"}
