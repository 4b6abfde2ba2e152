"""The doctor's findings: what counts as well, and how they are shown."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kafkalab.cluster import preflight
from kafkalab.cluster.docker import engine
from kafkalab.cluster.preflight import MB, Room
from kafkalab.commands import doctor
from kafkalab.commands.doctor import Check, asked
from kafkalab.errors import KafkalabError

FINE = Check("java", True, "Java 17")
BROKEN = Check("memory", False, "3 MB available", "Close other programs")
ABSENT = Check("docker: engine", False, "none", "Start it", optional=True)


def test_what_is_not_needed_may_be_missing_and_an_error_is_a_finding() -> None:
    def fails() -> str:
        raise KafkalabError("No.", seen="nothing", do="Something.")

    assert [c.mark for c in (FINE, BROKEN, ABSENT)] == ["✓", "✗", "–"]
    assert doctor.well([FINE, ABSENT])
    assert not doctor.well([FINE, ABSENT, BROKEN])
    assert asked("x", fails) == Check("x", False, "No. nothing", "Something.")
    assert "do: Close other programs" in doctor.text([FINE, BROKEN], 60)
    found = doctor._backends({"docker: engine"})
    assert found.startswith("local, fake") and "not docker: see docker: engine" in found
    without = asked("backends", lambda: doctor._backends({"memory"}))
    assert not without.ok and without.seen.startswith("docker, fake")


def test_what_a_container_leaves_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    for room, of in ((Room(900 * MB, contained=True), "of this container"), (Room(900 * MB), "available")):
        monkeypatch.setattr(preflight, "look", lambda room=room: room)
        check = asked("memory", doctor._memory)
        assert not check.ok and check.do
        assert check.seen.startswith("900 MB") and of in check.seen
    monkeypatch.setattr(preflight, "look", lambda: Room(doctor.MEMORY_NEEDED))
    assert asked("memory", doctor._memory).ok


def test_none_one_that_hangs_and_one_on_another_machine(tmp_path: Path) -> None:
    # In a process of its own: Docker's library leaves the socket of an engine that does not answer open.
    code = """
import os, sys
from kafkalab.commands import doctor
doctor.PATIENCE = 1
for os.environ["DOCKER_HOST"] in sys.argv[1:]:
    check = doctor.asked("docker: engine", doctor._engine)
    print((check.ok, check.seen, check.do))
"""
    with socket.socket(socket.AF_UNIX) as s:
        s.bind(f"{tmp_path}/hangs.sock")
        s.listen()
        hosts = f"unix://{tmp_path}/none.sock", f"unix://{tmp_path}/hangs.sock", "tcp://192.0.2.1:2375"
        done = subprocess.run([sys.executable, "-c", code, *hosts], capture_output=True, text=True, check=True)
    none, hangs, far = done.stdout.splitlines()
    assert none.startswith("(False, 'No Docker engine answers") and 'backend="local"' in none
    assert hangs.startswith("(False, 'No Docker engine answers") and "timed out" in hangs
    assert far.startswith("(False, ") and "another machine" in far


def test_ones_that_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def found(**info: object) -> Check:
        most = {"ServerVersion": "28", "OperatingSystem": "L", "Architecture": "s390x", "MemTotal": 2**29}

        def told() -> dict[str, Any]:
            if not info:
                raise OSError("broken")
            return {**most, **info}

        client = SimpleNamespace(info=told, close=lambda: None)
        monkeypatch.setattr(engine, "connect", lambda patience: client)
        return doctor.asked("docker: engine", doctor._engine, optional=True)

    windows, broken, little = found(OSType="windows"), found(), found(OSType="linux")
    assert "Linux containers" in windows.do
    assert "broken" in broken.seen
    assert "512 MB" in little.seen and "more memory" in little.do
    assert [c.mark for c in (windows, broken, little)] == ["–"] * 3
    large = found(OSType="linux", MemTotal=2**32)
    assert large.ok and large.seen.startswith("28, L, s390x, 4096 MB")


def test_no_compose(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    check = doctor.asked("docker: compose", doctor._compose)
    assert not check.ok and "docker-compose" in check.seen
