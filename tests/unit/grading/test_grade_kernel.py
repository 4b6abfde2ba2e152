"""A real kernel that hangs, lies, dies and floods, and a grader that bears it; and how what it started is ended."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Any

import psutil
import pytest
from nbval.kernel import CURRENT_ENV_KERNEL_NAME, RunningKernel

from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.judging import Wrong, call, listed
from kafkalab.grading.kernel import Kernel, KernelGone, TooSlow
from kafkalab.grading.limits import MARKER, Limits, Watch, descendants, disk_use, end, marked, remove
from kafkalab.waiting import wait_until


@contextmanager
def started(folder: Path) -> Iterator[Any]:
    with Path(os.devnull).open("w") as nowhere, pytest.MonkeyPatch.context() as patches:
        # nbval opens this file for each kernel, and leaves it to the garbage collector.
        patches.setattr("nbval.kernel.open", lambda *args: nowhere, raising=False)
        kernel = RunningKernel(CURRENT_ENV_KERNEL_NAME, cwd=str(folder))
        yield kernel
        kernel.kc.stop_channels()
        if hasattr(kernel, "km"):
            kernel.km.shutdown_kernel(now=True)


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    """A kernel that several tests share: each leaves it as it was."""
    with started(tmp_path_factory.mktemp("kernel")) as running:
        yield Kernel(running, lambda: "", 20)


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kafkalab.grading.kernel.patience", lambda: 1.0)


def _run(kernel: Kernel, code: str) -> None:
    kernel.run(code, "''", 20)


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


def test_a_patched_kernel_changes_its_answers_and_nothing_else(kernel: Kernel) -> None:
    _run(kernel, "from kafkalab.exercises.exercise import Exercise\nwas = Exercise.check")
    assert kernel.patched() == []
    _run(kernel, "Exercise.check = lambda self, answer: 'right'\nprint = 3\nx = 4")
    assert kernel.patched() == ["kafkalab.exercises.exercise.Exercise.check"]

    def judge(answer: Any) -> str:
        if answer != 5:
            raise Wrong("Five.")
        return "Yes."

    exercise = Exercise("99.1", "Five", 1, "?", judge, ("a", "b", "c"))
    assert exercise.check(kernel.value("x")).outcome == "wrong"
    _run(kernel, "class E(int):\n    __eq__ = lambda *a: True\n    __hash__ = None\nx = E(4)")
    assert exercise.check(kernel.value("x")).outcome == "wrong"
    _run(kernel, "Exercise.check = was\ndel print")
    # What intercepts requests is seen from inside.
    snippet = resources.files("kafkalab.grading.inside").joinpath("spark.py").read_text(encoding="utf-8")
    for change, names in (
        ("shell = get_ipython()", []),
        ("real = shell.run_cell\nshell.run_cell = lambda *a, **k: real(*a, **k)", ["run_cell"]),
        ("del shell.run_cell\nreal = type(shell).run_code\ndef mine(*a, **k): return real(*a, **k)", []),
        ("type(shell).run_code = mine", ["run_code"]),
        ("type(shell).run_code = real", []),
    ):
        _run(kernel, f"{change}\nown = {{'__name__': 'within'}}\nexec({snippet!r}, own)")
        assert kernel.value("own['_changed']()") == names


def test_what_hangs_is_interrupted_or_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with started(tmp_path) as running:
        kernel = Kernel(running, lambda: "", 20)
        _run(kernel, "import signal\ndef hangs():\n    while True: pass")
        _run(kernel, "def deaf():\n    signal.signal(signal.SIGINT, signal.SIG_IGN)\n    hangs()")
        hangs, kernel._most = kernel.value("hangs"), 0.5
        # Twice as long as on a quiet machine.
        monkeypatch.setattr("kafkalab.grading.kernel.patience", lambda: 2.0)
        with pytest.raises(Wrong, match="hangs had not returned after 1 s"):
            call(hangs)
        kernel._most = 20
        assert kernel.value("1 + 1") == 2
        kernel._most = 0.5
        monkeypatch.setattr("kafkalab.grading.kernel._HEED", 1.0)
        with pytest.raises(TooSlow):
            kernel.value("deaf()")
        assert not kernel.is_alive
        with pytest.raises(KernelGone):
            kernel.value("1 + 1")


def test_everything_that_was_started_is_found_and_ended() -> None:
    child = "import subprocess, sys, time; subprocess.Popen(['sleep', '120']); time.sleep(120)"
    with subprocess.Popen([sys.executable, "-c", child], env={**os.environ, MARKER: "a-test"}) as process:
        wait_until(lambda: len(marked("a-test")) == 2, 20, "both processes")
        assert {p.pid for p in marked("a-test")} <= {p.pid for p in descendants()}
        assert process.pid not in {p.pid for p in descendants(but=[process.pid])}
        assert end(lambda: marked("a-test")) == 2
        assert marked("a-test") == []


def test_too_much_is_told_and_ends_it(tmp_path: Path) -> None:
    # Of memory that others share (a small program's libraries) only a part is counted as its own.
    takes = [sys.executable, "-c", "import time; taken = bytearray(b'x') * 3_000_000; time.sleep(120)"]
    with subprocess.Popen(takes) as sleeper:
        of = [psutil.Process(sleeper.pid)]
        wait_until(lambda: of[0].memory_full_info().pss > 3_000_000, 60, "it to be loaded")

        def look(**limits: Any) -> str:
            return Watch(Limits(**limits), tmp_path, lambda: of, pytest.fail, lambda: None).look()

        assert look() == ""
        assert "of memory" in look(memory_mb=0.1)
        assert "1 processes; 0 are allowed" in look(processes=0)
        (tmp_path / "big").write_bytes(os.urandom(300_000))
        assert "to the disk" in look(disk_mb=0.1)
        watch = Watch(Limits(memory_mb=0.1), tmp_path, lambda: of, pytest.fail, lambda: None)
        watch.start()
        wait_until(lambda: watch.reason, 20, "the watch to see it")
        watch.stop()
        assert "of memory" in watch.reason
        assert not psutil.pid_exists(sleeper.pid)


def test_what_is_written_is_counted_and_removed(tmp_path: Path) -> None:
    folder = tmp_path / "it"
    (folder / "deep" / "er").mkdir(parents=True)
    (folder / "deep" / "er" / "file").write_bytes(os.urandom(100_000))
    (folder / "loop").symlink_to(folder)
    used, files = disk_use(folder)
    assert 100_000 <= used < 200_000
    assert files == 4
    (folder / "deep" / "er").chmod(0)
    (folder / "deep").chmod(0o500)
    remove(folder)
    assert not folder.exists()
