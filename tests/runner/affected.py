"""Which tests a change can reach, by the import graph. What it does not know reaches all of them."""

from __future__ import annotations

import ast
import re
import subprocess
from collections import defaultdict
from functools import cache
from pathlib import Path, PurePosixPath

from tests.architecture.tree import ROOT, imports, modules, parsed, walked

#: Files that no test reads, beyond those that hold for every file (tests/architecture).
_UNREAD = re.compile(r"(docs|binder|\.devcontainer|labs/pictures)/|[A-Z]+\.md$|LICENSE|\.gitignore$|\.pre-commit")
_NAMES = re.compile(r"\bfrom kafkalab import ([\w, ()\n]+)|\b(kafkalab(?:\.\w+)+)|\b(?:-m |import )(tests(?:\.\w+)+)")


def changed(revision: str = "HEAD") -> list[str]:
    """Files that differ from a revision, new ones among them, relative to the checkout."""
    say = ("git", "diff", "--name-only", "--no-renames", "-z", revision, "--")
    new = ("git", "ls-files", "-z", "--others", "--exclude-standard")
    found = (subprocess.run(c, cwd=ROOT, check=True, capture_output=True, text=True).stdout for c in (say, new))
    return sorted({name for text in found for name in text.split("\0") if name})


def affected(files: list[str], root: Path = ROOT) -> list[str] | None:
    """The test files that changes of these files can reach; None for all of them."""
    tests = {path.relative_to(root).as_posix() for path in (root / "tests").rglob("test_*.py")}
    reached = {test for test in tests if test.startswith("tests/architecture/")} if files else set()
    graph: Graph | None = None
    for file in files:
        path = PurePosixPath(file)
        if _UNREAD.match(file):
            continue
        if re.match(r"labs/.*\.(ipynb|py|md)$|kafkalab/course/|tests/labs/wrong/", file):
            reached |= {test for test in tests if re.match(r"tests/labs/|.*/test_(lab|glossary)", test)}
        if path.suffix == ".py" and path.parts[0] in ("kafkalab", "tests") and path.name != "conftest.py":
            graph = graph or Graph(root)
            reached |= graph.reach(file) & tests
        elif path.parts[0] == "frontend" or re.match(r"kafkalab/views/.*\.(ts|js|css)$", file):
            reached |= {test for test in tests if re.match(r"tests/(browser|unit/views)/|.*assets", test)}
        elif path.parts[0] == "docker":
            reached |= {test for test in tests if test.startswith("tests/docker/") or "compose" in test}
        elif not file.startswith("labs/"):
            return None
    return sorted(reached)


class Graph:
    """Who uses what, among the modules of kafkalab and tests."""

    def __init__(self, root: Path) -> None:
        known = {name: path for package in ("kafkalab", "tests") for name, path in modules(root, package).items()}
        self.names = {path.relative_to(root).as_posix(): name for name, path in known.items()}
        self.files = {name: file for file, name in self.names.items()}
        public = _lazy(known["kafkalab"]) if "kafkalab" in known else {}
        self.users: defaultdict[str, set[str]] = defaultdict(set)
        for name, path in known.items():
            for used in self._used(name, path, known, public):
                self.users[used].add(name)
            # A folder's conftest is used by the tests below it that ask for one of its fixtures.
            if name.endswith(".conftest"):
                below, fixtures = name.removesuffix("conftest"), _fixtures(path)
                self.users[name] |= {n for n, p in known.items() if n.startswith(below) and _asks(p) & fixtures} - {
                    name
                }

    def reach(self, file: str) -> set[str]:
        """The files that use a file, directly or by others, and itself."""
        # One that was removed: whoever still names it.
        name = self.names.get(file) or file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        found, ahead = {name}, [name]
        while ahead:
            new = self.users[ahead.pop()] - found
            found |= new
            ahead += new
        return {self.files[n] for n in found if n in self.files}

    @staticmethod
    def _used(name: str, path: Path, known: dict[str, Path], public: dict[str, str]) -> set[str]:
        used = {one.imported for one in imports(name, path, known) if one.where != "typing"}
        constants = (node.value for node in walked(path) if isinstance(node, ast.Constant))
        texts = [value for value in constants if isinstance(value, str)]
        # What stands in a string is run by another process: a module, a notebook's cell, a command.
        used |= {text for text in texts if text in known}
        if name.startswith("tests."):
            for names, module, helper in (found for text in texts for found in _NAMES.findall(text)):
                used |= {public[word] for word in re.findall(r"\w+", names) if word in public}
                used |= {module, module.rpartition(".")[0], helper} - {""}
            used |= {"kafkalab.cli"} if "kafkalab" in texts else set()
        for node in walked(path):
            if isinstance(node, ast.ImportFrom) and node.module == "kafkalab" and not node.level:
                used |= {public[alias.name] for alias in node.names if alias.name in public}
        return used - {"kafkalab", name} if name != "kafkalab" else set()


def _functions(path: Path) -> list[ast.FunctionDef]:
    return [node for node in walked(path) if isinstance(node, ast.FunctionDef)]


def _fixtures(path: Path) -> set[str]:
    """The fixtures that a conftest has, but for those which every test has unasked."""
    own = {f.name for f in _functions(path) if any("fixture" in ast.dump(d) for d in f.decorator_list)}
    passed_on = [
        n.value for n in parsed(path).body if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == "__all__"
    ]
    return (own | {name for value in passed_on for name in ast.literal_eval(value)}) - {"home"}


@cache
def _asks(path: Path) -> set[str]:
    """What the functions of a file ask for, as arguments or by name."""
    names = {argument.arg for f in _functions(path) for argument in f.args.args}
    return names | {n.value for n in walked(path) if isinstance(n, ast.Constant) and isinstance(n.value, str)}


def _lazy(path: Path) -> dict[str, str]:
    """Public name → module, as kafkalab/__init__.py has it."""
    for node in parsed(path).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "_WHERE":
            found: dict[str, str] = ast.literal_eval(node.value)
            return found
    return {}
