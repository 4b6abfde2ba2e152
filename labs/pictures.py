"""Takes the pictures of the learners' notebooks from a real run: labs/pictures/NN-name.svg.

    python labs/pictures.py 02 03

Runs the solved notebook of each lab on a cluster made for it. Every cell whose source says
``picture="name"`` ends with a view, which is asked for its still picture, or draws a figure.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import jupytext
import nbformat
from nbclient import NotebookClient

LABS = Path(__file__).resolve().parent
PICTURES = LABS / "pictures"

#: Figures as SVG, the same whenever they are drawn from the same data.
_FIRST = """%config InlineBackend.figure_formats = ["svg"]
%config InlineBackend.print_figure_kwargs = {"bbox_inches": "tight", "metadata": {"Date": None}}
import matplotlib
matplotlib.rcParams.update({"svg.hashsalt": "kafkalab", "svg.fonttype": "none"})"""
#: A view of a cluster hears a moment later what its cell has waited for, and a log view may still be reading records,
#: which it draws as an ellipsis meanwhile.
_ASK = """import time
from kafkalab.waiting import wait_until
_view_, _asked_ = _, time.time()
if getattr(_view_, "_source", None) is not None:
    wait_until(lambda: _view_._snapshot and _view_._snapshot.at > _asked_, 30, "the view to look again")
wait_until(lambda: type(_view_).__name__ != "LogView" or ">…<" not in _view_.to_svg(), 30, "the log's records")
print(_view_.to_svg())"""


def take(source: Path) -> list[Path]:
    """Run a lab and keep its pictures; the files that were written."""
    from kafkalab import Cluster

    names: dict[str, str] = {}
    book = nbformat.v4.new_notebook()
    book.cells = [nbformat.v4.new_code_cell(_FIRST)]
    solved = nbformat.read(LABS / "solutions" / f"{source.stem}.ipynb", as_version=4)
    # An exercise makes two cells of the notebook out of one of the source.
    cells = iter(cell for cell in solved.cells if "check" not in cell.metadata)
    asked = {cell.metadata["check"]: cell for cell in solved.cells if "check" in cell.metadata}
    for told in jupytext.read(source, fmt="py:percent").cells:
        cell = next(cells)
        cell.outputs = []
        book.cells.append(cell)
        if "picture" in told.metadata:
            names[cell.id] = told.metadata["picture"]
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
    return [_keep(book, id, f"{source.stem[:2]}-{name}") for id, name in names.items()]


def _keep(book: Any, id: str, name: str) -> Path:
    at = next(at for at, cell in enumerate(book.cells) if cell.id == id)
    outputs, answers = book.cells[at].outputs, book.cells[at + 1].outputs
    drawn = [o["data"]["image/svg+xml"] for o in outputs if "image/svg+xml" in o.get("data", {})]
    told = ["".join(o["text"]) for o in answers if o["output_type"] == "stream" and o["name"] == "stdout"]
    if not drawn and not told:
        raise SystemExit(f"{name}: its cell ends with no view and draws no figure: {answers or outputs}")
    svg = "".join(drawn[-1] if drawn else told[0])
    # Lines without trailing blanks, and nothing before the picture itself.
    svg = re.sub(r"[ \t]+$", "", svg[svg.index("<svg") :], flags=re.MULTILINE).strip() + "\n"
    PICTURES.mkdir(exist_ok=True)
    file = PICTURES / f"{name}.svg"
    file.write_text(svg, encoding="utf-8")
    return file


def main(arguments: list[str]) -> int:
    """Take the pictures of the labs that are named, or of all."""
    sources = sorted((LABS / "source").glob("[0-9][0-9]_*.py"))
    chosen = [s for s in sources if not arguments or s.stem in arguments or s.stem[:2] in arguments]
    if not chosen:
        print(__doc__, file=sys.stderr)
        return 2
    for source in chosen:
        for file in take(source):
            print(f"{file.relative_to(LABS.parent).as_posix()}: {file.stat().st_size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
