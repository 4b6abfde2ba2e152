"""Takes the pictures of the learners' notebooks from a real run: labs/pictures/NN-name.*

    python labs/pictures.py 02 03
    python labs/pictures.py --check

Runs the solved notebook of each lab on a cluster made for it. Every cell whose source says ``picture="name"`` ends
with a view or a figure. Its state at that moment is drawn by the real widget in Chromium, on a light page and on a dark
one, as NN-name.light.webp and NN-name.dark.webp; NN-name.txt is the same state in words. What the source says with
``shows=`` must be in these words, or nothing of the lab is kept. With ``--check`` it is only looked at.
"""

from __future__ import annotations

import base64
import json
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import jupytext
import nbformat
from nbclient import NotebookClient
from playwright.sync_api import Page, sync_playwright

LABS = Path(__file__).resolve().parent
PICTURES = LABS / "pictures"
sys.path[:0] = [str(LABS), str(LABS.parent)]

from build import unshown  # noqa: E402
from cell_names import number_of  # noqa: E402
from still import SHARPER  # noqa: E402

from kafkalab.views.live import css, esm  # noqa: E402
from tests.browser import chromium  # noqa: E402

#: How wide a cell's output is in JupyterLab on a laptop, in CSS pixels.
WIDTH = 940

#: A live view hears a moment later what its cell has waited for, and a log's may still be reading records.
_ASK = """import json, time
from kafkalab.views.live import LiveView
from kafkalab.waiting import wait_until
_view_, _asked_ = _, time.time()
if getattr(_view_, "_source", None) is not None:
    wait_until(lambda: _view_._snapshot and _view_._snapshot.at > _asked_, 30, "the view to look again")
    if type(_view_).__name__ == "LogView":
        _view_ = _view_.moment()
if isinstance(_view_, LiveView):
    _traits_ = {n: getattr(_view_, n) for n, t in _view_.traits(sync=True).items() if type(t).__name__ in _PLAIN_}
    _told_ = {"view": _view_.NAME, "traits": {**_traits_, "live": False}, "said": repr(_view_)}
else:
    _html_ = getattr(_view_, "_repr_html_", lambda: None)()
    _told_ = {"html": _html_ or _view_._repr_mimebundle_()["text/html"], "said": getattr(_view_, "alt", repr(_view_))}
print(json.dumps(_told_))"""
_FIRST = '_PLAIN_ = {"Dict", "Bool", "Unicode", "Int", "Float", "List"}'

_PAGE = """<!doctype html><meta charset="utf-8"><style>%s</style><style>
body { margin: 0; background: var(--jp-layout-color0); color: var(--jp-content-font-color1);
  font: 13px system-ui, sans-serif; }
body[data-jp-theme-light="false"] { --jp-layout-color0: #111; --jp-layout-color1: #111; --jp-layout-color2: #212121;
  --jp-content-font-color1: #fff; --jp-content-font-color2: rgba(255, 255, 255, 0.7); --jp-ui-font-color1: #fff;
  --jp-border-color1: #616161; --jp-border-color2: #424242; }
body[data-jp-theme-light="true"] { --jp-layout-color0: #fff; --jp-layout-color1: #fff; --jp-layout-color2: #eee;
  --jp-content-font-color1: rgba(0, 0, 0, 0.87); --jp-content-font-color2: rgba(0, 0, 0, 0.54);
  --jp-ui-font-color1: rgba(0, 0, 0, 0.87); --jp-border-color1: #bdbdbd; --jp-border-color2: #e0e0e0; }
#root { width: max-content; min-width: min(100%%, 600px); max-width: 100%%; padding: 2px; box-sizing: border-box; }
#root.kl-wide { width: auto; }
</style><body data-jp-theme-light="%s"><div id="root" class="%s">%s</div>"""
_DRAW = """
const model = { get: (name) => window.traits[name], set() {}, on() {}, off() {}, send() {}, save_changes() {} };
view.render({ model, el: document.getElementById("root") });
window.drawn = true;"""
_EXPORTED = re.compile(r"^export \{\s*(\w+) as default\s*\};", re.MULTILINE)
#: Drawn, and nothing moves any more.
_STILL = """() => document.fonts.ready.then(() => new Promise((go) => {
  let left = 5;
  const next = () => {
    left = document.getAnimations().length ? 5 : left - 1;
    left > 0 ? requestAnimationFrame(next) : go(true);
  };
  next();
}))"""


