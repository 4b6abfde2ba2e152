"""A view's front end on a plain page in a real browser, without Jupyter: its model is a few lines of JavaScript.

What the page draws is made in Python, and what it sends is read back; so both ends of a view are tested for real, and
only the wire between them, which is Jupyter's, is not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Dialog, Page

from kafkalab.state.patch import diff
from kafkalab.views.assets import css, esm

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
};
window.pulse = setInterval(() => model.tell({ beat: model.state.state?.n }), 1000);
window.leave = view.render({ model, el: document.getElementById("root") });
"""


class ViewPage:
    """The page, its model, and whatever went wrong on it."""

    def __init__(self, page: Page, view: str, state: dict[str, Any], *, body: str = "") -> None:
        self.page = page
        self.faults: list[str] = []
        self._listeners: dict[Any, Callable[[Any], None]] = {
            "pageerror": lambda error: self.faults.append(str(error)),
            "console": lambda message: self.faults.append(message.text) if message.type == "error" else None,
            "dialog": self._dialog,
            "request": lambda request: self.faults.append(request.url),
        }
        for event, listener in self._listeners.items():
            page.on(event, listener)
        script, found = _EXPORTED.subn(r"const view = \1;", esm(view))
        assert found == 1, f"{view} exports nothing"
        script += _START % _in_script(state)
        page.set_content(_PAGE.format(css=css(view), esm=script, body=body))
        page.wait_for_function("window.model !== undefined && window.leave !== undefined")

    def leave(self) -> None:
        """What happens on the page from now on is another's."""
        for event, listener in self._listeners.items():
            self.page.remove_listener(event, listener)

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

    def texts(self, selector: str) -> list[str]:
        """The texts of everything that matches, as they are read."""
        return [" ".join(text.split()) for text in self.page.locator(selector).all_inner_texts()]

    def contrasts(self, selector: str) -> list[tuple[str, float, float]]:
        """Of all that match: class and text, WCAG's contrast of text and ground, luminance of the ground."""
        return [tuple(row) for row in self.page.evaluate(_CONTRASTS, selector)]


# A canvas turns whatever way a colour is written in into four bytes.
_CONTRASTS = """(selector) => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const bytes = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const linear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
  const behind = (node) => {
    const colour = bytes(getComputedStyle(node).backgroundColor);
    if (colour[3] === 255) return colour;
    return node.parentElement ? behind(node.parentElement) : [255, 255, 255];
  };
  return [...document.querySelectorAll(selector)].map((node) => {
    const [ink, paper] = [light(bytes(getComputedStyle(node).color)), light(behind(node))];
    const ratio = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
    return [`${node.parentElement.className} ${node.textContent}`, ratio, paper];
  });
}"""


def live_state(drawn: dict[str, Any], *, live: bool = True, presenter: bool = False) -> dict[str, Any]:
    """The traits of a live view, as the kernel syncs them to a page that is new."""
    return {"state": {**drawn, "n": 0, "fault": ""}, "presenter": presenter, "live": live}


def _in_script(state: dict[str, Any]) -> str:
    """JSON that may stand inside a script element; parsed, as Jupyter does: in a literal, __proto__ would be no key."""
    return f"JSON.parse({json.dumps(json.dumps(state))})".replace("<", "\\u003c")
