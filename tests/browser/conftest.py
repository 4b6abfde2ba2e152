"""A real JupyterLab as `kafkalab lab` starts it, and Debian's Chromium to look at it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import chromium
from tests.browser.lent_pages import LentPage, LentPages
from tests.browser.studio import jupyter, jupyter_folder, jupyter_server, lab, studio, studios
from tests.browser.view_page import ViewPage, live_state

__all__ = ["jupyter", "jupyter_folder", "jupyter_server", "lab", "studio", "studios"]

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
