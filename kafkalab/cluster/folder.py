"""The folder of one cluster: cluster.json and the nodes' settings, data and logs.

A start on the data of an earlier run first checks that the metadata is there: without it Kafka would take the cluster
for an empty one, and forget its topics. Nothing is repaired: a lab's data is there to begin anew.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TextIO

from kafkalab.cluster import supervisor
from kafkalab.cluster.interrupts import undisturbed
from kafkalab.cluster.spec import ClusterSpec, NodeSpec, check_name
from kafkalab.errors import BadInput, StartFailed, WaitTimeout
from kafkalab.home import home_dir, make_dir, write_whole
from kafkalab.waiting import wait_until

#: Seconds a start waits for the lock on the folder: another start holds it, or for a moment a process that checks it.
LOCK_PATIENCE = 2.0
#: Maximum number of removed clusters whose logs are kept; the oldest logs go first.
LOGS_KEPT = 10
#: Minimum free space for the data, in bytes; with less, a broker would die halfway through a lesson.
SPACE_NEEDED = 256 * 1024 * 1024


PARTS = ("data", "settings", "logs")


@dataclass(frozen=True, slots=True)
class ClusterFolder:
    """The folder where a cluster lives on disk."""

    path: Path

    @classmethod
    def of(cls, name: str) -> ClusterFolder:
        """Return the folder of the cluster with that name; raise BadInput when a cluster cannot have that name."""
        return cls(home_dir() / "clusters" / check_name(name))

    @property
    def name(self) -> str:
        """The cluster's name."""
        return self.path.name

    def data(self, node: NodeSpec) -> Path:
        """Return the folder of a node's data."""
        return self.path / "data" / node.name

    def settings(self, node: NodeSpec) -> Path:
        """Return the path of a node's properties file."""
        return self.path / "settings" / f"{node.name}.properties"

    def log(self, node: str) -> Path:
        """Return the path of a node's log; once the cluster is removed, that of the copy that was kept."""
        log = self.path / "logs" / f"{node}.log"
        return log if log.exists() or self.path.exists() else self.kept_logs / f"{node}.log"

    @property
    def kept_logs(self) -> Path:
        """Folder to which its logs are moved when it is removed."""
        return home_dir() / "logs" / self.name

    @property
    def alive(self) -> bool:
        """Whether a process runs the cluster, or is just starting it."""
        # In this order, because a start that ends between the two checks has a supervisor before the second.
        return supervisor.is_locked(self.path / supervisor.MARK) or supervisor.is_alive(self.path)

    def make(self) -> None:
        """Create it, private, and mark it as a cluster's; raise StartFailed if it cannot be.

        A folder that holds other things is left alone.
        """
        mark = self.path / supervisor.MARK
        make_dir(self.path.parent, "KAFKALAB_HOME", StartFailed)
        self.path.mkdir(mode=0o700, exist_ok=True)
        others = sorted(p.name for p in self.path.iterdir())
        if others and not mark.exists():  # another start may have created the mark since
            raise StartFailed(
                f"The folder {self.path} is there already, and it is not a cluster's.",
                seen=f"in it: {', '.join(others[:5])}",
                do="Give the cluster another name, or move that folder.",
            )
        mark.touch()
        for part in PARTS:
            (self.path / part).mkdir(exist_ok=True)

    def check_space(self) -> None:
        """Raise StartFailed if there is too little free space for a cluster."""
        place = make_dir(self.path.parent, "KAFKALAB_HOME", StartFailed)
        free = shutil.disk_usage(place).free
        if free < SPACE_NEEDED:
            raise StartFailed(
                f"The disk of {place} is full, or nearly.",
                seen=f"{free // 2**20} MB free; a cluster needs {SPACE_NEEDED // 2**20} MB",
                do="Free some space, or set KAFKALAB_HOME to a folder on another disk.",
            )

    def tail(self, node: str, lines: int) -> str:
        """Return the last lines of a node's log; only the end of the file is read."""
        try:
            with self.log(node).open("rb") as f:
                f.seek(0, os.SEEK_END)
                f.seek(max(0, f.tell() - 200 * lines - 1000))
                return "\n".join(f.read().decode(errors="replace").splitlines()[-lines:])
        except OSError:
            return ""

    def write(self, spec: ClusterSpec, nodes: tuple[NodeSpec, ...], **more: Any) -> None:
        """Write cluster.json completely or not at all."""
        content = {"spec": spec.to_dict(), "nodes": [asdict(n) for n in nodes], **more}
        write_whole(self.path / "cluster.json", json.dumps(content, indent=1))

    def read(self) -> tuple[ClusterSpec, tuple[NodeSpec, ...], dict[str, Any]]:
        """Return the spec, the nodes and the rest of cluster.json; raise BadInput when it cannot be read."""
        try:
            content = json.loads((self.path / "cluster.json").read_text())
            return (
                ClusterSpec.from_dict(content.pop("spec")),
                tuple(NodeSpec(**n) for n in content.pop("nodes")),
                content,
            )
        except (OSError, ValueError, TypeError, KeyError) as e:
            raise BadInput(
                f"There is no cluster named {self.name!r}.",
                seen=f"{type(e).__name__} on reading its file",
                do="See `kafkalab status` for the ones there are, or start one with `kafkalab up`.",
            ) from e

    def said(self) -> dict[str, Any]:
        """Return what cluster.json says besides the spec and the nodes; empty when there is none, or it is damaged."""
        with contextlib.suppress(BadInput):
            return self.read()[2]
        return {}

    def kind(self) -> str | None:
        """Return the name of the backend that runs it; None when that is not known: it is new, or damaged."""
        return self.said().get("backend")

    def remove(self) -> None:
        """Keep the logs and remove everything else; raise BadInput when it is not a cluster's folder."""
        supervisor.remove_folder(self.path, self.kept_logs)

    @contextmanager
    def starting(self) -> Iterator[bool]:
        """Create it and lock it during a start, so that no other process starts it or takes it for abandoned.

        Yields whether it is new, because a new folder is removed again when the start fails.
        """
        lock, fresh = None, False
        try:
            with undisturbed():
                lock = self._acquire()
                fresh = not (self.path / "cluster.json").exists() and not any((self.path / "data").iterdir())
            yield fresh
        except BaseException:
            if fresh:
                self.remove()
            raise
        finally:
            if lock is not None:
                lock.close()

    def _acquire(self) -> TextIO:
        try:
            lock = wait_until(self._lock, LOCK_PATIENCE, "the folder")
        except WaitTimeout as e:
            raise StartFailed(
                f"The cluster {self.name!r} is already being started by another process.", do="Wait until it runs."
            ) from e
        assert lock is not None  # wait_until returns only truthy answers
        return lock

    def _lock(self) -> TextIO | None:
        """Return the open file, locked for a start; None when another process holds it or has removed the file."""
        self.make()
        path = self.path / supervisor.MARK
        with contextlib.ExitStack() as closing, contextlib.suppress(BlockingIOError, FileNotFoundError):
            f = closing.enter_context(path.open("w"))
            fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # A start that failed removes its folder, so we may have locked a file that is no longer there.
            if os.fstat(f.fileno()).st_ino == path.stat().st_ino:
                closing.pop_all()
                return f
        return None

    # the data of an earlier run

    @property
    def begin_anew(self) -> str:
        """The advice on how to begin with empty data."""
        return f"Begin anew: kafkalab reset --name {self.name}"

    def damaged(self, seen: str) -> StartFailed:
        """Return the error for data with which Kafka cannot go on."""
        return StartFailed(
            f"The data of the cluster {self.name!r} is damaged, so nothing was started.", seen=seen, do=self.begin_anew
        )

    def earlier_run(self, spec: ClusterSpec, version: str) -> tuple[tuple[NodeSpec, ...], str | None]:
        """Return the nodes of an earlier run and the cluster's id; no nodes if there was no run.

        :raises BadInput: the earlier run had other settings.
        :raises StartFailed: a newer Kafka wrote the data, or cluster.json cannot be read, and there is data.
        """
        try:
            before, layout, more = self.read()
        except BadInput as e:
            if any((self.path / "data").glob("*/*")):
                raise self.damaged(f"{self.path / 'cluster.json'} cannot be read") from e
            return (), None
        written_by = more.get("version") or version
        if before.mode == spec.mode and _release(written_by) > _release(version):
            raise StartFailed(
                f"The data of the cluster {self.name!r} was written by a newer Kafka, {written_by}.",
                seen=f"this is Kafka {version}, which may not understand it",
                do="Use the newer kafkalab again, or choose another name for a new cluster.",
            )
        if before != spec:
            was, now = before.to_dict(), spec.to_dict()
            was, now = ({key: of[key] for key in was if was[key] != now[key]} for of in (was, now))
            raise BadInput(
                f"The cluster {self.name!r} exists already, with other settings.",
                seen=f"{_told(was)}; asked for: {_told(now)}",
                do=f"Choose another name, or remove the old cluster: kafkalab down --remove --name {self.name}",
            )
        return layout, more.get("cluster_id")

    def check_metadata(self, nodes: tuple[NodeSpec, ...]) -> None:
        """Raise StartFailed if there are records, but most of the metadata that says what they belong to is gone.

        The nodes that keep the metadata would agree on an empty cluster, and the brokers would then drop their records.
        """
        keepers = [n for n in nodes if n.is_voter or n.role == "zookeeper"]
        what = "version-2" if any(n.role == "zookeeper" for n in keepers) else METADATA_LOG
        lost = [n.name for n in keepers if not any((self.data(n) / what).glob("*"))]
        records = any(_has_partitions(self.data(n)) for n in nodes if n.role == "broker")
        if records and 2 * len(lost) > len(keepers):
            raise self.damaged(f"there are partitions, but no {what} in the data of {', '.join(lost)}")


