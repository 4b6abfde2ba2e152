"""Kernel values: executed inside a learner's kernel, to turn an answer into plain JSON and to call learners' functions.

The grader sends the *text* of this module to the kernel, where it reads an answer as the notebook's own check does. The
grader takes its output for an answer and nothing more: a notebook that patches this code can only change its answers.
The other end, which trusts none of this, is :mod:`kafkalab.grading.kernel`.
"""

from __future__ import annotations

import base64
import json
from typing import Any

from kafkalab.exercises.judging import Call, raised
from kafkalab.exercises.plain import Items, Unfit, plain

_SEVERAL: tuple[tuple[Any, str], ...] = ((list, "l"), (tuple, "t"), (set, "s"), (frozenset, "z"))


def encoded(value: Any, depth: int = 0) -> Any:
    """Encode a plain value for JSON: a list of a tag and the content; text, None, True and False stay as they are."""
    if value is None or isinstance(value, bool | str):
        return value
    if value is ...:
        return ["..."]
    if isinstance(value, int):
        return ["i", hex(value)]
    if isinstance(value, float):
        return ["f", repr(value)]
    if isinstance(value, bytes):
        return ["b", base64.b64encode(value).decode()]
    if type(value) is dict:
        return ["d", [[encoded(k, depth + 1), encoded(v, depth + 1)] for k, v in value.items()]]
    if type(value) is Items:
        return ["l", [encoded(one, depth + 1) for one in value], value.kind]
    for kind, tag in _SEVERAL:
        if type(value) is kind:
            return [tag, [encoded(one, depth + 1) for one in value]]
    kind = type(value).__name__
    if depth == 0 and callable(value):
        return ["fn", str(getattr(value, "__name__", "your function")), kind, _is_blank(value)]
    return ["o", kind]


def answer(namespace: dict[str, Any], request: dict[str, Any]) -> str:
    """Carry out a request, and return the result as JSON in base64; never raise.

    The result is ``{"value": …}`` or ``{"wrong": "raised NameError: …"}``. A request asks for the ``value`` of an
    expression, for the ``call`` of one with arguments, or for the names that are ``patched``.
    """
    try:
        said = {"value": encoded(_value(namespace, request))}
    except Unfit as no:
        said = {"wrong": str(no)}
    except BaseException as error:  # sys.exit() in an answer is a mistake like another
        said = {"wrong": raised(error)}
    return base64.b64encode(json.dumps(said).encode()).decode()


def _value(namespace: dict[str, Any], request: dict[str, Any]) -> Any:
    if request["do"] == "patched":
        return patched()
    found = eval(request["expression"], namespace)
    if request["do"] != "call":
        return found if callable(found) else plain(found)
    # The arguments are literals and bytes only, as kafkalab.grading.kernel writes them.
    running = Call(found, eval(request["arguments"], {"__builtins__": {"set": set, "frozenset": frozenset}}))
    running.start()
    try:
        running.join()
    except BaseException:  # the grader has waited long enough and interrupts the main thread
        running.stop()
        raise
    return running.result()


def _is_blank(function: Any) -> bool:
    """Return whether a function's body is empty. A notebook that lies about this gains no points by it."""
    try:
        from kafkalab.exercises.judging import is_blank

        return bool(is_blank(function))
    except Exception:
        return False


def patched() -> list[str]:
    """Return names in kafkalab that hold code of the notebook's own, as far as this can be seen from in here.

    A function that many modules import is named once, and not in a lab's module if it's elsewhere, too.
    """
    import sys
    from types import FunctionType, ModuleType

    found: dict[tuple[str, int], str] = {}
    for name, module in sorted(
        sys.modules.items(), key=lambda named: (named[0].startswith("kafkalab.course."), named[0])
    ):
        if name.partition(".")[0] != "kafkalab" or not isinstance(module, ModuleType):
            continue
        for attribute, value in list(vars(module).items()):
            inside = list(vars(value).items()) if isinstance(value, type) and value.__module__ == name else []
            for full, one in [(attribute, value), *((f"{attribute}.{n}", v) for n, v in inside)]:
                code = getattr(getattr(one, "__wrapped__", one), "__code__", None)
                file = code.co_filename if isinstance(one, FunctionType) and code is not None else ""
                if "ipykernel" in file or file.startswith("<ipython"):
                    found.setdefault((full, id(one)), f"{name}.{full}")
    return list(found.values())[:20]
