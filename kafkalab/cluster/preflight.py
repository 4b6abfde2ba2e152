"""Checks before a launch whether this machine can carry a cluster or Spark: memory and open files.

On a machine that is too small the system kills a JVM here and there, and the cluster just looks broken. So we compare
with the smaller of two numbers: what the machine has free, and what the limits of a container (control groups, version
2) leave.
"""

from __future__ import annotations

import math
import os
import resource
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kafkalab.cluster.spec import NodeSpec
from kafkalab.errors import StartFailed
from kafkalab.state.model import Role

MB = 1024 * 1024
#: Bytes to allow for a node: what it holds soon after its start (measured: 117, 116 and 49 MB), and some reserve.
MEMORY: dict[Role, int] = {"broker": 150 * MB, "controller": 130 * MB, "zookeeper": 70 * MB}
#: Memory of Spark's driver in bytes, besides half of its heap, soon after its start (measured with 256 to 1024 MB).
SPARK_BASE = 250 * MB
#: Minimum limit of open files for a broker: 110 and its jars at the start, then two or three for every partition.
OPEN_FILES = 512


@dataclass(frozen=True, slots=True)
class Room:
    """The resources that are left for a cluster.

    ``memory``: free bytes. ``contained``: a container's limit bounds the memory. ``open_files``: maximum number for one
    process; None means that we know of no limit.
    """

    memory: int
    contained: bool = False
    open_files: int | None = None


def judge(nodes: Sequence[NodeSpec], room: Room) -> None:
    """Raise StartFailed, saying what would fit, if the nodes do not fit. Pure."""
    needed = sum(MEMORY[n.role] for n in nodes)
    brokers = sum(n.role == "broker" for n in nodes)
    if needed > room.memory:
        others = needed - brokers * MEMORY["broker"]
        fit = max(0, (room.memory - others) // MEMORY["broker"])
        raise StartFailed(
            f"There is not enough memory for {brokers} broker{'s' * (brokers != 1)}.",
            seen=f"{room.memory // MB} MB free{' within the limit of this container' * room.contained}; "
            f"the {len(nodes)} nodes need {needed // MB} MB",
            do=(f"Ask for brokers={fit}, which fit. Or close" if fit else "Close")
            + " other notebooks and clusters (kafkalab status): each Spark session holds half a gigabyte.",
        )
    if room.open_files is not None and room.open_files < OPEN_FILES:
        raise StartFailed(
            "A broker needs more open files than a process may have here.",
            seen=f"the limit is {room.open_files}; a broker needs {OPEN_FILES} and more with every partition",
            do="Raise the limit (ulimit -n 4096, or /etc/security/limits.conf) and start again.",
        )


def judge_spark(heap: int, room: Room) -> None:
    """Raise StartFailed if a Spark driver with a heap of that many bytes does not fit. Pure."""
    needed = heap // 2 + SPARK_BASE
    if needed > room.memory:
        raise StartFailed(
            "There is not enough memory for Spark.",
            seen=f"{room.memory // MB} MB free{' within the limit of this container' * room.contained}; "
            f"Spark with a heap of {heap // MB} MB needs {needed // MB} MB",
            do="Close the kernels of other notebooks, and clusters you don't need (kafkalab status). On a machine with "
            "less than 2 GB, set KAFKALAB_PROFILE=small and start kafkalab again: all JVMs get smaller heaps then.",
        )


def cores(root: Path = Path("/sys/fs/cgroup"), own: Path = Path("/proc/self/cgroup")) -> int:
    """Return how many processors this process may keep busy: a container may have fewer, or a share of their time."""
    affinity = getattr(os, "sched_getaffinity", None)
    most = [len(affinity(0)) if affinity else os.cpu_count() or 1]
    for group in groups(root, _read(own)):
        quota, period = [*_read(group / "cpu.max").split(), "", ""][:2]
        share, of = _number(quota), _number(period)
        if share and of:
            most.append(math.ceil(share / of))
    return max(1, min(most))


def look(root: Path = Path("/sys/fs/cgroup"), own: Path = Path("/proc/self/cgroup")) -> Room:
    """Return what this machine, or this container, has left now."""
    import psutil

    free, contained = psutil.virtual_memory().available, False
    for group in groups(root, _read(own)):
        left = memory_left(group)
        if left is not None and left < free:
            free, contained = left, True
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]  # a JVM raises its own limit to the hard one
    return Room(free, contained, None if hard == resource.RLIM_INFINITY else hard)


def groups(root: Path, own: str) -> Iterator[Path]:
    """Yield the folders of a process's control groups, innermost first; ``own`` is the text of /proc/self/cgroup."""
    path = next((line.removeprefix("0::/") for line in own.splitlines() if line.startswith("0::/")), None)
    # Inside a container the path may be the host's and not exist here; then the top is the container's own group.
    inner = root / path if path is not None else None
    for folder in (inner, *inner.parents) if inner else ():
        if folder.is_dir():
            yield folder
        if folder == root:
            break


def memory_left(group: Path) -> int | None:
    """Return the bytes that a control group leaves; None without a limit. Files that are only cached count as free."""
    most, now = _number(_read(group / "memory.max")), _number(_read(group / "memory.current"))
    if most is None or now is None:
        return None
    words = dict(line.split(" ", 1) for line in _read(group / "memory.stat").splitlines() if " " in line)
    return max(0, most - now + (_number(words.get("inactive_file", "")) or 0))


def _number(text: str) -> int | None:
    return int(text) if text.strip().isdecimal() else None


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
