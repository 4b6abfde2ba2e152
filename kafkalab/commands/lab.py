"""``kafkalab lab``: start a cluster, and JupyterLab with the labs beside it; both end together."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from kafkalab.cluster.backend import BackendName
from kafkalab.cluster.backends import is_running
from kafkalab.cluster.folder import ClusterFolder
from kafkalab.cluster.jars import jar_set
from kafkalab.cluster.supervisor import die_with_parent
from kafkalab.errors import KafkalabError
from kafkalab.grading.restore import carried_labs
from kafkalab.handles.cluster import LAB, Cluster
from kafkalab.home import make_dir, write_whole
from kafkalab.progressbar import bar
from kafkalab.state.model import Mode

log = logging.getLogger(__name__)


# --- Workspace: the learner's own folder of labs, with copies of the notebooks that kafkalab carries.


#: Patterns of the files that a learner gets. Solutions come from ``q1.solution()``, and the rest of a checkout's labs/
#: only serves to make the notebooks.
WANTED = ("*.ipynb", "glossary.md")
#: Name of the JSON file in a folder that kafkalab filled: file → the sha256 of each of its editions copied there.
RECORD = ".kafkalab.json"


def prepare(folder: Path, carried: Path) -> list[str]:
    """Fill a learner's folder, or bring it up to date without touching what the learner changed; return the news.

    A missing file is copied, and an unchanged one is replaced by a newer edition. A changed one stays, and its newer
    edition is put beside it, once. A folder of notebooks that kafkalab did not fill is left as it is.

    :param carried: the folder of the labs in this checkout or installed package.
    :raises KafkalabError: when the folder cannot be written.
    """
    record = folder / RECORD
    try:
        if not record.exists() and any(folder.glob("*.ipynb")):
            return []
        make_dir(folder, "KAFKALAB_LABS")
        return _update(folder, record, carried)
    except OSError as e:
        raise KafkalabError(
            f"The labs cannot be copied to {folder}.",
            seen=f"{type(e).__name__}: {e.strerror or e}",
            do="Free space or fix its permissions, or name another folder: kafkalab lab --labs FOLDER",
        ) from e


def _update(folder: Path, record: Path, carried: Path) -> list[str]:
    given, news = _read(record), []
    for pattern in WANTED:
        for source in sorted(carried.glob(pattern)):
            name = source.relative_to(carried).as_posix()
            if sentence := _bring(source, folder / name, given.setdefault(name, [])):
                news.append(sentence)
    # Whole, because with half a file it would be unknown which notebooks the learner has changed.
    write_whole(record, json.dumps(given, indent=1))
    return news


def _bring(source: Path, mine: Path, given: list[str]) -> str:
    """Copy one file without overwriting a changed one; return any news. ``given``: its editions copied so far."""
    edition = _sum(source)
    new, first = edition not in given, not given
    if new:
        given.append(edition)
    if not mine.exists():
        mine.parent.mkdir(exist_ok=True)
        shutil.copyfile(source, mine)
        return "" if first else f"{mine.name} was missing, so you get a new copy."
    now = _sum(mine)
    if now == edition:
        return ""
    if now in given:
        shutil.copyfile(source, mine)
        return f"{mine.name} was replaced by its newer edition, because you had not changed it."
    if not new:
        return ""
    beside = next(
        path for n in range(2, 1000) if not (path := mine.with_name(f"{mine.stem}-{n}{mine.suffix}")).exists()
    )
    shutil.copyfile(source, beside)
    return f"{mine.name} has a newer edition, saved as {beside.name}. Your own file stays as it is."


def trust(notebooks: Path, carried: Path) -> None:
    """Sign the notebooks of a folder that are as kafkalab carries them.

    JupyterLab shows no picture of a notebook that it has not seen run, because it could hold a script. It signs itself
    what a learner saves in it.
    """
    import nbformat
    from nbformat.sign import NotebookNotary

    known = {_sum(path) for path in carried.glob("*.ipynb")}
    try:
        notary = NotebookNotary()  # type: ignore[no-untyped-call]
        for path in sorted(notebooks.glob("*.ipynb")):
            if _sum(path) in known:
                notary.sign(nbformat.read(path, as_version=4))  # type: ignore[no-untyped-call]
    except Exception as error:  # JupyterLab must start even if its pictures cannot be shown
        log.warning("Pictures in the labs may not be shown until their cells are run: %s", error)


def _sum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _read(record: Path) -> dict[str, list[str]]:
    """Read what was copied before; a file that cannot be read counts as empty, so that every changed notebook stays."""
    try:
        said = json.loads(record.read_text(encoding="utf-8"))
        return {str(name): [str(edition) for edition in editions] for name, editions in said.items()}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}


FIRST = "00_start_here.ipynb"


def serve(arguments: Sequence[str], mode: Mode, labs: Path | None = None, backend: BackendName | None = None) -> int:
    """Fetch what is needed, start (or find) the cluster, and run JupyterLab until it ends; return its exit code.

    :param labs: the learner's folder of labs, which is filled when it is new.
    """
    folder = (labs or Path.home() / "kafkalab-labs").expanduser().absolute()
    for sentence in (f"Your labs: {folder}", *prepare(folder, carried_labs())):
        print(sentence, file=sys.stderr, flush=True)
    for name in (mode, "spark"):
        with bar(f"Fetching the jars of {name}") as progress:
            jar_set(name).ensure(progress)
    found = is_running(ClusterFolder.of(LAB))
    cluster = Cluster.attach(LAB) if found else Cluster(name=LAB, mode=mode, backend=backend)
    print(f"Kafka is up: {cluster.bootstrap_servers}", file=sys.stderr, flush=True)
    trust(folder, carried_labs())
    command = [sys.executable, "-m", "jupyterlab", "--ServerApp.ip=127.0.0.1"]
    command += [f"--ServerApp.root_dir={folder}", *codespace(arguments, os.environ), *arguments]
    if (folder / FIRST).exists():
        command.append(f"--LabApp.default_url=/lab/tree/{FIRST}")
    if os.geteuid() == 0:
        # In a container everybody is root, which Jupyter refuses. Here it is on loopback and asks for its token.
        command.append("--allow-root")
    environment = {**os.environ, "KAFKALAB_CLUSTER": LAB}
    # Our settings switch off JupyterLab's news and its check for updates: a lab needs no network.
    for name, first in (("PATH", cluster.path()), ("JUPYTER_CONFIG_PATH", Path(__file__).parent / "jupyter")):
        environment[name] = os.pathsep.join(filter(None, [str(first), os.environ.get(name)]))
    try:
        return _run(command, environment)
    finally:
        if not found:
            cluster.stop()


def codespace(arguments: Sequence[str], environ: Mapping[str, str]) -> list[str]:
    """Return JupyterLab's options for a Codespace, where the browser uses another address; only that one is let in."""
    name, domain = environ.get("CODESPACE_NAME"), environ.get("GITHUB_CODESPACES_PORT_FORWARDING_DOMAIN")
    if environ.get("CODESPACES") != "true" or not name or not domain:
        return []
    asked = re.search(r"--(?:ServerApp\.)?port[= ](\d+)", " ".join(arguments))
    origin = f"https://{name}-{asked[1] if asked else 8888}.{domain}"
    # The address holds the port, so JupyterLab must not choose another one.
    return [f"--ServerApp.allow_origin={origin}", "--ServerApp.port_retries=0"]


def _run(command: list[str], environment: dict[str, str]) -> int:
    """Run JupyterLab as a child process that gets our signals and never outlives us."""
    tied_to_us = partial(die_with_parent, signal.SIGTERM)
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
