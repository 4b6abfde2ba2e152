"""Engines that are absent, silent, on another machine, or of the wrong kind."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kafkalab.cluster.docker import engine
from kafkalab.commands import doctor
from kafkalab.commands.doctor import Check


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
