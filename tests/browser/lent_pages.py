"""Plain pages that are lent to one test after another: to open one costs more than most tests do on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, Error, Page

#: Set on a page that is there as well as on a new one; "null" is what a new one has.
_MEDIA = ("color_scheme", "contrast", "forced_colors", "media", "reduced_motion")

#: What is done to a page and outlasts its document. (All that is done to its context or its clock does.)
_LASTING = (
    *("add_init_script", "add_locator_handler", "expose_binding", "expose_function", "goto", "on", "once", "route"),
    *("route_from_har", "route_web_socket", "set_default_navigation_timeout", "set_default_timeout"),
    "set_extra_http_headers",
)


class LentPage:
    """A page in a context of its own, and whether it may be lent again."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.spent = False
        self._handed_out = False
        for thing, names in (
            (page, _LASTING),
            (page.keyboard, ("down",)),
            (page.clock, _methods(page.clock)),
            (page.context, _methods(page.context)),
        ):
            for name in names:
                setattr(thing, name, self._noting(getattr(thing, name)))

    def _noting(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*args: Any, **kwargs: Any) -> Any:
            self.spent = self.spent or self._handed_out
            return method(*args, **kwargs)

        return noted

    def dress(self, width: int, height: int, **media: Any) -> None:
        """Size and media as asked for, and all else as on a new page."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.emulate_media(**{**dict.fromkeys(_MEDIA, "null"), **media})

    def hand_out(self) -> None:
        """From now on it is noted when something is done to it that outlasts its document."""
        self._handed_out = True

    def empty(self) -> None:
        """Leave the document, and with it timers, globals, focus, scroll and hover."""
        self._handed_out = False
        self.spent = self.spent or len(self.page.context.pages) != 1
        try:
            if not self.spent:
                self.page.goto("about:blank")
                self.page.evaluate("window.name = ''")
                self.page.mouse.up()
                self.page.mouse.move(-1, -1)
        except Error:  # crashed, closed, or too busy to leave
            self.spent = True
        if self.spent:
            self.page.close()


class LentPages:
    """Of those that came back well, the last is lent next; there are as many as one test had at a time."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._idle: list[LentPage] = []

    def lend(self, width: int, height: int, **context: Any) -> LentPage:
        """An empty page; one of its own if ``context`` asks for what cannot be set on a page that is there."""
        if context.keys() <= set(_MEDIA):
            lent = self._idle.pop() if self._idle else LentPage(self._browser.new_page())
            lent.dress(width, height, **context)
            return lent
        lent = LentPage(self._browser.new_page(viewport={"width": width, "height": height}, **context))
        lent.spent = True
        return lent

    def take_back(self, lent: LentPage) -> None:
        """One that has been emptied."""
        if not lent.spent:
            self._idle.append(lent)

    def close(self) -> None:
        """Those that nobody has."""
        while self._idle:
            self._idle.pop().page.close()


def _methods(thing: object) -> list[str]:
    return [name for name in dir(type(thing)) if name[0] != "_" and callable(getattr(type(thing), name))]
