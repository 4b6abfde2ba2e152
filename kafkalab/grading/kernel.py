"""The kernel that nbval runs, as the grader uses it: requests wait while it lives, and fail at once when it ends."""

from __future__ import annotations

import base64
import binascii
import json
import math
import time
from collections import deque
from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from queue import Empty
from typing import Any, Final, Protocol

from kafkalab.exercises.judging import Elsewhere, FunctionElsewhere, Wrong, patience
from kafkalab.exercises.plain import MOST_DEPTH, MOST_DIGITS, MOST_VALUES, Items

# --- Answers in a learner's kernel, seen from outside: plain values, and stand-ins for everything else.
#
# Nothing that comes from a kernel is trusted: every shape is checked, and what does not fit raises :class:`Malformed`.
# The other end is :mod:`kafkalab.grading.inside.values`.


class Malformed(Exception):
    """The kernel sent something that the snippet cannot have written."""


class Asked(Protocol):
    """A function that sends a request to the kernel, and returns what :func:`read` makes of the reply."""

    def __call__(self, request: Mapping[str, Any], within: float) -> Any:
        """Send a request; raise Wrong if the code raised, or did not end in time."""


class Thing(Elsewhere):
    """An object of a kind that no lab asks for."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def __repr__(self) -> str:
        return f"<a {self.kind} in the learner's kernel>"


class Function(FunctionElsewhere):
    """A learner's function, identified by the expression that evaluates to it."""

    def __init__(self, expression: str, name: str, kind: str, is_blank: bool, ask: Asked) -> None:
        self.expression, self.kind, self.is_blank = expression, kind, is_blank
        self.__name__ = name
        self._ask = ask

    def call(self, args: tuple[Any, ...], within: float) -> Any:
        """Call it in the kernel with plain values, and return its result."""
        request = {"do": "call", "expression": self.expression, "arguments": literal(args)}
        return self._ask(request, within)

    def __repr__(self) -> str:
        return f"<{self.__name__} in the learner's kernel>"


@cache
def _snippet() -> str:
    return resources.files("kafkalab.grading.inside").joinpath("values.py").read_text(encoding="utf-8")


def source(request: Mapping[str, Any], said: str) -> str:
    """Return code that carries out a request in a kernel, and leaves the answer in the variable named by ``said``."""
    # One line that defines no other name: nothing of it stays among the learner's variables.
    run = f"exec(compile({_snippet()!r}, 'values.py', 'exec', dont_inherit=True), own)"
    return f"{said} = (lambda own: ({run}, own['answer'](globals(), {dict(request)!r}))[1])({{'__name__': 'inside'}})"


def literal(value: Any) -> str:
    """Return a plain value as Python source, to call a learner's function with.

    :raises TypeError: the value is not plain; a judge must not pass anything else.
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
    """Return the value in a kernel's reply.

    :param expression: the expression that was asked for; it identifies a function.
    :raises Wrong: it raised in the kernel; the text is "raised NameError: …".
    :raises Malformed: only a notebook that wants to deceive can have sent this.
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


_SAID: Final = "_kafkalab_said"
#: Seconds that a kernel gets to react to an interrupt.
_HEED: Final = 5.0
#: Seconds between two looks at whether the kernel lives.
_SLICE: Final = 0.2


class KernelGone(Exception):
    """The kernel ended; the message is a sentence that says how."""


class TooSlow(Exception):
    """A request did not end in time, and was interrupted."""


