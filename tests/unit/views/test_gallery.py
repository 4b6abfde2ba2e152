"""The gallery keeps up: its notebook shows every view there is, and the page in docs/ has a picture of each."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
from PIL import Image

import kafkalab
from tests.browser.gallery import PICTURES, SHOTS, THEMES
from tests.unit.views.every_view import kinds

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
#: What a learner calls a view that is made by something else.
CALLED = {"PredictView": "Prediction", "DurabilityView": "DurabilityMatrix"}
#: It tells of a learner, not of a cluster, and stands at the end of each lab.
ELSEWHERE = {"ProgressView"}
#: All pictures together, bytes.
LARGEST = 2_000_000


def views() -> set[str]:
    """Every view by the name under which a learner meets it."""
    return {CALLED.get(one.__name__, one.__name__) for one in kinds()} - ELSEWHERE


def code() -> str:
    """All the code of the notebook; comments count, as one says which view `ledger.view()` is."""
    book = nbformat.read(ROOT / "labs" / "gallery.ipynb", as_version=4)  # type: ignore[no-untyped-call]
    return "\n".join(cell.source for cell in book.cells if cell.cell_type == "code")


def test_the_notebook_shows_every_view() -> None:
    known = views()
    assert {"ClusterView", "LedgerView", "Timeline", "TruckMap", "Prediction"} <= known
    assert {name for name in kafkalab.__all__ if name.endswith("View")} <= known
    text = code().partition("cluster = Cluster.lab()")[2]  # what is only imported is not shown
    assert {name for name in known if not re.search(rf"\b{name}\b", text)} == set()


def test_the_page_has_a_picture_of_every_view_light_and_dark() -> None:
    for name in views():
        assert f"## {name}\n" in PAGE
    for shot in SHOTS:
        for theme in THEMES:
            assert f"images/gallery/{shot.name}-{theme}.png" in PAGE
            with Image.open(PICTURES / f"{shot.name}-{theme}.png") as picture:
                assert picture.width >= 600 and picture.height >= 60
    named = set(re.findall(r"images/gallery/([\w-]+\.png)", PAGE))
    assert {path.name for path in PICTURES.glob("*.png")} == named
    assert PAGE.count("alt=") == len(SHOTS)


def test_the_pictures_are_small() -> None:
    assert sum(path.stat().st_size for path in PICTURES.glob("*.png")) <= LARGEST
