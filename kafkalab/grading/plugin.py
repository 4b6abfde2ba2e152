"""The pytest plugin beside nbval: it starts a cluster, and judges each answer at the place of its check.

It runs in the process that :mod:`kafkalab.grading.run` starts for each notebook. It reports each finding as a line of
JSON through a pipe, and never through the notebook.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import json
import os
import re
import resource
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

from kafkalab.exercises.course import exercises_of
from kafkalab.exercises.judging import Wrong, patience
from kafkalab.grading.judge import Cases, Judging
from kafkalab.grading.kernel import Kernel, KernelGone, Malformed, TooSlow
from kafkalab.grading.limits import MARKER, Limits, Watch, descendants, end, marked, remove
from kafkalab.grading.restore import Step
from kafkalab.grading.run import readable, signed
from kafkalab.handles.cluster import Cluster

_MB = 2**20
_PR_SET_CHILD_SUBREAPER = 36


class Grader:
    """Grades the one notebook of this run."""

    def __init__(self, spec: dict[str, Any], out: int) -> None:
        self._out, self._key = out, bytes.fromhex(spec["key"])
        self._lock = threading.Lock()
        self.folder = Path(spec["folder"])
        self._limits = Limits(**spec["limits"])
        self._steps = [Step(**step) for step in spec["steps"]]
        self._cluster = Cluster(name=spec["cluster"], mode=spec["mode"], throw_away=True, quiet=True)
        exercises = {one.id: one for one in exercises_of(spec["lab"])(self._cluster)}
        self._judging = Judging(
            self._cluster, exercises, self._steps, frozenset(spec["untouched"]), Cases(**spec["cases"])
        )
        self._kernel: Kernel | None = None
        self._unheeded = ""
        self._seconds = self._limits.cell_seconds
        self._patched: set[str] = set()
        self._began = time.monotonic()
        # The cluster's supervisor and everything else that runs by now does not belong to the notebook.
        self._ours = {process.pid for process in descendants()}
        self._watch = Watch(self._limits, self.folder, self._theirs, self.fail, lambda: self.say())
        self._watch.start()

    # messages to the parent process

    def say(self, **what: Any) -> None:
        """Send a line to the process that started this one."""
        line = signed(self._key, what)
        with self._lock, contextlib.suppress(BrokenPipeError):
            while line:
                line = line[os.write(self._out, line) :]

    def fail(self, why: str) -> None:
        """Report why, kill what the notebook started, and end this process at once."""
        self.say(stopped=why)
        end(self._theirs)
        os._exit(3)

    def _theirs(self) -> list[Any]:
        return descendants(but=self._ours)

    # pytest's hooks: plain ones, so that pytest itself is not imported

    def pytest_runtest_call(self, item: Any) -> None:
        """Before a cell runs, set its time limit. Empty it if it is a check's, because that must not run in there."""
        at, step = item.cell_num, self._steps[item.cell_num]
        self.say(step=at + 1, of=len(self._steps))
        if self._kernel is None:
            self._kernel = Kernel(item.parent.kernel, self._why_gone, self._limits.cell_seconds)
        if step.checks:
            item.cell.source = ""
        left = self._limits.notebook_seconds * patience() - (time.monotonic() - self._began)
        self._seconds = max(1.0, min(self._limits.cell_seconds * patience(), left))
        item.config.option.nbval_cell_timeout = self._seconds
        # The notebook's own options for nbval are meant for other runs.
        item.options.update(check=False, skip=False, check_exception=False)
        item.parent.timed_out = False
        self._kernel.be_patient(self._seconds + 20)

    def pytest_runtest_makereport(self, item: Any, call: Any) -> None:
        """After a cell has run, keep its error, and judge the answer if the cell is a check's."""
        if call.when != "call":
            return
        at, step = item.cell_num, self._steps[item.cell_num]
        if call.excinfo is not None:
            self._stopped(at, step, call.excinfo.value, late=call.duration >= self._seconds)
        if step.checks:
            self._judge(at)
        if step.checks or at == len(self._steps) - 1:
            self._look_for_patches()

    def pytest_sessionfinish(self) -> None:
        """Send the last reports, and clean everything up."""
        if self._patched:
            names = ", ".join(sorted(self._patched)[:20])
            self.say(reported=f"The notebook had put code of its own into {names}. The grader did not use it.")
        for sentence in self._judging.reported:
            self.say(reported=sentence)
        self.close()
        self.say(done=True)

    def close(self) -> None:
        """Kill the processes that the notebook has left behind, then stop the cluster."""
        self._watch.stop()
        end(self._theirs)
        self._cluster.stop()

    # parts of a cell's run

    def _judge(self, at: int) -> None:
        step = self._steps[at]
        result = self._judging.judge(at, self._kernel, self._why_gone() or "The notebook's kernel did not start.")
        self.say(question=result.to_dict(), exercise=step.checks)

    def _look_for_patches(self) -> None:
        if self._kernel is not None and self._kernel.is_alive:
            with contextlib.suppress(Wrong, TooSlow, KernelGone, Malformed):
                self._patched.update(self._kernel.patched())

    def _stopped(self, at: int, step: Step, error: BaseException, *, late: bool) -> None:
        """Keep and report the error that stopped a cell, in one line."""
        alive = self._kernel is not None and self._kernel.is_alive
        said = _plain_text(str(getattr(error, "inner_traceback", "") or error)).splitlines()
        # The error's own line; those below it that are indented belong to it (what was seen, what to do).
        own = [line for line in said if line[:1].strip()]
        what = own[-1][:300] if own else type(error).__name__
        if late and alive:
            what = f"it was interrupted after {self._seconds:.0f} s"
        elif not alive:
            if late and not self._watch.reason:
                self._unheeded = (
                    self._unheeded or f"A cell did not stop when it was interrupted after {self._seconds:.0f} s."
                )
            what = self._kernel.gone if self._kernel is not None else "there is no kernel"
            if self._judging.errors and what in self._judging.errors.values():
                return  # said once
        self._judging.errors[at] = what
        cell = f"Cell {step.number}" if step.number else "A cell of the lab"
        self.say(stopped=f"{cell} stopped: {what}")

    def _why_gone(self) -> str:
        return self._watch.reason or self._unheeded


