"""The folder of one local cluster: its file, its nodes' settings and data, its logs; and finding those that exist."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TextIO

from kafkalab.cluster import supervisor
from kafkalab.cluster import supervisor as cluster_supervisor
from kafkalab.cluster.interrupts import undisturbed
from kafkalab.cluster.spec import ClusterSpec, NodeSpec, check_name
from kafkalab.errors import BadInput, StartFailed, WaitTimeout
from kafkalab.home import WRITABLE, home_dir, make_dir
from kafkalab.waiting import wait_until

#: Seconds a start waits for another one's of the same name; who only looks at a lock holds it for a moment too.
LOCK_PATIENCE = 2.0
#: Logs of clusters that are gone: the newest this many are kept.
LOGS_KEPT = 10
#: Less free space than this (bytes) for the data and a broker dies halfway through a lesson.
SPACE_NEEDED = 256 * 1024 * 1024


PARTS = ("data", "settings", "logs")


@dataclass(frozen=True, slots=True)
class ClusterFolder:
    """Where a local cluster lives on disk."""

    path: Path

    @classmethod
    def of(cls, name: str, data_dir: Path | None = None) -> ClusterFolder:
        """The folder of the cluster of that name; BadInput for a name that is none."""
        return cls((data_dir or home_dir() / "clusters").absolute() / check_name(name))

    @property
    def name(self) -> str:
        """The cluster's name."""
        return self.path.name

    def data(self, node: NodeSpec) -> Path:
        """A node's data."""
        return self.path / "data" / node.name

    def settings(self, node: NodeSpec) -> Path:
        """A node's properties file."""
        return self.path / "settings" / f"{node.name}.properties"

    def log(self, node: str) -> Path:
        """What a node wrote; after the cluster has gone, the copy that was kept."""
        log = self.path / "logs" / f"{node}.log"
        return log if log.exists() or self.path.exists() else self.kept_logs / f"{node}.log"

    @property
    def kept_logs(self) -> Path:
        """Where its logs go when it is removed."""
        return home_dir() / "logs" / self.name

    @property
    def alive(self) -> bool:
        """Whether somebody runs it, or is just starting it."""
        # In this order: a start that ends between the two questions has a supervisor by the second.
        return cluster_supervisor.is_locked(self.path / supervisor.MARK) or cluster_supervisor.is_alive(self.path)

    def make(self) -> None:
        """Make it, private and with enough space, or say clearly why not; a half-made one is taken away again."""
        fresh = not self.path.exists()
        variable = "KAFKALAB_HOME"
        try:
            make_dir(self.path, variable, StartFailed)
            self._mark()
            for part in PARTS:
                (self.path / part).mkdir(exist_ok=True)
            free = shutil.disk_usage(self.path).free
            if free < SPACE_NEEDED:
                raise StartFailed(
                    f"The disk of {self.path} is full, or nearly.",
                    seen=f"{free // 2**20} MB free; a cluster needs {SPACE_NEEDED // 2**20} MB",
                    do=f"Free some space, or set {variable} to a folder on another disk.",
                )
        except BaseException:
            if fresh:
                self._take_back()
            raise

    def _mark(self) -> None:
        """Put the mark of a cluster into it, unless it is somebody's folder of other things."""
        mark = self.path / supervisor.MARK
        if not mark.exists():
            others = [p.name for p in self.path.iterdir() if not p.name.startswith(WRITABLE)]
            if others and not mark.exists():  # another start may have put it there since
                raise StartFailed(
                    f"The folder {self.path} is there already, and it is not a cluster's.",
                    seen=f"in it: {', '.join(sorted(others)[:5])}",
                    do="Give the cluster another name, or move that folder.",
                )
            mark.touch()

    def _take_back(self) -> None:
        """Remove it as it was made: what somebody has put into it meanwhile stays."""
        for part in PARTS:
            with contextlib.suppress(OSError):
                (self.path / part).rmdir()
        with contextlib.suppress(OSError):
            if {p.name for p in self.path.iterdir()} <= {supervisor.MARK}:
                (self.path / supervisor.MARK).unlink(missing_ok=True)
                self.path.rmdir()

    def tail(self, node: str, lines: int) -> str:
        """The last lines of a node's log; only the end of the file is read."""
        try:
            with self.log(node).open("rb") as f:
                f.seek(0, os.SEEK_END)
                f.seek(max(0, f.tell() - 200 * lines - 1000))
                return "\n".join(f.read().decode(errors="replace").splitlines()[-lines:])
        except OSError:
            return ""

    def write(self, spec: ClusterSpec, nodes: tuple[NodeSpec, ...], **more: Any) -> None:
        """Write cluster.json whole or not at all."""
        content = {"spec": spec.to_dict(), "nodes": [asdict(n) for n in nodes], **more}
        new = self.path / f".cluster-{os.getpid()}"
        try:
            with new.open("w") as f:
                json.dump(content, f, indent=1)
                f.flush()
                os.fsync(f.fileno())  # or a power cut may leave the new name with nothing in it
            os.replace(new, self.path / "cluster.json")
        except BaseException:
            new.unlink(missing_ok=True)
            raise

    def content(self) -> Any:
        """What cluster.json holds, as it stands there; None without one, or when it is damaged."""
        try:
            return json.loads((self.path / "cluster.json").read_text())
        except (OSError, ValueError):
            return None

    def read(self) -> tuple[ClusterSpec, tuple[NodeSpec, ...], dict[str, Any]]:
        """Spec, nodes and the rest of cluster.json."""
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

    def exists(self) -> bool:
        """Whether a cluster of that name is known, running or not."""
        return (self.path / "cluster.json").exists()

    def kind(self) -> str:
        """Which backend runs it; local when its file does not say."""
        try:
            return str(self.read()[2].get("backend", "local"))
        except BadInput:
            return "local"

    def remove(self) -> None:
        """Keep the logs, remove everything else; BadInput if it is no cluster's folder."""
        supervisor.remove_folder(self.path, self.kept_logs)

    @contextmanager
    def starting(self) -> Iterator[bool]:
        """Make it and hold it while a start is under way: nobody else starts it then, or takes it for abandoned.

        Yields whether it is new: a start that fails takes a new one away again.
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
            raise StartFailed(f"The cluster {self.name!r} is being started by somebody else.", do="Wait for it.") from e
        assert lock is not None  # what is waited for is never falsy
        return lock

    def _lock(self) -> TextIO | None:
        """The open file whose lock says that a start is under way; None if another process holds it."""
        self.make()
        path = self.path / supervisor.MARK
        with contextlib.ExitStack() as closing, contextlib.suppress(BlockingIOError, FileNotFoundError):
            f = closing.enter_context(path.open("w"))
            fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # A start that failed takes its folder away: the lock may be on a file that is not there any more.
            if os.fstat(f.fileno()).st_ino == path.stat().st_ino:
                closing.pop_all()
                return f
        return None


def existing() -> list[ClusterFolder]:
    """Every cluster folder in the usual place, by name."""
    with contextlib.suppress(OSError):
        return [ClusterFolder(p.parent) for p in sorted((home_dir() / "clusters").glob("*/cluster.json"))]
    return []


def clean_abandoned() -> list[str]:
    """Remove what crashed owners left behind (throw-away clusters nobody runs, old logs); returns the names removed."""
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
    try:
        more = folder.read()[2]
        # Containers live without their owner's process; Docker's own clean-up knows about those.
        return bool(more.get("throw_away")) and more.get("backend", "local") == "local"
    except BadInput:
        # No readable file: a start that died in its first moments, or a disk that lost it. The data of a named
        # cluster is never taken for rubbish; nor is a folder whose start may still be in its first moments.
        nameless = re.fullmatch(r"c-[0-9a-f]{8}", folder.name)
        empty = not any((folder.path / "data").glob("*/*"))
        return bool(nameless or empty) and 60 < time.time() - _changed(folder.path) < time.time()


def _changed(path: Path) -> float:
    """When it last changed; 0 when it is gone: another process cleans up too."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
