"""Makes ``docker/compose.yaml`` from ClusterSpecs. Pure; ``make compose`` writes it, and a test checks it.

The file has three clusters from three specs: the default one with ZooKeeper and, each in a profile of its own, one with
KRaft and one with an ensemble of three ZooKeepers. It uses only what both Compose v2 and v1.29 can read.
"""

from __future__ import annotations

import base64
import json
import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from kafkalab.cluster import properties
from kafkalab.cluster.docker import image
from kafkalab.cluster.docker.options import DATA, LOGS, PIDS, TMPFS, USER
from kafkalab.cluster.net import INSIDE_PORT, LOOPBACK, OUTSIDE_PORT, ZOOKEEPER_PORT, Containers
from kafkalab.cluster.spec import ClusterSpec, NodeSpec, lay_out


@dataclass(frozen=True, slots=True)
class Part:
    """One cluster of the file: its spec, its profile (None: it always starts), the prefix of its services' names."""

    spec: ClusterSpec
    profile: str | None = None
    prefix: str = ""

    def service(self, node: NodeSpec) -> str:
        """Return the name of a node's service, by which the other services reach the node."""
        return f"{self.prefix}{node.name}"

    def variable(self, node: NodeSpec) -> str:
        """Return the environment variable that changes a node's published port."""
        return f"KAFKALAB_{self.service(node).upper().replace('-', '_')}_PORT"


PARTS = (
    Part(ClusterSpec("compose", port=9092, zookeeper_port=2181)),
    Part(ClusterSpec("compose-kraft", mode="kraft", zookeepers=0, port=9192), "kraft", "kraft-"),
    Part(ClusterSpec("compose-ensemble", zookeepers=3, port=9292, zookeeper_port=2281), "ensemble", "ensemble-"),
)

#: Memory limits of containers: twice what a node is seen to need, so that a node that runs away does not hurt others.
MEMORY = {"zookeeper": "256m", "controller": "384m", "broker": "512m"}
LAB_MEMORY = "4g"
#: Maximum number of threads; a cluster, Spark, JupyterLab and its kernels run about a thousand.
LAB_PIDS = 4096
#: Folders of the lab container in memory; Spark keeps its shuffle data there.
LAB_TMPFS = {"/tmp": "exec,size=1g,mode=1777"}

HEAD = """\
# Made by `make compose` from the specs in kafkalab/cluster/compose.py; changes here are lost.
#
#   docker compose -f docker/compose.yaml up                     ZooKeeper, brokers 101, 102, 103, and JupyterLab
#   docker compose -f docker/compose.yaml --profile kraft up     the same and a cluster of Kafka 4 without ZooKeeper
#   docker compose -f docker/compose.yaml --profile ensemble up  the same and a cluster with three ZooKeepers
#   docker compose -f docker/compose.yaml down --volumes         end them and forget their data
#
# Every port is published on loopback only; KAFKALAB_..._PORT moves one. See docs/running.md.

"""


def render(parts: tuple[Part, ...] = PARTS, version: str = "") -> str:
    """Return the whole file. ``version``: the tag of the images, by default the package's own version."""
    version = version or _version()
    lines = [HEAD.rstrip("\n"), "", *_common(version), "", "services:"]
    volumes = ["lab"]
    for part in parts:
        layout = lay_out(part.spec, lambda wanted: wanted or 0)
        for node in layout:
            lines += ["", *_indent(_node(part, node, layout))]
            volumes.append(part.service(node))
    lines += ["", *_indent(_lab(parts[0], version))]
    lines += ["", "volumes:", *(f"  {name}: {{}}" for name in sorted(volumes))]
    return "\n".join(lines) + "\n"


def _version() -> str:
    from importlib.metadata import version

    return version("kafkalab")


def _image_tag(version: str) -> str:
    return f"${{KAFKALAB_IMAGE_TAG:-{version}}}"


def _common(version: str) -> list[str]:
    """Return what services share, under keys that Compose ignores."""
    return [
        "x-build: &build",
        "  context: ..",
        "  dockerfile: docker/Dockerfile",
        "  args:",
        f"    BASE: ${{KAFKALAB_DOCKER_BASE:-{image.default_base()}}}",
        "",
        "x-contained: &contained",
        "  read_only: true",
        f'  user: "{USER}"',
        "  cap_drop: [ALL]",
        '  security_opt: ["no-new-privileges:true"]',
        '  restart: "no"',
        f"  pids_limit: {PIDS}",
        "  logging:",
        f"    driver: {LOGS['Type']}",
        f"    options: {json.dumps(LOGS['Config'])}",
        "",
        "x-node: &node",
        "  <<: *contained",
        *_tmpfs(TMPFS),
        f"  image: kafkalab/node:{_image_tag(version)}",
        "  build:",
        "    <<: *build",
        "    target: node",
    ]


