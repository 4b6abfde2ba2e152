"""One hand-in costs no other; none of it needs a cluster."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kafkalab import Cluster
from kafkalab.commands import grade as command
from kafkalab.errors import BadInput, KafkalabError, StartFailed
from kafkalab.exercises.exercise import Exercise
from kafkalab.grading import grade as engine
from kafkalab.grading.restore import Restored, Step
from kafkalab.grading.run import Options, Run, _environment, sandbox, try_sandbox
from kafkalab.grading.runner import Cases, Runner


def test_the_environment_of_a_hand_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    kept = {"JAVA_HOME": "/java", "TZ": "UTC", "HTTPS_PROXY": "http://127.0.0.1:1", "LC_ALL": "C.UTF-8"}
    secret = dict.fromkeys(("GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "DATABASE_URL", "MY_PATH", "JPY_PARENT_PID"), "1")
    # What is passed otherwise, but has a password in it.
    secret |= dict.fromkeys(("https_proxy", "HTTP_PROXY"), "http://ada:secret@proxy:3128")
    secret["JDK_JAVA_OPTIONS"] = "-Dhttps.proxyUser=ada -Dhttps.proxyPassword=secret"
    for name, value in (kept | secret).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PYTHONPATH", f":.{os.pathsep}src{os.pathsep}/packages")
    monkeypatch.setenv("PYTHONINSPECT", "1")
    given = _environment(tmp_path, "grade-1", "kraft")
    assert "PYTHONINSPECT" not in given and given["PYTHONPATH"].endswith("/packages")
    assert all(map(os.path.isabs, given["PYTHONPATH"].split(os.pathsep))), "none depends on where it runs"
    assert kept.items() <= given.items() and given["PATH"] == os.environ["PATH"]
    assert secret.keys() & given.keys() == set()


# the sandbox

#: What a program in there finds: each line is something that it should not.
LOOKS = """
import os, socket, sys
from pathlib import Path
import kafkalab
package = Path(kafkalab.__file__).parent
for path in (package / "course/lab_00/solutions.json", package.parent / "labs/solutions", Path(sys.argv[1])):
    try:
        print("read:", next(path.iterdir()) if path.is_dir() else path.read_text())
    except OSError:
        pass
for path in (package / "x", Path("/usr/x"), Path("/x")):
    try:
        path.touch()
        print("written:", path)
    except OSError:
        pass
for address in (("127.0.0.1", int(sys.argv[2])), ("192.0.2.1", 53)):
    try:
        socket.create_connection(address, 2)
        print("reached:", address)
    except OSError:
        pass
try:
    open("/proc/sys/kernel/core_pattern", "r+").close()
    print("written: /proc/sys")
except OSError:
    pass
if os.getpid() != 1 or [name for name in os.listdir("/proc") if name.isdigit()] != ["1"]:
    print("other processes")
