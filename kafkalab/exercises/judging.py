"""The tools of a judge: errors that reject an answer, and calls that run a learner's function without trusting it.

A judge is a function of the answer. It returns a sentence when the answer is right, raises :class:`Wrong` when it is
not, and :class:`NotAttempted` when there is no answer yet. Any other exception means that the *check* could not do its
work (a broker is down, a topic is gone), which is never the learner's fault.
"""

from __future__ import annotations

import ctypes
import dis
import inspect
import linecache
import os
import threading
import time
from collections.abc import Callable
from traceback import walk_tb
from types import FunctionType
from typing import Any, Final

from kafkalab.errors import KafkalabError
from kafkalab.exercises.plain import MOST_ITEMS, Items, Unfit, plain

# --- Patience: the factor by which time limits grow on a busy machine.


def patience() -> float:
    """Return the machine's load average over the last minute, per core; at least 1 and at most 8."""
    try:
        return min(8.0, max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1)))
    except OSError:
        return 1.0


# --- Call: one call of a learner's function in the notebook's own kernel; the result is a plain value.


_ASYNC = "is `async`: the check calls it and does not await it. Use `asyncio.run(…)` inside it, or leave out `async`."


class Call(threading.Thread):
    """A call in a thread of its own: the kernel's main thread runs an event loop, and asyncio allows one per thread.

    It is a daemon thread, so a call that never returns does not keep the kernel from ending.
    """

    def __init__(self, function: Callable[..., Any], args: tuple[Any, ...]) -> None:
        super().__init__(name=f"answer-{getattr(function, '__name__', '')}", daemon=True)
        self._function, self._args = function, args
        self._value: Any = None
        self._error: BaseException | None = None

    def run(self) -> None:
        """Call the function, and turn what it returns into a plain value."""
        try:
            found = self._function(*self._args)
            if inspect.iscoroutine(found) or inspect.isasyncgen(found):
                if inspect.iscoroutine(found):
                    found.close()  # else Python warns that it was never awaited
                raise Unfit(_ASYNC)
            try:
                self._value = plain(found)
            except Unfit as no:
                raise Unfit(f"returned something that {no}") from None
        except BaseException as error:  # sys.exit() in an answer must not end the kernel
            self._error = error

    def result(self) -> Any:
        """Return the function's value in its plain form.

        :raises Unfit: the function raised, or returned something that cannot be judged.
        """
        if self._error is not None:
            raise self._error if isinstance(self._error, Unfit) else Unfit(raised(self._error, self._function))
        return self._value

    def stop(self) -> None:
        """Raise SystemExit in the thread; this ends a loop in Python code, but not a wait inside C code."""
        if self.ident is not None:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.ident), ctypes.py_object(SystemExit))


def raised(error: BaseException, function: Any = None) -> str:
    """Return an error in words that follow a name: "raised ValueError: no x, in line 5: `c.seek(…)`".

    :param function: the learner's function; the line is given only if it lies in the same file.
    """
    try:
        said = str(error).strip().partition("\n")[0][:300]
    except Exception:
        said = ""
    file = getattr(getattr(function, "__code__", None), "co_filename", None)
    lines = [number for frame, number in walk_tb(error.__traceback__) if frame.f_code.co_filename == file]
    words = f"raised {type(error).__name__}" + (f": {said}" if said else "")
    if not lines:
        return words if said else f"{words}."
    line = linecache.getline(str(file), lines[-1]).strip()[:100].replace("`", "'")
    return f"{words.rstrip('.')}, in line {lines[-1]}" + (f": `{line}`" if line else ".")


#: The placeholder for an answer: ``...``.
BLANK: Final = ...

#: The highest value of patience(): at this load limits no longer grow, so a timeout says nothing about the answer.
_TOO_BUSY: Final = 8.0
_ITEMS: Final[dict[type, str]] = {str: "text", bytes: "bytes", int: "whole numbers"}


