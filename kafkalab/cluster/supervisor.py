"""The parent process of all nodes of one cluster: ``python -m kafkalab.cluster.supervisor FOLDER OPTIONS``.

Because it is the nodes' parent, it can signal them without ever hitting another process that got a recycled pid. It
ends them when its owner ends, in whatever way: its standard input is a pipe from the owner (the operating system closes
it even after kill -9), and it watches its parent's pid besides. If it is itself killed, Linux kills its children. A
detached supervisor (``kafkalab up``) has no owner and ends when it is told to.

It answers one JSON object per line on a Unix socket. It loads little but the standard library, so that it starts fast
and stays small.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import fcntl
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

from kafkalab.cluster.interrupts import undisturbed
from kafkalab.errors import BadInput, KafkalabError, NodeFailed, StartFailed

PR_SET_PDEATHSIG = 1
#: File that every cluster's folder has; its lock says that a start is under way.
MARK = "start.lock"
OWNER_CHECK = 0.5  # seconds
#: Extra time for nodes that have closed their data and only wait for one another.
LINGER = 0.25  # seconds


def die_with_parent(number: int = signal.SIGKILL) -> None:
    """Ask Linux to send this process a signal when its parent dies in whatever way; for a child before exec."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, number)


def is_clusters(folder: Path) -> bool:
    """Return whether a folder is a cluster's own: every start creates its lock file before anything else."""
    return not folder.is_symlink() and (folder / MARK).is_file()


def are_logs(folder: Path) -> bool:
    """Return whether a folder holds nothing but logs of a cluster's nodes."""
    if folder.is_symlink() or not folder.is_dir():
        return False
    return all(re.fullmatch(r"(broker|controller|zookeeper)-\d+\.log", p.name) for p in folder.iterdir())


def remove_folder(folder: Path, keep_logs: Path | None) -> None:
    """Remove a cluster's folder; its logs are moved to ``keep_logs`` first and replace older ones there.

    :raises BadInput: when it is not a cluster's folder; nothing is changed then.
    """
    if not folder.exists():
        return
    if not is_clusters(folder):
        raise BadInput(
            f"{folder} is not the folder of a cluster, so it is left alone.",
            seen="it is a link" if folder.is_symlink() else f"there is no {MARK} in it, which every cluster has",
            do="Remove it yourself if you do not need it.",
        )
    if keep_logs is not None and (folder / "logs").is_dir() and (are_logs(keep_logs) or not keep_logs.exists()):
        with contextlib.suppress(OSError, shutil.Error):
            shutil.rmtree(keep_logs, ignore_errors=True)
            keep_logs.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(str(folder / "logs"), str(keep_logs))
    shutil.rmtree(folder, ignore_errors=True)