METADATA_LOG = "__cluster_metadata-0"


def _has_partitions(data: Path) -> bool:
    """Return whether there are partitions of topics, other than those that are being deleted."""
    names = [path.name for path in data.glob("*-*") if path.is_dir()]
    return any(re.fullmatch(r".+-\d+", name) and name != METADATA_LOG for name in names)


def _release(version: str) -> tuple[int, ...]:
    return tuple(int(n) for n in re.findall(r"\d+", version))


def _told(settings: Mapping[str, Any]) -> str:
    return ", ".join(f"{key}={value!r}" for key, value in settings.items())


# --- All clusters of this user.


def existing() -> list[ClusterFolder]:
    """Return every cluster's folder in the usual place, sorted by name."""
    with contextlib.suppress(OSError):
        return [ClusterFolder(p.parent) for p in sorted((home_dir() / "clusters").glob("*/cluster.json"))]
    return []


def clean_abandoned() -> list[str]:
    """Remove throw-away clusters that no process runs any more, and old logs; return the names of the clusters."""
    gone = []
    for path in (home_dir() / "clusters").glob("*"):
        folder = ClusterFolder(path)
        if supervisor.is_clusters(path) and not folder.alive and _is_throw_away(folder):
            folder.remove()
            gone.append(folder.name)
    logs = sorted(filter(supervisor.are_logs, (home_dir() / "logs").glob("*")), key=_changed, reverse=True)
    for old in logs[LOGS_KEPT:]:
        shutil.rmtree(old, ignore_errors=True)
    return gone


def _is_throw_away(folder: ClusterFolder) -> bool:
    said = folder.said()
    if not said:
        # A start died in its first moments, or the file was lost. We never remove the data of a named cluster, nor a
        # folder that is less than a minute old, because its start may still be under way.
        nameless = re.fullmatch(r"c-[0-9a-f]{8}", folder.name)
        empty = not any((folder.path / "data").glob("*/*"))
        return bool(nameless or empty) and 60 < time.time() - _changed(folder.path) < time.time()
    # Containers go on running without their owner's process; Docker's own clean-up decides about those.
    return bool(said.get("throw_away")) and said.get("backend", "local") == "local"


def _changed(path: Path) -> float:
    """Return the time of its last change; 0 when it is gone, because another process may clean up too."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