def take(source: Path, *, keep: bool = True) -> list[Path]:
    """Run a lab and keep its pictures; the files that were written."""
    from kafkalab import Cluster

    names: dict[str, Any] = {}
    book = nbformat.v4.new_notebook()
    book.cells = [nbformat.v4.new_code_cell(_FIRST)]
    solved = nbformat.read(LABS / "solutions" / f"{source.stem}.ipynb", as_version=4)
    # An exercise makes three cells of the notebook out of one of the source.
    cells = iter(cell for cell in solved.cells if not {"check", "help"} & cell.metadata.keys())
    asked = {cell.metadata["check"]: cell for cell in solved.cells if "check" in cell.metadata}
    for told in jupytext.read(source, fmt="py:percent").cells:
        cell = next(cells)
        cell.outputs = []
        book.cells.append(cell)
        if "picture" in told.metadata:
            names[cell.id] = told.metadata
            book.cells.append(nbformat.v4.new_code_cell(_ASK))
        if "exercise" in told.metadata:
            book.cells.append(asked[told.metadata["exercise"]])
    # A home of its own, so that the cluster can have the name that learners see.
    with tempfile.TemporaryDirectory() as home:
        os.environ.update(KAFKALAB_HOME=home, KAFKALAB_CLUSTER="lab", KAFKALAB_PROGRESS="off")
        cluster = Cluster(name="lab", throw_away=True)
        try:
            NotebookClient(book, timeout=300, allow_errors=True).execute(cwd=str(LABS))
        finally:
            cluster.stop()
    found, lacking = {}, []
    for id, metadata in names.items():
        name = f"{number_of(source)}-{metadata['picture']}"
        found[name] = _told(book, id, name)
        if missing := unshown(metadata.get("shows", ""), found[name]["said"]):
            lacking.append(f"{name} does not show {missing!r}:\n{found[name]['said']}")
    if lacking:
        raise SystemExit("\n\n".join(lacking))
    if not keep:
        return []
    with sync_playwright() as play, play.chromium.launch(**chromium.options()) as browser:
        page = browser.new_context(viewport={"width": WIDTH, "height": 900}).new_page()
        return [file for name, told in found.items() for file in _keep(page, name, told)]


def _told(book: Any, id: str, name: str) -> dict[str, Any]:
    """Return the state of a view, or a figure's HTML, as the cell after the picture's cell printed it."""
    at = next(at for at, cell in enumerate(book.cells) if cell.id == id)
    outputs = book.cells[at + 1].outputs
    lines = "".join(o["text"] for o in outputs if o["output_type"] == "stream" and o["name"] == "stdout").splitlines()
    if not lines:
        raise SystemExit(f"{name}: its cell ends with no view and draws no figure: {book.cells[at].outputs} {outputs}")
    found: dict[str, Any] = json.loads(lines[-1])
    return found


def _keep(page: Page, name: str, told: dict[str, Any]) -> list[Path]:
    PICTURES.mkdir(exist_ok=True)
    written = [PICTURES / f"{name}.txt"]
    written[0].write_text(re.sub(r"[ \t]+$", "", told["said"], flags=re.MULTILINE).strip() + "\n", encoding="utf-8")
    for theme in ("light", "dark"):
        written.append(PICTURES / f"{name}.{theme}.webp")
        written[-1].write_bytes(_taken(page, told, light=theme == "light"))
    return written


def _taken(page: Page, told: dict[str, Any], *, light: bool) -> bytes:
    """A WebP of the widget, or of the figure, as it stands on a page with this theme."""
    view = told.get("view")
    sheet = css(view) if view else ""
    page.emulate_media(color_scheme="light" if light else "dark", reduced_motion="reduce")
    page.set_content(_PAGE % (sheet, str(light).lower(), "kl-wide" if view else "", told.get("html", "")))
    if view:
        page.evaluate("(traits) => { window.traits = traits; }", told["traits"])
        script = _EXPORTED.sub(r"const view = \1;", esm(view)) + _DRAW
        page.add_script_tag(content=script, type="module")
        page.wait_for_function("window.drawn === true")
    page.evaluate(_STILL)
    box = page.locator("#root").bounding_box()
    assert box is not None
    shot = page.context.new_cdp_session(page).send(
        "Page.captureScreenshot",
        {
            "format": "webp",
            "quality": 60,
            "captureBeyondViewport": True,
            "clip": {"x": box["x"], "y": box["y"], "width": box["width"], "height": box["height"], "scale": SHARPER},
        },
    )
    return base64.b64decode(shot["data"])


def main(arguments: list[str]) -> int:
    """Take the pictures of the labs that are named, or of all."""
    keep = "--check" not in arguments
    arguments = [argument for argument in arguments if argument != "--check"]
    sources = sorted((LABS / "source").glob("[0-9][0-9]*_*.py"))
    chosen = [s for s in sources if not arguments or s.stem in arguments or number_of(s) in arguments]
    if not chosen:
        print(__doc__, file=sys.stderr)
        return 2
    for source in chosen:
        for file in take(source, keep=keep):
            print(f"{file.relative_to(LABS.parent).as_posix()}: {file.stat().st_size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
