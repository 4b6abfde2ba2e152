"""A real kernel that hangs, lies, dies and floods, and a grader that bears it; and how what it started is ended."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.judging import Wrong, call, listed
from kafkalab.grading import kernel as grading_kernel
from kafkalab.grading.kernel import (
    Kernel,
    KernelGone,
    Limits,
    Stopped,
    TooSlow,
    descendants,
    disk_use,
    end,
    remove,
)
from kafkalab.waiting import wait_until


def started(folder: Path, limits: Limits) -> Kernel:
    (folder / "work").mkdir()
    kernel = Kernel(folder, limits)
    kernel.start()
    return kernel


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    """A kernel that several tests share: each leaves it as it was."""
    kernel = started(tmp_path_factory.mktemp("kernel"), Limits(cell_seconds=20))
    yield kernel
    kernel.close()


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grading_kernel, "patience", lambda: 1.0)


def _run(kernel: Kernel, code: str) -> None:
    kernel.run(code, 20)


def test_answers_come_out_and_functions_are_called_inside(kernel: Kernel) -> None:
    _run(kernel, "x = [1, b'2']\ndef f(n):\n    print('noise' * 1000)\n    yield from range(n)\nimport sys")
    assert kernel.value("x") == [1, b"2"]
    # Names that the grader's own code uses are the learner's.
    _run(kernel, "answer = plain = 7")
    assert kernel.value("[answer, plain]") == [7, 7]
    assert listed(call(kernel.value("f"), 3), "It") == [0, 1, 2]
    with pytest.raises(Wrong, match="raised NameError: name 'y' is not defined"):
        kernel.value("y")
    with pytest.raises(Wrong, match="raised SystemExit"):
        call(kernel.value("sys.exit"))
    # A flood of output is borne.
    _run(kernel, "from IPython.display import display\nfor n in range(3000): display('x' * 1000)")
    assert kernel.value("n") == 2999


def test_what_stops_a_cell_is_said_in_a_line(kernel: Kernel) -> None:
    with pytest.raises(Stopped, match=r"^ZeroDivisionError: division by zero$"):
        _run(kernel, "1 / 0")
    with pytest.raises(Stopped, match=r"^KeyboardInterrupt$"):
        _run(kernel, "raise KeyboardInterrupt")


def test_a_patched_kernel_changes_its_answers_and_nothing_else(kernel: Kernel) -> None:
    _run(kernel, "from kafkalab.exercises.exercise import Exercise\nwas = Exercise.check")
    _run(kernel, "Exercise.check = lambda self, answer: 'right'\nprint = 3\nx = 4")

    def judge(answer: Any) -> str:
        if answer != 5:
            raise Wrong("Five.")
        return "Yes."

    exercise = Exercise("99.1", "Five", 1, "?", judge, ("a", "b", "c"))
    assert exercise.check(kernel.value("x")).outcome == "wrong"
    _run(kernel, "class E(int):\n    __eq__ = lambda *a: True\n    __hash__ = None\nx = E(4)")
    assert exercise.check(kernel.value("x")).outcome == "wrong"
    _run(kernel, "Exercise.check = was\ndel print")


def test_what_hangs_is_interrupted_or_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = started(tmp_path, Limits(cell_seconds=20))
    _run(kernel, "import signal\ndef hangs():\n    while True: pass")
    _run(kernel, "def deaf():\n    signal.signal(signal.SIGINT, signal.SIG_IGN)\n    hangs()")
    hangs = kernel.value("hangs")
    kernel.limits = Limits(cell_seconds=0.5)
    # Twice as long as on a quiet machine.
    monkeypatch.setattr(grading_kernel, "patience", lambda: 2.0)
    with pytest.raises(Wrong, match="hangs had not returned after 1 s"):
        call(hangs)
    kernel.limits = Limits(cell_seconds=20)
    assert kernel.value("1 + 1") == 2
    kernel.limits = Limits(cell_seconds=0.5)
    monkeypatch.setattr(grading_kernel, "_HEED", 1.0)
    with pytest.raises(KernelGone, match="did not stop when it was interrupted"):
        kernel.value("deaf()")
    with pytest.raises(KernelGone):
        kernel.value("1 + 1")
    kernel.close()


def test_what_ends_while_it_is_interrupted_does_not_interrupt_what_comes_next(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    killpg = os.killpg

    def slow(*given: int) -> None:
        time.sleep(1)
        killpg(*given)

    monkeypatch.setattr("os.killpg", slow)
    with pytest.raises(TooSlow):
        kernel.run("import time; time.sleep(0.8)", 0.3)
    kernel.run("time.sleep(1)", 20)


@pytest.mark.parametrize(
    "code, limits, why",
    [
        ("taken = bytearray(b'x') * 500_000_000", Limits(memory_mb=400), "MB of memory; 400 MB are allowed"),
        ("while True: open('big', 'ab').write(bytes(1_000_000))", Limits(disk_mb=20), "to the disk; 20 MB are allowed"),
        ("import time\nwhile True: print('x' * 1_000_000); time.sleep(0.02)", Limits(), "displayed more than 5 MB"),
    ],
    ids=["memory", "disk", "output"],
)
def test_what_takes_too_much_ends_it(
    code: str, limits: Limits, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grading_kernel, "_OUTPUT_MB", 5)
    kernel = started(tmp_path, limits)
    with pytest.raises(KernelGone, match=why):
        kernel.run(f"{code}\nimport time; time.sleep(60)", 60)
    kernel.close()


def test_everything_that_was_started_is_found_and_ended() -> None:
    child = "import subprocess, sys, time; subprocess.Popen(['sleep', '120']); time.sleep(120)"
    others = [process.pid for process in psutil.Process().children()]
    with subprocess.Popen([sys.executable, "-c", child]) as process:
        wait_until(lambda: len(descendants(but=others)) == 2, 20, "both processes")
        assert descendants(but=[*others, process.pid]) == []
        end(lambda: descendants(but=others))
        assert descendants(but=others) == []


def test_what_is_written_is_counted_and_removed(tmp_path: Path) -> None:
    folder = tmp_path / "it"
    (folder / "deep" / "er").mkdir(parents=True)
    (folder / "deep" / "er" / "file").write_bytes(os.urandom(100_000))
    (folder / "loop").symlink_to(folder)
    assert 100_000 <= disk_use(folder) < 200_000
    (folder / "deep" / "er").chmod(0)
    (folder / "deep").chmod(0o500)
    remove(folder)
    assert not folder.exists()
    # Deeper than a path can be long, and than functions that call themselves can go.
    folder.mkdir()
    at = os.open(folder, os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("deeper", dir_fd=at)
        at, above = os.open("deeper", os.O_RDONLY, dir_fd=at), at
        os.close(above)
    os.close(at)
    assert disk_use(folder) < 100_000_000
    remove(folder)
    assert not folder.exists()