def _signal(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.send_signal(number)


class Supervisor:
    """Runs the nodes of one cluster as its child processes, by name."""

    def __init__(self, folder: Path, owned: bool, keep_logs: Path | None) -> None:
        self.folder, self.owned, self.keep_logs = folder, owned, keep_logs
        self.owner = os.getppid()
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.paused: set[str] = set()
        self.ending = False
        self.over = asyncio.Event()

    # requests of clients

    def do_spawn(self, name: str, argv: list[str], env: dict[str, str], log: str) -> dict[str, Any]:
        """Start a node as a child process; its output is added to its log."""
        old = self.processes.get(name)
        if old is not None and old.poll() is None:
            return {"error": f"{name} is running already (pid {old.pid})"}
        if self.ending:
            return {"error": f"{name} cannot start: the cluster is being stopped"}
        with open(log, "ab") as out:
            self.processes[name] = subprocess.Popen(
                argv,
                env=env,
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C in the owner's terminal must not reach the nodes
                preexec_fn=die_with_parent,
            )
        self.paused.discard(name)
        return {"pid": self.processes[name].pid}

    def do_signal(self, name: str, number: int) -> dict[str, Any]:
        """Send a signal to a running node."""
        process = self.processes.get(name)
        if process is None or process.poll() is not None:
            return {"error": f"{name} is not running"}
        process.send_signal(number)
        if number == signal.SIGSTOP:
            self.paused.add(name)
        elif number == signal.SIGCONT:
            self.paused.discard(name)
        elif name in self.paused and number == signal.SIGTERM:
            # A stopped process cannot obey SIGTERM until it continues.
            process.send_signal(signal.SIGCONT)
            self.paused.discard(name)
        return {"pid": process.pid}

    def do_nodes(self) -> dict[str, Any]:
        """Return the state of every node that was ever started here."""
        return {"nodes": {name: self._describe(name, p) for name, p in self.processes.items()}}

    def _describe(self, name: str, process: subprocess.Popen[bytes]) -> dict[str, Any]:
        code = process.poll()
        state = "stopped" if code is not None else "paused" if name in self.paused else "running"
        return {"pid": process.pid if code is None else None, "state": state, "returncode": code}

    async def do_end(
        self, remove: bool, grace: float = 0, brokers: Sequence[str] = (), closed: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        """End the brokers in order within the grace, then all nodes that are left, then the supervisor itself.

        ``closed``: for brokers that may wait for others after they have closed their data, the file that shows it.
        """
        self.ending = True
        if grace > 0:
            for p in self.processes.values():  # the others may hand their partitions over to a paused one
                _signal(p, signal.SIGCONT)
            await self._end_in_order([n for n in brokers if n in self.processes], grace, closed or {})
        for p in self.processes.values():
            _signal(p, signal.SIGKILL)
        for p in self.processes.values():
            p.wait()
        try:
            if remove:
                remove_folder(self.folder, self.keep_logs)
        finally:
            self.over.set()
        return {"ended": True}

    async def _end_in_order(self, names: Sequence[str], grace: float, closed: Mapping[str, str]) -> None:
        """Send SIGTERM to all of them at once, and wait until they have ended, or only wait for one another."""
        for name in names:
            _signal(self.processes[name], signal.SIGTERM)
        end = time.monotonic() + grace
        while (left := [n for n in names if self.processes[n].poll() is None]) and time.monotonic() < end:
            if all(n in closed and os.path.exists(closed[n]) for n in left):
                await asyncio.sleep(LINGER)
                return
            await asyncio.sleep(0.02)

    # the supervisor itself

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one client until it hangs up."""
        with contextlib.suppress(ConnectionError):
            while line := await reader.readline():
                try:
                    request = json.loads(line)
                    answer = getattr(self, "do_" + request.pop("op"))(**request)
                    if asyncio.iscoroutine(answer):
                        answer = await answer
                except Exception as e:  # report it, or the client would wait for ever
                    answer = {"error": f"{type(e).__name__}: {e}"}
                writer.write(json.dumps(answer).encode() + b"\n")
                await writer.drain()
        writer.close()

    async def watch_owner(self) -> None:
        """End everything when the owner ends: its pipe closes, or our parent changes (a fork may keep the pipe)."""
        loop = asyncio.get_running_loop()
        gone = asyncio.Event()

        def pipe_closed() -> None:
            if not os.read(0, 4096):
                loop.remove_reader(0)
                gone.set()

        loop.add_reader(0, pipe_closed)
        while not gone.is_set() and os.getppid() == self.owner:
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(gone.wait(), OWNER_CHECK)
        if not self.over.is_set():  # an owner that was told "ended" closes the pipe too
            await self.do_end(remove=self.keep_logs is not None)

    async def run(self) -> None:
        """Serve clients until the end."""
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGCHLD, lambda: [p.poll() for p in self.processes.values()])
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            loop.add_signal_handler(
                number, lambda: asyncio.ensure_future(self.do_end(remove=self.keep_logs is not None))
            )
        at = socket_path(self.folder)
        at.unlink(missing_ok=True)
        server = await asyncio.start_unix_server(self.serve, str(at))
        os.chmod(at, 0o600)
        print("ready", flush=True)
        watching = asyncio.ensure_future(self.watch_owner()) if self.owned else None
        await self.over.wait()
        await asyncio.sleep(0.05)  # let the answer to `end` leave
        server.close()
        if watching is not None:
            watching.cancel()
        at.unlink(missing_ok=True)


def hold(folder: Path) -> TextIO:
    """Lock FOLDER/supervisor.lock, which proves that who watches over the cluster is alive, and write our pid there."""
    lock = open(folder / "supervisor.lock", "w")  # noqa: SIM115  (held for life)
    fcntl.flock(lock, fcntl.LOCK_EX)  # nobody else watches; a process that checks the lock releases it at once
    lock.write(str(os.getpid()))
    lock.flush()
    return lock


def main(arguments: list[str]) -> None:
    """Run a supervisor to its end."""
    folder = Path(arguments[0])
    options = json.loads(arguments[1])
    held = hold(folder)
    keep = options["keep_logs"]
    supervisor = Supervisor(folder, options["owned"], Path(keep) if keep else None)
    asyncio.run(supervisor.run())
    held.close()


# --- The client's end of a supervisor: start one, ask it, find out whether one is alive.


def socket_path(folder: Path) -> Path:
    """Return the path of a supervisor's socket; it is short, because Unix sockets allow only about 100 bytes."""
    import hashlib

    place = Path(tempfile.gettempdir(), f"kafkalab-{os.getuid()}")
    place.mkdir(mode=0o700, exist_ok=True)
    if place.stat().st_uid != os.getuid():
        raise StartFailed(f"{place} belongs to somebody else.", do="Set TMPDIR to a folder of your own.")
    return place / f"{hashlib.sha256(str(folder).encode()).hexdigest()[:16]}.sock"


def is_locked(path: Path) -> bool:
    """Return whether a process holds the lock on a file; a crash cannot leave a lock behind."""
    try:
        with path.open("r") as f:
            fcntl.flock(f, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def is_alive(folder: Path) -> bool:
    """Return whether a supervisor is running for the folder."""
    return is_locked(folder / "supervisor.lock")


def start_module(module: str, folder: Path, options: dict[str, Any], *, tied: bool) -> subprocess.Popen[bytes]:
    """Start a module of ours that watches over the cluster of a folder; its error output is added to its log.

    :param tied: give it a pipe from this process, which closes when this process ends in whatever way.
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
    """Wait until a watcher says that it is ready; raise StartFailed, with the end of its log, if it ends instead."""
    assert process.stdout is not None
    with process.stdout as out:
        ready = out.readline()
    if ready != b"ready\n":
        code = process.wait()
        log = (folder / f"{name}.log").read_text(errors="replace").splitlines()[-10:]
        raise StartFailed(f"The cluster's {name} did not start.", seen=f"it ended with {code}", log="\n".join(log))


class Supervised:
    """A client of the supervisor of one folder, with a connection for each request. Several threads may use it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def launch(self, *, owned: bool, keep_logs: Path | None) -> None:
        """Start the supervisor; an owned one ends, with all its nodes, when this process ends."""
        options = {"owned": owned, "keep_logs": str(keep_logs) if keep_logs else None}
        with undisturbed():
            self._process = start_module("kafkalab.cluster.supervisor", self.folder, options, tied=owned)
        await_ready(self._process, self.folder, "supervisor")

    def ask(self, op: str, **request: Any) -> dict[str, Any]:
        """Send one request and return its answer; raise NodeFailed when the supervisor refuses or is gone."""
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
        """End a supervisor in the middle of a start, with all the nodes it has started so far."""
        try:
            self.ask("end", remove=False)
        except KafkalabError:
            if self._process is not None:  # it does not listen yet, or no longer does
                self._process.terminate()
        if self._process is not None:
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
            self.close()

    def close(self) -> None:
        """Close the pipe to a supervisor that was told to end, and wait for its process if we started it."""
        if self._process is not None:
            if self._process.stdin is not None:
                self._process.stdin.close()
            self._process.wait(10)
            self._process = None


if __name__ == "__main__":
    main(sys.argv[1:])
