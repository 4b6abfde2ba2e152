"""JupyterLab as `kafkalab lab` starts it, once for all tests; and one notebook in it that tests take in turn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser, Page

from kafkalab import Cluster
from tests.browser.jupyter_page import Notebook, Server
from tests.browser.server import serving
from tests.support.clusters import heal

NAME = "studio.ipynb"
ATTACH = 'from kafkalab import Cluster\n\ncluster = Cluster.attach("lab")'
# What was shown, followed and named is gone; the next test's first cell attaches anew.
TIDY = "from ipywidgets import Widget\nWidget.close_all()\n%reset -f"


class Studio:
    """The notebook of the tests; ``cluster`` is the one its kernel is attached to (as ``cluster``, too)."""

    def __init__(self, page: Page, jupyter: Server, folder: Path, cluster: Cluster) -> None:
        self.page, self.folder, self.cluster = page, folder, cluster
        write(folder / NAME, ATTACH)
        self.notebook = Notebook(page, jupyter, NAME)
        # Room for the view: no file browser beside it.
        page.evaluate("window.jupyterapp.shell.collapseLeft()")

    def __call__(self, *cells: str) -> Notebook:
        """The notebook with these cells after one that attaches to the cluster; all of them have run."""
        self.notebook.run(0, 0)
        if cells:
            self.notebook.add(*cells)
        return self.notebook

    def tidy(self) -> None:
        """As it was for the next test."""
        self.notebook.theme("JupyterLab Light")
        self.page.set_viewport_size({"width": 1400, "height": 1000})
        self.notebook.add(TIDY)
        self.notebook.clear()


def write(path: Path, *cells: str) -> None:
    """A notebook of code cells."""
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])
    book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(book, path)


@pytest.fixture(scope="session")
def jupyter_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What JupyterLab serves: `kafkalab lab` fills it with the labs."""
    return tmp_path_factory.mktemp("jupyter") / "labs"


@pytest.fixture(scope="session")
def jupyter_server(home: Path, jupyter_folder: Path) -> Iterator[Server]:
    """`kafkalab lab`, with a cluster, named "lab", of its own; progress is kept in the tests' home."""
    settings = {"KAFKALAB_LABS": str(jupyter_folder), "KAFKALAB_PROGRESS": "on"}
    with serving("kafkalab", "lab", folder=jupyter_folder.parent, environment=settings) as server:
        yield server


@pytest.fixture(scope="session")
def lab(jupyter_server: Server) -> Cluster:
    """Its cluster."""
    return Cluster.attach("lab")


@pytest.fixture
def jupyter(jupyter_server: Server, lab: Cluster) -> Iterator[Server]:
    """For tests that open notebooks on a page of their own; the cluster is healed after each, and without topics."""
    yield jupyter_server
    heal(lab)
    # A view shows all there are.
    for topic in lab.snapshot().topics:
        if not topic.internal:
            lab.delete_topic(topic.name)


@pytest.fixture(scope="session")
def studios() -> list[Studio]:
    """The one that is open."""
    return []


@pytest.fixture
def studio(
    browser: Browser,
    jupyter: Server,
    jupyter_folder: Path,
    lab: Cluster,
    studios: list[Studio],
    artifacts: Path,
    request: pytest.FixtureRequest,
) -> Iterator[Studio]:
    """``studio(*cells)`` is a notebook in which these cells have run. Page and kernel are shared until a test fails."""
    if not studios:
        page = browser.new_page(viewport={"width": 1400, "height": 1000})
        studios.append(Studio(page, jupyter, jupyter_folder, lab))
    (found,) = studios
    yield found
    called = getattr(request.node, "rep_call", None)  # pytest-playwright's
    if called is not None and called.passed:
        found.tidy()
        wrong, found.notebook.errors = found.notebook.errors, []
        assert wrong == []
    else:
        studios.clear()
        found.page.screenshot(path=artifacts / f"{request.node.name}.png")
        found.notebook.close()
        found.page.close()
