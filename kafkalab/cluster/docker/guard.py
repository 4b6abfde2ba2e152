"""Removes a cluster's containers when their owner has gone: ``python -m kafkalab.cluster.docker.guard FOLDER``.

Containers go on when the process that started them ends, so a guard process watches that process, the owner. Its
standard input is a pipe from the owner, which the system closes even after kill -9; it also checks its parent's pid,
because a fork may hold the pipe. While it lives, it holds FOLDER/supervisor.lock, which proves that the cluster has an
owner. SIGUSR1 ends it and leaves the containers alone: the process that stopped the cluster in order sends that. If the
guard is killed, the next start of a cluster of containers, ``kafkalab status`` or ``down`` removes them.

Everything in the engine has the cluster's folder as a label. Whether its data is to be removed stands in that folder.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from kafkalab.cluster import supervisor
from kafkalab.cluster.docker.engine import asking, speaking, together
from kafkalab.cluster.folder import ClusterFolder, existing
from kafkalab.errors import KafkalabError
from kafkalab.home import home_dir
from kafkalab.waiting import wait_until

#: Labels of containers, networks and volumes: the path of the cluster's folder, and the node's name.
FOLDER, NODE = "kafkalab.folder", "kafkalab.node"
OWNER_CHECK = 0.5  # seconds
#: Seconds to retry when the engine does not answer, perhaps because it restarts; after that the next start cleans up.
PATIENCE = 60.0


def remove(client: Any, folder: ClusterFolder, *, data: bool, node: str | None = None) -> bool:
    """Remove a cluster's containers (or those of one node) and network, and with ``data`` its volumes.

    The containers' logs are added to the cluster's folder. It is no error when another process removes the same things.
    Returns whether there was anything.
    """
    filters = {"label": [f"{FOLDER}={folder.path}", *([f"{NODE}={node}"] if node else [])]}
    containers = client.containers.list(all=True, sparse=True, filters=filters)
    networks = client.networks.list(filters=filters)
    volumes = client.volumes.list(filters=filters) if data else []

    def one(container: Any) -> None:
        _save_log(client, folder, container)
        _gone(partial(container.remove, force=True, v=True))

    together(partial(one, c) for c in containers)
    together(partial(_gone, thing.remove) for thing in (*networks, *volumes))
    return bool(containers or networks or volumes)


def _gone(removal: Callable[[], object]) -> None:
    """Repeat a removal until the thing is gone: while another removal is under way, the engine answers "conflict"."""
    from docker.errors import APIError

    def done() -> bool:
        try:
            removal()
        except APIError as e:
            if e.status_code not in (403, 404, 409):
                raise
            return bool(e.status_code == 404)
        return True

    wait_until(done, 30, "Docker to remove a container, network or volume", period=0.1)


def _save_log(client: Any, folder: ClusterFolder, container: Any) -> None:
    """Add what a container wrote to its node's log in the cluster's folder, if that folder still exists."""
    from docker.errors import APIError

    path = folder.path / "logs" / f"{container.attrs['Labels'][NODE]}.log"
    with contextlib.suppress(APIError, OSError):
        if path.parent.is_dir():
            written = client.api.logs(container.id)
            with path.open("ab") as out:
                out.write(written)


def clear(client: Any, folder: ClusterFolder) -> bool:
    """Remove a cluster whose owner is gone, except the data of one with a name; return whether there was anything."""
    more = folder.said()
    # Data whose folder somebody removed cannot be found again, so it goes too.
    throw_away = bool(more.get("throw_away")) or not folder.path.exists()
    found = remove(client, folder, data=throw_away)
    if throw_away and more:
        folder.remove()
        return True
    return found


def clean_abandoned() -> list[str]:
    """Remove what dead owners left in the engine, if one answers; return the names of their clusters. Never raises."""
    gone = []
    ours = home_dir() / "clusters"
    with contextlib.suppress(KafkalabError, OSError), asking("The engine could not be asked.", 20) as client:
        labelled = {"label": FOLDER}
        things = [*client.containers.list(all=True, sparse=True, filters=labelled)]
        things += [*client.networks.list(filters=labelled), *client.volumes.list(filters=labelled)]
        paths = {Path(thing.attrs["Labels"][FOLDER]) for thing in things}
        paths |= {folder.path for folder in existing() if folder.kind() == "docker"}
        for folder in (ClusterFolder(path) for path in sorted(paths) if path.parent == ours and ours.is_dir()):
            # One cluster that cannot be removed now, perhaps because another process is at it, must not stop the rest.
            with contextlib.suppress(KafkalabError), speaking("The cluster could not be removed."):
                detached = folder.said().get("owner", 0) is None
                if not folder.alive and not detached and clear(client, folder):
                    gone.append(folder.name)
    return gone


def is_running(folder: ClusterFolder) -> bool:
    """Return whether a cluster has an owner, whose guard lives, or, if it needs no owner, has a running node."""
    if supervisor.is_alive(folder.path):
        return True
    if folder.said().get("owner", 0) is None:
        with contextlib.suppress(KafkalabError, OSError), asking("The engine could not be asked.", 20) as client:
            return bool(client.api.containers(filters={"label": f"{FOLDER}={folder.path}"}))
    return False


def forget(folder: ClusterFolder) -> None:
    """Remove everything that the engine, if one answers, keeps for a cluster, its data too."""
    with contextlib.suppress(KafkalabError, OSError), asking("The cluster could not be removed.", 20) as client:
        remove(client, folder, data=True)


def main(path: str) -> None:
    """Hold the folder's lock and watch the owner; when it has gone, or on SIGTERM, remove the cluster."""
    folder, owner = ClusterFolder(Path(path)), os.getppid()
    held = supervisor.hold(folder.path)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with contextlib.suppress(KeyboardInterrupt):
        print("ready", flush=True)
        # Nothing is written to the pipe, so that it can be read only when it was closed.
        while os.getppid() == owner and not select.select([0], [], [], OWNER_CHECK)[0]:
            pass
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    empty = 0

    def done() -> bool:
        nonlocal empty
        with contextlib.suppress(KafkalabError, OSError), asking("The cluster could not be removed.") as client:
            empty = 0 if clear(client, folder) else empty + 1
        # Look twice: what the owner requested in its last moment may appear after the first look.
        return empty > 1

    wait_until(done, PATIENCE, "Docker to remove the cluster", period=0.5)
    held.close()


if __name__ == "__main__":
    main(sys.argv[1])
