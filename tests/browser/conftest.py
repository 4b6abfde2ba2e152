"""A real JupyterLab as `kafkalab lab` starts it, and Debian's Chromium to look at it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.browser import chromium
from tests.browser.studio import jupyter, jupyter_folder, jupyter_server, lab, studio, studios
from tests.browser.view_page import ViewPage, live_state

__all__ = ["jupyter", "jupyter_folder", "jupyter_server", "lab", "studio", "studios"]

ROOT = Path(__file__).resolve().parents[2]


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


@pytest.fixture(autouse=True)
def patience() -> None:
    """An expectation that does not say how long: beside other work even a plain page may stand still for seconds."""
    expect.set_options(timeout=30_000)


@pytest.fixture(scope="session")
def plain(browser: Browser) -> Iterator[BrowserContext]:
    """The context of all plain pages: one for each would take longer than the tests."""
    context = browser.new_context()
    context.set_default_timeout(10_000)
    yield context
    context.close()


@pytest.fixture
def open_view(plain: BrowserContext) -> Iterator[Callable[..., ViewPage]]:
    """Opens plain pages with a view, ``open_view(name, traits)``; one on which anything went wrong fails its test."""
    views: list[ViewPage] = []

    def open_view(
        name: str, traits: dict[str, Any], *, body: str = "", width: int = 1000, height: int = 900, **media: Any
    ) -> ViewPage:
        page = plain.new_page()
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(**media)
        views.append(ViewPage(page, name, traits, body=body))
        return views[-1]

    yield open_view
    for page in plain.pages:
        page.close()
    assert [fault for view in views for fault in view.faults] == []


@pytest.fixture
def show(open_view: Callable[..., ViewPage], request: pytest.FixtureRequest) -> Callable[..., ViewPage]:
    """``show(drawn)`` opens a page with the live view that the test's module names ``VIEW``, as its ``PAGE`` says."""
    usual = {"live": True, "presenter": False, **getattr(request.module, "PAGE", {})}

    def show(drawn: dict[str, Any], body: str = "", **more: Any) -> ViewPage:
        how = {**usual, **more}
        traits = live_state(drawn, live=how.pop("live"), presenter=how.pop("presenter"))
        return open_view(request.module.VIEW, traits, body=body, **how)

    return show
