"""The folder of one local cluster: its file, its nodes' settings and data, its logs; and finding those that exist."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kafkalab.cluster import supervised, supervisor
from kafkalab.cluster.spec import ClusterSpec, NodeSpec
from kafkalab.errors import BadInput, StartFailed
from kafkalab.home import home_dir, make_dir

#: Logs of clusters that are gone: the newest this many are kept.
LOGS_KEPT = 10
#: Less free space than this (bytes) for the data and a broker dies halfway through a lesson.
SPACE_NEEDED = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class ClusterFolder:
    """Where a local cluster lives on disk."""

    path: Path

    @classmethod
    def of(cls, name: str, data_dir: Path | None = None) -> ClusterFolder:
        """The folder of the cluster of that name."""
        return cls((data_dir or home_dir() / "clusters").absolute() / name)

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
        return supervised.is_alive(self.path) or supervised.is_locked(self.path / "start.lock")

    def make(self) -> None:
        """Make it, private and with enough space, or say clearly why not; a half-made one is taken away again."""
        fresh = not self.path.exists()
        variable = "KAFKALAB_HOME"
        try:
            make_dir(self.path, variable, StartFailed)
            for part in ("data", "settings", "logs"):
                (self.path / part).mkdir(exist_ok=True)
            free = shutil.disk_usage(self.path).free
            if free < SPACE_NEEDED:
                raise StartFailed(
                    f"The disk of {self.path} is full, or nearly.",
                    seen=f"{free // 2**20} MB free; a cluster needs {SPACE_NEEDED // 2**20} MB",
                    do=f"Free some space, or set {variable} to a folder on another disk.",
                )
        except (StartFailed, OSError):
            if fresh:
                shutil.rmtree(self.path, ignore_errors=True)
            raise

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
        new.write_text(json.dumps(content, indent=1))
        os.replace(new, self.path / "cluster.json")

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
        """Keep the logs, remove everything else."""
        supervisor.remove_folder(self.path, self.kept_logs)

    @contextmanager
    def starting(self) -> Iterator[None]:
        """Hold the folder while a start is under way, so that nobody takes it for abandoned."""
        with (self.path / "start.lock").open("w") as f:
            try:
                fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as e:
                raise StartFailed(
                    f"The cluster {self.name!r} is being started by somebody else.", do="Wait for it."
                ) from e
            yield


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
        if path.is_dir() and not folder.alive and _is_throw_away(folder):
            folder.remove()
            gone.append(folder.name)
    logs = sorted((home_dir() / "logs").glob("*"), key=lambda p: p.stat().st_mtime, reverse=True)
    for old in logs[LOGS_KEPT:]:
        shutil.rmtree(old, ignore_errors=True)
    return gone


def _is_throw_away(folder: ClusterFolder) -> bool:
    try:
        more = folder.read()[2]
        # Containers live without their owner's process; Docker's own clean-up knows about those.
        return bool(more.get("throw_away")) and more.get("backend", "local") == "local"
    except BadInput:
        # No readable file: left from a start that died in its first moments; wait until it surely has.
        with contextlib.suppress(OSError):
            return time.time() - folder.path.stat().st_mtime > 60
        return False
