"""Every lab on a real cluster: solved, it does what it says; unanswered, it runs to its end without a traceback."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kafkalab import Cluster
from kafkalab.checks.grade import grade
from tests.labs.running import run_solved

ROOT = Path(__file__).resolve().parents[2]
LABS = sorted((ROOT / "labs").glob("*.ipynb"))

pytestmark = pytest.mark.timeout(900)


@pytest.fixture
def lab_cluster(one_cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> Cluster:
    """The warm cluster, as the one that notebooks attach to."""
    monkeypatch.setenv("KAFKALAB_CLUSTER", one_cluster.name)
    # A notebook runs in its own folder; kafkalab is found there too when it is not installed.
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    return one_cluster


def left_behind(cluster: Cluster) -> list[str]:
    """Topics that a lab made and did not remove."""
    return [topic.name for topic in cluster.snapshot().topics if not topic.internal]


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