class Kernel:
    """A learner's kernel. It wraps nbval's object for it, so that nbval too waits no longer than the kernel lives.

    :param running: nbval's RunningKernel.
    :param why_gone: returns a sentence on why the grader ended the kernel; empty if it did not.
    :param most_seconds: time for one request on a quiet machine; on a busy one it gets more.
    """

    def __init__(self, running: Any, why_gone: Callable[[], str], most_seconds: float) -> None:
        self._running, self._why_gone, self._most = running, why_gone, most_seconds
        self._client = running.kc
        self._heard: deque[Mapping[str, Any]] = deque(maxlen=10_000)
        self._patience = float("inf")
        running.get_message = self._message

    @property
    def is_alive(self) -> bool:
        """Whether its process runs."""
        return bool(self._running.is_alive())

    @property
    def gone(self) -> str:
        """A sentence on how it ended."""
        return (
            f"The grader ended the notebook's kernel. {why}"
            if (why := self._why_gone())
            else "The notebook's kernel died."
        )

    @property
    def _longest(self) -> float:
        return self._most * patience()

    def be_patient(self, seconds: float) -> None:
        """Set the time after which the kernel is ended if the next code still runs, whatever it displays meanwhile."""
        self._patience = time.monotonic() + seconds

    def value(self, expression: str) -> Any:
        """Return the value of an expression: a plain value, or a stand-in for anything else.

        :raises Wrong: it raised; the text is "raised NameError: …".
        :raises TooSlow: it did not end in time.
        :raises KernelGone: the kernel died.
        """
        return self._ask({"do": "value", "expression": expression}, expression, self._longest)

    def patched(self) -> list[str]:
        """Return names in kafkalab that hold code of the notebook's own, as far as the kernel tells."""
        found = self._ask({"do": "patched"}, "", self._longest)
        return [name for name in found if isinstance(name, str)] if isinstance(found, list) else []

    def run(self, code: str, expression: str, within: float) -> Any:
        """Run code, and return the text of an expression's value after it.

        :raises TooSlow: it did not end in time.
        :raises KernelGone: the kernel died.
        :raises Malformed: no text came back.
        """
        if not self.is_alive:
            raise KernelGone(self.gone)
        within = min(within, self._longest)
        self.be_patient(within + 2 * _HEED)
        asked = self._client.execute(
            code, silent=True, store_history=False, user_expressions={"said": expression}, allow_stdin=False,
            stop_on_error=False,
        )  # fmt: skip
        try:
            reply = self._reply(asked, within)
        except Empty:
            self._stop(asked)
            raise TooSlow(f"had not returned after {within:.0f} s") from None
        match reply.get("content"):
            case {"user_expressions": {"said": {"data": {"text/plain": str(text)}}}}:
                return text
        raise Malformed

    def _ask(self, request: Mapping[str, Any], expression: str, within: float) -> Any:
        # The answer is base64, so nothing in it is escaped, and its quotes can simply be stripped.
        text = self.run(source(request, _SAID), _SAID, within)
        return read(text.strip("'\""), expression, lambda asked, longest: self._call(asked, expression, longest))

    def _call(self, request: Mapping[str, Any], expression: str, within: float) -> Any:
        """Return the result of a call in the kernel; whatever goes wrong there is the answer's fault."""
        try:
            return self._ask(request, expression, within)
        except Wrong as no:
            raise Wrong(f"{expression} {no}") from None
        except TooSlow as slow:
            raise Wrong(f"{expression} {slow}. Does it know when to stop reading?") from None
        except KernelGone as gone:
            raise Wrong(f"{expression} was called, and then: {str(gone)[:1].lower()}{str(gone)[1:]}") from None
        except Malformed:
            raise Wrong(f"{expression} returned something that cannot be judged.") from None

    def _stop(self, asked: str) -> None:
        """Interrupt the kernel; end it if it does not react."""
        self._running.interrupt()
        try:
            self._reply(asked, _HEED)
        except (Empty, KernelGone):
            if self.is_alive:
                self._running.stop()

    def _reply(self, asked: str, within: float) -> Mapping[str, Any]:
        end = time.monotonic() + within
        while True:
            message = self._message("shell", max(0.0, end - time.monotonic()))
            if message["parent_header"].get("msg_id") == asked:
                return message

    def _message(self, stream: str, timeout: float | None = None) -> Mapping[str, Any]:
        """Return the next message of a channel.

        :raises Empty: none came in time.
        :raises KernelGone: none will come, because the kernel has ended.
        """
        end = time.monotonic() + (timeout if timeout is not None else 1e9)
        while True:
            self._listen()
            if stream == "iopub":
                if self._heard:
                    return self._heard.popleft()
                self._hear(_SLICE)
            elif (message := self._get("shell", _SLICE)) is not None:
                return message
            if time.monotonic() > self._patience and self.is_alive:
                self._running.stop()
            if stream == "iopub" and self._heard:
                continue
            if not self.is_alive:
                raise KernelGone(self.gone)
            if time.monotonic() > end:
                raise Empty

    def _listen(self) -> None:
        """Read the messages that have arrived, so that a kernel that sends very many does not fill a queue."""
        for _ in range(500):
            if not self._hear(0):
                return

    def _hear(self, seconds: float) -> bool:
        message = self._get("iopub", seconds)
        # What a kernel displays does not count, so it is not kept.
        if message is not None and message.get("msg_type") in ("status", "error"):
            self._heard.append(message)
        return message is not None

    def _get(self, stream: str, seconds: float) -> Mapping[str, Any] | None:
        """Return a message, or None if none came. One of a form that Jupyter does not send becomes an empty one."""
        try:
            channel = self._client.shell_channel if stream == "shell" else self._client.iopub_channel
            message = channel.get_msg(timeout=seconds)
        except Empty:
            return None
        except Exception:  # a wrong signature, no JSON, too few parts: a notebook that writes to the socket itself
            return None
        match message:
            case {"parent_header": dict(), "content": dict(), "msg_type": str()}:
                return dict(message)
        return {"parent_header": {}, "content": {}, "msg_type": ""}
