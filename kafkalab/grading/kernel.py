"""The kernel that nbval runs, as a grader uses it: patient while it lives, told at once when it has ended."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from queue import Empty
from typing import Any, Final

from kafkalab.exercises.judging import Wrong, patience
from kafkalab.grading.wire import Malformed, read, source

_SAID: Final = "_kafkalab_said"
#: Seconds in which a kernel must heed an interrupt.
_HEED: Final = 5.0
#: Seconds between two looks at whether the kernel lives.
_SLICE: Final = 0.2


class KernelGone(Exception):
    """The kernel ended; the message is a sentence that says how."""


class TooSlow(Exception):
    """What was asked did not end in time, and was interrupted."""


class Kernel:
    """A learner's kernel. It wraps what nbval has of it: from then on nbval waits no longer than the kernel lives.

    :param running: nbval's RunningKernel.
    :param why_gone: a sentence on why it was ended, where somebody here did that; else empty.
    :param most_seconds: for one request, on a quiet machine; on a busy one it gets more.
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
        return f"The notebook's kernel was ended. {why}" if (why := self._why_gone()) else "The notebook's kernel died."

    @property
    def _longest(self) -> float:
        return self._most * patience()

    def be_patient(self, seconds: float) -> None:
        """End the kernel when what is run next has not come to an end by then, whatever it says meanwhile."""
        self._patience = time.monotonic() + seconds

    def value(self, expression: str) -> Any:
        """The value of an expression: a plain one, or a stand-in for what is none.

        :raises Wrong: it raised; "raised NameError: …".
        :raises TooSlow: looking at it had no end.
        :raises KernelGone: the kernel died.
        """
        return self._ask({"do": "value", "expression": expression}, expression, self._longest)

    def patched(self) -> list[str]:
        """Names in kafkalab that the notebook has put code of its own into, as far as it tells."""
        found = self._ask({"do": "patched"}, "", self._longest)
        return [name for name in found if isinstance(name, str)] if isinstance(found, list) else []

    def run(self, code: str, expression: str, within: float) -> Any:
        """Run code, and return the text that an expression then is.

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
        # In one piece and in base64: nothing in it needs to be understood to be taken out of its quotes.
        text = self.run(source(request, _SAID), _SAID, within)
        return read(text.strip("'\""), expression, lambda asked, longest: self._call(asked, expression, longest))

    def _call(self, request: Mapping[str, Any], expression: str, within: float) -> Any:
        """What a function returns, or an iterable holds; all that goes wrong there is the answer's."""
        try:
            return self._ask(request, expression, within)
        except Wrong as no:
            raise Wrong(f"{expression} {no}") from None
        except TooSlow as slow:
            raise Wrong(f"{expression} {slow}. Does it know when to stop reading?") from None
        except KernelGone as gone:
            raise Wrong(f"{expression} was called, and then: {str(gone)[:1].lower()}{str(gone)[1:]}") from None
        except Malformed:
            raise Wrong(f"{expression} returned nothing that can be judged.") from None

    def _stop(self, asked: str) -> None:
        """Interrupt it; a kernel that does not heed that is ended."""
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
        """The next message of a channel.

        :raises Empty: none came in time.
        :raises KernelGone: none will come.
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
        """Take in what is there, so that a kernel that tells very much fills no queue."""
        for _ in range(500):
            if not self._hear(0):
                return

    def _hear(self, seconds: float) -> bool:
        message = self._get("iopub", seconds)
        # What it displays counts for nothing, so it is not kept.
        if message is not None and message.get("msg_type") in ("status", "error"):
            self._heard.append(message)
        return message is not None

    def _get(self, stream: str, seconds: float) -> Mapping[str, Any] | None:
        """A message of the right form, or None. What has another form was not sent by Jupyter."""
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
