"""A real JupyterLab as `kafkalab lab` starts it, and Debian's Chromium to look at it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from kafkalab.cluster.ports import PortBook
from kafkalab.waiting import wait_until
from tests.browser.jupyter_page import Server
from tests.browser.studio import Studio, jupyterlab
from tests.clusters import cluster, heal, home, mode, new_topic, one_cluster

__all__ = ["cluster", "home", "mode", "new_topic", "one_cluster"]

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """The system's Chromium: browsers are not downloaded."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert chromium, "no Chromium on PATH: run tests/setup-system.sh"
    quiet = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
    return {**browser_type_launch_args, "executable_path": chromium, "args": quiet}


@pytest.fixture(scope="session")
def artifacts() -> Path:
    """Where screenshots go."""
    folder = ROOT / "test-artifacts"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def shared_jupyter(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Path]]:
    """One JupyterLab for all tests that open notebooks of their own, and the folder it serves."""
    folder = tmp_path_factory.mktemp("jupyter")
    with jupyterlab(folder) as server:
        yield server, folder / "notebooks"


@pytest.fixture
def studio(page: Page, shared_jupyter: tuple[Server, Path]) -> Iterator[Studio]:
    """``studio(*cells)`` opens a notebook of the test's own, attached to the warm cluster, with these cells run."""
    page.set_viewport_size({"width": 1400, "height": 1000})
    studio = Studio(page, *shared_jupyter)
    yield studio
    studio.close()
    if hasattr(studio, "cluster"):
        heal(studio.cluster)


@pytest.fixture
def jupyter(home: Path, tmp_path: Path) -> Iterator[Server]:
    """`kafkalab lab` on a copy of the labs (JupyterLab saves what it shows), with a cluster of its own named "lab"."""
    labs = tmp_path / "labs"
    labs.mkdir()
    for notebook in (ROOT / "labs").glob("*.ipynb"):
        shutil.copy(notebook, labs)
    with PortBook() as book:
        port = book.take()
    log = tmp_path / "lab.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "kafkalab", "lab", "--no-browser", "--labs", str(labs)),
                *(f"--ServerApp.port={port}", "--ServerApp.port_retries=0", "--IdentityProvider.token=test"),
                "--LabApp.expose_app_in_browser=True",
            ],
            stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
            # The tester's own settings and kernels stay out of it.
            env={**os.environ, **{f"JUPYTER_{kind}_DIR": str(tmp_path / kind) for kind in ("CONFIG", "DATA")}},
        )  # fmt: skip

    def told() -> str:
        return log.read_text(errors="replace")

    try:
        wait_until(
            lambda: "is running at" in told() or process.poll() is not None, 120, "JupyterLab to serve", seen=told
        )
        assert process.poll() is None, told()
        yield Server(f"http://127.0.0.1:{port}", "test", told)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise
