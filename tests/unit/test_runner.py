"""The runner of the check: what suites say is told as they say it, one that fails makes it red, and nothing is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import psutil
import pytest

from kafkalab.waiting import wait_until
from tests.runner.processes import Result
from tests.runner.suites import ROOT, Suite
from tests.runner.verdict import verdict


def suite(name: str, script: str, seconds: int = 1, alone: frozenset[str] = frozenset()) -> str:
    command = (sys.executable, "-uc", script)
    return repr(Suite(name, {"check": seconds}, commands=(command,), alone=alone))


def runner(*suites: str) -> subprocess.Popen[str]:
    """A process that runs these suites as the tier `check`."""
    code = f"""
from tests.runner.processes import Queue
from tests.runner.suites import Suite
from tests.runner.verdict import verdict
import sys
results = Queue("check", [{", ".join(suites)}]).run()
sys.exit(verdict("check", results, 1, whole=True))
"""
    return subprocess.Popen([sys.executable, "-uc", code], cwd=ROOT, stdout=subprocess.PIPE, text=True)


def test_each_line_says_whose_it_is_and_one_failure_makes_it_red() -> None:
    closing = "=== 1 failed, 3 passed in 61.1s (0:01:01) ==="
    said = f"print('FAILED tests/x.py::y'); print('2 x no Docker'); print('{closing}'); exit(1)"
    process = runner(suite("good", "print('fine')"), suite("bad", said))
    out = process.communicate(timeout=60)[0]
    assert process.returncode == 1 and out.endswith("RED\n")
    assert "good | fine\n" in out and "bad  | FAILED tests/x.py::y\n" in out
    end = out.partition("=== make check ===")[2]
    assert "1 failed, 3 passed" in end and "bad: FAILED tests/x.py::y" in end and "bad: 2 x no Docker" in end


def test_suites_that_share_what_is_there_once_do_not_meet() -> None:
    script = "import os, time; os.mkdir({0!r}); time.sleep(.3); os.rmdir({0!r})".format(f"/tmp/kafkalab-{os.getpid()}")
    spark = frozenset({"spark"})
    process = runner(*(suite(f"s{n}", script, alone=spark) for n in range(3)))
    assert process.communicate(timeout=60)[0].endswith("GREEN\n")


def test_where_nothing_can_be_tried_the_others_stop() -> None:
    slow = suite("slow", "import time; time.sleep(600)")
    process = runner(slow, suite("broken", "exit(4)"), suite("last", "print(7)"))
    out = process.communicate(timeout=60)[0]
    assert process.returncode == 1 and "last           not run" in out


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda n: n.name)
def test_no_process_outlives_the_runner(number: signal.Signals) -> None:
    process = runner(suite("slow", "import os, time; print(os.getpid()); time.sleep(600)"))
    assert process.stdout is not None
    child = psutil.Process(int(process.stdout.readline().rpartition("| ")[2]))
    process.send_signal(number)
    process.wait(60)
    process.stdout.close()
    wait_until(lambda: not child.is_running() or child.status() == psutil.STATUS_ZOMBIE, 20, "the suite to end")


@pytest.mark.parametrize(
    "computing, seconds, red", [(30, 60, False), (30, 61, True), (10, 61, True), (60, 61, False), (60, 121, True)]
)
def test_a_budget_is_kept_and_a_machine_that_computes_slower_has_more(computing: int, seconds: int, red: bool) -> None:
    suites = [
        (Suite("unit", {"check": 20}), computing),
        (Suite("views", {"check": 10}), 0),
        (Suite("x", {"check": 1}), 50),
    ]
    results = [Result(suite, code=0, seconds=took) for suite, took in suites]
    assert verdict("check", results, seconds, whole=True) == int(red)
    assert verdict("check", results, seconds, whole=False) == 0
