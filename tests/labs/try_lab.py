"""Runs one lab's notebook on a cluster made for it, as the tests do, and says how long each cell took.

python -m tests.labs.try_lab 02 [--mode kraft] [--blank] [--twice]
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path

from kafkalab import Cluster
from tests.labs.running import ROOT, groups_left, left_behind, run_notebook


def main() -> None:
    """Run it; ends with what went wrong, if anything did."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lab")
    parser.add_argument("--mode", choices=["zookeeper", "kraft"], default="zookeeper")
    parser.add_argument("--blank", action="store_true", help="the learner's notebook, unanswered")
    parser.add_argument("--twice", action="store_true", help="twice in a row on the same cluster")
    options = parser.parse_args()
    (lab,) = (ROOT / "labs").glob(f"{options.lab}_*.ipynb")
    notebook = lab if options.blank else lab.parent / "solutions" / lab.name
    with Cluster(name=f"try-{os.getpid()}", mode=options.mode, throw_away=True) as cluster:
        os.environ["KAFKALAB_CLUSTER"] = cluster.name
        os.environ["KAFKALAB_PROGRESS"] = "off"
        for turn in range(2 if options.twice else 1):
            with tempfile.TemporaryDirectory() as folder:
                began = time.monotonic()
                print(run_notebook(notebook, Path(folder), "--durations=12"))
                print(f"run {turn + 1}: {time.monotonic() - began:.1f} s")
            assert left_behind(cluster) == [], left_behind(cluster)
            assert groups_left(cluster) == [], groups_left(cluster)
            assert [node.name for node in cluster.nodes() if node.state != "running"] == []


if __name__ == "__main__":
    main()
