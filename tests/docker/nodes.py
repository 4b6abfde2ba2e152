"""Single nodes, for tests of their image: locked in as the backend and Compose lock them in."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import Any

import docker

from kafkalab.cluster import properties
from kafkalab.cluster.docker.options import DATA, TMPFS
from kafkalab.cluster.net import Containers
from kafkalab.cluster.ports import LOOPBACK, PortBook
from kafkalab.cluster.spec import ClusterSpec, lay_out
from kafkalab.waiting import wait_until

CLUSTER_ID = "kafkalab-test-image-00"


@dataclass
class Nodes:
    """Runs containers of an image and remembers them, to remove them with their volumes at the end."""

    client: docker.DockerClient
    image: str
    containers: list[Any] = field(default_factory=list)
    volumes: list[Any] = field(default_factory=list)

    def volume(self) -> str:
        """A new one, empty."""
        volume = self.client.volumes.create(f"kafkalab-test-{uuid.uuid4().hex[:8]}")
        self.volumes.append(volume)
        return str(volume.name)

    def run(self, **options: Any) -> Any:
        """A container of the image with no right it does not need."""
        container = self.client.containers.run(
            self.image,
            detach=True,
            read_only=True,
            tmpfs=TMPFS,
            cap_drop=["ALL"],
            security_opt=["no-new-privileges:true"],
            **options,
        )
        self.containers.append(container)
        return container

    def kraft(self, volume: str, cluster_id: str = CLUSTER_ID) -> tuple[Any, int]:
        """A cluster of one combined KRaft node on a volume; with the port it is published on."""
        with PortBook() as book:
            spec = ClusterSpec("image", mode="kraft", brokers=1, zookeepers=0, port=book.take())
        layout = lay_out(spec, lambda wanted: wanted or 0)
        net = Containers(host=lambda node: "localhost")
        settings = properties.broker(spec, layout[0], layout, f"{DATA}/log", net=net)
        container = self.run(
            environment={
                "KAFKALAB_NODE": layout[0].name,
                "KAFKALAB_MODE": "kraft",
                "KAFKALAB_CLUSTER_ID": cluster_id,
                "KAFKALAB_SETTINGS": properties.render(settings),
            },
            volumes={volume: {"bind": DATA}},
            ports={"9092/tcp": (LOOPBACK, layout[0].port)},
        )
        return container, layout[0].port

    def remove(self) -> None:
        """All of them, and what they wrote."""
        for container in self.containers:
            container.remove(force=True, v=True)
        for volume in self.volumes:
            volume.remove()


def health(container: Any) -> str:
    """What the container's own check says of it: starting, healthy, unhealthy."""
    container.reload()
    return str(container.attrs["State"]["Health"]["Status"])


def wait_healthy(container: Any, deadline: float = 90) -> None:
    """Until it says so itself; fails at once when it has ended."""

    def ask() -> bool:
        status = health(container)
        assert container.status == "running", said(container)
        return status == "healthy"

    wait_until(ask, deadline, f"{container.name} to be healthy", period=0.3, log=lambda: said(container))


def ended(container: Any) -> tuple[int, str]:
    """Its exit code and all it said, once it has ended."""
    return int(container.wait(timeout=60)["StatusCode"]), said(container)


def said(container: Any) -> str:
    """The last lines of its output."""
    return str(container.logs(tail=40).decode(errors="replace"))
