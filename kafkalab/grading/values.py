"""Values: answers on their way out of a learner's kernel, and arguments on their way in, as plain JSON.

The grader runs :func:`say` inside the kernel, and reads what it said with :func:`read`, which believes nothing else. A
notebook that patches this module in its kernel can only change its own answers.
"""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Callable, Mapping
from typing import Any, Final

from kafkalab.exercises.judging import Call, Elsewhere, FunctionElsewhere, Wrong, is_blank, raised
from kafkalab.exercises.plain import SEVERAL, Items, Unfit, plain

#: MIME type under which a kernel displays what was asked of it.
MIME: Final = "application/vnd.kafkalab.answer"


class Malformed(Exception):
    """The kernel sent something that :func:`say` cannot have written."""


#: Sends a request to the kernel, with seconds for it, and returns what :func:`read` makes of the reply.
Asked = Callable[[Mapping[str, Any], float], Any]


class Function(FunctionElsewhere):
    """A stand-in for a learner's function, identified by the expression that evaluates to it."""

    def __init__(self, expression: str, name: str, kind: str, is_blank: bool, ask: Asked) -> None:
        super().__init__(kind)
        self.expression, self.is_blank, self._ask = expression, is_blank, ask
        self.__name__ = name[:100]

    def call(self, args: tuple[Any, ...], within: float) -> Any:
        """Call it in the kernel with plain values, and return its result."""
        request = {"do": "call", "expression": self.expression, "arguments": encoded(args, strictly=True)}
        return self._ask(request, within)

    def __repr__(self) -> str:
        return f"<{self.__name__} in the learner's kernel>"


# --- The JSON of a value: text, None, True and False as they are, all else as {tag: content}.


_KINDS: Final[dict[str, Any]] = {kind.__name__: kind for kind in SEVERAL}


def encoded(value: Any, *, strictly: bool = False) -> Any:
    """Return a plain value (:func:`kafkalab.exercises.plain.plain`) as JSON.

    :param strictly: whether anything else is an error; without it, only the name of its class is kept.
    :raises TypeError: strictly, and the value is not plain: a judge must not pass such an argument.
    """
    if value is None or isinstance(value, bool | str):
        return value
    if value is ...:
        return {"...": ""}
    if isinstance(value, int):
        return {"int": hex(value)}
    if isinstance(value, float):
        return {"float": repr(value)}
    if isinstance(value, bytes):
        return {"bytes": base64.b64encode(value).decode()}
    if type(value) is dict:
        return {"dict": [[encoded(one, strictly=strictly) for one in pair] for pair in value.items()]}
    if type(value) in (Items, *SEVERAL):
        items = [encoded(one, strictly=strictly) for one in value]
        return {"items": [value.kind, items]} if isinstance(value, Items) else {"all": [type(value).__name__, items]}
    if strictly:
        raise TypeError(f"A function in a learner's kernel takes plain values only, not a {type(value).__name__}.")
    return {"object": type(value).__name__}


def decoded(said: Any) -> Any:
    """Return the value in a JSON; raises an error of any kind for a JSON that :func:`encoded` cannot have made."""
    match said:
        case None | bool() | str():
            return said
        case {"...": _}:
            return ...
        case {"int": str(digits)}:
            return int(digits, 16)
        case {"float": str(digits)}:
            return float(digits)
        case {"bytes": str(coded)}:
            return base64.b64decode(coded, validate=True)
        case {"dict": list(pairs)}:
            return {decoded(key): decoded(value) for key, value in pairs}
        case {"items": [str(kind), list(items)]}:
            return Items(map(decoded, items), kind[:100])
        case {"object": str(kind)}:
            return Elsewhere(kind)
        case {"all": [str(kind), list(items)]}:
            return _KINDS[kind](map(decoded, items))
    raise ValueError


def read(said: str, expression: str, ask: Asked) -> Any:
    """Return the value in a kernel's reply.

    :param expression: the expression that was asked for; it identifies a function.
    :raises Wrong: it raised in the kernel; the text is "raised NameError: …".
    :raises Malformed: only a notebook that wants to deceive can have sent this.
    """
    try:
        match json.loads(said):
            case {"wrong": str(words)}:
                wrong = Wrong(words[:600])
            case {"value": {"function": [str(name), str(kind), bool(blank)]}}:
                return Function(expression, name, kind, blank, ask)
            case {"value": value}:
                return decoded(value)
            case _:
                raise Malformed
    except Exception:  # whatever decoding finds wrong with it
        raise Malformed from None
    raise wrong


# --- In the kernel.


def source(request: Mapping[str, Any]) -> str:
    """Return code that carries out a request in a kernel, and leaves nothing among the learner's variables."""
    return f"__import__('kafkalab.grading.values', fromlist=['say']).say(globals(), {json.dumps(request)!r})"


def say(namespace: dict[str, Any], request: str) -> None:
    """Carry out a request, and display what :func:`answer` makes of it; the grader alone sees that."""
    # The kernel has loaded IPython; kafkalab itself does not import it.
    shell: Any = sys.modules["IPython"]
    shell.get_ipython().display_pub.publish({MIME: answer(namespace, json.loads(request))})


def answer(namespace: dict[str, Any], request: Mapping[str, Any]) -> str:
    """Carry out a request; return ``{"value": …}`` or ``{"wrong": "raised NameError: …"}`` as JSON; never raise.

    A request asks for the ``value`` of an expression, for the ``call`` of one with arguments, or for its ``check`` with
    the exercise's own judge, in this kernel.
    """
    try:
        said = {"value": _value(namespace, request)}
    except Unfit as no:
        said = {"wrong": str(no)}
    except BaseException as error:  # sys.exit() in an answer is a mistake like another
        said = {"wrong": raised(error)}
    return json.dumps(said)


def _value(namespace: dict[str, Any], request: Mapping[str, Any]) -> Any:
    found = eval(request["expression"], namespace)
    if request["do"] == "check":
        return encoded(_checked(request, found))
    if request["do"] == "call":
        running = Call(found, decoded(request["arguments"]))
        running.start()
        try:
            running.join()
        except BaseException:  # the grader has waited long enough and interrupts the main thread
            running.stop()
            raise
        return encoded(running.result())
    if callable(found):
        name = str(getattr(found, "__name__", "your function"))
        return {"function": [name, type(found).__name__, bool(is_blank(found))]}
    return encoded(plain(found))


def _checked(request: Mapping[str, Any], found: Any) -> list[str]:
    from kafkalab.exercises.course import exercises_of
    from kafkalab.handles.cluster import Cluster

    exercises = exercises_of(request["exercise"].partition(".")[0])(Cluster.attach(request["cluster"]))
    result = next(one for one in exercises if one.id == request["exercise"]).check(found)
    return [result.outcome, result.reason]
