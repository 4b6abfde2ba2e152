"""The gallery runs from top to bottom on a real cluster, stays alive, and tidies up when it is told to."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest

from kafkalab import Cluster
from tests.labs.running import ROOT, left_behind, run_notebook, running


@pytest.mark.deep
@pytest.mark.timeout(600)
@pytest.mark.parametrize("mode", ["zookeeper"], indirect=True)
def test_the_gallery_runs_from_top_to_bottom(lab_cluster: Cluster, tmp_path: Path) -> None:
    before = (left_behind(lab_cluster), running(lab_cluster))
    book = nbformat.read(ROOT / "labs" / "gallery.ipynb", as_version=4)  # type: ignore[no-untyped-call]
    there = 'assert cluster.snapshot().topic("trucks_gps") and spark.range(3).count() == 3'
    # Whoever walks back up finds all there is; then the button is pressed.
    book.cells += [nbformat.v4.new_code_cell(source) for source in (there, "button.click()", "assert button.disabled")]
    nbformat.write(book, tmp_path / "gallery.ipynb")  # type: ignore[no-untyped-call]
    run_notebook(tmp_path / "gallery.ipynb", tmp_path)
    assert (left_behind(lab_cluster), running(lab_cluster)) == before
