"""What dead owners left in the engine: found and removed by the next start, by ``kafkalab status`` and ``down``."""

from __future__ import annotations

import contextlib
from typing import Any

from kafkalab.cluster.docker.engine import connect, speaking
from kafkalab.cluster.docker.held import BOOT, Held, held, one, remove
from kafkalab.cluster.docker.identity import boot_id, is_dead
from kafkalab.cluster.folder import ClusterFolder
from kafkalab.errors import KafkalabError
from kafkalab.home import home_dir


def clear(client: Any, found: Held, folder: ClusterFolder, *, throw_away: bool) -> None:
    """Remove a cluster whose owner is gone: of a throw-away one everything, of a named one all but its data."""
    remove(client, found, data=throw_away)
    if throw_away and folder.name == found.cluster and folder.kind() == "docker":
        folder.remove()


def clean_abandoned(client: Any = None) -> list[str]:
    """Remove what dead owners left in the engine, if there is one; returns the names of the clusters. Never raises.

    Data of clusters with a name stays.
    """
    gone = []
    with contextlib.suppress(KafkalabError, OSError), _asking(client) as engine:
        for found in filter(lambda one: one.is_abandoned, held(engine)):
            # What cannot be removed now, perhaps because others are at it, is no reason to leave the rest.
            with contextlib.suppress(KafkalabError), speaking("The cluster could not be removed."):
                clear(engine, found, found.folder, throw_away=found.throw_away or not found.owners)
                gone.append(found.cluster)
        gone += _folders_without_containers(engine)
    return gone


def _folders_without_containers(client: Any) -> list[str]:
    """Remove folders of throw-away clusters of which the engine has nothing any more (somebody pruned it)."""
    gone = []
    for path in (home_dir() / "clusters").glob("*"):
        folder = ClusterFolder(path)
        with contextlib.suppress(KafkalabError):
            more = folder.read()[2]
            if more.get("backend") != "docker" or not more.get("throw_away") or folder.alive:
                continue
            found = one(client, folder.name)
            if not found.labels and is_dead(str(more.get("owner", ""))):
                folder.remove()
                gone.append(folder.name)
    return gone


@contextlib.contextmanager
def _asking(client: Any) -> Any:
    """The client that was given, or one of our own that does not wait long for an answer."""
    own = connect(patience=20) if client is None else None
    try:
        with speaking("The engine could not be asked."):
            yield client if own is None else own
    finally:
        if own is not None:
            own.close()


def is_running(folder: ClusterFolder) -> bool:
    """Whether the containers of a folder's cluster are there and meant to be: it can be attached to."""
    with contextlib.suppress(KafkalabError, OSError), _asking(None) as engine:
        found = one(engine, folder.name)
        if found.folder.path != folder.path or found.is_abandoned:
            return False
        # After a reboot the containers of yesterday are there, all ended: they are started anew, not attached to.
        return any(c["State"] in ("running", "paused") or c["Labels"].get(BOOT) == boot_id() for c in found.containers)
    return False


def forget(name: str) -> None:
    """Remove all that the engine, if there is one, keeps for a cluster, its data too."""
    with contextlib.suppress(KafkalabError, OSError), _asking(None) as engine:
        remove(engine, one(engine, name), data=True)
