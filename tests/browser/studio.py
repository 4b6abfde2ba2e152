"""A notebook of a test's own in a real JupyterLab, whose kernel is attached to the tests' warm cluster."""

from __future__ import annotations

import os
from pathlib import Path

import nbformat
from playwright.sync_api import Page

from kafkalab import Cluster
from kafkalab.cluster.spec import Mode
from tests.browser.jupyter_page import Notebook, Server
from tests.support.clusters import heal, warm

_ATTACH = """from kafkalab import Cluster

cluster = Cluster.attach("{name}")"""


class Studio:
    """Opens notebooks; ``cluster`` is the warm cluster the last one's kernel is attached to (as ``cluster``, too)."""

    def __init__(self, page: Page, server: Server, folder: Path) -> None:
        self.page, self._server, self._folder = page, server, folder
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
        notebook = Notebook(self.page, self._server, name)
        # Room for the view: no file browser beside it.
        self.page.evaluate("window.jupyterapp.shell.collapseLeft()")
        notebook.run(0, len(sources) - 1)
        assert notebook.tracebacks() == []
        return notebook

    def close(self) -> None:
        """End the kernels, heal the cluster, and take away its topics: a view shows all there are."""
        if not self._opened:
            return
        self.page.evaluate("window.jupyterapp.serviceManager.sessions.shutdownAll()")
        heal(self.cluster)
        for topic in self.cluster.snapshot().topics:
            if not topic.internal:
                self.cluster.delete_topic(topic.name)
