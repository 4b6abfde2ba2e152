"""What an answer in a learner's kernel looks like from outside: plain values, and stand-ins for what is none.

Whatever comes from a kernel is a stranger's word: every shape is checked, and what does not fit is an object of a kind
nobody asked for. The other end is :mod:`kafkalab.grading.kernel_values`.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, Protocol

from kafkalab.exercises.judging import Elsewhere, FunctionElsewhere, Wrong
from kafkalab.exercises.plain import MOST_DEPTH, MOST_DIGITS, MOST_VALUES, Items


class Malformed(Exception):
    """The kernel said something that the snippet cannot have said."""


class Asked(Protocol):
    """Puts a request to the kernel: what came of it, as :func:`read` gives it."""

    def __call__(self, request: Mapping[str, Any], within: float) -> Any:
        """:raises Wrong: it did not come to an end in time, or raised."""


class Thing(Elsewhere):
    """An object of a kind that no lab asks for."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def __repr__(self) -> str:
        return f"<a {self.kind} in the learner's kernel>"


class Function(FunctionElsewhere):
    """A learner's function, known by the expression that gives it."""

    def __init__(self, expression: str, name: str, kind: str, is_blank: bool, ask: Asked) -> None:
        self.expression, self.kind, self.is_blank = expression, kind, is_blank
        self.__name__ = name
        self._ask = ask

    def call(self, args: tuple[Any, ...], within: float) -> Any:
        """What it returns for plain values, in the kernel."""
        request = {"do": "call", "expression": self.expression, "arguments": literal(args)}
        return self._ask(request, within)

    def __repr__(self) -> str:
        return f"<{self.__name__} in the learner's kernel>"


@cache
def _snippet() -> str:
    return resources.files("kafkalab.grading").joinpath("kernel_values.py").read_text(encoding="utf-8")


def source(request: Mapping[str, Any], said: str) -> str:
    """The code that puts a request to a kernel, and leaves in the variable ``said`` what it answers."""
    # One line without a name of its own: nothing of it stays among the learner's variables.
    run = f"exec(compile({_snippet()!r}, 'grade_inside.py', 'exec', dont_inherit=True), own)"
    return f"{said} = (lambda own: ({run}, own['answer'](globals(), {dict(request)!r}))[1])({{'__name__': 'inside'}})"


def literal(value: Any) -> str:
    """A plain value as Python writes it; what a judge calls a function with.

    :raises TypeError: for anything else; a judge must not hand out more.
    """
    if value is None or isinstance(value, bool | int | str | bytes) or value is ...:
        return repr(value)
    if isinstance(value, float):
        # 1e999 is how infinity is written in digits.
        return repr(value) if math.isfinite(value) else "(1e999-1e999)" if value != value else "-1e999"[value > 0 :]
    if isinstance(value, dict):
        return "{" + ", ".join(f"{literal(k)}: {literal(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(literal, value)) + "]"
    if isinstance(value, tuple):
        return "(" + "".join(literal(one) + ", " for one in value) + ")"
    if isinstance(value, set | frozenset):
        return f"{'frozenset' if isinstance(value, frozenset) else 'set'}([{', '.join(map(literal, value))}])"
    raise TypeError(f"A function in a learner's kernel takes plain values only, not a {type(value).__name__}.")


def read(said: str, expression: str, ask: Asked) -> Any:
    """The value in what the kernel said.

    :param expression: what was asked for, by which a function is known.
    :raises Wrong: it raised there; the text is "raised NameError: …".
    :raises Malformed: nobody can have said this but a notebook that wants to deceive.
    """
    try:
        whole = json.loads(base64.b64decode(said, validate=True))
    except (ValueError, RecursionError, binascii.Error):
        raise Malformed from None
    match whole:
        case {"wrong": str(words)}:
            raise Wrong(words[:600])
        case {"value": value}:
            return _Reader(expression, ask).read(value, 0)
    raise Malformed


class _Reader:
    def __init__(self, expression: str, ask: Asked) -> None:
        self._expression, self._ask = expression, ask
        self._left = MOST_VALUES

    def read(self, value: Any, depth: int) -> Any:
        self._left -= 1
        if self._left < 0 or depth > MOST_DEPTH + 2:
            raise Malformed
        if value is None or isinstance(value, bool | str):
            return value
        match value:
            case ["..."]:
                return ...
            case ["i", str(digits)] if len(digits) <= MOST_DIGITS:
                return self._number(digits)
            case ["f", str(digits)] if len(digits) < 40:
                return self._float(digits)
            case ["b", str(coded)]:
                return self._bytes(coded)
            case ["l" | "t" | "s" | "z" as tag, list(items)]:
                return self._several(tag, [self.read(one, depth + 1) for one in items])
            case ["l", list(items), str(kind)]:
                return Items([self.read(one, depth + 1) for one in items], kind[:100])
            case ["d", list(pairs)]:
                return self._dict(pairs, depth)
            case ["o", str(kind)]:
                return Thing(kind[:100])
            case ["fn", str(name), str(kind), bool(blank)] if depth == 0:
                return Function(self._expression, name[:100], kind[:100], blank, self._ask)
        raise Malformed

    @staticmethod
    def _number(digits: str) -> int:
        try:
            return int(digits, 16)
        except ValueError:
            raise Malformed from None

    @staticmethod
    def _float(digits: str) -> float:
        try:
            return float(digits)
        except ValueError:
            raise Malformed from None

    @staticmethod
    def _bytes(coded: str) -> bytes:
        try:
            return base64.b64decode(coded, validate=True)
        except ValueError:
            raise Malformed from None

    @staticmethod
    def _several(tag: str, items: list[Any]) -> Any:
        try:
            return {"l": list, "t": tuple, "s": set, "z": frozenset}[tag](items)
        except TypeError:  # a set of lists: no kernel has one
            raise Malformed from None

    def _dict(self, pairs: list[Any], depth: int) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        for pair in pairs:
            if not (isinstance(pair, list) and len(pair) == 2):
                raise Malformed
            key, value = (self.read(one, depth + 1) for one in pair)
            try:
                found[key] = value
            except TypeError:
                raise Malformed from None
        return found
