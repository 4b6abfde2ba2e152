"""Call: one call of a learner's function, in the notebook's own kernel; its result is a plain value."""

from __future__ import annotations

import ctypes
import inspect
import linecache
import threading
from collections.abc import Callable
from traceback import walk_tb
from typing import Any

from kafkalab.checks.plain import Unfit, plain

_ASYNC = "is `async`: the check calls it and does not await it. Use `asyncio.run(…)` inside of it, or no `async`."


class Call(threading.Thread):
    """A call in a thread of its own: an event loop runs in the kernel's main thread, and asyncio allows only one.

    It is a daemon: what does not return does not keep the kernel from ending.
    """

    def __init__(self, function: Callable[..., Any], args: tuple[Any, ...]) -> None:
        super().__init__(name=f"answer-{getattr(function, '__name__', '')}", daemon=True)
        self._function, self._args = function, args
        self._value: Any = None
        self._error: BaseException | None = None

    def run(self) -> None:
        """Call it, and go through what it returns."""
        try:
            found = self._function(*self._args)
            if inspect.iscoroutine(found) or inspect.isasyncgen(found):
                if inspect.iscoroutine(found):
                    found.close()  # or Python warns that nobody awaited it
                raise Unfit(_ASYNC)
            try:
                self._value = plain(found)
            except Unfit as no:
                raise Unfit(f"returned something that {no}") from None
        except BaseException as error:  # sys.exit() in an answer must not end the kernel
            self._error = error

    def result(self) -> Any:
        """The returned value, in its plain form.

        :raises Unfit: it raised, or returned what cannot be judged.
        """
        if self._error is not None:
            raise self._error if isinstance(self._error, Unfit) else Unfit(raised(self._error, self._function))
        return self._value

    def stop(self) -> None:
        """Raise SystemExit in it, which ends a loop in Python; what waits outside of Python goes on."""
        if self.ident is not None:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.ident), ctypes.py_object(SystemExit))


def raised(error: BaseException, function: Any = None) -> str:
    """An error in words that go on after a name: "raised ValueError: no x, in line 5: `c.seek(…)`".

    :param function: whose line is meant; a line of another file would not help.
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
