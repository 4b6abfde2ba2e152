"""What a judge needs: ways to say no, and to run a learner's function without trusting it.

A judge is a function of the answer. It returns a sentence when the answer is right, raises :class:`Wrong` when it is
not, and :class:`NotAttempted` when nothing was answered yet. Any other exception means that the *check* could not do
its work (a broker is down, a topic is gone), which is never the learner's fault.
"""

from __future__ import annotations

import dis
import threading
from collections.abc import Callable, Iterable
from itertools import islice
from types import FunctionType
from typing import Any, Final, cast

#: What stands where an answer belongs; ``...`` reads well and is the same object.
BLANK: Final = ...


class Wrong(Exception):
    """The answer is not right; the message says why, without giving the solution away."""


class NotAttempted(Exception):
    """There is no answer yet."""


class Elsewhere:
    """Stands for an object in another process: what a grader has of an answer that is no plain value.

    A judge that keeps to this module needs to know nothing of it.
    """

    #: The name of the object's class.
    kind = "object"
    is_blank = False

    def call(self, args: tuple[Any, ...], within: float) -> Any:
        """What the function returns there; raises as :func:`call` does."""
        raise Wrong(f"A function is asked for, and this is {kind_of(self)}.")

    def items(self, most: int, within: float) -> list[Any] | None:
        """At most so many of its items; None where it has none."""
        return None


class FunctionElsewhere(Elsewhere):
    """The same for what can be called: ``callable()`` says so here as it does there."""

    def __call__(self, *args: Any) -> Any:
        """What the function returns there."""
        return self.call(args, 60.0)


def is_blank(answer: object) -> bool:
    """Whether nothing was answered: ``...``, or a function whose body is only ``...`` (or ``pass``)."""
    if answer is BLANK:
        return True
    if isinstance(answer, Elsewhere):
        return bool(answer.is_blank)
    # Only real functions are looked into: to read an attribute of any other object may run code of its own.
    if not isinstance(answer, FunctionType) or answer.__name__ == "<lambda>":
        return False
    # An empty body compiles to nothing but "return None"; a docstring does not add an instruction.
    steps = [step for step in dis.get_instructions(answer) if step.opname not in ("RESUME", "NOP", "CACHE")]
    names = [step.opname for step in steps]
    if names == ["RETURN_CONST"] or names == ["LOAD_CONST", "RETURN_VALUE"]:
        return steps[0].argval is None or steps[0].argval is BLANK
    return False


def call(function: Callable[..., Any], *args: Any, within: float = 60.0) -> Any:
    """What the learner's function returns.

    :param within: seconds after which it counts as never ending. Generous on purpose: it is there for a loop without
        an end, not to judge speed.
    :raises Wrong: when it cannot be called, raises, or does not return.
    :raises NotAttempted: when it returns ``...``.
    """
    if not callable(function):
        raise Wrong(f"A function is asked for, and this is {kind_of(function)}.")
    there: object = function
    if isinstance(there, Elsewhere):
        value = there.call(args, within)
        if value is BLANK:
            raise NotAttempted
        return value
    name = getattr(function, "__name__", "your function")
    box: dict[str, Any] = {}

    def run() -> None:
        try:
            box["value"] = function(*args)
        except BaseException as error:  # sys.exit() in an answer must not end the kernel
            box["error"] = error

    # A daemon: a function that never returns cannot be stopped in Python, only left behind.
    thread = threading.Thread(target=run, name=f"answer-{name}", daemon=True)
    thread.start()
    thread.join(within)
    if thread.is_alive():
        raise Wrong(f"{name} had not returned after {within:g} s. Does it know when to stop reading?")
    if "error" in box:
        error = box["error"]
        said = str(error).strip().splitlines()
        raise Wrong(f"{name} raised {type(error).__name__}" + (f": {said[0]}" if said else "."))
    if box["value"] is BLANK:
        raise NotAttempted
    return box["value"]


def kind_of(value: object) -> str:
    """The kind of a value in plain words, for a sentence."""
    if value is None:
        return "None"
    words = {str: "text", bytes: "bytes", bool: "True or False", int: "a whole number", float: "a number"}
    return words.get(type(value), f"a {value.kind if isinstance(value, Elsewhere) else type(value).__name__}")


def whole_number(answer: object, what: str) -> int:
    """The answer, if it is a whole number.

    :param what: completes "… is a whole number", for the reason given.
    :raises Wrong: for any other kind, True and False included.
    """
    if isinstance(answer, bool) or not isinstance(answer, int):
        raise Wrong(f"{what} is a whole number, and this is {kind_of(answer)}.")
    return answer


def text(answer: object, what: str) -> str:
    """The answer, if it is text.

    :raises Wrong: for any other kind.
    """
    if not isinstance(answer, str):
        raise Wrong(f"{what} is text, and this is {kind_of(answer)}.")
    return answer


def listed(answer: object, what: str, *, most: int = 100_000, within: float = 60.0) -> list[Any]:
    """The items of a list, a tuple, a set or a generator.

    :param most: items read at most; a generator without an end is refused.
    :raises Wrong: for anything else, text and bytes included, and when going through the items raises.
    """
    if isinstance(answer, str | bytes | dict) or not isinstance(answer, Iterable | Elsewhere):
        raise Wrong(f"{what} is a list, and this is {kind_of(answer)}.")

    def go_through() -> list[Any]:
        return list(islice(cast(Iterable[Any], answer), most + 1))

    out: list[Any] | None
    try:
        out = answer.items(most + 1, within) if isinstance(answer, Elsewhere) else call(go_through, within=within)
    except Wrong as no:
        raise Wrong(f"{what} could not be read to its end: {str(no).removeprefix('go_through ')}") from None
    if out is None:
        raise Wrong(f"{what} is a list, and this is {kind_of(answer)}.")
    if len(out) > most:
        raise Wrong(f"{what} has no end in sight: more than {most} items.")
    return out