os.kill(1, 9)
Path("done").touch()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="bubblewrap needs Linux")
def test_a_sandbox_holds_nothing_but_what_a_hand_in_needs(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("a grade")
    folder = tmp_path / "it"
    for name in ("own", "tmp"):
        (folder / name).mkdir(parents=True)
    with socket.create_server(("127.0.0.1", 0)) as server:
        looks = [sys.executable, "-c", LOOKS, str(secret), str(server.getsockname()[1])]
        environment = _environment(folder, "grade-1", "kraft")
        done = subprocess.run(
            [*sandbox(folder), *looks], env=environment, cwd=folder, capture_output=True, text=True, check=False
        )
    assert (done.stdout, done.returncode) == ("", 0), done.stderr
    assert (folder / "own" / "done").exists()
    try_sandbox()


def test_isolation_that_cannot_be_had_says_what_to_install(monkeypatch: pytest.MonkeyPatch, runs: Runs) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(KafkalabError, match="no bubblewrap") as said:
        command.run([runs.hand_in("a")], Options(isolate=True))
    assert "apt install bubblewrap" in str(said.value)
    assert runs.ran == []


def test_in_isolation_a_kernel_gives_itself_no_points() -> None:
    class Says:
        """A kernel that says so of an answer."""

        def __init__(self, outcome: str) -> None:
            self.outcome = outcome

        def value(self, expression: str) -> int:
            return 5

        def ask(self, request: Any, within: float) -> list[str]:
            return [self.outcome, "Yes."]

    exercise = Exercise("21.2", "Five", 2, "?", lambda answer: "Yes.", ("a", "b", "c"), where="kernel")
    steps = [Step("q2.check(x)", checks="21.2", expression="x")]
    cluster = Cluster(backend="fake")
    for isolated, outcome, points, counts in (
        (False, "right", 2, "right"),
        (True, "right", 0, "could not be judged"),
        (True, "wrong", 0, "wrong"),
        (False, "anything", 0, "could not be judged"),
    ):
        kernel: Any = Says(outcome)
        runner = Runner(cluster, kernel, {"21.2": exercise}, steps, frozenset(), Cases(), isolated, lambda **_: None)
        found = runner.judge(0)
        assert (found.outcome, found.points) == (counts, points)
    cluster.stop()


# what one hand-in costs the others

DOWN = StartFailed("A notebook's cluster did not start.", seen="broker 103 did not come up in 60 s")


class Runs:
    """Stands in for what runs a notebook: its first cell's name is looked up in ``does``, and called or raised."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self.does: dict[str, list[BaseException | None]] = {}
        self.ran: list[str] = []
        self._folder = folder
        monkeypatch.setattr(engine, "run", self)
        monkeypatch.setattr(command.local, "rehearse", lambda *args: None)

    def __call__(self, restored: Restored, *given: Any) -> Run:
        name = restored.answers["00.3"]
        self.ran.append(name)
        if self.does.get(name) and (error := self.does[name].pop(0)):
            raise error
        right = {"outcome": "right", "reason": "Yes."}
        return Run({"00.3": right}, reported=[f"Noticed in {name}."], begun=True, done=True)

    def hand_in(self, *names: str) -> Path:
        """Notebooks of lab 00 whose answer to 00.1 is their own name; returns their folder."""
        for name in names:
            cell = {"cell_type": "code", "source": name, "metadata": {"exercise": "00.3"}}
            book = {"nbformat": 4, "cells": [cell], "metadata": {"kafkalab": {"lab": "00"}}}
            (self._folder / f"{name}.ipynb").write_text(json.dumps(book))
        return self._folder


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Runs:
    (tmp_path / "in").mkdir()
    return Runs(monkeypatch, tmp_path / "in")


def test_a_cluster_that_does_not_start_costs_only_its_own_hand_in(runs: Runs) -> None:
    runs.does = {"b": [DOWN, DOWN], "c": [OSError(28, "No space left on device"), None]}
    report = command.run([runs.hand_in("a", "b", "c", "d")])
    assert runs.ran == ["a", "b", "b", "c", "c", "d"]
    assert [(one.points, one.failed) for one in report.notebooks] == [(2, False), (0, True), (2, False), (2, False)]
    assert {q.outcome for q in report.notebooks[1].questions} == {"could not be judged"}
    assert "broker 103 did not come up" in report.notebooks[1].stopped[0]
    code, why = command.verdict(report, 0)
    assert code == 1
    assert "b.ipynb" in why[0] and "--resume" in why[0]


@pytest.mark.parametrize("how", [KeyboardInterrupt(), SystemExit(3), DOWN])
def test_what_was_graded_before_the_end_is_written(runs: Runs, tmp_path: Path, how: BaseException) -> None:
    def run(*given: Any) -> Run:
        if runs.ran == ["a", "b"]:
            said = json.loads((tmp_path / "out" / "grades.json").read_text())
            assert [Path(one["notebook"]).stem for one in said["notebooks"]] == ["a", "b"]
        return runs(*given)

    engine.run = run  # type: ignore[assignment]
    runs.does = {"c": [how, DOWN]}
    with suppress(KeyboardInterrupt, SystemExit):
        command.run([runs.hand_in("a", "b", "c", "d")], out=tmp_path / "out")
    assert "c" in runs.ran and (tmp_path / "out" / "index.html").is_file()


def test_a_run_that_was_cut_short_is_resumed(runs: Runs, tmp_path: Path) -> None:
    folder, out = runs.hand_in("a", "b", "c"), tmp_path / "out"
    runs.does = {"b": [DOWN, DOWN]}
    roster = tmp_path / "class.csv"
    roster.write_text("name\nAnn\n")
    first = command.run([folder], out=out, roster=roster)
    assert all("whose file this is" in one.noticed[0] for one in first.notebooks)
    runs.ran.clear()
    runs.hand_in("d")
    (folder / "c.ipynb").write_text((folder / "c.ipynb").read_text().replace('"c"', '"changed"'))
    roster.write_text("name,file\nAnn,a.ipynb\n")
    second = command.run([folder], out=out, roster=roster, resume=True)
    assert runs.ran == ["b", "changed", "d"]
    assert [(one.points, one.failed) for one in second.notebooks] == [(2, False)] * 4
    (kept, *_) = second.notebooks
    assert (kept.who, kept.whose) == ("Ann", "")
    assert replace(kept, seconds=0, learner=None) == replace(first.notebooks[0], seconds=0, whose="")
    with pytest.raises(BadInput, match="nothing to resume"):
        command.run([folder], resume=True)
    (out / "grades.json").write_text('{"notebooks": [{}]}')
    with pytest.raises(BadInput, match="cannot be read"):
        command.run([folder], out=out, resume=True)


def test_two_hand_ins_of_one_learner_are_told(runs: Runs, tmp_path: Path) -> None:
    folder = runs.hand_in("ann_1", "ann_2", "bo", "nobody")
    (tmp_path / "class.csv").write_text("name,id\nAnn,\nBo,\nCy,\n")
    report = command.run([folder], roster=tmp_path / "class.csv")
    told = [one.whose for one in report.notebooks]
    assert told[0] == told[1]
    assert "Lab 00 was handed in 2 times by Ann" in told[0] and "ann_1.ipynb" in told[0] and "ann_2.ipynb" in told[0]
    assert told[2] == ""
    assert "whose file this is" in told[3]
    assert [one.name for one in report.missing] == ["Cy"]
    # Too few points are an exit code of their own.
    report = command.run([folder])
    assert [command.verdict(report, least)[0] for least in (None, 0, 2, 2.5)] == [0, 0, 0, 3]
