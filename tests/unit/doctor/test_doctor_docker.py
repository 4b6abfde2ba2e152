"""Engines that are absent, on another machine, silent, or of the wrong kind: sockets with a small server each."""

from __future__ import annotations

import json
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


def examined(host: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, Check]:
    monkeypatch.setenv("DOCKER_HOST", host)
    checks = {c.name: c for c in doctor_docker.examine()}
    assert all(c.optional for c in checks.values())
    assert checks["docker"].ok
    return checks


def test_none_one_that_hangs_and_one_on_another_machine(tmp_path: Path) -> None:
    # In a process of its own: Docker's library leaves the socket of an engine that does not answer open.
    code = """
import os, sys
from kafkalab.commands import doctor_docker
doctor_docker.PATIENCE = 1
for os.environ["DOCKER_HOST"] in sys.argv[1:]:
    print(*((c.ok, c.seen, c.do) for c in doctor_docker.examine() if c.name == "docker: engine"))
"""
    with socket.socket(socket.AF_UNIX) as s:
        s.bind(f"{tmp_path}/hangs.sock")
        s.listen()
        hosts = f"unix://{tmp_path}/none.sock", f"unix://{tmp_path}/hangs.sock", "tcp://192.0.2.1:2375"
        done = subprocess.run([sys.executable, "-c", code, *hosts], capture_output=True, text=True, check=True)
    none, hangs, far = done.stdout.splitlines()
    assert none.startswith("(False, 'No Docker engine answers") and 'backend="local"' in none
    assert hangs.startswith("(False, 'No Docker engine answers") and "timed out" in hangs
    assert far.startswith("(False, ") and "another machine" in far and "DOCKER_HOST" in far


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


def test_ones_that_answer(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def found(**info: object) -> dict[str, Check]:
        most = {"ServerVersion": "28", "OperatingSystem": "L", "Architecture": "s390x", "MemTotal": 2**29}
        answers = {"/version": {"ApiVersion": "1.41"}, **({"/info": {**most, **info}} if info else {})}
        Path(f"{place}.json").write_text(json.dumps(answers))
        return examined(f"unix://{place}", monkeypatch)

    windows, broken, little = found(OSType="windows"), found(), found(OSType="linux")
    assert not windows["docker: engine"].ok and "Linux containers" in windows["docker: engine"].do
    assert not broken["docker: engine"].ok and "broken" in broken["docker: engine"].seen
    assert little["docker: engine"].ok and "s390x (this Python:" in little["docker: engine"].seen
    assert not little["docker: memory"].ok and "512 MB" in little["docker: memory"].seen
    assert little["docker: image"].mark == "–"
