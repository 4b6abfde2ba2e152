"""docker/compose.yaml of a fresh clone, up under a name and on ports of its own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import docker
import pytest

from kafkalab.cluster.net import PortBook

NO_COMPOSE = "no Docker Compose here"
ROOT = Path(__file__).resolve().parents[2]
#: The certificates this machine trusts: a build behind a proxy needs them, and any other is none the worse for them.
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")


def compose_command() -> list[str]:
    """``docker compose`` where there is that, else ``docker-compose``; without either the test is skipped."""
    for command in (["docker", "compose"], ["docker-compose"]):
        if shutil.which(command[0]) and not subprocess.run([*command, "version"], capture_output=True).returncode:
            return command
    pytest.skip(NO_COMPOSE)


@dataclass(frozen=True)
class Stack:
    """The services of one project, run by Compose and looked at through the engine."""

    client: docker.DockerClient
    checkout: Path
    project: str
    command: tuple[str, ...]
    ports: dict[str, int]

    def compose(self, *arguments: str) -> str:
        """Run Compose on the file; its output. A failure shows the end of it."""
        environment = {**os.environ, "KAFKALAB_IMAGE_TAG": "test", **{k: str(v) for k, v in self.ports.items()}}
        done = subprocess.run(
            [*self.command, "-p", self.project, "-f", "docker/compose.yaml", *arguments],
            cwd=self.checkout,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert done.returncode == 0, "\n".join(done.stdout.splitlines()[-40:])
        return done.stdout

    def port(self, service: str) -> int:
        """Where the service is published on loopback."""
        return self.ports[f"KAFKALAB_{service.upper().replace('-', '_')}_PORT"]

    def containers(self) -> dict[str, Any]:
        """Service → its container."""
        found = self.client.containers.list(all=True, filters={"label": f"com.docker.compose.project={self.project}"})
        return {c.labels["com.docker.compose.service"]: c for c in found}

    def left(self) -> list[str]:
        """Whatever the engine still has of the project: containers, networks, volumes."""
        mine = {"label": f"com.docker.compose.project={self.project}"}
        networks, volumes = self.client.networks.list(filters=mine), self.client.volumes.list(filters=mine)
        return [str(one.name) for one in (*self.containers().values(), *networks, *volumes)]


def clone(place: Path) -> Path:
    """This checkout as it is now, as somebody would get it who cloned it: every file git knows of or would take."""
    checkout = place / "kafkalab"
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    ).stdout.decode()
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file() and not (ROOT / name).is_symlink():
            (checkout / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, checkout / name)
    if CERTIFICATES.exists():
        shutil.copyfile(CERTIFICATES, checkout / "docker" / "extra-ca.crt")
    return checkout


@contextmanager
def project(client: docker.DockerClient, checkout: Path) -> Iterator[Stack]:
    """The project of a clone; whatever it started is gone at the end."""
    command = compose_command()
    variables = re.findall(r"\$\{(KAFKALAB_\w+_PORT):-", (checkout / "docker" / "compose.yaml").read_text())
    with PortBook() as book:
        ports = {name: book.take() for name in dict.fromkeys(variables)}
    stack = Stack(client, checkout, f"kafkalab-test-{uuid.uuid4().hex[:6]}", tuple(command), ports)
    try:
        yield stack
    finally:
        stack.compose("--profile", "kraft", "--profile", "ensemble", "down", "--volumes", "--timeout", "5")
        # Those of earlier runs, which lost their names to these: the layers they share stay.
        client.images.prune(filters={"dangling": True, "label": "kafkalab.image"})
