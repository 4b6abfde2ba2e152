"""Runs labs' notebooks on clusters made for them, as the tests do, and says how long their slowest cells took.

python -m tests.labs.try_lab 02a [--mode kraft] [--blank] [--twice]
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

from kafkalab import Cluster
from kafkalab.cluster.spec import Mode
from tests.labs.running import ROOT, left_behind, run_notebook, running

MODES: dict[str, tuple[Mode, ...]] = {"zookeeper": ("zookeeper",), "kraft": ("kraft",), "both": ("zookeeper", "kraft")}


def attempt(lab: Path, mode: Mode, turns: int) -> None:
    """Run a notebook so many times in a row on a cluster made for it; fails with what went wrong."""
    with Cluster(name=f"try-{os.getpid()}", mode=mode, throw_away=True) as cluster:
        os.environ["KAFKALAB_CLUSTER"] = cluster.name
        nodes = running(cluster)
        for turn in range(turns):
            with tempfile.TemporaryDirectory() as folder:
                run = run_notebook(lab, Path(folder))
            print(f"{lab.stem} {mode} {turn + 1}: {run.seconds():.1f} s\n{run.slowest(12)}", flush=True)
            assert (left_behind(cluster), running(cluster)) == ([], nodes)


def main() -> None:
    """Run them; ends with what went wrong, if anything did."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labs", nargs="*", metavar="LAB", help="their numbers; without any, every lab")
    parser.add_argument("--mode", choices=MODES, default="zookeeper")
    parser.add_argument("--blank", action="store_true", help="the learner's notebook, unanswered")
    parser.add_argument("--twice", action="store_true", help="twice in a row on the same cluster")
    options = parser.parse_args()
    os.environ["KAFKALAB_PROGRESS"] = "off"
    for lab in sorted((ROOT / "labs" / ("" if options.blank else "solutions")).glob("[0-9][0-9]*_*.ipynb")):
        if not options.labs or lab.stem.partition("_")[0] in options.labs:
            for mode in MODES[options.mode]:
                attempt(lab, mode, 2 if options.twice else 1)


if __name__ == "__main__":
    main()