def _plain_text(text: str) -> str:
    """Remove a terminal's colour codes from a text."""
    return re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", text)


_grader: list[Grader] = []


def pytest_configure(config: Any) -> None:
    """Read from standard input what to grade, and start the grader."""
    spec = json.loads(sys.stdin.buffer.readline())
    out = int(spec["pipe"])
    os.set_inheritable(out, False)
    _keep_apart(spec)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(3))
    _tie(Path(spec["folder"]))
    try:
        grader = Grader(spec, out)
    except Exception as error:
        os.write(out, signed(bytes.fromhex(spec["key"]), {"failed": str(error) or type(error).__name__}))
        raise
    _grader.append(grader)
    config.pluginmanager.register(grader, "kafkalab-grader")


def _keep_apart(spec: dict[str, Any]) -> None:
    """Set limits that all processes started from here inherit, and keep the notebook from looking into this one."""
    most = int(spec["limits"]["disk_mb"] * _MB)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    readable(False)
    if sys.platform == "linux":
        # A descendant that loses its parent becomes a child of this process.
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _tie(folder: Path) -> None:
    """Clean everything up and exit when standard input closes: the parent process asks for that, or is gone."""

    putting_away = threading.Lock()

    def wait_for_the_end() -> None:
        while os.read(0, 1024):
            pass
        putting_away.acquire()
        for grader in _grader:
            with contextlib.suppress(Exception):
                grader.close()
        end(lambda: marked(os.environ[MARKER]))
        remove(folder)
        os._exit(3)

    # If pytest ends because of what is being killed here, its exit waits for this lock until the clean-up is done.
    atexit.register(putting_away.acquire)
    threading.Thread(target=wait_for_the_end, name="grade-tie", daemon=True).start()
