"""Runs one lab's notebook on a cluster made for it, as the tests do, and says how long each cell took.

python -m tests.labs.try_lab 02 [--mode kraft] [--blank] [--twice]
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path
from typing import cast

from kafkalab import Cluster
from kafkalab.cluster.spec import Mode
from tests.labs.running import ROOT, groups_left, left_behind, run_notebook

MODES = ("zookeeper", "kraft")


def attempt(lab: Path, mode: Mode, *, blank: bool, turns: int) -> None:
    """Run a lab so many times in a row on a cluster made for it; fails with what went wrong."""
    notebook = lab if blank else lab.parent / "solutions" / lab.name
    with Cluster(name=f"try-{os.getpid()}", mode=mode, throw_away=True) as cluster:
        os.environ["KAFKALAB_CLUSTER"] = cluster.name
        nodes = [node.name for node in cluster.nodes()]
        for turn in range(turns):
            with tempfile.TemporaryDirectory() as folder:
                began = time.monotonic()
                told = run_notebook(notebook, Path(folder), "--durations=12")
                print(
                    told if turns == 1 else "", f"{notebook.stem} {mode} {turn + 1}: {time.monotonic() - began:.1f} s"
                )
            assert left_behind(cluster) == [], left_behind(cluster)
            assert groups_left(cluster) == [], groups_left(cluster)
            assert [node.name for node in cluster.nodes() if node.state == "running"] == nodes


def main() -> None:
    """Run them; ends with what went wrong, if anything did."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labs", nargs="*", metavar="LAB", help="their numbers; without any, every lab")
    parser.add_argument("--mode", choices=[*MODES, "both"], default="zookeeper")
    parser.add_argument("--blank", action="store_true", help="the learner's notebook, unanswered")
    parser.add_argument("--twice", action="store_true", help="twice in a row on the same cluster")
    options = parser.parse_args()
    os.environ["KAFKALAB_PROGRESS"] = "off"
    for lab in sorted((ROOT / "labs").glob("[0-9][0-9]_*.ipynb")):
        if options.labs and lab.stem[:2] not in options.labs:
            continue
        for mode in MODES if options.mode == "both" else (options.mode,):
            attempt(lab, cast(Mode, mode), blank=options.blank, turns=2 if options.twice else 1)


if __name__ == "__main__":
    main()
