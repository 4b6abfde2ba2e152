"""Limits: what a notebook may take of the machine; a watch over it; and the end of everything it started."""

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

#: Environment variable that everything bears which was started for a notebook; its value is another one each time.
MARKER = "KAFKALAB_GRADED"

_MB = 2**20
#: Less free space than this on the disk, and nothing else on the machine can work either.
_SPACE_LEFT = 200 * _MB
_MOST_FILES = 200_000


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one notebook. Seconds are those of a quiet machine: a busy one makes them longer (``patience``).

    :param cell_seconds: for a cell, and for one call of a learner's function.
    :param notebook_seconds: for all cells together.
    :param memory_mb: of the kernel and all that it starts.
    :param disk_mb: of what it writes into its folders and into topics.
    :param processes: of the kernel and all that it starts.
    """

    cell_seconds: float = 180.0
    notebook_seconds: float = 1800.0
    memory_mb: float = 3000.0
    disk_mb: float = 1000.0
    processes: int = 250


def end(find: Callable[[], Iterable[psutil.Process]]) -> int:
    """End processes at once, and those that they start meanwhile; returns how many there were."""
    ended: set[int] = set()
    for _ in range(100):
        found = [process for process in find() if _is_running(process)]
        if not found:
            break
        ended |= {process.pid for process in found}
        # First they all stand still, so that none can start another while its turn comes.
        for verb in (psutil.Process.suspend, psutil.Process.kill):
            for process in found:
                with contextlib.suppress(psutil.Error):
                    verb(process)
        psutil.wait_procs(found, timeout=1)
    return len(ended)


def marked(value: str) -> list[psutil.Process]:
    """Processes of ours that bear the marker; not this one."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.pid != os.getpid() and process.environ().get(MARKER) == value:
                found.append(process)
    return found


def descendants(*, but: Iterable[int] = ()) -> list[psutil.Process]:
    """What this process started, and what that started; without the families of some of its children."""
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
    """Bytes on disk under a folder, and how many files; stops counting at the most."""
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
    """Remove a folder with all that is in it, also what was locked against that."""
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
    """Looks at a notebook's processes and folders a few times a second, and ends what takes too much.

    ``reason``: why it did; empty while it did not.

    :param of: the processes that are the notebook's.
    :param fail: called when this process itself is being flooded.
    :param beat: called at each look, to show that this process is not standing still.
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
        """Look until :meth:`stop`."""
        while not self._over.wait(0.2):
            self._beat()
            reason = self.look()
            if reason:
                self.reason = self.reason or reason
                end(self._of)
            if self._own.memory_info().rss > self._own_at_first + 1500 * _MB:
                self._fail("The notebook sent more than can be taken in.")

    def stop(self) -> None:
        """End it; returns when it does nothing more."""
        self._over.set()
        if self.is_alive():
            self.join()

    def look(self) -> str:
        """What is too much at this moment, as a sentence; empty if nothing is."""
        processes = self._of()
        if len(processes) > self._limits.processes:
            return f"It had {len(processes)} processes; {self._limits.processes} are allowed."
        memory = self._memory(processes)
        if memory > self._limits.memory_mb * _MB:
            return f"It took {memory / _MB:.0f} MB of memory; {self._limits.memory_mb:g} MB are allowed."
        return self._disk()

    def _memory(self, processes: list[psutil.Process]) -> int:
        """Resident memory; what several processes share is counted once where it matters."""
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
        # A folder of very many files takes long to go through: the machine is for the notebook, not for its watch.
        self._look_at_disk = time.monotonic() + 5 * (time.monotonic() - began)
        if used > self._limits.disk_mb * _MB:
            return f"It wrote {used / _MB:.0f} MB to the disk; {self._limits.disk_mb:g} MB are allowed."
        if files >= _MOST_FILES:
            return f"It made {files} files."
        if free < _SPACE_LEFT:
            return f"Only {free / _MB:.0f} MB were left on the disk."
        return ""
