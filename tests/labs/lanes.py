"""The labs in two lanes: those of Kafka on the warm cluster of one mode, those of Spark on that of the other.

The two modes change places every day (KAFKALAB_LABS_MODE: the mode of Kafka's). `make labs-test` runs all in both.
"""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from kafkalab import Cluster
from tests.labs.running import ROOT, left_behind, run_solved, running

LANES = {"kafka": range(21), "spark": range(21, 100)}
#: The one that the lowest tier runs, too: it takes half a minute, and what it shows is on a broker's disk. Lab 00 is
#: graded there, and clicked through.
QUICK = "03a"
MODES = ["zookeeper", "kraft"]
#: Seconds that a lab should take on a quiet machine. It fails after four times as many: then it hangs somewhere,
#: and is not merely slow beside other work.
BUDGET, HANGS = 50, 200


def labs_of(lane: str) -> list[Any]:
    """The lane's labs, each with its mode of today; all but one only in the deeper tiers."""
    at = MODES.index(os.environ.get("KAFKALAB_LABS_MODE") or MODES[date.today().toordinal() % 2])
    mode = MODES[at if lane == "kafka" else 1 - at]
    labs = [lab for lab in sorted((ROOT / "labs").glob("[0-9][0-9]*_*.ipynb")) if int(lab.stem[:2]) in LANES[lane]]
    numbers = [lab.stem.partition("_")[0] for lab in labs]
    return [
        pytest.param(lab, mode, id=f"{number}-{mode}", marks=[] if number == QUICK else [pytest.mark.deep])
        for number, lab in zip(numbers, labs, strict=True)
    ]


def does_what_it_says(lab: Path, cluster: Cluster, scratch: Path) -> None:
    """Run a lab with each answer first blank, then wrong, and then given; fails where it does not do what it says."""
    before = (left_behind(cluster), running(cluster))
    run = run_solved(lab, scratch)
    assert (left_behind(cluster), running(cluster)) == before
    told = f"{lab.stem}: {run.seconds():.0f} s of {BUDGET}; its slowest cells:\n{run.slowest()}"
    print(told)
    assert run.seconds() <= HANGS, told
