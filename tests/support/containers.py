"""What a Docker engine has of a cluster, by names alone: whatever the labels say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import docker


@dataclass
class Engine:
    """Containers, volumes, networks of clusters."""

    client: docker.DockerClient

    def containers(self, cluster: str) -> list[str]:
        found = self.client.api.containers(all=True)
        return sorted(n.lstrip("/") for c in found for n in c["Names"] or [] if f"-{cluster}-" in n)

    def everything(self, cluster: str) -> list[str]:
        volumes = [v["Name"] for v in self.client.api.volumes()["Volumes"] or [] if f"-{cluster}-" in v["Name"]]
        networks = [n["Name"] for n in self.client.api.networks() if n["Name"] == f"kafkalab-{cluster}"]
        return [*self.containers(cluster), *sorted(volumes), *networks]

    def inspect(self, cluster: str, node: str) -> dict[str, Any]:
        found: dict[str, Any] = self.client.api.inspect_container(f"kafkalab-{cluster}-{node}")
        return found
