"""What there is for nodes in containers. The default way needs none of it."""

from __future__ import annotations

import contextlib
import importlib.metadata
import platform
import shutil
import subprocess
from typing import Any

from kafkalab.commands.doctor_check import Check, asked
from kafkalab.errors import KafkalabError

#: ZooKeeper and three brokers, each with room for its page cache, in bytes.
MEMORY_NEEDED = 2 * 2**30
#: Seconds for an engine that hangs.
PATIENCE = 10


def examine() -> list[Check]:
    """The library, the engine and what it has, and Compose; after one that fails, only what does not need it."""
    try:
        library = Check("docker", True, f"Python's docker {importlib.metadata.version('docker')}", optional=True)
    except importlib.metadata.PackageNotFoundError:
        return [Check("docker", False, "the Python package is missing", "pip install docker", True), _compose()]
    from kafkalab.cluster.docker import engine

    try:
        client = engine.connect(PATIENCE)
    except KafkalabError as e:
        return [library, Check("docker: engine", False, f"{e.what} {e.seen}".strip(), e.do, True), _compose()]
    with contextlib.closing(client):
        try:
            with engine.speaking("The Docker engine answers, and not as it should.", KafkalabError):
                info = client.info()
        except KafkalabError as e:
            return [library, Check("docker: engine", False, f"{e.what} {e.seen}", e.do, True), _compose()]
        return [library, _engine(info), _memory(info), _image(client), _compose()]


def _engine(info: dict[str, Any]) -> Check:
    machine, here = str(info.get("Architecture", "")), platform.machine()
    seen = f"{info.get('ServerVersion')}, {info.get('OperatingSystem')}, {machine}"
    if info.get("OSType") != "linux":
        return Check("docker: engine", False, f"{seen}: no Linux containers", "Switch it to Linux containers.", True)
    if _normal(machine) != _normal(here):
        seen += f" (this Python: {here})"
    return Check("docker: engine", True, seen, optional=True)


def _normal(machine: str) -> str:
    return {"amd64": "x86_64", "arm64": "aarch64"}.get(machine.lower(), machine.lower())


def _memory(info: dict[str, Any]) -> Check:
    total = int(info.get("MemTotal", 0))
    ok = total >= MEMORY_NEEDED
    seen = f"the engine has {total // 2**20} MB; {MEMORY_NEEDED // 2**20} MB for three brokers and ZooKeeper"
    do = "" if ok else "Give it more (Docker Desktop: Settings, Resources), or ask for one broker: --brokers 1"
    return Check("docker: memory", ok, seen, do, True)


def _image(client: Any) -> Check:
    from kafkalab.cluster.docker import engine, image

    def words() -> str:
        name = image.tag()
        with engine.speaking("The Docker engine does not tell its images.", KafkalabError):
            if not image.has(client, name):
                raise KafkalabError(
                    "Not built yet:", seen=f"{name}, over {image.base()}",
                    do="Nothing: the first `kafkalab up --backend docker` builds it.",
                )  # fmt: skip
        return name

    return asked("docker: image", words, optional=True)


def _compose() -> Check:
    """Compose v2 is a part of the docker command, v1 a command of its own."""
    for command in (["docker", "compose"], ["docker-compose"]):
        if shutil.which(command[0]) is None:
            continue
        try:
            done = subprocess.run(
                [*command, "version", "--short"], capture_output=True, text=True, timeout=PATIENCE, check=True
            )
        except (OSError, subprocess.SubprocessError):
            continue
        return Check("docker: compose", True, f"{' '.join(command)} {done.stdout.strip()}", optional=True)
    do = "For docker/compose.yaml install Docker Compose (2, or 1.29); `--backend docker` does without it."
    return Check("docker: compose", False, "neither `docker compose` nor `docker-compose`", do, True)
