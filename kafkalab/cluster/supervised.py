"""The client's end of a supervisor: start one, ask it, find out whether one is alive."""

from __future__ import annotations

import fcntl
import json
import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from kafkalab.cluster.interrupts import undisturbed
from kafkalab.errors import KafkalabError, NodeFailed, StartFailed


def socket_path(folder: Path) -> Path:
    """Where the supervisor of a cluster's folder listens: short, since Unix sockets allow about 100 bytes."""
    import hashlib

    place = Path(tempfile.gettempdir(), f"kafkalab-{os.getuid()}")
    place.mkdir(mode=0o700, exist_ok=True)
    if place.stat().st_uid != os.getuid():
        raise StartFailed(f"{place} belongs to somebody else.", do="Set TMPDIR to a folder of your own.")
    return place / f"{hashlib.sha256(str(folder).encode()).hexdigest()[:16]}.sock"


def is_locked(path: Path) -> bool:
    """Whether some process holds the lock on a file; no crash can leave one behind."""
    try:
        with path.open("r") as f:
            fcntl.flock(f, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def is_alive(folder: Path) -> bool:
    """Whether a supervisor holds the folder."""
    return is_locked(folder / "supervisor.lock")


def watcher(module: str, folder: Path, options: dict[str, Any], *, tied: bool) -> subprocess.Popen[bytes]:
    """Start a module of ours that watches over the cluster of a folder; what it has to complain of goes to its log.

    :param tied: it gets a pipe from this process, which closes when this process ends in whatever way.
    """
    with (folder / f"{module.rpartition('.')[2]}.log").open("ab") as errors:
        return subprocess.Popen(
            [sys.executable, "-m", module, str(folder), json.dumps(options)],
            stdin=subprocess.PIPE if tied else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        )


def await_ready(process: subprocess.Popen[bytes], folder: Path, name: str) -> None:
    """Wait until a watcher says that it is ready; StartFailed, with the end of its log, when it ends instead."""
    assert process.stdout is not None
    with process.stdout as out:
        ready = out.readline()
    if ready != b"ready\n":
        code = process.wait()
        log = (folder / f"{name}.log").read_text(errors="replace").splitlines()[-10:]
        raise StartFailed(f"The cluster's {name} did not start.", seen=f"it ended with {code}", log="\n".join(log))


class Supervised:
    """The supervisor of one folder, asked one question a connection. Safe to use from several threads."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def launch(self, *, owned: bool, keep_logs: Path | None) -> None:
        """Start the supervisor; an owned one ends, with all its nodes, when this process does."""
        options = {
            "socket": str(socket_path(self.folder)),
            "owned": owned,
            "keep_logs": str(keep_logs) if keep_logs else None,
        }
        with undisturbed():
            self._process = watcher("kafkalab.cluster.supervisor", self.folder, options, tied=owned)
        await_ready(self._process, self.folder, "supervisor")

    def ask(self, op: str, **request: Any) -> dict[str, Any]:
        """One request, one answer; NodeFailed when the supervisor refuses or is gone."""
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.connect(str(socket_path(self.folder)))
                with connection.makefile("rwb") as stream:
                    stream.write(json.dumps({"op": op, **request}).encode() + b"\n")
                    stream.flush()
                    line = stream.readline()
        except OSError as e:
            raise NodeFailed(
                "The cluster is not running any more.", seen=f"its supervisor does not answer ({e})"
            ) from e
        if not line:
            raise NodeFailed("The cluster is not running any more.", seen="its supervisor has ended")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise NodeFailed(answer["error"][:1].upper() + answer["error"][1:] + ".")
        return answer

    def abandon(self) -> None:
        """End a supervisor in the middle of a start, with all its nodes, however far it came."""
        try:
            self.ask("end", order=[], grace=0, remove=False)
        except KafkalabError:
            if self._process is not None:  # it does not listen yet, or any more
                self._process.terminate()
        if self._process is not None:
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
            self.close()

    def close(self) -> None:
        """Let go of a supervisor that was told to end: reap it if it was ours."""
        if self._process is not None:
            if self._process.stdin is not None:
                self._process.stdin.close()
            self._process.wait(10)
            self._process = None
