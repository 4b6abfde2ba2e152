"""Every lab on a real cluster: it does what it says, with each answer first left blank and then given.

In one of the two modes, by turns; `make labs-test` runs all solved ones twice in a row in both. tests/browser runs
learners' notebooks in JupyterLab as they are.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from kafkalab import Cluster
from tests.labs.running import ROOT, groups_left, left_behind, run_solved

LABS = sorted((ROOT / "labs").glob("[0-9][0-9]_*.ipynb"))
MODES = ("zookeeper", "kraft")

pytestmark = pytest.mark.timeout(900)


# All of a mode one after the other, since only one cluster is kept warm.
IN_TURNS = sorted(((lab, MODES[at % 2]) for at, lab in enumerate(LABS)), key=lambda pair: MODES.index(pair[1]))


def test_there_are_labs() -> None:
    numbers = [path.stem[:2] for path in LABS]
    assert numbers == ["00", "01", "02", "03", "04", "05", "21"]


@pytest.mark.parametrize(
    "lab, mode", [pytest.param(*pair, id=f"{pair[0].stem}-{pair[1]}") for pair in IN_TURNS], indirect=["mode"]
)
def test_the_lab_does_what_it_says(lab: Path, lab_cluster: Cluster, tmp_path: Path) -> None:
    before = left_behind(lab_cluster)
    run_solved(lab, tmp_path)
    assert left_behind(lab_cluster) == before
    assert groups_left(lab_cluster) == []
    assert all(node.state == "running" for node in lab_cluster.nodes())
