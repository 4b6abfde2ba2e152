"""What a Docker engine has of a cluster, by names alone: whatever the labels say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import docker

from kafkalab.cluster.docker import image


@dataclass
class Engine:
    """Containers, volumes, networks of clusters."""

    client: docker.DockerClient

    def containers(self, cluster: str) -> list[str]:
        found = self.client.api.containers(all=True)
        return sorted(n.lstrip("/") for c in found for n in c["Names"] or [] if f"-{cluster}-" in n)

    def volumes(self, cluster: str) -> list[str]:
        return sorted(v["Name"] for v in self.client.api.volumes()["Volumes"] or [] if f"-{cluster}-" in v["Name"])

    def networks(self, cluster: str) -> list[str]:
        return [n["Name"] for n in self.client.api.networks() if n["Name"] == f"kafkalab-{cluster}"]

    def everything(self, cluster: str) -> list[str]:
        return self.containers(cluster) + self.volumes(cluster) + self.networks(cluster)

    def image(self) -> str:
        return image.ensure(self.client)

    def inspect(self, cluster: str, node: str) -> dict[str, Any]:
        found: dict[str, Any] = self.client.api.inspect_container(f"kafkalab-{cluster}-{node}")
        return found
