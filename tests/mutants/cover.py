"""Which test runs which line of the package, also in the processes it starts: a plugin of pytest, and what it found.

A line that no test runs is told by none; of the others, only the tests that run it need to be asked.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import pytest
from coverage import Coverage, CoverageData

from tests.runner.processes import Queue
from tests.runner.suites import PYTHON, ROOT, Suite, of_tier

CONFIG = """
[run]
source = {root}/kafkalab
parallel = true
sigterm = true
patch = _exit
data_file = {folder}/data
context = ${{KAFKALAB_TEST-}}
disable_warnings = no-data-collected, module-not-imported, module-not-measured, couldnt-parse
"""


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item):  # type: ignore[no-untyped-def]
    """From here to its end, what runs is this test's."""
    os.environ["KAFKALAB_TEST"] = item.nodeid
    current = Coverage.current()
    assert current is not None, "coverage does not run"
    current.switch_context(item.nodeid)
    return (yield)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Keep how long each test takes."""
    with Path(os.environ["KAFKALAB_TIMES"]).open("a", encoding="utf-8") as file:
        print(json.dumps([report.nodeid, report.duration]), file=file)


@dataclass(frozen=True)
class Cover:
    """``lines``: file → line → tests (empty name: run by no test in particular); ``seconds`` by test."""

    lines: dict[str, dict[int, set[str]]]
    seconds: dict[str, float]

    def of(self, file: str, line: int) -> list[str]:
        """The tests that run a line, quickest first; of one that runs when its module is loaded, all of the file's."""
        lines = self.lines.get(file, {})
        tests = lines.get(line, set())
        if "" in tests or not tests:
            tests = {test for some in lines.values() for test in some} if tests else set()
        return sorted(tests - {""}, key=lambda test: self.seconds.get(test, 1.0))


class Watched(Queue):
    """Suites whose lines are watched, in a tier only what no earlier tier has; what fails stops none of them."""

    def _commands(self, suite: Suite) -> list[list[str]]:
        tests = (command for command in super()._commands(suite) if "pytest" in command)
        only = ("-m", "deep and not nightly") if self.tier == "all" else ()
        return [[*command, "-p", "tests.mutants.cover", "--maxfail=0", *only] for command in tests]


def measure(tier: str, folder: Path) -> Cover:
    """Run a tier's own tests with their lines watched (twice as long as without), or read what was found before."""
    config, times, whole = folder / "config", folder / "times", folder / "whole"
    if not whole.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        config.write_text(CONFIG.format(root=ROOT, folder=folder), encoding="utf-8")
        with pytest.MonkeyPatch.context() as environment:
            environment.setenv("COVERAGE_PROCESS_START", str(config))
            environment.setenv("KAFKALAB_TIMES", str(times))
            suites = of_tier(tier)
            # Named, so that a suite that has nothing of its own in this tier does not end the run.
            queue = Watched(tier, suites, [file for suite in suites for file in suite.files()])
            queue.run()
        if queue.stopping:
            raise SystemExit("Not every test was run, so nobody can say which runs what.")
        subprocess.run([PYTHON, "-m", "coverage", "combine", "-q", f"--rcfile={config}"], cwd=ROOT, check=True)
        whole.touch()
    seconds: defaultdict[str, float] = defaultdict(float)
    for line in times.read_text(encoding="utf-8").splitlines():
        test, took = json.loads(line)
        seconds[test] += took
    data = CoverageData(str(folder / "data"))
    data.read()
    lines = {}
    for path in data.measured_files():
        found = {n: set(tests) for n, tests in data.contexts_by_lineno(path).items()}
        lines[Path(path).relative_to(ROOT).as_posix()] = found
    return Cover(lines, dict(seconds))
