"""Small changes of Python code, one at a time, each of which some test should tell."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

_OTHER: dict[type[ast.AST], str] = {
    ast.Eq: "!=", ast.NotEq: "==", ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">",
    ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
    ast.Add: "-", ast.Sub: "+", ast.Mult: "//", ast.FloorDiv: "*", ast.Div: "*", ast.Mod: "*",
    ast.And: "or", ast.Or: "and",
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """A file's text with one place changed."""

    file: str
    line: int
    what: str
    text: str


def mutants(file: str, text: str) -> Iterator[Mutant]:
    """Every change there is of a file."""
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line.encode()))
    data = text.encode()

    def place(node: ast.expr | ast.stmt) -> slice:
        end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
        return slice(starts[node.lineno - 1] + node.col_offset, end)

    def source(node: ast.expr | ast.stmt) -> str:
        return data[place(node)].decode()

    for node, new in _changes(ast.parse(text), source):
        old, at = source(node), place(node)
        changed = (data[: at.start] + new.encode() + data[at.stop :]).decode()
        try:
            ast.parse(changed)
        except SyntaxError:
            continue
        yield Mutant(file, node.lineno, f"{' '.join(old.split())[:60]} → {' '.join(new.split())[:60]}", changed)


def _changes(tree: ast.Module, source: object) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    assert callable(source)
    for node in _code(tree):
        match node:
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _OTHER:
                yield node, f"({source(left)} {_OTHER[type(op)]} {source(right)})"
            case ast.BoolOp(op=op, values=values):
                yield node, "(" + f" {_OTHER[type(op)]} ".join(f"({source(v)})" for v in values) + ")"
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OTHER and not _is_text(left, right):
                yield node, f"(({source(left)}) {_OTHER[type(op)]} ({source(right)}))"
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield node, f"({source(operand)})"
            case ast.Constant(value=bool(value)):
                yield node, repr(not value)
            case ast.Constant(value=int(value)):
                yield node, repr(value + 1)
            case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
                yield node, "return None"
            case ast.Expr(value=ast.Call()):
                yield node, "pass"
            case ast.IfExp(test=test, body=body, orelse=orelse):
                yield node, f"({source(orelse)} if ({source(test)}) else {source(body)})"
            case _:
                pass


def _is_text(*nodes: ast.expr) -> bool:
    return any(isinstance(n, ast.JoinedStr) or isinstance(getattr(n, "value", None), str) for n in nodes)


def _code(tree: ast.AST) -> Iterator[ast.AST]:
    """What runs: no annotations, and nothing that is there for types alone."""
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns", "decorator_list", "bases", "keywords") and not isinstance(tree, ast.Call):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.If) and getattr(child.test, "id", "") == "TYPE_CHECKING":
                continue
            # Parts of an f-string have no place of their own.
            if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr):
                yield child
                yield from _code(child)


def some(texts: dict[str, str], count: int, seed: int) -> list[Mutant]:
    """So many of the mutants of these files (name → text): of each file as often as it has lines."""
    random = Random(seed)
    names = sorted(texts)
    weights = [texts[name].count("\n") for name in names]
    every = {name: list(mutants(name, texts[name])) for name in names}
    chosen: dict[tuple[str, str], Mutant] = {}
    while len(chosen) < min(count, sum(map(len, every.values()))):
        name = random.choices(names, weights)[0]
        if every[name]:
            one = random.choice(every[name])
            chosen[name, one.text] = one
    return list(chosen.values())
