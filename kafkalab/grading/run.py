"""Runs one restored notebook in a process of its own, with its own folders and cluster, and in a sandbox if asked."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import site
import subprocess
import sys
import tempfile
import threading
import uuid
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

from kafkalab.cluster.java import find_java
from kafkalab.errors import KafkalabError
from kafkalab.exercises.judging import patience
from kafkalab.grading.kernel import Limits, remove
from kafkalab.grading.restore import Restored
from kafkalab.grading.runner import Cases
from kafkalab.home import cache_dir
from kafkalab.state.model import Mode

#: Seconds that a run gets beyond its notebook's own, for the cluster, for judging, and for the clean-up.
_GRACE = 900.0
#: Seconds that a process gets for its clean-up after it was told to end.
_PUTTING_AWAY = 30.0
#: Names of the environment variables that a run inherits: what Python, Java and kafkalab need; no tokens or passwords.
_PASSED = re.compile(
    "PATH|LANG|LC_.*|TZ|USER|SHELL|TERM|LD_LIBRARY_PATH|DYLD_.*|VIRTUAL_ENV|CONDA_PREFIX|PYTHONUTF8|JAVA_HOME|SPARK_LOCAL_IP"
    "|JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|SSL_CERT_.*|.*_CA_BUNDLE|https?_proxy|no_proxy|HTTPS?_PROXY|NO_PROXY"
    "|KAFKALAB_(?:PROFILE|PROGRESS)"
)
_PACKAGE = Path(__file__).resolve().parents[1]
#: The folders of a run.
_PARTS = ("home", "kafkalab", "tmp", "work", "own")


#: What has a password in it: the address of a proxy, and Java's options for one.
_PASSWORD = re.compile(r"://[^/\s]*@|proxyPassword", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Options:
    """The way in which hand-ins are run.

    :param limits: limits of each notebook.
    :param mode: mode of the clusters.
    :param isolate: whether each is run in a sandbox: :func:`sandbox`.
    :param cases: a folder of hidden cases.
    :param jobs: number of notebooks that run side by side.
    """

    limits: Limits = field(default_factory=Limits)
    mode: Mode = "zookeeper"
    isolate: bool = False
    cases: Path | None = None
    jobs: int = 1


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
    restored: Restored, lab: str, options: Options, cases: Cases, cancelled: threading.Event, step: Callable[[], None]
) -> Run:
    """Run a notebook, and judge each answer at the place of its check.

    :param cancelled: when set, everything is ended and cleaned up.
    :param step: called at each cell.
    :raises KafkalabError: the cluster did not start, or the work was cancelled.
    """
    folder = Path(tempfile.mkdtemp(prefix="klg-")).resolve()
    spec: dict[str, Any] = {
        "folder": str(folder),
        "lab": lab,
        "limits": asdict(options.limits),
        "cases": cases.code,
        "mode": options.mode,
        "isolated": options.isolate,
        "cluster": f"grade-{uuid.uuid4().hex[:8]}",
        "untouched": sorted(restored.untouched),
        "steps": [asdict(step) for step in restored.steps],
    }
    try:
        for part in _PARTS:
            (folder / part).mkdir()
        # -P: nothing is imported from the folder that it works in.
        command = [*(sandbox(folder) if options.isolate else ()), sys.executable, "-P", "-m", "kafkalab.grading.runner"]
        with (folder / "own" / "log").open("w+b") as log:
            found = _watched(command, spec, _environment(folder, spec["cluster"], options.mode), log, cancelled, step)
            if cancelled.is_set():
                raise KafkalabError("Grading was interrupted.")
            if not found.begun:
                log.seek(0)
                raise KafkalabError(
                    "A notebook's cluster or its grader did not start.",
                    seen=found.failed,
                    do="Run `kafkalab doctor` to find out why.",
                    log="" if found.failed else "\n".join(log.read().decode(errors="replace").splitlines()[-12:]),
                )
    finally:
        remove(folder)
    if not found.done:
        found.stopped.append("The process that judged the notebook ended or stopped answering while the notebook ran.")
    return found


def _environment(folder: Path, cluster: str, mode: str) -> dict[str, str]:
    """Return the environment of a run: all places where programs write by default are in the run's folder."""
    kept = {
        name: value for name, value in os.environ.items() if _PASSED.fullmatch(name) and not _PASSWORD.search(value)
    }
    # Nothing that depends on the folder in which it works, because the notebook writes there.
    folders = [str(_PACKAGE.parent)] if _is_checkout(_PACKAGE.parent) else []
    folders += filter(os.path.isabs, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    return kept | {
        "KAFKALAB_CLUSTER": cluster,
        "KAFKALAB_CACHE": str(cache_dir()),
        "KAFKALAB_MODE": mode,
        "KAFKALAB_HOME": str(folder / "kafkalab"),
        "TMPDIR": str(folder / "tmp"),
        "HOME": str(folder / "home"),
        # Packages that were installed for this user are still found, although HOME is another folder.
        "PYTHONUSERBASE": site.getuserbase(),
        "PYTHONPATH": os.pathsep.join(folders),
    }


# --- The sandbox of one hand-in.


#: What programs of the system need, as far as it is there.
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/sys/devices/system/cpu")
#: What only root reads, and a sandbox that root makes could read, too.
_SECRET = ("/etc/shadow", "/etc/gshadow")


def sandbox(folder: Path) -> list[str]:
    """Return the start of a command line that runs a command in a sandbox of bubblewrap, for one hand-in.

    It has a network of its own with nothing but loopback, processes of its own, and a file system in which it can write
    only to ``folder``. There it sees this Python with its packages, Java, the jars and kafkalab, but no solutions, and
    nothing else of this user's. The command is its first process, which no other of it can end.

    :raises KafkalabError: there is no bubblewrap.
    """
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        raise KafkalabError(
            "Hand-ins cannot be isolated here: there is no bubblewrap.",
            seen="no bwrap on PATH",
            do="Install bubblewrap, which needs Linux: apt install bubblewrap, or dnf install bubblewrap.",
        )
    words = [bwrap, "--unshare-user", "--unshare-all", "--die-with-parent", "--new-session", "--as-pid-1"]
    words += ["--cap-drop", "ALL", "--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--dev", "/dev"]
    if os.geteuid() == 0:
        words += ["--uid", "1000", "--gid", "1000"]
    words += ["--bind", str(folder / "tmp"), "/tmp"]
    seen = [*_SYSTEM, sys.prefix, sys.base_prefix, str(find_java().home), str(cache_dir()), str(_PACKAGE)]
    seen += [str(_PACKAGE.parent / "datasets"), *filter(_is_library, [*sys.path, site.getusersitepackages()])]
    hidden = [
        *_PACKAGE.glob("course/*/solutions.json"),
        *filter(Path.exists, map(Path, _SECRET)),
        *Path("/etc/ssh").glob("*_key"),
    ]
    words += ["--bind", str(folder), str(folder), "--chdir", str(folder / "own")]
    words += [word for path in dict.fromkeys(seen) for word in ("--ro-bind-try", path, path)]
    words += [word for file in hidden for word in ("--ro-bind", "/dev/null", str(file))]
    if (_PACKAGE / "_labs").is_dir():
        words += ["--tmpfs", str(_PACKAGE / "_labs")]
    return [*words, "--remount-ro", "/", "--"]


def try_sandbox() -> None:
    """Start a grader in a sandbox, and end it.

    :raises KafkalabError: there is no bubblewrap, or it cannot make a sandbox here.
    """
    with tempfile.TemporaryDirectory(prefix="klg-") as name:
        folder = Path(name).resolve()
        for part in _PARTS:
            (folder / part).mkdir()
        tried = subprocess.run(
            [*sandbox(folder), sys.executable, "-P", "-c", "import kafkalab.grading.runner"],
            env=_environment(folder, "", "zookeeper"),
            capture_output=True,
            text=True,
            check=False,
        )
    if tried.returncode != 0:
        raise KafkalabError(
            "Hand-ins cannot be isolated here: bubblewrap cannot make a sandbox.",
            seen=" ".join(tried.stderr.split()[-40:]),
            do="Allow user namespaces on this machine; in a container, run kafkalab outside of it.",
        )


def _is_library(path: str) -> bool:
    """Return whether a folder that Python imports from holds packages, and is no part of a checkout with solutions."""
    folder = Path(path)
    within = _is_checkout(_PACKAGE.parent) and folder.is_relative_to(_PACKAGE.parent)
    return folder.is_dir() and not within and folder != Path.cwd() and not _is_checkout(folder)


def _is_checkout(folder: Path) -> bool:
    return (folder / "pyproject.toml").is_file()


# --- The process.


def _watched(
    command: list[str],
    spec: dict[str, Any],
    environment: dict[str, str],
    log: IO[bytes],
    cancelled: threading.Event,
    step: Callable[[], None],
) -> Run:
    """Run the process until it, or its time, is over, or the work is cancelled; return what it found by then."""
    found, over = Run(), threading.Event()
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
        cwd=Path(spec["folder"]) / "own",
        env=environment,
        start_new_session=True,
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        left = (spec["limits"]["notebook_seconds"] + _GRACE) * patience()
        watch = threading.Thread(target=_end_in_time, args=(process, over, cancelled, left), daemon=True)
        watch.start()
        try:
            process.stdin.write(json.dumps(spec).encode() + b"\n")
            process.stdin.flush()
            for line in process.stdout:
                _take(found, line, step)
        except BrokenPipeError:
            pass  # the process ended before it had read its task; the log says why
        finally:
            over.set()
            watch.join()
    return found


def _take(found: Run, line: bytes, step: Callable[[], None]) -> None:
    try:
        said = json.loads(line)
    except ValueError:
        said = {"reported": "Something else than a hand-in's grader wrote into that grader's output."}
    match said:
        case {"question": dict(result), "exercise": str(exercise)}:
            if found.questions.setdefault(exercise, result) is not result:
                found.reported.append(f"A second result came for {exercise}; only the first one counts.")
        case {"stopped": str(sentence)}:
            found.stopped.append(sentence)
        case {"reported": str(sentence)} if sentence not in found.reported:
            found.reported.append(sentence)
        case {"failed": str(why)}:
            found.failed = why
        case {"step": int()}:
            found.begun = True
            step()
        case {"done": True}:
            found.done = True


def _end_in_time(
    process: subprocess.Popen[bytes], over: threading.Event, cancelled: threading.Event, left: float
) -> None:
    """Wait until a process is over, or its time is, or the work is cancelled; then let it clean up, and end it."""
    while not over.wait(0.2) and not cancelled.is_set() and left > 0:
        left -= 0.2
    assert process.stdin is not None
    with contextlib.suppress(OSError):
        process.stdin.close()  # asks it to clean up
    try:
        process.wait(_PUTTING_AWAY)
    except subprocess.TimeoutExpired:
        process.kill()
