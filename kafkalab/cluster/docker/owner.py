"""Leftovers of dead owners in the engine: the next start, ``kafkalab status`` and ``down`` find and remove them."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from kafkalab.cluster.docker.engine import connect, is_missing, speaking, together
from kafkalab.cluster.folder import ClusterFolder
from kafkalab.errors import KafkalabError
from kafkalab.home import home_dir
from kafkalab.waiting import wait_until

# --- Identity: containers outlive the process that made them, so each names its owner in a label.
#
# An owner is a pid, with its start time and the machine's boot. A process that got the same pid later started at
# another time, so it is never mistaken for the owner.


#: Value of the owner's label when the cluster is to outlive the process that started it.
NOBODY = "nobody"


def home_id() -> str:
    """Return an id of this user and KAFKALAB_HOME; things on the same engine with another id are never cleaned up."""
    return hashlib.sha256(f"{os.getuid()} {home_dir()}".encode()).hexdigest()[:16]


def boot_id() -> str:
    """Return an id that changes with every boot of this machine; empty when the system has none."""
    with contextlib.suppress(OSError):
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    return ""


def this_process() -> str:
    """Return the value of the owner's label for a cluster that is to end with this process."""
    return " ".join((str(os.getpid()), _started(os.getpid()) or "?", boot_id() or "-", _namespace()))


def is_dead(owner: str) -> bool:
    """Return whether an owner is surely gone; False for :data:`NOBODY`, and for a process that we cannot see."""
    try:
        pid, started, boot, namespace = owner.split(" ")
        number = int(pid)
    except ValueError:
        return False
    if boot != (boot_id() or "-"):
        return True
    return namespace == _namespace() and _started(number) != started


def _started(pid: int) -> str | None:
    """Return when a process started, in the system's exact form; None when the process has ended."""
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
    """Return the pid namespace of this process, because pids of another container mean nothing here."""
    with contextlib.suppress(OSError):
        return os.readlink("/proc/self/ns/pid")
    return "-"


# --- A cluster's resources in an engine: found by labels, told apart from other people's, removed.


CLUSTER, NODE, HOME = "kafkalab.cluster", "kafkalab.node", "kafkalab.home"
FOLDER, OWNER, THROW_AWAY, BOOT = "kafkalab.folder", "kafkalab.owner", "kafkalab.throw-away", "kafkalab.boot"


@dataclass
class Held:
    """All containers, networks and volumes that an engine keeps for one cluster, as its lists describe them."""

    cluster: str
    containers: list[dict[str, Any]] = field(default_factory=list)
    networks: list[dict[str, Any]] = field(default_factory=list)
    volumes: list[dict[str, Any]] = field(default_factory=list)

    @property
    def labels(self) -> list[dict[str, str]]:
        """The labels of every container, network and volume."""
        return [o.get("Labels") or {} for o in (*self.containers, *self.networks, *self.volumes)]

    def label(self, name: str) -> str | None:
        """Return the value of a label, from the first thing that has it; None when nothing has it."""
        return next((labels[name] for labels in self.labels if name in labels), None)

    @property
    def folder(self) -> ClusterFolder:
        """The cluster's folder."""
        return ClusterFolder(Path(self.label(FOLDER) or home_dir() / "clusters" / self.cluster))

    @property
    def throw_away(self) -> bool:
        """Whether the data of the cluster is removed with it."""
        return self.label(THROW_AWAY) == "true"

    @property
    def owners(self) -> set[str]:
        """The owners of all parts of the cluster."""
        return {labels[OWNER] for labels in self.labels if OWNER in labels}

    @property
    def is_owned(self) -> bool:
        """Whether a process that owns a part of the cluster may still live."""
        return any(owner != NOBODY and not is_dead(owner) for owner in self.owners)

    @property
    def is_being_cleared(self) -> bool:
        """Whether all owners are dead, and the guard is about to remove the cluster."""
        return bool(self.owners) and all(map(is_dead, self.owners)) and self.folder.alive

    @property
    def is_abandoned(self) -> bool:
        """Whether all owners are dead, and no other process (the guard, another start) is at work on the cluster."""
        if self.owners:
            return all(map(is_dead, self.owners)) and not self.folder.alive
        # Without owners it is data that was kept; when the cluster's folder was removed, it cannot be found any more.
        return self.folder.path.parent.is_dir() and not self.folder.path.exists()


def held(client: Any, cluster: str | None = None) -> list[Held]:
    """Return what the engine keeps for this user's clusters (or for one of them), sorted by name."""
    labels = [f"{HOME}={home_id()}", f"{CLUSTER}={cluster}" if cluster else CLUSTER]
    found: dict[str, Held] = {}

    def of(thing: dict[str, Any]) -> Held:
        name = thing["Labels"][CLUSTER]
        return found.setdefault(name, Held(name))

    for container in client.api.containers(all=True, filters={"label": labels}):
        of(container).containers.append(container)
    for network in client.api.networks(filters={"label": labels}):
        of(network).networks.append(network)
    for volume in client.api.volumes(filters={"label": labels})["Volumes"] or []:
        of(volume).volumes.append(volume)
    return [found[name] for name in sorted(found)]


