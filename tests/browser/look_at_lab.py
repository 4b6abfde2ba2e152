"""Opens a lab in a real JupyterLab, runs all of it, and takes pictures from top to bottom, light and dark.

    python -m tests.browser.look_at_lab 02a [--solved] [--out DIR] [--mode kraft] [--width 1400]

The pictures are DIR/02-light-00.png and so on (test-artifacts/labs by default); what went wrong is printed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import sync_playwright

import kafkalab.commands
from kafkalab import Cluster
from tests.browser import chromium
from tests.browser.jupyter_page import Notebook
from tests.browser.server import serving
from tests.labs.running import ROOT

_TOP = """(top) => {
    const box = document.querySelector('.jp-WindowedPanel-outer') || document.querySelector('.jp-Notebook');
    box.scrollTop = top;
    return [box.scrollHeight, box.clientHeight];
}"""


def pages(notebook: Notebook, folder: Path, stem: str) -> int:
    """A picture for each screenful; how many."""
    count, top = 0, 0
    while True:
        # Twice: cells that come into sight for the first time change the height of the whole.
        for _ in range(2):
            notebook.page.evaluate(_TOP, top)
            notebook.page.wait_for_function("new Promise((go) => setTimeout(() => go(true), 400))")
        height, shown = notebook.page.evaluate(_TOP, top)
        notebook.page.screenshot(path=folder / f"{stem}-{count:02d}.png")
        count += 1
        top += shown - 60
        if top >= height - 60 or count > 80:
            return count


@contextmanager
def opened(lab: Path, *, solved: bool, width: int = 1400) -> Iterator[Notebook]:
    """The lab, opened in a JupyterLab of its own."""
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / "labs"
        shutil.copytree(ROOT / "labs", root, ignore=shutil.ignore_patterns("source", "__pycache__"))
        settings = {"JUPYTER_CONFIG_PATH": str(Path(kafkalab.commands.__file__).parent / "jupyter")}
        options = ("--ServerApp.ip=127.0.0.1", f"--ServerApp.root_dir={root}", "--allow-root")
        with (
            serving("jupyterlab", *options, folder=Path(scratch), environment=settings) as server,
            sync_playwright() as play,
            play.chromium.launch(**chromium.options()) as browser,
        ):
            page = browser.new_page(viewport={"width": width, "height": 1100})
            yield Notebook(page, server, f"solutions/{lab.name}" if solved else lab.name)


def look(lab: Path, folder: Path, *, solved: bool, width: int) -> None:
    """Open it, run it, and take the pictures."""
    with opened(lab, solved=solved, width=width) as notebook:
        stem = lab.name.partition("_")[0]
        print(f"{pages(notebook, folder, f'{stem}-before')} pictures before it runs")
        run_all(notebook)
        for theme in ("Light", "Dark"):
            notebook.theme(f"JupyterLab {theme}")
            print(f"{pages(notebook, folder, f'{stem}-{theme.lower()}')} pictures, {theme.lower()}")
        print("errors in the page:", notebook.errors or "none")


def run_all(notebook: Notebook) -> None:
    """Run every cell, and print how long that took and what went wrong."""
    began = time.monotonic()
    try:
        notebook.run(0, len(notebook.sources) - 1)
    except AssertionError as wrong:
        print(wrong)
    print(f"ran all in {time.monotonic() - began:.0f} s")


def main() -> None:
    """Look at one lab."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lab")
    parser.add_argument("--solved", action="store_true")
    parser.add_argument("--out", type=Path, default=ROOT / "test-artifacts" / "labs")
    parser.add_argument("--mode", choices=["zookeeper", "kraft"], default="zookeeper")
    parser.add_argument("--width", type=int, default=1400)
    options = parser.parse_args()
    (lab,) = (ROOT / "labs").glob(f"{options.lab}_*.ipynb")
    options.out.mkdir(parents=True, exist_ok=True)
    with Cluster(name=f"look-{os.getpid()}", mode=options.mode, throw_away=True) as cluster:
        os.environ["KAFKALAB_CLUSTER"] = cluster.name
        os.environ["KAFKALAB_PROGRESS"] = "off"
        look(lab, options.out, solved=options.solved, width=options.width)


if __name__ == "__main__":
    main()