class Wrong(Exception):
    """The answer is wrong; the message says why, without giving the solution away."""


class NotAttempted(Exception):
    """There is no answer yet."""


class Elsewhere:
    """A stand-in for an object in another process: a grader gets it for an answer that is not a plain value.

    The functions of this module accept it, so a judge that uses only them need not know about it. It equals nothing
    else.

    :param kind: the name of the object's class.
    """

    is_blank = False

    def __init__(self, kind: str) -> None:
        self.kind = kind[:100]

    def __repr__(self) -> str:
        return f"<a {self.kind} in the learner's kernel>"

    def call(self, args: tuple[Any, ...], within: float) -> Any:
        """Return what the function returns there; raises the same errors as :func:`call`."""
        raise Wrong(f"The answer must be a function, and this is {kind_of(self)}.")


class FunctionElsewhere(Elsewhere):
    """A stand-in for a function in another process; ``callable()`` is true for it here too."""

    def __call__(self, *args: Any) -> Any:
        """Call the function there and return its value."""
        return self.call(args, 60.0)


def is_blank(answer: object) -> bool:
    """Return whether there is no answer: it is ``...``, or a function whose body is only ``...`` or ``pass``."""
    if answer is BLANK:
        return True
    if isinstance(answer, Elsewhere):
        return bool(answer.is_blank)
    # Only real functions are inspected, because reading an attribute of another object may run its own code.
    if not isinstance(answer, FunctionType) or answer.__name__ == "<lambda>":
        return False
    # An empty body compiles to nothing but "return None"; a docstring does not add an instruction.
    steps = [step for step in dis.get_instructions(answer) if step.opname not in ("RESUME", "NOP", "CACHE")]
    names = [step.opname for step in steps]
    if names == ["RETURN_CONST"] or names == ["LOAD_CONST", "RETURN_VALUE"]:
        return steps[0].argval is None or steps[0].argval is BLANK
    return False


def call(function: Callable[..., Any], *args: Any, within: float = 60.0, returns: bool = True) -> Any:
    """Call the learner's function and return its value as a plain one (see :func:`kafkalab.exercises.plain.plain`).

    :param within: time limit in seconds; it grows on a busy machine. It is generous on purpose, because it is there to
        catch endless loops, not to judge speed.
    :param returns: whether None is a mistake.
    :raises Wrong: it is not a function, raises, does not return in time, or returns None by mistake.
    :raises NotAttempted: it returns ``...``.
    :raises KafkalabError: it has not returned in time, and the machine is too busy to tell why.
    """
    function_needed(function)
    there: object = function
    if isinstance(there, Elsewhere):
        value = _called_there(there, args, within)
    else:
        value = _called_here(function, args, within)
    if value is BLANK:
        raise NotAttempted
    if value is None and returns:
        raise Wrong("Your function returned nothing, which is None. Does it end with `return`?")
    return value


def _called_here(function: Callable[..., Any], args: tuple[Any, ...], within: float) -> Any:
    name = getattr(function, "__name__", "your function")
    limit = within * patience()
    running = Call(function, args)
    running.start()
    running.join(limit)
    if running.is_alive():
        running.join(within * patience() - limit)  # the machine may have become busier meanwhile
    if running.is_alive():
        running.stop()
        _if_too_busy(name)
        raise Wrong(f"{name} had not returned after {limit:.0f} s. Does it know when to stop reading?")
    try:
        return running.result()
    except Unfit as no:
        raise Wrong(f"{name} {no}") from None


def _called_there(there: Elsewhere, args: tuple[Any, ...], within: float) -> Any:
    limit = within * patience()
    began = time.monotonic()
    try:
        return there.call(args, limit)
    except Wrong:
        if time.monotonic() - began >= limit:
            _if_too_busy(getattr(there, "__name__", "your function"))
        raise


