"""What the machine has: system, folders, disk, memory, ports."""

from __future__ import annotations

import platform
import shutil
from pathlib import Path

from kafkalab.cluster import preflight
from kafkalab.cluster.folder import SPACE_NEEDED
from kafkalab.cluster.jars import SETS, jar_set
from kafkalab.cluster.ports import PortBook, holder, is_free
from kafkalab.commands.doctor_check import Check, asked
from kafkalab.home import cache_dir, home_dir, make_dir

#: Brokers, ZooKeeper, a Spark driver and JupyterLab, measured together, in bytes.
MEMORY_NEEDED = 2 * 2**30
#: What is made of the jars, once: archives of classes, in bytes.
ARCHIVES = 160 * 2**20

#: Where these servers usually are. kafkalab takes free ports unless it is told otherwise.
CLASSIC = {2181: "ZooKeeper", 9092: "Kafka", 8888: "Jupyter"}


def examine() -> list[Check]:
    """The checks."""
    cache, home = cache_dir(), home_dir()
    missing = sum(jar.size for name in SETS for jar in jar_set(name).unusable())
    return [
        _system(),
        asked("folder: cache", lambda: f"{make_dir(cache, 'KAFKALAB_CACHE')} can be written"),
        asked("folder: home", lambda: f"{make_dir(home, 'KAFKALAB_HOME')} can be written"),
        # Jars are put beside the old ones before these are replaced.
        _disk("disk: cache", cache, 2 * missing + ARCHIVES, "the jars are", "KAFKALAB_CACHE"),
        _disk("disk", home, SPACE_NEEDED, "clusters live", "KAFKALAB_HOME"),
        _memory(),
        _loopback(),
        _classic_ports(),
    ]


def _system() -> Check:
    system = platform.system()
    seen = f"{system} {platform.release()}, {platform.machine()}"
    ok = system in ("Linux", "Darwin")
    return Check("system", ok, seen, "" if ok else "Use Linux or macOS; on Windows, WSL is a Linux.")


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
    seen = f"{room.memory // 2**20} MB {of}; {MEMORY_NEEDED // 2**20} MB for a cluster, Spark and JupyterLab"
    do = "Close other programs, give the container more, or set KAFKALAB_PROFILE=small (1.5 GB are enough then)"
    return Check("memory", ok, seen, "" if ok else do)


def _loopback() -> Check:
    with PortBook() as book:
        return asked("ports", lambda: f"loopback gives free ports ({book.take()} for one)")


def _classic_ports() -> Check:
    """For information only: nobody needs these ports."""
    words = [f"{port} ({what}) {'free' if is_free(port) else holder(port)}" for port, what in CLASSIC.items()]
    return Check("ports: usual ones", True, "; ".join(words), optional=True)
