"""A notebook in a real JupyterLab, driven as a person would: cells are run, buttons pressed, themes changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import ConsoleMessage, Locator, Page

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
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._console)
        page.set_default_timeout(LONG)
        # Afresh: JupyterLab would open again what an earlier page had open, and that would be the first notebook.
        page.goto(f"{server.url}/lab/tree/{path}?token={server.token}&reset")
        page.wait_for_function("window.jupyterapp !== undefined")
        page.evaluate(
            "window.notebook = () => [...window.jupyterapp.shell.widgets('main')].find((w) => w.content?.activeCell)"
        )
        page.wait_for_function("window.notebook()?.content.widgets.length > 1")
        page.wait_for_function("window.notebook().sessionContext.session?.kernel?.status === 'idle'")

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error" and "kafkalab" in message.text.lower():
            self.errors.append(message.text)

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
        """Run the cells from first to last, both included, and wait until they are through."""
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

    def add(self, source: str) -> None:
        """A new cell at the end, run until it is through."""
        self.page.evaluate(
            """async (source) => {
                const {content} = window.notebook();
                const cells = content.model.sharedModel;
                cells.insertCell(cells.cells.length, {cell_type: 'code', source, metadata: {trusted: true}});
                content.activeCellIndex = content.widgets.length - 1;
                content.deselectAll();
                await window.jupyterapp.commands.execute('notebook:run-cell');
            }""",
            source,
        )

    def outputs(self) -> list[dict[str, object]]:
        """Every output of every cell, as the notebook file would hold it, with the cell's number."""
        found: list[dict[str, object]] = self.page.evaluate(
            """window.notebook().content.widgets.flatMap((cell, number) =>
                cell.model.type !== 'code' ? [] : Array.from(
                    {length: cell.model.outputs.length},
                    (_, i) => ({number, ...cell.model.outputs.get(i).toJSON()})))"""
        )
        return found

    def tracebacks(self) -> list[str]:
        """What went wrong in cells."""
        return [f"{o.get('ename')}: {o.get('evalue')}" for o in self.outputs() if o["output_type"] == "error"]

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