def _if_too_busy(name: str) -> None:
    """Raise :class:`KafkalabError` if the machine is so busy that a timeout says nothing about the answer."""
    if patience() >= _TOO_BUSY:
        raise KafkalabError(
            f"{name} had not returned in time, but the machine is very busy, so this says nothing about your answer.",
            do="Run the cell again when the machine is less busy.",
        )


def taken(answer: object) -> Any:
    """Return an answer as a plain value; a function stays as it is.

    :raises Wrong: the answer cannot be turned into a plain value.
    """
    if callable(answer):
        return answer
    try:
        return plain(answer)
    except Unfit as no:
        raise Wrong(f"Your answer {no}") from None
    except Exception as error:
        raise Wrong(f"Your answer {raised(error)}") from None


def function_needed(answer: Any) -> None:
    """Raise :class:`Wrong` if the answer is not a function."""
    if not callable(answer):
        raise Wrong(f"The answer must be a function, and this is {kind_of(answer)}.")


def kind_of(value: object) -> str:
    """Return the kind of a value in plain words, to be put into a sentence."""
    if value is None:
        return "None"
    if isinstance(value, float):
        return f"the number {value!r}"
    words = {str: "text", bytes: "bytes", bool: "True or False", int: "a whole number"}
    if type(value) in words:
        return words[type(value)]
    kind = value.kind if isinstance(value, Elsewhere | Items) else type(value).__name__
    article = "an" if kind[:1].lower() in "aeiou" else "a"
    hint = " (`yield` makes one: `return` the value)" if kind == "generator" else ""
    return f"{article} {kind}{hint}"


def whole_number(answer: object, what: str) -> int:
    """Return the answer if it is a whole number.

    :param what: the subject of the error's sentence: "… is a whole number".
    :raises Wrong: it is of any other kind; True and False are no numbers here.
    """
    if isinstance(answer, bool) or not isinstance(answer, int):
        divided = isinstance(answer, float)
        end = ": is there a `/` where `%` or `//` belongs?" if divided else "."
        raise Wrong(f"{what} is a whole number, and this is {kind_of(answer)}{end}")
    return answer


def text(answer: object, what: str) -> str:
    """Return the answer if it is text.

    :raises Wrong: it is of any other kind.
    """
    if not isinstance(answer, str):
        raise Wrong(f"{what} is text, and this is {kind_of(answer)}.")
    return answer


def listed(answer: object, what: str, of: type = object, *, most: int = MOST_ITEMS) -> list[Any]:
    """Return the items of a list, a tuple, a set, or any other iterable.

    :param of: the type that each item must have: str, bytes or int.
    :param most: maximum number of items.
    :raises Wrong: the answer is anything else, text and bytes included, or has too many items or wrong ones.
    """
    found = taken(answer)
    if not isinstance(found, list | tuple | set | frozenset):
        raise Wrong(f"{what} is a list, and this is {kind_of(found)}.")
    if len(found) > most:
        raise Wrong(f"{what} is a list of {len(found)} items. No more than {most} can be right.")
    for item in found:
        if not isinstance(item, of) or (of is int and isinstance(item, bool)):
            raise Wrong(f"{what} is a list of {_ITEMS[of]}, and one of them is {kind_of(item)}.")
    return list(found)


def mapping(answer: object, what: str) -> dict[Any, Any]:
    """Return a dict as it is.

    :raises Wrong: the answer is anything else.
    """
    found = taken(answer)
    if not isinstance(found, dict):
        raise Wrong(f"{what} is a dict, and this is {kind_of(found)}.")
    return found


def all_arrived(there: int, given: int, what: str) -> None:
    """Judge how many records are in a topic when a function that sends has returned.

    :param what: the records' name in the error's sentence: "events".
    :raises Wrong: there are fewer than were given, or more.
    """
    if there < given:
        raise Wrong(
            f"{there} of {given} {what} had arrived when your function returned. A producer sends in the background: "
            "what waits for it?"
        )
    if there > given:
        raise Wrong(f"{given} {what} were given, and {there} are in the topic.")
