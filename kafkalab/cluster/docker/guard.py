"""Ends a cluster's containers when their owner goes: ``python -m kafkalab.cluster.docker.guard FOLDER OPTIONS``.

Containers do not care who started them, so somebody must watch the owner. The guard's standard input is a pipe from the
owner (the system closes it even after kill -9), and it watches its parent's pid besides. As long as it lives it holds
FOLDER/supervisor.lock, the proof that the cluster is somebody's. Told SIGUSR1, it ends and leaves the containers alone:
whoever stopped the cluster in order sends it.

It uses the standard library only until the owner has gone, to start fast and stay small.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import signal
import sys
from pathlib import Path

OWNER_CHECK = 0.5  # seconds
#: Seconds an engine gets that does not answer, perhaps because it is being restarted; then the next start cleans up.
PATIENCE = 60.0


def owner_is_gone() -> bool:
    """Wait until the owner has gone (true), or somebody says that all is well (false)."""
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
    from kafkalab.cluster.docker import engine, held, owner
    from kafkalab.cluster.folder import ClusterFolder
    from kafkalab.errors import KafkalabError
    from kafkalab.waiting import wait_until

    empty = 0

    def done() -> bool:
        nonlocal empty
        with contextlib.suppress(KafkalabError):
            client = engine.connect()
            with contextlib.closing(client), engine.speaking("The cluster could not be removed."):
                found = held.one(client, cluster)
                empty = 0 if found.containers or found.networks else empty + 1
                owner.clear(client, found, ClusterFolder(folder), throw_away=throw_away)
        # Twice: what the owner asked the engine for in its last moment may appear after the first look.
        return empty > 1

    wait_until(done, PATIENCE, "the cluster to be gone", period=0.5)


def main(arguments: list[str]) -> None:
    """Watch until the end."""
    folder, options = Path(arguments[0]), json.loads(arguments[1])
    lock = open(folder / "supervisor.lock", "w")  # noqa: SIM115  (held for life)
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    lock.write(str(os.getpid()))
    lock.flush()
    if owner_is_gone():
        clear(folder, options["cluster"], options["throw_away"])


if __name__ == "__main__":
    main(sys.argv[1:])
