"""Runs one restored notebook in a process of its own, with its own folders and its own cluster."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import hmac
import json
import os
import re
import secrets
import selectors
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from kafkalab.errors import KafkalabError
from kafkalab.exercises.judging import patience
from kafkalab.grading.judge import Cases
from kafkalab.grading.limits import MARKER, Limits, end, marked, remove
from kafkalab.grading.restore import Restored
from kafkalab.home import cache_dir

# --- Lines from the process that judges a notebook to the one that started it, signed so that nobody can forge them.


_PR_GET_DUMPABLE, _PR_SET_DUMPABLE = 3, 4


def readable(state: bool) -> bool:
    """Allow or forbid this user's other processes to look into this one and open its pipes; return the old setting.

    Notebooks run as this user. Root may always look, and on macOS only root may, so nothing is changed there.
    """
    if sys.platform != "linux":
        return True
    libc = ctypes.CDLL(None, use_errno=True)
    before = bool(libc.prctl(_PR_GET_DUMPABLE, 0, 0, 0, 0))
    libc.prctl(_PR_SET_DUMPABLE, int(state), 0, 0, 0)
    return before


def signed(key: bytes, what: Mapping[str, Any]) -> bytes:
    """Return a line with this content as JSON, after a signature made with the key."""
    said = json.dumps(what).encode()
    return _seal(key, said) + b" " + said + b"\n"


def opened(key: bytes, line: bytes) -> dict[str, Any]:
    """Return the content of a signed line; for a line with a wrong signature, a report of that."""
    seal, _, said = line.partition(b" ")
    if not hmac.compare_digest(seal, _seal(key, said)):
        return {
            "reported": "A program other than this hand-in's grader wrote into the pipe of that grader, and was "
            "ignored. It need not have been this hand-in: any hand-in that was graded at that time could have done it."
        }
    found: dict[str, Any] = json.loads(said)
    return found


def _seal(key: bytes, said: bytes) -> bytes:
    return hmac.new(key, said, hashlib.sha256).hexdigest().encode()


#: Seconds that a run gets beyond its notebook's own, for the cluster, for judging, and for the clean-up.
_GRACE = 900.0
#: Names of the environment variables that a run inherits.
_PASSED = re.compile(
    "PATH|LANG|LANGUAGE|LC_.*|TZ|USER|LOGNAME|SHELL|TERM|LD_LIBRARY_PATH|DYLD_.*|VIRTUAL_ENV|CONDA_PREFIX"
    "|PYTHON.*|JAVA_HOME|JDK_JAVA_OPTIONS|JAVA_TOOL_OPTIONS|SPARK_HOME|SPARK_LOCAL_IP|OMP_NUM_THREADS"
    "|SSL_CERT_.*|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|https?_proxy|no_proxy|HTTPS?_PROXY|NO_PROXY|KAFKALAB_.*"
)
#: Seconds to wait for the first line of a run, which comes when its cluster is up, and for each further line. Like all
#: times here, they are for a quiet machine.
_STARTING, _SILENCE = 600.0, 60.0
#: Seconds that a process gets for its clean-up after it was told to end.
_PUTTING_AWAY = 30.0


@dataclass(slots=True)
class Run:
    """The outcome of a run: exercise → its result, sentences on what stopped, and sentences for the instructor."""

    questions: dict[str, dict[str, Any]] = field(default_factory=dict)
    stopped: list[str] = field(default_factory=list)
    reported: list[str] = field(default_factory=list)
    failed: str = ""
    begun: bool = False
    done: bool = False


def run(
    restored: Restored,
    lab: str,
    *,
    limits: Limits,
    cases: Cases,
    mode: str = "zookeeper",
    cancelled: threading.Event,
    progress: Callable[[int, int], None],
) -> Run:
    """Run a notebook, and judge each answer at the place of its check.

    :param cancelled: when set, everything is ended and cleaned up.
    :raises KafkalabError: the cluster did not start, or the work was cancelled.
    """
    folder = Path(tempfile.mkdtemp(prefix="klg-")).resolve()
    marker = uuid.uuid4().hex
    try:
        for part in ("home", "kafkalab", "tmp", "work", "own"):
            (folder / part).mkdir()
        notebook = folder / "work" / "notebook.ipynb"
        notebook.write_text(json.dumps(_notebook(restored)), encoding="utf-8")
        spec: dict[str, Any] = {
            "folder": str(folder),
            "lab": lab,
            "limits": asdict(limits),
            "cases": asdict(cases),
            "mode": mode,
            "cluster": f"grade-{marker[:8]}",
            "untouched": sorted(restored.untouched),
            "steps": [asdict(step) for step in restored.steps],
        }
        environment = _environment(folder, marker, spec["cluster"], mode)
        found = _watched(notebook, spec, environment, cancelled, progress, limits.notebook_seconds + _GRACE)
    finally:
        end(lambda: marked(marker))
        remove(folder)
    if found.failed:
        raise KafkalabError(
            "A notebook's cluster did not start.", seen=found.failed, do="Run `kafkalab doctor` to find out why."
        )
    return found


def _notebook(restored: Restored) -> dict[str, Any]:
    blank: dict[str, Any] = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    cells = [{**blank, "id": f"cell-{n}", "source": step.source} for n, step in enumerate(restored.steps)]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": kernel}, "cells": cells}


def _environment(folder: Path, marker: str, cluster: str, mode: str) -> dict[str, str]:
    """Return the environment of a run: all places where programs write by default are in the run's folder.

    It inherits only what Python, Java and kafkalab need from the instructor's own, and so no tokens or passwords.
    """
    kept = {name: value for name, value in os.environ.items() if _PASSED.fullmatch(name)}
    home = folder / "home"
    own = {
        MARKER: marker,
        "KAFKALAB_CLUSTER": cluster,
        "KAFKALAB_CACHE": str(cache_dir()),
        "KAFKALAB_MODE": mode,
        "KAFKALAB_HOME": str(folder / "kafkalab"),
        "KAFKALAB_BACKEND": "local",
        "TMPDIR": str(folder / "tmp"),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "HOME": str(home),
        # Packages that were installed for this user are still found, although HOME is another folder.
        "PYTHONUSERBASE": os.environ.get("PYTHONUSERBASE") or _user_base(),
        "IPYTHONDIR": str(home / "ipython"),
        "JUPYTER_CONFIG_DIR": str(home / "jupyter"),
        "JUPYTER_RUNTIME_DIR": str(folder / "own" / "runtime"),
        "MPLCONFIGDIR": str(_fonts(home / "matplotlib")),
        "XDG_CACHE_HOME": str(home / "cache"),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_CONFIG_HOME": str(home / "config"),
    }
    root = Path(__file__).resolve().parents[2]
    if (root / "pyproject.toml").is_file():
        own["PYTHONPATH"] = os.pathsep.join(filter(None, [str(root), kept.get("PYTHONPATH", "")]))
    return kept | own


def _user_base() -> str:
    import site

    return site.getuserbase()


def _fonts(folder: Path) -> Path:
    """Make a folder for matplotlib with a copy of its list of fonts, which it would otherwise build in each run."""
    import matplotlib

    folder.mkdir(parents=True)
    with contextlib.suppress(OSError):
        for known in Path(matplotlib.get_cachedir()).glob("fontlist-*.json"):
            shutil.copy(known, folder)
    return folder


def _command(notebook: Path, folder: Path) -> list[str]:
    settings = folder / "own" / "pytest.ini"
    settings.write_text("[pytest]\n", encoding="utf-8")
    plugins = ["nbval.plugin", "kafkalab.grading.plugin", "no:cacheprovider", "no:faulthandler", "no:warnings"]
    # -P: nothing is imported from the folder that the notebook can write into.
    return [
        *(sys.executable, "-P", "-m", "pytest", "-c", str(settings), "--rootdir", str(notebook.parent)),
        *("--noconftest", "-Wignore", "--capture=no", "--nbval-lax", "--nbval-current-env"),
        *(word for plugin in plugins for word in ("-p", plugin)),
        str(notebook),
    ]


def _watched(
    notebook: Path,
    spec: dict[str, Any],
    environment: dict[str, str],
    cancelled: threading.Event,
    progress: Callable[[int, int], None],
    longest: float,
) -> Run:
    folder = Path(spec["folder"])
    reading, writing = os.pipe()
    found = Run()
    with (folder / "own" / "log").open("wb") as log, os.fdopen(reading, "rb", buffering=0):
        try:
            process = subprocess.Popen(
                _command(notebook, folder),
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=folder / "own",
                env=environment,
                pass_fds=(writing,),
                start_new_session=True,
            )
        finally:
            os.close(writing)
        assert process.stdin is not None
        try:
            key = secrets.token_bytes(32)
            process.stdin.write(json.dumps({**spec, "pipe": writing, "key": key.hex()}).encode() + b"\n")
            process.stdin.flush()
            for line in _lines(reading, key, cancelled, longest):
                _take(found, line, progress)
        except BrokenPipeError:
            pass  # the process ended before it had read its task; the log says why
        finally:
            _end(process, 5.0 if found.done else 0.0)
    if not found.done and found.begun:
        found.stopped.append("The process that judged the notebook ended or stopped answering while the notebook ran.")
    elif not found.failed and (not found.done or not found.questions):
        tail = (folder / "own" / "log").read_text(errors="replace").splitlines()[-12:]
        raise KafkalabError(
            "The process that grades a notebook ended too early.", log="\n".join(tail), do="Its log says why."
        )
    return found


def _lines(pipe: int, key: bytes, cancelled: threading.Event, longest: float) -> Iterator[dict[str, Any]]:
    """Yield what the process reports, line by line, until it ends, falls silent, or takes too long."""
    rest = b""
    began = heard = time.monotonic()
    silence = _STARTING
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        while True:
            if cancelled.is_set():
                raise KafkalabError("Grading was interrupted.")
            if time.monotonic() > min(began + longest * patience(), heard + silence * patience()):
                return
            if not selector.select(0.25):
                continue
            said = os.read(pipe, 65536)
            if not said:
                return
            heard, silence = time.monotonic(), _SILENCE
            *lines, rest = (rest + said).split(b"\n")
            yield from (opened(key, line) for line in lines)


def _take(found: Run, line: dict[str, Any], progress: Callable[[int, int], None]) -> None:
    match line:
        case {"question": dict(result), "exercise": str(exercise)}:
            if found.questions.setdefault(exercise, result) is not result:
                found.reported.append(f"A second result came for {exercise}; only the first one counts.")
        case {"stopped": str(sentence)}:
            found.stopped.append(sentence)
        case {"reported": str(sentence)} if sentence not in found.reported:
            found.reported.append(sentence)
        case {"failed": str(why)}:
            found.failed = why
        case {"step": int(at), "of": int(of)}:
            found.begun = True
            progress(at, of)
        case {"done": True}:
            found.done = True


def _end(process: subprocess.Popen[bytes], seconds: float) -> None:
    """Wait for the process; then close its input, which asks it to clean up, and kill it if it does not end."""
    assert process.stdin is not None
    with process:
        if process.poll() is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(seconds)
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        try:
            process.wait(_PUTTING_AWAY)
        except subprocess.TimeoutExpired:
            process.kill()
