"""The pages that views are opened on, one test after another: each test finds them as if they were new."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.lent_pages import LentPage, LentPages

_CONTENT = "<!doctype html><input><div style='height: 3000px'></div>"
_LOOKS = """() => ({
  width: innerWidth, height: innerHeight, screen: screen.width, name: window.name, here: Object.keys(window).length,
  scroll: scrollY, focus: document.activeElement.localName, hover: document.querySelectorAll(":hover").length,
  media: ["print", "(prefers-color-scheme: dark)", "(prefers-reduced-motion: reduce)", "(forced-colors: active)",
          "(prefers-contrast: more)"].map((query) => matchMedia(query).matches),
})"""
_DIRTY = """() => {
  window.left = 1; window.name = "left"; window.ticks = setInterval(() => console.error("it runs still"), 1);
  document.querySelector("input").focus(); scrollTo(0, 500);
}"""


@pytest.fixture
def pages(browser: Browser) -> Iterator[LentPages]:
    pages = LentPages(browser)
    yield pages
    pages.close()


def looks(lent: LentPage) -> object:
    lent.page.set_content(_CONTENT)
    return lent.page.evaluate(_LOOKS)


def test_a_page_that_comes_back_is_as_a_new_one(pages: LentPages) -> None:
    first = pages.lend(800, 600)
    new = looks(first)
    first.hand_out()
    first.page.emulate_media(
        media="print", color_scheme="dark", reduced_motion="reduce", forced_colors="active", contrast="more"
    )
    first.page.set_viewport_size({"width": 300, "height": 300})
    first.page.evaluate(_DIRTY)
    first.page.mouse.move(100, 100)
    first.page.mouse.down()
    assert first.page.evaluate(_LOOKS) != new
    first.empty()
    pages.take_back(first)
    again = pages.lend(800, 600)
    assert again is first
    heard: list[str] = []
    again.page.on("console", lambda message: heard.append(message.text))
    assert looks(again) == new
    again.page.evaluate("void (window.onpointermove = (event) => { window.buttons = event.buttons; })")
    again.page.mouse.move(50, 50)
    assert again.page.evaluate("window.buttons") == 0
    assert heard == []


@pytest.mark.parametrize(
    "lasting",
    [
        lambda page: page.add_init_script("window.early = 1"),
        lambda page: page.clock.install(),
        lambda page: page.context.set_offline(True),
        lambda page: page.evaluate("() => { open('about:blank'); }"),
        lambda page: page.keyboard.down("Shift"),
        lambda page: page.on("console", lambda _: None),
        lambda page: page.route("**", lambda route: route.abort()),
        lambda page: page.close(),
    ],
)
def test_one_to_which_something_lasting_was_done_is_not_lent_again(
    pages: LentPages, lasting: Callable[[Page], object]
) -> None:
    first = pages.lend(800, 600)
    looks(first)
    first.hand_out()
    lasting(first.page)
    first.empty()
    assert first.page.is_closed()
    pages.take_back(first)
    assert pages.lend(800, 600) is not first


def test_two_at_a_time_are_two_and_what_only_a_new_context_can_have_gets_one(pages: LentPages) -> None:
    first, second = pages.lend(800, 600), pages.lend(400, 300, color_scheme="dark")
    assert first.page is not second.page
    own = pages.lend(800, 600, device_scale_factor=2, reduced_motion="reduce")
    assert own.page.evaluate("devicePixelRatio") == 2
    for lent in (own, second, first):
        lent.empty()
        pages.take_back(lent)
    assert own.page.is_closed()
    assert [pages.lend(800, 600) for _ in range(2)] == [first, second]
