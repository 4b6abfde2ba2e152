"""Finds the Docker engine of this machine, and turns its errors into sentences that tell a learner what to do."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from kafkalab.errors import KafkalabError, NodeFailed, NotSupported, StartFailed

#: Seconds to wait for an engine's answer; on a busy disk, creating a volume or ending a container takes long.
PATIENCE = 120

PORT_STOLEN = "a port on this machine is taken"
IMAGE_GONE = "the image of the nodes is gone"

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
        ("cannot allocate memory", "out of memory"),
        "the engine has no memory left",
        "Start fewer brokers, stop other containers, or give Docker Desktop more memory in its settings.",
    ),
    (
        ("port is already allocated", "address already in use", "ports are not available"),
        PORT_STOLEN,
        "End the program that uses it, or choose another port. If you choose none, kafkalab takes free ones.",
    ),
    (
        ("is already in use by container", "already exists"),
        "the engine already has something of that name",
        "Give this cluster another name, or see what is there: `docker ps -a`, `docker network ls`.",
    ),
    (
        ("no such image",),
        IMAGE_GONE,
        "Start the cluster again: kafkalab then builds the image again.",
    ),
)


def connect(patience: float = PATIENCE) -> Any:
    """Return a client of the Docker engine on this machine, once it has answered; the caller closes the client.

    It looks where Docker's own command looks: ``DOCKER_HOST``, the chosen context, then the usual sockets.

    :raises StartFailed: the Python package is missing, no engine answers, or the engine refuses access.
    :raises NotSupported: the engine is on another machine, so that its 127.0.0.1 is not this one's.
    """
    seen = []
    for url in places():
        if not _is_local(url):
            raise NotSupported(
                f"The Docker engine at {url} is on another machine.",
                seen="the nodes' ports would be published on that machine's 127.0.0.1, not on this one's",
                do="Unset DOCKER_HOST (or `docker context use default`), or run kafkalab on that machine.",
            )
        if refused := _refusal(url):
            seen.append(f"{url}: {refused}")
            continue
        try:
            import docker
        except ImportError as e:
            raise StartFailed(
                "Containers need the Python package `docker`.",
                seen=str(e),
                do="pip install docker. Or leave the backend out: then the nodes are local processes.",
            ) from e
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
    """Return the URLs at which an engine may listen: the chosen one, or the usual sockets if none was chosen."""
    if chosen := os.environ.get("DOCKER_HOST"):
        return [chosen]
    if host := _context_host():
        return [host]
    home, run = Path.home(), Path(os.environ.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}")
    usual = Path("/var/run/docker.sock")
    # Docker Desktop without its system-wide socket, rootless engines, Colima.
    others = [run / "docker.sock", home / ".docker/run/docker.sock", home / ".colima/default/docker.sock"]
    return [f"unix://{path}" for path in [usual, *(p for p in others if p.exists())]]


def _context_host() -> str | None:
    """Return the URL of the context chosen by ``docker context use`` or DOCKER_CONTEXT; None for the default one."""
    with contextlib.suppress(Exception):  # a broken configuration of Docker's command is not ours to judge
        if not os.environ.get("DOCKER_CONTEXT"):
            config = Path(os.environ.get("DOCKER_CONFIG") or Path.home() / ".docker") / "config.json"
            if not config.exists() or not json.loads(config.read_text()).get("currentContext"):
                return None  # most users have no context, and need not wait for the library
        from docker.context import ContextAPI

        context = ContextAPI.get_current_context()
        if context is not None and context.Name != "default":
            return str(context.Host)
    return None


def _is_local(url: str) -> bool:
    return url.startswith(("unix:", "npipe:", "http+unix:")) or "://" not in url


def _refusal(url: str) -> str:
    """Return why a Unix socket refuses us, or "". We try it, because the library would leave the socket open."""
    if not url.startswith(("unix:", "http+unix:")):
        return ""
    path = url.partition(":")[2]
    with socket.socket(socket.AF_UNIX) as s:
        s.settimeout(10)
        try:
            s.connect("/" + path.lstrip("/"))
        except OSError as e:
            return e.strerror or str(e)
    return ""


def _reason(error: BaseException) -> str:
    """Return the known short reason in an error's text, or else the beginning of the text."""
    text = str(error)
    for short in ("Permission denied", "No such file or directory", "Connection refused", "timed out"):
        if short in text:
            return short
    return text[:200]


@contextlib.contextmanager
def speaking(what: str, error: type[KafkalabError] = NodeFailed) -> Iterator[None]:
    """Turn an engine's errors within the ``with`` block into ``error``, with the sentence ``what`` and the reason."""
    from docker.errors import DockerException

    try:
        yield
    except KafkalabError:
        raise
    except (DockerException, OSError) as e:  # a broken connection is an OSError of requests
        raise translated(e, what, error) from e


def translated(e: Exception, what: str, error: type[KafkalabError] = NodeFailed) -> KafkalabError:
    """Return a kafkalab error for an engine's error, with what it means and what to do."""
    said = str(getattr(e, "explanation", None) or _reason(e))
    for words, meaning, do in MEANINGS:
        if any(word.lower() in said.lower() for word in words):
            return error(what, seen=f"{meaning}: {said[:300]}", do=do)
    if getattr(e, "response", None) is None:
        return error(
            what,
            seen=f"the Docker engine does not answer ({said[:200]})",
            do="Check whether it is running: `docker version`.",
        )
    return error(what, seen=said[:500], do="`docker ps -a` and `docker logs NAME` show more.")


def together(calls: Iterable[Callable[[], object]]) -> None:
    """Carry out calls in parallel; when all have ended, raise the first error, if there was one.

    While the interpreter shuts down, no new threads can be started; the calls then run one after the other.
    """
    errors: list[BaseException] = []

    def carry_out(call: Callable[[], object]) -> None:
        try:
            call()
        except BaseException as e:
            errors.append(e)

    threads = []
    for call in calls:
        thread = threading.Thread(target=carry_out, args=(call,), daemon=True)
        try:
            thread.start()
            threads.append(thread)
        except RuntimeError:
            carry_out(call)
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def is_missing(e: BaseException) -> bool:
    """Return whether an engine's error says that the thing asked for does not exist."""
    from docker.errors import NotFound

    return isinstance(e, NotFound)
