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
# An owner is a pid, with its start time and the machine's boot: a pid that was given to somebody else since then
# started at another time, so it neither protects nor harms anybody.


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


# --- A cluster's resources in an engine: found by labels, told apart from other people's, removed.


CLUSTER, NODE, HOME = "kafkalab.cluster", "kafkalab.node", "kafkalab.home"
FOLDER, OWNER, THROW_AWAY, BOOT = "kafkalab.folder", "kafkalab.owner", "kafkalab.throw-away", "kafkalab.boot"


@dataclass
class Held:
    """Everything an engine keeps for one cluster, as its lists describe it."""

    cluster: str
    containers: list[dict[str, Any]] = field(default_factory=list)
    networks: list[dict[str, Any]] = field(default_factory=list)
    volumes: list[dict[str, Any]] = field(default_factory=list)

    @property
    def labels(self) -> list[dict[str, str]]:
        """The labels of every object."""
        return [o.get("Labels") or {} for o in (*self.containers, *self.networks, *self.volumes)]

    def label(self, name: str) -> str | None:
        """The value of a label, by the first object that has it."""
        return next((labels[name] for labels in self.labels if name in labels), None)

    @property
    def folder(self) -> ClusterFolder:
        """The cluster's folder."""
        return ClusterFolder(Path(self.label(FOLDER) or home_dir() / "clusters" / self.cluster))

    @property
    def throw_away(self) -> bool:
        """Whether its data goes with it."""
        return self.label(THROW_AWAY) == "true"

    @property
    def owners(self) -> set[str]:
        """Whoever made a part of it."""
        return {labels[OWNER] for labels in self.labels if OWNER in labels}

    @property
    def is_owned(self) -> bool:
        """Whether somebody who owns a part of it lives."""
        return any(owner != NOBODY and not is_dead(owner) for owner in self.owners)

    @property
    def is_being_cleared(self) -> bool:
        """Whether its owner is dead, and its guard is about to remove it."""
        return bool(self.owners) and all(map(is_dead, self.owners)) and self.folder.alive

    @property
    def is_abandoned(self) -> bool:
        """Whether everybody who owned a part of it is dead, and nobody (its guard, another start) is at work on it."""
        if self.owners:
            return all(map(is_dead, self.owners)) and not self.folder.alive
        # Data that is kept, of a cluster whose folder was removed: nobody can find it any more.
        return self.folder.path.parent.is_dir() and not self.folder.path.exists()


def held(client: Any, cluster: str | None = None) -> list[Held]:
    """What the engine keeps for this user's clusters (or for one of them), by name."""
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
    """What the engine keeps for one cluster of this user; perhaps nothing."""
    return next(iter(held(client, cluster)), Held(cluster))


def remove(client: Any, found: Held, *, data: bool) -> None:
    """Remove a cluster's containers and network, and with ``data`` its volumes; the logs go to the cluster's folder.

    Somebody else (a guard, a learner) may be removing the same things: what is gone already is no error.
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
    """Ask for a removal until the thing is gone: while another removal is under way, the engine answers "conflict"."""
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

    wait_until(done, 30, "Docker to remove something", period=0.1)


def save_log(client: Any, folder: ClusterFolder, node: str, container: str) -> None:
    """Add what a container wrote to its node's log in the cluster's folder, if that is still there."""
    from docker.errors import APIError

    path = folder.path / "logs" / f"{node}.log"
    with contextlib.suppress(APIError, OSError):
        if path.parent.is_dir():
            written = client.api.logs(container, stdout=True, stderr=True)
            with path.open("ab") as out:
                out.write(written)


def same_names(client: Any, cluster: str, folder: ClusterFolder) -> list[str]:
    """Names this cluster would use that other things have: another home's, another folder's, or nothing of ours."""
    theirs = re.compile(rf"kafkalab-{cluster}(-(broker|controller|zookeeper)-\d+)?")

    def foreign(thing: dict[str, Any]) -> bool:
        labels = thing.get("Labels") or {}
        return labels.get(HOME) != home_id() or labels.get(FOLDER) != str(folder.path)

    taken = {n.lstrip("/") for c in client.api.containers(all=True) if foreign(c) for n in c["Names"] or []}
    taken |= {v["Name"] for v in client.api.volumes()["Volumes"] or [] if foreign(v)}
    taken |= {n["Name"] for n in client.api.networks() if foreign(n)}
    return sorted(name for name in taken if theirs.fullmatch(name))


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
