"""``kafkalab lab``: a cluster, and JupyterLab on the labs beside it, which end together."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from kafkalab.cluster.cluster import LAB, Cluster
from kafkalab.cluster.folder import ClusterFolder
from kafkalab.cluster.jars import SETS, jar_set
from kafkalab.cluster.spec import Mode
from kafkalab.errors import KafkalabError
from kafkalab.progress import bar


def labs_folder() -> Path:
    """The labs of this checkout (or, in an installed package, the copies it carries)."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package.parent / "labs", package / "_labs"):
        if folder.is_dir():
            return folder
    raise KafkalabError(
        "The labs are not where they should be.",
        seen=f"no {package.parent / 'labs'}",
        do="Run this in a checkout of kafkalab.",
    )


def serve(arguments: Sequence[str], mode: Mode) -> int:
    """Fetch what is needed, start (or find) the cluster, run JupyterLab until it ends; returns its exit code."""
    folder = labs_folder()
    for name in SETS:
        if name in (mode, "spark"):
            with bar(f"Fetching the jars of {name}") as progress:
                jar_set(name).ensure(progress)
    found = ClusterFolder.of(LAB).alive
    cluster = Cluster.attach(LAB) if found else Cluster(name=LAB, mode=mode)
    print(f"Kafka is up: {cluster.bootstrap_servers}", file=sys.stderr, flush=True)
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.root_dir={folder}",
        *arguments,
    ]
    command += (
        ["--LabApp.default_url=/lab/tree/00_start_here.ipynb"] if (folder / "00_start_here.ipynb").exists() else []
    )
    # In a container everybody is root; Jupyter would refuse. It listens on loopback and asks for its token all the same.
    command += ["--allow-root"] if os.geteuid() == 0 else []
    try:
        return _run(
            command,
            {**os.environ, "KAFKALAB_CLUSTER": LAB, "PATH": f"{cluster.path()}{os.pathsep}{os.environ['PATH']}"},
        )
    finally:
        if not found:
            cluster.stop()


def _run(command: list[str], environment: dict[str, str]) -> int:
    """JupyterLab as a child that gets our signals and never outlives us."""
    with subprocess.Popen(command, env=environment, start_new_session=True) as jupyter:

        def end(number: int, frame: object) -> None:
            # SIGINT makes it ask "really?" on a terminal; SIGTERM ends it and its kernels in order.
            jupyter.send_signal(signal.SIGTERM)

        before = [(number, signal.signal(number, end)) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
        try:
            return jupyter.wait()
        finally:
            for number, handler in before:
                signal.signal(number, handler)
