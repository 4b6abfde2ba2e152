"""Runs a lab in a real JupyterLab, its map and pictures open in Chromium, and says how much memory all of it takes.

    python -m tests.browser.weigh_lab 22 [--mode kraft]

The figure is the highest sum of the proportional set sizes (PSS) of all that a learner's machine or a Binder session
must hold, looked at once a second: the JupyterLab server, the kernel, Spark's driver and its Python workers, and the
cluster with its supervisor. The browser is the learner's own and is not counted.
"""

from __future__ import annotations

import argparse
import os
import threading
from collections import Counter

import psutil

from kafkalab import Cluster
from tests.browser.look_at_lab import opened, run_all
from tests.labs.running import ROOT


def kind(process: psutil.Process) -> str:
    """What a process is, in a word; "" for what is the browser's or the test's."""
    line = " ".join(process.cmdline())
    if "chrom" in line or "playwright" in line:
        return ""
    for word, sign in (
        ("ZooKeeper", "QuorumPeerMain"),
        ("ZooKeeper", "ZooKeeperServerMain"),
        ("brokers", "kafka.Kafka"),
    ):
        if sign in line:
            return word
    if "spark" in line:
        return "Spark" if "java" in line.partition(" ")[0] else "Spark's Python"
    if "ipykernel" in line:
        return "kernel"
    return "JupyterLab" if "jupyterlab" in line else "the rest"


def weigh(cluster: Cluster) -> Counter[str]:
    """Megabytes (PSS) now, by kind."""
    me = psutil.Process()
    found = {process.pid: process for process in me.children(recursive=True)}
    for node in cluster.nodes():
        if node.pid is not None:
            found[node.pid] = psutil.Process(node.pid)
    sizes: Counter[str] = Counter()
    for process in found.values():
        try:
            if name := kind(process):
                sizes[name] += process.memory_full_info().pss / 2**20
        except psutil.Error:
            continue
    return sizes


def main() -> None:
    """Weigh one lab."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lab")
    parser.add_argument("--mode", choices=["zookeeper", "kraft"], default="zookeeper")
    options = parser.parse_args()
    (lab,) = (ROOT / "labs").glob(f"{options.lab}_*.ipynb")
    os.environ["KAFKALAB_PROGRESS"] = "off"
    over, seen = threading.Event(), []
    with Cluster(name=f"weigh-{os.getpid()}", mode=options.mode, throw_away=True) as cluster:
        os.environ["KAFKALAB_CLUSTER"] = cluster.name

        def look() -> None:
            while not over.wait(1):
                seen.append(weigh(cluster))

        looking = threading.Thread(target=look)
        with opened(lab, solved=True) as notebook:
            looking.start()
            try:
                run_all(notebook)
            finally:
                over.set()
                looking.join()
            print("errors in the page:", notebook.errors or "none")
    peak = max(seen, key=lambda sizes: sizes.total())
    parts = ", ".join(f"{name} {size:,.0f}" for name, size in peak.most_common())
    print(f"{lab.stem}, {options.mode}: at most {peak.total():,.0f} MB (PSS): {parts}; looked {len(seen)} times")


if __name__ == "__main__":
    main()