def _node(part: Part, node: NodeSpec, layout: tuple[NodeSpec, ...]) -> Iterator[str]:
    """Yield the lines of a service that runs one node."""
    spec, service = part.spec, part.service(node)
    net = Containers(host=part.service)
    data = f"{DATA}/log"
    is_zookeeper = node.role == "zookeeper"
    make = properties.zookeeper if is_zookeeper else properties.broker
    settings = properties.render(make(spec, node, layout, data, net=net))
    port = f"${{{part.variable(node)}:-{node.port}}}"
    yield f"{service}:"
    yield "  <<: *node"
    if part.profile:
        yield f"  profiles: [{part.profile}]"
    yield f"  hostname: {service}"
    yield from _memory(MEMORY[node.role])
    yield from _depends([part.service(n) for n in layout if n.role == "zookeeper" and not is_zookeeper], "started")
    yield f'  ports: ["{LOOPBACK}:{port}:{ZOOKEEPER_PORT if is_zookeeper else OUTSIDE_PORT}"]'
    yield f'  volumes: ["{service}:{DATA}"]'
    yield "  environment:"
    yield f"    KAFKALAB_NODE: {node.name}"
    yield f"    KAFKALAB_MODE: {spec.mode}"
    if spec.mode == "kraft":
        yield f"    KAFKALAB_CLUSTER_ID: {_cluster_id(spec)}"
    yield "    KAFKALAB_SETTINGS: |"
    for line in settings.splitlines():
        # A client on the published port must be told that port, even when a variable has changed it.
        text = line.replace("$", "$$").replace(f"{LOOPBACK}:{node.port}", f"{LOOPBACK}:{port}")
        yield f"      {text}"


def _lab(part: Part, version: str) -> Iterator[str]:
    """Yield the lines of JupyterLab's service: labs break a cluster inside it, and reach this file's by name."""
    brokers = [n for n in lay_out(part.spec, lambda wanted: wanted or 0) if n.role == "broker"]
    yield "lab:"
    yield "  <<: *contained"
    yield from _tmpfs(LAB_TMPFS)
    yield f"  image: kafkalab/lab:{_image_tag(version)}"
    yield "  build:"
    yield "    <<: *build"
    yield "    target: lab"
    yield from _memory(LAB_MEMORY)
    yield f"  pids_limit: {LAB_PIDS}"
    yield from _depends([part.service(n) for n in brokers], "healthy")
    yield f'  ports: ["{LOOPBACK}:${{KAFKALAB_LAB_PORT:-8888}}:8888"]'
    yield '  volumes: ["lab:/lab"]'
    yield "  environment:"
    yield "    KAFKALAB_BOOTSTRAP_SERVERS: " + ",".join(f"{part.service(n)}:{INSIDE_PORT}" for n in brokers)


def _memory(limit: str) -> list[str]:
    """Return a memory limit that includes swap; otherwise Docker would allow the same amount of swap on top."""
    return [f"  mem_limit: {limit}", f"  memswap_limit: {limit}"]


def _tmpfs(folders: Mapping[str, str]) -> list[str]:
    return ["  tmpfs:", *(f'    - "{path}:{options}"' for path, options in folders.items())]


def _depends(services: list[str], state: str) -> list[str]:
    if not services:
        return []
    return ["  depends_on:", *(f"    {name}: {{condition: service_{state}}}" for name in services)]


def _indent(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" for line in lines]


def _cluster_id(spec: ClusterSpec) -> str:
    """Return a cluster id in Kafka's form, 22 characters; it is the same at every rendering."""
    made = uuid.uuid5(uuid.NAMESPACE_OID, f"kafkalab/{spec.name}").bytes
    return base64.urlsafe_b64encode(made).decode().rstrip("=")


def main() -> None:
    """Write docker/compose.yaml of the checkout, for ``python -m kafkalab.cluster.compose``."""
    file: Path = image.folder() / "compose.yaml"
    file.write_text(render(), encoding="utf-8")
    print(f"written: {file}")


if __name__ == "__main__":
    main()
