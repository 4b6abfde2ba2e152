"""Engines that are absent, on another machine, silent, or of the wrong kind: sockets with a small server each."""

from __future__ import annotations

import json
import os
import socket
import socketserver
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from kafkalab.commands import doctor_docker
from kafkalab.commands.doctor_check import Check


def engine(host: str, monkeypatch: pytest.MonkeyPatch) -> Check:
    monkeypatch.setenv("DOCKER_HOST", host)
    checks = {c.name: c for c in doctor_docker.examine()}
    assert all(c.optional for c in checks.values())
    assert checks["docker"].ok
    return checks["docker: engine"]


def test_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = engine(f"unix://{tmp_path}/none.sock", monkeypatch)
    assert not found.ok
    assert "No Docker engine answers" in found.seen
    assert 'backend="local"' in found.do


def test_on_another_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    found = engine("tcp://192.0.2.1:2375", monkeypatch)
    assert not found.ok
    assert "another machine" in found.seen


def test_one_that_hangs(tmp_path: Path) -> None:
    # In a process of its own: Docker's library leaves the socket of an engine that does not answer open.
    code = """
from kafkalab.commands import doctor_docker
doctor_docker.PATIENCE = 1
print([(c.ok, c.seen) for c in doctor_docker.examine() if c.name == "docker: engine"])
"""
    with socket.socket(socket.AF_UNIX) as s:
        s.bind(str(tmp_path / "engine.sock"))
        s.listen()
        environment = {**os.environ, "DOCKER_HOST": f"unix://{tmp_path}/engine.sock"}
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("[(False, 'No Docker engine answers")
    assert "timed out" in done.stdout


class Engine(BaseHTTPRequestHandler):
    """Says what is written beside the socket."""

    def do_GET(self) -> None:
        said = json.loads(Path(f"{self.server.server_address}.json").read_text())  # type: ignore[arg-type]
        found = next((answer for end, answer in said.items() if self.path.endswith(end)), None)
        body = json.dumps(found or {"message": "broken"}).encode()
        self.send_response(200 if found else 500)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words: object) -> None:
        pass


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    """The socket of an engine; what it answers is to be written to ``<socket>.json``."""
    path = tmp_path / "engine.sock"
    with socketserver.UnixStreamServer(str(path), Engine) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield path
        server.shutdown()
        thread.join()


def test_one_for_windows(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = {"OSType": "windows", "ServerVersion": "28", "Architecture": "x86_64", "OperatingSystem": "W", "MemTotal": 9}
    Path(f"{place}.json").write_text(json.dumps({"/version": {"ApiVersion": "1.41"}, "/info": info}))
    found = engine(f"unix://{place}", monkeypatch)
    assert not found.ok
    assert "Linux containers" in found.do


def test_one_that_is_broken(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path(f"{place}.json").write_text(json.dumps({"/version": {"ApiVersion": "1.41"}}))
    found = engine(f"unix://{place}", monkeypatch)
    assert not found.ok
    assert "broken" in found.seen


def test_one_with_little_memory(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = {
        "OSType": "linux",
        "ServerVersion": "28",
        "Architecture": "s390x",
        "OperatingSystem": "L",
        "MemTotal": 2**29,
    }
    Path(f"{place}.json").write_text(json.dumps({"/version": {"ApiVersion": "1.41"}, "/info": info}))
    monkeypatch.setenv("DOCKER_HOST", f"unix://{place}")
    checks = {c.name: c for c in doctor_docker.examine()}
    assert checks["docker: engine"].ok
    assert "s390x (this Python:" in checks["docker: engine"].seen
    assert not checks["docker: memory"].ok
    assert "512 MB" in checks["docker: memory"].seen
    assert checks["docker: image"].mark == "–"
