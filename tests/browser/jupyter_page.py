"""A notebook in a real JupyterLab, driven as a person would: cells are run, buttons pressed, themes changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import ConsoleMessage, Dialog, Locator, Page, Request, WebSocket

from kafkalab.waiting import wait_until

LONG = 120_000  # milliseconds; for a machine that is busy with other things


@dataclass(frozen=True)
class Server:
    """A JupyterLab that serves."""

    url: str
    token: str
    log: Callable[[], str]


class Notebook:
    """One notebook, open on a page of its own."""

    def __init__(self, page: Page, server: Server, path: str) -> None:
        self.page = page
        #: What went wrong on the page, and what it asked of another machine.
        self.errors: list[str] = []
        #: Bytes of each message that came from a kernel.
        self.messages: list[int] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._console)
        page.on("dialog", self._dialog)
        page.on("request", self._request)
        page.on("websocket", self._websocket)
        page.set_default_timeout(LONG)
        # Afresh: JupyterLab would open again what an earlier page had open, and that would be the first notebook.
        page.goto(f"{server.url}/lab/tree/{path}?token={server.token}&reset")
        page.wait_for_function("window.jupyterapp !== undefined")
        page.evaluate(
            "window.notebook = () => [...window.jupyterapp.shell.widgets('main')].find((w) => w.content?.activeCell)"
        )
        page.wait_for_function("window.notebook()?.context.isReady")
        page.wait_for_function("window.notebook().sessionContext.session?.kernel?.status === 'idle'")

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error" and "kafkalab" in message.text.lower():
            self.errors.append(message.text)

    def _dialog(self, dialog: Dialog) -> None:
        self.errors.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _request(self, request: Request) -> None:
        if not request.url.startswith(("http://127.0.0.1:", "blob:", "data:")):
            self.errors.append(f"request: {request.url[:100]}")

    def _websocket(self, line: WebSocket) -> None:
        if "/channels" in line.url:  # a kernel's
            line.on("framereceived", lambda payload: self.messages.append(len(payload)))

    @property
    def sources(self) -> list[str]:
        """The source of each cell."""
        found: list[str] = self.page.evaluate(
            "window.notebook().content.widgets.map((c) => c.model.sharedModel.getSource())"
        )
        return found

    def cell(self, beginning: str) -> int:
        """The number of the one cell with this text in it."""
        (found,) = [i for i, source in enumerate(self.sources) if beginning in source]
        return found

    def run(self, first: int, last: int) -> None:
        """Run the cells from first to last, both included, until they are through; fails when one of them did."""
        self.page.evaluate(
            """async ([first, last]) => {
                const panel = window.notebook();
                panel.content.activeCellIndex = first;
                panel.content.deselectAll();
                for (let i = first; i < last; i++) panel.content.extendContiguousSelectionTo(i + 1);
                await window.jupyterapp.commands.execute('notebook:run-cell');
            }""",
            [first, last],
        )
        wrong = [f"{o.get('ename')}: {o.get('evalue')}" for o in self.outputs() if o["output_type"] == "error"]
        assert wrong == [], wrong

    def add(self, *sources: str) -> str:
        """New cells at the end, run until they are through; what the last of them printed."""
        first = len(self.sources)
        self.page.evaluate(
            """(sources) => window.notebook().content.model.sharedModel.insertCells(
                window.notebook().content.widgets.length,
                sources.map((source) => ({cell_type: 'code', source, metadata: {trusted: true}})))""",
            sources,
        )
        last = first + len(sources) - 1
        self.run(first, last)
        printed = (o for o in self.outputs() if o["number"] == last and o["output_type"] == "stream")
        return "".join(str(out["text"]) for out in printed)

    def clear(self) -> None:
        """Take away all cells but the first."""
        self.page.evaluate(
            """() => {
                const {content} = window.notebook();
                content.model.sharedModel.deleteCellRange(1, content.widgets.length);
            }"""
        )

    def restart(self) -> None:
        """Another kernel, which knows nothing of what is on the page."""
        self.page.evaluate("window.notebook().sessionContext.session.kernel.restart()")
        self.page.wait_for_function("window.notebook().sessionContext.session?.kernel?.status === 'idle'")

    def close(self) -> None:
        """End its kernel."""
        self.page.evaluate("window.notebook().sessionContext.shutdown()")

    def outputs(self) -> list[dict[str, object]]:
        """Every output of every cell, as the notebook file would hold it, with the cell's number."""
        found: list[dict[str, object]] = self.page.evaluate(
            """window.notebook().content.widgets.flatMap((cell, number) =>
                cell.model.type !== 'code' ? [] : Array.from(
                    {length: cell.model.outputs.length},
                    (_, i) => ({number, ...cell.model.outputs.get(i).toJSON()})))"""
        )
        return found

    def save(self) -> None:
        """Write the file as it is now."""
        self.page.evaluate("window.jupyterapp.commands.execute('docmanager:save')")

    def theme(self, name: str) -> None:
        """Change JupyterLab's theme and wait until the page wears it."""
        light = "true" if "Light" in name else "false"
        self.page.evaluate("(theme) => window.jupyterapp.commands.execute('apputils:change-theme', {theme})", name)
        self.page.wait_for_function(f"document.body.dataset.jpThemeLight === '{light}'")
        self.page.wait_for_function("document.getElementById('jupyterlab-splash') === null")

    def show(self, target: Locator) -> Locator:
        """Scroll to it; a picture that is drawn anew meanwhile does no harm."""
        target.evaluate("(element) => element.scrollIntoView({block: 'center'})")
        return target

    def screenshot(self, path: Path) -> None:
        """The page as it is now."""
        wait_until(lambda: self.page.evaluate("document.fonts.status") == "loaded", 30, "the fonts")
        self.page.screenshot(path=str(path))