def one(client: Any, cluster: str) -> Held:
    """Return what the engine keeps for one cluster of this user; empty when that is nothing."""
    return next(iter(held(client, cluster)), Held(cluster))


def remove(client: Any, found: Held, *, data: bool) -> None:
    """Remove a cluster's containers and network, and with ``data`` its volumes; add the logs to the cluster's folder.

    A guard or a learner may be removing the same things meanwhile: it is no error when one is already gone.
    """
    folder = found.folder

    def one_container(found: dict[str, Any]) -> None:
        save_log(client, folder, found["Labels"][NODE], found["Id"])
        _gone(partial(client.api.remove_container, found["Id"], force=True, v=True))

    together(partial(one_container, c) for c in found.containers)
    together(partial(_gone, partial(client.api.remove_network, n["Id"])) for n in found.networks)
    if data:
        together(partial(_gone, partial(client.api.remove_volume, v["Name"])) for v in found.volumes)


def _gone(removal: Callable[[], object]) -> None:
    """Repeat a removal until the thing is gone: while another removal is under way, the engine answers "conflict"."""
    from docker.errors import APIError

    def done() -> bool:
        try:
            removal()
        except APIError as e:
            if is_missing(e):
                return True
            if e.status_code in (403, 409):
                return False
            raise
        return True

    wait_until(done, 30, "Docker to remove a container, network or volume", period=0.1)


def save_log(client: Any, folder: ClusterFolder, node: str, container: str) -> None:
    """Add what a container wrote to its node's log in the cluster's folder, if that folder still exists."""
    from docker.errors import APIError

    path = folder.path / "logs" / f"{node}.log"
    with contextlib.suppress(APIError, OSError):
        if path.parent.is_dir():
            written = client.api.logs(container, stdout=True, stderr=True)
            with path.open("ab") as out:
                out.write(written)


def same_names(client: Any, cluster: str, folder: ClusterFolder) -> list[str]:
    """Return the names this cluster would use that are taken by another home, another folder, or another program."""
    theirs = re.compile(rf"kafkalab-{cluster}(-(broker|controller|zookeeper)-\d+)?")

    def foreign(thing: dict[str, Any]) -> bool:
        labels = thing.get("Labels") or {}
        return labels.get(HOME) != home_id() or labels.get(FOLDER) != str(folder.path)

    taken = {n.lstrip("/") for c in client.api.containers(all=True) if foreign(c) for n in c["Names"] or []}
    taken |= {v["Name"] for v in client.api.volumes()["Volumes"] or [] if foreign(v)}
    taken |= {n["Name"] for n in client.api.networks() if foreign(n)}
    return sorted(name for name in taken if theirs.fullmatch(name))


def clear(client: Any, found: Held, folder: ClusterFolder, *, throw_away: bool) -> None:
    """Remove a cluster whose owner is gone: all of a throw-away cluster, all but the data of one with a name."""
    remove(client, found, data=throw_away)
    if throw_away and folder.name == found.cluster and folder.kind() == "docker":
        folder.remove()


def clean_abandoned(client: Any = None) -> list[str]:
    """Remove what dead owners left in the engine, if there is one; return the names of their clusters. Never raises.

    The data of a cluster with a name stays, unless its folder was removed.
    """
    gone = []
    with contextlib.suppress(KafkalabError, OSError), _asking(client) as engine:
        for found in filter(lambda one: one.is_abandoned, held(engine)):
            # One cluster that cannot be removed now, perhaps because another process is at it, must not stop the rest.
            with contextlib.suppress(KafkalabError), speaking("The cluster could not be removed."):
                clear(engine, found, found.folder, throw_away=found.throw_away or not found.owners)
                gone.append(found.cluster)
        gone += _folders_without_containers(engine)
    return gone


def _folders_without_containers(client: Any) -> list[str]:
    """Remove the folders of throw-away clusters that have gone from the engine (after a prune); return their names."""
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
    """Yield the client that was given, or a new one that does not wait long for an answer."""
    own = connect(patience=20) if client is None else None
    try:
        with speaking("The engine could not be asked."):
            yield client if own is None else own
    finally:
        if own is not None:
            own.close()


def is_running(folder: ClusterFolder) -> bool:
    """Return whether the containers of a folder's cluster are there and can be attached to."""
    with contextlib.suppress(KafkalabError, OSError), _asking(None) as engine:
        found = one(engine, folder.name)
        if found.folder.path != folder.path or found.is_abandoned:
            return False
        # After a reboot the old containers are there, but all ended: the cluster is started again, not attached to.
        return any(c["State"] in ("running", "paused") or c["Labels"].get(BOOT) == boot_id() for c in found.containers)
    return False


def forget(name: str) -> None:
    """Remove everything the engine, if there is one, keeps for a cluster, its data too."""
    with contextlib.suppress(KafkalabError, OSError), _asking(None) as engine:
        remove(engine, one(engine, name), data=True)
