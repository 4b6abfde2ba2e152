"""The gallery runs from top to bottom on a real cluster, and tidies up."""

from __future__ import annotations

from pathlib import Path

import pytest

from kafkalab import Cluster
from tests.labs.running import ROOT, left_behind, run_notebook


@pytest.mark.timeout(600)
@pytest.mark.parametrize("mode", ["zookeeper"], indirect=True)
def test_the_gallery_runs_from_top_to_bottom(lab_cluster: Cluster, tmp_path: Path) -> None:
    before = left_behind(lab_cluster)
    run_notebook(ROOT / "labs" / "gallery.ipynb", tmp_path)
    assert left_behind(lab_cluster) == before
    assert all(node.state == "running" for node in lab_cluster.nodes())
