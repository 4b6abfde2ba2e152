"""The whole of it on containers, unchanged: lab 00 and the demo."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

from kafkalab import Cluster
from tests.integration.demo_told import nothing_lost
from tests.labs.running import run_solved

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.usefixtures("engine", "home")
def test_lab_00_runs_unchanged_on_containers(tmp_path, monkeypatch):
    with Cluster(backend="docker", name=f"lab-{uuid.uuid4().hex[:6]}", throw_away=True, quiet=True) as cluster:
        monkeypatch.setenv("KAFKALAB_CLUSTER", cluster.name)
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
        run_solved(ROOT / "labs" / "00_start_here.ipynb", tmp_path)
        assert {n.state for n in cluster.nodes()} == {"running"}
        assert [t.name for t in cluster.snapshot().topics if not t.internal] == []


@pytest.mark.usefixtures("engine", "home")
def test_the_demo_on_containers_loses_nothing_and_doubles_nothing(tmp_path):
    done = subprocess.run(
        [
            *(sys.executable, "-m", "kafkalab", "demo", "--backend", "docker", "--json"),
            *("--minutes", "0.3", "--trucks", "300", "--map", str(tmp_path / "map.png")),
        ],
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    said = json.loads(done.stdout)
    assert said["backend"] == "docker"
    nothing_lost(said, "zookeeper")
    assert said["sent"] > 1000
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")
