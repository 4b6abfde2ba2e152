"""What a grader runs inside a learner's kernel: it puts an answer into plain JSON, and calls a learner's function.

Its *text* is sent to the kernel, where it runs with the standard library alone. Nothing it says is believed for more
than an answer: whatever a notebook has patched, it can only change what it answers. The other end, which takes these
words for those of a stranger, is :mod:`kafkalab.checks.grade_wire`.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

#: Beyond these an answer is no answer that a lab asked for.
MOST_VALUES = 300_000
MOST_TEXT = 16_000_000
MOST_DEPTH = 40
MOST_DIGITS = 5000

#: Where the iterables that functions return are kept in the kernel until they are read.
KEPT = "_kafkalab_kept"

_SEVERAL: tuple[tuple[Any, str], ...] = ((list, "l"), (tuple, "t"), (set, "s"), (frozenset, "z"))


class TooMuch(Exception):
    """The value is larger or deeper than any answer."""


class Encoder:
    """Puts one value into JSON: a list with a tag before what it holds, but for text, None, True and False."""

    def __init__(self, keep: Callable[[Any], int] | None = None) -> None:
        self._keep = keep
        self._values, self._text = MOST_VALUES, MOST_TEXT

    def encode(self, value: Any, depth: int = 0) -> Any:
        """The value in JSON.

        :raises TooMuch: it is too large, or goes too deep.
        """
        self._values -= 1
        if self._values < 0 or depth > MOST_DEPTH:
            raise TooMuch
        if value is None or value is True or value is False:
            return value
        if value is ...:
            return ["..."]
        # A subclass (a Counter, a named tuple, an enum's number) is taken for the plain value that it holds.
        if isinstance(value, str):
            return self._took(str.__str__(value))
        if isinstance(value, int):
            digits = hex(int.__index__(value))
            if len(digits) > MOST_DIGITS:
                raise TooMuch
            return ["i", digits]
        if isinstance(value, float):
            return ["f", float.__repr__(value)]
        if isinstance(value, bytes):
            return ["b", self._took(base64.b64encode(bytes.__getitem__(value, slice(None))).decode())]
        if isinstance(value, dict):
            pairs = [[self.encode(k, depth + 1), self.encode(v, depth + 1)] for k, v in dict.items(value)]
            return ["d", pairs]
        for kind, tag in _SEVERAL:
            if isinstance(value, kind):
                return [tag, [self.encode(one, depth + 1) for one in kind.__iter__(value)]]
        return self._other(value, depth)

    def _other(self, value: Any, depth: int) -> Any:
        kind = type(value).__name__
        if depth == 0 and callable(value):
            return ["fn", str(getattr(value, "__name__", "your function")), kind, _is_blank(value)]
        if depth == 0 and self._keep is not None and isinstance(value, Iterable):
            return ["it", self._keep(value), kind]
        return ["o", kind]

    def _took(self, text: str) -> str:
        self._text -= len(text)
        if self._text < 0:
            raise TooMuch
        return text


def answer(namespace: dict[str, Any], request: dict[str, Any]) -> str:
    """Do what is asked, and say in base64 what came of it; never raises.

    ``{"value": …}``, or ``{"raised": [class, first line]}``. Requests: ``value`` of an expression; ``call`` of an
    expression with arguments; ``items`` of an iterable that an earlier answer told of; what is ``patched``.
    """
    try:
        said: dict[str, Any] = {"value": _value(namespace, request)}
    except TooMuch:
        said = {"value": ["o", "value too large for an answer"]}
    except BaseException as error:  # sys.exit() in an answer is a mistake like another
        said = {"raised": [type(error).__name__, _first_line(error)]}
    return base64.b64encode(json.dumps(said).encode()).decode()


def _value(namespace: dict[str, Any], request: dict[str, Any]) -> Any:
    kept: dict[int, Any] = namespace.setdefault(KEPT, {})

    def keep(value: Any) -> int:
        kept[len(kept)] = value
        return len(kept) - 1

    if request["do"] == "patched":
        return Encoder().encode(patched())
    if request["do"] == "items":
        return Encoder().encode(list(islice(kept[request["kept"]], request["most"])))
    found = eval(request["expression"], namespace)
    if request["do"] == "call":
        # Literals and bytes alone: what grade_wire wrote.
        found = found(*eval(request["arguments"], {"__builtins__": {"set": set, "frozenset": frozenset}}))
    return Encoder(keep).encode(found)


def _is_blank(function: Any) -> bool:
    """Whether a function's body is empty; a notebook that lies about it has not answered, which earns nothing."""
    try:
        from kafkalab.checks.judging import is_blank

        return bool(is_blank(function))
    except Exception:
        return False


def _first_line(error: BaseException) -> str:
    try:
        said = str(error).strip().splitlines()
    except Exception:
        return ""
    return said[0][:300] if said else ""


def patched() -> list[str]:
    """Names in kafkalab that the notebook has put code of its own into; as well as can be told from in here."""
    import sys
    from types import FunctionType, ModuleType

    found: list[str] = []
    for name, module in sorted(sys.modules.items()):
        if name.partition(".")[0] != "kafkalab" or not isinstance(module, ModuleType):
            continue
        for attribute, value in list(vars(module).items()):
            inside = list(vars(value).items()) if isinstance(value, type) and value.__module__ == name else []
            for full, one in [(attribute, value), *((f"{attribute}.{n}", v) for n, v in inside)]:
                code = getattr(getattr(one, "__wrapped__", one), "__code__", None)
                file = code.co_filename if isinstance(one, FunctionType) and code is not None else ""
                if "ipykernel" in file or file.startswith("<ipython"):
                    found.append(f"{name}.{full}")
    return found[:20]
