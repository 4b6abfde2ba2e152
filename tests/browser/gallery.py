"""The pictures of docs/gallery.md: `make gallery` opens labs/gallery.ipynb in a real JupyterLab and looks at each view.

The notebook is run piece by piece, so that each picture shows the moment its text speaks of; light and dark, one file
each, into docs/images/gallery/ (or the folder that is given).
"""

from __future__ import annotations

import io
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from PIL import Image
from playwright.sync_api import Locator, Page, expect, sync_playwright

from tests.browser import chromium
from tests.browser.jupyter_page import LONG, Notebook
from tests.browser.server import serving

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs" / "images" / "gallery"
THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}


def _as_is(page: Page, view: Locator) -> None:
    """Nothing to do before the picture is taken."""


def _predict(page: Page, view: Locator) -> None:
    """Carry each chip to a broker, as a learner would."""
    for chip, steps in enumerate((1, 3, 3, 1, 1, 3)):
        view.locator(f"button[data-chip='{chip}']").focus()
        for key in ("Enter", *["ArrowRight"] * steps, "Enter"):
            page.keyboard.press(key)


def _lock(page: Page, view: Locator) -> None:
    view.get_by_role("button", name="lock it").click()
    expect(view.get_by_role("status")).to_contain_text("locked at", timeout=LONG)


def _down(page: Page, view: Locator) -> None:
    """What happened is read from the deed on."""
    expect(view.locator("[data-broker='102'].kl-is-down").first).to_be_visible(timeout=LONG)
    told = view.get_by_role("log").get_by_role("listitem").filter(has_text="you killed broker 102").first
    told.evaluate("(line) => line.scrollIntoView({ block: 'start' })")


def _left(page: Page, view: Locator) -> None:
    """The rebalance is over."""
    expect(view).to_contain_text("2 members", timeout=LONG)


def _tree(page: Page, view: Locator) -> None:
    """Open where the brokers stand."""
    brokers = view.locator("[data-path='/brokers']").first
    expect(brokers).to_be_visible(timeout=LONG)
    for path in ("/brokers", "/brokers/ids"):
        row = view.locator(f"[data-path='{path}']").first
        if row.get_attribute("aria-expanded") == "false":
            row.dblclick()
        expect(view.locator(f"[data-path^='{path}/']").first).to_be_visible(timeout=LONG)
    view.locator("[data-path^='/brokers/ids/']").first.click()


def _trucks(page: Page, view: Locator) -> None:
    page.wait_for_function(
        "(canvas) => /^300 trucks/.test(canvas.getAttribute('aria-label') ?? '')",
        arg=view.locator("canvas.kl-map-trucks").element_handle(),
    )


def _batches(page: Page, view: Locator) -> None:
    """Enough of them to be seen in the charts."""
    slider = view.locator("input.kl-st-slider").element_handle()
    page.wait_for_function("(slider) => Number(slider.max) >= 8", arg=slider, timeout=3 * LONG)


@dataclass(frozen=True)
class Shot:
    """A picture: its name, the cell whose output it shows, the cell up to which the notebook has run by then."""

    name: str
    cell: str
    until: str = ""
    before: Callable[[Page, Locator], None] = _as_is
    after: Callable[[Page, Locator], None] = _as_is
    what: str = ".kl:not(.kl-standstill)"


SHOTS = (
    Shot("prediction", "guess = Prediction", before=_predict, after=_lock),
    Shot("comparison", "guess.compare(", what=".jp-RenderedHTMLCommon > div"),
    Shot("cluster", "ClusterView(cluster,", before=_down),
    Shot("log", "LogView(cluster,"),
    Shot("group", "GroupView(cluster,", until='print("C3 has left")', before=_left),
    Shot("record", "RecordView(cluster,"),
    Shot("partitioner", "PartitionerView(cluster,"),
    Shot("metadata", "MetadataView(cluster)", until='create_topic("parcels"', before=_tree),
    Shot("map", "truck_map = TruckMap", before=_trucks),
    Shot("stream", "StreamView(windows)", before=_batches),
    Shot("ledger", "ledger.view("),
    Shot("timeline", "recording.timeline()"),
    Shot("durability", "DurabilityMatrix(cluster,"),
)


