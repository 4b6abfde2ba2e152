"""Rehearses a start once, with one broker, so that all later starts find their classes in an archive."""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
import signal
import uuid
from pathlib import Path

from kafkalab.cluster import jvm
from kafkalab.cluster.folder import ClusterFolder
from kafkalab.cluster.jars import jar_set
from kafkalab.cluster.java import find_java
from kafkalab.cluster.local import LocalBackend
from kafkalab.cluster.spec import ClusterSpec, Mode, NodeSpec
from kafkalab.errors import KafkalabError
from kafkalab.home import make_dir
from kafkalab.progressbar import Report, silent
from kafkalab.waiting import wait_until

log = logging.getLogger(__name__)


class Rehearsal(LocalBackend):
    """A cluster whose JVMs write down, when they end, which classes they used."""

    def _sharing(self, node: NodeSpec) -> tuple[str, ...]:
        return jvm.make(self._draft(node))

    def _draft(self, node: NodeSpec) -> Path:
        return self.folder.path / f"{node.role}.jsa"

    def keep_archives(self) -> None:
        """End the nodes in order, each writing its archive, and put the archives where starts look for them."""
        for node in reversed(self.layout):
            self._signal(node.name, signal.SIGTERM)
            wait_until(lambda node=node: self._is_down(node), 60, f"{node.name} to write its archive")  # type: ignore[misc]
        java, ended = find_java(), self._client().ask("nodes")["nodes"]
        for node in self.layout:
            kept = jvm.path(java, self.spec.mode, node.role)
            if not self._draft(node).is_file():
                if ended[node.name]["returncode"] >= 0:  # below: a signal ended it, for want of memory perhaps
                    jvm.hopeless(java, self.spec.mode, node.role).touch()
                continue
            os.replace(self._draft(node), kept)
            for old in kept.parent.glob(f"{self.spec.mode}-{node.role}-*.jsa"):
                if old != kept:  # of another Java or of jars that were replaced: 50 MB nobody will use
                    old.unlink(missing_ok=True)


def ensure(mode: Mode, progress: Report = silent) -> None:
    """Make the archives of a mode unless they are there. A rehearsal that fails costs speed and nothing else."""
    jar_set(mode).ensure(progress)
    java = find_java()
    if jvm.made(java, mode):
        return
    folder = make_dir(jvm.path(java, mode, "broker").parent, "KAFKALAB_CACHE")
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if jvm.made(java, mode):  # another process made them while we waited
            return
        if not jvm.possible(java):
            for role in jvm.roles(mode):
                jvm.hopeless(java, mode, role).touch()
            return
        progress(0, 2, "rehearsing a start, once: later ones are quicker")
        # On the cache's disk: the archives are moved, not copied.
        name = f"rehearsal-{uuid.uuid4().hex[:8]}"
        spec = ClusterSpec(name, mode=mode, brokers=1, zookeepers=1 if mode == "zookeeper" else 0)
        rehearsal = Rehearsal(spec, ClusterFolder.of(name, folder), throw_away=True, detached=False)
        try:
            with contextlib.closing(_Stopping(rehearsal)):
                rehearsal.start()
                progress(1, 2, "rehearsing a start: writing down which classes it took")
                rehearsal.keep_archives()
        except (KafkalabError, OSError) as e:
            log.warning("The rehearsal of a start failed, so later starts are slower: %s", str(e).splitlines()[0])


class _Stopping:
    def __init__(self, rehearsal: Rehearsal) -> None:
        self.close = rehearsal.stop
