"""``kafkalab lab``: a cluster, and JupyterLab on the labs beside it, which end together."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from kafkalab.cluster.backend import BackendName
from kafkalab.cluster.backends import is_running
from kafkalab.cluster.cluster import LAB, Cluster
from kafkalab.cluster.folder import ClusterFolder
from kafkalab.cluster.jars import jar_set
from kafkalab.cluster.spec import Mode
from kafkalab.cluster.supervisor import die_with_parent
from kafkalab.commands.trust import trust_pictures
from kafkalab.commands.workspace import carried_labs, default_folder, prepare
from kafkalab.progress import bar

FIRST = "00_start_here.ipynb"


def serve(arguments: Sequence[str], mode: Mode, labs: Path | None = None, backend: BackendName | None = None) -> int:
    """Fetch what is needed, start (or find) the cluster, run JupyterLab until it ends; returns its exit code.

    :param labs: the learner's folder of labs, which is filled when it is new.
    """
    workspace = prepare(labs or default_folder())
    folder = workspace.folder
    for sentence in (f"Your labs: {folder}", *workspace.news):
        print(sentence, file=sys.stderr, flush=True)
    for name in (mode, "spark"):
        with bar(f"Fetching the jars of {name}") as progress:
            jar_set(name).ensure(progress)
    found = is_running(ClusterFolder.of(LAB))
    cluster = Cluster.attach(LAB) if found else Cluster(name=LAB, mode=mode, backend=backend)
    print(f"Kafka is up: {cluster.bootstrap_servers}", file=sys.stderr, flush=True)
    trust_pictures(folder, carried_labs() / "pictures")
    command = [sys.executable, "-m", "jupyterlab", "--ServerApp.ip=127.0.0.1"]
    command += [f"--ServerApp.root_dir={folder}", *codespace(arguments, os.environ), *arguments]
    if (folder / FIRST).exists():
        command.append(f"--LabApp.default_url=/lab/tree/{FIRST}")
    if os.geteuid() == 0:
        # In a container everybody is root, which Jupyter refuses; it is on loopback, and asks for its token.
        command.append("--allow-root")
    environment = {**os.environ, "KAFKALAB_CLUSTER": LAB}
    environment["PATH"] = _before(str(cluster.path()), os.environ.get("PATH"))
    # Switches off JupyterLab's news and look for updates: a lab asks nothing of the network.
    environment["JUPYTER_CONFIG_PATH"] = _before(
        str(Path(__file__).parent / "jupyter"), os.environ.get("JUPYTER_CONFIG_PATH")
    )
    try:
        return _run(command, environment)
    finally:
        if not found:
            cluster.stop()


def codespace(arguments: Sequence[str], environ: Mapping[str, str]) -> list[str]:
    """JupyterLab's options in a Codespace: a browser comes by another address there, and only that one is let in."""
    name, domain = environ.get("CODESPACE_NAME"), environ.get("GITHUB_CODESPACES_PORT_FORWARDING_DOMAIN")
    if environ.get("CODESPACES") != "true" or not name or not domain:
        return []
    asked = re.search(r"--(?:ServerApp\.)?port[= ](\d+)", " ".join(arguments))
    origin = f"https://{name}-{asked[1] if asked else 8888}.{domain}"
    # On another port the address would be another one.
    return [f"--ServerApp.allow_origin={origin}", "--ServerApp.port_retries=0"]


def _before(first: str, rest: str | None) -> str:
    return f"{first}{os.pathsep}{rest}" if rest else first


def _run(command: list[str], environment: dict[str, str]) -> int:
    """JupyterLab as a child that gets our signals and never outlives us."""

    def tied_to_us() -> None:
        die_with_parent(signal.SIGTERM)

    with subprocess.Popen(command, env=environment, start_new_session=True, preexec_fn=tied_to_us) as jupyter:

        def end(number: int, frame: object) -> None:
            # SIGINT makes it ask "really?" on a terminal; SIGTERM ends it and its kernels in order.
            jupyter.send_signal(signal.SIGTERM)

        before = [(number, signal.signal(number, end)) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
        try:
            return jupyter.wait()
        finally:
            for number, handler in before:
                signal.signal(number, handler)