class Gallery:
    """The notebook, run as far as the pictures so far needed."""

    def __init__(self, page: Page, notebook: Notebook, folder: Path) -> None:
        self.page, self.notebook, self.folder = page, notebook, folder
        self.done = -1

    def run(self, last: int) -> None:
        """Run on to a cell; fails with what went wrong in it."""
        if last > self.done:
            self.notebook.run(self.done + 1, last)
            self.done = last

    def view(self, shot: Shot) -> Locator:
        """What the picture is of, scrolled into sight."""
        self.page.evaluate("(i) => { window.notebook().content.activeCellIndex = i; }", self._cell(shot.cell))
        found = self.page.locator(".jp-Notebook-cell.jp-mod-active").locator(shot.what).first
        expect(found).to_be_visible(timeout=LONG)
        return self.notebook.show(found)

    def take(self, shot: Shot) -> None:
        """The picture, light and dark."""
        self.run(self._cell(shot.until or shot.cell))
        shot.before(self.page, self.view(shot))
        for name, theme in THEMES.items():
            self.notebook.theme(theme)
            view = self.view(shot)
            # The pointer would leave a tooltip or a highlight in the picture.
            self.page.mouse.move(2, 2)
            shrink(view.screenshot(animations="disabled"), self.folder / f"{shot.name}-{name}.png")
        self.notebook.theme(THEMES["light"])
        shot.after(self.page, self.view(shot))

    def _cell(self, beginning: str) -> int:
        """The one code cell with this text; prose may speak of it."""
        code = self.page.evaluate("window.notebook().content.widgets.map((c) => c.model.type === 'code')")
        (found,) = [i for i, source in enumerate(self.notebook.sources) if code[i] and beginning in source]
        return found


def shrink(png: bytes, to: Path) -> None:
    """Write a picture with 256 colours: the commonest as they are, and of the rest those that cover it best.

    A partition's colour may be only a few marks on a map, and the ground of a panel must not change its hue.
    """
    image = Image.open(io.BytesIO(png)).convert("RGB")
    counted = image.getcolors(image.width * image.height) or []
    common = [cast("tuple[int, int, int]", colour) for _, colour in sorted(counted, key=lambda one: -one[0])[:96]]
    others = image.quantize(160, method=Image.Quantize.MAXCOVERAGE).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette([*(part for colour in common for part in colour), *others][:768])
    image.quantize(palette=palette, dither=Image.Dither.NONE).save(to, optimize=True)


def main(arguments: list[str]) -> int:
    """Take them all, or those that are named."""
    wanted = {name.removesuffix(".png") for name in arguments} or {shot.name for shot in SHOTS}
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="kafkalab-gallery-") as scratch:
        labs = Path(scratch) / "labs"
        labs.mkdir()
        shutil.copy(ROOT / "labs" / "gallery.ipynb", labs)
        # A home of its own: whoever makes the pictures may have a cluster.
        os.environ["KAFKALAB_HOME"] = str(Path(scratch) / "home")
        command = ("kafkalab", "lab", "--labs", str(labs))
        with serving(*command, folder=Path(scratch)) as server, sync_playwright() as playwright:
            browser = playwright.chromium.launch(**chromium.options())
            # Tall, so that every view is on the page as a whole.
            page = browser.new_page(viewport={"width": 1200, "height": 2000}, reduced_motion="reduce")
            notebook = Notebook(page, server, "gallery.ipynb")
            page.evaluate("window.jupyterapp.shell.collapseLeft()")
            gallery = Gallery(page, notebook, PICTURES)
            for shot in SHOTS:
                if shot.name in wanted:
                    print(shot.name, flush=True)
                    gallery.take(shot)
            gallery.run(len(notebook.sources) - 1)
            browser.close()
    print(f"{sum(path.stat().st_size for path in PICTURES.glob('*.png')) / 1e6:.2f} MB in {PICTURES.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
