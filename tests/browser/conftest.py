"""A real JupyterLab as `kafkalab lab` starts it, and Debian's Chromium to look at it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

import kafkalab.commands
from tests.browser import chromium
from tests.browser.jupyter_page import Server
from tests.browser.lent_pages import LentPage, LentPages
from tests.browser.server import serving
from tests.browser.studio import Studio
from tests.browser.view_page import ViewPage, live_state

ROOT = Path(__file__).resolve().parents[2]

# Milliseconds for an expectation that does not say. Five seconds, the library's own, are short beside Spark.
expect.set_options(timeout=30_000)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """The system's Chromium."""
    return {**browser_type_launch_args, **chromium.options()}


@pytest.fixture(scope="session")
def artifacts() -> Path:
    """Where screenshots go."""
    folder = ROOT / "test-artifacts"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def lent_pages(browser: Browser) -> Iterator[LentPages]:
    """Pages for whoever opens views: new ones for each test would take longer than the tests."""
    pages = LentPages(browser)
    yield pages
    pages.close()


@pytest.fixture
def open_view(lent_pages: LentPages, request: pytest.FixtureRequest) -> Iterator[Callable[..., ViewPage]]:
    """Opens plain pages with a view, ``open_view(name, traits)``; one on which anything went wrong fails its test."""
    lent: list[LentPage] = []
    views: list[ViewPage] = []

    def open_view(
        name: str, traits: dict[str, Any], *, body: str = "", width: int = 1000, height: int = 900, **context: Any
    ) -> ViewPage:
        lent.append(lent_pages.lend(width, height, **context))
        view = ViewPage(lent[-1].page, name, traits, body=body)
        views.append(view)
        lent[-1].hand_out()
        return view

    yield open_view
    called = getattr(request.node, "rep_call", None)  # pytest-playwright's
    for page in lent:
        # What a failed test left behind, nobody knows.
        page.spent |= called is None or not called.passed
        page.empty()
    for view in views:
        view.leave()
    for page in lent:
        lent_pages.take_back(page)
    for view in views:
        assert view.faults == []


@pytest.fixture
def show(open_view: Callable[..., ViewPage], request: pytest.FixtureRequest) -> Callable[..., ViewPage]:
    """``show(drawn)`` opens a page with the live view that the test's module names ``VIEW``, as its ``PAGE`` says."""
    usual = {"live": True, "presenter": False, **request.module.PAGE}

    def show(drawn: dict[str, Any], body: str = "", **more: Any) -> ViewPage:
        how = {**usual, **more}
        traits = live_state(drawn, live=how.pop("live"), presenter=how.pop("presenter"))
        return open_view(request.module.VIEW, traits, body=body, **how)

    return show


@pytest.fixture(scope="session")
def shared_jupyter(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Path]]:
    """One JupyterLab for all tests that open notebooks of their own, and the folder it serves."""
    folder = tmp_path_factory.mktemp("jupyter")
    notebooks = folder / "notebooks"
    notebooks.mkdir()
    # As `kafkalab lab` sets it up, but without a cluster of its own.
    settings = {"JUPYTER_CONFIG_PATH": str(Path(kafkalab.commands.__file__).parent / "jupyter")}
    options = ("--ServerApp.ip=127.0.0.1", f"--ServerApp.root_dir={notebooks}", "--allow-root")
    with serving("jupyterlab", *options, folder=folder, environment=settings) as server:
        yield server, notebooks


@pytest.fixture
def studio(page: Page, shared_jupyter: tuple[Server, Path]) -> Iterator[Studio]:
    """``studio(*cells)`` opens a notebook of the test's own, attached to the warm cluster, with these cells run."""
    page.set_viewport_size({"width": 1400, "height": 1000})
    studio = Studio(page, *shared_jupyter)
    yield studio
    studio.close()


@pytest.fixture
def jupyter(home: Path, tmp_path: Path) -> Iterator[Server]:
    """`kafkalab lab` with a folder of labs and a cluster, named "lab", of its own."""
    with serving("kafkalab", "lab", folder=tmp_path, environment={"KAFKALAB_LABS": str(tmp_path / "labs")}) as server:
        yield server
