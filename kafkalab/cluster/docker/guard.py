"""Removes a cluster's containers when their owner ends: ``python -m kafkalab.cluster.docker.guard FOLDER OPTIONS``.

Containers go on when the process that started them ends, so the guard watches that process, the owner. Its standard
input is a pipe from the owner (the system closes it even after kill -9), and it also checks its parent's pid. While it
lives, it holds FOLDER/supervisor.lock, which proves that the cluster has an owner. On SIGUSR1 it ends and leaves the
containers alone: the process that stopped the cluster in order sends that.

It loads the Docker library only when the owner has gone, so that it starts fast and stays small.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

from kafkalab.cluster import supervisor
from kafkalab.errors import StartFailed
from kafkalab.waiting import wait_until

OWNER_CHECK = 0.5  # seconds
#: Seconds to retry when the engine does not answer, perhaps because it restarts; after that the next start cleans up.
PATIENCE = 60.0


def owner_is_gone() -> bool:
    """Wait; return False on SIGUSR1 (all is well), True when the owner has gone or another signal ends the guard."""
    owner = os.getppid()
    told: list[int] = []
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    for number in (signal.SIGUSR1, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda number, frame: told.append(number))
    print("ready", flush=True)
    while not told:
        ready, _, _ = select.select([0, reading], [], [], OWNER_CHECK)
        closed = 0 in ready and not os.read(0, 4096)
        if closed or os.getppid() != owner:
            return not told or told[0] != signal.SIGUSR1
    return told[0] != signal.SIGUSR1


def clear(folder: Path, cluster: str, throw_away: bool) -> None:
    """Remove the cluster's containers, and its data if it is a throw-away one."""
    from kafkalab.cluster.docker import engine, owner
    from kafkalab.cluster.folder import ClusterFolder
    from kafkalab.errors import KafkalabError

    empty = 0

    def done() -> bool:
        nonlocal empty
        with contextlib.suppress(KafkalabError):
            client = engine.connect()
            with contextlib.closing(client), engine.speaking("The cluster could not be removed."):
                found = owner.one(client, cluster)
                empty = 0 if found.containers or found.networks else empty + 1
                owner.clear(client, found, ClusterFolder(folder), throw_away=throw_away)
        # Look twice: what the owner requested in its last moment may appear after the first look.
        return empty > 1

    wait_until(done, PATIENCE, "Docker to remove the cluster", period=0.5)


def main(arguments: list[str]) -> None:
    """Hold the folder's lock and watch the owner; when it has gone, remove the cluster."""
    folder, options = Path(arguments[0]), json.loads(arguments[1])
    lock = open(folder / "supervisor.lock", "w")  # noqa: SIM115  (held for life)
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    lock.write(str(os.getpid()))
    lock.flush()
    if owner_is_gone():
        clear(folder, options["cluster"], options["throw_away"])


if __name__ == "__main__":
    main(sys.argv[1:])


# --- The owner's side of a guard: start one, and tell it that all is well.


class Guard:
    """The guard of one cluster's folder, if it has one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def launch(self, *, throw_away: bool) -> None:
        """Start the guard; from now on the cluster's containers end with this process."""
        options = {"cluster": self.folder.name, "throw_away": throw_away}
        self._process = supervisor.start_module("kafkalab.cluster.docker.guard", self.folder, options, tied=True)
        try:
            supervisor.await_ready(self._process, self.folder, "guard")
        except StartFailed:
            self._reap()
            raise

    def dismiss(self) -> None:
        """Tell the guard that the cluster was stopped in order, and wait until it has ended; works in any process."""
        if self._process is not None:
            self._process.send_signal(signal.SIGUSR1)
            self._reap()
            return
        lock = self.folder / "supervisor.lock"
        with contextlib.suppress(OSError, ValueError):
            # As long as the lock is held, the pid in it is that of the holder.
            if supervisor.is_locked(lock):
                os.kill(int(lock.read_text()), signal.SIGUSR1)
        wait_until(lambda: not supervisor.is_locked(lock), 10, "the cluster's guard process to end", period=0.01)

    def _reap(self) -> int | None:
        process, self._process = self._process, None
        if process is None:
            return None
        if process.stdin is not None:
            process.stdin.close()
        return process.wait(10)
