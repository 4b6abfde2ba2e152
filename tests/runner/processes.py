"""Two workers over one queue of suites: each suite a process, its lines shown as they come, nothing left at the end."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from types import FrameType

from tests.runner.suites import PYTHON, ROOT, TIERS, Suite

WORKERS = 2
#: A suite ends with the runner, however that happens, where the system can be told so.
_BOUND = ("setpriv", "--pdeathsig", "TERM") if shutil.which("setpriv") else ()
#: Exit codes of pytest that say that nothing was tried: interrupted, internal error, wrong command line, no tests.
BROKEN = (2, 3, 4, 5)
#: A colour is for who reads it, not for who looks for a word.
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_CLOSING = re.compile(r"=* ?(\d+ (passed|failed|error|skipped|deselected).* in [\d.]+s( \([\d:]+\))?)")


@dataclass
class Result:
    """How a suite ended: its exit code (None: it was not run), how long it took, what of its lines is told again."""

    suite: Suite
    code: int | None = None
    seconds: float = 0.0
    closing: str = ""
    failed: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)


class Queue:
    """Runs suites, longest first, two at a time."""

    def __init__(self, tier: str, suites: list[Suite], only: list[str] | None = None) -> None:
        self.tier, self.only = tier, only
        self.waiting = [s for s in suites if self._commands(s)]
        self.results = [Result(suite) for suite in self.waiting]
        self.width = max((len(s.name) for s in self.waiting), default=0)
        self.busy: set[str] = set()
        self.running: set[subprocess.Popen[str]] = set()
        self.stopping = 0
        self.change = threading.Condition()

    def run(self) -> list[Result]:
        """Run them all; returns when the last process is gone."""
        numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        before = {number: signal.signal(number, self._stop) for number in numbers}
        workers = [threading.Thread(target=self._work) for _ in range(WORKERS)]
        for worker in workers:
            worker.start()
        for worker in workers:
            # A join without a limit would not let Ctrl-C through.
            while worker.is_alive():
                worker.join(0.2)
        for number, handler in before.items():
            signal.signal(number, handler)
        return self.results

    def _commands(self, suite: Suite) -> list[list[str]]:
        """What a suite runs; nothing when none of what is asked for is in it."""
        files = suite.files()
        if self.only is not None:
            files = [file for file in files if file in self.only]
        pytest = [PYTHON, "-m", "pytest", "-q", "--color=no", "--maxfail=8", "--durations=6"]
        pytest += ["-o", f"cache_dir=.pytest_cache/{suite.name}", *TIERS[self.tier].options, *suite.options]
        pytest += ["-m", TIERS[self.tier].marks] if TIERS[self.tier].marks else []
        own = [list(command) for command in suite.commands if self.only is None]
        return own + ([[*pytest, *files]] if files else [])

    def _work(self) -> None:
        while (suite := self._next()) is not None:
            result = next(r for r in self.results if r.suite is suite)
            started = time.monotonic()
            for command in self._commands(suite):
                result.code = self._run(command, result)
                if result.code:
                    break
            result.seconds = time.monotonic() - started
            self._say(suite, f"ended with {result.code} after {result.seconds:.0f} s")
            with self.change:
                self.busy -= suite.alone
                self.change.notify_all()
            if result.code in BROKEN and self.only is None and not self.stopping:
                self._say(suite, "nothing can be tried; the others stop too")
                self._stop()

    def _next(self) -> Suite | None:
        with self.change:
            while self.waiting and not self.stopping:
                for suite in self.waiting:
                    if not suite.alone & self.busy:
                        self.waiting.remove(suite)
                        self.busy |= suite.alone
                        return suite
                self.change.wait(1)
            return None

    def _run(self, command: list[str], result: Result) -> int:
        with self.change:
            if self.stopping:
                return 2
            process = subprocess.Popen(
                [*_BOUND, *command], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True, errors="replace", process_group=0,
            )  # fmt: skip
            self.running.add(process)
        assert process.stdout is not None
        for line in process.stdout:
            self._hear(result, line.rstrip("\n"))
        code = process.wait()
        with self.change:
            self.running.discard(process)
        return code

    def _hear(self, result: Result, line: str) -> None:
        self._say(result.suite, line)
        line = _COLOUR.sub("", line)
        if line.startswith(("FAILED tests/", "ERROR tests/")):
            result.failed.append(line)
        elif re.match(r"\d+ x ", line):
            result.skipped.append(line)
        elif closing := _CLOSING.fullmatch(line.rstrip(" =")):
            result.closing = closing[1]

    def _say(self, suite: Suite, line: str) -> None:
        sys.stdout.write(f"{suite.name:{self.width}} | {line}\n")
        sys.stdout.flush()

    def _stop(self, number: int = 0, frame: FrameType | None = None) -> None:
        """Let what runs end as Ctrl-C lets it, cleaning up; the second time at once."""
        self.stopping += 1
        self.waiting.clear()
        for process in list(self.running):
            if process.poll() is None:
                process.send_signal(signal.SIGINT if self.stopping == 1 else signal.SIGTERM)
