"""Every lab on a real cluster: solved, it does what it says; unanswered, it runs to its end without a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from kafkalab import Cluster
from kafkalab.checks.grade import grade
from tests.labs.running import ROOT, left_behind, run_solved

LABS = sorted((ROOT / "labs").glob("[0-9][0-9]_*.ipynb"))

pytestmark = pytest.mark.timeout(900)


def test_there_are_labs() -> None:
    assert {"00_start_here", "21_first_stream"} <= {path.stem for path in LABS}


@pytest.mark.parametrize("lab", LABS, ids=lambda p: p.stem)
def test_the_solved_lab_does_what_it_says(lab: Path, lab_cluster: Cluster, tmp_path: Path) -> None:
    before = left_behind(lab_cluster)
    run_solved(lab, tmp_path)
    assert left_behind(lab_cluster) == before


@pytest.mark.parametrize("lab", LABS, ids=lambda p: p.stem)
def test_the_unanswered_lab_runs_to_its_end(lab: Path, lab_cluster: Cluster) -> None:
    before = left_behind(lab_cluster)
    (result,) = grade([lab]).notebooks
    assert result.stopped == ()
    assert {question.outcome for question in result.questions} == {"not attempted"}
    assert (result.points, len(result.questions) >= 2) == (0, True)
    assert left_behind(lab_cluster) == before
