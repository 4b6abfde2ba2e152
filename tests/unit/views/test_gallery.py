"""The gallery keeps up: its notebook shows every view there is, and the page in docs/ has a picture of each."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat

from tests.browser.gallery import PICTURES, SHOTS, THEMES
from tests.unit.views.every_view import kinds

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
#: What a learner calls a view that is made by something else.
CALLED = {"PredictView": "Prediction", "DurabilityView": "DurabilityMatrix"}
#: It tells of a learner, not of a cluster, and stands at the end of each lab.
ELSEWHERE = {"ProgressView"}


def views() -> set[str]:
    """Every view by the name under which a learner meets it."""
    return {CALLED.get(one.__name__, one.__name__) for one in kinds()} - ELSEWHERE


def test_the_notebook_shows_every_view() -> None:
    book = nbformat.read(ROOT / "labs" / "gallery.ipynb", as_version=4)  # type: ignore[no-untyped-call]
    # Comments count, as one says which view `ledger.view()` is; what is only imported is not shown.
    code = "\n".join(cell.source for cell in book.cells if cell.cell_type == "code")
    text = code.partition("cluster = Cluster.lab()")[2]
    assert {name for name in views() if not re.search(rf"\b{name}\b", text)} == set()


def test_the_page_has_a_picture_of_every_view_light_and_dark() -> None:
    assert {name for name in views() if f"## {name}\n" not in PAGE} == set()
    pictures = {f"{shot.name}-{theme}.png" for shot in SHOTS for theme in THEMES}
    assert set(re.findall(r"images/gallery/([\w-]+\.png)", PAGE)) == pictures
    assert {path.name for path in PICTURES.glob("*.png")} == pictures
    assert PAGE.count("alt=") == len(SHOTS)
