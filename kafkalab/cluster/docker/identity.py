"""Who owns a cluster's containers: they outlive the process that made them, so each tells by a label who that was.

An owner is a pid, with its start time and the machine's boot: a pid that was given to somebody else since then started
at another time, so it neither protects nor harms anybody.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path

from kafkalab.home import home_dir

#: The owner of a cluster that is to outlive whoever started it.
NOBODY = "nobody"


def home_id() -> str:
    """Tells one user's (or test run's) things from another's on the same engine: they never clean up each other's."""
    return hashlib.sha256(f"{os.getuid()} {home_dir()}".encode()).hexdigest()[:16]


def boot_id() -> str:
    """Another one after every boot of this machine, where the system tells."""
    with contextlib.suppress(OSError):
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    return ""


def this_process() -> str:
    """The value of the owner's label for a cluster that is to end with this process."""
    return " ".join((str(os.getpid()), _started(os.getpid()) or "?", boot_id() or "-", _namespace()))


def is_dead(owner: str) -> bool:
    """Whether an owner is surely gone. Nobody never is, nor is one this process cannot see."""
    try:
        pid, started, boot, namespace = owner.split(" ")
        number = int(pid)
    except ValueError:
        return False
    if boot != (boot_id() or "-"):
        return True
    return namespace == _namespace() and _started(number) != started


def _started(pid: int) -> str | None:
    """When a process started, in whatever form the system has it exactly; None when there is no such process."""
    if Path("/proc/self/stat").exists():
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return None
        return None if fields[0] in ("Z", "X") else fields[19]
    import psutil

    try:
        return str(psutil.Process(pid).create_time())
    except psutil.Error:
        return None


def _namespace() -> str:
    """Pids of another container mean nothing here."""
    with contextlib.suppress(OSError):
        return os.readlink("/proc/self/ns/pid")
    return "-"
