"""Every lab on a real cluster: it does what it says, with each answer first blank, then wrong, and then given.

Each lab once, in one mode: the labs of Kafka share the warm cluster of one, those of Spark that of the other, and the
two change places every day (KAFKALAB_LABS_MODE: the mode of Kafka's). `make labs-test` runs all in both.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from kafkalab import Cluster
from kafkalab.checks.load import patience
from tests.labs.running import ROOT, groups_left, left_behind, notebook, run_solved

pytestmark = pytest.mark.timeout(900)

LANES = {"kafka": range(14), "spark": range(20, 29)}
MODES = ["zookeeper", "kraft"]
#: Seconds, unless the lab's source says why it needs more.
BUDGET = 50


def in_lanes() -> Iterator[object]:
    """Each lab with its lane and that lane's mode."""
    first = MODES.index(os.environ.get("KAFKALAB_LABS_MODE") or MODES[date.today().toordinal() % 2])
    for lab in sorted((ROOT / "labs").glob("[0-9][0-9]_*.ipynb")):
        (lane,) = [name for name, numbers in LANES.items() if int(lab.stem[:2]) in numbers]
        mode = MODES[first if lane == "kafka" else 1 - first]
        marks = [] if lab.stem.startswith("00") else [pytest.mark.deep]
        yield pytest.param(lab, mode, id=f"{lane}-{lab.stem[:2]}-{mode}", marks=marks)


@pytest.mark.parametrize("lab, mode", list(in_lanes()), indirect=["mode"])
def test_the_lab_does_what_it_says(lab: Path, lab_cluster: Cluster, tmp_path: Path) -> None:
    topics, nodes, busy = left_behind(lab_cluster), [node.name for node in lab_cluster.nodes()], patience()
    run = run_solved(lab, tmp_path, with_wrong=True)
    assert left_behind(lab_cluster) == topics
    assert groups_left(lab_cluster) == []
    assert [node.name for node in lab_cluster.nodes() if node.state == "running"] == nodes
    budget = notebook(lab).metadata["kafkalab"].get("seconds", BUDGET) * max(busy, patience())
    assert run.seconds() <= budget, (
        f"{run.seconds():.0f} s, and it may take {budget:.0f}; its slowest:\n{run.slowest()}"
    )
    print(f"{lab.stem}: {run.seconds():.0f} s\n{run.slowest()}")
