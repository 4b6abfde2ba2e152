"""A real Docker engine for the tests: the one that is there, or one of their own that ends with them.

An engine of our own is started only as root on a machine that has ``dockerd`` and where none answers, as on a fresh
one in CI. Its images are kept in the user's cache between runs; its socket and its processes live only for the run.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import docker
import platformdirs
import pytest
from docker.errors import DockerException

from kafkalab.cluster.supervisor import die_with_parent
from kafkalab.waiting import wait_until

NO_ENGINE = "no Docker engine here, and none can be started"

#: CAP_NET_ADMIN and CAP_SYS_ADMIN: without them root is only called so, and an engine can make no network and no mount.
CAPABILITIES = 1 << 12 | 1 << 21


@contextlib.contextmanager
def any_engine() -> Iterator[docker.DockerClient]:
    """A client of an engine that answers; skips the test where there is none and none can be started."""
    with contextlib.ExitStack() as stack:
        client = _answering()
        if client is None:
            if os.environ.get("DOCKER_HOST") or not _can_start_one():
                pytest.skip(NO_ENGINE)
            client = stack.enter_context(_own_engine())
        stack.callback(client.close)
        yield client


@contextlib.contextmanager
def _own_engine() -> Iterator[docker.DockerClient]:
    """An engine of our own, found by child processes through ``DOCKER_HOST``; ended, with all it began, at the end."""
    images = platformdirs.user_cache_path("kafkalab-tests") / "docker"
    images.mkdir(parents=True, exist_ok=True)
    place = Path(tempfile.mkdtemp(prefix="kafkalab-dockerd-"))
    # The engine inherits the lock and lets go of it when its last process has ended: a run that comes before, after
    # another was killed, waits for that.
    with (images / ".lock").open("w") as lock, (place / "log").open("wb") as log:
        wait_until(lambda: _locked(lock.fileno()), 120, f"another test run to let go of {images}", period=0.2)
        process = subprocess.Popen(
            [
                *("dockerd", "--host", f"unix://{place}/docker.sock", "--pidfile", str(place / "pid")),
                *("--data-root", str(images), "--exec-root", str(place / "exec")),
            ],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            pass_fds=[lock.fileno()],
            start_new_session=True,
            preexec_fn=lambda: die_with_parent(signal.SIGTERM),
        )

    def tail() -> str:
        return "\n".join((place / "log").read_text(errors="replace").splitlines()[-15:])

    def answering() -> docker.DockerClient | None:
        assert process.poll() is None, f"dockerd ended with {process.returncode}:\n{tail()}"
        return _answering()

    try:
        os.environ["DOCKER_HOST"] = f"unix://{place}/docker.sock"
        client = wait_until(answering, 60, "the Docker engine to answer", log=tail)
        _clear(client)
        yield client
    finally:
        os.environ.pop("DOCKER_HOST", None)
        _end(process, place)
        shutil.rmtree(place)


def _clear(client: docker.DockerClient) -> None:
    """Remove all but the images: an earlier run that was killed left its containers and its named clusters' data."""
    for container in client.containers.list(all=True):
        container.remove(force=True, v=True)
    for volume in client.volumes.list():
        volume.remove(force=True)
    client.networks.prune()


def _answering() -> docker.DockerClient | None:
    try:
        client = docker.from_env(timeout=600)
    except DockerException:
        return None
    try:
        client.ping()
    except DockerException:
        client.close()
        return None
    return client


def _can_start_one() -> bool:
    if os.geteuid() != 0 or not shutil.which("dockerd"):
        return False
    status = Path("/proc/self/status").read_text()
    ours = int(next(line.split()[1] for line in status.splitlines() if line.startswith("CapEff")), 16)
    return ours & CAPABILITIES == CAPABILITIES


def _locked(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _end(process: subprocess.Popen[bytes], place: Path) -> None:
    """SIGTERM ends its containers and its containerd too; what that leaves after a minute is ended by its pid."""
    process.terminate()
    try:
        process.wait(60)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for file in place.glob("exec/containerd/containerd.pid"):
        with contextlib.suppress(OSError, ValueError):
            os.kill(int(file.read_text()), signal.SIGKILL)
    mounts = [line.split()[1] for line in Path("/proc/self/mounts").read_text().splitlines()]
    for mount in sorted((m for m in mounts if m.startswith(str(place))), reverse=True):
        subprocess.run(["umount", "--lazy", mount], check=False)
