"""A view's front end on a plain page in a real browser, without Jupyter: its model is a few lines of JavaScript.

What the page draws is made in Python, and what it sends is read back; so both ends of a view are tested for real, and
only the wire between them, which is Jupyter's, is not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Dialog, Locator, Page

from kafkalab.state.patch import diff
from kafkalab.views.live import css, esm

Open = Callable[..., "ViewPage"]

_PAGE = """
<!doctype html><meta charset="utf-8"><title>view</title><style>{css}</style>
<body {body}><div id="root"></div><div id="second"></div>
<script type="module">{esm}
</script>
"""

# What an inline module exports goes nowhere: it is caught in a variable instead.
_EXPORTED = re.compile(r"^export \{\s*(\w+) as default\s*\};", re.MULTILINE)
_START = """
window.sent = [];
window.model = {
  state: %s, listeners: {},
  get(name) { return this.state[name]; },
  set(name, value) { this.state[name] = value; for (const f of this.listeners["change:" + name] ?? []) f(); },
  tell(message) { for (const f of this.listeners["msg:custom"] ?? []) f(message); },
  on(name, f) { (this.listeners[name] ??= []).push(f); },
  off(name, f) { this.listeners[name] = (this.listeners[name] ?? []).filter((g) => g !== f); },
  send(message) { window.sent.push(message); },
  save_changes() {},
};
window.pulse = setInterval(() => model.tell({ beat: model.state.state?.n }), 1000);
window.view = view;
window.leave = view.render({ model, el: document.getElementById("root") });
"""


_FLIGHTS = """() => {
  const animate = Element.prototype.animate;
  window.flown = [];
  Element.prototype.animate = function (...how) {
    window.flown.push(this.className);
    return animate.apply(this, how);
  };
}"""


class ViewPage:
    """The page, its model, and whatever went wrong on it."""

    def __init__(self, page: Page, view: str, state: dict[str, Any], *, body: str = "") -> None:
        self.page = page
        self.faults: list[str] = []
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda message: self.faults.append(message.text) if message.type == "error" else None)
        page.on("dialog", self._dialog)
        page.on("request", lambda request: self.faults.append(request.url))
        script, found = _EXPORTED.subn(r"const view = \1;", esm(view))
        assert found == 1, f"{view} exports nothing"
        script += _START % _in_script(state)
        page.set_content(_PAGE.format(css=css(view), esm=script, body=body))
        page.wait_for_function("window.model !== undefined && window.leave !== undefined")

    def _dialog(self, dialog: Dialog) -> None:
        self.faults.append(dialog.message)
        dialog.dismiss()

    def set(self, name: str, value: object) -> None:
        """What the kernel does when a trait changes."""
        self.page.evaluate("([name, value]) => model.set(name, value)", [name, value])

    def draw(self, drawn: dict[str, Any]) -> None:
        """What a view of :class:`kafkalab.views.live.LiveView` sends to a page when it is drawn anew: a patch."""
        before = self.page.evaluate("model.state.state")
        n = before["n"] + 1
        after = {**drawn, "n": n, "fault": drawn.get("fault", "")}
        # The model keeps the last state, so that the next patch is made against it.
        self.page.evaluate(
            "([after, patch, n]) => { model.state.state = after; model.tell({ n, patch }); }",
            [after, diff(before, after), n],
        )

    def fall_silent(self) -> None:
        """From now on the page hears of no kernel; until then it hears of one each second."""
        self.page.evaluate("clearInterval(window.pulse)")

    def tell(self, message: object) -> None:
        """What the kernel does with ``Widget.send``."""
        self.page.evaluate("(message) => model.tell(message)", message)

    @property
    def sent(self) -> list[Any]:
        """What the front end sent to the kernel, oldest first."""
        found: list[Any] = self.page.evaluate("sent")
        return found

    def asked(self, do: str = "") -> list[Any]:
        """The same but for what every page says of itself; with ``do``, only what asks for that."""
        return [m for m in self.sent if (m.get("do") == do if do else m.get("do") not in ("whole", "gone"))]

    def fits(self) -> bool:
        """Whether nothing is wider than the page. Views take a new width when they hear of it, a frame later."""
        self.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        found: bool = self.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        return found

    def watch_flights(self) -> None:
        """From now on count what flies over the page: it may have landed before anybody looks."""
        self.page.evaluate(_FLIGHTS)

    def flights(self, of: str) -> int:
        """Counts the things of this class that have begun to fly."""
        found: int = self.page.evaluate("(of) => window.flown.filter((one) => one === of).length", of)
        return found

    def texts(self, selector: str) -> list[str]:
        """The texts of everything that matches, as they are read."""
        return [" ".join(text.split()) for text in self.page.locator(selector).all_inner_texts()]


def box(where: Locator) -> dict[str, float]:
    """Where something is on its page, in pixels: x, y, width, height."""
    found = where.bounding_box()
    assert found, f"{where} is not on the page"
    return dict(found)


def live_state(drawn: dict[str, Any], *, live: bool = True, presenter: bool = False) -> dict[str, Any]:
    """The traits of a live view, as the kernel syncs them to a page that is new."""
    return {"state": {**drawn, "n": 0, "fault": ""}, "presenter": presenter, "live": live, "topic": ""}


def _in_script(state: dict[str, Any]) -> str:
    """JSON that may stand inside a script element; parsed, as Jupyter does: in a literal, __proto__ would be no key."""
    return f"JSON.parse({json.dumps(json.dumps(state))})".replace("<", "\\u003c")
