"""Every lab on a real cluster: solved, it does what it says; unanswered, it runs to its end without a traceback.

Solved in one of the two modes, by turns, and unanswered in the other; `make labs-test` runs all twice in a row in both.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from kafkalab import Cluster
from tests.labs.running import ROOT, groups_left, left_behind, run_solved, run_unanswered

LABS = sorted((ROOT / "labs").glob("[0-9][0-9]_*.ipynb"))
MODES = ("zookeeper", "kraft")

pytestmark = pytest.mark.timeout(900)


#: The learner's notebooks of these are run unanswered by tests/browser, in JupyterLab.
IN_THE_BROWSER = ("00", "21")


def in_turns(shift: int, *, but: tuple[str, ...] = ()) -> pytest.MarkDecorator:
    """Each lab with one mode; all of a mode one after the other, since only one cluster is kept warm."""
    pairs = sorted(
        ((lab, MODES[(at + shift) % 2]) for at, lab in enumerate(LABS) if lab.stem[:2] not in but),
        key=lambda pair: MODES.index(pair[1]),
    )
    return pytest.mark.parametrize(
        "lab, mode", [pytest.param(*pair, id=f"{pair[0].stem}-{pair[1]}") for pair in pairs], indirect=["mode"]
    )


def test_there_are_labs() -> None:
    numbers = [path.stem[:2] for path in LABS]
    assert numbers == ["00", "01", "02", "03", "04", "05", "21"]


@in_turns(0)
def test_the_solved_lab_does_what_it_says(lab: Path, lab_cluster: Cluster, tmp_path: Path) -> None:
    before = left_behind(lab_cluster)
    run_solved(lab, tmp_path)
    assert left_behind(lab_cluster) == before
    assert groups_left(lab_cluster) == []
    assert all(node.state == "running" for node in lab_cluster.nodes())


@in_turns(1, but=IN_THE_BROWSER)
def test_the_unanswered_lab_runs_to_its_end(lab: Path, lab_cluster: Cluster) -> None:
    before = left_behind(lab_cluster)
    outcomes = run_unanswered(lab)
    assert len(outcomes) >= 2
    assert set(outcomes.values()) == {"not attempted"}
    assert left_behind(lab_cluster) == before
    assert groups_left(lab_cluster) == []
