"""The kernel that runs a learner's notebook, as the grader uses it: nbclient, within limits that it looks after."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import psutil
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionComplete, CellExecutionError, DeadKernelError

from kafkalab.exercises.judging import Wrong, patience
from kafkalab.grading.values import MIME, Malformed, read, source

# --- The limits of one notebook, and the end of what it has started.


_MB = 2**20
#: Seconds that a kernel gets to react to an interrupt.
_HEED = 10.0
#: MB that a notebook may display.
_OUTPUT_MB = 500


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one notebook. Seconds are for a quiet machine: a busy one makes them longer (``patience``).

    :param cell_seconds: time for one cell, and for one call of a learner's function.
    :param notebook_seconds: time for all cells together.
    :param memory_mb: memory of the kernel and everything it starts.
    :param disk_mb: space for everything it writes, into its folders and into topics.
    :param processes: number of processes: the kernel and everything it starts.
    """

    cell_seconds: float = 180.0
    notebook_seconds: float = 1800.0
    memory_mb: float = 3000.0
    disk_mb: float = 1000.0
    processes: int = 250


def end(find: Callable[[], Iterable[psutil.Process]]) -> None:
    """Kill processes at once, and those that they start meanwhile."""
    for _ in range(100):
        found = list(find())
        if not found:
            return
        # First all of them are suspended, so that none can start another before it is killed.
        for verb in (psutil.Process.suspend, psutil.Process.kill):
            for process in found:
                with contextlib.suppress(psutil.Error):
                    verb(process)
        psutil.wait_procs(found, timeout=1)


def descendants(*, but: Iterable[int] = ()) -> list[psutil.Process]:
    """Return this process's children and their descendants that run, but not the children ``but`` and theirs."""
    found: list[psutil.Process] = []
    for child in psutil.Process().children():
        if child.pid not in set(but):
            with contextlib.suppress(psutil.Error):
                found += [child, *child.children(recursive=True)]
    return [process for process in found if _is_running(process)]


def _is_running(process: psutil.Process) -> bool:
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False


def disk_use(folder: Path) -> float:
    """Return the bytes on disk under a folder, however deep it is."""
    # du says what it cannot read, and counts the rest.
    said = subprocess.run(["du", "-sk", str(folder)], capture_output=True, text=True, check=False).stdout
    return int(said.split()[0]) * 1024 if said else 0.0


def remove(folder: Path) -> None:
    """Remove a folder with everything in it, even if its permissions forbid that, and however deep it is."""
    for command in (["chmod", "-R", "u+rwx"], ["rm", "-rf"]):
        if folder.exists():
            subprocess.run([*command, str(folder)], stderr=subprocess.DEVNULL, check=False)


# --- The kernel.


class KernelGone(Exception):
    """The kernel ended; the message is a sentence that says how."""


class TooSlow(Exception):
    """Code did not end in time, and was interrupted; the message continues a sentence after a name."""


class Stopped(Exception):
    """Code ended with an error; the message is the error's own line."""


