"""A notebook of a test's own in a real JupyterLab, whose kernel is attached to the tests' warm cluster."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import nbformat
from playwright.sync_api import Page

import kafkalab.commands
from kafkalab import Cluster
from kafkalab.cluster.ports import PortBook
from kafkalab.cluster.spec import Mode
from kafkalab.waiting import wait_until
from tests.browser.jupyter_page import Notebook, Server
from tests.clusters import warm

_ATTACH = """from kafkalab import Cluster

cluster = Cluster.attach("{name}")"""


@contextmanager
def jupyterlab(folder: Path) -> Iterator[Server]:
    """JupyterLab as `kafkalab lab` sets it up, on a folder, without a cluster of its own."""
    with PortBook() as book:
        port = book.take()
    log = folder / "lab.log"
    (folder / "notebooks").mkdir()
    own = {f"JUPYTER_{kind}_DIR": str(folder / kind.lower()) for kind in ("CONFIG", "DATA", "RUNTIME")}
    own["JUPYTER_CONFIG_PATH"] = str(Path(kafkalab.commands.__file__).parent / "jupyter")
    with log.open("wb") as out:
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "jupyterlab", "--no-browser", "--ServerApp.ip=127.0.0.1", "--allow-root"),
                *(f"--ServerApp.port={port}", "--ServerApp.port_retries=0", "--IdentityProvider.token=test"),
                *(f"--ServerApp.root_dir={folder / 'notebooks'}", "--LabApp.expose_app_in_browser=True"),
            ],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            env={**os.environ, **own},
            start_new_session=True,
        )

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


class Studio:
    """Opens notebooks; ``cluster`` is the warm cluster the last one's kernel is attached to (as ``cluster``, too)."""

    def __init__(self, page: Page, server: Server, folder: Path) -> None:
        self._page, self._server, self._folder = page, server, folder
        self._opened = 0
        self.cluster: Cluster

    def __call__(self, *cells: str, mode: Mode = "zookeeper") -> Notebook:
        """A new notebook with these cells after one that attaches to the cluster; all of them have run."""
        self.cluster = warm(mode)
        self._opened += 1
        name = f"studio-{os.getpid()}-{id(self)}-{self._opened}.ipynb"
        sources = [_ATTACH.format(name=self.cluster.name), *cells]
        book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
        book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
        nbformat.write(book, self._folder / name)
        notebook = Notebook(self._page, self._server, name)
        # Room for the view: no file browser beside it.
        self._page.evaluate("window.jupyterapp.shell.collapseLeft()")
        notebook.run(0, len(sources) - 1)
        assert notebook.tracebacks() == []
        return notebook

    def close(self) -> None:
        """End the kernels."""
        if self._opened:
            self._page.evaluate("window.jupyterapp.serviceManager.sessions.shutdownAll()")
