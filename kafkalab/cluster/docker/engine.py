"""Finds the Docker engine of this machine, and turns its errors into sentences that tell a learner what to do."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from kafkalab.cluster.interrupts import undisturbed
from kafkalab.errors import KafkalabError, NodeFailed, NotSupported, StartFailed

#: Seconds to wait for an engine's answer; on a busy disk, creating a volume or ending a container takes long.
PATIENCE = 120

#: Parts of an engine's error messages, what they mean, and what to do. The first match counts.
MEANINGS = (
    (
        ("could not find an available", "address pools have been fully subnetted", "non-overlapping IPv4"),
        "the engine has no addresses left for one more network",
        "Remove networks that you no longer use: `docker network ls`, then `docker network rm NAME`.",
    ),
    (
        ("no space left on device", "not enough space", "disk quota exceeded"),
        "the engine's disk is full",
        "Free some space: `docker system df` shows what takes it up. Docker Desktop has a setting for the disk's size.",
    ),
    (
        ("port is already allocated", "address already in use", "ports are not available"),
        "a port on this machine is taken",
        "End the program that uses it, or choose another port. If you choose none, kafkalab takes free ones.",
    ),
    (
        ("is already in use by container", "already exists"),
        "the engine already has something of that name, of another user or another KAFKALAB_HOME",
        "Give this cluster another name, or see what is there: `docker ps -a`, `docker network ls`.",
    ),
)


def connect(patience: float = PATIENCE) -> Any:
    """Return a client of the Docker engine on this machine, once it has answered; the caller closes the client.

    :raises StartFailed: no engine answers, or the engine refuses access.
    :raises NotSupported: the engine is on another machine, so that its 127.0.0.1 is not this one's.
    """
    seen = []
    for url in places():
        if "://" in url and not url.startswith(("unix:", "npipe:", "http+unix:")):
            raise NotSupported(
                f"The Docker engine at {url} is on another machine.",
                seen="the nodes' ports would be published on that machine's 127.0.0.1, not on this one's",
                do="Unset DOCKER_HOST, or run kafkalab on that machine.",
            )
        try:
            if url.startswith("unix://"):
                os.stat(url.removeprefix("unix://"))
        except OSError as e:
            seen.append(f"{url}: {e.strerror}")
            continue  # without an engine, nothing needs to load the library
        import docker

        try:
            return docker.DockerClient(base_url=url, timeout=int(patience))
        except docker.errors.DockerException as e:
            seen.append(f"{url}: {_reason(e)}")
    denied = any("Permission denied" in s for s in seen)
    raise StartFailed(
        "You are not allowed to use the Docker engine." if denied else "No Docker engine answers on this machine.",
        seen="; ".join(seen),
        do="Add yourself to the group `docker` (sudo usermod -aG docker $USER) and log in again."
        if denied
        else "Start Docker Desktop, or the engine (sudo systemctl start docker). If it listens elsewhere on "
        'this machine, set DOCKER_HOST. Without Docker: backend="local".',
    )


def places() -> list[str]:
    """Return the URLs at which an engine may listen: ``DOCKER_HOST``, or the usual sockets if it is not set."""
    if chosen := os.environ.get("DOCKER_HOST"):
        return [chosen]
    home, run = Path.home(), Path(os.environ.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}")
    # Docker Desktop without its system-wide socket, rootless engines, Colima.
    others = [run / "docker.sock", home / ".docker/run/docker.sock", home / ".docker/desktop/docker.sock"]
    others += [home / ".colima/default/docker.sock"]
    return [f"unix://{path}" for path in [Path("/var/run/docker.sock"), *(p for p in others if p.exists())]]


def _reason(error: BaseException) -> str:
    """Return the known short reason in an error's text, or else the beginning of the text."""
    known = ("Permission denied", "No such file or directory", "Connection refused", "timed out")
    return next((short for short in known if short in str(error)), str(error)[:200])


def meaning(said: str) -> tuple[str, str]:
    """Return what an engine's error means, with its own words, and what to do."""
    for words, means, do in MEANINGS:
        if any(word.lower() in said.lower() for word in words):
            return f"{means}: {said[:300]}", do
    return said[:500], "`docker ps -a` and `docker logs NAME` show more."


@contextlib.contextmanager
def speaking(what: str, error: type[KafkalabError] = NodeFailed) -> Iterator[None]:
    """Turn an engine's errors within the ``with`` block into ``error``: ``what``, what it means, and what to do."""
    from docker.errors import DockerException

    try:
        yield
    except KafkalabError:
        raise
    except (DockerException, OSError) as e:  # a broken connection is an OSError of requests
        seen, do = meaning(str(getattr(e, "explanation", None) or _reason(e)))
        if getattr(e, "response", None) is None:
            seen, do = f"the Docker engine does not answer ({seen})", "Check whether it is running: `docker version`."
        raise error(what, seen=seen, do=do) from e


@contextlib.contextmanager
def asking(what: str, patience: float = PATIENCE) -> Iterator[Any]:
    """Yield a client for the ``with`` block; errors are as those of :func:`connect` and :func:`speaking`."""
    with contextlib.closing(connect(patience)) as client, speaking(what):
        yield client


def together(calls: Iterable[Callable[[], object]]) -> None:
    """Carry out calls in parallel; when all have ended, raise the first error, if there was one.

    A Ctrl-C takes effect then, too, because what is still under way could not be cleaned up.
    """
    todo = list(calls)
    with undisturbed(), ThreadPoolExecutor(max(1, len(todo))) as pool:
        try:
            futures = [pool.submit(call) for call in todo]
        except RuntimeError:  # no threads can be started any more while the interpreter shuts down
            for call in todo:
                call()
            return
    for future in futures:
        future.result()
