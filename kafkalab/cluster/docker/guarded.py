"""The owner's end of a guard: start one, and tell it that all is well."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from pathlib import Path

from kafkalab.cluster import supervised
from kafkalab.errors import StartFailed
from kafkalab.waiting import wait_until


class Guard:
    """The guard of one cluster's folder, if it has one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def launch(self, *, throw_away: bool) -> None:
        """Start it; from now on the cluster's containers end with this process."""
        options = {"cluster": self.folder.name, "throw_away": throw_away}
        self._process = supervised.watcher("kafkalab.cluster.docker.guard", self.folder, options, tied=True)
        try:
            supervised.await_ready(self._process, self.folder, "guard")
        except StartFailed:
            self._reap()
            raise

    def dismiss(self) -> None:
        """Tell it that the cluster was ended in order, perhaps not by its owner; wait until it has gone."""
        if self._process is not None:
            self._process.send_signal(signal.SIGUSR1)
            self._reap()
            return
        lock = self.folder / "supervisor.lock"
        with contextlib.suppress(OSError, ValueError):
            # As long as the lock is held, the pid in it is that of the holder.
            if supervised.is_locked(lock):
                os.kill(int(lock.read_text()), signal.SIGUSR1)
        wait_until(lambda: not supervised.is_locked(lock), 10, "the cluster's guard to end", period=0.01)

    def _reap(self) -> int | None:
        process, self._process = self._process, None
        if process is None:
            return None
        if process.stdin is not None:
            process.stdin.close()
        return process.wait(10)