class Kernel(NotebookClient):
    """A fresh kernel. What it displays is not kept, and its values leave it as plain ones (:mod:`.values`).

    What runs too long is interrupted; if that does not help, and if any other limit is exceeded, everything is ended
    that this process started after the kernel was made.

    :param folder: the folder of the notebook; the kernel works in ``folder/work``.
    """

    def __init__(self, folder: Path, limits: Limits) -> None:
        super().__init__(nbformat.NotebookNode(metadata={}, cells=[None]))  # type: ignore[no-untyped-call]
        self.kernel_name = "python3"
        # No kernel that is installed for Jupyter, which may be another Python's.
        self.create_kernel_manager().kernel_spec_manager.kernel_dirs = []
        self.limits, self._folder = limits, folder
        #: A sentence on why the kernel was ended; empty if it was not.
        self.reason = ""
        self._ours = {process.pid for process in psutil.Process().children()}
        self._said, self._displayed = "", 0
        self._until, self._interrupted, self._looked = float("inf"), False, 0.0
        #: Held while code is interrupted, so that the code after it never is.
        self._interrupting = threading.Lock()
        self._over = threading.Event()
        self._watching = threading.Thread(target=self._watch, name="grade-watch", daemon=True)

    def start(self) -> None:
        """Start it; raises RuntimeError if it does not."""
        self.start_new_kernel(cwd=str(self._folder / "work"))
        self.start_new_kernel_client()
        self._watching.start()

    def close(self) -> None:
        """End it, and everything that it has started."""
        self._over.set()
        if self._watching.is_alive():
            self._watching.join()
        end(self._theirs)
        self._cleanup_kernel()

    @property
    def gone(self) -> str:
        """A sentence on how it ended."""
        return (
            f"The grader ended the notebook's kernel. {self.reason}" if self.reason else "The notebook's kernel died."
        )

    def run(self, code: str, seconds: float) -> str:
        """Run code, and return what :func:`kafkalab.grading.values.say` displayed meanwhile.

        :raises Stopped: it ended with an error.
        :raises TooSlow: it did not end in time.
        :raises KernelGone: the kernel died.
        """
        self._said, stopped = "", ""
        self._interrupted, self._until = False, time.monotonic() + seconds
        try:
            self.execute_cell(nbformat.v4.new_code_cell(code), 0)  # type: ignore[no-untyped-call]
        except DeadKernelError:
            raise KernelGone(self.gone) from None
        except CellExecutionError as error:
            stopped = _line(error)
        except Exception as error:  # a message of a form that Jupyter does not send
            stopped = f"its kernel could not be understood ({type(error).__name__})"
        finally:
            with self._interrupting:
                self._until = float("inf")
        if self._interrupted:
            raise TooSlow(f"had not returned after {seconds:.0f} s")
        if stopped:
            raise Stopped(stopped)
        return self._said

    def process_message(self, msg: Any, cell: Any, cell_index: int) -> None:
        """Take a message of the kernel: what it displays does not count, so it is not kept."""
        self._displayed += len(str(msg["content"]))
        if msg["msg_type"] == "status" and msg["content"]["execution_state"] == "idle":
            raise CellExecutionComplete
        if msg["msg_type"] == "display_data" and MIME in msg["content"]["data"]:
            self._said = str(msg["content"]["data"][MIME])

    def value(self, expression: str) -> Any:
        """Return the value of an expression: a plain value, or a stand-in for anything else.

        :raises Wrong: it raised; the text is "raised NameError: …".
        :raises TooSlow: it did not end in time.
        :raises KernelGone: the kernel died.
        :raises Malformed: it cannot be read.
        """
        return self.ask({"do": "value", "expression": expression}, float("inf"))

    def ask(self, request: Mapping[str, Any], within: float) -> Any:
        """Return what the kernel says to a request (see :mod:`kafkalab.grading.values`); raises as :meth:`value`."""
        try:
            said = self.run(source(request), min(within, self.limits.cell_seconds * patience()))
        except Stopped:
            raise Malformed from None
        return read(said, request["expression"], self._call)

    def _call(self, request: Mapping[str, Any], within: float) -> Any:
        """Return the result of a call in the kernel; whatever goes wrong there is the answer's fault."""
        name = request["expression"]
        try:
            return self.ask(request, within)
        except Wrong as no:
            raise Wrong(f"{name} {no}") from None
        except TooSlow as slow:
            raise Wrong(f"{name} {slow}. Does it know when to stop reading?") from None
        except KernelGone as gone:
            raise Wrong(f"{name} was called, and then: {str(gone)[:1].lower()}{str(gone)[1:]}") from None
        except Malformed:
            raise Wrong(f"{name} returned something that cannot be judged.") from None

    # the watch, in a thread of its own

    def _theirs(self) -> list[psutil.Process]:
        return descendants(but=self._ours)

    def _watch(self) -> None:
        while not self._over.wait(0.2):
            with self._interrupting:
                if self._until < time.monotonic() and not self._interrupted:
                    self._interrupted = True
                    process: Any = self.km and self.km.provisioner
                    with contextlib.suppress(OSError):
                        os.killpg(process.pid, signal.SIGINT)
            try:
                why = self.exceeded()
            except Exception as error:  # nothing goes on that is not watched
                why = f"The notebook's limits could not be watched ({type(error).__name__})."
            if why:
                self.reason = self.reason or why
                end(self._theirs)

    def exceeded(self) -> str:
        """Return a sentence about a limit that is exceeded now; empty if none is."""
        limits, processes = self.limits, self._theirs()
        memory = 0.0
        for process in processes:
            with contextlib.suppress(psutil.Error):
                memory += process.memory_info().rss / _MB
        if time.monotonic() > self._until + _HEED:
            return "A cell did not stop when it was interrupted."
        if len(processes) > limits.processes:
            return f"The notebook had {len(processes)} processes; {limits.processes} are allowed."
        if memory > limits.memory_mb:
            return f"The notebook used {memory:.0f} MB of memory; {limits.memory_mb:g} MB are allowed."
        if self._displayed > _OUTPUT_MB * _MB:
            return f"The notebook displayed more than {_OUTPUT_MB} MB."
        if time.monotonic() > self._looked + 1:  # going through many files takes long
            used = disk_use(self._folder) / _MB
            self._looked = time.monotonic()
            if used > limits.disk_mb:
                return f"The notebook wrote {used:.0f} MB to the disk; {limits.disk_mb:g} MB are allowed."
        return ""


def _line(error: CellExecutionError) -> str:
    """Return the error's own line; those below it that are indented belong to it (what was seen, what to do)."""
    said = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", f"{error.ename}: {error.evalue}").splitlines()
    return next((line for line in said if line[:1].strip()), str(error.ename))[:300].removesuffix(": ")
