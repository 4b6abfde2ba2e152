"""Limits on what a notebook may take of the machine, a watch that enforces them, and the end of its processes."""

from __future__ import annotations

import contextlib
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import psutil

#: Environment variable that marks every process started for a notebook. Its value is different for each run.
MARKER = "KAFKALAB_GRADED"

_MB = 2**20
#: Free bytes that must be left on the disk. With less, nothing else on the machine can work either.
_SPACE_LEFT = 200 * _MB
_MOST_FILES = 200_000


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


def end(find: Callable[[], Iterable[psutil.Process]]) -> int:
    """Kill processes at once, and those that they start meanwhile; return how many there were."""
    ended: set[int] = set()
    for _ in range(100):
        found = [process for process in find() if _is_running(process)]
        if not found:
            break
        ended |= {process.pid for process in found}
        # First all of them are suspended, so that none can start another before it is killed.
        for verb in (psutil.Process.suspend, psutil.Process.kill):
            for process in found:
                with contextlib.suppress(psutil.Error):
                    verb(process)
        psutil.wait_procs(found, timeout=1)
    return len(ended)


def marked(value: str) -> list[psutil.Process]:
    """Return the processes that carry the marker with this value, except this one."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.pid != os.getpid() and process.environ().get(MARKER) == value:
                found.append(process)
    return found


def descendants(*, but: Iterable[int] = ()) -> list[psutil.Process]:
    """Return this process's children and their descendants, but not the children ``but`` and theirs."""
    own = psutil.Process()
    left_out = set(but)
    found: list[psutil.Process] = []
    with contextlib.suppress(psutil.Error):
        for child in own.children():
            if child.pid not in left_out:
                found.append(child)
                with contextlib.suppress(psutil.Error):
                    found += child.children(recursive=True)
    return found


def disk_use(folder: Path, most_files: int = _MOST_FILES) -> tuple[int, int]:
    """Return the bytes on disk under a folder and the number of files; stop counting at ``most_files``."""
    used, files, todo = 0, 0, [str(folder)]
    while todo and files < most_files:
        with contextlib.suppress(OSError), os.scandir(todo.pop()) as entries:
            for entry in entries:
                files += 1
                with contextlib.suppress(OSError):
                    used += entry.stat(follow_symlinks=False).st_blocks * 512
                    if entry.is_dir(follow_symlinks=False):
                        todo.append(entry.path)
    return used, files


def remove(folder: Path) -> None:
    """Remove a folder with everything in it, even if its permissions forbid that."""
    for _ in range(3):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        for path, _folders, _files in os.walk(folder):
            with contextlib.suppress(OSError):
                os.chmod(path, 0o700)


def _is_running(process: psutil.Process) -> bool:
    try:
        if process.status() != psutil.STATUS_ZOMBIE:
            return True
        if process.ppid() == os.getpid():
            with contextlib.suppress(OSError, ChildProcessError):
                os.waitpid(process.pid, os.WNOHANG)
    except psutil.Error:
        pass
    return False


class Watch(threading.Thread):
    """A thread that looks at a notebook's processes and folders a few times a second, and ends what takes too much.

    ``reason``: the sentence that says why it ended the notebook's processes; empty until then.

    :param of: returns the notebook's processes.
    :param fail: called when the notebook floods this process itself with data.
    :param beat: called at each look, to show that this process is still at work.
    """

    def __init__(
        self,
        limits: Limits,
        folder: Path,
        of: Callable[[], list[psutil.Process]],
        fail: Callable[[str], None],
        beat: Callable[[], None],
    ) -> None:
        super().__init__(name="grade-watch", daemon=True)
        self.reason = ""
        self._limits, self._folder, self._of, self._fail, self._beat = limits, folder, of, fail, beat
        self._over = threading.Event()
        self._look_at_disk = 0.0
        self._own = psutil.Process()
        self._own_at_first = self._own.memory_info().rss

    def run(self) -> None:
        """Keep looking until :meth:`stop` is called."""
        while not self._over.wait(0.2):
            self._beat()
            reason = self.look()
            if reason:
                self.reason = self.reason or reason
                end(self._of)
            if self._own.memory_info().rss > self._own_at_first + 1500 * _MB:
                self._fail("The notebook sent more data than the grader can take.")

    def stop(self) -> None:
        """Stop the thread, and wait until it has ended."""
        self._over.set()
        if self.is_alive():
            self.join()

    def look(self) -> str:
        """Return a sentence about a limit that is exceeded now; empty if none is."""
        processes = self._of()
        if len(processes) > self._limits.processes:
            return f"The notebook had {len(processes)} processes; {self._limits.processes} are allowed."
        memory = self._memory(processes)
        if memory > self._limits.memory_mb * _MB:
            return f"The notebook used {memory / _MB:.0f} MB of memory; {self._limits.memory_mb:g} MB are allowed."
        return self._disk()

    def _memory(self, processes: list[psutil.Process]) -> int:
        """Return the resident memory in bytes; if that is over the limit, shared memory is counted only once."""
        sizes = {}
        for process in processes:
            with contextlib.suppress(psutil.Error):
                sizes[process] = process.memory_info().rss
        if sum(sizes.values()) <= self._limits.memory_mb * _MB:
            return sum(sizes.values())
        for process in sizes:
            with contextlib.suppress(psutil.Error, AttributeError):
                sizes[process] = process.memory_full_info().pss
        return sum(sizes.values())

    def _disk(self) -> str:
        began = time.monotonic()
        if began < self._look_at_disk:
            return ""
        used, files = disk_use(self._folder)
        free = shutil.disk_usage(self._folder).free
        # It takes long to go through very many files, so wait accordingly: the machine is there for the notebook.
        self._look_at_disk = time.monotonic() + 5 * (time.monotonic() - began)
        if used > self._limits.disk_mb * _MB:
            return f"The notebook wrote {used / _MB:.0f} MB to the disk; {self._limits.disk_mb:g} MB are allowed."
        if files >= _MOST_FILES:
            return f"The notebook created too many files: at least {files}."
        if free < _SPACE_LEFT:
            return f"Only {free / _MB:.0f} MB were left on the disk, which is too little."
        return ""
